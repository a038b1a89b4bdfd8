// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "session/session.h"

#include <algorithm>

namespace iwarpscope::plugin {
namespace {

analysis::Options analyzer_options(const SessionOptions& options) {
  analysis::Options o;
  o.atomic_results = true;
  o.emulation = options.emulation;
  return o;
}

}  // namespace

Session::Session(const SessionOptions& options)
    : options_(options), store_(options.keep_octets), analyzer_(analyzer_options(options), *this, this) {}
Session::~Session() = default;

void Session::feed(const net::Frame& frame) {
  if (finished_) return;
  const auto number = static_cast<Frame>(frame.number.value);
  if (number == last_) forget_last();
  last_ = number;
  octets_available_ = frame.octets;
  available_ = kNone;
  analyzer_.feed(frame);
  octets_available_ = {};
}

/// A read filter rejected the frame fed last: the next frame gets its number.
void Session::forget_last() {
  late_.erase(last_);
  if (frames_.empty() || frames_.back().number != last_) return;
  items_.resize(frames_.back().first_item);
  frames_.pop_back();
}

void Session::finish() {
  if (finished_) return;
  finished_ = true;
  analyzer_.finish({});
}

void Session::none_took(std::uint32_t connection, Direction direction, std::uint32_t message) {
  MessageEntry& entry = connections_[connection]->halves[index(direction)].messages[message];
  if (entry.octets.size <= options_.largest_untaken) return;
  store_.give_back(entry.octets);
  entry.octets = {};
}

FrameView Session::frame(Frame number) const {
  FrameView view;
  if (const FrameEntry* entry = find(number)) {
    view.items = std::span(items_).subspan(entry->first_item, entry->items);
    const Connection* owner = entry->payload.connection != kNone ? connection(entry->payload.connection) : nullptr;
    if (owner != nullptr && owner->qp) view.payload = &entry->payload;
    if (entry->chunks != 0 && chunks_.is_ddp(chunks_.at(entry->first_chunk))) {
      view.first_chunk = entry->first_chunk;
      view.chunks = entry->chunks;
    }
  }
  if (const auto it = late_.find(number); it != late_.end()) view.late = it->second;
  return view;
}

const Connection* Session::queue_pair_of(Frame number) const {
  const FrameView view = frame(number);
  if (view.payload != nullptr) return connection(view.payload->connection);
  for (std::uint32_t i = view.first_chunk; i < view.first_chunk + view.chunks; ++i) {
    if (chunk(i).connection != kNone) return connection(chunk(i).connection);
  }
  return nullptr;
}

bool Session::carries_ddp(Frame number) const {
  return frame(number).chunks != 0;
}

Frame Session::shown_in(const ChunkEntry& chunk) const {
  const ChunkEntry& part = chunk.repeats != kNone ? chunks_.at(chunk.repeats) : chunk;
  const Connection* const owner = part.connection != kNone ? connection(part.connection) : nullptr;
  if (owner == nullptr) return 0;
  return part.is_control ? owner->startup[part.index].control->shown
                         : owner->half(part.direction).fpdus[part.index].shown;
}

bool Session::is_followed(Frame number) const {
  const FrameEntry* const entry = find(number);
  return entry != nullptr && entry->payload.connection != kNone && connection(entry->payload.connection) != nullptr;
}

const Connection* Session::queue_pair(std::uint64_t number) const {
  return number < by_number_.size() ? connection(by_number_[number]) : nullptr;
}

const qp::QpRecord* Session::record(std::uint64_t number) const {
  return number < records_.size() ? &records_[number] : nullptr;
}

analysis::Watcher* Session::follow(const qp::Beginning& beginning) {
  connections_.push_back(
      std::make_unique<Connection>(*this, static_cast<std::uint32_t>(connections_.size()), beginning));
  return connections_.back().get();
}

analysis::Watcher* Session::follow(std::uint64_t association, const sctp::SessionStart& start) {
  const std::uint32_t known = chunks_.association(association);
  chunks_.carries_ddp(known);
  connections_.push_back(
      std::make_unique<Connection>(*this, static_cast<std::uint32_t>(connections_.size()), known, start));
  return connections_.back().get();
}

void Session::data(std::uint64_t association, const sctp::DataSeen& chunk) {
  FrameEntry& entry = current_entry();
  if (entry.chunks == 0) entry.first_chunk = chunks_.size();
  ++entry.chunks;
  chunks_.add(chunks_.association(association), chunk, last_, place_in_frame(chunk.user_data));
}

void Session::numbered(analysis::QpPlace place, std::uint64_t number) {
  const std::uint32_t id = places_.at({place.shard, place.index});
  by_number_.push_back(id);
  connections_[id]->qp = number;
}

void Session::message(const qp::MessageRecord& record) {
  if (record.qp < by_number_.size()) connections_[by_number_[record.qp]]->complete(record);
}

void Session::finding(const findings::Finding& finding) {
  findings_.push_back(finding);
  show({Item::Kind::finding, {}, 0, static_cast<std::uint32_t>(findings_.size() - 1)}, finding.frame);
}

void Session::qp(const qp::QpRecord& record) {
  records_.push_back(record);
}

void Session::payload(const Connection& connection, Direction d, const net::TcpPacket& packet,
                      std::optional<StreamOffset> offset) {
  PayloadEntry& entry = entry_of(static_cast<Frame>(packet.frame.value)).payload;
  const bool known = entry.connection == connection.id;
  entry.connection = connection.id;
  entry.direction = d;
  entry.has_offset = offset.has_value();
  entry.offset = offset.value_or(StreamOffset{});
  if (known) return;
  entry.at = place_in_frame(packet.payload);
  entry.size = static_cast<std::uint32_t>(packet.payload.size());
}

Frame Session::show(const Item& item, FrameNumber frame) {
  const auto number = static_cast<Frame>(frame.value);
  if (finished_ || (number != last_ && number != 0)) {
    late_[number].push_back(item);
    return number;
  }
  ++current_entry().items;
  items_.push_back(item);
  return last_;
}

std::uint32_t Session::place_in_frame(Octets octets) const noexcept {
  const std::less_equal<> not_above;
  if (octets.empty() || octets_available_.empty()) return kNone;
  const std::byte* const from = octets_available_.data();
  if (!not_above(from, octets.data()) || !not_above(octets.data() + octets.size(), from + octets_available_.size())) {
    return kNone;
  }
  return static_cast<std::uint32_t>(octets.data() - from);
}

Session::FrameEntry& Session::current_entry() {
  if (frames_.empty() || frames_.back().number != last_) {
    frames_.push_back({last_, static_cast<std::uint32_t>(items_.size()), 0, chunks_.size(), 0, {}});
  }
  return frames_.back();
}

/// Also for an earlier frame whose TCP segment was held back until now.
Session::FrameEntry& Session::entry_of(Frame number) {
  if (number == last_) return current_entry();
  const auto it = std::lower_bound(frames_.begin(), frames_.end(), number,
                                   [](const FrameEntry& e, Frame n) { return e.number < n; });
  if (it != frames_.end() && it->number == number) return *it;
  const bool last = it == frames_.end();
  const auto items = last ? static_cast<std::uint32_t>(items_.size()) : it->first_item;
  return *frames_.insert(it, {number, items, 0, last ? chunks_.size() : it->first_chunk, 0, {}});
}

const Session::FrameEntry* Session::find(Frame number) const {
  if (!frames_.empty() && frames_.back().number == number) return &frames_.back();
  const auto it = std::lower_bound(frames_.begin(), frames_.end(), number,
                                   [](const FrameEntry& e, Frame n) { return e.number < n; });
  return it != frames_.end() && it->number == number ? &*it : nullptr;
}

}  // namespace iwarpscope::plugin
