// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include <arpa/inet.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <fstream>
#include <mutex>
#include <string>
#include <vector>

#include "metrics/exposer.h"
#include "metrics/families.h"

namespace iwarpscope::metrics {
namespace {

using testing::AllOf;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

live::Status example() {
  live::Status s;
  s.version = "1.2.3";
  s.capturing = true;
  live::InterfaceView& i = s.interfaces.emplace_back();
  i.name = "ens\"1";
  i.frames = 12;
  i.octets = 3456;
  i.losses = {1, 2, 3, 0};
  s.totals.traffic[&qp::DirectionRecord::capture_gap_octets] = 77;
  s.totals.qps_by_state["established"] = 5;
  s.totals.qps_by_outcome["stalled"] = 2;
  s.totals.terminates[{2, 7}] = 4;
  s.totals.traffic[&qp::DirectionRecord::retransmitted_segments] = 21;
  s.totals.traffic[&qp::DirectionRecord::fpdus] = 3;
  s.totals.traffic[&qp::DirectionRecord::fpdu_octets] = 444;
  s.limits = {{"flows", 5, 256, 1}, {"tcp-chunks", 0, 4096, 6, true}};
  s.totals.findings["mpa.crc-mismatch"] = 9;
  s.totals.findings["mpa.marker-missing"] = 3;
  s.totals.findings["mpa.markers-disagree"] = 4;
  s.totals.findings["mpa.marker-reserved-bits"] = 50;  // a note: no error
  s.totals.findings["ddp.msn-out-of-sequence"] = 5;
  s.totals.operations[0] = 8;
  s.read_latency.add(1'500);             // second bucket: up to 2048 ns
  s.read_latency.add(500);               // first
  s.read_latency.add(3600'000'000'000);  // beyond the last bound
  live::OutputView& o = s.outputs.emplace_back();
  o.name = "history";
  o.lost = 6;
  o.not_begun = 2;
  o.withheld = 8;
  s.outputs.emplace_back().name = "journal";
  s.outputs.back().lost = 5;
  return s;
}

TEST(Families, HaveTheValuesOfTheStatus) {
  const std::string all = text({example(), "rack 7"});
  for (const char* const line :
       {"iwarp_build_info{sensor=\"rack 7\",version=\"1.2.3\"} 1\n",
        "iwarp_capture_packets_total{sensor=\"rack 7\",iface=\"ens\\\"1\"} 12\n",
        "iwarp_capture_bytes_total{sensor=\"rack 7\",iface=\"ens\\\"1\"} 3456\n",
        "iwarp_capture_drops_total{sensor=\"rack 7\",iface=\"ens\\\"1\",where=\"nic\"} 1\n",
        "iwarp_capture_drops_total{sensor=\"rack 7\",iface=\"ens\\\"1\",where=\"kernel\"} 2\n",
        "iwarp_capture_drops_total{sensor=\"rack 7\",iface=\"ens\\\"1\",where=\"queue\"} 3\n",
        "iwarp_capture_gap_bytes_total{sensor=\"rack 7\"} 77\n",
        "iwarp_qp_active{sensor=\"rack 7\",state=\"established\"} 5\n",
        "iwarp_qp_verdicts{sensor=\"rack 7\",outcome=\"stalled\"} 2\n",
        "iwarp_qp_closed_total{sensor=\"rack 7\",outcome=\"failed\"} 0\n",
        "iwarp_terminates_total{sensor=\"rack 7\",layer=\"2\",code=\"7\"} 4\n",
        "iwarp_findings_total{sensor=\"rack 7\",id=\"mpa.crc-mismatch\",severity=\"error\"} 9\n",
        "iwarp_mpa_marker_errors_total{sensor=\"rack 7\"} 7\n",
        "iwarp_ddp_order_errors_total{sensor=\"rack 7\",kind=\"msn-out-of-sequence\"} 5\n",
        "iwarp_ddp_order_errors_total{sensor=\"rack 7\",kind=\"mo-wrong\"} 0\n",
        "iwarp_rdmap_ops_total{sensor=\"rack 7\",op=\"rdma_write\"} 8\n",
        "iwarp_tcp_retransmits_total{sensor=\"rack 7\"} 21\n",
        "iwarp_fpdu_bytes_total{sensor=\"rack 7\"} 444\n",
        "iwarp_table_entries{sensor=\"rack 7\",table=\"flows\"} 5\n",
        "iwarp_table_limit{sensor=\"rack 7\",table=\"tcp-chunks\"} 4096\n",
        "iwarp_evictions_total{sensor=\"rack 7\",table=\"tcp-chunks\"} 6\n",
        "iwarp_output_lost_total{sensor=\"rack 7\",kind=\"history\"} 6\n",
        "iwarp_output_not_begun_total{sensor=\"rack 7\",kind=\"history\"} 2\n",
        "iwarp_output_withheld_total{sensor=\"rack 7\",kind=\"history\"} 8\n"}) {
    EXPECT_THAT(all, HasSubstr(line));
  }
  EXPECT_THAT(all, Not(HasSubstr("iwarp_table_entries{sensor=\"rack 7\",table=\"tcp-chunks\"}")));
}

TEST(Families, HistogramsAreCumulativeAndEndAtInfinity) {
  const std::string all = text({example(), "s"});
  EXPECT_THAT(all, HasSubstr("iwarp_rdmap_read_latency_seconds_count{sensor=\"s\"} 3\n"));
  EXPECT_THAT(all, HasSubstr("iwarp_rdmap_read_latency_seconds_bucket{sensor=\"s\",le=\"1.024e-06\"} 1\n"));
  EXPECT_THAT(all, HasSubstr("iwarp_rdmap_read_latency_seconds_bucket{sensor=\"s\",le=\"2.048e-06\"} 2\n"));
  EXPECT_THAT(all, HasSubstr("iwarp_rdmap_read_latency_seconds_bucket{sensor=\"s\",le=\"+Inf\"} 3\n"));
}

TEST(Families, WithoutSeriesAreLeftOut) {
  EXPECT_THAT(text({live::Status{}, "s"}), Not(HasSubstr("iwarp_terminates_total")));
}

TEST(Readiness, NeedsACaptureAllInterfacesAndAllOutputs) {
  live::Status s = example();
  EXPECT_EQ(not_ready(s), "");
  s.interfaces[0].up = false;
  EXPECT_EQ(not_ready(s), "The interface ens\"1 is not capturing.\n");
  s = example();
  s.capturing = false;
  EXPECT_EQ(not_ready(s), "No interface is up: nothing is captured.\n");
  s.replay = true;
  EXPECT_EQ(not_ready(s), "The replay has finished.\n");
  s = example();
  s.outputs[0].healthy = false;
  s.outputs[0].trouble = "The disk is full.";
  EXPECT_EQ(not_ready(s), "history: The disk is full.\n");
}

/// An exposer of its own.
class Exposed : public testing::Test {
 protected:
  Exposed() {
    auto started = Exposer::start("127.0.0.1:0", [this] {
      const std::lock_guard lock(mutex_);
      return Snapshot{status_, "s"};
    });
    EXPECT_TRUE(started) << (started ? "" : started.error());
    exposer_ = std::move(*started);
  }
  /// A socket that is connected.
  int connected() const { return connected_to(exposer_->port()); }
  static int connected_to(int port) {
    const int s = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const timeval patience{20, 0};
    setsockopt(s, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    sockaddr_in to{};
    to.sin_family = AF_INET;
    to.sin_port = htons(static_cast<std::uint16_t>(port));
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    EXPECT_EQ(connect(s, reinterpret_cast<const sockaddr*>(&to), sizeof to), 0);
    return s;
  }
  /// What comes back for these octets until the other end closes.
  std::string answer(const std::string& request) const {
    const int s = connected();
    std::string all;
    if (s >= 0) {
      static_cast<void>(send(s, request.data(), request.size(), MSG_NOSIGNAL));
      shutdown(s, SHUT_WR);
      std::array<char, 65536> part{};
      for (ssize_t got = 0; (got = recv(s, part.data(), part.size(), 0)) > 0;)
        all.append(part.data(), static_cast<std::size_t>(got));
    }
    close(s);
    return all;
  }
  std::string get(const std::string& path, const std::string& method = "GET") const {
    return answer(method + " " + path + " HTTP/1.1\r\nHost: x\r\n\r\n");
  }

  std::mutex mutex_;
  live::Status status_ = example();  ///< under the mutex, once it is exposed
  std::unique_ptr<Exposer> exposer_;
};

TEST_F(Exposed, MetricsAreTheText) {
  EXPECT_THAT(get("/metrics"), AllOf(StartsWith("HTTP/1.1 200 OK\r\n"), HasSubstr("text/plain; version=0.0.4"),
                                     EndsWith("\r\n\r\n" + text({status_, "s"}))));
}

TEST_F(Exposed, HealthIsLifeAndReadinessIsWork) {
  EXPECT_THAT(get("/healthz"), StartsWith("HTTP/1.1 200 OK\r\n"));
  EXPECT_THAT(get("/readyz"), StartsWith("HTTP/1.1 200 OK\r\n"));
  {
    const std::lock_guard lock(mutex_);
    status_.capturing = false;
  }
  EXPECT_THAT(get("/healthz"), StartsWith("HTTP/1.1 200 OK\r\n"));
  EXPECT_THAT(get("/readyz"), AllOf(StartsWith("HTTP/1.1 503 "), EndsWith("nothing is captured.\n")));
}

TEST_F(Exposed, HeadHasNoBodyAndNothingElseIsDone) {
  EXPECT_THAT(get("/metrics", "HEAD"), AllOf(StartsWith("HTTP/1.1 200 OK\r\n"), EndsWith("\r\n\r\n")));
  EXPECT_THAT(get("/metrics", "POST"), StartsWith("HTTP/1.1 405 "));
  EXPECT_THAT(get("/"), StartsWith("HTTP/1.1 404 "));
  EXPECT_THAT(get("/../../etc/passwd"), Not(HasSubstr("root:")));
}

TEST_F(Exposed, GarbageIsRefusedAndTheNextIsAnswered) {
  const std::string zeros(100'000, '\0');
  for (const std::string& request : {std::string("\x16\x03\x01\x02"), zeros, std::string(100'000, 'A') + "\r\n\r\n",
                                     std::string("GET /metrics HTTP/9.9\r\n\r\n"), std::string("\r\n\r\n\r\n")}) {
    EXPECT_THAT(answer(request), Not(StartsWith("HTTP/1.1 200")));
  }
  EXPECT_THAT(get("/healthz"), StartsWith("HTTP/1.1 200 OK\r\n"));
}

TEST_F(Exposed, ConnectionsThatSendHalfARequestDelayNoOtherAnswer) {
  constexpr int kHalf = 400;
  const std::string half = "GET /metrics HTTP/1.1\r\nHost: x";
  std::vector<int> open;
  for (int i = 0; i < kHalf; ++i) {
    open.push_back(connected());
    ASSERT_EQ(send(open.back(), half.data(), half.size(), MSG_NOSIGNAL), static_cast<ssize_t>(half.size()));
  }
  const auto asked = std::chrono::steady_clock::now();
  EXPECT_THAT(get("/healthz"), StartsWith("HTTP/1.1 200 OK\r\n"));
  EXPECT_LT(std::chrono::steady_clock::now() - asked, std::chrono::seconds(2));
  for (const int s : open) close(s);
}

/// Octets of memory that this process uses.
std::size_t used() {
  std::ifstream file("/proc/self/statm");
  std::size_t all = 0, resident = 0;
  file >> all >> resident;
  return resident * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

TEST_F(Exposed, ClientsThatAskTogetherAndReadNothingShareOneAnswer) {
  constexpr int kClients = 100;
  const std::string large(8 << 20, '#');
  std::atomic<int> made{0};
  const auto shared =
      Exposer::start("127.0.0.1:0", Pages{[&] {
                                            ++made;
                                            return large;
                                          },
                                          [] { return std::string{}; }, "alive\n", "ready\n", std::chrono::hours(1)});
  ASSERT_TRUE(shared);
  const std::size_t before = used();
  const std::string request = "GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n";
  std::vector<int> open;
  std::array<char, 17> begin{};
  for (int i = 0; i < kClients; ++i) {
    open.push_back(connected_to((*shared)->port()));
    ASSERT_EQ(send(open.back(), request.data(), request.size(), MSG_NOSIGNAL), static_cast<ssize_t>(request.size()));
    ASSERT_EQ(recv(open.back(), begin.data(), begin.size(), MSG_WAITALL), static_cast<ssize_t>(begin.size()));
    ASSERT_EQ(std::string(begin.data(), begin.size()), "HTTP/1.1 200 OK\r\n");
  }
  EXPECT_EQ(made, 1);
  EXPECT_LT(used() - std::min(before, used()), kClients * large.size() / 4);
  for (const int s : open) close(s);
}

TEST(Exposer, StopsWithoutWaitingForAConnection) {
  const auto began = std::chrono::steady_clock::now();
  for (const char* const address : {"127.0.0.1:0", "0.0.0.0:0", "127.0.0.1:0", "127.0.0.1:0", "127.0.0.1:0"}) {
    const auto exposer = Exposer::start(address, [] { return Snapshot{}; });
    EXPECT_TRUE(exposer) << exposer.error();
  }
  EXPECT_LT(std::chrono::steady_clock::now() - began, std::chrono::seconds(6));
}

TEST_F(Exposed, AddressInUseIsSaid) {
  const std::string address = "127.0.0.1:" + std::to_string(exposer_->port());
  const auto second = Exposer::start(address, [] { return Snapshot{}; });
  ASSERT_FALSE(second);
  EXPECT_THAT(second.error(), StartsWith("Metrics cannot be served at " + address + ": "));
}

}  // namespace
}  // namespace iwarpscope::metrics
