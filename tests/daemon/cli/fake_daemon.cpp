// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// A daemon without traffic, for tests that drive whole programs: fake_daemon SOCKET
// Serves 60 queue pairs made by hand, one of which changes all the time. Says "ready" when it listens; ends when its
// standard input does.
#include <poll.h>
#include <unistd.h>

#include <cstdio>
#include <memory>

#include "daemon/api/kit.h"

int main(int argc, char** argv) {
  using namespace iwarpscope;
  if (argc != 2) return 2;
  api::testing::Daemon daemon;
  daemon.options.socket = argv[1];
  live::Status& now = daemon.directory.now;
  now.capture_time = TimePoint{1'700'000'001'500'000'000};
  now.interfaces = {{"mirror0", "EN10MB", "", 1000, 2000, {}, true, "adapter", {}, {}}};
  now.totals.losses.kernel = 12;
  now.totals.frames = 1000;
  now.outputs = {{"event-log", true, "", 5, 0, 0, 100, 0}};
  for (std::uint64_t i = 0; i < 60; ++i) {
    auto view = api::testing::qp_view(i);
    view->ended = i % 2 == 1;
    view->activity.octets[58] = static_cast<std::uint32_t>(i * 1000);
    view->findings.worst.reset();
    if (i == 7) view->findings.worst = findings::FindingId::mpa_crc_mismatch;
    if (i == 7) view->record.ulp = "smb-direct";
    daemon.directory.known_qps.push_back(view);
  }
  for (std::uint64_t i = 1; i <= 3; ++i) {
    daemon.directory.known_findings.push_back(api::testing::finding_view(i, report::sample::crc_finding(i)));
  }
  if (const std::string why = daemon.start(); !why.empty()) {
    std::fprintf(stderr, "%s\n", why.c_str());
    return 1;
  }
  std::puts("ready");
  std::fflush(stdout);
  pollfd input{STDIN_FILENO, POLLIN, 0};
  for (std::uint64_t n = 0; ::poll(&input, 1, 100) == 0; ++n) {
    auto view = api::testing::qp_view(100);
    view->version = n + 10;
    view->ended = false;
    view->record.state = qp::State::rts;
    view->record.closed_by.reset();
    view->record.ulp = n % 2 == 0 ? "nvme" : "iser";
    view->record.verdict->outcome = qp::Outcome::running;
    view->activity.octets[58] = 50'000'000;
    daemon.directory.tell(live::QpChanged{view});
    daemon.directory.tell(live::FindingReported{api::testing::finding_view(n + 4, report::sample::crc_finding(n))});
  }
  return 0;
}
