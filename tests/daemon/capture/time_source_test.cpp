// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Whose time stamps are asked for, on an interface whose driver says what a test wants: this program answers for it.
#include <linux/ethtool.h>
#include <linux/net_tstamp.h>
#include <linux/sockios.h>
#include <net/if.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>

#include <atomic>
#include <cerrno>
#include <cstdarg>
#include <cstdint>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "capture/ring_socket.h"
#include "live.h"

namespace {

/// The driver: what it offers, as linux/net_tstamp.h has it, and its answer when it is turned on (an errno).
std::atomic<std::uint32_t> offered{0};
std::atomic<int> answer{0};
std::atomic<unsigned> turned_on{0};

}  // namespace

/// In place of the C library's: for libpcap, which asks the driver through it.
extern "C" int ioctl(int descriptor, unsigned long request, ...) noexcept {
  va_list arguments;
  va_start(arguments, request);
  void* const argument = va_arg(arguments, void*);
  va_end(arguments);
  if (offered != 0 && request == SIOCSHWTSTAMP) {
    ++turned_on;
    errno = answer;
    return answer == 0 ? 0 : -1;
  }
  if (offered != 0 && request == SIOCETHTOOL) {
    auto* const info = reinterpret_cast<ethtool_ts_info*>(static_cast<ifreq*>(argument)->ifr_data);
    if (info->cmd == ETHTOOL_GET_TS_INFO) {
      info->so_timestamping = SOF_TIMESTAMPING_RX_HARDWARE | SOF_TIMESTAMPING_SOFTWARE | offered;
      info->rx_filters = 1u << HWTSTAMP_FILTER_NONE | 1u << HWTSTAMP_FILTER_ALL;
      return 0;
    }
  }
  return static_cast<int>(::syscall(SYS_ioctl, descriptor, request, argument));
}

namespace iwarpscope::capture::test {
namespace {

using testing::HasSubstr;

class TimeSource : public Live {
 protected:
  void driver(std::uint32_t offers, int says) {
    offered = offers;
    answer = says;
    turned_on = 0;
  }
  void TearDown() override { offered = 0; }
  std::vector<std::string> news;  ///< passed to source()
  /// The source that is reported; frames come with any source, with times of this decade.
  std::string source() {
    const auto intake = open(capture_of("rx"));
    if (!intake) return "not opened";
    Taker taker(*intake);
    intake->start();
    Sender("tx").send({.sequence = 1});
    EXPECT_TRUE(taker.until_count(1));
    EXPECT_GT(taker.frames.at(0).time_ns, 1'500'000'000'000'000'000);
    EXPECT_TRUE(taker.counters().warnings.empty());
    news = taker.counters().news;
    return taker.counters().time_source;
  }
};

TEST_F(TimeSource, VirtualCableHasTheHostsInNanoseconds) {
  EXPECT_EQ(source(), "host-ns");
  EXPECT_EQ(turned_on, 0u);
  EXPECT_TRUE(news.empty());
}

TEST_F(TimeSource, AdaptersIsAskedForWhereItKeepsToTheHosts) {
  driver(SOF_TIMESTAMPING_SYS_HARDWARE, 0);
  EXPECT_EQ(source(), "adapter");
  EXPECT_EQ(turned_on, 1u);
  EXPECT_TRUE(news.empty());
}

TEST_F(TimeSource, AdaptersOwnClockIsLeftAlone) {
  driver(SOF_TIMESTAMPING_RAW_HARDWARE, 0);
  EXPECT_EQ(source(), "host-ns");
  EXPECT_EQ(turned_on, 0u);
}

TEST_F(TimeSource, WhatTheDriverRefusesIsTheHosts) {
  for (const int error : {EPERM, EOPNOTSUPP, ERANGE, EINVAL}) {
    driver(SOF_TIMESTAMPING_SYS_HARDWARE, error);
    EXPECT_EQ(source(), "host-ns") << error;
    EXPECT_GE(turned_on, 1u);
    ASSERT_EQ(news.size(), 1u) << error;
    EXPECT_THAT(news[0], HasSubstr("rx: the time stamps of the adapter are not available"));
    EXPECT_EQ(news[0].find("CAP_NET_ADMIN") != std::string::npos, error == EPERM) << news[0];
  }
}

TEST_F(TimeSource, RefusalIsReportedOnceWithAnyNumberOfWorkers) {
  driver(SOF_TIMESTAMPING_SYS_HARDWARE, EPERM);
  const IntakeOptions options = capture_of("rx", 3);
  const auto intake = open(options);
  ASSERT_TRUE(intake);
  EXPECT_GE(turned_on, 3u);
  ASSERT_EQ(intake->counters().at(0).news.size(), 1u);
  EXPECT_EQ(intake->counters().at(0).news[0].find("times)"), std::string::npos);
}

TEST_F(TimeSource, InterfaceThatWasTakenAgainHasTheHosts) {
  driver(SOF_TIMESTAMPING_SYS_HARDWARE, 0);
  auto socket = RingSocket::open(capture_of("rx").interfaces[0]);
  ASSERT_TRUE(socket) << socket.error().cause;
  EXPECT_STREQ(socket->time_source(), "adapter");
  ip("link del dev tx");
  make_cable("tx", "rx");
  ASSERT_TRUE(socket->move_to(::if_nametoindex("rx")));
  EXPECT_STREQ(socket->time_source(), "host-ns");
  EXPECT_EQ(turned_on, 1u);
}

}  // namespace
}  // namespace iwarpscope::capture::test
