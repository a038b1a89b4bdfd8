// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "views/plots/latency_view.h"

#include <QHeaderView>
#include <QLabel>
#include <QSplitter>
#include <QTreeView>
#include <QVBoxLayout>

#include "views/headings.h"
#include "views/table_actions.h"

namespace iwarpscope::gui {

LatencyView::LatencyView(const MessageStore& store, Selection& selection, QWidget* parent)
    : QWidget(parent),
      selection_(selection),
      model_(store),
      timeline_(store),
      head_(new QLabel(this)),
      list_(new QTreeView(this)),
      histogram_(new LatencyHistogram(this)),
      values_(new QLabel(this)) {
  setAccessibleName(tr("Latency"));
  setWhatsThis(
      tr("Shows the latency of RDMA Reads and Atomic Operations, from the request to the last octet of its response, "
         "measured at the tap. The left side shows the distribution and three percentiles, the right side the slowest "
         "operations. If a time span is marked in the timeline, both show only this span. Enter shows a request in all "
         "other views."));
  sorted_.setSourceModel(&model_);
  sorted_.setSortRole(SlowestModel::kSortRole);
  head_->setWordWrap(true);
  head_->setAccessibleDescription(tr("Contents of the list"));
  list_->setModel(&sorted_);
  list_->setAccessibleName(tr("Slowest operations"));
  list_->setAccessibleDescription(tr("Enter shows the request in all views."));
  list_->setRootIsDecorated(false);
  list_->setUniformRowHeights(true);
  list_->setAlternatingRowColors(true);
  list_->setSortingEnabled(true);
  list_->sortByColumn(SlowestModel::kLatency, Qt::DescendingOrder);
  list_->header()->setSectionResizeMode(QHeaderView::ResizeToContents);
  new TableActions(*list_, QStringLiteral("slowest-requests"));
  values_->setAccessibleDescription(tr("Counts at the cursor"));
  values_->setText(tr("Point at the histogram, or use Left and Right, to see the counts."));
  for (QLabel* label : {head_, values_}) keep_from_edge(*label);
  auto* const left = new QWidget(this);
  auto* const plot = new QVBoxLayout(left);
  plot->setContentsMargins(0, 0, 0, 0);
  plot->addWidget(histogram_, 1);
  plot->addWidget(values_);
  auto* const right = new QWidget(this);
  auto* const table = new QVBoxLayout(right);
  table->setContentsMargins(0, 0, 0, 0);
  table->addWidget(head_);
  table->addWidget(list_, 1);
  auto* const split = new QSplitter(Qt::Horizontal, this);
  split->addWidget(left);
  split->addWidget(right);
  split->setChildrenCollapsible(false);
  split->setSizes({1000, 1000});  // the list has columns; else the plot has the most
  auto* const all = new QVBoxLayout(this);
  all->setContentsMargins(0, 0, 0, 0);
  all->addWidget(split);
  setFocusProxy(list_);
  connect(histogram_, &LatencyHistogram::pointed, values_, &QLabel::setText);
  connect(&timeline_, &TimelineModel::changed, this, &LatencyView::draw);
  connect(&selection_, &Selection::range_changed, this, &LatencyView::draw);
  connect(list_, &QTreeView::activated, this, &LatencyView::look_at);
  connect(&model_, &SlowestModel::modelReset, this, &LatencyView::tell);
  connect(&selection_, &Selection::range_changed, &model_, &SlowestModel::set_range);
  model_.set_range(selection.range());
  tell();
}

void LatencyView::draw() {
  histogram_->show_counts(timeline_.data().sum(selection_.range()).latency);
}

void LatencyView::set_qp(const std::optional<live::QpView>& qp) {
  if (qp) model_.set_origin(qp->record.first_time);
}

void LatencyView::look_at(const QModelIndex& index) {
  if (index.isValid()) selection_.look_at(model_.focus(sorted_.mapToSource(index).row()));
}

void LatencyView::tell() {
  const auto kept = static_cast<int>(model_.kept());
  if (kept == 0) {
    head_->setText(tr("No RDMA Read or Atomic Operation with a response was seen."));
  } else if (model_.rowCount() == kept) {
    head_->setText(tr("The %n slowest RDMA Reads and Atomic Operations, measured at the tap.", nullptr, kept));
  } else {
    head_->setText(tr("%1 of the %n slowest began in the marked time.", nullptr, kept).arg(model_.rowCount()));
  }
}

}  // namespace iwarpscope::gui
