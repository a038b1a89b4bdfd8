// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Correct ends are never blamed, over any network and by any capture of it: random exchanges of several
// connections with one responder, whose memory is kept as a real one's would be.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "support/analysis.h"
#include "support/rounds.h"
#include "synth/connection.h"
#include "synth/random.h"

namespace iwarpscope::test {
namespace {

using synth::Buffer;
using synth::Connection;
using synth::Packing;
using synth::Random;
using synth::Side;
using synth::wire::AtomicOperation;

constexpr Side kSides[] = {Side::initiator, Side::responder};
constexpr std::size_t kRegion = 4096;
constexpr std::uint64_t kBase = 0x7F0000001000;
constexpr std::uint32_t kWords = 0x5300;  // the STag that atomics work on

/// How the exchange is seen.
struct Tap {
  synth::Impairment impairment{};
  bool joins_late = false, ends_early = false, one_sided = false, merged_out_of_order = false;
  std::int64_t skew_ns = 0;     ///< frames of one side come up to so much later
  std::int64_t queue_ns = 0;    ///< a capture queue for each side takes up to so long to hand a frame on
  std::size_t snap_length = 0;  ///< 0: whole frames
};

class Exchange {
 public:
  Exchange(std::uint64_t seed, const Tap& tap) : random_(seed), tap_(tap) {
    const std::size_t count = random_.between(1, 3);
    for (std::size_t i = 0; i < count; ++i) open(i, seed);
  }

  synth::Frames play() {
    for (std::uint64_t n = random_.between(20, 120); n > 0; --n) step();
    for (Session& s : sessions_) {
      for (const Side side : kSides) {
        while (!s.asked[synth::index(side)].empty()) answer(s, side);
      }
      if (random_.chance(700)) s.c->close();
    }
    return seen();
  }

 private:
  struct Asked {
    bool atomic = false;
    synth::wire::ReadRequest read;
  };
  struct Session {
    std::unique_ptr<Connection> c;
    std::array<std::deque<Asked>, 2> asked;           ///< by who asked, oldest first
    std::array<std::vector<std::uint32_t>, 2> stags;  ///< of the buffers of each side that its peer may use
  };
  using Region = std::array<std::byte, kRegion>;

  void open(std::size_t i, std::uint64_t seed) {
    synth::ConnectionOptions options;
    const std::string address = fmt::format("10.0.0.{}", 10 + i);
    options.initiator.address = address.c_str();
    options.initiator.port = static_cast<std::uint16_t>(40000 + i);
    options.initiator.ack_every = static_cast<unsigned>(random_.between(1, 4));
    options.seed = seed + i;
    options.clock = &clock_;
    Session& s = sessions_.emplace_back();
    s.c = std::make_unique<Connection>(options);
    if (i != 0) s.c->share_memory(*sessions_.front().c);
    s.c->impair([&] {
      synth::Impairment impairment = tap_.impairment;
      impairment.seed = seed * 8 + i;
      return impairment;
    }());
    if (tap_.one_sided) s.c->capture_only(random_.chance(500) ? Side::initiator : Side::responder);
    s.c->connect();
    s.c->startup({.crc = random_.chance(700), .markers = random_.chance(300)});
    s.c->flush();
    s.c->send(Side::initiator, 64);
    s.c->flush();
    for (const Side side : kSides) {
      for (int k = 0; k < 2; ++k) s.stags[synth::index(side)].push_back(next_stag());
    }
  }

  std::uint32_t next_stag() { return static_cast<std::uint32_t>(random_.next() | 1U); }
  Region& region(Side owner, const Session& s, std::uint32_t stag) {
    // All connections end at one responder; each has an initiator of its own.
    const std::size_t host = owner == Side::responder ? 0 : static_cast<std::size_t>(&s - sessions_.data()) + 1;
    return memory_[{host, stag}];
  }
  std::uint32_t pick(Session& s, Side owner) {
    std::vector<std::uint32_t>& stags = s.stags[synth::index(owner)];
    return stags[random_.below(stags.size())];
  }

  void step() {
    Session& s = sessions_[random_.below(sessions_.size())];
    const Side side = random_.chance(650) ? Side::initiator : Side::responder;
    switch (random_.below(10)) {
      case 0:
      case 1: say(s, side); break;
      case 2:
      case 3: write(s, side); break;
      case 4: read(s, side); break;
      case 5:
      case 6: atomic(s); break;
      case 7: answer(s, side); break;
      case 8: invalidate(s, side); break;
      default: repack(*s.c); s.c->wait(static_cast<std::int64_t>(random_.below(2'000'000)));
    }
  }

