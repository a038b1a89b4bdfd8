// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "verdict/repairs.h"

#include <algorithm>
#include <cstdint>

namespace iwarpscope::verdict {

bool is_held_back(const qp::DirectionRecord& record) noexcept {
  constexpr std::int64_t kNoticedNs = 10'000'000;
  return record.head_of_line.largest_ns >= kNoticedNs;
}

bool is_sent_again(const qp::DirectionRecord& record) noexcept {
  constexpr std::uint64_t kNoticedShare = 100;  // one octet of so many
  const std::uint64_t again = record.retransmitted_octets;
  return again != 0 && again * kNoticedShare >= record.stream_octets;
}

bool has_repairs(const qp::QpRecord& record) noexcept {
  const auto outcome = record.verdict ? record.verdict->outcome : qp::Outcome::unknown;
  if (outcome != qp::Outcome::completed && outcome != qp::Outcome::running) return false;
  if (std::ranges::any_of(record.directions, is_held_back)) return true;
  if (outcome != qp::Outcome::completed) return false;
  const auto& findings = record.summary.findings;
  return std::ranges::any_of(record.directions, is_sent_again) ||
         std::ranges::any_of(findings,
                             [](const qp::NotedFinding& f) { return f.id == findings::FindingId::tcp_wrong_checksum; });
}

}  // namespace iwarpscope::verdict
