// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Random DDP segments against slow and obvious models.
#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <set>

#include "support.h"
#include "synth/random.h"

namespace iwarpscope::ddp::test {
namespace {

/// A message as its sender knows it.
struct Sent {
  bool tagged = false;
  std::uint32_t qn = 0, msn = 0, stag = 0;
  std::uint64_t length = 0;
  std::size_t parts = 0, seen = 0, damaged = 0;
  bool first_seen = false, last_seen = false, after_gap_start = false;
  std::optional<std::uint64_t> index;
};

/// A sender that keeps every rule, and a capture that loses and cuts FPDUs.
struct Traffic {
  Line line;
  synth::Random random;
  std::vector<Sent> sent;
  std::uint32_t next_msn[4] = {1, 1, 1, 1};
  bool lost = false;              ///< the FPDU before was not captured
  bool tagged_after_gap = false;  ///< no tagged DDP segment was captured since the last loss
  unsigned loss, cut;

  Traffic(std::uint64_t seed, unsigned permille_lost, unsigned permille_cut)
      : random(seed), loss(permille_lost), cut(permille_cut) {}

  template <class Header>
  void part(Sent& m, const Header& h, bool first) {
    ++m.parts;
    if (random.chance(loss)) {
      lost = true;
      return;
    }
    How how{.after_gap = lost};
    lost = false;
    if (random.chance(cut) && h.octets > 0) {
      how.intact = false;
      how.captured = 18 + random.below(h.octets);
      if (how.captured >= ulpdu(h).size()) how.captured = ulpdu(h).size() - 1;
      ++m.damaged;
    }
    ++m.seen;
    m.first_seen |= first;
    m.last_seen |= h.last;
    tagged_after_gap |= how.after_gap;
    if (first) m.after_gap_start = tagged_after_gap;
    if (m.tagged) tagged_after_gap = false;
    line.send(h, how);
    const std::uint64_t index = line.out.segments.back().message;
    // A tagged message whose middle was lost is two to the capture; an untagged one never.
    if (!m.tagged && m.index) {
      EXPECT_EQ(*m.index, index);
    }
    m.index = index;
  }
  void message() {
    Sent& m = sent.emplace_back();
    m.tagged = random.chance(400);
    const std::uint64_t parts = random.chance(300) ? random.between(2, 6) : 1;
    m.qn = static_cast<std::uint32_t>(parts > 1 ? 0 : random.below(4));
    m.stag = static_cast<std::uint32_t>(random.next());
    const std::uint64_t to = random.next() >> 1;
    if (!m.tagged) m.msn = next_msn[m.qn]++;
    const std::uint8_t opcode = m.tagged ? 0 : 3;
    for (std::uint64_t i = 0; i < parts; ++i) {
      const bool last = i + 1 == parts;
      const auto octets = static_cast<std::uint32_t>(parts == 1 ? random.below(3) * 50 : random.between(1, 200));
      if (m.tagged) {
        part(m, T{.stag = m.stag, .to = to + m.length, .octets = octets, .last = last, .opcode = opcode}, i == 0);
      } else {
        part(m,
             U{.qn = m.qn,
               .msn = m.msn,
               .mo = static_cast<std::uint32_t>(m.length),
               .octets = octets,
               .last = last,
               .opcode = opcode},
             i == 0);
      }
      m.length += octets;
    }
  }
};

std::map<std::uint64_t, MessageEnd> ends_of(const Recorder& out) {
  std::map<std::uint64_t, MessageEnd> ends;
  for (const MessageEnd& e : out.ends) EXPECT_TRUE(ends.emplace(e.message, e).second) << "ended twice";
  return ends;
}

TEST(DdpReassemblerRandom, RightTrafficWithoutLossIsRecoveredWhole) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    Traffic t{seed, 0, 0};
    for (int i = 0; i < 60; ++i) t.message();
    t.line.finish(true);
    ASSERT_EQ(t.line.codes(), "") << seed;
    const auto ends = ends_of(t.line.out);
    ASSERT_EQ(ends.size(), t.sent.size());
    for (const Sent& m : t.sent) {
      const MessageEnd& end = ends.at(m.index.value());
      EXPECT_EQ(end.length, m.length);
      EXPECT_EQ(end.ddp_segments, m.parts);
      EXPECT_TRUE(end.complete);
    }
  }
}

