// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "views/frame/frame_view.h"

#include <QHeaderView>
#include <QLabel>
#include <QResizeEvent>
#include <QSplitter>
#include <QStyledItemDelegate>
#include <QTreeView>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

#include "findings/catalogue.h"
#include "models/findings/finding_table.h"
#include "models/ladder/ladder_text.h"
#include "models/words.h"
#include "views/colors.h"
#include "views/frame/hex_view.h"
#include "views/headings.h"
#include "views/table_actions.h"

namespace iwarpscope::gui {
namespace {

constexpr int kTreeShare = 3, kHexShare = 2;  // of the height

/// A field that a finding is about is drawn in its colour.
class FieldDelegate : public QStyledItemDelegate {
 public:
  using QStyledItemDelegate::QStyledItemDelegate;

 protected:
  void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override {
    QStyledItemDelegate::initStyleOption(option, index);
    const QVariant found = index.siblingAtColumn(0).data(FrameModel::severity_role);
    if (!found.isValid()) return;
    const auto severity = static_cast<findings::Severity>(found.toInt());
    option->font.setBold(true);
    option->palette.setColor(QPalette::Text, severity_color(severity, option->palette));
    option->backgroundBrush = severity_background(severity, option->palette);
  }
};

/// Screen readers take its text for its name.
QLabel* label(QWidget* parent, const QString& what) {
  auto* made = new QLabel(parent);
  made->setAccessibleDescription(what);
  made->setTextFormat(Qt::PlainText);
  made->setWordWrap(true);
  made->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
  return made;
}

void show_text(QLabel& label, const QString& text) {
  label.setText(text);
  label.setVisible(!text.isEmpty());
}

}  // namespace

FrameView::FrameView(Selection& selection, Ask ask, QWidget* parent)
    : QWidget(parent),
      ask_(std::move(ask)),
      title_(label(this, tr("Frame shown"))),
      headline_(label(this, tr("Finding about this frame"))),
      text_(label(this, tr("Text of the finding"))),
      values_(label(this, tr("Values seen and expected"))),
      note_(label(this, tr("What could not be decoded"))),
      tree_(new QTreeView(this)),
      octets_(new HexView(this)) {
  setAccessibleName(tr("Frame"));
  setWhatsThis(tr(
      "Shows one captured frame of the chosen queue pair: the fields of its headers above, its octets below. A field "
      "that a finding is about is marked, with the value that was seen and the value that was expected on top. A "
      "click on a field marks its octets, a click on an octet marks its field. It follows the ladder, the findings "
      "and the frames of the verdict."));
  QFont bold = headline_->font();
  bold.setBold(true);
  headline_->setFont(bold);
  values_->setFont(octets_->font());
  make_tree();
  auto* split = new QSplitter(Qt::Vertical, this);
  split->setChildrenCollapsible(false);
  split->addWidget(tree_);
  split->addWidget(octets_);
  split->setStretchFactor(0, kTreeShare);
  split->setStretchFactor(1, kHexShare);
  auto* all = new QVBoxLayout(this);
  all->setContentsMargins(0, 0, 0, 0);
  for (QLabel* one : {title_, headline_, text_, values_, note_}) keep_from_edge(*one);
  for (QLabel* one : {title_, headline_, text_, values_, note_}) all->addWidget(one);
  all->addWidget(split, 1);
  setFocusProxy(tree_);
  connect(octets_, &HexView::octet_clicked, this, [this](quint32 octet) {
    const QModelIndex field = model_.field_at(octet);
    field.isValid() ? choose(field) : octets_->choose({octet, octet + 1});
  });
  connect(&selection, &Selection::focused, this, [this](const Focus& focus) {
    if (focus.frame.value != 0) show_frame(focus.frame, focus.finding);
  });
  set_qp({});
}

void FrameView::make_tree() {
  tree_->setAccessibleName(tr("Fields of the frame"));
  tree_->setModel(&model_);
  tree_->setItemDelegate(new FieldDelegate(tree_));
  tree_->setUniformRowHeights(true);
  tree_->setAllColumnsShowFocus(true);
  tree_->setSelectionBehavior(QAbstractItemView::SelectRows);
  QHeaderView& header = *tree_->header();
  header.setStretchLastSection(false);
  header.setSectionResizeMode(FrameModel::kFinding, QHeaderView::ResizeToContents);
  connect(&header, &QHeaderView::sectionResized, this, [this](int section) {
    if (section == FrameModel::kFinding) fit_names();
    if (section != FrameModel::kValue) fit_values();
  });
  new TableActions(*tree_, QStringLiteral("frame"),
                   [this](const QModelIndex& index) { return model_.sentence(index); });
  fit_names();
  tree_->viewport()->installEventFilter(this);
  connect(tree_->selectionModel(), &QItemSelectionModel::currentChanged, this,
          [this](const QModelIndex& index) { octets_->choose(model_.octets(index)); });
}

/// The longest name of a field, at its depth; in a narrow view what values and codes of findings leave, but not less
/// than a good third and not more than a good half.
void FrameView::fit_names() {
  constexpr int kDepth = 2, kLettersAround = 5;
  const QFontMetrics metrics = tree_->fontMetrics();
  tree_->setIndentation(2 * metrics.averageCharWidth());
  const int longest = kDepth * tree_->indentation() + kLettersAround * metrics.averageCharWidth() +
                      metrics.horizontalAdvance(QStringLiteral("Acknowledgment number"));
  const int width = tree_->viewport()->width();
  const int rest = width - value_width() - tree_->header()->sectionSize(FrameModel::kFinding);
  tree_->setColumnWidth(FrameModel::kField, std::min(longest, std::clamp(rest, width * 7 / 20, width * 11 / 20)));
}

/// At most that of a number of 64 bits, in the letters of a wrong field.
int FrameView::value_width() const {
  QFont bold = tree_->font();
  bold.setBold(true);
  const QFontMetrics metrics(bold);
  const int most =
      metrics.horizontalAdvance(QStringLiteral("0x0000000000000000")) + 2 * tree_->fontMetrics().averageCharWidth();
  const QAbstractItemView& cells = *tree_;  // there it is public
  return std::min(cells.sizeHintForColumn(FrameModel::kValue), most);
}

/// They have what the other columns leave. In a very narrow view they keep the room to be read, and the codes of the
/// findings (they are also above) are reached by scrolling.
void FrameView::fit_values() {
  QHeaderView& header = *tree_->header();
  const int rest =
      tree_->viewport()->width() - header.sectionSize(FrameModel::kField) - header.sectionSize(FrameModel::kFinding);
  header.resizeSection(FrameModel::kValue, std::max({rest, value_width(), header.sectionSizeHint(FrameModel::kValue)}));
}

/// If the chosen field was in sight, it stays there.
bool FrameView::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::Resize && !is_resized_) {
    is_resized_ = true;
    const QRect before(QPoint(), static_cast<const QResizeEvent*>(event)->oldSize());
    const bool was_seen = before.isEmpty() || before.intersects(tree_->visualRect(tree_->currentIndex()));
    const auto settle = [this, was_seen] {
      is_resized_ = false;
      fit_names();
      fit_values();
      if (was_seen && tree_->currentIndex().isValid()) tree_->scrollTo(tree_->currentIndex(), hint_);
    };
    QMetaObject::invokeMethod(tree_, settle, Qt::QueuedConnection);
  }
  return QWidget::eventFilter(watched, event);
}

