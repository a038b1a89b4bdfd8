// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "views/queue_pairs/filter_bar.h"

#include <QAbstractItemView>
#include <QCompleter>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPainter>
#include <QToolButton>
#include <QVBoxLayout>

#include "views/colors.h"
#include "views/local_keys.h"

namespace iwarpscope::gui {
namespace {

constexpr int kDelayMs = 200;
constexpr int kInvalidDelayMs = 700;

QColor frame_color(bool is_valid, const QPalette& palette) {
  return is_valid ? outcome_color(qp::Outcome::completed, palette) : outcome_color(qp::Outcome::failed, palette);
}

}  // namespace

FilterBar::FilterBar(QWidget* parent)
    : QWidget(parent),
      edit_(new QLineEdit(this)),
      mark_(new QLabel(this)),
      trouble_(new QLabel(this)),
      past_(new QToolButton(this)),
      completer_(new QCompleter(this)) {
  auto* const rows = new QVBoxLayout(this);
  const int margin = std::max(2, fontMetrics().height() / 6);
  rows->setContentsMargins(margin, margin, margin, margin);
  rows->setSpacing(margin);
  auto* const layout = new QHBoxLayout;
  rows->addLayout(layout);
  rows->addWidget(trouble_);
  trouble_->setWordWrap(true);
  trouble_->setTextFormat(Qt::PlainText);
  trouble_->setAccessibleDescription(tr("What is wrong with the filter"));
  layout->addWidget(mark_);
  layout->addWidget(edit_, 1);
  layout->addWidget(past_);
  mark_->setMinimumWidth(fontMetrics().horizontalAdvance(QStringLiteral("MM")));
  mark_->setAlignment(Qt::AlignCenter);
  edit_->setObjectName(QLatin1String(kFilterField));
  edit_->setPlaceholderText(tr("Filter, such as: host == 10.0.0.1 and errors > 0"));
  edit_->setAccessibleName(tr("Filter of queue pairs"));
  edit_->setClearButtonEnabled(true);
  edit_->setMaxLength(static_cast<int>(QpFilter::kMostCharacters));
  edit_->installEventFilter(this);
  past_->setText(tr("History"));
  past_->setAccessibleName(tr("Earlier filters"));
  past_->setPopupMode(QToolButton::InstantPopup);
  past_->setMenu(new QMenu(past_));
  setFocusProxy(edit_);
  completer_->setModel(&words_);
  completer_->setWidget(edit_);
  completer_->setCompletionMode(QCompleter::UnfilteredPopupCompletion);
  completer_->popup()->setAccessibleName(tr("Possible completions"));
  delay_.setSingleShot(true);
  connect(&delay_, &QTimer::timeout, this, &FilterBar::apply);
  connect(edit_, &QLineEdit::textEdited, this, &FilterBar::offer);
  connect(edit_, &QLineEdit::textChanged, this, &FilterBar::judge);
  connect(edit_, &QLineEdit::returnPressed, this, &FilterBar::finish);
  connect(completer_, qOverload<const QString&>(&QCompleter::activated), this, &FilterBar::insert);
  trouble_->hide();
  fill_history();
  judge();
}

void FilterBar::set_occurring(std::function<QStringList(const QpField&)> occurring) {
  occurring_ = std::move(occurring);
}

QString FilterBar::text() const {
  return edit_->text();
}

void FilterBar::set_text(const QString& text) {
  edit_->setText(text);
  finish();
}

void FilterBar::set_history(const QStringList& history) {
  history_ = history.mid(0, kMostHistory);
  fill_history();
}

QString FilterBar::trouble() const {
  return trouble_->isHidden() ? QString() : trouble_->text();
}

/// Each change of the text, by the user or the program.
void FilterBar::judge() {
  auto filter = QpFilter::parse(edit_->text());
  valid_ = filter.has_value();
  const bool is_empty = edit_->text().trimmed().isEmpty();
  QString sentence;
  if (valid_) {
    filter_ = *std::move(filter);
    sentence = is_empty ? tr("No filter: all queue pairs are shown.") : tr("The filter is valid.");
  } else {
    sentence = tr("At character %1: %2").arg(filter.error().position + 1).arg(filter.error().sentence);
  }
  mark_->setText(is_empty ? QString() : valid_ ? QStringLiteral("✓") : QStringLiteral("✗"));
  mark_->setAccessibleName(valid_ ? tr("Filter is valid") : tr("Filter is not valid"));
  QPalette palette = mark_->palette();
  palette.setColor(QPalette::WindowText, frame_color(valid_, this->palette()));
  mark_->setPalette(palette);
  for (QWidget* widget : {static_cast<QWidget*>(edit_), static_cast<QWidget*>(mark_)}) {
    widget->setToolTip(sentence);
    widget->setAccessibleDescription(sentence);
  }
  if (valid_) trouble_->hide();
  update();
  delay_.start(valid_ ? kDelayMs : kInvalidDelayMs);
}

void FilterBar::apply() {
  delay_.stop();
  if (!valid_) {
    trouble_->setText(tr("Not applied: all queue pairs are shown. %1").arg(edit_->toolTip()));
    trouble_->show();
  }
  emit filter_changed(valid_ ? filter_ : QpFilter());
}

void FilterBar::finish() {
  const QString text = edit_->text().trimmed();
  if (valid_ && !text.isEmpty()) {
    history_.removeAll(text);
    history_.prepend(text);
    history_ = history_.mid(0, kMostHistory);
    fill_history();
  }
  apply();
}

void FilterBar::fill_history() {
  QMenu* menu = past_->menu();
  menu->clear();
  for (const QString& text : history_) {
    QString shown = text;
    shown.replace(QLatin1Char('&'), QLatin1String("&&"));
    connect(menu->addAction(shown), &QAction::triggered, this, [this, text] { set_text(text); });
  }
  past_->setEnabled(!history_.isEmpty());
}

void FilterBar::offer() {
  const auto occurring = [this](const QpField& field) { return occurring_ ? occurring_(field) : QStringList(); };
  offered_ = complete_filter(edit_->text(), edit_->cursorPosition(), occurring);
  words_.setStringList(offered_.words);
  if (offered_.words.isEmpty()) {
    completer_->popup()->hide();
  } else {
    completer_->complete();
  }
}

void FilterBar::insert(const QString& word) {
  QString text = edit_->text();
  // A value that contains a space or a quotation mark is quoted.
  const bool needs_quotes = word.contains(QLatin1Char(' '));
  const QString written = needs_quotes ? QStringLiteral("\"%1\"").arg(word) : word;
  const QString with_space = written + (word == QLatin1String("(") ? QString() : QStringLiteral(" "));
  text.replace(offered_.from, offered_.length, with_space);
  edit_->setText(text);
  edit_->setCursorPosition(static_cast<int>(offered_.from + with_space.size()));
}

bool FilterBar::eventFilter(QObject* watched, QEvent* event) {
  if (watched == edit_ && event->type() == QEvent::KeyPress) {
    const auto* key = static_cast<QKeyEvent*>(event);
    if (key->key() == Qt::Key_Down || (key->key() == Qt::Key_Space && key->modifiers() == Qt::ControlModifier)) {
      offer();
      return true;
    }
    if (key->key() == Qt::Key_Escape && !edit_->text().isEmpty()) {
      set_text({});
      return true;
    }
  }
  return QWidget::eventFilter(watched, event);
}

void FilterBar::focusInEvent(QFocusEvent* event) {
  edit_->setFocus(event->reason());
}

void FilterBar::paintEvent(QPaintEvent* event) {
  QWidget::paintEvent(event);
  if (edit_->text().trimmed().isEmpty()) return;
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  const qreal width = std::max(1.5, fontMetrics().height() / 9.0);
  painter.setPen(QPen(frame_color(valid_, palette()), width));
  painter.drawRoundedRect(QRectF(rect()).adjusted(width / 2, width / 2, -width / 2, -width / 2), 2 * width, 2 * width);
}

}  // namespace iwarpscope::gui
