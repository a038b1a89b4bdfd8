// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Capture by AF_XDP on a virtual cable, and the ring that takes its place where it is not available.
#include <net/if.h>

#include <chrono>
#include <memory>
#include <set>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/octets.h"
#include "capture/intake.h"
#include "capture/link.h"
#include "capture/ring_socket.h"
#include "capture/xdp_program.h"
#include "capture/xdp_socket.h"
#include "live.h"

namespace iwarpscope::capture::test {
namespace {

using std::chrono::steady_clock;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

class Xdp : public Live {
 protected:
  void SetUp() override {
    Live::SetUp();
    if (IsSkipped()) return;
    const auto program = XdpProgram::attach(::if_nametoindex("rx"), 1, false);
    if (!program) GTEST_SKIP() << "This test needs AF_XDP: " << program.error();
  }
  static IntakeOptions xdp_of(const std::string& name, unsigned workers = 1) {
    IntakeOptions options = capture_of(name, workers);
    options.interfaces[0].method = Method::xdp;
    return options;
  }
  static tl::expected<std::unique_ptr<XdpSocket>, std::string> socket_of(const InterfaceOptions& options) {
    const auto path = LinkQuery::open()->receive_path(options.name);
    auto program = XdpProgram::attach(::if_nametoindex(options.name.c_str()), path.queues, false);
    if (!program) return tl::unexpected(program.error());
    return XdpSocket::open(options, {*program, {0}, path.mtu + 26});
  }
  /// A ring captures, and a warning has these words.
  void expect_ring(const std::string& because) {
    const auto intake = open(xdp_of("rx"));
    Taker taker(*intake);
    intake->start();
    Sender("tx").send({.sequence = 7});
    ASSERT_TRUE(taker.until_count(1));
    EXPECT_EQ(taker.counters().method, "ring");
    EXPECT_TRUE(taker.warned(because));
  }
  static std::int64_t now_ns() {
    return std::chrono::nanoseconds(std::chrono::system_clock::now().time_since_epoch()).count();
  }
};

TEST_F(Xdp, FramesComeWholeInOrderWithTheirTimes) {
  const auto intake = open(xdp_of("rx"));
  Taker taker(*intake);
  intake->start();
  const Sender sender("tx");
  const std::int64_t before = now_ns();
  constexpr std::uint64_t kFrames = 3000;
  for (std::uint64_t i = 0; i < kFrames; ++i) sender.send({.sequence = i, .octets = 62 + i % 1400});
  sender.send({.sequence = kFrames, .vlan = 0x6123});
  ASSERT_TRUE(taker.until_count(kFrames + 1));
  std::int64_t last = before;
  for (std::uint64_t i = 0; i < kFrames; ++i) {
    ASSERT_EQ(taker.frames[i].octets, make_frame({.sequence = i, .octets = 62 + i % 1400}));
    ASSERT_GE(taker.frames[i].time_ns, last);
    last = taker.frames[i].time_ns;
  }
  EXPECT_LE(last, now_ns());
  EXPECT_EQ(taker.frames[kFrames].octets, make_frame({.sequence = kFrames, .vlan = 0x6123}));
  const IntakeCounters counters = taker.counters();
  EXPECT_EQ(counters.method, "xdp-native");
  EXPECT_EQ(counters.time_source, "host-ns");
  EXPECT_EQ(counters.link_type, "EN10MB");
  EXPECT_EQ(lost(counters) + counters.dropped_by_nic, 0u);
  EXPECT_THAT(counters.warnings, IsEmpty());
}

TEST_F(Xdp, TimesAreThoseOfTheFramesAndNotOfTheReading) {
  auto socket = socket_of(xdp_of("rx").interfaces[0]);
  ASSERT_TRUE(socket) << socket.error();
  ASSERT_TRUE((*socket)->accept());
  const Sender sender("tx");
  const auto received = [&](std::uint64_t count) {
    const auto deadline = steady_clock::now() + kForever;
    while ((*socket)->counts().received < count && steady_clock::now() < deadline) continue;
    return (*socket)->counts().received == count;
  };
  sender.send({.sequence = 1});
  ASSERT_TRUE(received(1));
  const std::int64_t between = now_ns();
  sender.send({.sequence = 2});
  ASSERT_TRUE(received(2));
  std::vector<std::int64_t> times;
  ASSERT_EQ((*socket)->read(10, [&](const auto& frame) { times.push_back(frame.time.ns); }).value_or(0), 2u);
  EXPECT_LT(times[0], between);
  EXPECT_GT(times[1], between);
}

TEST_F(Xdp, EveryFrameIsReceivedOrCountedAsDropped) {
  InterfaceOptions options = xdp_of("rx").interfaces[0];
  options.ring_octets = std::size_t{1} << 20;  // 512 frames
  auto socket = socket_of(options);
  ASSERT_TRUE(socket) << socket.error();
  ASSERT_TRUE((*socket)->accept());
  const Sender sender("tx");
  constexpr std::uint64_t kFrames = 2000;
  for (int round = 0; round < 3; ++round) {
    const auto before = (*socket)->counts();
    for (std::uint64_t i = 0; i < kFrames; ++i) sender.send({.sequence = i});
    const auto all = [&] {
      const auto now = (*socket)->counts();
      return now.received + now.dropped - before.received - before.dropped;
    };
    const auto deadline = steady_clock::now() + kForever;
    while (all() < kFrames && steady_clock::now() < deadline) continue;
    EXPECT_EQ(all(), kFrames);
    unsigned read = 0;
    while (const auto count = (*socket)->read(4096, [](const auto&) {}).value_or(0)) read += count;
    EXPECT_EQ(read, 512u);
    EXPECT_EQ(all(), kFrames);
  }
}

TEST_F(Xdp, LossIsCountedOnce) {
  IntakeOptions options = xdp_of("rx");
  options.interfaces[0].ring_octets = std::size_t{1} << 20;
  const auto intake = open(options);
  Taker taker(*intake);
  const Sender sender("tx");
  intake->start();
  constexpr std::uint64_t kFrames = 20'000;
  for (std::uint64_t i = 0; i < kFrames; ++i) sender.send({.sequence = i});
  ASSERT_TRUE(taker.until([&] {
    const IntakeCounters c = taker.counters();
    return c.frames + lost(c) >= kFrames;
  }));
  // Also when the interface is made again, and a ring captures.
  ip("link del dev tx");
  ASSERT_TRUE(taker.until([&] { return !taker.counters().capturing; }));
  make_cable("tx", "rx");
  ASSERT_TRUE(taker.until([&] { return taker.counters().capturing; }));
  Sender("tx").send({.sequence = kFrames});
  ASSERT_TRUE(taker.until([&] { return taker.counters().frames + lost(taker.counters()) > kFrames; }));
  intake->stop();  // the interface's own count is read once more
  ASSERT_TRUE(taker.until_end());
  const IntakeCounters counters = taker.counters();
  EXPECT_EQ(counters.frames + lost(counters) + counters.dropped_by_nic, kFrames + 1);
}

TEST_F(Xdp, FilterHoldsAndChanges) {
  IntakeOptions options = xdp_of("rx");
  options.interfaces[0].filter = "tcp dst port 5000";
  const auto intake = open(options);
  Taker taker(*intake);
  intake->start();
  const Sender sender("tx");
  for (std::uint64_t i = 0; i < 100; ++i) sender.send({.to = static_cast<std::uint16_t>(5000 + i % 2), .sequence = i});
  ASSERT_TRUE(taker.until_count(50));
  intake->set_filter("rx", "tcp dst port 5001");
  // The reader looks for it every 100 ms.
  std::uint64_t sent = 100;
  ASSERT_TRUE(taker.until([&] {
    sender.send({.to = 5001, .sequence = ++sent});
    return taker.frames.size() > 50;
  }));
  for (std::size_t i = 0; i < 50; ++i) EXPECT_EQ(taker.frames[i].octets[37], static_cast<char>(5000 & 0xFF));
  EXPECT_EQ(taker.frames[50].octets[37], static_cast<char>(5001 & 0xFF));
}

TEST_F(Xdp, SnapLengthCutsFrames) {
  IntakeOptions options = xdp_of("rx");
  options.interfaces[0].snap_length = 80;
  const auto intake = open(options);
  Taker taker(*intake);
  intake->start();
  Sender("tx").send({.sequence = 1, .octets = 1000});
  ASSERT_TRUE(taker.until_count(1));
  EXPECT_EQ(taker.frames[0].octets, make_frame({.sequence = 1, .octets = 1000}).substr(0, 80));
  EXPECT_EQ(taker.frames[0].original_length, 1000u);
}

TEST_F(Xdp, FramesOfSeveralPagesComeWhole) {
  ip("link set dev tx mtu 9000");
  ip("link set dev rx mtu 9000");
  const auto intake = open(xdp_of("rx"));
  Taker taker(*intake);
  if (taker.counters().method == "ring") {
    EXPECT_THAT(taker.counters().warnings.at(0), HasSubstr("Linux 6.6"));
    GTEST_SKIP() << taker.counters().warnings[0];
  }
  intake->start();
  const Sender sender("tx");
  constexpr std::uint64_t kFrames = 500;
  for (std::uint64_t i = 0; i < kFrames; ++i) sender.send({.sequence = i, .octets = 62 + i * 17});
  ASSERT_TRUE(taker.until_count(kFrames));
  for (std::uint64_t i = 0; i < kFrames; ++i) {
    ASSERT_EQ(taker.frames[i].octets, make_frame({.sequence = i, .octets = 62 + i * 17}));
  }
}

TEST_F(Xdp, InterfaceWhoseDriverRunsNoProgramsHasItsFramesFromBehindTheDriver) {
  ip("link add link rx name over type macvlan mode passthru");
  ip("link set dev over up");
  const auto intake = open(xdp_of("over"));
  Taker taker(*intake);
  EXPECT_EQ(taker.counters().method, "xdp-generic");
  intake->start();
  Sender("tx").send({.sequence = 7});
  ASSERT_TRUE(taker.until_count(1));
  EXPECT_EQ(taker.frames[0].octets, make_frame({.sequence = 7}));
}

TEST_F(Xdp, QueuesAreSharedByWorkers) {
  ip("link add name tx4 numtxqueues 4 numrxqueues 4 type veth peer name rx4 numtxqueues 4 numrxqueues 4");
  ip("link set dev tx4 up");
  ip("link set dev rx4 up");
  const auto intake = open(xdp_of("rx4", 2));
  Taker taker(*intake);
  EXPECT_THAT(taker.counters().method, StartsWith("xdp-"));
  intake->start();
  const Sender sender("tx4");
  constexpr std::uint64_t kFrames = 2000;
  for (std::uint64_t i = 0; i < kFrames; ++i) sender.send({.from = static_cast<std::uint16_t>(i), .sequence = i});
  ASSERT_TRUE(taker.until_count(kFrames));
  std::set<std::string> different;
  for (const Seen& frame : taker.frames) different.insert(frame.octets);
  EXPECT_EQ(different.size(), kFrames);
}

TEST_F(Xdp, HostGetsTheFramesOnlyBeforeAndAfter) {
  RingSocket host = *RingSocket::open(capture_of("rx").interfaces[0]);
  ASSERT_TRUE(host.accept());
  const Sender sender("tx");
  std::vector<std::string> got;
  const auto look = [&](const CaptureSocket::Captured& frame) {
    got.emplace_back(reinterpret_cast<const char*>(frame.octets.data()), frame.octets.size());
  };
  const auto gets = [&](std::uint64_t sequence) {
    sender.send({.sequence = sequence});
    const auto deadline = steady_clock::now() + kForever;
    const std::string wanted = make_frame({.sequence = sequence});
    while ((got.empty() || got.back() != wanted) && steady_clock::now() < deadline) EXPECT_TRUE(host.read(100, look));
    return !got.empty() && got.back() == wanted;
  };
  {
    const auto intake = open(xdp_of("rx"));
    Taker taker(*intake);
    EXPECT_TRUE(gets(1));
    intake->start();
    sender.send({.sequence = 2});
    ASSERT_TRUE(taker.until_count(1));
    EXPECT_EQ(taker.frames[0].octets, make_frame({.sequence = 2}));
  }
  EXPECT_TRUE(gets(3));
  EXPECT_EQ(got.size(), 2u);
}

TEST_F(Xdp, RingTakesItsPlaceWhereAnotherProgramIsAttached) {
  const auto other = XdpProgram::attach(::if_nametoindex("rx"), 1, false);
  ASSERT_TRUE(other);
  expect_ring("rx: AF_XDP is not available (another XDP program is attached to the interface): a ring");
}

TEST_F(Xdp, RingTakesItsPlaceWhereItIsNotPermitted) {
  const WithoutPrivileges without({CAP_NET_ADMIN, CAP_BPF, CAP_SYS_ADMIN});
  expect_ring("CAP_NET_ADMIN and CAP_BPF");
}

TEST_F(Xdp, RingTakesItsPlaceWhereThereAreTooFewQueues) {
  const auto intake = open(xdp_of("rx", 3));
  Taker taker(*intake);
  EXPECT_EQ(taker.counters().method, "ring");
  EXPECT_TRUE(taker.warned("3 workers need as many receive queues; there is 1"));
}

TEST_F(Xdp, RingCapturesAnInterfaceThatIsMadeAgain) {
  const auto intake = open(xdp_of("rx"));
  Taker taker(*intake);
  {
    const WithoutPrivileges for_the_reader;
    intake->start();
  }
  Sender("tx").send({.sequence = 1});
  ASSERT_TRUE(taker.until_count(1));
  ip("link del dev tx");
  ASSERT_TRUE(taker.until([&] { return !taker.counters().capturing; }));
  make_cable("tx", "rx");
  ASSERT_TRUE(taker.until([&] { return taker.counters().capturing; }));
  EXPECT_EQ(taker.counters().method, "ring");
  Sender("tx").send({.sequence = 2});
  ASSERT_TRUE(taker.until_count(2));
  EXPECT_EQ(taker.frames[1].octets, make_frame({.sequence = 2}));
}

}  // namespace
}  // namespace iwarpscope::capture::test
