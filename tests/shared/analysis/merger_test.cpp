// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "analysis/merger.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace iwarpscope::analysis {
namespace {

constexpr auto kAB = Direction::a_to_b;
constexpr auto kBA = Direction::b_to_a;

/// "m3 a0.1" is the message of frame 3, queue pair 0, direction a_to_b, index 1; "f" a finding.
struct Teller final : Observer {
  std::string reported;
  void message(const qp::MessageRecord& m) override {
    reported += fmt::format("m{} {}{}.{} ", m.last_frame.value, m.direction == kAB ? 'a' : 'b', m.qp, m.index);
  }
  void finding(const findings::Finding& f) override {
    reported += f.qp ? fmt::format("f{} {}.{} ", f.frame.value, *f.qp, f.message ? std::to_string(*f.message) : "-")
                     : fmt::format("f{} - ", f.frame.value);
  }
};

Event confirmed(std::uint64_t frame, std::uint32_t shard, std::uint32_t index) {
  return {FrameNumber{frame}, QpPlace{shard, index}, Event::Confirmed{FrameNumber{frame}}};
}
Event message(std::uint64_t frame, std::uint32_t shard, std::uint32_t index, Direction d, std::uint64_t number) {
  qp::MessageRecord m;
  m.direction = d;
  m.index = number;
  m.last_frame = FrameNumber{frame};
  return {FrameNumber{frame}, QpPlace{shard, index}, std::move(m)};
}
Event finding(std::uint64_t frame, std::optional<QpPlace> place, std::optional<std::uint64_t> of = {},
              findings::FindingId id = findings::FindingId::mpa_crc_mismatch) {
  findings::Finding f;
  f.id = id;
  f.frame = FrameNumber{frame};
  f.direction = kAB;
  f.message = of;
  return {FrameNumber{frame}, place, std::move(f)};
}

TEST(Merger, NumbersQueuePairsByTheFrameThatConfirmedThem) {
  Teller teller;
  Merger merger({}, teller);
  Reports reports;
  std::vector<Event>& events = reports.events;
  events.push_back(confirmed(9, 1, 0));
  events.push_back(message(10, 1, 0, kAB, 0));
  events.push_back(confirmed(4, 7, 0));
  events.push_back(message(4, 7, 0, kAB, 0));
  events.push_back(confirmed(6, 1, 1));
  events.push_back(message(12, 1, 1, kBA, 0));
  // A shard confirms in order: its place 0 before its place 1.
  std::swap(events[0], events[4]);
  events[0].qp->index = 0;
  events[4].qp->index = 1;
  events[1].qp->index = 1;
  events[5].qp->index = 0;
  merger.take(reports);
  EXPECT_TRUE(events.empty());
  EXPECT_EQ(merger.qps(), 3u);
  EXPECT_EQ(merger.place(0).shard, 7u);
  EXPECT_EQ(merger.place(1).shard, 1u);
  EXPECT_EQ(merger.place(1).index, 0u);
  EXPECT_EQ(merger.place(2).index, 1u);
  EXPECT_EQ(teller.reported, "m4 a0.0 m10 a2.0 m12 b1.0 ");
}

TEST(Merger, WithinAFrameOrdersByQueuePairDirectionAndIndex) {
  Teller teller;
  Merger merger({}, teller);
  Reports reports;
  std::vector<Event>& events = reports.events;
  events.push_back(confirmed(1, 3, 0));
  events.push_back(confirmed(2, 5, 0));
  merger.take(reports);
  events.push_back(message(8, 5, 0, kBA, 0));
  events.push_back(message(8, 5, 0, kAB, 2));
  events.push_back(finding(8, QpPlace{5, 0}, 2));
  events.push_back(message(8, 5, 0, kAB, 1));
  events.push_back(finding(8, QpPlace{5, 0}));
  events.push_back(message(8, 3, 0, kBA, 4));
  events.push_back(finding(8, std::nullopt));
  events.push_back(message(7, 5, 0, kBA, 9));
  merger.take(reports);
  EXPECT_EQ(teller.reported, "m7 b1.9 f8 - m8 b0.4 m8 a1.1 m8 a1.2 f8 1.2 f8 1.- m8 b1.0 ");
}

/// Queue pairs 0 and 1 add to one word, alternating every 5 ms, and frame 9 sets all of it free.
TEST(Merger, FactsThatOneFrameSetsFreeAreTakenByTheirPlaceAtTheTap) {
  Teller teller;
  Merger merger({}, teller);
  Reports reports;
  reports.events.push_back(confirmed(1, 3, 0));
  reports.events.push_back(confirmed(2, 5, 0));
  const auto at = [](std::uint64_t frame) {
    return emulation::TapPoint{FrameNumber{frame}, TimePoint{static_cast<std::int64_t>(frame) * 5'000'000}};
  };
  const auto tell = [&](std::uint32_t shard, emulation::CrossFact fact) {
    reports.facts.push_back({FrameNumber{9}, at(9).time, QpPlace{shard, 0}, std::move(fact)});
  };
  const auto atomic = [&](std::uint32_t shard, std::uint64_t number, std::uint64_t frame, std::uint64_t original) {
    const emulation::AtomicFunction add{rdmap::AOpCode::fetch_add, 1, 0, 0, ~std::uint64_t{0}};
    const net::IpAddress responder = net::IpAddress::v4(0x0A000002);
    tell(shard, emulation::AtomicRequested{kAB, number, responder, STag{1}, TaggedOffset{0}, add, at(frame)});
    tell(shard, emulation::AtomicResponded{kAB, number, number, original, at(frame + 1), true});
  };
  for (const std::uint64_t turn : {0, 1}) atomic(3, turn, 1 + 4 * turn, 2 * turn);
  tell(3, emulation::StreamEnded{at(6), at(6)});
  for (const std::uint64_t turn : {0, 1}) atomic(5, turn, 3 + 4 * turn, 2 * turn + 1);
  merger.take(reports);
  merger.finish(FrameNumber{9}, at(9).time);
  EXPECT_EQ(teller.reported, "");
}

TEST(Merger, GivesTheSameOrderHoweverShardsDeliver) {
  const auto run = [](bool reversed) {
    Teller teller;
    Merger merger({}, teller);
    std::vector<Event> one, two;
    Reports all;
    one.push_back(confirmed(1, 0, 0));
    two.push_back(confirmed(2, 1, 0));
    for (std::uint64_t f = 3; f < 40; ++f) {
      (f % 3 == 0 ? one : two).push_back(message(f, f % 3 == 0 ? 0 : 1, 0, f % 2 == 0 ? kAB : kBA, f));
      if (f % 5 == 0) (f % 3 == 0 ? one : two).push_back(finding(f, QpPlace{f % 3 == 0 ? 0U : 1U, 0}, f));
    }
    if (reversed) one.swap(two);
    for (auto* events : {&one, &two}) std::move(events->begin(), events->end(), std::back_inserter(all.events));
    merger.take(all);
    return teller.reported;
  };
  EXPECT_EQ(run(false), run(true));
  EXPECT_NE(run(false), "");
}

TEST(Merger, CountsFindingsBySeverityAndRule) {
  Teller teller;
  Merger merger({}, teller);
  Reports reports;
  std::vector<Event>& events = reports.events;
  events.push_back(finding(1, std::nullopt));
  events.push_back(finding(2, std::nullopt));
  events.push_back(finding(3, std::nullopt, {}, findings::FindingId::mpa_crc_off));
  merger.take(reports);
  EXPECT_EQ(merger.counts().errors, 2u);
  EXPECT_EQ(merger.counts().notes, 1u);
  EXPECT_EQ(merger.counts().findings.at("mpa.crc-mismatch"), 2u);
  EXPECT_EQ(merger.counts().findings.at("mpa.crc-off"), 1u);
}

}  // namespace
}  // namespace iwarpscope::analysis
