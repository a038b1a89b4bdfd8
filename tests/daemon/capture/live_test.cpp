#include <dirent.h>
#include <linux/capability.h>
#include <linux/ethtool.h>
#include <linux/if_tun.h>
#include <linux/sockios.h>
#include <semaphore.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>

#include <cstring>
#include <fstream>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "capture/capture_socket.h"
#include "capture/intake.h"
#include "capture/link.h"
#include "capture/live_interface.h"
#include "network.h"
#include "taken.h"

namespace iwarpscope::capture::test {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

IntakeOptions capture_of(const std::string& name, unsigned workers = 1) {
  InterfaceOptions interface;
  interface.name = name;
  interface.workers = workers;
  interface.ring_octets = std::size_t{8} << 20;
  IntakeOptions options;
  options.interfaces.push_back(interface);
  return options;
}

/// A namespace with a cable from "tx" to "rx".
class Live : public ::testing::Test {
 protected:
  void SetUp() override {
    space_ = Namespace::make();
    if (!space_) GTEST_SKIP() << "This test makes a network namespace, which needs root.";
    make_cable("tx", "rx");
  }
  std::unique_ptr<Intake> open(const IntakeOptions& options) {
    auto intake = Intake::open(options);
    EXPECT_TRUE(intake) << intake.error().text();
    return intake ? std::move(*intake) : nullptr;
  }
  static std::string error_of(const IntakeOptions& options) {
    const auto intake = Intake::open(options);
    return intake ? "" : intake.error().text();
  }
  static std::uint64_t lost(const IntakeCounters& c) { return c.dropped_by_kernel + c.dropped_by_queue; }

  std::unique_ptr<Namespace> space_;
};

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
  auto socket = CaptureSocket::open(options);
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
  LiveInterface interface(options, 0);
  std::vector<CaptureSocket> sockets;
  for (int i = 0; i < 2; ++i) {
    auto socket = interface.open();
    ASSERT_TRUE(socket) << socket.error().cause;
    sockets.push_back(std::move(*socket));
  }
  for (CaptureSocket& socket : sockets) ASSERT_TRUE(interface.join(socket, ::if_nametoindex("rx")));
  for (CaptureSocket& socket : sockets) ASSERT_TRUE(socket.accept());
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
  const Sender one("tx"), two("tx2");
  expect_order([&] { return open(options); }, 500,
               [&](std::uint64_t i) { (i % 3 == 0 ? two : one).send({.sequence = i}); },
               [&](const Seen& frame, std::uint64_t i) { return frame.interface == (i % 3 == 0 ? 1u : 0u); });
  EXPECT_EQ(open(options)->counters().at(1).name, "rx2");
}

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

TEST_F(Live, WhatTheFullRingDropsIsCountedFrameByFrame) {
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
  EXPECT_GT(counters.frames, 1000u);
  EXPECT_EQ(counters.dropped_by_queue, 0u);
  EXPECT_EQ(counters.frames, taker.frames.size());
  EXPECT_EQ(counters.frames + counters.dropped_by_kernel, kFrames);
}

TEST_F(Live, WhatTheFullQueueDropsIsCountedFrameByFrame) {
  constexpr std::uint64_t kFrames = 10000;
  IntakeOptions options = capture_of("rx");
  options.queue_octets = 200'000;
  options.interfaces[0].ring_octets = std::size_t{64} << 20;
  const auto intake = open(options);
  intake->start();
  const Sender sender("tx");
  for (std::uint64_t i = 0; i < kFrames; ++i) sender.send({.sequence = i, .octets = 300});
  intake->stop();  // nothing was taken until here
  Taker taker(*intake);
  ASSERT_TRUE(taker.until_end());
  const IntakeCounters counters = taker.counters();
  EXPECT_GT(counters.dropped_by_queue, 0u);
  EXPECT_GT(counters.frames, 0u);
  EXPECT_EQ(counters.frames, taker.frames.size());
  EXPECT_EQ(counters.frames + counters.dropped_by_queue + counters.dropped_by_kernel, kFrames);
}

TEST_F(Live, SimulatedFullQueueIsCountedFrameByFrame) {
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
  for (const auto& [storage, frames] : held) {
    std::size_t octets = 0;
    for (const net::Frame& frame : frames) {
      ASSERT_EQ(seen(frame).octets, make_frame({.sequence = frame.number.value - 1, .octets = 1400}));
      octets += frame.octets.size();
    }
    EXPECT_LE(storage->size(), 2 * octets);  // little is not held by a large buffer
  }
}

TEST_F(Live, InterfaceGoesDownAndUp) {
  for (const unsigned workers : {1u, 2u}) {
    const auto intake = open(capture_of("rx", workers));
    Taker taker(*intake);
    intake->start();
    {
      const Sender sender("tx");
      sender.send({.sequence = 1});
    }
    ASSERT_TRUE(taker.until_count(1));
    ip("link set dev rx down");
    ASSERT_TRUE(taker.until([&] { return !taker.counters().up; }));
    EXPECT_TRUE(taker.warned("rx: the interface is down"));
    ip("link set dev rx up");
    ASSERT_TRUE(taker.until([&] { return taker.counters().up; }));
    EXPECT_TRUE(taker.warned("rx: the interface is up again"));
    const Sender sender("tx");
    for (std::uint64_t i = 2; i < 102; ++i) sender.send({.from = static_cast<std::uint16_t>(i), .sequence = i});
    ASSERT_TRUE(taker.until_count(101));
    EXPECT_EQ(taker.frames.back().octets, make_frame({.from = 101, .sequence = 101}));
    EXPECT_EQ(lost(taker.counters()), 0u);
  }
}

