// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "views/ladder/ladder_view.h"

#include <QFileDialog>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QMessageBox>
#include <QRegularExpression>
#include <QRegularExpressionValidator>
#include <QSettings>
#include <QShortcut>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>
#include <vector>

#include "views/headings.h"
#include "views/ladder/ladder_canvas.h"
#include "views/plots/time_note.h"

namespace iwarpscope::gui {
namespace {

constexpr int kFrameDigits = 12;
constexpr int kDetailLines = 4, kDetailLinesIfLow = 2;
constexpr int kLowLines = 24;                           // of the view: then the messages need the room more
constexpr const char* kTransport = "ladder/transport";  // in the settings

QToolButton* button(const QString& text, const QString& tip, QHBoxLayout& bar) {
  auto* made = new QToolButton;
  made->setText(text);
  made->setToolTip(tip);
  made->setAccessibleName(tip);
  bar.addWidget(made);
  return made;
}

/// Two groups of controls: beside each other, or one below the other where there is too little room.
class Bar : public QWidget {
 public:
  Bar() : rows_(new QBoxLayout(QBoxLayout::LeftToRight, this)) {
    rows_->setContentsMargins(0, 0, 0, 0);
    rows_->setSpacing(0);
  }
  QHBoxLayout& add_group() {
    auto* const group = new QWidget(this);
    auto* const row = new QHBoxLayout(group);
    const int letter = fontMetrics().averageCharWidth();
    row->setContentsMargins(letter, 0, letter, 0);
    rows_->addWidget(group);
    groups_.push_back(group);
    return *row;
  }
  [[nodiscard]] QSize minimumSizeHint() const override {
    int widest = 0;
    for (const QWidget* group : groups_) widest = std::max(widest, group->minimumSizeHint().width());
    return {widest, rows_->minimumSize().height()};
  }

 protected:
  void resizeEvent(QResizeEvent* event) override {
    QWidget::resizeEvent(event);
    int wanted = 0;
    for (const QWidget* group : groups_) wanted += group->minimumSizeHint().width();
    rows_->setDirection(wanted <= width() ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom);
  }

