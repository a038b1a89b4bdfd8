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
  bool is_raised = false;   ///< a similar case, which is correctly reported
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
      {.rule = "AT-15", .sample = "made/atomic-counter-run-again.pcapng", .missing = {11}, .up_to = 25},
      {.rule = "AT-15", .sample = "made/atomic-counter-run-again.pcapng", .missing = {11}},
      {.rule = "AT-15", .sample = "made/atomic-counter-run-again.pcapng", .missing = {14}},
      {.rule = "AT-15", .sample = "made/atomic-counter-run-again.pcapng", .missing = {14, 15}, .up_to = 25},
      {.rule = "AT-15", .sample = "made/atomic-counter-run-again.pcapng", .missing = {15, 16}, .up_to = 25},
      {.rule = "AT-15", .sample = "made/atomic-counter-run-again.pcapng", .moved = 13},
      {.rule = "AT-15", .sample = "made/atomic-counter-shared.pcapng", .missing = {23}, .is_raised = true},
      {.rule = "AT-15", .sample = "made/rdmap.atomics-not-linearizable.pcapng", .missing = {20, 21}, .is_raised = true},
      // A SACK comes after messages that its sender may have acknowledged with another one, which is missing.
      {.rule = "SC-17",
       .sample = "made/sctp.too-many-outstanding-nearly.pcapng.gz",
       .missing = {129},
       .up_to = 130,
       .moved = 126},
      // The Reply is not captured: the RST comes after octets that were not captured, or their beginning is unknown.
      {.rule = "MS-20", .sample = "made/stag.guessing.pcapng", .missing = frames(1, 48, {53, 54, 55}), .up_to = 56},
      {.rule = "MS-20", .sample = "made/three-ways-to-fail.pcapng", .missing = {5, 6, 7}, .up_to = 8},
      {.rule = "MS-20", .sample = "made/markers-refused.pcapng", .missing = {1, 2, 5}, .up_to = 6},
      {.rule = "MS-20", .sample = "made/reject.pcapng", .missing = {1, 2, 5}, .up_to = 6},
      {.rule = "MS-20", .sample = "made/reject.pcapng", .missing = {1, 2, 3}, .up_to = 6, .moved = 4},
      {.rule = "QP-01", .sample = "made/reject.pcapng", .missing = {1, 2, 3}, .moved = 4, .is_raised = true},
      // A rejecting Reply was not captured completely, and the following Request neither.
      {.rule = "MS-40", .sample = "made/reject-then-again.pcapng", .missing = {5}, .up_to = 7, .cut = 6, .kept = 78},
      // The Read Request that the Terminate quotes is in the octets that were cut.
      {.rule = "RM-29", .sample = "siw/term-read-oob.pcap", .up_to = 9, .cut = 8, .kept = 80},
      {.rule = "RM-29", .sample = "siw/term-read-bad-stag.pcap", .up_to = 9, .cut = 8, .kept = 85},
      {.rule = "RM-29",
       .sample = "made/terminate-siw.pcapng",
       .missing = frames(1, 12),
       .up_to = 21,
       .cut = 19,
       .kept = 58},
      // The Terminate waits for octets that it acknowledges, and the RST after it does not.
      {.rule = "QP-03", .sample = "siw/term-send-too-long-multisegment.pcap", .missing = {11, 14}, .up_to = 15},
      {.rule = "QP-03", .sample = "siw/term-send-too-long-multisegment.pcap", .missing = {11, 14}},
  };
  return all;
}

Pieces pieces_of(const Known& known, const Seed& seed) {
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
