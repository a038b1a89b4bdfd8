// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include <cstdint>
#include <ctime>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "capture/live_interface.h"
#include "capture/ring_socket.h"
#include "live.h"

namespace iwarpscope::capture::test {
namespace {

using ::testing::IsEmpty;

TEST_F(Live, EveryFrameArrivesInOrderWithItsTimeInNanoseconds) {
  constexpr std::uint64_t kFrames = 3000;
  const auto intake = open(capture_of("rx"));
  Taker taker(*intake);
  intake->start();
  const Sender sender("tx");
  timespec now{};
  ::clock_gettime(CLOCK_REALTIME, &now);
  for (std::uint64_t i = 0; i < kFrames; ++i) sender.send({.sequence = i, .octets = 100 + i % 1000});
  ASSERT_TRUE(taker.until_count(kFrames));
  bool has_nanoseconds = false;
  for (std::uint64_t i = 0; i < kFrames; ++i) {
    const Seen& frame = taker.frames[i];
    ASSERT_EQ(frame.octets, make_frame({.sequence = i, .octets = 100 + i % 1000}));
    ASSERT_EQ(frame.original_length, frame.octets.size());
    ASSERT_EQ(frame.number, i + 1);
    ASSERT_EQ(frame.link, net::LinkType::ethernet);
    has_nanoseconds = has_nanoseconds || frame.time_ns % 1000 != 0;
    ASSERT_GE(frame.time_ns, taker.frames[i == 0 ? 0 : i - 1].time_ns);
  }
  EXPECT_TRUE(has_nanoseconds);
  EXPECT_NEAR(static_cast<double>(taker.frames[0].time_ns) / 1e9, static_cast<double>(now.tv_sec), 60.0);
  EXPECT_TRUE(taker.in_storage);
  const IntakeCounters counters = taker.counters();
  EXPECT_EQ(counters.name, "rx");
  EXPECT_EQ(counters.frames, kFrames);
  EXPECT_EQ(counters.link_type, "EN10MB");
  EXPECT_EQ(counters.snap_length, kLongestSnap);
  EXPECT_EQ(counters.time_source, "host-ns");
  EXPECT_TRUE(counters.up);
  EXPECT_EQ(lost(counters), 0u);
  EXPECT_THAT(counters.warnings, IsEmpty());
}

TEST_F(Live, FramesBeforeStartAreNotGiven) {
  const auto intake = open(capture_of("rx"));
  Taker taker(*intake);
  const Sender sender("tx");
  for (std::uint64_t i = 0; i < 10; ++i) sender.send({.sequence = i});
  intake->start();
  sender.send({.sequence = 10});
  ASSERT_TRUE(taker.until_count(1));
  EXPECT_EQ(taker.frames[0].octets, make_frame({.sequence = 10}));
}

TEST_F(Live, FilterRunsInTheKernel) {
  InterfaceOptions options = capture_of("rx").interfaces[0];
  options.filter = "tcp dst port 5000";
  auto socket = RingSocket::open(options);
  ASSERT_TRUE(socket) << socket.error().cause;
  ASSERT_TRUE(socket->accept());
  const Sender sender("tx");
  for (std::uint64_t i = 0; i < 100; ++i) sender.send({.to = static_cast<std::uint16_t>(5000 + i % 2), .sequence = i});
  const auto deadline = steady_clock::now() + kForever;
  unsigned seen = 0;
  while (seen < 50 && steady_clock::now() < deadline) {
    const auto count = socket->read(
        1000, [](const CaptureSocket::Captured& frame) { EXPECT_EQ(to_u8(frame.octets[37]), 5000 & 0xFF); });
    ASSERT_TRUE(count);
    seen += *count;
  }
  EXPECT_EQ(seen, 50u);
  EXPECT_EQ(socket->counts().received, 50u);  // the ring never held the others
}

TEST_F(Live, VlanTagIsKept) {
  const auto intake = open(capture_of("rx"));
  Taker taker(*intake);
  intake->start();
  const Sender sender("tx");
  sender.send({.sequence = 1, .vlan = 0x6123});
  sender.send({.sequence = 2});
  ASSERT_TRUE(taker.until_count(2));
  EXPECT_EQ(taker.frames[0].octets, make_frame({.sequence = 1, .vlan = 0x6123}));
  EXPECT_EQ(taker.frames[0].original_length, 100u);
  EXPECT_EQ(taker.frames[1].octets, make_frame({.sequence = 2}));
}

TEST_F(Live, SnapLengthCutsFrames) {
  IntakeOptions options = capture_of("rx");
  options.interfaces[0].snap_length = 80;
  const auto intake = open(options);
  Taker taker(*intake);
  intake->start();
  const Sender sender("tx");
  sender.send({.sequence = 1, .octets = 1000});
  sender.send({.sequence = 2, .octets = 70});
  ASSERT_TRUE(taker.until_count(2));
  EXPECT_EQ(taker.frames[0].octets, make_frame({.sequence = 1, .octets = 1000}).substr(0, 80));
  EXPECT_EQ(taker.frames[0].original_length, 1000u);
  EXPECT_EQ(taker.frames[1].octets.size(), 70u);
  EXPECT_EQ(taker.counters().snap_length, 80u);
}

/// Sends frames and takes them until they came in the order in which they were sent. That may fail when a reader is
/// kept from running for 50 ms, as busy machines do; that every frame comes once, and is numbered, never fails.
template <class Open, class Send, class InPlace>
void expect_order(Open open, std::uint64_t frames, Send send, InPlace in_place) {
  constexpr int kRounds = 20;
  for (int round = 0; round < kRounds; ++round) {
    const std::unique_ptr<Intake> intake = open();
    Taker taker(*intake);
    intake->start();
    for (std::uint64_t i = 0; i < frames; ++i) send(i);
    ASSERT_TRUE(taker.until_count(frames));
    intake->stop();
    ASSERT_TRUE(taker.until_end());
    ASSERT_EQ(taker.frames.size(), frames);
    std::set<std::uint64_t> came;
    bool in_order = true;
    for (std::uint64_t i = 0; i < frames; ++i) {
      const Seen& frame = taker.frames[i];
      ASSERT_EQ(frame.number, i + 1);
      const auto sequence = load_be<std::uint64_t>(std::as_bytes(std::span(frame.octets)).subspan(54));
      ASSERT_TRUE(in_place(frame, sequence));
      ASSERT_TRUE(came.insert(sequence).second) << sequence;
      in_order = in_order && sequence == i;
    }
    std::uint64_t counted = 0;
    for (const IntakeCounters& c : intake->counters()) counted += c.frames;
    ASSERT_EQ(counted, frames);
    if (in_order) return;
  }
  FAIL() << "the frames never came in order";
}

TEST_F(Live, WorkersShareTheTrafficAndEveryFrameComesOnceInOrder) {
  const Sender sender("tx");
  const auto message = [](std::uint64_t i) {
    return Message{.from = static_cast<std::uint16_t>(1000 + i % 97), .sequence = i};
  };
  expect_order([&] { return open(capture_of("rx", 3)); }, 4000, [&](std::uint64_t i) { sender.send(message(i)); },
               [&](const Seen& frame, std::uint64_t i) { return frame.octets == make_frame(message(i)); });
}

TEST_F(Live, BothDirectionsOfAConnectionMeetInOneSocketOfTheGroup) {
  InterfaceOptions options = capture_of("rx", 2).interfaces[0];
  LiveInterface interface(options, 0, 0);
  std::vector<RingSocket> sockets;
  for (int i = 0; i < 2; ++i) {
    auto socket = interface.open();
    ASSERT_TRUE(socket) << socket.error().cause;
    sockets.push_back(std::move(*socket));
  }
  for (RingSocket& socket : sockets) ASSERT_TRUE(interface.join(socket, ::if_nametoindex("rx")));
  for (RingSocket& socket : sockets) ASSERT_TRUE(socket.accept());
  const Sender sender("tx");
  constexpr std::uint16_t kConnections = 64;
  for (std::uint16_t c = 0; c < kConnections; ++c) {
    const auto port = static_cast<std::uint16_t>(2000 + c);
    sender.send({.source = 1, .destination = 2, .from = port, .to = 5000, .sequence = c});
    sender.send({.source = 2, .destination = 1, .from = 5000, .to = port, .sequence = c});
  }
  std::map<std::uint64_t, std::multiset<int>> where;  // connection: sockets
  std::size_t seen = 0;
  const auto deadline = steady_clock::now() + kForever;
  while (seen < 2u * kConnections && steady_clock::now() < deadline) {
    for (int i = 0; i < 2; ++i) {
      const auto count = sockets[static_cast<std::size_t>(i)].read(1000, [&](const CaptureSocket::Captured& frame) {
        where[load_be<std::uint64_t>(frame.octets.subspan(54))].insert(i);
      });
      ASSERT_TRUE(count);
      seen += *count;
    }
  }
  EXPECT_EQ(seen, 2u * kConnections);
  std::set<int> used;
  for (const auto& [connection, in] : where) {
    EXPECT_EQ(in.size(), 2u);
    EXPECT_EQ(*in.begin(), *in.rbegin()) << connection;
    used.insert(*in.begin());
  }
  EXPECT_EQ(used.size(), 2u);
}

TEST_F(Live, SeveralInterfacesComeInOneOrder) {
  make_cable("tx2", "rx2");
  IntakeOptions options = capture_of("rx");
  options.interfaces.push_back(capture_of("rx2").interfaces[0]);
  options.tap_groups = *TapGroups::parse(std::vector<std::string>{"unused", "rx2"}, false);
  const Sender one("tx"), two("tx2");
  expect_order([&] { return open(options); }, 500,
               [&](std::uint64_t i) { (i % 3 == 0 ? two : one).send({.sequence = i}); },
               [&](const Seen& frame, std::uint64_t i) {
                 const bool is_second = i % 3 == 0;
                 return frame.interface == (is_second ? 1u : 0u) && frame.tap_group == (is_second ? 2u : 0u);
               });
  EXPECT_EQ(open(options)->counters().at(1).name, "rx2");
}

TEST_F(Live, StopGivesWhatTheRingStillHolds) {
  constexpr std::uint64_t kFrames = 700;
  for (int round = 0; round < 5; ++round) {
    const auto intake = open(capture_of("rx", 2));
    Taker taker(*intake);
    intake->start();
    const Sender sender("tx");
    for (std::uint64_t i = 0; i < kFrames; ++i) sender.send({.from = static_cast<std::uint16_t>(i), .sequence = i});
    intake->stop();
    ASSERT_TRUE(taker.until_end());
    EXPECT_EQ(taker.frames.size(), kFrames);
    EXPECT_EQ(intake->next(milliseconds(0)).state, Intake::State::ended);
  }
}

TEST_F(Live, HeldStorageIsNeverWrittenAgain) {
  constexpr std::uint64_t kRounds = 40, kFrames = 500;
  const auto intake = open(capture_of("rx"));
  intake->start();
  const Sender sender("tx");
  std::vector<std::pair<Intake::Storage, std::vector<net::Frame>>> held;
  std::uint64_t taken = 0;
  const auto deadline = steady_clock::now() + kForever;
  for (std::uint64_t round = 0; round < kRounds; ++round) {
    for (std::uint64_t i = 0; i < kFrames; ++i) sender.send({.sequence = round * kFrames + i, .octets = 1400});
    while (taken < (round + 1) * kFrames && steady_clock::now() < deadline) {
      const auto given = intake->next(milliseconds(5));
      if (given.state != Intake::State::frames) continue;
      held.emplace_back(given.storage, std::vector<net::Frame>(given.frames.begin(), given.frames.end()));
      taken += given.frames.size();
    }
    if (round % 10 == 5) held.erase(held.begin(), held.begin() + static_cast<std::ptrdiff_t>(held.size() / 2));
  }
  ASSERT_EQ(taken, kRounds * kFrames);
  for (const auto& batch : held) {
    for (const net::Frame& frame : batch.second) {
      ASSERT_EQ(seen(frame).octets, make_frame({.sequence = frame.number.value - 1, .octets = 1400}));
    }
  }
}

TEST_F(Live, SmallBatchesShareABufferAndHoldNoMoreThanTheyNeed) {
  constexpr std::uint64_t kRounds = 40, kFrames = 20, kOctets = 1400;
  const auto intake = open(capture_of("rx"));
  intake->start();
  const Sender sender("tx");
  Taker taker(*intake);
  taker.hold = true;
  for (std::uint64_t round = 0; round < kRounds; ++round) {
    for (std::uint64_t i = 0; i < kFrames; ++i) sender.send({.sequence = round * kFrames + i, .octets = kOctets});
    ASSERT_TRUE(taker.until_count((round + 1) * kFrames));
  }
  ASSERT_GE(taker.held.size(), kRounds);
  std::size_t octets = 0;
  const std::set<Intake::Storage> buffers(taker.held.begin(), taker.held.end());
  for (const Intake::Storage& buffer : buffers) octets += buffer->size();
  EXPECT_LE(buffers.size(), 4u);  // of 512 KiB each, for 1.1 MB
  EXPECT_LE(octets, 2 * kRounds * kFrames * kOctets);
}

}  // namespace
}  // namespace iwarpscope::capture::test
