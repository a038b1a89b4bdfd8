#include "views/latency_view.h"

#include <QHeaderView>
#include <QLabel>
#include <QTreeView>
#include <QVBoxLayout>

namespace iwarpscope::gui {

LatencyView::LatencyView(const MessageStore& store, Selection& selection, QWidget* parent)
    : QWidget(parent), selection_(selection), model_(store), head_(new QLabel(this)), list_(new QTreeView(this)) {
  setAccessibleName(tr("Slowest operations"));
  sorted_.setSourceModel(&model_);
  sorted_.setSortRole(SlowestModel::kSortRole);
  head_->setWordWrap(true);
  head_->setAccessibleName(tr("What the list shows"));
  list_->setModel(&sorted_);
  list_->setAccessibleName(tr("Slowest operations"));
  list_->setAccessibleDescription(tr("Enter looks at the request in every view."));
  list_->setRootIsDecorated(false);
  list_->setUniformRowHeights(true);
  list_->setAlternatingRowColors(true);
  list_->setSortingEnabled(true);
  list_->sortByColumn(SlowestModel::kLatency, Qt::DescendingOrder);
  list_->header()->setSectionResizeMode(QHeaderView::ResizeToContents);
  auto* const all = new QVBoxLayout(this);
  all->addWidget(head_);
  all->addWidget(list_, 1);
  connect(list_, &QTreeView::activated, this, &LatencyView::look_at);
  connect(&model_, &SlowestModel::modelReset, this, &LatencyView::tell);
  connect(&selection_, &Selection::range_changed, &model_, &SlowestModel::set_range);
  model_.set_range(selection.range());
  tell();
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
    head_->setText(tr("No RDMA Read or Atomic Operation with its response was seen."));
  } else if (model_.rowCount() == kept) {
    head_->setText(tr("The %n slowest RDMA Reads and Atomic Operations, measured at the tap.", nullptr, kept));
  } else {
    head_->setText(tr("%1 of the %n slowest began in the marked time.", nullptr, kept).arg(model_.rowCount()));
  }
}

}  // namespace iwarpscope::gui
