// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Requests that are never answered while later ones are: reported once, and what follows is paired as it should be.
#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "shared/analysis/nth_read.h"
#include "support/analysis.h"
#include "synth/connection.h"

namespace iwarpscope::test {
namespace {

using findings::FindingId;
using synth::Connection;
using synth::Effect;
using synth::kI;
using synth::kR;
using synth::wire::AtomicRequest;
using synth::wire::AtomicResponse;
using synth::wire::Opcode;
using synth::wire::ReadRequest;

constexpr ReadRequest kLost{.sink_stag = STag{0x5100}, .sink_to = TaggedOffset{0x10000}, .size = 1000};

void open(Connection& c) {
  c.connect();
  c.startup();
  c.send(kI, 100);
  c.send(kR, 100);
}
void respond(Connection& c, const ReadRequest& r) {
  c.acknowledge(kR);
  c.tagged_message(kR, Opcode::rdma_read_response, r.sink_stag, r.sink_to, r.size);
}
void answered(Connection& c, const ReadRequest& r) {
  c.read_request(kI, r);
  respond(c, r);
}
void respond_atomic(Connection& c, std::uint32_t id) {
  c.acknowledge(kR);
  c.untagged_message(kR, Opcode::atomic_response, QueueNumber{3}, 0, synth::wire::write(AtomicResponse{id, 0}));
}

/// Latencies by message, of the requests among `messages`.
std::map<std::pair<Direction, std::uint64_t>, std::int64_t> latencies(const std::vector<qp::MessageRecord>& messages) {
  std::map<std::pair<Direction, std::uint64_t>, std::int64_t> all;
  for (const qp::MessageRecord& one : messages) {
    const auto* read = std::get_if<qp::ReadRequestDetail>(&one.detail);
    const auto* atomic = std::get_if<qp::AtomicRequestDetail>(&one.detail);
    if (read == nullptr && atomic == nullptr) continue;
    const auto& response = read != nullptr ? read->response : atomic->response;
    all[{one.direction, one.index}] = response ? response->last_octet_ns : -1;
  }
  return all;
}

/// As a wide table of the text report needs them.
TEST(Requests, AloneHaveTheSameLatenciesAsWithAllMessages) {
  Connection c;
  open(c);
  answered(c, kLost);
  c.send(kI, 100);
  c.atomic_request(kI, AtomicRequest{.request_id = 7});
  respond_atomic(c, 7);
  answered(c, kLost);
  c.read_request(kI, kLost);
  c.close();
  const synth::Frames frames = c.frames();
  const Report whole = analyze(frames);
  const auto expected = latencies(whole.messages);
  ASSERT_EQ(expected.size(), 4u);
  const Report report = analyze(frames, {.requests = true});
  EXPECT_EQ(report.messages.size(), 4u) << "nothing else";
  EXPECT_EQ(latencies(report.messages), expected);
}

/// The size of the Read Request that each Read Response is tied to, in the order of the Responses; 0: tied to none.
std::vector<std::uint32_t> sizes_answered(const Report& report) {
  std::vector<std::uint32_t> sizes;
  for (const qp::MessageRecord& response : report.messages) {
    const auto* detail = std::get_if<qp::ReadResponseDetail>(&response.detail);
    if (detail == nullptr) continue;
    sizes.push_back(0);
    for (const qp::MessageRecord& request : report.messages) {
      const auto* read = std::get_if<qp::ReadRequestDetail>(&request.detail);
      if (read != nullptr && request.direction != response.direction && detail->request_index == request.index) {
        sizes.back() = read->size;
      }
    }
  }
  return sizes;
}

TEST(UnansweredRead, PassedOverByManyResponsesIsReportedOnceAndThoseFindTheirRequests) {
  Connection c;
  open(c);
  c.read_request(kI, kLost);
  std::vector<std::uint32_t> sizes;
  for (std::uint32_t i = 0; i < 30; ++i) {
    answered(c, nth_read(i));
    sizes.push_back(100 + i);
  }
  c.close();
  const Report report = analyze(c.frames());
  EXPECT_EQ(report.count(FindingId::rdmap_responses_out_of_order), 1u) << report.codes();
  EXPECT_EQ(report.count(FindingId::rdmap_read_request_unanswered), 1u) << report.codes();
  EXPECT_EQ(report.errors(), 1u) << report.codes();
  EXPECT_EQ(sizes_answered(report), sizes);
}

TEST(UnansweredRead, WhoseSinkIsUsedAgainIsNotTakenForTheLaterRequest) {
  Connection c;
  open(c);
  c.read_request(kI, kLost);
  std::vector<std::uint32_t> sizes;
  for (std::uint32_t i = 0; i < 10; ++i) {
    answered(c, nth_read(i));
    ReadRequest again = kLost;
    again.size = 2000 + i;
    answered(c, again);
    sizes.insert(sizes.end(), {100 + i, 2000 + i});
  }
  c.close();
  const Report report = analyze(c.frames());
  EXPECT_EQ(report.count(FindingId::rdmap_responses_out_of_order), 1u) << report.codes();
  EXPECT_EQ(report.errors(), 1u) << report.codes();
  EXPECT_EQ(sizes_answered(report), sizes);
}

TEST(UnansweredRead, EachOneThatIsPassedOverIsReported) {
  Connection c;
  open(c);
  for (std::uint32_t i = 0; i < 3; ++i) {
    c.read_request(kI, {.sink_stag = STag{0x7000 + i}, .sink_to = TaggedOffset{0}, .size = 10});
    for (std::uint32_t k = 0; k < 4; ++k) answered(c, nth_read(i * 4 + k));
  }
  c.close();
  const Report report = analyze(c.frames());
  EXPECT_EQ(report.count(FindingId::rdmap_responses_out_of_order), 3u) << report.codes();
  EXPECT_EQ(report.count(FindingId::rdmap_read_request_unanswered), 3u) << report.codes();
}

TEST(UnansweredRead, AnsweredLateAfterAllIsPairedAndNotCalledUnanswered) {
  Connection c;
  open(c);
  c.read_request(kI, kLost);
  answered(c, nth_read(0));
  respond(c, kLost);
  answered(c, nth_read(1));
  c.close();
  const Report report = analyze(c.frames());
  EXPECT_EQ(report.count(FindingId::rdmap_responses_out_of_order), 1u) << report.codes();
  EXPECT_EQ(report.count(FindingId::rdmap_read_request_unanswered), 0u) << report.codes();
  EXPECT_EQ(sizes_answered(report), (std::vector<std::uint32_t>{100, 1000, 101}));
}

TEST(UnansweredRead, WhoseResponseWasDamagedBlamesNoEnd) {
  Connection c;
  open(c);
  c.read_request(kI, kLost);
  c.alter(kR, {.stag = 0x0BAD0BADu, .fpdu = {.crc_xor = 1}});
  respond(c, kLost);
  for (std::uint32_t i = 0; i < 5; ++i) answered(c, nth_read(i));
  c.close();
  const Report report = analyze(c.frames());
  EXPECT_EQ(report.count(FindingId::mpa_crc_mismatch), 1u) << report.codes();
  EXPECT_EQ(report.count(FindingId::rdmap_responses_out_of_order), 0u) << report.codes();
}

TEST(UnansweredRead, WhoseResponseTheCaptureMissedBlamesNoEnd) {
  Connection c;
  open(c);
  c.read_request(kI, kLost);
  c.channel(kR, Effect::miss);
  respond(c, kLost);
  for (std::uint32_t i = 0; i < 5; ++i) answered(c, nth_read(i));
  c.close();
  const Report report = analyze(c.frames());
  EXPECT_EQ(report.errors(), 0u) << report.codes();
  EXPECT_EQ(sizes_answered(report), (std::vector<std::uint32_t>{100, 101, 102, 103, 104}));
}

TEST(UnansweredAtomic, PassedOverByManyResponsesIsReportedOnce) {
  Connection c;
  open(c);
  for (std::uint32_t id = 1; id <= 20; ++id) {
    c.atomic_request(kI, AtomicRequest{.request_id = id, .data = 1});
    if (id != 1) respond_atomic(c, id);
  }
  c.close();
  const Report report = analyze(c.frames());
  EXPECT_EQ(report.count(FindingId::rdmap_responses_out_of_order), 1u) << report.codes();
  EXPECT_EQ(report.count(FindingId::rdmap_atomic_request_unanswered), 1u) << report.codes();
  EXPECT_EQ(report.errors(), 1u) << report.codes();
}

}  // namespace
}  // namespace iwarpscope::test
