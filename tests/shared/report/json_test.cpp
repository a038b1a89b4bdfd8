// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/json.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "shared/report/sample_records.h"

namespace iwarpscope::report {
namespace {

using nlohmann::json;
using rdmap::Opcode;

template <class Record>
std::string line(const Record& record) {
  std::string out;
  append_json(out, record);
  return out;
}

json parsed(const qp::MessageRecord& record, JsonOptions options = {}) {
  std::string out;
  append_json(out, record, options);
  return json::parse(out);
}

/// The members every message has, as sample::message() fills them.
const std::string kCommon =
    R"("first_frame":21,"last_frame":22,"first_time":"1700000000.000000001","placed_time":"1700000000.000001001",)"
    R"("delivered_time":"1700000000.000002001","ddp_segments":1,"length":64,"complete":true)";

std::string untagged(std::string_view opcode, std::string_view qn, std::string_view rest) {
  return R"({"record":"message","qp":3,"direction":"a_to_b","index":12,"opcode":")" + std::string{opcode} + "\"," +
         kCommon + R"(,"qn":)" + std::string{qn} + R"(,"msn":13)" + std::string{rest} + "}\n";
}

TEST(JsonMessage, SendHasQueueAndSequence) {
  EXPECT_EQ(line(sample::message(Opcode::send)), untagged("send", "0", ""));
}

TEST(JsonMessage, SendWithInvalidateNamesItsStag) {
  auto record = sample::message(Opcode::send_se_invalidate);
  record.invalidate_stag = STag{0xAB};
  EXPECT_EQ(line(record), untagged("send_se_invalidate", "0", R"(,"invalidate_stag":"0x000000ab")"));
}

TEST(JsonMessage, WriteIsTagged) {
  auto record = sample::message(Opcode::rdma_write);
  record.tagged = true;
  record.direction = Direction::b_to_a;
  record.stag = STag{0x1234};
  record.to = TaggedOffset{0x1000};
  EXPECT_EQ(line(record), R"({"record":"message","qp":3,"direction":"b_to_a","index":12,"opcode":"rdma_write",)" +
                              kCommon + R"(,"stag":"0x00001234","to":"0x0000000000001000"})" + "\n");
}

TEST(JsonMessage, ReadRequestWithAndWithoutResponse) {
  auto record = sample::message(Opcode::rdma_read_request, 1);
  qp::ReadRequestDetail detail{STag{1}, TaggedOffset{2}, 4096, STag{3}, TaggedOffset{4}, std::nullopt};
  const std::string fields =
      R"(,"sink_stag":"0x00000001","sink_to":"0x0000000000000002","size":4096,"source_stag":"0x00000003",)"
      R"("source_to":"0x0000000000000004","response":)";
  record.detail = detail;
  EXPECT_EQ(line(record), untagged("rdma_read_request", "1", fields + "null"));
  detail.response = qp::ResponseLink{7, -5, 80};
  record.detail = detail;
  EXPECT_EQ(line(record),
            untagged("rdma_read_request", "1", fields + R"({"index":7,"first_octet_ns":-5,"last_octet_ns":80})"));
}

TEST(JsonMessage, ReadRequestWhoseHeaderWasNotSeenHasNulls) {
  EXPECT_EQ(
      line(sample::message(Opcode::rdma_read_request, 1)),
      untagged("rdma_read_request", "1",
               R"(,"sink_stag":null,"sink_to":null,"size":null,"source_stag":null,"source_to":null,"response":null)"));
}

TEST(JsonMessage, ReadResponseNamesItsRequestOrNull) {
  auto record = sample::message(Opcode::rdma_read_response);
  record.tagged = true;
  record.detail = qp::ReadResponseDetail{9};
  EXPECT_EQ(parsed(record)["request_index"], 9);
  record.detail = qp::ReadResponseDetail{};
  EXPECT_TRUE(parsed(record).at("request_index").is_null());
}

TEST(JsonMessage, AtomicRequestHasAllItsWords) {
  auto record = sample::message(Opcode::atomic_request, 1);
  record.detail = qp::AtomicRequestDetail{"cmp_swap",
                                          5,
                                          STag{6},
                                          TaggedOffset{8},
                                          1,
                                          2,
                                          3,
                                          std::numeric_limits<std::uint64_t>::max(),
                                          qp::ResponseLink{1, 2, 3}};
  EXPECT_EQ(
      line(record),
      untagged("atomic_request", "1",
               R"(,"operation":"cmp_swap","request_id":5,"remote_stag":"0x00000006","remote_to":"0x0000000000000008",)"
               R"("data":"0x0000000000000001","mask":"0x0000000000000002","compare":"0x0000000000000003",)"
               R"("compare_mask":"0xffffffffffffffff","response":{"index":1,"first_octet_ns":2,"last_octet_ns":3})"));
}

TEST(JsonMessage, AtomicResponseWithoutResultAndVerdictHasNulls) {
  auto record = sample::message(Opcode::atomic_response, 3);
  record.detail = qp::AtomicResponseDetail{4, 5, 0x10, std::nullopt, std::nullopt};
  EXPECT_EQ(
      line(record),
      untagged("atomic_response", "3",
               R"(,"request_index":4,"request_id":5,"original":"0x0000000000000010","result":null,"verdict":null)"));
  record.detail = qp::AtomicResponseDetail{4, 5, 0x10, 0x11, "verified"};
  EXPECT_EQ(parsed(record)["result"], "0x0000000000000011");
  EXPECT_EQ(parsed(record)["verdict"], "verified");
}

TEST(JsonMessage, ImmediateIsASixtyFourBitWord) {
  auto record = sample::message(Opcode::immediate_se);
  record.detail = qp::ImmediateDetail{0x0102030405060708};
  EXPECT_EQ(line(record), untagged("immediate_se", "0", R"(,"immediate":"0x0102030405060708")"));
}

TEST(JsonMessage, TerminateHasItsCodesAndTheMessageItNames) {
  auto record = sample::message(Opcode::terminate, 2);
  qp::TerminateDetail detail;
  detail.layer = 1;
  detail.error_type = 2;
  detail.error_code = 3;
  detail.name = "untagged \"buffer\" error";
  detail.dialect = "siw-le";
  record.detail = detail;
  const std::string head = R"(,"layer":1,"error_type":2,"error_code":3,"name":"untagged \"buffer\" error","names":)";
  EXPECT_EQ(
      line(record),
      untagged(
          "terminate", "2",
          head + R"(null,"dialect":"siw-le","terminated_length":null,"terminated_ddp":null,"terminated_rdmap":null)"));
  detail.names = qp::NamedMessage{Direction::b_to_a, 6};
  detail.terminated_length = 46;
  detail.terminated_ddp = sample::counting(14, 0xF0);
  detail.terminated_rdmap = sample::counting(28);
  record.detail = detail;
  EXPECT_EQ(line(record),
            untagged("terminate", "2",
                     head + R"({"direction":"b_to_a","index":6},"dialect":"siw-le","terminated_length":46,)"
                            R"("terminated_ddp":"f0f1f2f3f4f5f6f7f8f9fafbfcfd",)"
                            R"("terminated_rdmap":"000102030405060708090a0b0c0d0e0f101112131415161718191a1b")"));
}