  void say(Session& s, Side side) {
    if (random_.chance(200)) {
      s.c->immediate(side, random_.next(), random_.chance(500));
    } else {
      s.c->send(side, random_.between(0, 3000));
    }
    s.c->flush();
    // The software that gets it may change any of its buffers.
    const Side owner = synth::peer(side);
    Region& changed = region(owner, s, pick(s, owner));
    if (random_.chance(500)) changed[random_.below(kRegion)] = static_cast<std::byte>(random_.below(256));
  }

  void write(Session& s, Side side) {
    const Side owner = synth::peer(side);
    const std::uint32_t stag = pick(s, owner);
    const std::uint64_t to = random_.below(kRegion - 1);
    const Buffer octets = random_.octets(random_.between(0, std::min<std::uint64_t>(kRegion - to, 2500)));
    s.c->write(side, STag{stag}, TaggedOffset{kBase + to}, octets);
    s.c->flush();
    std::copy(octets.begin(), octets.end(), region(owner, s, stag).begin() + static_cast<std::ptrdiff_t>(to));
  }

  void read(Session& s, Side side) {
    auto& asked = s.asked[synth::index(side)];
    if (asked.size() >= 8) return answer(s, side);
    const std::uint64_t from = random_.below(kRegion - 1);
    const auto size = static_cast<std::uint32_t>(random_.between(0, std::min<std::uint64_t>(kRegion - from, 2500)));
    const synth::wire::ReadRequest request{.sink_stag = STag{next_stag()},
                                           .sink_to = TaggedOffset{random_.below(1 << 20)},
                                           .size = size,
                                           .source_stag = STag{pick(s, synth::peer(side))},
                                           .source_to = TaggedOffset{kBase + from}};
    s.c->read_request(side, request);
    s.c->flush();
    asked.push_back({false, request});
  }

  void atomic(Session& s) {
    auto& asked = s.asked[synth::index(Side::initiator)];
    if (asked.size() >= 8) return answer(s, Side::initiator);
    synth::wire::AtomicRequest request{.remote_stag = STag{kWords}, .remote_to = TaggedOffset{random_.below(3) * 8}};
    if (random_.chance(500)) {
      request.data = random_.below(5);
    } else {
      request.operation = AtomicOperation::cmp_swap;
      request.data = random_.below(5);
      request.mask = ~std::uint64_t{0};
      request.compare = random_.below(5);
    }
    s.c->atomic_request(Side::initiator, request);
    s.c->flush();
    asked.push_back({true, {}});
  }

  /// The oldest request of `side` is carried out and answered.
  void answer(Session& s, Side side) {
    auto& asked = s.asked[synth::index(side)];
    if (asked.empty()) return;
    const Asked oldest = asked.front();
    asked.pop_front();
    const Side owner = synth::peer(side);
    if (oldest.atomic) {
      s.c->atomic_response(owner);
    } else {
      const Region& from = region(owner, s, oldest.read.source_stag.value);
      const auto at = static_cast<std::ptrdiff_t>(oldest.read.source_to.value - kBase);
      s.c->read_response(owner, Buffer(from.begin() + at, from.begin() + at + oldest.read.size));
    }
    s.c->flush();
  }

  /// The peer gives up a buffer of `owner`; reads from it must be over. Its owner makes a new one.
  void invalidate(Session& s, Side owner) {
    const Side side = synth::peer(owner);
    while (!s.asked[synth::index(side)].empty()) answer(s, side);
    std::uint32_t& stag = s.stags[synth::index(owner)][0];
    s.c->send_invalidate(side, STag{stag}, 20);
    s.c->flush();
    stag = next_stag();
  }

  void repack(Connection& c) {
    switch (random_.below(4)) {
      case 0: c.packing(Packing::fpdu_per_tcp_segment); break;
      case 1: c.packing(Packing::packed); break;
      case 2: c.packing(Packing::cut, {random_.between(1, 60), random_.between(20, 900)}); break;
      default: c.packing(Packing::crc_alone);
    }
  }

