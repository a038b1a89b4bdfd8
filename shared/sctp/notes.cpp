// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "sctp/notes.h"

#include <fmt/format.h>

#include <utility>

#include "base/wording.h"

namespace iwarpscope::sctp {

using enum findings::FindingId;

void raise(findings::Reporter& reporter, const Spot& spot, findings::Finding finding) {
  finding.frame = spot.frame;
  finding.time = spot.time;
  if (spot.ssn) finding.offset = kStreamOrigin + *spot.ssn;
  reporter.raise(std::move(finding));
}

void raise_counts(findings::Reporter& reporter, const std::array<DirectionStatistics, 2>& statistics) {
  const auto were = [](std::uint64_t n) {
    return fmt::format("{} {}", counted(n, "DATA chunk"), n == 1 ? "was" : "were");
  };
  for (const Direction d : {Direction::a_to_b, Direction::b_to_a}) {
    const DirectionStatistics& n = statistics[index(d)];
    if (n.retransmitted_chunks > 0) {
      raise(reporter, spot_of(n.first_retransmitted),
            {.id = sctp_retransmissions,
             .direction = d,
             .seen = std::to_string(n.retransmitted_chunks),
             .text = fmt::format("{} sent again, with {}.", were(n.retransmitted_chunks),
                                 counted(n.retransmitted_octets, "octet"))});
    }
    if (n.out_of_order_chunks > 0) {
      raise(reporter, spot_of(n.first_out_of_order),
            {.id = sctp_out_of_order,
             .direction = d,
             .seen = std::to_string(n.out_of_order_chunks),
             .text = fmt::format("{} overtaken: chunks with a higher TSN came first.", were(n.out_of_order_chunks))});
    }
  }
  const std::uint64_t copies = statistics[0].mirror_duplicates + statistics[1].mirror_duplicates;
  if (copies == 0) return;
  FirstSeen first = statistics[0].first_duplicate;
  first.see(statistics[1].first_duplicate);
  raise(reporter, spot_of(first),
        {.id = capture_mirror_duplicates,
         .seen = std::to_string(copies),
         .text = fmt::format("{} captured twice.", were(copies))});
}

}  // namespace iwarpscope::sctp
