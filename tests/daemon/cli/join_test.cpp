// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/join_command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "cli/exit_status.h"
#include "daemon/cli/console.h"

namespace iwarpscope::cli::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

FakeEngine engine_with_numbers() {
  FakeEngine engine;
  for (qp::DirectionRecord& d : engine.qps[0].directions) {
    d.sequence = qp::SequenceRecord{1000u, 1001u, 9000, std::nullopt, false, std::nullopt};
    d.loss_traces = {};
  }
  return engine;
}

nlohmann::json line(const std::string& text, std::size_t number) {
  std::istringstream lines(text);
  std::string one;
  for (std::size_t i = 0; i <= number; ++i) std::getline(lines, one);
  return nlohmann::json::parse(one);
}

TEST(Join, EachFileIsATapNamedByTheUserOrByItself) {
  FakeEngine engine = engine_with_numbers();
  const Result result = run_with(engine, {"join", "--format", "json", "leaf 1=a.pcap", "/captures/b.pcap.gz"});
  EXPECT_EQ(result.status, kExitDone) << result.err;
  ASSERT_EQ(engine.requests.size(), 2u);
  EXPECT_EQ(engine.requests[0].file, "a.pcap");
  EXPECT_EQ(engine.requests[1].file, "/captures/b.pcap.gz");
  EXPECT_EQ(line(result.out, 0)["position"], "leaf 1");
  EXPECT_EQ(line(result.out, 1)["position"], "b");
  EXPECT_TRUE(line(result.out, 1)["clock_bound_ns"].is_null());
  const nlohmann::json joined = line(result.out, 2);
  EXPECT_EQ(joined["record"], "joined");
  EXPECT_EQ(joined["basis"], "numbers");
  EXPECT_EQ(joined["views"].size(), 2u);
  EXPECT_EQ(joined["views"][0]["tap"], "leaf 1");
}

TEST(Join, TextNamesTapsAndConnections) {
  FakeEngine engine = engine_with_numbers();
  const Result result = run_with(engine, {"join", "leaf1=a.pcap", "leaf2=b.pcap"});
  EXPECT_THAT(result.out, HasSubstr("leaf1: a.pcap"));
  EXPECT_THAT(result.out, HasSubstr("clock unknown"));
  EXPECT_THAT(result.out, HasSubstr("1 connection, 1 seen at several taps"));
  EXPECT_THAT(result.out, HasSubstr("Seen at leaf1 QP 0, leaf2 QP 0"));
}

TEST(Join, FramesAreMergedOnlyWhereTheClocksAllowIt) {
  for (const auto& [bound, requests] :
       std::vector<std::pair<std::string, std::size_t>>{{"5ms", 3}, {"5001us", 2}, {"2s", 2}}) {
    FakeEngine engine = engine_with_numbers();
    const Result result = run_with(engine, {"join", "--clock-bound", bound, "a.pcap", "b.pcap"});
    EXPECT_EQ(result.status, kExitDone) << result.err;
    ASSERT_EQ(engine.requests.size(), requests) << bound;
    if (requests == 3) EXPECT_THAT(engine.requests[2].merged, ElementsAre("b.pcap"));
  }
}

TEST(Join, WhatCannotBeJoinedIsRefused) {
  for (const std::vector<std::string>& arguments :
       std::vector<std::vector<std::string>>{{"join", "a.pcap"},
                                             {"join", "x/a.pcap", "y/a.pcap"},
                                             {"join", "--clock-bound", "5", "a.pcap", "b.pcap"},
                                             {"join", "--clock-bound", "-5ms", "a.pcap", "b.pcap"}}) {
    const Result result = run_with(arguments);
    EXPECT_EQ(result.status, kExitTrouble) << arguments.back();
    EXPECT_NE(result.err, "");
    EXPECT_EQ(result.out, "");
  }
}

TEST(Join, AFileThatCannotBeReadEndsIt) {
  FakeEngine engine;
  engine.error = "a.pcap: no such file";
  const Result result = run_with(engine, {"join", "a.pcap", "b.pcap"});
  EXPECT_EQ(result.status, kExitTrouble);
  EXPECT_EQ(result.err, "iwarpscope: a.pcap: no such file\n");
  EXPECT_EQ(result.out, "");
}

}  // namespace
}  // namespace iwarpscope::cli::testing