  synth::Frames seen() {
    synth::Frames all;
    for (Session& s : sessions_) {
      synth::Frames frames = s.c->frames();
      std::move(frames.begin(), frames.end(), std::back_inserter(all));
    }
    sort(all);
    move_in_time(all);
    if (tap_.merged_out_of_order) {
      for (std::size_t k = 0; k + 1 < all.size(); ++k) {
        if (random_.chance(100) && all[k + 1].time_ns - all[k].time_ns < 200'000) std::swap(all[k], all[k + 1]), ++k;
      }
    }
    if (tap_.joins_late) all.erase(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(random_.below(all.size())));
    if (tap_.ends_early) all.resize(random_.between(1, all.size()));
    if (tap_.snap_length != 0) {
      for (synth::Frame& f : all) f.octets.resize(std::min(f.octets.size(), tap_.snap_length));
    }
    return all;
  }

  static void sort(synth::Frames& all) {
    std::stable_sort(all.begin(), all.end(),
                     [](const synth::Frame& x, const synth::Frame& y) { return x.time_ns < y.time_ns; });
  }
  /// By its IPv4 source, as the connections have it: all have one responder.
  static bool is_of_responder(const synth::Frame& frame) { return frame.octets.at(29) == std::byte{2}; }
  void move_in_time(synth::Frames& all) {
    if (tap_.skew_ns != 0) {
      const auto skew = static_cast<std::int64_t>(random_.below(static_cast<std::uint64_t>(tap_.skew_ns)));
      const bool responder = random_.chance(500);
      for (synth::Frame& f : all) f.time_ns += is_of_responder(f) == responder ? skew : 0;
    }
    std::array<std::int64_t, 2> last{};
    for (synth::Frame& f : all) {
      if (tap_.queue_ns == 0) break;
      std::int64_t& free = last[static_cast<std::size_t>(is_of_responder(f))];
      const auto late = static_cast<std::int64_t>(random_.below(static_cast<std::uint64_t>(tap_.queue_ns)));
      free = f.time_ns = std::clamp(free, f.time_ns + (random_.chance(100) ? late : 0), f.time_ns + tap_.queue_ns);
    }
    sort(all);
  }

  Random random_;
  Tap tap_;
  synth::Clock clock_;
  std::vector<Session> sessions_;
  std::map<std::pair<std::size_t, std::uint32_t>, Region> memory_;
};

/// What a peer is blamed for: errors, and warnings that are not about the path or the capture.
std::string accusations(const Report& report, bool skewed = false) {
  std::string all;
  for (const findings::Finding& f : report.findings) {
    // Operations of several connections are put in order by the times at which they passed the tap.
    if (skewed && f.id == findings::FindingId::rdmap_atomics_not_linearizable) continue;
    const findings::Rule& rule = findings::rule(f.id);
    const bool accuses = rule.about == findings::About::peer && rule.severity != findings::Severity::note;
    if (accuses || rule.severity == findings::Severity::error) all += fmt::format("{}: {}\n", rule.code, f.text);
  }
  return all;
}

void expect_correct(const Tap& tap, std::uint64_t seeds = 250) {
  if (const char* more = std::getenv("IWARPSCOPE_SEEDS")) seeds = std::stoull(more);
  seeds = rounds(seeds);
  std::uint64_t messages = 0, verified = 0;
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    const Report report = analyze(Exchange(seed, tap).play());
    ASSERT_EQ(accusations(report), "") << "seed " << seed;
    messages += report.messages.size();
    for (const qp::MessageRecord& m : report.messages) {
      const auto* atomic = std::get_if<qp::AtomicResponseDetail>(&m.detail);
      if (atomic == nullptr) continue;
      ASSERT_TRUE(atomic->verdict) << "seed " << seed;
      EXPECT_NE(*atomic->verdict, "inconsistent") << "seed " << seed;
      if (*atomic->verdict == "verified") ++verified;
    }
  }
  if (tap.snap_length != 0) return;
  EXPECT_GT(messages, 10 * seeds);
  if (!tap.one_sided && !tap.joins_late) {
    EXPECT_GT(verified, seeds / 4);
  }
}

/// What was exchanged, whatever the order and the time in which it passed the tap.
std::vector<std::string> exchanged(const Report& report) {
  std::vector<std::string> all;
  for (const qp::MessageRecord& m : report.messages) {
    all.push_back(fmt::format("{}:{} {} {} {} {} {}", report.qps.at(m.qp).a.port, index(m.direction), m.index,
                              static_cast<int>(m.opcode), m.length, m.complete,
                              m.sha256 ? to_u8((*m.sha256)[0]) * 256 + to_u8((*m.sha256)[1]) : -1));
  }
  std::sort(all.begin(), all.end());
  return all;
}

/// The verdicts and the ends they blame.
std::vector<std::string> judged(const Report& report) {
  std::vector<std::string> all;
  for (const qp::QpRecord& q : report.qps) {
    if (q.verdict) all.push_back(fmt::format("{}: {} {}", q.a.port, q.verdict->code, name(q.verdict->blame)));
  }
  std::sort(all.begin(), all.end());
  return all;
}

/// Frames that come up to 10 ms later than others change nothing of what is said.
void expect_the_same(const Tap& moved, std::uint64_t seeds = 150) {
  if (const char* more = std::getenv("IWARPSCOPE_SEEDS")) seeds = std::stoull(more);
  seeds = rounds(seeds);
  const analysis::Options options{.messages = true, .digest = true};
  Tap straight = moved;
  straight.skew_ns = straight.queue_ns = 0;
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    const Report before = analyze(Exchange(seed, straight).play(), options);
    const Report after = analyze(Exchange(seed, moved).play(), options);
    ASSERT_EQ(accusations(after, true), "") << "seed " << seed;
    ASSERT_EQ(after.count(findings::FindingId::capture_gap), 0U) << "seed " << seed << ' ' << after.codes();
    ASSERT_EQ(exchanged(after), exchanged(before)) << "seed " << seed << ' ' << after.codes();
    ASSERT_EQ(judged(after), judged(before)) << "seed " << seed << ' ' << after.codes();
  }
}

std::uint64_t octets_missed(const Report& report) {
  std::uint64_t all = 0;
  for (const qp::QpRecord& q : report.qps) {
    for (const qp::DirectionRecord& d : q.directions) all += d.capture_gap_octets;
  }
  return all;
}

/// A frame that the capture missed costs its own octets, however late the frames of one side come.
void expect_to_miss_no_more(const Tap& moved, std::uint64_t seeds = 150) {
  if (const char* more = std::getenv("IWARPSCOPE_SEEDS")) seeds = std::stoull(more);
  seeds = rounds(seeds);
  Tap straight = moved;
  straight.skew_ns = straight.queue_ns = 0;
  std::uint64_t missed = 0;
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    const Report before = analyze(Exchange(seed, straight).play());
    const Report after = analyze(Exchange(seed, moved).play());
    ASSERT_EQ(accusations(after, true), "") << "seed " << seed;
    // Less, where a lost startup lets the later side begin elsewhere.
    ASSERT_LE(octets_missed(after), octets_missed(before)) << "seed " << seed << ' ' << after.codes();
    ASSERT_GE(after.messages.size(), before.messages.size()) << "seed " << seed << ' ' << after.codes();
    missed += octets_missed(before);
  }
  EXPECT_GT(missed, 100 * seeds);
}

