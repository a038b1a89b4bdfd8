// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// `iwarpscope record` and `iwarpscope history`, against a daemon made by hand.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/client_text.h"
#include "cli/exit_status.h"
#include "daemon/cli/client_kit.h"

namespace iwarpscope::cli::testing {
namespace {

using api::testing::qp_view;
using ::testing::HasSubstr;

TEST_F(Client, RecordNamesTheFile) {
  daemon.directory.known_qps = {qp_view(7)};
  const Result result = ask({"record", "7", "--seconds", "30", "--reason", "why not"});
  EXPECT_EQ(result.status, kExitDone) << result.err;
  EXPECT_THAT(result.out, HasSubstr("Recording QP 7 for 30 s"));
  EXPECT_THAT(result.out, HasSubstr("qp7.pcapng"));
  EXPECT_EQ(daemon.packets.asked_reason, "why not");
  EXPECT_EQ(lines(ask({"record", "7", "--format", "json"}).out)[0]["file"], "qp7.pcapng");
  EXPECT_EQ(ask({"record", "8"}).status, kExitTrouble);
}

TEST_F(Client, HistoryComesInPages) {
  daemon.archive.rows = 1500;
  const auto records = lines(ask({"history", "--limit", "1200", "--format", "json"}).out);
  ASSERT_EQ(records.size(), 1200u);
  EXPECT_EQ(records.back()["n"], 301);
  EXPECT_EQ(lines(ask({"history", "--format", "json"}).out).size(), 100u);
  ask({"history", "--since", "2023-11-14T22:13:20", "--until", "2023-11-15"});
  EXPECT_EQ(daemon.archive.asked.from, TimePoint{1'700'000'000'000'000'000});
  EXPECT_EQ(daemon.archive.asked.to, TimePoint{1'700'006'400'000'000'000});
  for (const char* time : {"yesterday", "2026-02-31", "1969-12-31", "2262-04-12", "9999-01-01"}) {
    EXPECT_THAT(ask({"history", "--since", time}).err, HasSubstr(fmt::format("'{}' is not a time", time)));
  }
}

TEST_F(Client, HistorySaysWhichRunWroteIt) {
  daemon.archive.rows = 2;
  EXPECT_THAT(ask({"history"}).out, HasSubstr("UTC  run run-1  "));
  const auto records = lines(ask({"history", "--format", "json"}).out);
  ASSERT_EQ(records.size(), 2u);
  EXPECT_EQ(records[0]["run"], "run-1");
  EXPECT_EQ(records[0]["n"], 2);
  EXPECT_EQ(history_json("{}", "a\"b"), R"({"run":"a\"b"})");
  EXPECT_EQ(history_json("[1]", "r"), "[1]");
}

TEST(HistoryWords, NameTheOperationItsEndsAndItsOutcome) {
  const std::string rest = R"(,"opcode":"rdma_read_request","first_frame":12,"a":{"address":"10.0.0.1","port":4005},)"
                           R"("b":{"address":"10.0.0.2","port":5445},"outcome":"no_response_seen"})";
  EXPECT_EQ(history_words(R"({"record":"message","qp":5,"direction":"a_to_b","index":2)" + rest),
            "QP 5  10.0.0.1:4005 -> 10.0.0.2:5445  A -> B  RDMA Read Request (message 2)  frame 12  "
            "no response in the capture");
  EXPECT_EQ(history_words(R"({"record":"message","qp":5,"direction":"b_to_a","index":1,"opcode":"terminate",)"
                          R"("first_frame":13,"name":"Invalid STag","a":null,"b":null,"outcome":"terminate"})"),
            "QP 5  B -> A  Terminate (message 1)  frame 13  Invalid STag");
  EXPECT_THAT(history_words(R"({"opcode":"send","outcome":"terminated"})"), HasSubstr("Send  reported by a Terminate"));
}

TEST(HistoryWords, TellPortsOfIpv6AndStreamsOfSctpApart) {
  EXPECT_EQ(history_words(R"({"record":"qp","qp":5,"a":{"address":"fd01::1","port":4005},)"
                          R"("b":{"address":"fd01::2","port":5445},"sctp_stream":3})"),
            "QP 5  [fd01::1]:4005 -> [fd01::2]:5445  stream 3");
}

TEST(HistoryWords, SumUpWhatPassedBetweenTwoHosts) {
  const auto row = [](const std::string& opcode, const std::string& latency) {
    return R"({"ulp":null,"opcode":)" + opcode + R"(,"messages":3,"failures":1,"latency":)" + latency + "}";
  };
  const std::string read = row(R"("rdma_read_request")", R"({"counts":[0,2],"total":2,"sum_seconds":0.000002})");
  const auto words = [](const std::string& ends, const std::string& rows, bool complete) {
    return history_words(R"({"record":"summary",)" + ends + R"(,"complete":)" + (complete ? "true" : "false") +
                         R"(,"rows":[)" + rows + R"(],"pairs":4})");
  };
  const std::string pair = R"("a":"10.0.0.1","b":"10.0.0.2")";
  const std::string send = row(R"("send")", "null"), fpdu = row(R"("fpdu")", "null");
  const std::string connection = row(R"("connection")", R"({"counts":[1],"total":1,"sum_seconds":0.000001})");
  EXPECT_EQ(words(pair, read + "," + read + "," + send, true),
            "10.0.0.1 - 10.0.0.2  9 messages, 3 failed  RDMA Read Request: 4 measured, half of them below 2.05 us, "
            "1.00 us on average");
  EXPECT_EQ(words(pair, send + "," + connection + "," + fpdu, true),
            "10.0.0.1 - 10.0.0.2  3 messages, 1 failed  3 connections ended, 1 failed  1 FPDU with a wrong CRC  "
            "MPA Reply: 1 measured, half of them below 1.02 us, 1.00 us on average");
  EXPECT_EQ(words(pair, "", false), "10.0.0.1 - 10.0.0.2  0 messages, 0 failed  not the whole hour");
  EXPECT_EQ(words(R"("a":null,"b":null)", "", true), "all hosts  4 pairs with traffic");
  EXPECT_EQ(
      words(R"("a":null,"b":null,"lost":{"nic":0,"kernel":0,"queue":0,"gap_octets":416,"gap_messages":0})", "", true),
      "all hosts  4 pairs with traffic  lost: 416 octets of TCP streams missing");
  // A daemon may be hostile.
  for (const char* latency : {"7", "[]", R"({"counts":7,"total":-1})", R"({"counts":["x",null],"sum_seconds":"y"})"})
    EXPECT_EQ(words(pair, row("7", latency), true), "10.0.0.1 - 10.0.0.2  3 messages, 1 failed");
}

TEST(HistoryWords, SayWhatWasLostBesideTheVerdict) {
  const auto words = [](const std::string& losses) {
    return history_words(R"({"record":"qp","qp":5,"verdict":{"class":"failed","text":"It failed."})" + losses + "}");
  };
  EXPECT_EQ(words(""), "QP 5  failed  It failed.");
  EXPECT_EQ(words(R"(,"losses":{"nic_frames":0,"kernel_frames":0,"queue_frames":0,"gap_octets":0})"), words(""));
  EXPECT_EQ(words(R"(,"losses":{"nic_frames":0,"kernel_frames":17,"queue_frames":0,"gap_octets":0})"),
            words("") +
                "  lost during its lifetime: 17 frames: 0 at the interface, 17 in the kernel's ring, 0 before "
                "the analysis");
  EXPECT_EQ(words(R"(,"losses":{"gap_messages":3})"),
            words("") + "  lost during its lifetime: 3 messages over SCTP missing");
  EXPECT_EQ(words(R"(,"losses":{"nic_frames":"x","gap_octets":-1})"), words(""));
  EXPECT_EQ(words(R"(,"losses":[1])"), words(""));
}

}  // namespace
}  // namespace iwarpscope::cli::testing
