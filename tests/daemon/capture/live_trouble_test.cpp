// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include <dirent.h>
#include <linux/ethtool.h>
#include <linux/if_tun.h>
#include <linux/sockios.h>
#include <semaphore.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>

#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <optional>
#include <set>
#include <string>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "capture/link.h"
#include "capture/live_interface.h"
#include "capture/notes.h"
#include "live.h"

namespace iwarpscope::capture::test {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

class LiveTrouble : public Live {};

// The reader's thread is stopped inside of a signal handler until it is let go on.
sem_t stopped, go_on;
void stop_here(int) {
  ::sem_post(&stopped);
  while (::sem_wait(&go_on) != 0) continue;
}

/// The thread of this process with this name.
pid_t thread_named(const std::string& wanted) {
  pid_t found = 0;
  DIR* tasks = ::opendir("/proc/self/task");
  while (const dirent* entry = ::readdir(tasks)) {
    std::string name;
    std::getline(std::ifstream("/proc/self/task/" + std::string(entry->d_name) + "/comm"), name);
    if (name == wanted) found = static_cast<pid_t>(std::stoi(entry->d_name));
  }
  ::closedir(tasks);
  return found;
}

TEST_F(LiveTrouble, WhatTheFullRingDropsIsCountedFrameByFrame) {
  constexpr std::uint64_t kFrames = 20000;
  IntakeOptions options = capture_of("rx");
  options.interfaces[0].ring_octets = std::size_t{1} << 20;
  const auto intake = open(options);
  Taker taker(*intake);
  intake->start();
  ASSERT_EQ(::sem_init(&stopped, 0, 0), 0);
  ASSERT_EQ(::sem_init(&go_on, 0, 0), 0);
  struct sigaction action {};
  action.sa_handler = stop_here;
  ASSERT_EQ(::sigaction(SIGUSR1, &action, nullptr), 0);
  pid_t reader = 0;
  ASSERT_TRUE(taker.until([&] { return (reader = thread_named("capture")) != 0; }));
  ASSERT_EQ(::syscall(SYS_tgkill, ::getpid(), reader, SIGUSR1), 0);
  while (::sem_wait(&stopped) != 0) continue;
  const Sender sender("tx");
  for (std::uint64_t i = 0; i < kFrames; ++i) sender.send({.sequence = i, .octets = 500});
  ::sem_post(&go_on);
  EXPECT_TRUE(taker.until([&] { return taker.frames.size() + lost(taker.counters()) >= kFrames; }));
  intake->stop();
  ASSERT_TRUE(taker.until_end());
  const IntakeCounters counters = taker.counters();
  EXPECT_GT(counters.dropped_by_kernel, 1000u);
  EXPECT_GT(counters.frames, 100u);  // what the ring holds
  EXPECT_EQ(counters.dropped_by_queue, 0u);
  EXPECT_EQ(counters.frames, taker.frames.size());
  EXPECT_EQ(counters.frames + counters.dropped_by_kernel, kFrames);
  EXPECT_EQ(counters.waiting, 0u);
}

TEST_F(LiveTrouble, WhatTheFullQueueDropsIsCountedFrameByFrame) {
  constexpr std::uint64_t kFrames = 10000;
  IntakeOptions options = capture_of("rx");
  options.queue_octets = 200'000;
  options.interfaces[0].ring_octets = std::size_t{64} << 20;
  const auto intake = open(options);
  intake->start();
  const Sender sender("tx");
  for (std::uint64_t i = 0; i < kFrames; ++i) sender.send({.sequence = i, .octets = 300});
  while (intake->counters()[0].waiting == 0) std::this_thread::sleep_for(milliseconds(1));
  intake->stop();  // nothing was taken until here
  Taker taker(*intake);
  ASSERT_TRUE(taker.until_end());
  const IntakeCounters counters = taker.counters();
  EXPECT_GT(counters.dropped_by_queue, 0u);
  EXPECT_GT(counters.frames, 0u);
  EXPECT_EQ(counters.frames, taker.frames.size());
  EXPECT_EQ(counters.frames + counters.dropped_by_queue + counters.dropped_by_kernel, kFrames);
  EXPECT_EQ(counters.waiting, 0u);
}

TEST_F(LiveTrouble, SimulatedFullQueueIsCountedFrameByFrame) {
  constexpr std::uint64_t kFrames = 5000;
  IntakeOptions options = capture_of("rx");
  options.simulate_full_queue_every = 2;
  const auto intake = open(options);
  Taker taker(*intake);
  intake->start();
  const Sender sender("tx");
  for (std::uint64_t i = 0; i < kFrames; ++i) {
    sender.send({.sequence = i});
    if (i % 500 == 0) (void)taker.once(milliseconds(20));
  }
  EXPECT_TRUE(taker.until([&] { return taker.frames.size() + lost(taker.counters()) >= kFrames; }));
  const IntakeCounters counters = taker.counters();
  EXPECT_GT(counters.dropped_by_queue, 0u);
  EXPECT_GT(counters.frames, 0u);
  EXPECT_EQ(counters.frames + lost(counters), kFrames);
}

TEST_F(LiveTrouble, BatchesThatTheQueueDropsTakeNoRoomInBuffersThatAreHeld) {
  constexpr std::uint64_t kRounds = 40, kFrames = 100, kOctets = 1400, kBuffer = 512 << 10;
  IntakeOptions options = capture_of("rx");
  options.simulate_full_queue_every = 2;
  const auto intake = open(options);
  Taker taker(*intake);
  taker.hold = true;
  intake->start();
  const Sender sender("tx");
  for (std::uint64_t round = 1; round <= kRounds; ++round) {
    for (std::uint64_t i = 0; i < kFrames; ++i) sender.send({.sequence = i, .octets = kOctets});
    ASSERT_TRUE(taker.until([&] { return taker.frames.size() + lost(taker.counters()) >= round * kFrames; }));
  }
  std::size_t octets = 0;
  for (const auto& buffer : std::set<Intake::Storage>(taker.held.begin(), taker.held.end())) octets += buffer->size();
  EXPECT_GT(taker.counters().dropped_by_queue, kRounds * kFrames / 5);
  EXPECT_LE(octets, taker.frames.size() * kOctets * 5 / 4 + 2 * kBuffer);
}

TEST_F(LiveTrouble, InterfaceGoesDownAndUp) {
  for (const unsigned workers : {1u, 2u}) {
    const auto intake = open(capture_of("rx", workers));
    Taker taker(*intake);
    intake->start();
    {
      const Sender sender("tx");
      sender.send({.sequence = 1});
    }
    ASSERT_TRUE(taker.until_count(1));
    EXPECT_EQ(taker.counters().outages, 0u);
    ip("link set dev rx down");
    ASSERT_TRUE(taker.until([&] { return !taker.counters().up; }));
    EXPECT_FALSE(taker.counters().capturing);
    EXPECT_TRUE(taker.warned("rx: the interface is down"));
    ip("link set dev rx up");
    ASSERT_TRUE(taker.until([&] { return taker.counters().up; }));
    EXPECT_TRUE(taker.counters().capturing);
    EXPECT_EQ(taker.counters().outages, 1u);
    // What is over is no warning any more.
    EXPECT_THAT(taker.counters().warnings, IsEmpty());
    EXPECT_THAT(taker.counters().news,
                ElementsAre(HasSubstr("rx: the interface is up again; the capture continues (2")));  // and a date
    const Sender sender("tx");
    for (std::uint64_t i = 2; i < 102; ++i) sender.send({.from = static_cast<std::uint16_t>(i), .sequence = i});
    ASSERT_TRUE(taker.until_count(101));
    EXPECT_EQ(taker.frames.back().octets, make_frame({.from = 101, .sequence = 101}));
    EXPECT_EQ(lost(taker.counters()), 0u);
  }
}

TEST_F(LiveTrouble, InterfaceGoesAwayAndComesBack) {
  for (const unsigned workers : {1u, 2u}) {
    const auto intake = open(capture_of("rx", workers));
    Taker taker(*intake);
    intake->start();
    {
      const Sender sender("tx");
      for (std::uint64_t i = 1; i <= 50; ++i) sender.send({.from = static_cast<std::uint16_t>(i), .sequence = i});
    }
    ip("link del dev tx");
    ASSERT_TRUE(taker.until([&] { return !taker.counters().up; }));
    ASSERT_TRUE(taker.until_count(50));  // those that were on their way
    ASSERT_TRUE(taker.until([&] { return taker.warned("the capture failed"); }));
    make_cable("tx", "rx");
    const std::string opened = workers == 1 ? "reopened" : "reopened; frames in between were not captured (2";
    ASSERT_TRUE(taker.until([&] { return taker.counters().up && taker.warned(opened); }));
    ASSERT_TRUE(taker.until([&] { return taker.counters().capturing; }));
    EXPECT_GE(taker.counters().outages, 1u);
    EXPECT_FALSE(taker.warned("the capture failed"));
    EXPECT_FALSE(taker.warned("disappeared"));
    const Sender sender("tx");
    for (std::uint64_t i = 0; i < 100; ++i) sender.send({.from = static_cast<std::uint16_t>(i), .sequence = i});
    ASSERT_TRUE(taker.until_count(150));
    intake->stop();
    ASSERT_TRUE(taker.until_end());
    EXPECT_EQ(taker.frames.size(), 150u);
    EXPECT_EQ(lost(taker.counters()), 0u);
  }
}

/// How many want all frames of an interface, as the kernel counts them.
unsigned promiscuity(const std::string& interface) {
  FILE* const pipe = ::popen(("PATH=$PATH:/usr/sbin:/sbin ip -d link show dev " + interface).c_str(), "r");
  std::string text(4096, '\0');
  text.resize(std::fread(text.data(), 1, text.size(), pipe));
  ::pclose(pipe);
  const std::size_t at = text.find("promiscuity ");
  return at == std::string::npos ? 99 : static_cast<unsigned>(std::stoul(text.substr(at + 12)));
}

/// What this namespace's packet sockets listen to: the fourth column is the EtherType.
std::string packet_sockets() {
  std::ifstream stream("/proc/thread-self/net/packet");
  return {std::istreambuf_iterator<char>(stream), {}};
}

/// An interface of IP packets without an Ethernet header; -1: not available here.
int make_tunnel(const std::string& name) {
  const int tunnel = ::open("/dev/net/tun", O_RDWR | O_CLOEXEC);
  if (tunnel < 0) return tunnel;
  ifreq request{};
  std::strncpy(request.ifr_name, name.c_str(), IFNAMSIZ - 1);
  request.ifr_flags = IFF_TUN | IFF_NO_PI;
  if (::ioctl(tunnel, TUNSETIFF, &request) != 0) throw std::runtime_error("no tunnel");
  ip("link set dev " + name + " up");
  return tunnel;
}

/// Deletes and creates the interface repeatedly, under a reader that may open nothing.
TEST_F(LiveTrouble, WithoutPrivilegesAnInterfaceThatIsCreatedAgainIsCapturedAgain) {
  constexpr std::uint64_t kDeletions = 10, kFrames = 50;
  for (const unsigned workers : {1u, 2u}) {
    const auto intake = open(capture_of("rx", workers));
    Taker taker(*intake);
    {
      const WithoutPrivileges for_the_readers;
      intake->start();
    }
    std::uint64_t sent = 0;
    const auto send = [&] {
      const Sender sender("tx");
      for (std::uint64_t i = 0; i < kFrames; ++i, ++sent) {
        sender.send({.from = static_cast<std::uint16_t>(i), .sequence = sent});
      }
      ASSERT_TRUE(taker.until_count(sent));
    };
    send();
    for (std::uint64_t deletion = 1; deletion <= kDeletions; ++deletion) {
      ip("link del dev tx");
      ASSERT_TRUE(taker.until([&] { return !taker.counters().up; })) << deletion;
      make_cable("tx", "rx");
      ASSERT_TRUE(taker.until([&] { return taker.counters().up; })) << deletion;
      send();
    }
    EXPECT_TRUE(taker.warned(
        "the socket was bound to the interface again; frames in between were not captured (10 times, last "));
    EXPECT_EQ(taker.warned("only one socket captures"), workers > 1);
    ASSERT_TRUE(taker.until([&] { return taker.counters().capturing; }));
    EXPECT_GE(taker.counters().outages, kDeletions);
    ip("link set dev rx down");
    ASSERT_TRUE(taker.until([&] { return !taker.counters().up; }));
    ip("link set dev rx up");
    ASSERT_TRUE(taker.until([&] { return taker.counters().up; }));
    send();
    intake->stop();
    ASSERT_TRUE(taker.until_end());
    ASSERT_EQ(taker.frames.size(), sent);
    for (std::uint64_t i = 0; i < sent; ++i) {
      EXPECT_EQ(taker.frames[i].octets, make_frame({.from = static_cast<std::uint16_t>(i % kFrames), .sequence = i}));
    }
    EXPECT_EQ(taker.counters().frames, sent);
    EXPECT_EQ(lost(taker.counters()), 0u);
  }
}

TEST_F(LiveTrouble, WithoutPrivilegesPromiscuousModeFilterAndSnapLengthHoldOnTheNewInterface) {
  for (const bool promiscuous : {true, false}) {
    IntakeOptions options = capture_of("rx", 2);
    options.interfaces[0].promiscuous = promiscuous;
    options.interfaces[0].filter = "tcp dst port 5000";
    options.interfaces[0].snap_length = 80;
    const auto intake = open(options);
    Taker taker(*intake);
    {
      const WithoutPrivileges for_the_readers;
      intake->start();
    }
    ip("link del dev tx");
    ASSERT_TRUE(taker.until([&] { return !taker.counters().up; }));
    make_cable("tx", "rx");
    ASSERT_TRUE(taker.until([&] { return taker.counters().up; }));
    EXPECT_EQ(promiscuity("rx"), promiscuous ? 1u : 0u);
    const Sender sender("tx");
    for (std::uint64_t i = 0; i < 20; ++i) {
      sender.send({.to = static_cast<std::uint16_t>(5000 + i % 2), .sequence = i, .octets = 1000});
    }
    ASSERT_TRUE(taker.until_count(10));
    intake->stop();
    ASSERT_TRUE(taker.until_end());
    ASSERT_EQ(taker.frames.size(), 10u);
    EXPECT_EQ(taker.frames[9].octets, make_frame({.sequence = 18, .octets = 1000}).substr(0, 80));
    EXPECT_EQ(taker.frames[9].original_length, 1000u);
  }
}

TEST_F(LiveTrouble, WithoutPrivilegesAnInterfaceOfAnotherKindIsNotMistakenForTheOld) {
  const auto intake = open(capture_of("rx"));
  Taker taker(*intake);
  {
    const WithoutPrivileges for_the_readers;
    intake->start();
  }
  ip("link del dev tx");
  ASSERT_TRUE(taker.until([&] { return !taker.counters().up; }));
  const int tunnel = make_tunnel("rx");
  if (tunnel < 0) GTEST_SKIP() << "This test needs /dev/net/tun.";
  EXPECT_TRUE(taker.until([&] { return taker.warned("is back with another link type"); }));
  EXPECT_FALSE(taker.counters().up);
  ::close(tunnel);
  make_cable("tx", "rx");
  ASSERT_TRUE(taker.until([&] { return taker.counters().up; }));
  Sender("tx").send({.sequence = 7});
  ASSERT_TRUE(taker.until_count(1));
  EXPECT_EQ(taker.frames[0].octets, make_frame({.sequence = 7}));
}

TEST_F(LiveTrouble, ParkedSocketIsGivenNoFramesUntilItIsMoved) {
  auto socket = RingSocket::open(capture_of("rx").interfaces[0]);
  ASSERT_TRUE(socket);
  EXPECT_THAT(packet_sockets(), HasSubstr(" 0003 "));  // ETH_P_ALL
  socket->park();
  EXPECT_THAT(packet_sockets(), Not(HasSubstr(" 0003 ")));
  ASSERT_TRUE(socket->move_to(::if_nametoindex("rx")));
  EXPECT_THAT(packet_sockets(), HasSubstr(" 0003 "));
}

void set_gro(const std::string& interface, bool on) {
  const int descriptor = ::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  ethtool_value value{ETHTOOL_SGRO, on ? 1u : 0u};
  ifreq request{};
  std::strncpy(request.ifr_name, interface.c_str(), IFNAMSIZ - 1);
  request.ifr_data = reinterpret_cast<char*>(&value);
  const int status = ::ioctl(descriptor, SIOCETHTOOL, &request);
  ::close(descriptor);
  if (status != 0) throw std::runtime_error("receive offload cannot be set");
}

TEST_F(LiveTrouble, ReceiveOffloadIsSaid) {
  set_gro("rx", true);
  const auto intake = open(capture_of("rx"));
  Taker taker(*intake);
  EXPECT_THAT(taker.counters().offloads, Contains("gro"));
  EXPECT_TRUE(taker.warned("'ethtool -K rx gro off'"));
  intake->start();
  set_gro("rx", false);
  EXPECT_TRUE(taker.until([&] { return taker.counters().offloads.empty(); }));
  EXPECT_FALSE(taker.warned("offload"));
}

TEST_F(LiveTrouble, WhatTheInterfaceDropsIsCounted) {
  // A tunnel drops what is neither IPv4 nor IPv6, in its own name.
  const int tunnel = make_tunnel("tun");
  if (tunnel < 0) GTEST_SKIP() << "This test needs /dev/net/tun.";
  const std::string good = make_frame({}).substr(14), bad(40, '\0');
  (void)!::write(tunnel, bad.data(), bad.size());  // before the start
  const auto intake = open(capture_of("tun"));
  Taker taker(*intake);
  intake->start();
  for (int i = 0; i < 10; ++i) EXPECT_LT(::write(tunnel, bad.data(), bad.size()), 0);
  EXPECT_EQ(::write(tunnel, good.data(), good.size()), static_cast<ssize_t>(good.size()));
  EXPECT_TRUE(taker.until([&] { return taker.counters().dropped_by_nic >= 10 && !taker.frames.empty(); }));
  EXPECT_EQ(taker.counters().dropped_by_nic, 10u);
  EXPECT_EQ(taker.counters().link_type, "RAW");
  EXPECT_EQ(taker.frames[0].link, net::LinkType::raw_ip);
  EXPECT_EQ(taker.frames[0].octets, good);
  ::close(tunnel);
}

TEST_F(LiveTrouble, InterfacesAreAskedFor) {
  auto query = LinkQuery::open();
  ASSERT_TRUE(query);
  const auto state = query->ask("rx");
  ASSERT_TRUE(state);
  EXPECT_TRUE(state->up);
  EXPECT_EQ(state->index, ::if_nametoindex("rx"));
  ip("link set dev tx down");
  EXPECT_FALSE(query->ask("rx")->up);  // nothing is connected to the other end
  EXPECT_FALSE(query->ask("nothing"));
  EXPECT_FALSE(query->ask("a name that is too long for one"));
  EXPECT_THAT(query->offloads("nothing"), IsEmpty());
}

TEST(LiveInterface, CountsWhatTheInterfaceDroppedSinceTheStart) {
  LiveInterface interface({.name = "x", .filter = {}}, 0, 0);
  const auto dropped = [&] { return interface.counters().dropped_by_nic; };
  interface.see(LinkState{7, true, 1000});
  EXPECT_EQ(dropped(), 0u);
  interface.see(LinkState{7, true, 1005});
  interface.see(LinkState{7, true, 1007});
  EXPECT_EQ(dropped(), 7u);
  interface.see(std::nullopt);
  interface.see(LinkState{9, true, 3});  // another one of the same name, which counts from 0
  EXPECT_EQ(dropped(), 10u);
  EXPECT_THAT(interface.counters().warnings, IsEmpty());
  EXPECT_THAT(interface.counters().news, ElementsAre(HasSubstr("x: the interface is up again")));
}

TEST_F(LiveTrouble, WhatCannotBeCapturedIsSaidAtOnce) {
  EXPECT_EQ(error_of(capture_of("nothing")), "nothing: the interface does not exist");
  IntakeOptions options = capture_of("rx");
  options.interfaces[0].filter = "no such words";
  EXPECT_THAT(error_of(options), HasSubstr("rx: filter 'no such words': "));
  options = capture_of("rx");
  options.interfaces.push_back(options.interfaces[0]);
  EXPECT_EQ(error_of(options), "rx: the interface is listed twice");
  ip("link set dev rx down");
  EXPECT_EQ(error_of(capture_of("rx")), "rx: the interface is down; bring it up with 'ip link set rx up'");
  const WithoutPrivileges here;
  EXPECT_EQ(error_of(capture_of("tx")), "tx: capturing needs root or the capability CAP_NET_RAW");
}

TEST(Notes, KeepsTheLatestAndCountsRepetitions) {
  Notes notes;
  notes.say("first");
  for (int i = 0; i < 3; ++i) notes.say("often");
  EXPECT_THAT(notes.sentences(), ::testing::ElementsAre("first", "often (3 times)"));
  notes.say("first", "at noon");
  notes.say("once", "at one");
  EXPECT_THAT(notes.sentences(),
              ::testing::ElementsAre("often (3 times)", "first (2 times, last at noon)", "once (at one)"));
  for (int i = 0; i < 100; ++i) notes.say("sentence " + std::to_string(i));
  EXPECT_EQ(notes.sentences().size(), Notes::kMost);
  EXPECT_EQ(notes.sentences().back(), "sentence 99");
}

}  // namespace
}  // namespace iwarpscope::capture::test
