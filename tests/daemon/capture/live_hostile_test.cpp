// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Any host on the mirrored network can send anything. In every case, frames given + frames lost = frames sent.
#include <algorithm>
#include <array>
#include <fstream>
#include <random>
#include <span>
#include <sstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "live.h"

namespace iwarpscope::capture::test {
namespace {

class LiveHostile : public Live {
 protected:
  void SetUp() override {
    Live::SetUp();
    if (!space_) return;
    for (const char* const end : {"tx", "rx"}) ip(std::string("link set dev ") + end + " mtu 9000");
  }
};

std::mt19937 random_numbers(unsigned seed) {
  return std::mt19937(seed);
}

std::string noise(std::mt19937& random, std::size_t octets) {
  std::string all(octets, '\0');
  for (char& c : all) c = static_cast<char>(random());
  return all;
}

/// Frames that an attacker might send: tags without end, lengths that lie, fragments that overlap, frames
/// with nothing in them. Not among them: what ends inside of a VLAN tag, which the kernel throws away before anybody
/// sees it.
std::string hostile_frame(std::mt19937& random) {
  const auto below = [&random](unsigned n) { return static_cast<unsigned>(random() % n); };
  std::string f = noise(random, 12);
  f[0] = static_cast<char>(below(2) == 0 ? 0xFF : 0x02);
  const unsigned tags = std::array{0u, 0u, 1u, 2u, 9u}[below(5)];
  for (unsigned i = 0; i < tags; ++i) {
    put(f, std::array{0x8100u, 0x88A8u}[below(2)], 2);
    put(f, below(0x10000), 2);
  }
  const std::size_t payload = std::array{2u, 6u, 46u, 1400u, 8000u}[below(5)] + below(500);
  switch (below(6)) {
    case 0:  // IPv4: its header's length, its own and TCP's may say anything
      put(f, 0x0800, 2);
      f += noise(random, std::max<std::size_t>(payload, 40));
      f[f.size() - std::max<std::size_t>(payload, 40)] = static_cast<char>(0x40 + below(16));
      break;
    case 1: {  // fragments of a few datagrams, which overlap
      put(f, 0x0800, 2);
      put(f, 0x4500, 2);
      put(f, 20 + payload, 2);
      put(f, below(4), 2);
      put(f, below(2) << 13 | below(64), 2);
      put(f, 0x4006, 2);
      put(f, 0, 2);
      put(f, 0x0A000001, 4);
      put(f, 0x0A000002, 4);
      f += noise(random, payload);
      break;
    }
    case 2:  // IPv6, whose next headers lead anywhere
      put(f, 0x86DD, 2);
      put(f, 0x60000000, 4);
      f += noise(random, std::max<std::size_t>(payload, 60));
      break;
    case 3:  // a length instead of an EtherType
      put(f, below(1500), 2);
      f += noise(random, payload);
      break;
    case 4:  // MPLS, ARP, nothing known
      put(f, std::array{0x8847u, 0x0806u, 0xFFFFu, 0x0600u}[below(4)], 2);
      f += noise(random, payload);
      break;
    default: f += make_frame({.sequence = random(), .octets = 62 + payload}).substr(12); break;
  }
  return f;
}

TEST_F(LiveHostile, FramesOfEveryKindAreGivenAsTheyWereSent) {
  constexpr std::size_t kFrames = 3000;
  for (const unsigned workers : {1u, 3u}) {
    const auto intake = open(capture_of("rx", workers));
    Taker taker(*intake);
    intake->start();
    auto random = random_numbers(workers);
    const Sender sender("tx");
    std::vector<std::string> sent;
    while (sent.size() < kFrames) {
      sent.push_back(hostile_frame(random));
      sender.send_octets(sent.back());
      if (sent.size() % 100 == 0) (void)taker.once(milliseconds(0));
    }
    ASSERT_TRUE(taker.until([&] { return taker.frames.size() + lost(taker.counters()) >= kFrames; }));
    EXPECT_EQ(lost(taker.counters()), 0u);
    ASSERT_EQ(taker.frames.size(), kFrames);
    std::vector<std::string> came;
    for (const Seen& frame : taker.frames) {
      ASSERT_EQ(frame.original_length, frame.octets.size());
      came.push_back(frame.octets);
    }
    if (workers > 1) {
      std::sort(sent.begin(), sent.end());
      std::sort(came.begin(), came.end());
    }
    for (std::size_t i = 0; i < kFrames; ++i) ASSERT_EQ(came[i], sent[i]) << i;
  }
}

TEST_F(LiveHostile, TagsAreKeptInFramesThatAreCut) {
  IntakeOptions options = capture_of("rx");
  options.interfaces[0].snap_length = 68;
  const auto intake = open(options);
  Taker taker(*intake);
  intake->start();
  const Sender sender("tx");
  std::vector<std::string> sent;
  auto random = random_numbers(7);
  for (std::size_t i = 0; i < 500; ++i) {
    sent.push_back(hostile_frame(random));
    sender.send_octets(sent.back());
  }
  ASSERT_TRUE(taker.until_count(sent.size()));
  for (std::size_t i = 0; i < sent.size(); ++i) {
    ASSERT_EQ(taker.frames[i].octets, sent[i].substr(0, 68)) << i;
    ASSERT_EQ(taker.frames[i].original_length, sent[i].size()) << i;
  }
}

/// What comes before a frame whose TCP segment of IPv4 is to be cut, with this header, and whose checksum is to be
/// written. The kernel's header has it too, and is no C++. Source: linux/virtio_net.h.
struct VirtioHeader {
  std::uint8_t flags = 1;     ///< VIRTIO_NET_HDR_F_NEEDS_CSUM
  std::uint8_t gso_type = 1;  ///< VIRTIO_NET_HDR_GSO_TCPV4
  std::uint16_t header_octets = 54, segment_octets = 1448, checksum_start = 34, checksum_offset = 16;
};
static_assert(sizeof(VirtioHeader) == 10);

/// A TCP segment that is to be cut by an adapter: on a virtual cable no adapter does.
TEST_F(LiveHostile, SegmentsOfSixtyFourKibibytesAreGivenWhole) {
  const auto intake = open(capture_of("rx"));
  Taker taker(*intake);
  intake->start();
  const int descriptor = ::socket(AF_PACKET, SOCK_RAW | SOCK_CLOEXEC, 0);
  const int on = 1;
  ASSERT_EQ(::setsockopt(descriptor, SOL_PACKET, PACKET_VNET_HDR, &on, sizeof on), 0);
  sockaddr_ll address{};
  address.sll_family = AF_PACKET;
  address.sll_ifindex = static_cast<int>(::if_nametoindex("tx"));
  ASSERT_EQ(::bind(descriptor, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
  constexpr std::size_t kOctets = 65'000;
  constexpr std::uint64_t kFrames = 300;
  for (std::uint64_t i = 0; i < kFrames; ++i) {
    const std::string frame = make_frame({.sequence = i, .octets = kOctets});
    const VirtioHeader header;
    const std::string all = std::string(reinterpret_cast<const char*>(&header), sizeof header) + frame;
    ASSERT_EQ(::send(descriptor, all.data(), all.size(), 0), static_cast<ssize_t>(all.size())) << errno;
    (void)taker.once(milliseconds(0));
  }
  ::close(descriptor);
  ASSERT_TRUE(taker.until([&] { return taker.frames.size() + lost(taker.counters()) >= kFrames; }));
  intake->stop();
  ASSERT_TRUE(taker.until_end());
  EXPECT_EQ(taker.frames.size() + lost(taker.counters()), kFrames);
  ASSERT_FALSE(taker.frames.empty());
  for (const Seen& frame : taker.frames) {
    const auto sequence = load_be<std::uint64_t>(std::as_bytes(std::span(frame.octets)).subspan(54));
    const std::string as_sent = make_frame({.sequence = sequence, .octets = kOctets});
    ASSERT_EQ(frame.octets.substr(0, 50), as_sent.substr(0, 50));  // then comes the checksum, which the kernel writes
    ASSERT_EQ(frame.octets.substr(52), as_sent.substr(52));
    ASSERT_EQ(frame.original_length, kOctets);
  }
}

/// Sends so many, many at a time, as far as there is a way. Returns how many the kernel took.
std::uint64_t flood(const std::string& interface, const std::vector<std::string>& frames, std::uint64_t count) {
  const int descriptor = ::socket(AF_PACKET, SOCK_RAW | SOCK_CLOEXEC, 0);
  const int on = 1;
  (void)::setsockopt(descriptor, SOL_PACKET, PACKET_QDISC_BYPASS, &on, sizeof on);
  sockaddr_ll address{};
  address.sll_family = AF_PACKET;
  address.sll_ifindex = static_cast<int>(::if_nametoindex(interface.c_str()));
  std::uint64_t sent = 0;
  if (::bind(descriptor, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0) {
    constexpr std::size_t kAtOnce = 512;
    std::array<iovec, kAtOnce> parts{};
    std::array<mmsghdr, kAtOnce> messages{};
    for (std::size_t i = 0; i < kAtOnce; ++i) {
      const std::string& frame = frames[i % frames.size()];
      parts[i] = {const_cast<char*>(frame.data()), frame.size()};
      messages[i].msg_hdr.msg_iov = &parts[i];
      messages[i].msg_hdr.msg_iovlen = 1;
    }
    for (std::uint64_t tried = 0; tried < count;) {
      const auto some = static_cast<unsigned>(std::min<std::uint64_t>(kAtOnce, count - tried));
      const int taken = ::sendmmsg(descriptor, messages.data(), some, 0);
      sent += static_cast<std::uint64_t>(std::max(taken, 0));
      tried += static_cast<std::uint64_t>(std::max(taken, 1));
    }
  }
  ::close(descriptor);
  return sent;
}

/// Frames that the kernel says an interface has received.
std::uint64_t received_by(const std::string& interface) {
  std::ifstream lines("/proc/thread-self/net/dev");
  for (std::string line; std::getline(lines, line);) {
    const std::size_t colon = line.find(interface + ":");
    if (colon == std::string::npos) continue;
    std::istringstream numbers(line.substr(colon + interface.size() + 1));
    std::uint64_t octets = 0, frames = 0;
    numbers >> octets >> frames;
    return frames;
  }
  return 0;
}

TEST_F(LiveHostile, FloodOfTheSmallestFramesIsCountedToTheFrame) {
  constexpr std::uint64_t kFrames = 400'000;
  std::vector<std::string> tiny;
  for (std::uint8_t i = 0; i < 64; ++i) {
    std::string frame = make_frame({.source = i, .from = i}).substr(0, 14 + i % 47);
    tiny.push_back(std::move(frame));
  }
  for (const unsigned workers : {1u, 2u}) {
    IntakeOptions options = capture_of("rx", workers);
    options.interfaces[0].ring_octets = std::size_t{256} << 10;
    options.queue_octets = std::size_t{1} << 20;
    const auto intake = open(options);
    Taker taker(*intake);
    intake->start();
    const std::uint64_t before = received_by("rx");
    const auto start = steady_clock::now();
    std::uint64_t sent = 0;
    while (sent < kFrames) {
      sent += flood("tx", tiny, 20'000);
      (void)taker.once(milliseconds(0));
    }
    const std::chrono::duration<double> took = steady_clock::now() - start;
    RecordProperty("FramesASecond", static_cast<int>(static_cast<double>(sent) / took.count()));
    const std::uint64_t there = received_by("rx") - before;
    EXPECT_TRUE(taker.until([&] { return taker.frames.size() + lost(taker.counters()) >= there; }));
    intake->stop();
    ASSERT_TRUE(taker.until_end());
    const IntakeCounters counters = taker.counters();
    EXPECT_EQ(counters.frames, taker.frames.size());
    EXPECT_EQ(counters.frames + lost(counters), there);
    EXPECT_GT(lost(counters), 0u);
    EXPECT_GT(counters.frames, 0u);
    EXPECT_GE(there + counters.dropped_by_nic, sent * 9 / 10);
  }
}

/// The cable is pulled and put in again while frames come: what was in the ring is given, nothing is counted twice.
TEST_F(LiveHostile, FlappingUnderLoadLosesNothingThatIsNotCounted) {
  for (const unsigned workers : {1u, 2u}) {
    const auto intake = open(capture_of("rx", workers));
    Taker taker(*intake);
    intake->start();
    const std::uint64_t before = received_by("rx");
    std::vector<std::string> frames;
    for (std::uint16_t i = 0; i < 64; ++i) frames.push_back(make_frame({.from = i, .octets = 300}));
    for (int flap = 0; flap < 15; ++flap) {
      (void)flood("tx", frames, 2000);
      ip("link set dev rx down");
      (void)flood("tx", frames, 100);
      ip("link set dev rx up");
      (void)taker.once(milliseconds(0));
    }
    ASSERT_TRUE(taker.until([&] { return taker.counters().up; }));
    const std::uint64_t there = received_by("rx") - before;
    EXPECT_GE(there, 2000u);
    EXPECT_TRUE(taker.until([&] { return taker.frames.size() + lost(taker.counters()) >= there; }));
    intake->stop();
    ASSERT_TRUE(taker.until_end());
    EXPECT_EQ(taker.frames.size() + lost(taker.counters()), there);
  }
}

TEST_F(LiveHostile, LongestFramesMayChangeWhileItCaptures) {
  const auto intake = open(capture_of("rx", 2));
  Taker taker(*intake);
  intake->start();
  std::vector<std::string> sent;
  for (const std::size_t mtu : {1500u, 9000u, 600u, 65535u, 1500u}) {
    for (const char* const end : {"tx", "rx"}) ip(std::string("link set dev ") + end + " mtu " + std::to_string(mtu));
    const Sender sender("tx");
    for (std::uint64_t i = 0; i < 20; ++i) {
      sent.push_back(make_frame({.sequence = sent.size(), .octets = mtu + 14 - i}));
      sender.send_octets(sent.back());
    }
    ASSERT_TRUE(taker.until_count(sent.size())) << mtu;
  }
  for (std::size_t i = 0; i < sent.size(); ++i) ASSERT_EQ(taker.frames[i].octets, sent[i]) << i;
  EXPECT_EQ(lost(taker.counters()), 0u);
}

}  // namespace
}  // namespace iwarpscope::capture::test
