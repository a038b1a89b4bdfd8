// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Damage that once led to a false accusation, in its smallest form. The case must stay without accusation. The same
// with slightly less damage keeps its finding, if there is one.
#include <gtest/gtest.h>

#include <algorithm>
#include <ostream>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "damage/accused.h"
#include "damage/damaged.h"

namespace iwarpscope::test {
namespace {

/// The remaining part of a sample. Frame numbers are those of the whole sample, from 1.
struct Known {
  std::string_view rule;
  std::string_view sample;
  std::set<std::uint32_t> missing{};
  std::uint32_t up_to = 0;  ///< the last remaining frame; 0: all
  std::uint32_t cut = 0;    ///< this frame is cut
  std::uint32_t kept = 0;   ///< to this number of octets
  std::uint32_t moved = 0;  ///< this frame comes last
  /// If not empty: the remaining frames in the order of the file; their times stay in order.
  std::vector<std::uint32_t> order{};
  bool is_raised = false;  ///< a similar case, which is correctly reported
};

void PrintTo(const Known& k, std::ostream* out) {
  *out << k.rule << " of " << k.sample << (k.is_raised ? ", raised" : "");
}

/// `first` to `last`, and `more`.
std::set<std::uint32_t> frames(std::uint32_t first, std::uint32_t last, std::set<std::uint32_t> more = {}) {
  for (std::uint32_t frame = first; frame <= last; ++frame) more.insert(frame);
  return more;
}

const std::vector<Known>& known() {
  static const std::vector<Known> all{
      // The close of the first run waits for an Atomic Response that is missing, or is missing in part.
      {.rule = "AT-15", .sample = "made/questions/atomic-counter-run-again.pcapng", .missing = {11}, .up_to = 25},
      {.rule = "AT-15", .sample = "made/questions/atomic-counter-run-again.pcapng", .missing = {11}},
      {.rule = "AT-15", .sample = "made/questions/atomic-counter-run-again.pcapng", .missing = {14}},
      {.rule = "AT-15", .sample = "made/questions/atomic-counter-run-again.pcapng", .missing = {14, 15}, .up_to = 25},
      {.rule = "AT-15", .sample = "made/questions/atomic-counter-run-again.pcapng", .missing = {15, 16}, .up_to = 25},
      {.rule = "AT-15", .sample = "made/questions/atomic-counter-run-again.pcapng", .moved = 13},
      // The close of the first run is missing, and so is the beginning of the second.
      {.rule = "AT-15", .sample = "made/questions/atomic-counter-run-again.pcapng", .missing = frames(14, 17)},
      {.rule = "AT-15", .sample = "made/questions/atomic-counter-run-again.pcapng", .missing = frames(10, 19)},
      // A Terminate ended the first run; its close is missing, in part or whole.
      {.rule = "AT-15", .sample = "made/questions/atomic-counter-after-terminate.pcapng", .missing = frames(15, 17)},
      {.rule = "AT-15", .sample = "made/questions/atomic-counter-after-terminate.pcapng", .missing = frames(15, 16)},
      {.rule = "AT-15", .sample = "made/questions/atomic-counter-shared.pcapng", .missing = {23}, .is_raised = true},
      {.rule = "AT-15",
       .sample = "made/rules/rdmap.atomics-not-linearizable.pcapng",
       .missing = {20, 21},
       .is_raised = true},
      // A Terminate, and what closed the connection before the RST, are missing or come after it.
      {.rule = "QP-03", .sample = "siw/term-send-too-long-multisegment.pcap", .missing = {12, 13}},
      {.rule = "QP-03", .sample = "siw/term-send-too-long-multisegment.pcap", .missing = {12, 13}, .up_to = 20},
      {.rule = "QP-03",
       .sample = "siw/term-send-too-long-multisegment.pcap",
       .order = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 15, 12, 13, 14}},
      {.rule = "QP-03", .sample = "made/questions/reset-with-a-read-open.pcapng", .is_raised = true},
      // A SACK comes after messages that its sender may have acknowledged with another one, which is missing.
      {.rule = "SC-17",
       .sample = "made/rules/sctp.too-many-outstanding-nearly.pcapng.gz",
       .missing = {129},
       .up_to = 130,
       .moved = 126},
      // The Reply is not captured: the RST comes after octets that were not captured, or their beginning is unknown.
      {.rule = "MS-20",
       .sample = "made/rules/stag.guessing.pcapng",
       .missing = frames(1, 48, {53, 54, 55}),
       .up_to = 56},
      {.rule = "MS-20", .sample = "made/questions/three-ways-to-fail.pcapng", .missing = {5, 6, 7}, .up_to = 8},
      {.rule = "MS-20", .sample = "made/questions/markers-refused.pcapng", .missing = {1, 2, 5}, .up_to = 6},
      {.rule = "MS-20", .sample = "made/startup/reject.pcapng", .missing = {1, 2, 5}, .up_to = 6},
      {.rule = "MS-20", .sample = "made/startup/reject.pcapng", .missing = {1, 2, 3}, .up_to = 6, .moved = 4},
      {.rule = "QP-01", .sample = "made/startup/reject.pcapng", .missing = {1, 2, 3}, .moved = 4, .is_raised = true},
      // A rejecting Reply was not captured completely, and the following Request neither.
      {.rule = "MS-40",
       .sample = "made/startup/reject-then-again.pcapng",
       .missing = {5},
       .up_to = 7,
       .cut = 6,
       .kept = 78},
      // The Read Request that the Terminate quotes is in the octets that were cut.
      {.rule = "RM-29", .sample = "siw/term-read-oob.pcap", .up_to = 9, .cut = 8, .kept = 80},
      {.rule = "RM-29", .sample = "siw/term-read-bad-stag.pcap", .up_to = 9, .cut = 8, .kept = 85},
      {.rule = "RM-29",
       .sample = "made/messages/terminate-siw.pcapng",
       .missing = frames(1, 12),
       .up_to = 21,
       .cut = 19,
       .kept = 58},
      // The Terminate waits for octets that it acknowledges, and the RST after it does not.
      {.rule = "QP-03", .sample = "siw/term-send-too-long-multisegment.pcap", .missing = {11, 14}, .up_to = 15},
      {.rule = "QP-03", .sample = "siw/term-send-too-long-multisegment.pcap", .missing = {11, 14}},
      // Frames that are in the file before the MPA Request, although they were sent later, or the Request last.
      {.rule = "RM-27",
       .sample = "made/questions/terminate-over-response-to-nothing.pcapng",
       .order = {16, 18, 19, 22, 23, 17}},
      {.rule = "MS-20", .sample = "made/startup/reject.pcapng", .cut = 5, .kept = 54, .order = {1, 2, 3, 5, 4, 6}},
      {.rule = "MS-20", .sample = "made/questions/nvme-queue-refused.pcapng", .order = {1, 2, 3, 6, 4, 5, 6}},
      {.rule = "MS-04",
       .sample = "made/questions/read-never-answered.pcapng",
       .order = {1, 2, 3, 7, 8, 9, 10, 4, 5, 6, 10, 12}},
      {.rule = "verdict", .sample = "made/startup/both-request.pcapng", .up_to = 6, .cut = 4, .kept = 55},
      // Repeated octets of the connection that had the ports before, after the SYN of the next one.
      {.rule = "MF-07", .sample = "made/network/ports-reused.pcapng", .order = {1,  2,  3,  4,  5,  6,  7,  8,  9,  10,
                                                                                11, 12, 13, 14, 15, 16, 17, 18, 19, 20,
                                                                                21, 22, 23, 24, 16, 25, 18, 26, 27}},
      // The same, and the SYN-ACK, or both, are missing.
      {.rule = "MS-14", .sample = "made/network/ports-reused.pcapng", .order = {1,  2,  3,  4,  5,  6,  7,  8,  9,  10,
                                                                                11, 12, 13, 14, 15, 16, 17, 18, 19, 20,
                                                                                21, 22, 23, 15, 16, 25, 26, 17}},
      {.rule = "MS-14",
       .sample = "made/network/ports-reused.pcapng",
       .order = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 25, 26, 17}},
      {.rule = "MS-14",
       .sample = "made/network/ports-reused.pcapng",
       .order = {13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 24, 25, 26, 17, 23, 27, 28, 29}},
      // The Reply of the next connection, of which all before it is missing.
      {.rule = "MF-07",
       .sample = "made/network/ports-reused.pcapng",
       .order = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 15, 18, 19, 20, 14, 16, 17, 21, 22, 25, 27}},
      // The SYN-ACK, and the Reply, of the connection before come once more, after the SYN of the next one.
      {.rule = "MF-07",
       .sample = "made/network/ports-reused.pcapng",
       .order = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 2, 15, 16, 18, 5, 14, 19, 17}},
      {.rule = "MS-14",
       .sample = "made/network/ports-reused.pcapng",
       .order = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 2, 15, 16, 18, 5, 14, 19, 17}},
      // The SYN-ACK comes after an ACK of its sender.
      {.rule = "verdict",
       .sample = "made/network/ports-reused.pcapng",
       .order = {13, 15, 18, 19, 20, 14, 16, 17, 21, 22}},
      // Successive sessions on one stream: chunks with the end of one and the beginning of the next are missing, while
      // packets of the other direction wait, or came before.
      {.rule = "DD-07",
       .sample = "made/sctp/sctp-requests-late.pcapng",
       .missing = frames(22, 24, {3, 7, 8, 26, 27, 28}),
       .up_to = 29},
      {.rule = "SC-12",
       .sample = "made/sctp/sctp-requests-late.pcapng",
       .missing = {21, 22, 24, 26, 27, 29, 31},
       .up_to = 32},
      // The answer, or the end, of one of them comes before its Initiate, and what was before it is missing or late.
      {.rule = "AT-11",
       .sample = "made/sctp/sctp-requests-late.pcapng",
       .order = {9, 7, 10, 8, 20, 18, 21, 22, 24, 27, 26, 28}},
      {.rule = "SC-09",
       .sample = "made/sctp/sctp-requests-late.pcapng",
       .order = {1, 5, 7, 8, 9, 11, 10, 12, 18, 25, 24, 27, 26, 28, 29, 31, 30}},
      {.rule = "DD-07", .sample = "made/sctp/sctp-requests-late.pcapng", .order = {14, 21, 29}},
      {.rule = "RM-16",
       .sample = "made/sctp/sctp-requests-late.pcapng",
       .order = {6, 3, 9, 11, 10, 12, 5, 7, 8, 20, 21, 22, 24}},
      {.rule = "AT-12",
       .sample = "made/sctp/sctp-requests-late.pcapng",
       .order = {3, 7, 8, 9, 10, 12, 14, 16, 25, 24, 26, 28, 29, 30}},
      // A SACK of chunks before the first that the capture holds of their direction.
      {.rule = "RM-15",
       .sample = "made/sctp/sctp-atomics-two-streams.pcapng",
       .order = {3, 4, 6, 8, 16, 17, 9, 10, 18, 11, 19, 12, 20, 13, 21, 14, 22, 15}},
      // The end of the association: what was acknowledged last is missing, and may be of either session.
      {.rule = "DD-21", .sample = "made/sctp/sctp-both-active.pcapng", .order = {6, 7, 8, 9, 11, 13, 15, 20, 21, 23}},
      // A keep-alive octet of a direction that was captured alone.
      {.rule = "MF-04", .sample = "made/questions/send-never-answered.pcapng", .order = {3, 4, 1, 6, 10, 8}},
      // Responses that are in the file before their requests, or are missing.
      {.rule = "verdict", .sample = "made/startup/rtr-read.pcapng", .order = {9, 1, 3, 4, 6, 8, 10, 11}},
      {.rule = "RM-14",
       .sample = "made/messages/reads-outstanding.pcapng",
       .cut = 16,
       .kept = 64,
       .order = {2, 12, 13, 15, 16, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 1, 3, 4, 6, 7, 9, 10}},
  };
  return all;
}