 private:
  QBoxLayout* rows_;
  std::vector<QWidget*> groups_;
};

}  // namespace

LadderView::LadderView(Selection& selection, MessageStore& store, QWidget* parent)
    : QWidget(parent), canvas_(new LadderCanvas(selection, store)), frame_(new QLineEdit), details_(new QLabel) {
  setAccessibleName(tr("Ladder"));
  setWhatsThis(tr(
      "Shows the life of the queue pair as arrows between Initiator, tap and Responder: TCP and MPA startup, each "
      "message, and how the connection ended. Time runs down. A bracket connects a request and its response. Gaps of "
      "the capture and findings are marked where they happened; the row of the worst finding has the strongest "
      "colour. A click on the mark of a finding shows it in the list of findings. “Transport and waits” also shows "
      "retransmissions, reordering, closed windows and long waits. Up and Down move from message to message, N and P "
      "from finding to finding. + and - zoom, 0 shows all, Ctrl+G goes to a frame."));
  details_->setAccessibleDescription(tr("Current message"));
  details_->setTextFormat(Qt::PlainText);
  details_->setWordWrap(true);
  details_->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
  details_->setAlignment(Qt::AlignTop | Qt::AlignLeft);
  keep_from_edge(*details_);
  const auto show_details = [this](const QString& text) {
    details_->setText(text.isEmpty() ? tr("Choose a row to read about it.") : text);
  };
  show_details({});
  connect(canvas_, &LadderCanvas::details_changed, this, show_details);

  auto* all = new QVBoxLayout(this);
  all->setContentsMargins(0, 0, 0, 0);
  all->addWidget(make_bar());
  all->addWidget(new TimeNote(
      selection, [] { return tr("Messages outside the marked time are faint."); }, this));
  all->addWidget(canvas_, 1);
  all->addWidget(details_);
  setFocusProxy(canvas_);
}

QWidget* LadderView::make_bar() {
  auto* const both = new Bar;
  QHBoxLayout* const bar = &both->add_group();
  connect(button(tr("Previous finding"), tr("Previous finding (P)"), *bar), &QToolButton::clicked, this,
          [this] { jump(false); });
  connect(button(tr("Next finding"), tr("Next finding (N)"), *bar), &QToolButton::clicked, this,
          [this] { jump(true); });
  connect(button(tr("−"), tr("More messages (-)"), *bar), &QToolButton::clicked, this, [this] { canvas_->zoom(-1); });
  connect(button(tr("+"), tr("Fewer messages (+)"), *bar), &QToolButton::clicked, this, [this] { canvas_->zoom(1); });
  connect(button(tr("All"), tr("All messages (0)"), *bar), &QToolButton::clicked, this,
          [this] { canvas_->zoom_to_all(); });
  auto* transport =
      button(tr("Transport and waits"), tr("Show retransmissions, reordering, closed windows and waits"), *bar);
  transport->setCheckable(true);
  connect(transport, &QToolButton::toggled, this, [this](bool on) {
    canvas_->show_transport(on);
    QSettings().setValue(QLatin1String(kTransport), on);
  });
  transport->setChecked(QSettings().value(QLatin1String(kTransport), false).toBool());
  bar->addStretch();
  QHBoxLayout* const right = &both->add_group();
  right->addStretch();
  frame_->setPlaceholderText(tr("Frame"));
  frame_->setAccessibleName(tr("Go to frame (Ctrl+G)"));
  frame_->setToolTip(tr("Go to frame (Ctrl+G)"));
  frame_->setMaximumWidth(fontMetrics().horizontalAdvance(QString(kFrameDigits, QLatin1Char('0'))));
  frame_->setValidator(new QRegularExpressionValidator(QRegularExpression(QStringLiteral("[0-9]{1,18}")), frame_));
  connect(frame_, &QLineEdit::returnPressed, this, &LadderView::go_to_frame);
  right->addWidget(frame_);
  connect(button(tr("Save picture..."), tr("Save the chosen or visible part as SVG or PNG"), *right),
          &QToolButton::clicked, this, &LadderView::export_picture);
  auto* go = new QShortcut(QKeySequence(tr("Ctrl+G")), this);
  go->setContext(Qt::WidgetWithChildrenShortcut);
  connect(go, &QShortcut::activated, this, [this] {
    frame_->setFocus(Qt::ShortcutFocusReason);
    frame_->selectAll();
  });
  return both;
}

/// The text below the ladder keeps its height from message to message.
void LadderView::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  const int line = fontMetrics().lineSpacing();
  details_->setMinimumHeight((height() < kLowLines * line ? kDetailLinesIfLow : kDetailLines) * line);
}

void LadderView::set_qp(const live::QpView& qp) {
  canvas_->set_qp(qp);
}

void LadderView::set_findings(std::vector<live::FindingView> findings) {
  canvas_->set_findings(std::move(findings));
}

void LadderView::jump(bool forward) {
  if (!canvas_->jump_to_finding(forward)) {
    details_->setText(forward ? tr("There are no more findings.") : tr("There are no earlier findings."));
  }
  canvas_->setFocus();
}

void LadderView::go_to_frame() {
  canvas_->go_to_frame(FrameNumber{frame_->text().toULongLong()});
  canvas_->setFocus();
}

void LadderView::export_picture() {
  const QString file = QFileDialog::getSaveFileName(this, tr("Save the ladder"), QStringLiteral("ladder.svg"),
                                                    tr("Pictures (*.svg *.png)"));
  if (file.isEmpty()) return;
  if (const auto done = canvas_->save(file); !done) QMessageBox::warning(this, tr("Save the ladder"), done.error());
}

}  // namespace iwarpscope::gui
