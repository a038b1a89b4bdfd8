// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "models/ladder/ladder_index.h"

#include <algorithm>
#include <bit>
#include <numeric>

namespace iwarpscope::gui {
namespace {

LadderIndex::Key key(std::uint64_t first_frame, std::uint64_t index) {
  return {.first_frame = first_frame, .index = static_cast<std::uint32_t>(index)};
}

}  // namespace

void LadderIndex::clear() {
  const std::uint64_t generation = generation_ + 1;
  *this = LadderIndex();
  generation_ = generation;
}

void LadderIndex::add(const MessageRows& page) {
  if (page.from > messages_end()) {  // messages in between were discarded before they arrived
    std::vector<LadderLife> life = std::move(life_);
    clear();
    set_life(std::move(life));
  }
  if (messages_end() == begin_) {
    begin_ = page.from;
    first_bin_ = page.from / kBin;
  }
  const std::uint64_t known = messages_end() - page.from;
  for (std::uint64_t i = known; i < page.messages.size(); ++i) add(page.from + i, page.messages[i]);
  if (messages_end() - begin_ > kMost) forget_before(messages_end() - kMost);
}

void LadderIndex::set_life(std::vector<LadderLife> life) {
  if (life == life_) return;
  std::erase_if(rows_, [](const Row& row) { return row.is_life(); });
  life_ = std::move(life);
  put_life();
}

void LadderIndex::put_life() {
  for (std::size_t i = 0; i < life_.size(); ++i) {
    const Row fresh{.first_frame = life_[i].frame.value,
                    .place = kLife | (life_[i].is_last() ? kAfter : 0),
                    .index = static_cast<std::uint32_t>(i)};
    rows_.insert(std::upper_bound(rows_.begin(), rows_.end(), fresh.key(),
                                  [](const Key& one, const Row& row) { return one < row.key(); }),
                 fresh);
  }
  ++generation_;
}

const LadderLife* LadderIndex::life_at(std::uint64_t row) const {
  if (row < begin_ || row >= end()) return nullptr;
  const Row& at = rows_[row - begin_];
  return at.is_life() ? &life_[at.index] : nullptr;
}

void LadderIndex::add(std::uint64_t place, const qp::MessageRecord& message) {
  const Key wanted = key(message.first_frame.value, message.index);
  Row fresh{.first_frame = wanted.first_frame, .place = place, .index = wanted.index};
  const std::uint64_t frames = std::max(message.last_frame, message.first_frame).value - message.first_frame.value;
  fresh.frames = static_cast<std::uint32_t>(std::min<std::uint64_t>(frames, std::numeric_limits<std::uint32_t>::max()));
  const auto behind = std::upper_bound(rows_.begin(), rows_.end(), wanted,
                                       [](const Key& one, const Row& row) { return one < row.key(); });
  const std::uint64_t row = begin_ + static_cast<std::uint64_t>(behind - rows_.begin());
  if (behind != rows_.end()) ++generation_;
  rows_.insert(behind, fresh);
  while (row / kBin >= first_bin_ + bins_.size()) bins_.emplace_back();
  Bin& bin = bins_[row / kBin - first_bin_];
  const std::size_t d = index(message.direction);
  ++bin.messages[d];
  bin.octets[d] += message.length;
  if (!message.complete) ++bin.incomplete;
  bin.from = std::min(bin.from, message.first_time);
  bin.to = std::max({bin.to, message.first_time, message.delivered_time});
  note_frame(of_[d], message);
  note_distance(message);
  if (auto end = stream_end_of(message)) {
    std::optional<StreamEnd>& known = ends_[index(end->first)];
    if (!known) known = std::move(end->second);
  }
}

void LadderIndex::note_frame(Of& of, const qp::MessageRecord& message) {
  const std::uint64_t number = message.index;
  if (of.frames.empty()) of.first = number;
  // Messages can be decided in another order than they began, but the distance is small.
  while (number < of.first && of.frames.size() < kMost && of.first - number < kBin * kBin) {
    of.frames.push_front(kNone);
    --of.first;
  }
  if (number < of.first) return;
  const std::uint64_t within = number - of.first;
  if (within >= kMost + kBin * kBin) return;  // a trustworthy daemon does not send such counts
  if (within >= of.frames.size()) of.frames.resize(within + 1, kNone);
  of.frames[within] = message.first_frame.value;
}

/// In the order in which they were decided: a message decided late counts as distance 0.
void LadderIndex::note_distance(const qp::MessageRecord& message) {
  const TimePoint last = std::max({message.first_time, message.placed_time, message.delivered_time});
  if (latest_) {
    const std::int64_t distance = std::max<std::int64_t>(0, elapsed_ns(*latest_, message.first_time));
    ++distances_[static_cast<std::size_t>(std::bit_width(static_cast<std::uint64_t>(distance)))];
  }
  latest_ = std::max(latest_.value_or(last), last);
}

std::int64_t LadderIndex::usual_distance_ns() const noexcept {
  constexpr std::uint64_t kLeast = 2, kOneOf = 8;
  const auto all = std::accumulate(distances_.begin(), distances_.end(), std::uint64_t{0});
  std::uint64_t longer = 0;
  for (std::size_t width = distances_.size() - 1; width > 0; --width) {
    longer += distances_[width];
    if (longer > std::max(kLeast, all / kOneOf)) return std::int64_t{1} << std::min<std::size_t>(width, 61);
  }
  return 0;
}

void LadderIndex::forget_before(std::uint64_t place) {
  if (place <= begin_) return;
  const std::size_t before = rows_.size();
  std::erase_if(rows_, [place](const Row& row) { return row.place < place; });
  begin_ += before - rows_.size();
  if (rows_.size() == life_.size()) begin_ = std::max(begin_, place);
  ++generation_;
  while (!bins_.empty() && (first_bin_ + 1) * kBin <= begin_) {
    bins_.pop_front();
    ++first_bin_;
  }
  const auto first = std::find_if(rows_.begin(), rows_.end(), [](const Row& row) { return !row.is_life(); });
  const std::uint64_t first_frame = first == rows_.end() ? kNone : first->first_frame;
  for (Of& of : of_) {
    while (!of.frames.empty() && (of.frames.front() == kNone || of.frames.front() < first_frame)) {
      of.frames.pop_front();
      ++of.first;
    }
  }
}

std::uint64_t LadderIndex::place(std::uint64_t row) const {
  if (row < begin_) return row;
  return row >= end() ? row - life_.size() : rows_[row - begin_].place;
}

std::optional<LadderIndex::Key> LadderIndex::key_of(std::uint64_t row) const {
  if (row < begin_ || row >= end()) return std::nullopt;
  return rows_[row - begin_].key();
}

std::optional<std::uint64_t> LadderIndex::row_of(const Key& key) const {
  const auto at = std::lower_bound(rows_.begin(), rows_.end(), key,
                                   [](const Row& row, const Key& wanted) { return row.key() < wanted; });
  if (at == rows_.end() || at->key() != key) return std::nullopt;
  return begin_ + static_cast<std::uint64_t>(at - rows_.begin());
}

std::optional<std::uint64_t> LadderIndex::row_of(Direction direction, std::uint64_t message) const {
  const Of& of = of_[index(direction)];
  if (message < of.first || message - of.first >= of.frames.size()) return std::nullopt;
  const std::uint64_t first_frame = of.frames[message - of.first];
  return first_frame == kNone ? std::nullopt : row_of(key(first_frame, message));
}

std::optional<std::uint64_t> LadderIndex::row_of_frame(FrameNumber frame) const {
  auto at = std::lower_bound(rows_.begin(), rows_.end(), frame.value,
                             [](const Row& row, std::uint64_t wanted) { return row.first_frame < wanted; });
  const bool begins_there = at != rows_.end() && at->first_frame == frame.value;
  if (!begins_there && at != rows_.begin()) {
    const Row& last = *std::prev(at);
    if (last.first_frame + last.frames >= frame.value) --at;
  }
  if (at == rows_.end()) return std::nullopt;
  return begin_ + static_cast<std::uint64_t>(at - rows_.begin());
}

bool LadderIndex::holds(std::uint64_t row, FrameNumber frame) const {
  if (row < begin_ || row >= end()) return false;
  const Row& one = rows_[row - begin_];
  return one.first_frame <= frame.value && frame.value - one.first_frame <= one.frames;
}

std::uint64_t LadderIndex::frame_at(std::uint64_t row) const {
  if (row < begin_ || row >= end()) return 0;
  return rows_[row - begin_].first_frame;
}

const LadderIndex::Bin* LadderIndex::bin_at(std::uint64_t row) const {
  const std::uint64_t bin = row / kBin;
  if (bin < first_bin_ || bin - first_bin_ >= bins_.size()) return nullptr;
  return &bins_[bin - first_bin_];
}

const StreamEnd* LadderIndex::end_of(Direction direction) const {
  const auto& end = ends_[index(direction)];
  return end ? &*end : nullptr;
}

}  // namespace iwarpscope::gui