TEST(DdpReassemblerRandom, LossAndCutsNeverBlameTheSenderNorInventAWholeMessage) {
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    Traffic t{seed, 150, 100};
    for (int i = 0; i < 60; ++i) t.message();
    t.line.finish(!t.lost);
    ASSERT_EQ(t.line.codes(), "") << seed;
    const auto ends = ends_of(t.line.out);
    ASSERT_EQ(ends.size(), t.line.in.messages());
    for (const Sent& m : t.sent) {
      if (!m.index) continue;
      const MessageEnd& end = ends.at(*m.index);
      const bool whole = m.seen == m.parts && m.damaged == 0;
      if (!whole) {
        EXPECT_FALSE(end.complete) << seed;
      }
      if (whole && (!m.tagged || !m.after_gap_start)) {
        EXPECT_TRUE(end.complete) << seed;
      }
      if (!m.tagged && m.first_seen && m.last_seen) {
        EXPECT_TRUE(end.length_certain) << seed;
        EXPECT_EQ(end.length, m.length) << seed;
      }
    }
  }
}

/// What must hold of any input: messages are numbered without a hole, have one first DDP segment, end once, after their
/// last DDP segment, with the octets of their DDP segments or more, and a slot holds one at a time.
void expect_sound(const Line& line) {
  std::map<std::uint64_t, std::uint64_t> octets, parts;
  std::set<std::uint64_t> begun;
  for (const Segment& s : line.out.segments) {
    if (s.first_of_message) {
      EXPECT_EQ(s.message, begun.size());
    }
    if (s.first_of_message) {
      EXPECT_TRUE(begun.insert(s.message).second);
    }
    EXPECT_TRUE(begun.contains(s.message));
    EXPECT_LE(s.starts_message, s.first_of_message);
    octets[s.message] += s.payload_length;
    ++parts[s.message];
  }
  EXPECT_EQ(begun.size(), line.in.messages());
  const auto ends = ends_of(line.out);
  EXPECT_EQ(ends.size(), begun.size());
  for (const auto& [index, end] : ends) {
    EXPECT_EQ(end.ddp_segments, parts[index]);
    EXPECT_GE(end.length, octets[index]);
    EXPECT_LE(end.complete, end.length_certain);
  }
}

TEST(DdpReassemblerRandom, AnyInputGivesSoundMessages) {
  for (std::uint64_t seed = 1; seed <= 500; ++seed) {
    Line line;
    synth::Random r{seed};
    for (int i = 0; i < 120; ++i) {
      const How how{.intact = !r.chance(100),
                    .after_gap = r.chance(50),
                    .captured = r.chance(100) ? static_cast<std::size_t>(r.below(30)) : ~std::size_t{0}};
      const auto octets = static_cast<std::uint32_t>(r.below(3) * 10);
      const auto version = static_cast<std::uint8_t>(r.chance(50) ? r.below(4) : 1);
      const auto opcode = static_cast<std::uint8_t>(r.chance(200) ? 7 : 3);
      if (r.chance(100)) {
        line.octets(r.octets(r.below(24) + 1), how);
      } else if (r.chance(500)) {
        line.send(U{.qn = static_cast<std::uint32_t>(r.below(6)),
                    .msn = static_cast<std::uint32_t>(r.below(4)),
                    .mo = static_cast<std::uint32_t>(r.below(4) * 10),
                    .octets = octets,
                    .last = r.chance(500),
                    .opcode = opcode,
                    .version = version},
                  how);
      } else {
        line.send(T{.stag = static_cast<std::uint32_t>(r.below(2)),
                    .to = r.below(4) * 10,
                    .octets = octets,
                    .last = r.chance(400),
                    .opcode = static_cast<std::uint8_t>(r.below(2)),
                    .version = version},
                  how);
      }
    }
    line.finish(r.chance(500));
    expect_sound(line);
    ASSERT_FALSE(testing::Test::HasFailure()) << seed;
  }
}

}  // namespace
}  // namespace iwarpscope::ddp::test
