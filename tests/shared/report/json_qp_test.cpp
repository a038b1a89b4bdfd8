// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "net/community_id.h"
#include "report/json.h"
#include "shared/report/sample_records.h"

namespace iwarpscope::report {
namespace {

using nlohmann::json;

std::string line(const qp::QpRecord& record) {
  std::string out;
  append_json(out, record);
  return out;
}

/// `text` from `from` up to `to`, `to` left out.
std::string between(const std::string& text, std::string_view from, std::string_view to) {
  const std::size_t start = text.find(from);
  const std::size_t end = text.find(to, start);
  return start == std::string::npos || end == std::string::npos ? "" : text.substr(start, end - start);
}

TEST(JsonQp, HeadComesFirst) {
  EXPECT_EQ(
      between(line(sample::queue_pair(5)), "{", "\"startup\":{"),
      R"({"record":"qp","qp":5,"transport":"tcp","sctp_stream":null,"a":{"address":"10.0.0.1","port":45000},)"
      R"("b":{"address":"10.0.0.2","port":4420},"community_id":"1:j6nKyIa738Pi6VXgwyr8YrE1SmU=","roles":"mpa","joined":"startup","state":"closed","first_frame":1,)"
      R"("last_frame":99,"first_time":"1700000000.000000001","last_time":"1700000001.200000001","closed_by":"fin",)");
}

TEST(JsonQp, CommunityIdIsThatOfTheTransportAndTheSeed) {
  qp::QpRecord record = sample::queue_pair();
  const std::string tcp = community_id(record, 0), seeded = community_id(record, 7);
  EXPECT_EQ(tcp, net::community_id(record.a, record.b, net::Transport::tcp));
  EXPECT_NE(seeded, tcp);
  record.sctp_stream = 3;
  EXPECT_EQ(community_id(record, 0), net::community_id(record.a, record.b, net::Transport::sctp));
  std::string known, unknown;
  append_json(known, record, seeded);
  append_json(unknown, record, "");
  EXPECT_NE(known.find(R"("community_id":")" + seeded + '"'), std::string::npos) << known;
  EXPECT_NE(unknown.find(R"("community_id":null)"), std::string::npos) << unknown;
}

TEST(JsonQp, StartupFramesAreShownSideBySide) {
  EXPECT_EQ(
      between(line(sample::queue_pair()), "\"startup\":{", ",\"crc\":{"),
      R"("startup":{"request":{"frame":4,"rev":2,"markers":false,"crc":true,"rejected":false,"enhanced":true,"reserved":0,)"
      R"("private_data_length":7,"private_data":"616263","private_data_text":"3 octets: 616263","ird":16,"ord":16383,"peer_to_peer":true,"rtr_send":false,)"
      R"("rtr_write":true,"rtr_read":true},"reply":{"frame":6,"rev":2,"markers":false,"crc":true,"rejected":false,)"
      R"("enhanced":true,"reserved":0,"private_data_length":7,"private_data":"616263","private_data_text":"3 octets: 616263","ird":16,"ord":8,)"
      R"("peer_to_peer":true,"rtr_send":false,"rtr_write":true,"rtr_read":false},"rtr":{"kind":"write","frame":8},"reply_after_ns":1500000})");
}

TEST(JsonQp, SettingsFollowStartup) {
  EXPECT_EQ(
      between(line(sample::queue_pair()), "\"crc\":{", "\"a_to_b\":{\"tcp"),
      R"("crc":{"in_use":true,"inferred":false},"markers":{"a_to_b":false,"b_to_a":false,"inferred":false},)"
      R"("read_depth":{"a_to_b":16,"b_to_a":8},"rdmap_version":1,"ddp_version":1,"ulp":"nvme","ulp_limits":null,)");
}

TEST(JsonQp, DirectionsHaveEveryCounterAndOpcode) {
  EXPECT_EQ(
      between(line(sample::queue_pair()), "\"a_to_b\":{\"tcp", ",\"b_to_a\":{\"tcp"),
      R"("a_to_b":{"tcp_segments":50,"stream_octets":9000,"retransmitted_octets":1460,"out_of_order_segments":2,)"
      R"("capture_gap_octets":0,"fpdus":40,"markers":0,"crc_ok":40,"crc_bad":0,"crc_unjudged":0,"ddp_segments":40,)"
      R"("messages":{"rdma_write":0,"rdma_read_request":3,"rdma_read_response":0,"send":10,"send_invalidate":0,"send_se":0,)"
      R"("send_se_invalidate":0,"terminate":0,"immediate":0,"immediate_se":0,"atomic_request":0,"atomic_response":0,)"
      R"("unknown":0},"payload_octets":{"rdma_write":0,"rdma_read_request":0,"rdma_read_response":0,"send":5120,)"
      R"("send_invalidate":0,"send_se":0,"send_se_invalidate":0,"terminate":0,"immediate":0,"immediate_se":0,)"
      R"("atomic_request":0,"atomic_response":0,"unknown":0},"max_outstanding_reads":2,"read_credit":null,)"
      R"("head_of_line":{"messages":0,"total_ns":0,"largest_ns":0,"largest_message":null},"incomplete_messages":0,)"
      R"("captured":true,"cut_octets":0,"unframed_octets":0,)"
      R"("dropped_wrong_checksum":0,"dropped_no_ack_flag":0,"dropped_wrong_acknowledgment":0,"dropped_beyond_window":0,)"
      R"("dropped_old_timestamp":0,"dropped_cut_short":0,"dropped_control":0,"dropped_doubtful":0,)"
      R"("sequence":{"initial":4000000000,"first":4000000001,"octets":9000,"fin":4000009001,"acknowledged_only":false},)"
      R"("loss_traces":{"sent_again":[{"offset":1460,"octets":1460}],"filled_late":[],"more":false}})");
  const json object = json::parse(line(sample::queue_pair()));
  EXPECT_EQ(object["b_to_a"]["payload_octets"]["rdma_read_response"], 3 << 20);
  EXPECT_EQ(object["b_to_a"]["incomplete_messages"], 1);
  EXPECT_TRUE(object.at("verdict").is_null());
}

TEST(JsonQp, EveryCounterHasItsOwnPlace) {
  qp::QpRecord record = sample::queue_pair();
  record.directions[1] = {.tcp_segments = 1,
                          .stream_octets = 2,
                          .retransmitted_octets = 3,
                          .out_of_order_segments = 4,
                          .capture_gap_octets = 5,
                          .fpdus = 6,
                          .markers = 7,
                          .crc_ok = 8,
                          .crc_bad = 9,
                          .crc_unjudged = 10,
                          .ddp_segments = 11,
                          .messages = {},
                          .payload_octets = {},
                          .max_outstanding_reads = 12,
                          .read_credit = qp::ReadCreditRecord{4, {16, 17, 18, 19}, {20, 21, 22, 23}},
                          .head_of_line = {24, 25, 26, 27},
                          .incomplete_messages = 13,
                          .captured = false,
                          .cut_octets = 14,
                          .unframed_octets = 15};
  for (std::size_t i = 0; i < rdmap::kOpcodes; ++i) {
    record.directions[1].messages[i] = 100 + i;
    record.directions[1].payload_octets[i] = 200 + i;
  }
  const json b = json::parse(line(record))["b_to_a"];
  EXPECT_EQ(b["read_credit"].dump(),
            R"({"limit":4,"reads":{"at_limit_ns":18,"over_limit":19,"peak":16,"times_at_limit":17},)"
            R"("reads_and_atomics":{"at_limit_ns":22,"over_limit":23,"peak":20,"times_at_limit":21}})");
  EXPECT_EQ(b["head_of_line"].dump(), R"({"largest_message":27,"largest_ns":26,"messages":24,"total_ns":25})");
  EXPECT_EQ(b["tcp_segments"], 1);
  EXPECT_EQ(b["stream_octets"], 2);
  EXPECT_EQ(b["retransmitted_octets"], 3);
  EXPECT_EQ(b["out_of_order_segments"], 4);
  EXPECT_EQ(b["capture_gap_octets"], 5);
  EXPECT_EQ(b["fpdus"], 6);
  EXPECT_EQ(b["markers"], 7);
  EXPECT_EQ(b["crc_ok"], 8);
  EXPECT_EQ(b["crc_bad"], 9);
  EXPECT_EQ(b["crc_unjudged"], 10);
  EXPECT_EQ(b["ddp_segments"], 11);
  EXPECT_EQ(b["max_outstanding_reads"], 12);
  EXPECT_EQ(b["incomplete_messages"], 13);
  EXPECT_EQ(b["captured"], false);
  EXPECT_EQ(b["cut_octets"], 14);
  EXPECT_EQ(b["unframed_octets"], 15);
  EXPECT_EQ(b["messages"]["rdma_write"], 100);
  EXPECT_EQ(b["messages"]["unknown"], 112);
  EXPECT_EQ(b["payload_octets"]["terminate"], 207);
}

TEST(JsonQp, JoinedMidstreamWithNothingKnownHasNulls) {
  qp::QpRecord record;
  record.roles = qp::Roles::address;
  record.joined_midstream = true;
  record.state = qp::State::unconfirmed;
  record.crc_inferred = true;
  record.markers_inferred = true;
  record.markers[1] = true;
  const json object = json::parse(line(record));
  EXPECT_EQ(object["roles"], "address");
  EXPECT_EQ(object["joined"], "midstream");
  EXPECT_EQ(object["state"], "unconfirmed");
  for (const char* key : {"closed_by", "startup", "rdmap_version", "ddp_version", "ulp", "sctp_stream", "verdict"}) {
    EXPECT_TRUE(object.at(key).is_null()) << key;
  }
  EXPECT_EQ(object["crc"], (json{{"in_use", nullptr}, {"inferred", true}}));
  EXPECT_EQ(object["markers"], (json{{"a_to_b", nullptr}, {"b_to_a", true}, {"inferred", true}}));
  EXPECT_EQ(object["read_depth"], (json{{"a_to_b", nullptr}, {"b_to_a", nullptr}}));
}

TEST(JsonQp, StartupSeenInPartHasNullForTheRest) {
  qp::QpRecord record = sample::queue_pair();
  record.roles = qp::Roles::tcp;
  record.startup->reply.reset();
  record.startup->rtr.reset();
  mpa::StartupFrame& request = *record.startup->request;
  request.enhanced.reset();
  request.enhanced_flag = false;
  request.rejected = true;
  request.markers = true;
  request.reserved = 5;
  const json startup = json::parse(line(record))["startup"];
  EXPECT_TRUE(startup.at("reply").is_null());
  EXPECT_TRUE(startup.at("rtr").is_null());
  for (const char* key : {"ird", "ord", "peer_to_peer", "rtr_send", "rtr_write", "rtr_read"}) {
    EXPECT_TRUE(startup["request"].at(key).is_null()) << key;
  }
  EXPECT_EQ(startup["request"]["rejected"], true);
  EXPECT_EQ(startup["request"]["markers"], true);
  EXPECT_EQ(startup["request"]["reserved"], 5);
}

TEST(JsonQp, LegacyDepthsAreGivenWithoutTheEnhancedBits) {
  qp::QpRecord record = sample::queue_pair();
  mpa::StartupFrame& request = *record.startup->request;
  request.enhanced.reset();
  request.legacy = mpa::EnhancedData{.ird = 3, .ord = 4};
  const json frame = json::parse(line(record))["startup"]["request"];
  EXPECT_EQ(frame["ird"], 3);
  EXPECT_EQ(frame["ord"], 4);
  EXPECT_TRUE(frame.at("peer_to_peer").is_null());
}

}  // namespace
}  // namespace iwarpscope::report