void FrameView::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::FontChange) fit_names();
  if (event->type() == QEvent::PaletteChange) color_headline();
}

void FrameView::set_qp(const std::optional<live::QpView>& qp) {
  const bool is_other = !qp || !qp_ || qp_->record.qp != qp->record.qp;
  qp_ = qp;
  if (!is_other) return;
  if (!qp_) {
    frame_ = {};
    finding_.reset();
    is_first_ = true;
    model_.clear();
    octets_->set_octets({}, {});
    show_finding();
    show_text(*note_, {});
    return show_text(*title_, tr("Choose a message of the ladder, a finding or a frame of the verdict."));
  }
  frame_.value != 0 ? fetch() : show_first();
}

void FrameView::set_findings(std::vector<live::FindingView> findings) {
  const bool is_same = findings.size() == findings_.size() &&
                       (findings.empty() || findings.back().sequence == findings_.back().sequence);
  findings_ = std::move(findings);
  if (!qp_ || is_same) return;
  if (is_first_) return show_first();
  if (model_.frame().number == frame_ && frame_.value != 0) return show_model(DecodedFrame(model_.frame()));
  show_finding();
}

void FrameView::show_first() {
  const auto severity = [](const live::FindingView& view) { return findings::rule(view.finding.id).severity; };
  const live::FindingView* worst = nullptr;
  for (const live::FindingView& view : findings_) {
    if (view.finding.frame.value != 0 && (worst == nullptr || severity(view) > severity(*worst))) worst = &view;
  }
  is_first_ = true;
  if (worst != nullptr && severity(*worst) != findings::Severity::note) {
    show_frame(place_of(*worst).frame, worst->sequence);
  } else {
    const auto& verdict = qp_->record.verdict;
    show_frame(verdict && !verdict->evidence.empty() ? verdict->evidence.back() : qp_->record.first_frame);
  }
  is_first_ = true;
}

void FrameView::show_frame(FrameNumber frame, std::optional<std::uint64_t> finding) {
  is_first_ = false;
  const bool is_same = frame == frame_ && finding == finding_;
  frame_ = frame;
  finding_ = finding;
  if (qp_ && (!is_same || model_.frame().number != frame_)) fetch();
}