TEST(JsonMessage, IncompleteMessageWasNeitherPlacedNorDelivered) {
  auto record = sample::message(Opcode::unknown);
  record.complete = false;
  const json object = parsed(record);
  EXPECT_EQ(object["opcode"], "unknown");
  EXPECT_EQ(object["complete"], false);
  EXPECT_TRUE(object.at("placed_time").is_null());
  EXPECT_TRUE(object.at("delivered_time").is_null());
}

TEST(JsonMessage, DigestIsThereOnlyWhenAskedFor) {
  auto record = sample::message(Opcode::send);
  EXPECT_FALSE(parsed(record).contains("sha256"));
  EXPECT_TRUE(parsed(record, {.digest = true}).at("sha256").is_null());
  record.sha256.emplace();
  for (std::size_t i = 0; i < 32; ++i) (*record.sha256)[i] = static_cast<std::byte>(0xE0 + i);
  EXPECT_EQ(parsed(record, {.digest = true})["sha256"],
            "e0e1e2e3e4e5e6e7e8e9eaebecedeeeff0f1f2f3f4f5f6f7f8f9fafbfcfdfeff");
}

TEST(JsonMessage, TimesBeforeTheEpochAndAtTheLimitsAreExact) {
  auto record = sample::message(Opcode::send);
  record.first_time = TimePoint{-1};
  record.placed_time = TimePoint{std::numeric_limits<std::int64_t>::min()};
  record.delivered_time = TimePoint{std::numeric_limits<std::int64_t>::max()};
  const json object = parsed(record);
  EXPECT_EQ(object["first_time"], "-0.000000001");
  EXPECT_EQ(object["placed_time"], "-9223372036.854775808");
  EXPECT_EQ(object["delivered_time"], "9223372036.854775807");
}

