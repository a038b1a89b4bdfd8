// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "join/match.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <random>
#include <vector>

#include "kit.h"

namespace iwarpscope::join::test {
namespace {

Matches matched(const std::vector<View>& views, std::optional<std::int64_t> bound = std::nullopt) {
  const std::vector<Tap> taps = two_taps(bound);
  return match(marks(views), taps);
}

TEST(Match, InitialNumbersOfBothDirectionsAreTheSameConnection) {
  const Matches m = matched({view(0), view(1)});
  ASSERT_EQ(m.groups.size(), 1u);
  EXPECT_EQ(m.groups[0].basis, Basis::numbers);
  EXPECT_FALSE(m.groups[0].members[1].swapped);
  EXPECT_TRUE(m.undecided.empty());
}

TEST(Match, EndsMayBeTheOtherWayRound) {
  const Matches m = matched({view(0), turned_round(view(1))});
  ASSERT_EQ(m.groups.size(), 1u);
  EXPECT_TRUE(m.groups[0].members[1].swapped);
}

TEST(Match, OneOtherNumberIsAnotherConnection) {
  for (const Direction d : {Direction::a_to_b, Direction::b_to_a}) {
    View other = view(1);
    other.record.directions[index(d)].sequence = numbers(777, 1000);
    EXPECT_EQ(matched({view(0), other}).groups.size(), 2u);
  }
}

TEST(Match, TheSameTimeWithoutNumbersJoinsNothing) {
  View other = view(1);
  for (qp::DirectionRecord& d : other.record.directions) d.sequence.reset();
  const Matches m = matched({view(0), other}, 0);
  EXPECT_EQ(m.groups.size(), 2u);
  EXPECT_EQ(m.undecided.size(), 2u);
}

/// A view that met the connection in its middle.
View late_view(std::size_t tap, std::uint32_t skipped = 50) {
  View v = view(tap);
  v.record.joined_midstream = true;
  v.record.directions[0].sequence = middle(1001 + skipped, 1000 - skipped);
  v.record.directions[1].sequence = middle(50'001 + skipped, 2000 - skipped);
  return v;
}

TEST(Match, OverlappingNumbersAreLikelyTheSame) {
  const Matches m = matched({view(0), late_view(1)});
  ASSERT_EQ(m.groups.size(), 1u);
  EXPECT_EQ(m.groups[0].basis, Basis::overlap);
}

TEST(Match, OverlapOfOneDirectionIsNotEnough) {
  View other = late_view(1);
  other.record.directions[1].sequence = middle(3'000'000, 2000);
  EXPECT_EQ(matched({view(0), other}).groups.size(), 2u);
}

TEST(Match, PortsThatAreUsedAgainLeaveTheMiddleUndecided) {
  View again = view(0);
  again.record.directions[0].sequence = numbers(5'000'000, 1000);
  again.record.directions[1].sequence = numbers(6'000'000, 1000);
  const Matches m = matched({view(0), again, late_view(1)});
  EXPECT_EQ(m.groups.size(), 3u);
  EXPECT_FALSE(m.undecided.empty());
}

TEST(Match, TwoThatExistedAtOneTimeForCertainAreTheSame) {
  View again = view(0);
  again.record.directions[0].sequence = numbers(5'000'000, 1000);
  again.record.directions[1].sequence = numbers(6'000'000, 1000);
  again.record.first_time = TimePoint{20'000'000'000};
  again.record.last_time = TimePoint{30'000'000'000};
  const Matches m = matched({view(0), again, late_view(1)}, 1'000'000);
  ASSERT_EQ(m.groups.size(), 2u);
  EXPECT_EQ(m.groups[0].basis, Basis::overlap);
}

TEST(Match, OctetsAfterTheFinAreAnotherConnection) {
  View other = late_view(1);
  other.record.directions[0].sequence = middle(1051, 5000);
  EXPECT_EQ(matched({view(0), other}).groups.size(), 2u);
}

TEST(Match, AnotherTimeForCertainIsAnotherConnection) {
  View other = late_view(1);
  other.record.first_time = TimePoint{60'000'000'000};
  other.record.last_time = TimePoint{70'000'000'000};
  EXPECT_EQ(matched({view(0), other}, 1'000'000'000).groups.size(), 2u);
  EXPECT_EQ(matched({view(0), other}, std::nullopt).groups.size(), 1u);
}

TEST(Match, OneDirectionEachIsTheSame) {
  View one = view(0), two = view(1);
  one.record.directions[1].sequence = middle(50'001, 2001);
  one.record.directions[1].sequence->acknowledged_only = true;
  two.record.directions[0].sequence = middle(1001, 1001);
  two.record.directions[0].sequence->acknowledged_only = true;
  const Matches m = matched({one, two});
  ASSERT_EQ(m.groups.size(), 1u);
  EXPECT_EQ(m.groups[0].basis, Basis::numbers);
}

TEST(Match, TranslationOfOneEndIsFound) {
  View other = view(1);
  other.record.a.address = net::IpAddress::v4(0xC0000201);
  const Matches m = matched({view(0), other});
  ASSERT_EQ(m.groups.size(), 1u);
  EXPECT_EQ(m.groups[0].basis, Basis::translated);
}

TEST(Match, TranslationIsNotGuessed) {
  View both = view(1), port = view(1), twice = view(1);
  both.record.a.address = net::IpAddress::v4(0xC0000201);
  both.record.b.address = net::IpAddress::v4(0xC0000202);
  port.record.a = end(0xC0000201, 40001);
  twice.record.a.address = net::IpAddress::v4(0xC0000203);
  View other = view(1);
  other.record.a.address = net::IpAddress::v4(0xC0000201);
  for (const std::vector<View>& views : {std::vector<View>{view(0), both}, {view(0), port}, {view(0), other, twice}}) {
    const Matches m = matched(views);
    EXPECT_EQ(m.groups.size(), views.size());
    EXPECT_FALSE(m.undecided.empty());
  }
}

TEST(Match, SctpTagsAndStreamAreTheSameSession) {
  View one = view(0), two = view(1), third = view(1);
  for (View* v : {&one, &two, &third}) {
    v->record.sctp_stream = 3;
    for (const Direction d : {Direction::a_to_b, Direction::b_to_a}) {
      v->record.directions[index(d)].sequence = qp::SequenceRecord{};
      v->record.directions[index(d)].sequence->tag = 0x11110000u + static_cast<std::uint32_t>(index(d));
      v->record.directions[index(d)].sequence->first = 100;
      v->record.directions[index(d)].sequence->octets = 10;
    }
  }
  third.record.sctp_stream = 4;
  EXPECT_EQ(matched({one, two}).groups.size(), 1u);
  EXPECT_EQ(matched({one, third}).groups.size(), 2u);
  two.record.directions[0].sequence->tag = 5;
  EXPECT_EQ(matched({one, two}).groups.size(), 2u);
}

TEST(Match, AnotherSctpSessionOnTheSameStreamIsNotJoined) {
  View one = view(0), two = view(1);
  for (View* v : {&one, &two}) {
    v->record.sctp_stream = 3;
    for (qp::DirectionRecord& d : v->record.directions) {
      d.sequence = qp::SequenceRecord{7u, v == &one ? 100u : 110u, 10, std::nullopt, false, 0x1111u};
    }
  }
  EXPECT_EQ(matched({one, two}).groups.size(), 2u);
  two.record.directions[0].sequence->first = 109;
  EXPECT_EQ(matched({one, two}).groups.size(), 1u);
}

/// Connections that use the same addresses and ports one after another, as two taps see them.
class Reuse {
 public:
  explicit Reuse(std::uint64_t seed) : random_(seed) {}

  /// `truth_`: which connection each mark is of.
  void add_tuple(std::uint32_t tuple, std::size_t connections) {
    const net::Endpoint a = end(0x0A000000 + tuple, static_cast<std::uint16_t>(32768 + tuple % 28'000));
    const net::Endpoint b = end(0x0B000000, 4420);
    std::int64_t time = 1'000'000'000;
    std::uint32_t secret = draw(), other_secret = draw();
    for (std::size_t i = 0; i < connections; ++i) {
      const std::uint64_t octets = 1 + draw() % 20'000'000;
      const std::int64_t lasts = 1'000'000 + static_cast<std::int64_t>(draw() % 3'000'000'000);
      Mark mark{0, a, b, std::nullopt, {}, TimePoint{time}, TimePoint{time + lasts}, draw() % 4 != 0};
      // RFC 6528: a clock of 4 us, plus a number of these ends.
      mark.sequence = {numbers(secret + static_cast<std::uint32_t>(time / 4000), octets),
                       numbers(other_secret + static_cast<std::uint32_t>(time / 4000), 1 + draw() % 20'000'000)};
      if (draw() % 50 == 0) secret = draw(), other_secret = draw();
      add_views(mark);
      time += lasts + static_cast<std::int64_t>(draw() % 500'000'000);
    }
  }

  struct Result {
    std::size_t wrong = 0, joined = 0;
  };
  [[nodiscard]] Result check(std::optional<std::int64_t> bound) const {
    const std::vector<Tap> taps = two_taps(bound);
    Result result;
    for (const Group& group : match(marks_, taps).groups) {
      if (group.members.size() < 2) continue;
      ++result.joined;
      if (truth_[group.members[0].view] != truth_[group.members[1].view]) ++result.wrong;
    }
    return result;
  }
  [[nodiscard]] std::size_t connections() const { return connections_; }
  [[nodiscard]] std::size_t at_both() const { return at_both_; }

 private:
  std::uint32_t draw() { return static_cast<std::uint32_t>(random_()); }

  /// At one tap, at the other or at both; one of five views met it in its middle, and one of ten misses its end.
  void add_views(const Mark& mark) {
    const std::uint32_t where = draw() % 4;
    for (std::size_t tap = 0; tap < 2; ++tap) {
      if (where == tap) continue;
      Mark seen = mark;
      seen.tap = tap;
      const std::int64_t off = static_cast<std::int64_t>(draw() % 10'000'000) - 5'000'000;  // its clock
      if (draw() % 5 == 0) {
        for (auto& s : seen.sequence) {
          const std::uint64_t skipped = draw() % s->octets;
          s->initial.reset();
          s->first += static_cast<std::uint32_t>(skipped);
          s->octets -= skipped;
        }
      }
      if (!mark.has_ended || draw() % 10 == 0) {
        for (auto& s : seen.sequence) s->fin.reset();
        seen.has_ended = false;
      }
      seen.first_time = TimePoint{mark.first_time.ns + off};
      seen.last_time = TimePoint{mark.last_time.ns + off};
      marks_.push_back(seen);
      truth_.push_back(connections_);
    }
    at_both_ += where >= 2 ? 1u : 0u;
    ++connections_;
  }

  std::mt19937_64 random_;
  std::vector<Mark> marks_;
  std::vector<std::size_t> truth_;
  std::size_t connections_ = 0, at_both_ = 0;
};

TEST(Match, AMillionConnectionsWithReusedPortsAreNeverConfused) {
  Reuse reuse(20);
  for (std::uint32_t tuple = 0; tuple < 50'000; ++tuple) reuse.add_tuple(tuple, 20);
  ASSERT_EQ(reuse.connections(), 1'000'000u);
  for (const std::optional<std::int64_t> bound :
       {std::optional<std::int64_t>{5'000'000}, std::optional<std::int64_t>{}}) {
    const Reuse::Result result = reuse.check(bound);
    EXPECT_EQ(result.wrong, 0u) << (bound ? "bound" : "unknown");
    // Near miss: what both saw from the start or to the end is joined.
    EXPECT_GT(result.joined, reuse.at_both() * 6 / 10);
  }
}

}  // namespace
}  // namespace iwarpscope::join::test
