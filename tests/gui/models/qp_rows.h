// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Queue pairs for tests.
#pragma once

#include "session/session.h"

namespace iwarpscope::test {

[[nodiscard]] inline live::QpView made_qp(std::uint64_t number) {
  live::QpView view;
  view.record.qp = number;
  const auto host = static_cast<std::uint32_t>(number % 100);
  view.record.a = {net::IpAddress::v4(0x0A000001 + host), static_cast<std::uint16_t>(40000 + number % 20000)};
  view.record.b = {net::IpAddress::v4(0x0A000101 + host), 4420};
  view.record.state = qp::State::rts;
  view.record.ulp = "nvme";
  view.record.crc_in_use = true;
  view.record.markers = {false, false};
  view.record.read_depth = {std::uint16_t{16}, std::uint16_t{32}};
  view.record.first_time = TimePoint{1'700'000'000'000'000'000 + static_cast<std::int64_t>(number)};
  view.record.last_time = TimePoint{view.record.first_time.ns + 5'000'000'000};
  view.record.verdict.emplace();
  view.record.verdict->outcome = qp::Outcome::running;
  view.record.verdict->blame = qp::Blame::none;
  view.record.verdict->confidence = qp::Confidence::limited;
  view.activity.last_second = 1'700'000'005;
  view.activity.octets[live::Activity::kSeconds - 2] = static_cast<std::uint32_t>(number * 7919 % 100'003);
  view.record.directions[0].messages[0] = number;
  view.record.directions[0].payload_octets[0] = number * 100;
  return view;
}

[[nodiscard]] inline gui::QpRows made_qps(std::uint64_t from, std::uint64_t count) {
  gui::QpRows rows;
  rows.reserve(count);
  for (std::uint64_t i = 0; i < count; ++i) rows.push_back(made_qp(from + i));
  return rows;
}

inline void fail_qp(live::QpView& view) {
  view.record.verdict->outcome = qp::Outcome::failed;
  view.record.verdict->blame = qp::Blame::a;
  view.record.verdict->confidence = qp::Confidence::certain;
  view.record.state = qp::State::error;
  view.record.closed_by = "rst";
  view.ended = true;
  view.findings = {1, 2, 3, findings::FindingId::mpa_crc_mismatch};
}

}  // namespace iwarpscope::test