constexpr synth::Impairment kBadNetwork{
    .lose_before_tap = 40, .lose_after_tap = 40, .hold_back = 60, .retransmit = 40, .corrupt = 20};

TEST(CorrectExchange, OverAGoodNetwork) {
  expect_correct({});
}
TEST(CorrectExchange, LostReorderedRepeatedAndDamaged) {
  expect_correct({.impairment = kBadNetwork});
}
TEST(CorrectExchange, MirroredTwice) {
  expect_correct({.impairment = {.lose_after_tap = 20, .mirror_duplicate = 300}});
}
TEST(CorrectExchange, WithHolesInTheCapture) {
  expect_correct({.impairment = {.lose_after_tap = 20, .miss = 60, .hold_back = 20}});
}
TEST(CorrectExchange, JoinedLateAndLeftEarly) {
  expect_correct({.impairment = {.lose_after_tap = 20}, .joins_late = true, .ends_early = true});
}
TEST(CorrectExchange, LeftEarly) {
  expect_correct({.ends_early = true});
}
TEST(CorrectExchange, SeenFromOneSide) {
  expect_correct({.impairment = {.lose_after_tap = 20, .miss = 20}, .one_sided = true});
}
TEST(CorrectExchange, PortsMergedOutOfOrder) {
  expect_correct({.merged_out_of_order = true});
}
TEST(CorrectExchange, CutBySnapLengths) {
  for (const std::size_t snap : {60U, 80U, 100U, 128U, 400U, 1000U}) expect_correct({.snap_length = snap}, 40);
}
constexpr std::int64_t kTenMilliseconds = 10'000'000;

TEST(CorrectExchange, OneSideLaterThanTheOther) {
  expect_the_same({.skew_ns = kTenMilliseconds});
}
TEST(CorrectExchange, TwoQueuesOneForEachSide) {
  expect_the_same({.queue_ns = kTenMilliseconds});
}
TEST(CorrectExchange, TwoQueuesAndTwoPorts) {
  expect_the_same({.skew_ns = kTenMilliseconds / 2, .queue_ns = kTenMilliseconds / 2});
}
TEST(CorrectExchange, OneSideLaterWithHolesInTheCapture) {
  expect_to_miss_no_more({.impairment = {.miss = 10}, .skew_ns = kTenMilliseconds});
}
TEST(CorrectExchange, AllOfItAtOnce) {
  synth::Impairment all = kBadNetwork;
  all.miss = 30;
  all.mirror_duplicate = 40;
  expect_correct({.impairment = all, .joins_late = true, .ends_early = true, .merged_out_of_order = true});
}

}  // namespace
}  // namespace iwarpscope::test
