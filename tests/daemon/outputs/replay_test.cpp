// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// All outputs at once with a running analysis: they store what it found.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>
#include <thread>

#include "capture/intake.h"
#include "daemon/outputs/events.h"
#include "daemon/outputs/packets.h"
#include "live/watch.h"
#include "outputs/event_log.h"
#include "outputs/history.h"
#include "outputs/outlet.h"
#include "outputs/recorder.h"

namespace iwarpscope::outputs {
namespace {

using namespace std::chrono_literals;
using nlohmann::json;

/// Replays a sample with everything on, and stops in the order in which a daemon does.
struct Replay {
  explicit Replay(const std::string& sample) {
    capture::IntakeOptions from;
    from.replay.emplace();
    from.replay->files = {std::string{IWARPSCOPE_SAMPLES} + "/made/" + sample};
    auto intake = capture::Intake::open(from);
    EXPECT_TRUE(intake) << intake.error().text();
    if (!intake) return;
    live::WatchOptions options;
    options.analysis.messages = true;
    options.tap = &ring;
    live::Watch watch(options, **intake);
    RecorderOptions record;
    record.folder.path = folder / "recordings";
    record.before = 3600s;
    Recorder recorder(record, ring, watch);
    const Run run = make_run("0.1.0");
    Outlet log(std::make_unique<EventLog>(EventLogOptions{.path = folder / "events.jsonl"}, run), watch);
    Outlet history(std::make_unique<History>(HistoryOptions{.path = folder / "history.db"}, run), watch);
    Outlet recordings(std::make_unique<RecorderSink>(recorder), watch);
    std::thread thread([&] { watch.run(true); });
    while (watch.status().capturing || !watch.status().capture_time) std::this_thread::sleep_for(1ms);
    for (Outlet* const outlet : {&recordings, &log, &history}) {
      outlet->stop();
      views.push_back(outlet->view());
    }
    recorder.stop();
    known = watch.findings({}, 0, 5000).value().findings;
    qps = watch.qps({}, 0, 5000).value().qps;
    recorded = recorder.recordings();
    watch.stop();
    thread.join();
  }
  std::vector<json> archived(live::ArchiveQuery::Kind kind) {
    HistoryArchive archive(folder / "history.db");
    live::ArchiveQuery query;
    query.kind = kind;
    query.most = 10'000;
    std::vector<json> all;
    const auto rows = archive.query(query);
    EXPECT_TRUE(rows) << rows.error();
    if (!rows) return all;
    for (const live::ArchivedRow& row : *rows) all.push_back(json::parse(row.json));
    return all;
  }

  Folder folder;
  PacketRing ring{{}};
  std::vector<live::OutputView> views;
  std::vector<live::FindingPtr> known;
  std::vector<live::QpViewPtr> qps;
  std::vector<live::Recording> recorded;
};

struct Sample : ::testing::TestWithParam<const char*> {};

TEST_P(Sample, EveryOutputHoldsWhatTheAnalysisFound) {
  Replay replay(GetParam());
  ASSERT_EQ(replay.views.size(), 3u);
  for (const live::OutputView& view : replay.views) {
    EXPECT_TRUE(view.healthy) << view.trouble;
    EXPECT_EQ(view.lost, 0u) << view.name;
  }
  std::multiset<std::string> found, logged, stored;
  std::set<std::uint64_t> erroneous;
  for (const live::FindingPtr& view : replay.known) {
    const findings::Rule& rule = findings::rule(view->finding.id);
    found.insert(std::string{rule.name} + std::to_string(view->finding.frame.value));
    if (rule.severity == findings::Severity::error && view->finding.qp) erroneous.insert(*view->finding.qp);
  }
  const auto key = [](const json& record) {
    return record["id"].get<std::string>() + std::to_string(record["frame"].is_null() ? 0 : record["frame"].get<int>());
  };
  std::size_t ended = 0;
  for (const std::string& line : lines(read_file(replay.folder / "events.jsonl"))) {
    const json record = json::parse(line);
    if (record["record"] == "finding") logged.insert(key(record));
    ended += record["record"] == "qp" ? 1 : 0;
  }
  for (const json& record : replay.archived(live::ArchiveQuery::Kind::findings)) stored.insert(key(record));
  ASSERT_FALSE(found.empty());
  EXPECT_EQ(logged, found);
  EXPECT_EQ(stored, found);
  EXPECT_EQ(ended, replay.qps.size());
  EXPECT_EQ(replay.archived(live::ArchiveQuery::Kind::qps).size(), replay.qps.size());

  ASSERT_FALSE(erroneous.empty());
  std::set<std::uint64_t> recorded;
  for (const live::Recording& recording : replay.recorded) {
    recorded.insert(recording.qp);
    const auto frames = frames_of(replay.folder / ("recordings/" + recording.file));
    EXPECT_EQ(frames.size(), recording.frames);
    ASSERT_FALSE(frames.empty());
    net::Decoder decoder;
    const std::uint64_t flow = flow_of(decoder, frames.front().frame).flow;
    for (const OwnedFrame& frame : frames) EXPECT_EQ(flow_of(decoder, frame.frame).flow, flow);
  }
  EXPECT_EQ(recorded, erroneous);
}

INSTANTIATE_TEST_SUITE_P(Replay, Sample,
                         ::testing::Values("faults/fault-stag-other.pcapng",
                                           "rules/ddp.segment-after-terminate.pcapng"));

TEST(ReplayOfATerminate, KeepsTheOperationsThatFailed) {
  Replay replay("rules/ddp.segment-after-terminate.pcapng");
  std::multiset<std::string> outcomes;
  for (const json& record : replay.archived(live::ArchiveQuery::Kind::operations)) {
    EXPECT_EQ(record["record"], "message");
    outcomes.insert(record["outcome"].get<std::string>());
  }
  EXPECT_THAT(outcomes, ::testing::Contains("terminate"));
}

}  // namespace
}  // namespace iwarpscope::outputs
