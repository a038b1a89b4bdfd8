// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// A Watch that runs over frames made by hand, and what it reported.
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

#include "daemon/live/frames_intake.h"
#include "live/watch.h"
#include "synth/connection.h"
#include "synth/load.h"

namespace iwarpscope::live {

/// Connections of all kinds, some of which end badly, one after another on addresses of their own.
inline synth::Frames traffic(unsigned connections, std::int64_t apart_ns = 1'000'000'000) {
  synth::Frames all;
  for (unsigned i = 0; i < connections; ++i) {
    synth::ConnectionOptions options;
    options.initiator.port = static_cast<std::uint16_t>(30000 + i % 30000);
    synth::Connection c(options);
    c.wait(static_cast<std::int64_t>(i) * apart_ns);
    c.connect();
    c.startup();
    c.send(synth::Side::initiator, 100 + i % 7);
    c.read(synth::Side::initiator, {.size = 3000});
    if (i % 5 == 1) c.fault("crc-mismatch");
    c.send(synth::Side::responder, 50);
    if (i % 5 == 2) {
      c.terminate_last(synth::Side::responder, 0, 1, 2);
      c.reset(synth::Side::responder);
    } else if (i % 5 != 3) {
      c.close();
    }
    const synth::Frames frames = c.frames();
    all.insert(all.end(), frames.begin(), frames.end());
  }
  return all;
}

/// A Watch over an intake, on a thread of its own.
class Running {
 public:
  explicit Running(test::FramesIntake& intake, WatchOptions options = {})
      : watch(complete(std::move(options)), intake) {
    thread_ = std::thread([this] { watch.run(true); });
  }
  ~Running() {
    watch.stop();
    thread_.join();
  }
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;

  /// Everything was analysed, and the capture ended.
  void wait_for_end() {
    while (watch.status().capturing || !watch.status().capture_time)
      std::this_thread::sleep_for(std::chrono::milliseconds{1});
  }
  Watch watch;

 private:
  static WatchOptions complete(WatchOptions options) {
    options.analysis.messages = true;
    return options;
  }
  std::thread thread_;
};

using Reported = std::multiset<std::tuple<std::string_view, std::uint64_t, std::string>>;

inline Reported reported(const std::vector<findings::Finding>& findings) {
  Reported all;
  for (const auto& f : findings) all.emplace(findings::rule(f.id).code, f.qp.value_or(~0ull), f.text);
  return all;
}
inline Reported reported(Watch& watch) {
  Reported all;
  for (std::uint64_t from = 0;;) {
    const auto page = watch.findings({}, from, 1000);
    EXPECT_TRUE(page) << page.error();
    for (const auto& f : page->findings) {
      all.emplace(findings::rule(f->finding.id).code, f->finding.qp.value_or(~0ull), f->finding.text);
    }
    if (!page->next) return all;
    from = *page->next;
  }
}

/// Takes what is reported to a subscriber until `enough` says so. False: it never did.
template <class Enough>
bool take_until(Subscription& reported, Enough enough) {
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds{20};
  while (std::chrono::steady_clock::now() < deadline) {
    for (const Event& event : reported.wait(std::chrono::milliseconds{50})) {
      if (enough(event)) return true;
    }
  }
  return false;
}

}  // namespace iwarpscope::live