TEST_F(Live, InterfaceGoesAwayAndComesBack) {
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
    ASSERT_TRUE(taker.until([&] { return taker.warned("capturing ended"); }));
    make_cable("tx", "rx");
    const std::string opened = workers == 1 ? "opened again" : "opened again; what came in between was not captured (2";
    ASSERT_TRUE(taker.until([&] { return taker.counters().up && taker.warned(opened); }));
    const Sender sender("tx");
    for (std::uint64_t i = 0; i < 100; ++i) sender.send({.from = static_cast<std::uint16_t>(i), .sequence = i});
    ASSERT_TRUE(taker.until_count(150));
    intake->stop();
    ASSERT_TRUE(taker.until_end());
    EXPECT_EQ(taker.frames.size(), 150u);
    EXPECT_EQ(lost(taker.counters()), 0u);
  }
}

/// Takes this thread's right to open capture sockets, and that of the threads it starts.
class WithoutPrivileges {
 public:
  WithoutPrivileges() {
    ::syscall(SYS_capget, &header_, before_);
    __user_cap_data_struct without[2] = {before_[0], before_[1]};
    without[0].effective &= ~(1u << CAP_NET_RAW);
    if (::syscall(SYS_capset, &header_, without) != 0) throw std::runtime_error("capset failed");
  }
  WithoutPrivileges(const WithoutPrivileges&) = delete;
  WithoutPrivileges& operator=(const WithoutPrivileges&) = delete;
  ~WithoutPrivileges() { ::syscall(SYS_capset, &header_, before_); }

 private:
  __user_cap_header_struct header_{_LINUX_CAPABILITY_VERSION_3, 0};
  __user_cap_data_struct before_[2]{};
};

TEST_F(Live, WithoutPrivilegesCapturingGoesOnButCannotBeginAgain) {
  const auto intake = open(capture_of("rx", 2));
  Taker taker(*intake);
  const auto sender = std::make_optional<Sender>("tx");
  {
    const WithoutPrivileges for_the_readers;
    intake->start();
  }
  sender->send({.sequence = 1});
  ASSERT_TRUE(taker.until_count(1));
  ip("link set dev rx down");
  ASSERT_TRUE(taker.until([&] { return !taker.counters().up; }));
  ip("link set dev rx up");
  ASSERT_TRUE(taker.until([&] { return taker.counters().up; }));
  Sender("tx").send({.sequence = 2});
  ASSERT_TRUE(taker.until_count(2));
  ip("link del dev tx");
  ASSERT_TRUE(taker.until([&] { return !taker.counters().up; }));
  make_cable("tx", "rx");
  EXPECT_TRUE(taker.until([&] { return taker.warned("without privileges"); }));
  EXPECT_FALSE(taker.counters().up);
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

TEST_F(Live, ReceiveOffloadIsSaid) {
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

TEST_F(Live, WhatTheInterfaceDropsIsCounted) {
  // A tunnel drops what is neither IPv4 nor IPv6, in its own name.
  const int tunnel = ::open("/dev/net/tun", O_RDWR | O_CLOEXEC);
  if (tunnel < 0) GTEST_SKIP() << "This test needs /dev/net/tun.";
  ifreq request{};
  std::strncpy(request.ifr_name, "tun", IFNAMSIZ - 1);
  request.ifr_flags = IFF_TUN | IFF_NO_PI;
  ASSERT_EQ(::ioctl(tunnel, TUNSETIFF, &request), 0);
  ip("link set dev tun up");
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

TEST_F(Live, InterfacesAreAskedFor) {
  auto query = LinkQuery::open();
  ASSERT_TRUE(query);
  const auto state = query->ask("rx");
  ASSERT_TRUE(state);
  EXPECT_TRUE(state->up);
  EXPECT_EQ(state->index, ::if_nametoindex("rx"));
  ip("link set dev tx down");
  EXPECT_FALSE(query->ask("rx")->up);  // there is nobody at the other end
  EXPECT_FALSE(query->ask("nothing"));
  EXPECT_FALSE(query->ask("a name that is too long for one"));
  EXPECT_THAT(query->offloads("nothing"), IsEmpty());
}

TEST(LiveInterface, CountsWhatTheInterfaceDroppedSinceTheStart) {
  LiveInterface interface({.name = "x", .filter = {}}, 0);
  const auto dropped = [&] { return interface.counters().dropped_by_nic; };
  interface.see(LinkState{7, true, 1000});
  EXPECT_EQ(dropped(), 0u);
  interface.see(LinkState{7, true, 1005});
  interface.see(LinkState{7, true, 1007});
  EXPECT_EQ(dropped(), 7u);
  interface.see(std::nullopt);
  interface.see(LinkState{9, true, 3});  // another one of the same name, which counts from 0
  EXPECT_EQ(dropped(), 10u);
  EXPECT_EQ(interface.counters().warnings.size(), 2u);
}

TEST_F(Live, WhatCannotBeCapturedIsSaidAtOnce) {
  EXPECT_EQ(error_of(capture_of("nothing")), "nothing: there is no such interface");
  IntakeOptions options = capture_of("rx");
  options.interfaces[0].filter = "no such words";
  EXPECT_THAT(error_of(options), HasSubstr("rx: filter 'no such words': "));
  options = capture_of("rx");
  options.interfaces.push_back(options.interfaces[0]);
  EXPECT_EQ(error_of(options), "rx: the interface is named twice");
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
  for (int i = 0; i < 100; ++i) notes.say("sentence " + std::to_string(i));
  EXPECT_EQ(notes.sentences().size(), Notes::kMost);
  EXPECT_EQ(notes.sentences().back(), "sentence 99");
}

}  // namespace
}  // namespace iwarpscope::capture::test
