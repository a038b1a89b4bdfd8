// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "join/sentences.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/wording.h"

namespace iwarpscope::join {
namespace {

std::string names(const std::vector<std::size_t>& those, std::span<const Tap> taps) {
  std::string text;
  for (std::size_t i = 0; i < those.size(); ++i) {
    if (i != 0) text += i + 1 == those.size() ? " and " : ", ";
    text += taps[those[i]].position;
  }
  return text;
}

std::string sender(const JoinedConnection& joined, Direction d) {
  return (d == Direction::a_to_b ? joined.a : joined.b).text();
}

std::string basis_sentence(const JoinedConnection& joined) {
  const std::string_view numbers = joined.sctp_stream ? "Initiate Tags" : "sequence numbers";
  switch (joined.basis) {
    case Basis::one_view: return {};
    case Basis::numbers: return {};
    case Basis::overlap:
      return fmt::format("The taps probably show the same connection: addresses and ports are equal, and {} overlap.",
                         numbers);
    case Basis::translated:
      return fmt::format("An address is translated between the taps. The {} and ports show the same connection.",
                         numbers);
  }
  return {};
}

std::string order_sentence(const JoinedConnection& joined, std::span<const Tap> taps) {
  for (const Direction d : {Direction::a_to_b, Direction::b_to_a}) {
    const Order& order = joined.order[index(d)];
    if (order.knowledge == Order::Knowledge::contradictory) {
      return fmt::format("Packets from {} pass the taps in different orders: they take more than one path.",
                         sender(joined, d));
    }
    if (order.knowledge != Order::Knowledge::known) continue;
    return fmt::format("Packets from {} pass {} in this order.", sender(joined, d), names(order.taps, taps));
  }
  return {};
}

/// Places of which the order of the taps would say more.
std::string side_sentence(const JoinedConnection& joined, std::span<const Tap> taps) {
  std::set<std::size_t> undecided;
  bool is_loss = false, is_damage = false;
  for (const Place& place : joined.places) {
    if (place.undecided.empty()) continue;
    undecided.insert(place.undecided.begin(), place.undecided.end());
    (place.kind == Place::Kind::damage ? is_damage : is_loss) = true;
  }
  if (undecided.empty()) return {};
  return fmt::format("Cannot tell on which side of {} {}.",
                     names(std::vector<std::size_t>(undecided.begin(), undecided.end()), taps),
                     is_loss && is_damage ? "the loss and the damage were"
                     : is_loss            ? "the loss was"
                                          : "the damage was");
}

}  // namespace

std::string place_text(const Place& place, std::span<const Tap> taps) {
  if (place.is_between_taps()) {
    return fmt::format("between {} and {}", names(place.after, taps), names(place.before, taps));
  }
  return place.before.empty() ? "after " + names(place.after, taps) : "before " + names(place.before, taps);
}

std::string place_sentence(const JoinedConnection& joined, const Place& place, std::span<const Tap> taps) {
  const std::string what = fmt::format("Data from {}", sender(joined, place.direction));
  const std::string how_often = place.count == 1 ? std::string{"once"} : counted(place.count, "time");
  if (place.kind == Place::Kind::damage) {
    return fmt::format("{} was damaged {}, {}.", what, place_text(place, taps), how_often);
  }
  if (place.before.empty()) {
    // What was lost may have been only its ACK.
    return fmt::format("{} was sent again {}: it, or its acknowledgment, was lost {}.", what, how_often,
                       place_text(place, taps));
  }
  return fmt::format("{} was lost {}, {}.", what, place_text(place, taps), how_often);
}

std::vector<std::string> sentences(const JoinedConnection& joined, std::span<const Tap> taps) {
  std::vector<std::string> all;
  const auto add = [&all](std::string sentence) {
    if (!sentence.empty()) all.push_back(std::move(sentence));
  };
  for (const Place& place : joined.places) add(place_sentence(joined, place, taps));
  add(side_sentence(joined, taps));
  if (joined.verdict && joined.verdict->blame_withdrawn) {
    add(joined.verdict->verdict.blame == qp::Blame::path
            ? "No end is blamed: the cause is on the path."
            : "No end is blamed: the taps saw different things, so a place between them may be the cause.");
  } else if (joined.verdict && !joined.verdict->taps_agree) {
    add("The taps saw this connection end differently.");
  }
  add(basis_sentence(joined));
  if (!joined.places.empty()) add(order_sentence(joined, taps));
  if (joined.may_be) add("Another tap has a connection that may be this one; cannot tell.");
  return all;
}

}  // namespace iwarpscope::join
