// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Ordinary lives of TCP connections under faultless iWARP: neither end may be blamed, and every message is found.
#include <algorithm>

#include "shared/analysis/situation.h"

namespace iwarpscope::test {
namespace {

using synth::Effect;
using synth::TcpSegment;

class OrdinaryConnection : public Situation {};

TEST_P(OrdinaryConnection, OffloadSizedTcpSegmentsBlameNoEnd) {
  for (const std::size_t size : {9000U, 64000U}) {
    Connection c({.initiator = {.checksum = synth::wire::Checksum::pseudo_header_only}});
    c.connect();
    c.startup(startup());
    c.packing(Packing::offload, {size});
    messages(c);
    c.close();
    const Report report = expect_blameless(c.frames(), fmt::format("{} octets", size));
    ASSERT_EQ(report.qps.size(), 1U);
    EXPECT_EQ(report.qps[0].directions[0].incomplete_messages, 0U);
  }
}

TEST_P(OrdinaryConnection, KeepAlivesBlameNoEnd) {
  for (const bool startup_seen : {true, false}) {
    Connection c;
    c.capture(startup_seen);
    open(c);
    c.capture(true);
    c.keep_alive(kI, true);
    messages(c);
    c.wait(7'200'000'000'000);
    c.keep_alive(kI);
    c.keep_alive(kR, true);
    messages(c);
    c.close();
    expect_blameless(c.frames(), fmt::format("startup {}", startup_seen));
  }
}

TEST_P(OrdinaryConnection, EveryWayToCloseBlamesNoEnd) {
  const auto after_messages = [this](const auto& end, const char* what) {
    Connection c;
    open(c);
    messages(c);
    end(c);
    expect_blameless(c.frames(), what);
  };
  after_messages([](Connection& c) { c.close(kR); }, "closed by the Responder");
  after_messages([](Connection& c) { c.close(), c.reset(kI), c.reset(kR); }, "reset after both FINs");
  after_messages([](Connection& c) { c.fin(kI), c.reset(kR); }, "reset after one FIN");
  after_messages([](Connection& c) { c.reset(kI); }, "reset");
  after_messages([](Connection& c) { c.fin(kI), c.send(kR, 4000), c.fin(kR); }, "half-closed");
}

TEST_P(OrdinaryConnection, SimultaneousCloseBlamesNoEnd) {
  Connection c;
  open(c);
  messages(c);
  c.close();
  std::vector<TcpSegment*> fins;
  for (TcpSegment& t : c.tcp_segments()) {
    if ((t.flags & synth::wire::kFin) != 0) fins.push_back(&t);
  }
  ASSERT_EQ(fins.size(), 2U);
  fins[1]->acknowledgment = fins[0]->sequence;
  expect_blameless(c.frames(), "simultaneous close");
}

TEST_P(OrdinaryConnection, RepeatedSynsAndStartupFramesBlameNoEnd) {
  Connection c;
  c.packing(GetParam().packing);
  c.connect();
  c.channel(kI, Effect::retransmit, {.delay = 0});
  c.channel(kR, Effect::retransmit, {.delay = 2});
  c.startup(startup());
  messages(c);
  c.close();
  auto& tcp = c.tcp_segments();
  const TcpSegment syn = tcp[0];
  tcp.insert(tcp.begin(), syn);
  tcp.front().time_ns -= 1'000'000'000;
  const TcpSegment syn_ack = tcp[2];
  tcp.insert(tcp.begin() + 2, syn_ack);
  const Report report = expect_blameless(c.frames(), "repeated");
  EXPECT_EQ(report.qps.size(), 1U);
}

TEST_P(OrdinaryConnection, RequestInTheSynIsRead) {
  Connection c;
  open(c);
  messages(c);
  c.close();
  auto& tcp = c.tcp_segments();
  const auto request = std::find_if(tcp.begin(), tcp.end(), [](const TcpSegment& t) { return !t.payload.empty(); });
  ASSERT_NE(request, tcp.end());
  tcp[0].payload = request->payload;
  tcp[1].acknowledgment += static_cast<std::uint32_t>(request->payload.size());
  tcp[2].sequence = tcp[1].acknowledgment;
  tcp.erase(request);
  const Report report = expect_blameless(c.frames(), "fast open");
  ASSERT_EQ(report.qps.size(), 1U);
  EXPECT_FALSE(report.qps[0].joined_midstream);
}

TEST_P(OrdinaryConnection, PortsUsedAgainGiveAQueuePairEach) {
  for (const bool closed : {true, false}) {
    Connection c;
    open(c);
    messages(c);
    for (int i = 0; i < 3; ++i) {
      if (closed) c.close();
      c.reuse_ports();
      open(c);
      messages(c);
    }
    const Report report = expect_blameless(c.frames(), fmt::format("closed {}", closed));
    EXPECT_EQ(report.qps.size(), 4U);
  }
}

TEST_P(OrdinaryConnection, RarePureAcknowledgmentsAndOtherMssBlameNoEnd) {
  const synth::Endpoint jumbo{.mss = 8960, .ack_every = 8};
  const synth::Endpoint small{.address = "10.0.0.2", .port = 5000, .mss = 536, .timestamps = false, .ack_every = 0};
  Connection c({.initiator = jumbo, .responder = small});
  open(c);
  messages(c);
  c.close();
  expect_blameless(c.frames(), "delayed");
}

TEST_P(OrdinaryConnection, SequenceNumbersThatWrapUnderLossBlameNoEnd) {
  Connection c(
      {.initiator = {.isn = 0xFFFFFE00}, .responder = {.address = "10.0.0.2", .port = 5000, .isn = 0xFFFFF000}});
  open(c);
  c.impair({.seed = 3, .lose_before_tap = 50, .lose_after_tap = 50, .hold_back = 50});
  messages(c, 6);
  c.close();
  const Report report = expect_blameless(c.frames(), "wrap");
  ASSERT_EQ(report.qps.size(), 1U);
  EXPECT_EQ(report.qps[0].directions[0].incomplete_messages + report.qps[0].directions[1].incomplete_messages, 0U);
}

INSTANTIATE_TEST_SUITE_P(, OrdinaryConnection, testing::ValuesIn(forms()), name_of);

}  // namespace
}  // namespace iwarpscope::test
