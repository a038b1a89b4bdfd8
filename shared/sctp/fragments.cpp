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
  const auto at = held_.emplace(fragment.tsn, std::move(held)).first;
  // Back to the one that begins the message, forth to the one that ends it.
  auto first = at;
  while (!first->second.fragment.begins) {
    if (first == held_.begin()) return std::nullopt;
    const auto before = std::prev(first);
    if (before->first + 1 != first->first || before->second.fragment.ends) return std::nullopt;
    if (before->second.fragment.stream != fragment.stream) return std::nullopt;
    first = before;
  }
  auto last = at;
  while (!last->second.fragment.ends) {
    const auto after = std::next(last);
    if (after == held_.end() || after->first != last->first + 1 || after->second.fragment.begins) return std::nullopt;
    if (after->second.fragment.stream != fragment.stream) return std::nullopt;
    last = after;
  }
  return join(first, std::next(last));
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
  for (auto first = held_.begin(); first != held_.end();) {
    // A run of TSNs that follow one another within one message.
    auto last = std::next(first);
    while (last != held_.end() && last->first == std::prev(last)->first + 1 && !last->second.fragment.begins &&
           !std::prev(last)->second.fragment.ends) {
      ++last;
    }
    const bool has_no_head = !first->second.fragment.begins && first->first <= next;
    const bool has_no_tail = !std::prev(last)->second.fragment.ends && std::prev(last)->first + 1 < next;
    if (has_no_head || has_no_tail) {
      for (auto each = first; each != last; ++each) waiting_.give_back(cost(each->second));
      first = held_.erase(first, last);
    } else {
      first = last;
    }
  }
}

}  // namespace iwarpscope::sctp
