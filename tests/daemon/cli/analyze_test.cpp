// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/analyze.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <nlohmann/json.hpp>
#include <sstream>

#include "cli/exit_status.h"
#include "daemon/cli/console.h"

namespace iwarpscope::cli::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::vector<nlohmann::json> records(const std::string& text) {
  std::vector<nlohmann::json> out;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) out.push_back(nlohmann::json::parse(line));
  return out;
}

std::vector<std::string> kinds(const std::string& text) {
  std::vector<std::string> out;
  for (const auto& record : records(text)) out.push_back(record["record"]);
  return out;
}

findings::Finding finding(findings::FindingId id, std::optional<std::uint64_t> qp) {
  auto result = report::sample::crc_finding();
  result.id = id;
  result.qp = qp;
  return result;
}

constexpr auto kError = findings::FindingId::mpa_crc_mismatch;
const auto kWarning = report::sample::rule_of(findings::Severity::warning);
const auto kNote = report::sample::rule_of(findings::Severity::note);

TEST(Analyze, SeveralFilesAreReportedInOrderEachByItself) {
  FakeEngine engine;
  const Result result = run_with(engine, {"analyze", "--format", "json", "b.pcap", "a.pcap", "-"});
  EXPECT_EQ(result.status, kExitDone);
  EXPECT_EQ(result.err, "");
  const auto all = records(result.out);
  ASSERT_EQ(all.size(), 9u);
  EXPECT_EQ(all[0]["file"], "b.pcap");
  EXPECT_EQ(all[2]["record"], "summary");
  EXPECT_EQ(all[3]["file"], "a.pcap");
  EXPECT_EQ(all[6]["file"], "-");
}

TEST(Analyze, TextReportsAreSeparatedByAnEmptyLine) {
  const Result result = run_with({"analyze", "b.pcap", "a.pcap"});
  EXPECT_THAT(result.out, ::testing::StartsWith("Capture  b.pcap"));
  EXPECT_THAT(result.out, HasSubstr("\n\nCapture  a.pcap"));
  EXPECT_THAT(result.out, Not(HasSubstr("\x1b")));
}

TEST(Analyze, OptionsReachTheEngine) {
  FakeEngine engine;
  const Result result =
      run_with(engine, {"analyze", "--messages", "--digest", "--filter", "tcp port 4420", "--threads", "7", "x"});
  EXPECT_EQ(result.status, kExitDone) << result.err;
  ASSERT_EQ(engine.requests.size(), 1u);
  EXPECT_TRUE(engine.requests[0].options.messages);
  EXPECT_TRUE(engine.requests[0].options.digest);
  EXPECT_EQ(engine.requests[0].filter, "tcp port 4420");
  EXPECT_EQ(engine.requests[0].threads, 7u);
  EXPECT_EQ(engine.requests[0].file, "x");
}

TEST(Analyze, MessagesAreMadeOnlyWhenSomethingNeedsThem) {
  FakeEngine engine;
  EXPECT_EQ(run_with(engine, {"analyze", "x"}).status, kExitDone);
  EXPECT_EQ(run_with(engine, {"analyze", "-v", "x"}).status, kExitDone);
  EXPECT_EQ(run_with(engine, {"analyze", "--qp", "0", "x"}).status, kExitDone);
  EXPECT_EQ(run_with(engine, {"analyze", "--qp", "0", "--format", "json", "x"}).status, kExitDone);
  ASSERT_EQ(engine.requests.size(), 4u);
  EXPECT_FALSE(engine.requests[0].options.messages);
  EXPECT_TRUE(engine.requests[1].options.messages);
  EXPECT_FALSE(engine.requests[2].options.messages);
  EXPECT_FALSE(engine.requests[3].options.messages);
  EXPECT_FALSE(engine.requests[1].options.requests);
  EXPECT_TRUE(engine.requests[2].options.requests) << "latencies of one queue pair";
  EXPECT_FALSE(engine.requests[3].options.requests);
}

TEST(Analyze, QpKeepsOutTheOthersButNotCaptureAndSummary) {
  FakeEngine engine;
  engine.qps = {report::sample::queue_pair(0), report::sample::queue_pair(3)};
  engine.messages = {report::sample::message(rdmap::Opcode::send), report::sample::message(rdmap::Opcode::send)};
  engine.messages[0].qp = 0;
  engine.findings = {finding(kError, 0), finding(kNote, 3), finding(kError, std::nullopt)};
  const Result result =
      run_with(engine, {"analyze", "--format", "json", "--messages", "--qp", "3", "--fail-on", "error", "x"});
  EXPECT_THAT(kinds(result.out), ::testing::ElementsAre("message", "finding", "capture", "qp", "summary"));
  for (const auto& record : records(result.out)) {
    if (record.contains("qp")) {
      EXPECT_EQ(record["qp"], 3);
    }
  }
  EXPECT_EQ(records(result.out).back()["qps"], 2);
  EXPECT_EQ(result.status, kExitDone);  // the errors are of others
}

TEST(Analyze, QpThatIsNotThereIsTrouble) {
  const Result result = run_with({"analyze", "--qp", "9", "x.pcap"});
  EXPECT_EQ(result.status, kExitTrouble);
  EXPECT_EQ(result.err, "iwarpscope: x.pcap: QP 9 does not exist; the capture has 1 QP\n");
}

