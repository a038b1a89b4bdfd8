// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Every sample replayed through the analysis that does not end: the same findings and verdicts as from its analysis as
// a file.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "daemon/live/samples.h"
#include "engine/engine.h"
#include "live/watch.h"
#include "support/analysis.h"

namespace iwarpscope::live {
namespace {

using findings::FindingId;

/// A file without a proper end gives a warning of the replay, which goes on with the next file.
bool is_of_the_file(FindingId id) {
  return id == FindingId::capture_truncated_file || id == FindingId::capture_damaged_file;
}

std::string line_of(const findings::Finding& f) {
  std::string line{findings::rule(f.id).code};
  if (f.qp) line += " QP " + std::to_string(*f.qp);
  for (const FrameNumber frame : f.frames) line += " " + std::to_string(frame.value);
  return line + ": " + f.text;
}

using Lines = std::multiset<std::string>;

Lines of_file(const std::string& path) {
  test::Report report;
  engine::Request request;
  request.file = path;
  request.options.messages = true;
  EXPECT_TRUE(engine::analyze(request, report));
  Lines lines;
  for (const auto& f : report.findings) {
    if (!is_of_the_file(f.id)) lines.insert(line_of(f));
  }
  for (const auto& qp : report.qps) lines.insert("verdict " + std::to_string(qp.qp) + ": " + qp.verdict->text);
  return lines;
}

Lines of_replay(const std::string& path) {
  capture::IntakeOptions intake_options;
  intake_options.replay = capture::ReplayOptions{{path}, 0, {}};
  auto intake = capture::Intake::open(intake_options);
  EXPECT_TRUE(intake) << intake.error().text();
  WatchOptions options;
  options.analysis.messages = true;
  Lines lines;
  {
    Watch watch(options, **intake);
    const auto subscription = watch.subscribe({.qps = true, .findings = true, .queue = 10'000'000});
    watch.run();
    for (const Event& h : subscription->wait({})) {
      if (const auto* f = std::get_if<FindingReported>(&h)) {
        if (!is_of_the_file(f->finding->finding.id)) lines.insert(line_of(f->finding->finding));
      } else if (const auto* e = std::get_if<QpEnded>(&h)) {
        lines.insert("verdict " + std::to_string(e->qp->record.qp) + ": " + e->qp->record.verdict->text);
      }
    }
    EXPECT_EQ(subscription->lost(), 0u);
  }
  return lines;
}

TEST(Replay, EverySample_ReportsTheSameAsItsAnalysis) {
  const std::vector<std::string> all = test::samples();
  ASSERT_GT(all.size(), 300u);
  for (const std::string& path : all) {
    const Lines file = of_file(path), replay = of_replay(path);
    std::vector<std::string> missing, more;
    std::set_difference(file.begin(), file.end(), replay.begin(), replay.end(), std::back_inserter(missing));
    std::set_difference(replay.begin(), replay.end(), file.begin(), file.end(), std::back_inserter(more));
    std::string difference;
    for (const std::string& line : missing) difference += "\n  - " + line;
    for (const std::string& line : more) difference += "\n  + " + line;
    EXPECT_TRUE(difference.empty()) << std::filesystem::path(path).filename().string() << difference;
  }
}

}  // namespace
}  // namespace iwarpscope::live
