// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "views/health_bar.h"

#include <QHBoxLayout>
#include <QScopedValueRollback>
#include <QStyleOptionToolButton>
#include <QToolButton>
#include <QWhatsThis>

#include <algorithm>

#include "models/health.h"
#include "views/colors.h"

namespace iwarpscope::gui {
namespace {

QColor color(HealthStage::State state, const QPalette& palette) {
  switch (state) {
    case HealthStage::State::lossy: return severity_color(findings::Severity::error, palette);
    case HealthStage::State::strained: return severity_color(findings::Severity::warning, palette);
    case HealthStage::State::well:
    case HealthStage::State::unknown: break;
  }
  return palette.color(QPalette::ButtonText);
}

/// Shows as much text as fits.
class StageButton : public QToolButton {
 public:
  explicit StageButton(QWidget* parent) : QToolButton(parent) {
    setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Fixed);
  }
  [[nodiscard]] QSize minimumSizeHint() const override {
    constexpr int kLeastLetters = 14;  // the longest name of a stage
    const QSize whole = sizeHint();
    return {std::min(whole.width(), margin() + kLeastLetters * fontMetrics().averageCharWidth()), whole.height()};
  }

 protected:
  void initStyleOption(QStyleOptionToolButton* option) const override {
    QToolButton::initStyleOption(option);
    // sizeHint() also calls this.
    if (option->text.isEmpty() || is_measuring_) return;
    option->text = fontMetrics().elidedText(text(), Qt::ElideRight, width() - margin());
  }

 private:
  /// The part of its width that is not text.
  [[nodiscard]] int margin() const {
    const QScopedValueRollback measuring(is_measuring_, true);
    return sizeHint().width() - fontMetrics().size(Qt::TextShowMnemonic, text()).width();
  }
  mutable bool is_measuring_ = false;
};

}  // namespace

HealthBar::HealthBar(QWidget* parent) : QWidget(parent), row_(new QHBoxLayout(this)) {
  setAccessibleName(tr("Sensor health"));
  setWhatsThis(
      tr("Shows the losses at each stage, from the wire to the analysis and the outputs. Losses can make verdicts "
         "incomplete. Press a stage to read its explanation."));
  row_->setContentsMargins({});
  row_->addStretch(1);
}

void HealthBar::set_count(std::size_t count) {
  while (buttons_.size() > count) {
    delete buttons_.back();
    buttons_.pop_back();
  }
  while (buttons_.size() < count) {
    auto* button = new StageButton(this);
    button->setAutoRaise(true);
    button->setFocusPolicy(Qt::StrongFocus);
    connect(button, &QToolButton::clicked, button, [button] {
      QWhatsThis::showText(button->mapToGlobal(button->rect().topLeft()), button->toolTip(), button);
    });
    row_->insertWidget(static_cast<int>(buttons_.size()), button);
    buttons_.push_back(button);
  }
}

void HealthBar::set_status(const StatusPtr& status, bool of_file) {
  status_ = status;
  of_file_ = of_file;
  show_stages();
}

void HealthBar::set_stale(bool stale) {
  stale_ = stale;
  show_stages();
}

void HealthBar::show_stages() {
  const std::vector<HealthStage> stages =
      status_ ? health_stages(*status_, stale_, of_file_) : std::vector<HealthStage>{};
  set_count(stages.size());
  whole_.clear();
  short_.clear();
  for (std::size_t i = 0; i < stages.size(); ++i) {
    const HealthStage& stage = stages[i];
    QToolButton* button = buttons_[i];
    const QString word = health_word(stage.state);
    whole_ << tr("%1 %2: %3").arg(word.left(1), stage.name, stage.value);
    short_ << shorter(stage);
    button->setAccessibleName(tr("%1: %2, %3").arg(stage.name, word, stage.value));
    button->setAccessibleDescription(stage.meaning);
    button->setToolTip(button->accessibleName() + QLatin1Char('\n') + stage.meaning);
    QPalette colors = palette();
    colors.setColor(QPalette::ButtonText, color(stage.state, palette()));
    button->setPalette(colors);
  }
  show_texts();
}

QString HealthBar::shorter(const HealthStage& stage) {
  const QString sign = health_word(stage.state).left(1);
  switch (stage.state) {
    case HealthStage::State::well: return tr("%1 %2").arg(sign, stage.name);
    case HealthStage::State::unknown: return tr("%1 %2: stale").arg(sign, stage.name);
    case HealthStage::State::strained:
    case HealthStage::State::lossy: break;
  }
  return whole_.back();
}

/// The tooltips and the accessible texts always have the complete text.
void HealthBar::show_texts() {
  int wanted = 0;
  for (std::size_t i = 0; i < buttons_.size(); ++i) {
    buttons_[i]->setText(whole_[static_cast<qsizetype>(i)]);
    wanted += buttons_[i]->sizeHint().width() + row_->spacing();
  }
  if (wanted <= width()) return;
  for (std::size_t i = 0; i < buttons_.size(); ++i) buttons_[i]->setText(short_[static_cast<qsizetype>(i)]);
}

void HealthBar::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  show_texts();
}

}  // namespace iwarpscope::gui
