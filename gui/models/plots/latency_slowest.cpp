// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "models/plots/latency_slowest.h"

#include <QLocale>

#include <algorithm>
#include <array>
#include <tuple>

#include "models/plots/latency_counts.h"
#include "models/table_values.h"

namespace iwarpscope::gui {
namespace {

/// Slower first; of equal durations, the earlier one first.
bool is_slower(const SlowRequest& a, const SlowRequest& b) {
  return std::tuple(-a.last_octet_ns, a.placed.ns, a.direction, a.index) <
         std::tuple(-b.last_octet_ns, b.placed.ns, b.direction, b.index);
}

std::optional<SlowRequest> slow_request(const qp::MessageRecord& message) {
  const std::optional<qp::ResponseLink>* response = nullptr;
  std::uint64_t octets = 0;
  if (const auto* read = std::get_if<qp::ReadRequestDetail>(&message.detail)) {
    response = &read->response;
    octets = read->size;
  } else if (const auto* atomic = std::get_if<qp::AtomicRequestDetail>(&message.detail)) {
    response = &atomic->response;
    octets = 8;
  }
  if (!message.complete || response == nullptr || !*response) return std::nullopt;
  if ((*response)->last_octet_ns < 0) return std::nullopt;  // captured before its request: its latency is not known
  return SlowRequest{message.direction,
                     message.index,
                     message.opcode,
                     message.first_frame,
                     message.last_frame,
                     message.placed_time,
                     (*response)->first_octet_ns,
                     (*response)->last_octet_ns,
                     octets};
}

}  // namespace

SlowestModel::SlowestModel(const MessageStore& store, QObject* parent) : QAbstractTableModel(parent), store_(store) {
  connect(&store, &MessageStore::reset, this, &SlowestModel::clear);
  connect(&store, &MessageStore::passed, this, &SlowestModel::add);
}

void SlowestModel::set_origin(TimePoint origin) {
  if (origin.ns == origin_.ns) return;
  origin_ = origin;
  if (!rows_.empty()) emit dataChanged(index(0, kBegan), index(rowCount() - 1, kBegan));
}

void SlowestModel::set_range(const std::optional<TimeRange>& range) {
  range_ = range;
  choose();
}

Focus SlowestModel::focus(int row) const {
  const SlowRequest& request = at(row);
  return {.qp = store_.qp(),
          .frame = request.first_frame,
          .time = request.placed,
          .direction = request.direction,
          .message = request.index};
}

void SlowestModel::clear() {
  kept_.clear();
  choose();
}

void SlowestModel::add(const MessageRows& page) {
  bool is_new = false;
  for (const qp::MessageRecord& message : page.messages) {
    const std::optional<SlowRequest> request = slow_request(message);
    if (!request || (kept_.size() >= kMost && !is_slower(*request, kept_.front()))) continue;
    kept_.push_back(*request);
    std::push_heap(kept_.begin(), kept_.end(), is_slower);
    if (kept_.size() > kMost) {
      std::pop_heap(kept_.begin(), kept_.end(), is_slower);
      kept_.pop_back();
    }
    is_new = true;
  }
  if (is_new) choose();
}

void SlowestModel::choose() {
  std::vector<SlowRequest> rows;
  const auto is_in = [this](const SlowRequest& request) { return !range_ || range_->contains(request.placed); };
  std::copy_if(kept_.begin(), kept_.end(), std::back_inserter(rows), is_in);
  std::sort(rows.begin(), rows.end(), is_slower);
  beginResetModel();
  rows_ = std::move(rows);
  endResetModel();
}

int SlowestModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

int SlowestModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : kColumns;
}

QString SlowestModel::text(const SlowRequest& request, int column) const {
  const QLocale locale;
  switch (column) {
    case kOperation: return request.opcode == rdmap::Opcode::rdma_read_request ? tr("RDMA Read") : tr("Atomic");
    case kFrom: return request.direction == Direction::a_to_b ? tr("A") : tr("B");
    case kBegan: return since_text(elapsed_ns(origin_, request.placed));
    case kLatency: return duration_text(request.last_octet_ns);
    case kFirstOctet:
      return request.first_octet_ns < 0 ? tr("before the request") : duration_text(request.first_octet_ns);
    case kOctets: return locale.toString(static_cast<qulonglong>(request.octets));
    case kFrame: return QString::number(request.first_frame.value);
    default: return {};
  }
}

QVariant SlowestModel::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
  const SlowRequest& request = at(index.row());
  if (role == Qt::DisplayRole) return text(request, index.column());
  if (role == Qt::TextAlignmentRole) return alignment_of(index.column() >= kBegan);
  if (role == kValueRole && index.column() == kFrom) return request.direction == Direction::a_to_b ? "A" : "B";
  if (role == kValueRole && index.column() == kOperation) {
    return request.opcode == rdmap::Opcode::rdma_read_request ? "rdma_read" : "atomic";
  }
  if (role != kSortRole && role != kValueRole) return {};
  switch (index.column()) {
    case kBegan: return static_cast<qlonglong>(request.placed.ns);
    case kLatency: return static_cast<qlonglong>(request.last_octet_ns);
    case kFirstOctet: return static_cast<qlonglong>(request.first_octet_ns);
    case kOctets: return static_cast<qulonglong>(request.octets);
    case kFrame: return static_cast<qulonglong>(request.first_frame.value);
    default: return text(request, index.column());
  }
}

QVariant SlowestModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || section < 0 || section >= kColumns) return {};
  if (role == Qt::TextAlignmentRole) return alignment_of(section >= kBegan);
  if (role == kValueRole) {
    constexpr std::array kKeys{"operation",      "from",         "began_ns",   "last_octet_ns",
                               "first_octet_ns", "octets_asked", "first_frame"};
    return QString::fromLatin1(kKeys[static_cast<std::size_t>(section)]);
  }
  if (role == Qt::ToolTipRole) {
    const std::array<QString, kColumns> kTips{
        tr("The requested operation"),
        tr("The end that sent the request: A or B"),
        tr("Time since the first frame at which the request had passed the tap"),
        tr("Time from the request to the last octet of its response, at the tap"),
        tr("Time from the request to the first octet of its response, at the tap"),
        tr("Number of octets requested"),
        tr("Frame of the request")};
    return kTips[static_cast<std::size_t>(section)];
  }
  if (role != Qt::DisplayRole) return {};
  const std::array<QString, kColumns> kNames{tr("Operation"),   tr("From"),   tr("Began"), tr("Latency"),
                                             tr("First octet"), tr("Octets"), tr("Frame")};
  return kNames[static_cast<std::size_t>(section)];
}

}  // namespace iwarpscope::gui