TEST(JsonFinding, FieldsComeFromTheFindingAndItsRule) {
  EXPECT_EQ(
      line(sample::crc_finding()),
      R"({"record":"finding","id":"mpa.crc-mismatch","code":"MF-04","severity":"error","about":"path","qp":0,)"
      R"("direction":"a_to_b","index":4,"frame":17,"frames":[16,17],"time":"1700000000.000001235","offset":40,)"
      R"("seen":"0x00000001","expected":"0xdeadbeef","text":"The CRC is 0x00000001; the octets give 0xdeadbeef.",)"
      R"("reference":"RFC 5044 §4.4"})"
      "\n");
}

TEST(JsonFinding, WithoutQpFrameAndValuesHasNulls) {
  EXPECT_EQ(
      line(sample::drops_finding()),
      R"({"record":"finding","id":"capture.interface-drops","code":"CA-07","severity":"warning","about":"capture",)"
      R"("qp":null,"direction":null,"index":null,"frame":null,"frames":[],"time":null,"offset":null,"seen":null,)"
      R"("expected":null,"text":"The capture dropped 7 frames.","reference":"pcapng, Interface Statistics Block"})"
      "\n");
}

TEST(JsonFinding, OffsetBeforeTheOriginIsNegativeAndOneFrameIsItsEvidence) {
  auto finding = sample::crc_finding();
  finding.offset = StreamOffset{kStreamOrigin.value - 3};
  finding.frames.clear();
  const json object = json::parse(line(finding));
  EXPECT_EQ(object["offset"], -3);
  EXPECT_EQ(object["frames"], json::array({17}));
}

TEST(JsonFinding, EveryRuleOfTheCatalogueIsOneValidLine) {
  for (const findings::Rule& rule : findings::rules()) {
    auto finding = sample::crc_finding();
    finding.id = rule.id;
    const std::string text = line(finding);
    EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 1);
    const json object = json::parse(text);
    EXPECT_EQ(object["id"], std::string{rule.name});
    EXPECT_EQ(object["reference"], std::string{rule.reference});
  }
}

TEST(JsonRule, HasEveryColumnOfItsRow) {
  const findings::Rule& rule = findings::rule(findings::FindingId::mpa_crc_mismatch);
  const json object = json::parse(line(rule));
  const json expected = {{"record", "rule"},
                         {"id", "mpa.crc-mismatch"},
                         {"code", "MF-04"},
                         {"family", std::string{findings::family(rule).title}},
                         {"severity", "error"},
                         {"about", "path"},
                         {"repeat", "each"},
                         {"reference", "RFC 5044 §4.4"},
                         {"what", std::string{rule.what}},
                         {"why", std::string{rule.why}},
                         {"next", std::string{rule.next}},
                         {"explains", "ending"},
                         {"refused_with", {{{"layer", 2}, {"error_type", 0}, {"error_code", 2}}}}};
  EXPECT_EQ(object, expected);
}

TEST(JsonRule, HasAListOfErrorsOnlyWhereAReceiverRefusesIt) {
  for (const findings::Rule& rule : findings::rules()) {
    const json refused = json::parse(line(rule))["refused_with"];
    EXPECT_EQ(refused.is_null(), rule.refused_with.is_empty()) << rule.code;
    const std::size_t expected = rule.refused_with.codes().size();
    EXPECT_EQ(refused.size(), expected) << rule.code;  // null has none
  }
}

TEST(JsonStrings, WhateverTheyHoldTheLineIsValidJson) {
  auto record = sample::capture();
  for (unsigned octet = 0; octet < 256; ++octet) {
    record.info.file = std::string("x") + static_cast<char>(octet) + "y";
    const std::string text = line(record);
    ASSERT_EQ(std::count(text.begin(), text.end(), '\n'), 1) << octet;
    const json object = json::parse(text);
    if (octet < 0x80) {
      EXPECT_EQ(object["file"], record.info.file) << octet;
    } else {
      EXPECT_EQ(object["file"], "x\xEF\xBF\xBDy") << octet;
    }
  }
}

TEST(JsonCapture, FieldsInOrder) {
  auto record = sample::capture();
  record.info.interfaces.push_back({"LINUX_SLL2", 96, 3});
  record.truncated_frames = 1;
  record.ip_fragments = 2;
  record.mirror_duplicates = 3;
  record.undecoded_frames = 4;
  record.refused.count = 5;
  record.unanswered.count = 6;
  record.info.truncated_file = true;
  EXPECT_EQ(line(record),
            R"({"record":"capture","format":1,"file":"a.pcapng","file_format":"pcapng","interfaces":[)"
            R"({"link_type":"EN10MB","snaplen":262144},{"link_type":"LINUX_SLL2","snaplen":96}],"frames":100,)"
            R"("octets":12345,"first_time":"1700000000.000000001","last_time":"1700000001.500000001",)"
            R"("truncated_frames":1,"ip_fragments":2,"mirror_duplicates":3,"undecoded_frames":4,)"
            R"("connections_refused":5,"connections_unanswered":6,"truncated_file":true,)"
            R"("damaged_at":null,"interrupted":false})"
            "\n");
}

