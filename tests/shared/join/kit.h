// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Views of a connection made by hand.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "join/join.h"

namespace iwarpscope::join::test {

inline net::Endpoint end(std::uint32_t host, std::uint16_t port) {
  return {net::IpAddress::v4(host), port};
}

inline qp::SequenceRecord numbers(std::uint32_t initial, std::uint64_t octets) {
  return {initial, initial + 1, octets, initial + 1 + static_cast<std::uint32_t>(octets), false, std::nullopt};
}
/// Met in its middle: from an octet on.
inline qp::SequenceRecord middle(std::uint32_t first, std::uint64_t octets) {
  return {std::nullopt, first, octets, std::nullopt, false, std::nullopt};
}

/// A connection of 10.0.0.1:40000 with 10.0.0.2:4420 that was closed after 1000 and 2000 octets. Both taps see all of
/// it.
inline View view(std::size_t tap) {
  View v;
  v.tap = tap;
  v.record.a = end(0x0A000001, 40000);
  v.record.b = end(0x0A000002, 4420);
  v.record.roles = qp::Roles::mpa;
  v.record.first_time = TimePoint{1'000'000'000};
  v.record.last_time = TimePoint{9'000'000'000};
  v.record.closed_by = "fin";
  v.record.directions[0].sequence = numbers(1000, 1000);
  v.record.directions[1].sequence = numbers(50'000, 2000);
  for (qp::DirectionRecord& d : v.record.directions) {
    d.tcp_segments = 20;
    d.crc_ok = 10;
  }
  v.record.verdict = qp::VerdictRecord{};
  v.record.verdict->outcome = qp::Outcome::completed;
  v.record.verdict->blame = qp::Blame::none;
  v.record.verdict->code = "V-30";
  v.record.verdict->text = "The connection was closed normally.";
  return v;
}

/// The same with A and B the other way round.
inline View turned_round(View v) {
  std::swap(v.record.a, v.record.b);
  std::swap(v.record.directions[0], v.record.directions[1]);
  v.record.roles = qp::Roles::address;
  return v;
}

inline findings::Finding finding(findings::FindingId id, Direction d, std::uint64_t offset) {
  findings::Finding f;
  f.id = id;
  f.direction = d;
  f.offset = kStreamOrigin + offset;
  f.text = "It is so.";
  return f;
}

inline std::vector<Tap> two_taps(std::optional<std::int64_t> bound = std::nullopt) {
  return {{"leaf 1", bound, false}, {"leaf 2", bound, false}};
}

inline std::vector<JoinedConnection> joined(const std::vector<View>& views, const std::vector<Tap>& taps = two_taps()) {
  return join({taps, views});
}

inline std::vector<Mark> marks(const std::vector<View>& views) {
  std::vector<Mark> all;
  for (const View& v : views) all.push_back(mark_of(v.tap, v.record));
  return all;
}

}  // namespace iwarpscope::join::test
