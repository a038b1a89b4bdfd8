// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "models/buffers/buffer_model.h"

#include <QLocale>

#include <algorithm>
#include <array>
#include <chrono>

#include "models/table_values.h"
#include "models/words.h"

namespace iwarpscope::gui {

struct BufferModel::Facts {
  FrameNumber first_frame, announced, invalidated;  ///< 0: none
  bool written = false, read = false, atomic = false, sink = false;
  std::uint64_t begin = 0, end = 0;
};

namespace {

bool is_number_of_buffer(int column) {
  return (column >= BufferModel::kFirstFrame && column <= BufferModel::kInvalidated) ||
         (column >= BufferModel::kPlaced && column <= BufferModel::kRefused);
}

FrameNumber earlier(FrameNumber a, FrameNumber b) {
  if (a.value == 0 || b.value == 0) return a.value == 0 ? b : a;
  return std::min(a, b);
}

QString frame_text(FrameNumber frame) {
  return frame.value == 0 ? QString() : QString::number(frame.value);
}

}  // namespace

BufferModel::BufferModel(const MessageStore& store, QObject* parent) : QAbstractTableModel(parent) {
  timer_.setSingleShot(true);
  timer_.setInterval(std::chrono::milliseconds{100});
  connect(&timer_, &QTimer::timeout, this, &BufferModel::update);
  connect(&store, &MessageStore::reset, this, &BufferModel::clear);
  connect(&store, &MessageStore::passed, this, &BufferModel::add);
}

void BufferModel::clear() {
  beginResetModel();
  map_ = BufferMap{};
  uses_.clear();
  rows_.clear();
  endResetModel();
}

void BufferModel::add(const MessageRows& page) {
  map_.add(page.messages);
  if (!timer_.isActive()) timer_.start();
}

void BufferModel::follow(const live::QpView& qp) {
  for (const qp::StagUse& use : qp.record.stags) {
    uses_.insert_or_assign(BufferKey{use.owner, use.stag}, use);
  }
  if (!timer_.isActive()) timer_.start();
}

void BufferModel::update() {
  if (!rows_.empty()) emit dataChanged(index(0, 0), index(rowCount() - 1, kColumns - 1));
  for (const auto& [key, buffer] : map_.buffers()) insert(key);
  for (const auto& [key, use] : uses_) insert(key);
}

void BufferModel::insert(const BufferKey& key) {
  const auto at = std::lower_bound(rows_.begin(), rows_.end(), key);
  if (at != rows_.end() && *at == key) return;
  const int row = static_cast<int>(at - rows_.begin());
  beginInsertRows({}, row, row);
  rows_.insert(at, key);
  endInsertRows();
}

const Buffer* BufferModel::buffer(int row) const {
  const auto at = map_.buffers().find(key(row));
  return at == map_.buffers().end() ? nullptr : &at->second;
}

BufferModel::Facts BufferModel::facts(const BufferKey& key) const {
  Facts out;
  if (const auto use = uses_.find(key); use != uses_.end()) {
    const qp::StagUse& u = use->second;
    out = {u.first_frame,
           u.announced_frame.value_or(FrameNumber{}),
           u.invalidated_frame.value_or(FrameNumber{}),
           u.written,
           u.read,
           u.atomic,
           u.read_sink,
           u.begin,
           u.end};
  }
  const auto seen = map_.buffers().find(key);
  if (seen == map_.buffers().end()) return out;
  const Buffer& buffer = seen->second;
  out.first_frame = earlier(out.first_frame, buffer.first_frame);
  if (!buffer.invalidations.empty()) out.invalidated = earlier(out.invalidated, buffer.invalidations.front().frame);
  out.written |= buffer.writes != 0;
  out.read |= buffer.read_requests != 0;
  out.atomic |= buffer.atomics != 0;
  out.sink |= buffer.sinks != 0 || buffer.read_responses != 0;
  if (buffer.begin != buffer.end) {
    out.begin = out.begin == out.end ? buffer.begin : std::min(out.begin, buffer.begin);
    out.end = std::max(out.end, buffer.end);
  }
  return out;
}

int BufferModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

int BufferModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : kColumns;
}