TEST(JsonCapture, SaysWhereAndWhyReadingStopped) {
  using Why = analysis::ReadingStopped::Why;
  auto record = sample::capture();
  record.info.stopped = {Why::damaged, 4711, "cause"};
  EXPECT_NE(line(record).find(R"("damaged_at":4711,"interrupted":false})"), std::string::npos);
  record.info.stopped = {Why::interrupted, 4711, {}};
  EXPECT_NE(line(record).find(R"("damaged_at":null,"interrupted":true})"), std::string::npos);
  record.info.stopped = {Why::filter_failed, 4711, {}};
  EXPECT_NE(line(record).find(R"("damaged_at":null,"interrupted":false})"), std::string::npos);
}

TEST(JsonCapture, WithoutFramesHasNoTimes) {
  analysis::CaptureRecord record;
  const json object = json::parse(line(record));
  EXPECT_TRUE(object.at("first_time").is_null());
  EXPECT_TRUE(object.at("last_time").is_null());
  EXPECT_EQ(object["interfaces"], json::array());
}

TEST(JsonSummary, CountsByRuleAndTimeOnlyWhenMeasured) {
  auto record = sample::summary(2);
  record.messages = 10;
  record.errors = 3;
  record.warnings = 2;
  record.notes = 1;
  record.findings = {{"mpa.crc-mismatch", 3}, {"capture.gap", 2}};
  const std::string head =
      R"({"record":"summary","qps":2,"messages":10,"errors":3,"warnings":2,"notes":1,)"
      R"("findings":{"capture.gap":2,"mpa.crc-mismatch":3},"findings_not_listed":0,"qps_not_listed":0,)"
      R"("elapsed_ns":)";
  EXPECT_EQ(line(record), head + "null}\n");
  record.elapsed_ns = 1'234'567;
  EXPECT_EQ(line(record), head + "1234567}\n");
}

TEST(JsonObserver, BeyondItsLimitsRecordsAreCountedAndErrorsAreNotLeftOutForNotes) {
  std::string out;
  JsonObserver observer([&](std::string_view piece) { out += piece; }, {.limits = {.findings = 2, .qps = 1}});
  findings::Finding note;
  note.id = findings::FindingId::capture_findings_limit;
  for (int i = 0; i < 5; ++i) observer.finding(note);
  observer.finding(sample::crc_finding());
  observer.qp(sample::queue_pair());
  observer.qp(sample::queue_pair());
  analysis::SummaryRecord summary = sample::summary(2);
  summary.findings_suppressed = 10;
  observer.summary(summary);
  std::map<std::string, int> records;
  json last;
  for (std::size_t at = 0; at < out.size(); at = out.find('\n', at) + 1) {
    last = json::parse(out.substr(at, out.find('\n', at) - at));
    ++records[last["record"]];
  }
  EXPECT_EQ(records, (std::map<std::string, int>{{"finding", 3}, {"qp", 1}, {"summary", 1}}));
  EXPECT_EQ(last["findings_not_listed"], 13);
  EXPECT_EQ(last["qps_not_listed"], 1);
  EXPECT_EQ(observer.not_listed().findings, 3u);
}

TEST(JsonObserver, WritesRecordsInTheOrderTheyComeAndHoldsBackLittle) {
  std::string out;
  std::size_t longest = 0;
  JsonObserver observer([&](std::string_view piece) {
    longest = std::max(longest, piece.size());
    out += piece;
  });
  for (int i = 0; i < 1000; ++i) observer.message(sample::message(Opcode::send));
  EXPECT_GT(out.size(), 0u);
  observer.finding(sample::crc_finding());
  observer.capture(sample::capture());
  observer.qp(sample::queue_pair());
  observer.summary(sample::summary(1));
  EXPECT_LT(longest, kSinkChunk + 4096);
  std::vector<std::string> records;
  for (std::size_t at = 0; at < out.size();) {
    const std::size_t end = out.find('\n', at);
    ASSERT_NE(end, std::string::npos);
    records.push_back(json::parse(out.substr(at, end - at))["record"]);
    at = end + 1;
  }
  ASSERT_EQ(records.size(), 1004u);
  records.erase(records.begin(), records.begin() + 999);
  EXPECT_THAT(records, testing::ElementsAre("message", "finding", "capture", "qp", "summary"));
}

}  // namespace
}  // namespace iwarpscope::report
