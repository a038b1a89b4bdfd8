// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tcp/held_octets.h"

#include <algorithm>
#include <utility>

#include "base/serial.h"
#include "tcp/connection.h"

namespace iwarpscope::tcp {

bool Arrival::is_packet_of(const Arrival& other) const noexcept {
  if (begin != other.begin || end != other.end || (ip_id == 0 && !has_timestamp)) return false;
  return ip_id == other.ip_id && has_timestamp == other.has_timestamp && timestamp == other.timestamp &&
         has_acknowledged == other.has_acknowledged && acknowledged == other.acknowledged;
}

bool Arrival::was_sent_before(const Arrival& later) const noexcept {
  if (has_acknowledged && later.has_acknowledged && acknowledged != later.acknowledged) {
    return acknowledged < later.acknowledged;
  }
  if (has_timestamp && later.has_timestamp && timestamp != later.timestamp) {
    return serial_distance(timestamp, later.timestamp) > 0;
  }
  if (ip_id != 0 && later.ip_id != 0 && ip_id != later.ip_id) {
    const auto ahead = static_cast<std::uint16_t>(later.ip_id - ip_id);
    return ahead < 1024;
  }
  return false;
}

HeldOctets::~HeldOctets() {
  // Not pop_front(): what could not be read has no stretches.
  for (const auto& [begin, held] : runs_) budget_.give_back(held.octets.size() + kRunOverhead);
}

/// For what was read: the runs do not overlap, have their octets, and are within the limits, which count them from now.
bool HeldOctets::is_sound_and_paid() noexcept {
  std::uint64_t end = 0;
  bool is_paid = !runs_.empty() && runs_.size() <= limits_.max_buffered_chunks;
  for (const auto& [begin, held] : runs_) {
    if (begin < end || held.end <= begin || (!held.is_cut() && held.octets.size() != held.end - begin)) return false;
    end = held.end;
    join_stretch(begin, end);
    octets_ += held.octets.size();
    is_paid = is_paid && budget_.take(held.octets.size() + kRunOverhead);
  }
  return is_paid && octets_ <= limits_.max_buffered_octets;
}

/// There may be one run more, of so many octets. False: a limit forbids it.
bool HeldOctets::pay_for_run(std::size_t octets) noexcept {
  if (runs_.size() >= limits_.max_buffered_chunks) {
    ++budget_.met().direction_chunks;
    return false;
  }
  if (budget_.take(octets + kRunOverhead)) return true;
  ++budget_.met().all_octets;
  return false;
}

bool HeldOctets::hold(const Arrival& arrival, std::uint64_t from, std::uint64_t to, bool retransmitted) {
  const bool cut = from >= arrival.captured_end();
  const std::size_t size = cut ? 0 : static_cast<std::size_t>(to - from);
  if (size > limits_.max_buffered_octets - octets_) {
    ++budget_.met().direction_octets;
    return false;
  }
  if (!pay_for_run(size)) return false;
  Held held;
  held.arrival = arrival;
  held.arrival.octets = {};
  held.end = to;
  held.retransmitted = retransmitted;
  if (!cut) {
    const Octets part = arrival.octets.subspan(static_cast<std::size_t>(from - arrival.begin), size);
    held.octets.assign(part.begin(), part.end());
  }
  octets_ += size;
  runs_.emplace(from, std::move(held));
  join_stretch(from, to);
  return true;
}

HeldOctets::Runs::iterator HeldOctets::at_or_after(std::uint64_t offset) noexcept {
  auto run = runs_.upper_bound(offset);
  if (run == runs_.begin()) return run;
  const auto before = std::prev(run);
  return before->second.end > offset ? before : run;
}

std::uint64_t HeldOctets::held_until(std::uint64_t offset) const noexcept {
  return std::prev(stretches_.upper_bound(offset))->second;
}

/// [from, to) is held from now on, and was not before.
void HeldOctets::join_stretch(std::uint64_t from, std::uint64_t to) {
  const auto after = stretches_.lower_bound(from);
  const bool meets_after = after != stretches_.end() && after->first == to;
  if (after != stretches_.begin() && std::prev(after)->second == from) {
    std::prev(after)->second = meets_after ? after->second : to;
    if (meets_after) stretches_.erase(after);
  } else if (meets_after) {
    auto node = stretches_.extract(after);
    node.key() = from;
    stretches_.insert(std::move(node));
  } else {
    stretches_.emplace_hint(after, from, to);
  }
}

/// [from, to) is not held any more. Precondition: one stretch has it.
void HeldOctets::part_stretch(std::uint64_t from, std::uint64_t to) {
  const auto stretch = std::prev(stretches_.upper_bound(from));
  const std::uint64_t end = stretch->second;
  if (stretch->first < from) {
    stretch->second = from;
    if (to < end) stretches_.emplace(to, end);
  } else if (to < end) {
    auto node = stretches_.extract(stretch);
    node.key() = to;
    stretches_.insert(std::move(node));
  } else {
    stretches_.erase(stretch);
  }
}

bool HeldOctets::open_cut(Runs::iterator run, std::uint64_t from, std::uint64_t to) {
  const std::uint64_t begin = run->first;
  const std::uint64_t end = run->second.end;
  const bool before = begin < from;
  const bool behind = to < end;
  if (before && behind) {
    if (!pay_for_run(0)) return false;
    runs_.emplace(to, run->second);
    run->second.end = from;
  } else if (before) {
    run->second.end = from;
  } else if (behind) {
    auto node = runs_.extract(run);
    node.key() = to;
    runs_.insert(std::move(node));
  } else {
    runs_.erase(run);
    budget_.give_back(kRunOverhead);
  }
  part_stretch(from, to);
  return true;
}

bool HeldOctets::split(Runs::iterator run, std::uint64_t at) {
  if (!pay_for_run(0)) return false;
  Held rest;
  rest.arrival = run->second.arrival;
  rest.end = run->second.end;
  rest.retransmitted = run->second.retransmitted;
  std::vector<std::byte>& octets = run->second.octets;
  const auto middle = octets.begin() + static_cast<std::ptrdiff_t>(at - run->first);
  rest.octets.assign(middle, octets.end());
  octets.erase(middle, octets.end());
  run->second.end = at;
  runs_.emplace(at, std::move(rest));
  return true;
}

void HeldOctets::correct(Runs::iterator run, const Arrival& arrival, std::uint64_t from, std::uint64_t to) {
  if (to < run->second.end && !split(run, to)) return;
  if (from > run->first) {
    if (!split(run, from)) return;
    run = std::next(run);
  }
  const Octets part =
      arrival.octets.subspan(static_cast<std::size_t>(from - arrival.begin), static_cast<std::size_t>(to - from));
  std::ranges::copy(part, run->second.octets.begin());
  run->second.arrival.comparable = true;
}

void HeldOctets::pop_front() {
  const auto run = runs_.begin();
  const std::size_t size = run->second.octets.size();
  part_stretch(run->first, run->second.end);
  octets_ -= size;
  budget_.give_back(size + kRunOverhead);
  runs_.erase(run);
}

}  // namespace iwarpscope::tcp
