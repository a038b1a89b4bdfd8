// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "views/buffers/buffer_view.h"

#include <QHeaderView>
#include <QLabel>
#include <QScrollArea>
#include <QSplitter>
#include <QTreeView>
#include <QVBoxLayout>

#include "models/ladder/ladder_text.h"
#include "models/words.h"
#include "views/picture_export.h"
#include "views/plots/time_note.h"
#include "views/table_actions.h"

namespace iwarpscope::gui {

BufferView::BufferView(const MessageStore& store, Selection& selection, QWidget* parent)
    : QWidget(parent),
      store_(store),
      selection_(selection),
      model_(store),
      table_(new QTreeView(this)),
      canvas_(new BufferCanvas(selection, this)),
      details_(new QLabel(this)),
      legend_(new QLabel(this)),
      refused_(new QLabel(this)) {
  setAccessibleName(tr("Buffers"));
  setWhatsThis(tr(
      "Lists the STags that messages of this queue pair name, one per row: the owner, the frames of first use and of "
      "invalidation, the types of access, the Tagged Offsets and the messages (RFC 5041 §4.2). The map below shows "
      "which message placed which octets of the chosen STag, and when. It marks octets that were overwritten too early "
      "or placed after an invalidation (RFC 5040 §5.3). Enter on a piece shows its message in all other views."));
  sorted_.setSourceModel(&model_);
  sorted_.setSortRole(BufferModel::kSortRole);
  table_->setModel(&sorted_);
  table_->setAccessibleName(tr("STags"));
  table_->setRootIsDecorated(false);
  table_->setUniformRowHeights(true);
  table_->setAlternatingRowColors(true);
  table_->setSortingEnabled(true);
  table_->sortByColumn(BufferModel::kFirstFrame, Qt::AscendingOrder);
  table_->header()->setSectionResizeMode(QHeaderView::ResizeToContents);
  // The widest column is the last one, so that the others are visible without scrolling.
  table_->header()->moveSection(BufferModel::kRange, BufferModel::kUsers);
  new TableActions(*table_, QStringLiteral("stags"));
  add_save_action(*canvas_, QStringLiteral("buffer"), false,
                  [this](const QString& file) { return save_picture(*canvas_, tr("Buffer"), file); });
  setFocusProxy(table_);
  details_->setWordWrap(true);
  details_->setMinimumHeight(2 * fontMetrics().height());
  details_->setAccessibleDescription(tr("The piece of memory at the cursor"));
  legend_->setWordWrap(true);
  legend_->setAccessibleDescription(tr("Legend of the map"));
  legend_->setText(
      tr("Paler: placed earlier. Hatched ///: overwritten before the owner was notified of the previous data by a Send "
         "or by another message than a Write. Crossed: placed after an invalidation. Dashed line: an invalidation. "
         "Dotted and empty: refused, not placed. E, W, N above a piece: a finding names its frame."));
  lay_out();
  connect(table_->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex& row) {
    has_chosen_ = row.isValid();
    choose();
  });
  connect(&model_, &BufferModel::dataChanged, this, &BufferView::choose);
  connect(&model_, &BufferModel::modelReset, this, [this] {
    has_chosen_ = false;
    choose();
  });
  connect(&model_, &BufferModel::rowsInserted, this, &BufferView::choose, Qt::QueuedConnection);
  connect(canvas_, &BufferCanvas::pointed, details_, &QLabel::setText);
  connect(canvas_, &BufferCanvas::chosen, this, &BufferView::look_at);
}

