// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Every limit of the configuration, as low as it can be: what it costs is counted where it is shown.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "daemon/live/frames_intake.h"
#include "daemon/live/samples.h"
#include "live/watch.h"
#include "service/configuration.h"
#include "service/keys.h"
#include "synth/association.h"
#include "synth/connection.h"
#include "synth/load.h"

namespace iwarpscope::live {
namespace {

/// Tables by the keys of [limits].
const std::map<std::string_view, std::string_view> kTables{
    {"flows", "flows"},
    {"associations", "associations"},
    {"sctp_streams", "sctp-streams"},
    {"queue_pairs", "qps"},
    {"buffers", "buffers"},
    {"models", "models"},
    {"host_facts", "host-facts"},
    {"outstanding_requests", "outstanding-requests"},
    {"findings_per_rule", "findings-per-rule"},
    {"tcp_buffer", "tcp-buffer"},
    {"tcp_chunks", "tcp-chunks"},
    {"search", "search"},
    {"searched", "searched"},
    {"fragments", "fragments"},
    {"fragmented_datagrams", "fragmented-datagrams"},
    {"encapsulations", "encapsulations"},
    {"messages", "remembered-messages"},
    {"transport_events", "remembered-transport-events"},
    {"findings", "remembered-findings"},
    {"ended_queue_pairs", "remembered-qps"},
};
/// Keys that are times: they end something, but nothing is ever full.
constexpr std::array<std::string_view, 4> kTimes{"tcp_hole", "fragment_timeout", "after_end", "idle"};

/// What no sample has: fragments that never become a datagram, SCTP associations without DDP, TCP
/// connections that stay open, a stream that only looks like iWARP, and one of large FPDUs that was joined in their
/// midst.
const synth::Frames& more_traffic() {
  static const synth::Frames all = [] {
    synth::Frames frames;
    const auto take = [&](synth::Frame&& frame) { frames.push_back(std::move(frame)); };
    synth::tiny_fragments(100, take);
    synth::garbage_markers(256 << 10, take);
    for (std::uint16_t port = 40'000; port < 40'600; ++port) {
      synth::ConnectionOptions options;
      options.initiator.port = port;
      synth::SctpOptions sctp;
      sctp.initiator.adaptation = sctp.responder.adaptation = std::nullopt;
      synth::Association ordinary(options, sctp);
      ordinary.connect();
      for (synth::Frame& frame : ordinary.frames()) take(std::move(frame));
    }
    for (std::uint16_t port = 41'000; port < 41'600; ++port) {
      synth::ConnectionOptions options;
      options.initiator.port = port;
      synth::Connection open(options);
      open.connect();
      for (synth::Frame& frame : open.frames()) take(std::move(frame));
    }
    synth::Connection c;
    c.begin_full_operation(synth::Side::initiator);
    c.limit_mulpdu(synth::Side::initiator, 60'000);
    for (int i = 0; i < 4; ++i) c.send(synth::Side::initiator, 59'000);
    for (synth::Frame& frame : c.frames()) frames.push_back(std::move(frame));
    return frames;
  }();
  return all;
}

using Limits = std::map<std::string, LimitView>;

void add_limits_after(capture::Intake& intake, const service::AnalysisSettings& settings, Limits& limits) {
  WatchOptions options;
  options.analysis.limits = settings.limits;
  options.analysis.messages = true;
  options.analysis.transport = true;
  options.retire = settings.retire;
  options.memory = settings.memory;
  Watch watch(options, intake);
  watch.run();
  for (const LimitView& view : watch.status().limits) {
    EXPECT_LE(view.entries, view.limit) << view.table;
    const std::uint64_t before = limits[view.table].evicted;
    limits[view.table] = view;
    limits[view.table].evicted += before;
  }
}

/// After all samples, one after another, and more, with the limits of these keys as low as they can be.
Limits limits_with_low(const std::vector<std::string>& keys) {
  service::Configuration configuration;
  configuration.simulate.limits = keys;
  const service::AnalysisSettings settings = service::simulated(configuration);
  Limits limits;
  capture::IntakeOptions options;
  options.replay = capture::ReplayOptions{test::samples(), 0, {}};
  auto replay = capture::Intake::open(options);
  EXPECT_TRUE(replay) << replay.error().text();
  add_limits_after(**replay, settings, limits);
  test::FramesIntake more(more_traffic());
  add_limits_after(more, settings, limits);
  return limits;
}

TEST(Limits, EachThatIsMetIsCounted) {
  const auto usual = limits_with_low({});
  for (const service::Key& key : service::keys()) {
    if (key.section != "limits" || std::find(kTimes.begin(), kTimes.end(), key.name) != kTimes.end()) continue;
    SCOPED_TRACE(key.full_name());
    const auto name = kTables.find(key.name);
    ASSERT_NE(name, kTables.end()) << "its table has to be named above";
    const auto low = limits_with_low({std::string(key.name)});
    const std::string table(name->second);
    ASSERT_EQ(low.count(table), 1u) << "it is not shown";
    EXPECT_LT(low.at(table).limit, usual.at(table).limit);
    EXPECT_GT(low.at(table).evicted, usual.at(table).evicted);
  }
}

TEST(Limits, ThatNothingMeetsCostNothing) {
  for (const auto& [table, view] : limits_with_low({})) {
    EXPECT_EQ(view.evicted, 0u) << table;
  }
}

}  // namespace
}  // namespace iwarpscope::live