/// One request at a time: of those that come meanwhile, only the last one counts.
void FrameView::fetch() {
  ask_again_ = asking_;
  if (asking_ || !qp_ || frame_.value == 0) return;
  asking_ = true;
  ask_(qp_->record.qp, frame_, this, [this, frame = frame_, qp = qp_->record.qp](const auto& answer) {
    asking_ = false;
    if (ask_again_ || !qp_ || qp_->record.qp != qp) return fetch();
    take(frame, answer);
  });
}

void FrameView::take(FrameNumber frame, const tl::expected<DecodedFrame, api::Failure>& answer) {
  if (answer) return show_model(*answer);
  model_.clear();
  octets_->set_octets({}, {});
  show_finding();
  show_text(*title_, tr("Frame %1").arg(frame.value));
  QString reason = QString::fromStdString(answer.error().sentence);
  if (reason.endsWith(QLatin1Char('.'))) reason.chop(1);
  show_text(*note_, tr("This frame cannot be shown: %1.").arg(reason));
}

void FrameView::show_model(DecodedFrame frame) {
  const DecodedFrame& f = frame;
  QString title = tr("Frame %1, %Ln octet(s)", nullptr, plural(f.original_length)).arg(f.number.value);
  if (f.direction) {
    const bool from_a = *f.direction == Direction::a_to_b;
    const auto end = [](const net::Endpoint& e) { return QString::fromStdString(e.text()); };
    title += tr(", from %1").arg(end(from_a ? qp_->record.a : qp_->record.b));
  }
  title += tr(", %1 s").arg(ladder_time(qp_->record.first_time, f.time));
  QString note = f.note;
  if (f.left_out != 0) note += QLatin1Char(' ') + tr("%Ln more field(s) are not shown.", nullptr, plural(f.left_out));
  show_text(*title_, title);
  show_text(*note_, note.trimmed());
  model_.set_frame(std::move(frame), findings_);
  octets_->set_octets(model_.frame().octets, model_.wrong_octets());
  tree_->expandAll();
  fit_names();
  fit_values();
  show_highest_layer();
  show_finding();
  octets_->place();
}

/// What the frame is for: its first FPDU or startup frame, else its transport header.
void FrameView::show_highest_layer() {
  QModelIndex found;
  for (int row = 0; row < model_.rowCount(); ++row) {
    found = model_.index(row, FrameModel::kField);
    const QString name = found.data().toString();
    if (name == QStringLiteral("FPDU") || name == QStringLiteral("MPA") || name == QStringLiteral("DDP")) break;
  }
  if (!found.isValid()) return;
  choose(found);
  hint_ = QAbstractItemView::PositionAtTop;
  tree_->scrollTo(found, hint_);
}

const live::FindingView* FrameView::finding() const {
  const live::FindingView* found = nullptr;
  for (const live::FindingView& view : findings_) {
    if (finding_ && view.sequence == *finding_) return &view;
    if (!is_about(view.finding, frame_)) continue;
    const auto severity = [](const live::FindingView& one) { return findings::rule(one.finding.id).severity; };
    if (found == nullptr || severity(view) > severity(*found)) found = &view;
  }
  return found;
}

void FrameView::color_headline() {
  const live::FindingView* const view = qp_ ? finding() : nullptr;
  if (view == nullptr) return;
  QPalette colors = palette();
  colors.setColor(QPalette::WindowText, severity_color(findings::rule(view->finding.id).severity, colors));
  headline_->setPalette(colors);
}

void FrameView::show_finding() {
  const live::FindingView* const view = qp_ ? finding() : nullptr;
  if (view == nullptr) {
    for (QLabel* one : {headline_, text_, values_}) show_text(*one, {});
    return;
  }
  const findings::Rule& rule = findings::rule(view->finding.id);
  color_headline();
  show_text(*headline_, tr("%1 %2 %3 (%4)")
                            .arg(severity_sign(rule.severity), QString::fromUtf8(rule.code.data()),
                                 QString::fromUtf8(rule.name.data()), severity_word(rule.severity)));
  setProperty("rule", QString::fromUtf8(rule.code.data()));
  show_text(*text_, QString::fromStdString(view->finding.text.empty() ? std::string{rule.what} : view->finding.text));
  QStringList values;
  if (!view->finding.seen.empty()) values << tr("seen:     %1").arg(QString::fromStdString(view->finding.seen));
  if (!view->finding.expected.empty()) {
    values << tr("expected: %1").arg(QString::fromStdString(view->finding.expected));
  }
  show_text(*values_, values.join(QLatin1Char('\n')));
  QModelIndex wrong = model_.wrong_field(view->sequence);
  if (!wrong.isValid() && !finding_) wrong = model_.wrong_field({});
  if (wrong.isValid()) choose(wrong);
}

void FrameView::choose(const QModelIndex& index) {
  tree_->setCurrentIndex(index);
  hint_ = QAbstractItemView::PositionAtCenter;
  tree_->scrollTo(index, hint_);
  octets_->choose(model_.octets(index));
}

}  // namespace iwarpscope::gui