void BufferView::lay_out() {
  auto* const lower = new QWidget;
  auto* const below = new QVBoxLayout(lower);
  below->setContentsMargins(0, 0, 0, 0);
  refused_->setWordWrap(true);
  refused_->setAccessibleDescription(tr("Refused messages"));
  refused_->hide();
  below->addWidget(refused_);
  below->addWidget(canvas_, 1);
  below->addWidget(details_);
  below->addWidget(legend_);
  auto* const split = new QSplitter(Qt::Vertical, this);
  split->addWidget(table_);
  // In a low view the map keeps its height, and scrolls.
  auto* const area = new QScrollArea(this);
  area->setWidgetResizable(true);
  area->setFrameShape(QFrame::NoFrame);
  area->setFocusPolicy(Qt::NoFocus);
  area->setWidget(lower);
  split->addWidget(area);
  split->setStretchFactor(0, 1);
  split->setStretchFactor(1, 3);
  auto* const all = new QVBoxLayout(this);
  all->addWidget(new TimeNote(
      selection_, [] { return tr("Octets that were placed outside the marked time are faint."); }, this));
  all->addWidget(split, 1);
}

void BufferView::set_qp(const std::optional<live::QpView>& qp) {
  if (!qp) return;
  origin_ = qp->record.first_time;
  model_.follow(*qp);
}

void BufferView::set_findings(std::span<const live::FindingView> findings) {
  std::map<std::uint64_t, QString> frames;
  for (const live::FindingView& view : findings) {
    const findings::Rule& rule = findings::rule(view.finding.id);
    const QString text = tr("%1: %2").arg(severity_sign(rule.severity), QString::fromStdString(view.finding.text));
    frames.try_emplace(view.finding.frame.value, text);
    for (const FrameNumber frame : view.finding.frames) frames.try_emplace(frame.value, text);
  }
  canvas_->set_marked_frames(std::move(frames));
}

/// The first STag of which the map has something to show.
QModelIndex BufferView::first_with_map() const {
  for (int row = 0; row < sorted_.rowCount(); ++row) {
    const QModelIndex index = sorted_.index(row, 0);
    const Buffer* const buffer = model_.buffer(sorted_.mapToSource(index).row());
    if (buffer != nullptr && (buffer->begin != buffer->end || buffer->refused != 0)) return index;
  }
  return sorted_.index(0, 0);
}

/// Until the user chooses.
void BufferView::choose_first() {
  const QModelIndex first = first_with_map();
  if (has_chosen_ || !first.isValid() || first == table_->currentIndex().siblingAtColumn(0)) return;
  table_->setCurrentIndex(first);
  has_chosen_ = false;
}

void BufferView::choose() {
  choose_first();
  const QModelIndex current = table_->currentIndex();
  const int row = current.isValid() ? sorted_.mapToSource(current).row() : -1;
  const Buffer* const buffer = row < 0 ? nullptr : model_.buffer(row);
  if (buffer == nullptr) {
    shown_.reset();
    canvas_->clear();
    details_->clear();
    return;
  }
  const StreamEnd* const end = model_.map().end_of(model_.key(row).owner);
  canvas_->show_buffer(model_.key(row), *buffer, end, origin_, shown_ == model_.key(row));
  shown_ = model_.key(row);
  tell_refused(*buffer, end);
  if (buffer->left_out_octets == 0 && buffer->incomplete == 0) return;
  details_->setText(tr("Not in the map: %Ln octet(s), to limit memory;", nullptr, plural(buffer->left_out_octets)) +
                    QLatin1Char(' ') +
                    tr("%Ln message(s) that were not captured completely.", nullptr, plural(buffer->incomplete)));
}

void BufferView::tell_refused(const Buffer& buffer, const StreamEnd* end) {
  refused_->setVisible(buffer.refused != 0 && end != nullptr);
  if (buffer.refusals.empty() || end == nullptr) return;
  const Refusal& first = buffer.refusals.front();
  refused_->setText(tr("✗ %Ln message(s) to this STag were refused: frame %1. %2", nullptr, plural(buffer.refused))
                        .arg(first.by.first_frame.value)
                        .arg(refusal_text(*end, first.by.index)));
}

void BufferView::look_at(const Placement& message) {
  selection_.look_at({.qp = store_.qp(),
                      .frame = message.first_frame,
                      .time = message.time,
                      .direction = message.direction,
                      .message = message.index});
}

}  // namespace iwarpscope::gui