TEST(Analyze, FailOnLooksAtTheWorstSeverity) {
  const auto status = [](findings::FindingId id, const char* severity) {
    FakeEngine engine;
    engine.findings = {finding(kNote, 0), finding(id, 0), finding(kNote, 0)};
    return run_with(engine, {"analyze", "--fail-on", severity, "x"}).status;
  };
  EXPECT_EQ(status(kError, "error"), kExitFound);
  EXPECT_EQ(status(kError, "warning"), kExitFound);
  EXPECT_EQ(status(kWarning, "error"), kExitDone);
  EXPECT_EQ(status(kWarning, "warning"), kExitFound);
  EXPECT_EQ(status(kNote, "warning"), kExitDone);
  FakeEngine engine;
  engine.findings = {finding(kError, 0)};
  EXPECT_EQ(run_with(engine, {"analyze", "x"}).status, kExitDone);
}

TEST(Analyze, UnreadableFileIsOneLineAndTheOthersAreStillAnalysed) {
  FakeEngine engine;
  engine.findings = {finding(kError, 0)};
  engine.before = [&](const engine::Request& request) {
    engine.error = request.file == "bad" ? "bad: no such file" : "";
  };
  const Result result = run_with(engine, {"analyze", "--fail-on", "error", "--format", "json", "bad", "good"});
  EXPECT_EQ(result.status, kExitTrouble);
  EXPECT_EQ(result.err, "iwarpscope: bad: no such file\n");
  EXPECT_THAT(kinds(result.out), ::testing::ElementsAre("finding", "capture", "qp", "summary"));
}

TEST(Analyze, TruncatedFileIsSaidAndCountsAsAnalysed) {
  FakeEngine engine;
  engine.outcome.truncated = "x: octet 77: the file ends in the middle of a record";
  const Result result = run_with(engine, {"analyze", "x"});
  EXPECT_EQ(result.status, kExitDone);
  EXPECT_EQ(result.err, "iwarpscope: x: octet 77: the file ends in the middle of a record\n");
}

TEST(Analyze, DamagedFileIsReportedAsFarAsItGoesAndIsTrouble) {
  FakeEngine engine;
  engine.outcome.damaged = "x: octet 77: a record of 4294967295 octets";
  const Result result = run_with(engine, {"analyze", "x"});
  EXPECT_EQ(result.status, kExitTrouble);
  EXPECT_EQ(result.err, "iwarpscope: x: octet 77: a record of 4294967295 octets\n");
  EXPECT_THAT(result.out, HasSubstr("1 queue pair"));
}

TEST(Analyze, InterruptedPrintsWhatWasFoundAndLeavesTheRest) {
  FakeEngine engine;
  engine.findings = {finding(kError, 0)};
  engine.outcome.interrupted = true;
  engine.before = [](const engine::Request& request) { const_cast<std::atomic<bool>*>(request.stop)->store(true); };
  const Result result = run_with(engine, {"analyze", "--fail-on", "error", "x", "y"});
  EXPECT_EQ(result.status, kExitInterrupted);
  EXPECT_EQ(result.err, "iwarpscope: x: interrupted; the report covers what was read before\n");
  EXPECT_THAT(result.out, HasSubstr("mpa.crc-mismatch"));
  EXPECT_EQ(engine.requests.size(), 1u);
}

TEST(Analyze, TimingIsANumberOnlyWhenAskedFor) {
  EXPECT_TRUE(records(run_with({"analyze", "--format", "json", "x"}).out).back()["elapsed_ns"].is_null());
  const auto timed = records(run_with({"analyze", "--format", "json", "--timing", "x"}).out).back()["elapsed_ns"];
  ASSERT_TRUE(timed.is_number());
  EXPECT_GT(timed.get<std::int64_t>(), 0);
}

TEST(Analyze, DigestFieldsAreThereWithDigest) {
  FakeEngine engine;
  engine.messages = {report::sample::message(rdmap::Opcode::send)};
  const auto with = records(run_with(engine, {"analyze", "--format", "json", "-v", "--digest", "x"}).out);
  EXPECT_TRUE(with[0].contains("sha256"));
  const auto without = records(run_with(engine, {"analyze", "--format", "json", "-v", "x"}).out);
  EXPECT_FALSE(without[0].contains("sha256"));
}

TEST(Analyze, ColourIsForTerminalsUnlessForced) {
  FakeEngine engine;
  engine.findings = {finding(kError, 0)};
  EXPECT_THAT(run_with(engine, {"analyze", "x"}).out, Not(HasSubstr("\x1b")));
  EXPECT_THAT(run_with(engine, {"analyze", "--color", "always", "x"}).out, HasSubstr("\x1b[1;31merror"));
  EXPECT_THAT(run_with(engine, {"analyze", "--color", "always", "--format", "json", "x"}).out, Not(HasSubstr("\x1b")));
}

TEST(Analyze, FullDiskIsAnErrorAndStopsTheAnalysis) {
  const int full = ::open("/dev/full", O_WRONLY | O_CLOEXEC);
  if (full < 0) GTEST_SKIP() << "no /dev/full here";
  FakeEngine engine;
  TemporaryFile err_file;
  Output out(full), err(err_file.descriptor());
  std::atomic<bool> stop{false};
  AnalyzeArguments arguments;
  arguments.files = {"x", "y"};
  const int status = run_analyze(
      arguments, {out, err}, [&](const engine::Request& r, analysis::Observer& o) { return engine(r, o); }, stop);
  ::close(full);
  EXPECT_EQ(status, kExitTrouble);
  EXPECT_EQ(err_file.text(), "iwarpscope: standard output: No space left on device\n");
  EXPECT_TRUE(stop);
  EXPECT_EQ(engine.requests.size(), 1u);
}

}  // namespace
}  // namespace iwarpscope::cli::testing