Pieces in_order(const Known& known, const Seed& seed) {
  const Pieces all = whole(seed);
  Pieces left;
  std::vector<std::int64_t> times;
  for (const std::uint32_t frame : known.order) {
    left.push_back(all.at(frame - 1));
    times.push_back(left.back().time_ns);
  }
  std::ranges::sort(times);
  for (std::size_t i = 0; i < left.size(); ++i) left[i].time_ns = times[i];
  const auto cut = std::find_if(left.rbegin(), left.rend(), [&](const Piece& p) { return p.origin + 1 == known.cut; });
  if (cut != left.rend()) cut->kept = known.kept;
  return left;
}

Pieces pieces_of(const Known& known, const Seed& seed) {
  if (!known.order.empty()) return in_order(known, seed);
  Pieces left;
  for (const Piece& piece : whole(seed)) {
    const std::uint32_t frame = piece.origin + 1;
    if (known.missing.contains(frame) || (known.up_to != 0 && frame > known.up_to)) continue;
    left.push_back(piece);
    if (frame == known.cut) left.back().kept = known.kept;
  }
  const auto moved = std::ranges::find_if(left, [&](const Piece& p) { return p.origin + 1 == known.moved; });
  if (moved != left.end()) {
    moved->time_ns = left.back().time_ns;
    std::rotate(moved, moved + 1, left.end());
  }
  return left;
}

class KnownCases : public testing::TestWithParam<Known> {};

TEST_P(KnownCases, AccuseNoEnd) {
  const Known& known = GetParam();
  static const std::vector<Seed> all = seeds(1500);
  const auto seed = std::ranges::find_if(all, [&](const Seed& s) { return s.name == known.sample; });
  ASSERT_NE(seed, all.end());
  const Accused says = accused(Built(*seed, pieces_of(known, *seed)).frames());
  const bool raised = std::ranges::any_of(says.charges, [&](const Charge& c) { return c.what == known.rule; });
  EXPECT_EQ(raised, known.is_raised);
}

INSTANTIATE_TEST_SUITE_P(, KnownCases, testing::ValuesIn(known()));

}  // namespace
}  // namespace iwarpscope::test
