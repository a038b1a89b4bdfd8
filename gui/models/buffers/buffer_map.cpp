// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "models/buffers/buffer_map.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <variant>

namespace iwarpscope::gui {

const Extent* Buffer::at(std::uint64_t to) const {
  const auto behind = extents.upper_bound(to);
  if (behind == extents.begin()) return nullptr;
  const Extent& extent = std::prev(behind)->second;
  return to < extent.end ? &extent : nullptr;
}

std::vector<Extent> Buffer::place(std::uint64_t from, std::uint64_t to, const Placement& by, std::uint64_t turn) {
  std::vector<Extent> before;
  if (from >= to) return before;
  begin = begin == end ? from : std::min(begin, from);
  end = std::max(end, to);
  placed_octets += to - from;
  cut(from, to);
  // Pieces of the new message: those that overwrite data of which the owner was not notified, and the others.
  std::vector<Extent> pieces;
  const bool is_after = !invalidations.empty();
  const auto push = [&](std::uint64_t first, std::uint64_t last, bool rewritten) {
    if (first == last) return;
    if (!pieces.empty() && pieces.back().rewritten == rewritten) {
      pieces.back().end = last;
    } else {
      pieces.push_back({first, last, by, 1, rewritten, is_after, turn});
    }
  };
  std::uint64_t next = from;
  auto old = extents.lower_bound(from);
  while (old != extents.end() && old->first < to) {
    push(next, old->second.begin, false);
    const bool rewritten = old->second.turn == turn && !old->second.refused;
    if (rewritten) rewritten_octets += old->second.end - old->second.begin;
    before.push_back(old->second);
    push(old->second.begin, old->second.end, rewritten);
    next = old->second.end;
    old = extents.erase(old);
  }
  push(next, to, false);
  for (const Extent& piece : pieces) extents.emplace(piece.begin, piece);
  if (extents.size() > kMostExtents) crowd();
  return before;
}

void Buffer::refuse(std::uint64_t from, std::uint64_t to, const Placement& by) {
  ++refused;
  if (refusals.size() < kMostRefusals) refusals.push_back({by, from, to});
  if (from >= to) return;
  begin = begin == end ? from : std::min(begin, from);
  end = std::max(end, to);
  std::uint64_t next = from;
  const auto fill = [&](std::uint64_t until) {
    if (next < until) extents.emplace(next, Extent{.begin = next, .end = until, .last = by, .refused = true});
  };
  auto old = extents.lower_bound(from);
  if (old != extents.begin()) next = std::max(next, std::prev(old)->second.end);
  for (; old != extents.end() && old->first < to; ++old) {
    fill(old->first);
    next = old->second.end;
  }
  fill(to);
  if (extents.size() > kMostExtents) crowd();
}

void Buffer::take_back(std::uint64_t from, std::uint64_t to, const Placement& by, const std::vector<Extent>& before) {
  cut(from, to);
  const auto first = extents.lower_bound(from);
  auto last = first;
  for (; last != extents.end() && last->first < to; ++last) {
    const std::uint64_t again = last->second.rewritten ? last->second.end - last->second.begin : 0;
    rewritten_octets -= std::min(rewritten_octets, again);
  }
  extents.erase(first, last);
  placed_octets -= to - from;
  for (const Extent& extent : before) extents.emplace(extent.begin, extent);
  refuse(from, to, by);
}

/// Afterwards no extent crosses `from` or `to`.
void Buffer::cut(std::uint64_t from, std::uint64_t to) {
  for (const std::uint64_t place : {from, to}) {
    const auto behind = extents.lower_bound(place);
    if (behind == extents.begin()) continue;
    Extent& extent = std::prev(behind)->second;
    if (extent.end <= place) continue;
    Extent rest = extent;
    rest.begin = place;
    extent.end = place;
    extents.emplace_hint(behind, place, rest);
  }
}

/// Merges neighbours. If this frees too little room, drops the extents with the highest addresses.
void Buffer::crowd() {
  std::map<std::uint64_t, Extent> fewer;
  Extent* last = nullptr;
  bool is_open = false;  // `last` can grow by one more
  for (const auto& [at, extent] : extents) {
    if (is_open && last->end == extent.begin && last->refused == extent.refused) {
      const bool is_later = last->last.time.ns <= extent.last.time.ns;
      if (is_later) last->last = extent.last;
      last->end = extent.end;
      last->messages += extent.messages;
      last->rewritten |= extent.rewritten;
      last->after_invalidation |= extent.after_invalidation;
      last->turn = std::min(last->turn, extent.turn);  // if a part was notified, overwriting is not reported
      is_open = false;
      continue;
    }
    last = &fewer.emplace_hint(fewer.end(), at, extent)->second;
    is_open = true;
  }
  extents = std::move(fewer);
  while (extents.size() > kMostExtents / 4 * 3) {
    const auto highest = std::prev(extents.end());
    left_out_octets += highest->second.end - highest->second.begin;
    extents.erase(highest);
  }
}

void BufferMap::add(std::span<const qp::MessageRecord> messages) {
  for (const qp::MessageRecord& message : messages) add(message);
}

void BufferMap::add(const qp::MessageRecord& message) {
  if (auto end = stream_end_of(message)) end_stream(end->first, std::move(end->second));
  if (message.tagged) add_tagged(message);
  if (const auto* read = std::get_if<qp::ReadRequestDetail>(&message.detail)) {
    if (Buffer* const source = buffer({message.direction, read->source_stag}, message.first_frame)) {
      ++source->read_requests;
    }
    if (Buffer* const sink = buffer({opposite(message.direction), read->sink_stag}, message.first_frame)) ++sink->sinks;
  } else if (const auto* atomic = std::get_if<qp::AtomicRequestDetail>(&message.detail)) {
    if (Buffer* const word = buffer({message.direction, atomic->remote_stag}, message.first_frame)) ++word->atomics;
  }
  if (message.invalidate_stag) {
    Buffer* const buffer_of = buffer({message.direction, *message.invalidate_stag}, message.first_frame);
    if (buffer_of != nullptr && buffer_of->invalidations.size() < Buffer::kMostInvalidations) {
      const TimePoint time = message.complete ? message.delivered_time : message.first_time;
      buffer_of->invalidations.push_back({message.last_frame, time, message.index});
    }
  }
  // Each of these can notify the upper layer of the contents of its memory. A message that was captured incompletely
  // may have done so, too.
  if (message.opcode != rdmap::Opcode::rdma_write) ++turns_[index(message.direction)];
}

void BufferMap::add_tagged(const qp::MessageRecord& message) {
  Buffer* const at = buffer({message.direction, message.stag}, message.first_frame);
  if (at == nullptr) return;
  const bool is_response = message.opcode == rdmap::Opcode::rdma_read_response;
  ++(is_response ? at->read_responses : at->writes);
  if (!message.complete) {
    ++at->incomplete;
    return;
  }
  // The last octet of the address space has no following offset, and is left out.
  const std::uint64_t room = std::numeric_limits<std::uint64_t>::max() - message.to.value;
  const std::uint64_t end = message.to.value + std::min(room, message.length);
  const Placement by{message.direction, message.index, message.opcode, message.first_frame, message.placed_time};
  const std::size_t d = index(message.direction);
  if (ends_[d] && ends_[d]->refuses(message.index, message.first_frame)) {
    at->refuse(message.to.value, end, by);
    return;
  }
  placed_[d].push_back(
      {{message.direction, message.stag}, by, message.to.value, end, at->place(message.to.value, end, by, turns_[d])});
  if (placed_[d].size() > kMostTakenBack) placed_[d].pop_front();
}

/// Messages that were placed before the Terminate was seen and that it refuses are undone, the latest first.
void BufferMap::end_stream(Direction direction, StreamEnd end) {
  const std::size_t d = index(direction);
  if (ends_[d]) return;
  ends_[d] = std::move(end);
  std::deque<Placed>& placed = placed_[d];
  // After a message that stays, the earlier ones cannot be distinguished any more.
  while (!placed.empty() && ends_[d]->refuses(placed.back().by.index, placed.back().by.first_frame)) {
    const Placed& one = placed.back();
    buffers_.at(one.key).take_back(one.begin, one.end, one.by, one.before);
    placed.pop_back();
  }
  placed.clear();
}

Buffer* BufferMap::buffer(const BufferKey& key, FrameNumber frame) {
  const auto known = buffers_.find(key);
  if (known != buffers_.end()) return &known->second;
  if (buffers_.size() >= kMostBuffers) {
    ++left_out_;
    return nullptr;
  }
  Buffer& fresh = buffers_[key];
  fresh.first_frame = frame;
  return &fresh;
}

}  // namespace iwarpscope::gui
