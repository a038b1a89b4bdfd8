// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "sctp/fragments.h"

#include <algorithm>
#include <iterator>

namespace iwarpscope::sctp {

Fragments::~Fragments() {
  for (const auto& [tsn, held] : held_) waiting_.give_back(cost(held));
}

std::optional<Joined> Fragments::add(const Fragment& fragment) {
  Held held{fragment, {fragment.octets.begin(), fragment.octets.end()}};
  held.fragment.octets = {};
  refused_ = held_.contains(fragment.tsn) || !waiting_.take(cost(held));
  if (refused_) return std::nullopt;
  held_.emplace(fragment.tsn, std::move(held));
  const auto run = extend(fragment);
  if (!run->second.begins || !run->second.ends) return std::nullopt;
  const auto first = held_.find(run->first);
  const auto last = held_.find(run->second.end - 1);
  runs_.erase(run);
  return join(first, std::next(last));
}

/// The run that the fragment belongs to, with what it joins.
Fragments::Runs::iterator Fragments::extend(const Fragment& fragment) {
  Run run{fragment.tsn + 1, fragment.stream, fragment.begins, fragment.ends};
  const auto after = runs_.upper_bound(fragment.tsn);
  if (after != runs_.end() && after->first == run.end && !run.ends && !after->second.begins &&
      after->second.stream == run.stream) {
    run.end = after->second.end;
    run.ends = after->second.ends;
    runs_.erase(after);
  }
  const auto next = runs_.upper_bound(fragment.tsn);
  if (next != runs_.begin()) {
    const auto before = std::prev(next);
    Run& joined = before->second;
    if (joined.end == fragment.tsn && !joined.ends && !run.begins && joined.stream == run.stream) {
      joined.end = run.end;
      joined.ends = run.ends;
      return before;
    }
  }
  return runs_.emplace_hint(next, fragment.tsn, run);
}

Joined Fragments::join(Map::iterator first, Map::iterator last) {
  Joined message;
  const Fragment& head = first->second.fragment;
  message.stream = head.stream;
  message.ppid = head.ppid;
  message.first_tsn = first->first;
  message.last_tsn = std::prev(last)->first;
  message.first_frame = head.frame;
  message.first_time = head.time;
  message.placed_time = head.time;
  bool is_cut = false;
  for (auto each = first; each != last; ++each) {
    const auto& [fragment, octets] = each->second;
    message.length += fragment.length;
    message.largest_packet = std::max(message.largest_packet, fragment.packet_octets);
    message.late = message.late || fragment.late;
    message.is_after_ack = message.is_after_ack || fragment.is_after_ack;
    message.ordered = message.ordered || fragment.ordered;
    message.last_frame = std::max(message.last_frame, fragment.frame);
    message.placed_time = std::max(message.placed_time, fragment.time);
    if (!is_cut) message.octets.insert(message.octets.end(), octets.begin(), octets.end());
    is_cut = is_cut || octets.size() < fragment.length;
    waiting_.give_back(cost(each->second));
  }
  held_.erase(first, last);
  return message;
}

void Fragments::prune(Tsn next) {
  // After `next` nothing is settled. Of the runs before it all go but one that reaches to it.
  for (auto run = runs_.begin(); run != runs_.end() && run->first <= next;) {
    const bool has_no_head = !run->second.begins;
    const bool has_no_tail = !run->second.ends && run->second.end < next;
    if (!has_no_head && !has_no_tail) {
      ++run;
      continue;
    }
    const auto first = held_.find(run->first);
    const auto last = std::next(held_.find(run->second.end - 1));
    for (auto each = first; each != last; ++each) waiting_.give_back(cost(each->second));
    held_.erase(first, last);
    run = runs_.erase(run);
  }
}

}  // namespace iwarpscope::sctp