QString BufferModel::text(const BufferKey& key, int column) const {
  const QLocale locale;
  const Facts known = facts(key);
  const auto seen = map_.buffers().find(key);
  const Buffer none;
  const Buffer& buffer = seen == map_.buffers().end() ? none : seen->second;
  const auto number = [&](std::uint64_t value) { return locale.toString(static_cast<qulonglong>(value)); };
  switch (column) {
    case kStag: return stag_text(key.stag);
    case kOwner: return key.owner == Direction::a_to_b ? tr("B") : tr("A");
    case kFirstFrame: return frame_text(known.first_frame);
    case kAnnounced: return frame_text(known.announced);
    case kInvalidated: return frame_text(known.invalidated);
    case kRights: {
      QStringList rights;
      if (known.written) rights << tr("write");
      if (known.read) rights << tr("read");
      if (known.atomic) rights << tr("atomic");
      if (known.sink) rights << tr("read sink");
      return locale.createSeparatedList(rights);
    }
    case kRange:
      return known.begin == known.end ? QString() : tr("%1 to %2").arg(word_text(known.begin), word_text(known.end));
    case kPlaced: return number(buffer.placed_octets);
    case kRewritten: return number(buffer.rewritten_octets);
    case kRefused: return buffer.refused == 0 ? QString() : tr("✗ %1").arg(number(buffer.refused));
    case kUsers: {
      QStringList users;
      if (buffer.writes != 0) users << tr("%Ln Write(s)", nullptr, plural(buffer.writes));
      if (buffer.read_responses != 0) users << tr("%Ln Read Response(s)", nullptr, plural(buffer.read_responses));
      if (buffer.read_requests != 0) users << tr("%Ln Read Request(s)", nullptr, plural(buffer.read_requests));
      if (buffer.atomics != 0) users << tr("%Ln Atomic(s)", nullptr, plural(buffer.atomics));
      return locale.createSeparatedList(users);
    }
    default: return {};
  }
}

QVariant BufferModel::sort_value(const BufferKey& key, int column) const {
  const auto seen = map_.buffers().find(key);
  const bool is_seen = seen != map_.buffers().end();
  switch (column) {
    case kFirstFrame: return static_cast<qulonglong>(facts(key).first_frame.value);
    case kAnnounced: return static_cast<qulonglong>(facts(key).announced.value);
    case kInvalidated: return static_cast<qulonglong>(facts(key).invalidated.value);
    case kPlaced: return static_cast<qulonglong>(is_seen ? seen->second.placed_octets : 0);
    case kRewritten: return static_cast<qulonglong>(is_seen ? seen->second.rewritten_octets : 0);
    case kRefused: return static_cast<qulonglong>(is_seen ? seen->second.refused : 0);
    default: return text(key, column);
  }
}

QVariant BufferModel::value(const BufferKey& key, int column) const {
  const auto frame = [](FrameNumber f) {
    return f.value == 0 ? QVariant() : QVariant(static_cast<qulonglong>(f.value));
  };
  switch (column) {
    case kFirstFrame: return frame(facts(key).first_frame);
    case kAnnounced: return frame(facts(key).announced);
    case kInvalidated: return frame(facts(key).invalidated);
    default: return sort_value(key, column);
  }
}

QVariant BufferModel::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
  if (role == Qt::DisplayRole) return text(key(index.row()), index.column());
  if (role == kSortRole) return sort_value(key(index.row()), index.column());
  if (role == kValueRole) return value(key(index.row()), index.column());
  return role == Qt::TextAlignmentRole ? alignment_of(is_number_of_buffer(index.column())) : QVariant();
}

QVariant BufferModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || section < 0 || section >= kColumns) return {};
  if (role == Qt::TextAlignmentRole) return alignment_of(is_number_of_buffer(section));
  struct Head {
    QString name, tip;
  };
  const std::array<Head, kColumns> heads{{
      {tr("STag"), tr("Steering Tag (RFC 5041 §4.2)")},
      {tr("Owner"), tr("The end whose memory the STag names")},
      {tr("First frame"), tr("The first frame that names it")},
      {tr("Announced"), tr("The frame in which the owner advertised the STag to the other end")},
      {tr("Invalidated"), tr("The frame after which the STag must not be used (RFC 5040 §5.3)")},
      {tr("Rights seen"), tr("Types of access that were seen")},
      {tr("Tagged Offsets"), tr("From the lowest accessed octet to the first one after the highest")},
      {tr("Octets placed"), tr("Octets placed by RDMA Writes and RDMA Read Responses that were captured completely")},
      {tr("Rewritten"), tr("Octets overwritten before the owner was notified of the previous data by a Send or by "
                           "another message than a Write")},
      {tr("Refused"),
       tr("RDMA Writes and RDMA Read Responses that the owner refused: it ended the stream with a Terminate")},
      {tr("Used by"), tr("Messages that name it")},
  }};
  const Head& head = heads[static_cast<std::size_t>(section)];
  constexpr std::array kKeys{"stag",   "owner",          "first_frame",   "announced_frame",  "invalidated_frame",
                             "rights", "tagged_offsets", "placed_octets", "rewritten_octets", "refused_messages",
                             "used_by"};
  if (role == kValueRole) return QString::fromLatin1(kKeys[static_cast<std::size_t>(section)]);
  if (role == Qt::DisplayRole) return head.name;
  return role == Qt::ToolTipRole ? QVariant(head.tip) : QVariant();
}

}  // namespace iwarpscope::gui
