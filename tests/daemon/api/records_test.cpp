// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "api/records.h"
#include "mpa/startup_frame_view.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analysis/first_trouble.h"
#include "daemon/api/kit.h"
#include "iwarpscope/v1/observer.pb.h"
#include "report/incidents.h"
#include "report/json.h"

namespace iwarpscope::api::testing {
namespace {

namespace sample = report::sample;
using ::testing::HasSubstr;

template <class Record>
std::string json(const Record& record) {
  std::string out;
  report::append_json(out, record);
  return out;
}

/// Through the octets that go over the wire.
template <class V1>
V1 sent(const V1& message) {
  V1 out;
  EXPECT_TRUE(out.ParseFromString(message.SerializeAsString()));
  return out;
}

live::QpView returned(const live::QpView& view, Detail detail) {
  v1::QueuePair message;
  to_v1(view, detail, message);
  return from_v1(sent(message));
}

qp::MessageRecord returned(const qp::MessageRecord& record) {
  v1::Message message;
  to_v1(record, message);
  return from_v1(sent(message));
}

/// Every member has a value of its own.
live::QpView full_view() {
  live::QpView view = *qp_view(42);
  view.continued = true;
  qp::QpRecord& r = view.record;
  r.roles = qp::Roles::tcp;
  r.joined_midstream = true;
  r.crc_inferred = r.markers_inferred = true;
  r.markers = {true, std::nullopt};
  r.startup->request->legacy = mpa::EnhancedData{.ird = 3, .ord = 4};
  r.startup->reply->enhanced.reset();
  r.startup->request->key = mpa::kRequestKey;
  r.startup->reply->key.fill(std::byte{'x'});
  r.startup->reply->key_exact = false;
  r.stags_known = 40;
  r.stags = {
      {Direction::a_to_b, STag{0x12345678}, FrameNumber{8}, FrameNumber{5}, std::nullopt, true, false, true, false,
       0x1000, 0x2000},
      {Direction::b_to_a, STag{9}, FrameNumber{11}, std::nullopt, FrameNumber{12}, false, true, false, true, 0, 0}};
  std::uint64_t n = 100;
  for (qp::DirectionRecord& d : r.directions) {
    for (const qp::DirectionCounter& counter : qp::kDirectionCounters) d.*counter.member = ++n;
    for (std::size_t i = 0; i < rdmap::kOpcodes; ++i) d.messages[i] = ++n, d.payload_octets[i] = ++n;
    d.head_of_line = {2, 3, 4, 5};
    d.sequence = qp::SequenceRecord{1000u, 1001u, 5'000'000'000, 77u, true, 0xABCDu};
    d.loss_traces = {{{-5, 10}, {100, 20}}, {{300, 1}}, true};
    d.read_credit = qp::ReadCreditRecord{std::uint16_t{16}, {1, 2, 3, 4}, {5, 6, 7, 8}};
    d.captured = false;
  }
  r.directions[1].read_credit->limit.reset();
  r.summary.directions[0].waiting =
      qp::UnansweredRequests{3, true, MessageSequence{17}, {FrameNumber{33}, TimePoint{44}}};
  r.summary.directions[1].unacknowledged = 77;
  r.verdict = qp::VerdictRecord{
      "It failed.", qp::Outcome::failed, qp::Blame::path, qp::Confidence::limited, {FrameNumber{60}, FrameNumber{61}},
      "Look."};
  return view;
}

TEST(QueuePairOverTheApi, SaysInAReportWhatItSaidBefore) {
  const live::QpView view = full_view();
  const live::QpView after = returned(view, Detail::full);
  EXPECT_EQ(json(after.record), json(view.record));
  EXPECT_THAT(json(after.record), HasSubstr(R"("since":33)"));
  EXPECT_TRUE(after.record.startup->request->key_exact);
  EXPECT_FALSE(after.record.startup->reply->key_exact);
  EXPECT_EQ(after.record.startup->reply->key, view.record.startup->reply->key);
  EXPECT_EQ(after.version, view.version);
  EXPECT_EQ(after.ended, view.ended);
  EXPECT_TRUE(after.continued);
  EXPECT_EQ(after.findings.errors, 1u);
  EXPECT_EQ(after.findings.notes, 3u);
  EXPECT_EQ(after.findings.worst, view.findings.worst);
  EXPECT_EQ(after.activity.octets, view.activity.octets);
  EXPECT_EQ(after.activity.messages, view.activity.messages);
  EXPECT_EQ(after.activity.last_second, view.activity.last_second);
  EXPECT_EQ(after.losses.gap_octets, 4u);
  EXPECT_EQ(after.losses.gap_messages, 5u);
  for (std::size_t d : {0u, 1u}) {
    for (const qp::DirectionCounter& counter : qp::kDirectionCounters) {
      if (counter.name.empty()) continue;
      EXPECT_EQ(after.record.directions[d].*counter.member, view.record.directions[d].*counter.member) << counter.name;
    }
    EXPECT_EQ(after.record.directions[d].sequence, view.record.directions[d].sequence);
    EXPECT_EQ(after.record.directions[d].loss_traces, view.record.directions[d].loss_traces);
  }
  EXPECT_EQ(after.losses.frames(), 6u);
  ASSERT_TRUE(after.record.summary.directions[0].waiting);
  EXPECT_EQ(after.record.summary.directions[0].waiting->count, 3u);
  EXPECT_EQ(after.record.summary.directions[0].waiting->oldest.time.ns, 44);
  EXPECT_EQ(after.record.summary.directions[1].unacknowledged, 77u);
}

TEST(QueuePairOverTheApi, KeepsWhatTheLadderShowsBesideMessages) {
  live::QpView view = full_view();
  view.record.summary.banner = {{FrameNumber{4}, TimePoint{44}}, "SSH-2.0-\\xff"};
  view.record.summary.directions[1].inside_fpdu = {FrameNumber{8}, 212, 1400, TimePoint{88}};
  const qp::Summary after = returned(view, Detail::full).record.summary;
  ASSERT_TRUE(after.banner);
  EXPECT_EQ(after.banner->at.frame, FrameNumber{4});
  EXPECT_EQ(after.banner->at.time.ns, 44);
  EXPECT_EQ(after.banner->octets, "SSH-2.0-\\xff");
  EXPECT_FALSE(after.directions[0].inside_fpdu);
  ASSERT_TRUE(after.directions[1].inside_fpdu);
  EXPECT_EQ(after.directions[1].inside_fpdu->frame, FrameNumber{8});
  EXPECT_EQ(after.directions[1].inside_fpdu->octets, 212u);
  EXPECT_EQ(after.directions[1].inside_fpdu->ulpdu_length, 1400u);
  EXPECT_EQ(after.directions[1].inside_fpdu->time.ns, 88);
}

TEST(QueuePairOverTheApi, OfAnSctpStreamStaysOne) {
  live::QpView view = full_view();
  view.record.sctp_stream = 0;
  view.record.closed_by = "session_terminate";
  view.record.startup->request->function_code = 5;
  view.record.startup->reply->function_code = 6;
  const live::QpView after = returned(view, Detail::full);
  EXPECT_EQ(json(after.record), json(view.record));
  EXPECT_THAT(json(after.record), HasSubstr(R"("transport":"sctp","sctp_stream":0)"));
  EXPECT_THAT(json(after.record), HasSubstr(R"("function_code":6,"rev":null)"));
}

TEST(QueuePairOverTheApi, OfWhichNothingIsKnownStaysSo) {
  const live::QpView empty;
  EXPECT_EQ(json(returned(empty, Detail::full).record), json(empty.record));
}

TEST(QueuePairAsARow, HasWhatTablesShow) {
  live::QpView view = full_view();
  view.record.verdict->cause = "V-50 DD-06";
  view.record.summary.findings = {{findings::FindingId::capture_gap, std::nullopt, FrameNumber{3}},
                                  {findings::FindingId::mpa_crc_mismatch, Direction::a_to_b, FrameNumber{60}}};
  const live::QpView after = returned(view, Detail::row);
  EXPECT_EQ(after.record.verdict->cause, "V-50 DD-06") << "incidents need it";
  EXPECT_EQ(report::first_error(after.record), findings::FindingId::mpa_crc_mismatch);
  EXPECT_EQ(analysis::first_trouble(after.record), analysis::first_trouble(view.record));
  EXPECT_FALSE(after.record.startup);
  EXPECT_TRUE(after.record.stags.empty());
  EXPECT_EQ(after.record.verdict->outcome, qp::Outcome::failed);
  EXPECT_TRUE(after.record.verdict->text.empty());
  EXPECT_EQ(after.record.directions[1].messages, view.record.directions[1].messages);
  EXPECT_DOUBLE_EQ(after.activity.octets_per_second(), view.activity.octets_per_second());
  v1::QueuePair row, whole;
  to_v1(view, Detail::row, row);
  to_v1(view, Detail::full, whole);
  EXPECT_LT(row.ByteSizeLong() * 3, whole.ByteSizeLong() * 2);
}

TEST(MessageOverTheApi, SaysInAReportWhatItSaidBefore) {
  using rdmap::Opcode;
  std::vector<qp::MessageRecord> all;
  for (std::size_t i = 0; i < rdmap::kOpcodes; ++i) all.push_back(sample::message(static_cast<Opcode>(i), 1));
  const auto with = [&](Opcode opcode, auto detail) { all.emplace_back(sample::message(opcode, 1)).detail = detail; };
  const qp::ResponseLink link{9, 1000, 2000};
  with(Opcode::rdma_read_request,
       qp::ReadRequestDetail{STag{1}, TaggedOffset{2}, 3, STag{4}, TaggedOffset{~std::uint64_t{0}}, link});
  with(Opcode::rdma_read_request, qp::ReadRequestDetail{});
  with(Opcode::rdma_read_response, qp::ReadResponseDetail{7});
  for (const char* operation : {"fetch_add", "swap", "cmp_swap", "unknown"}) {
    with(Opcode::atomic_request,
         qp::AtomicRequestDetail{operation, 5, STag{6}, TaggedOffset{7}, ~std::uint64_t{0}, 9, 10, 11, link});
  }
  for (const char* verdict : {"verified", "first", "inconsistent", "undecidable"}) {
    with(Opcode::atomic_response, qp::AtomicResponseDetail{1, 2, 3, 4, verdict});
  }
  with(Opcode::atomic_response, qp::AtomicResponseDetail{std::nullopt, 2, 3, std::nullopt, std::nullopt});
  with(Opcode::immediate_se, qp::ImmediateDetail{~std::uint64_t{0}});
  with(Opcode::terminate, qp::TerminateDetail{1, 2, 3, "words", qp::NamedMessage{Direction::b_to_a, 8}, "siw-le", 40,
                                              sample::counting(14), sample::counting(28)});
  all.front().tagged = true;
  all.front().stag = STag{0xFFFFFFFF};
  all.front().to = TaggedOffset{0xFEDCBA9876543210};
  all.front().sha256.emplace().fill(std::byte{0xAB});
  all[1].complete = false;
  all[2].invalidate_stag = STag{0};
  for (const qp::MessageRecord& record : all) EXPECT_EQ(json(returned(record)), json(record));
}

TEST(FindingOverTheApi, SaysInAReportWhatItSaidBefore) {
  findings::Finding early = sample::crc_finding(3);
  early.offset = StreamOffset{kStreamOrigin.value - 5};
  for (const findings::Finding& finding : {sample::crc_finding(3), sample::drops_finding(), early}) {
    v1::Finding message;
    to_v1(*finding_view(9, finding), message);
    const auto after = from_v1(sent(message));
    ASSERT_TRUE(after);
    EXPECT_EQ(json(after->finding), json(finding));
    EXPECT_EQ(after->sequence, 9u);
    ASSERT_EQ(after->ends.has_value(), finding.qp.has_value());
    if (after->ends) {
      EXPECT_EQ(after->ends->second, sample::end(0x0A000002, 4420));
    }
  }
}

TEST(FindingOverTheApi, KeepsTheTimeWhereItBelongsOrThatItIsUnknown) {
  live::FindingView view = *finding_view(9, sample::crc_finding(3));
  view.began = TimePoint{view.finding.time.ns - 5};
  v1::Finding message, without;
  to_v1(view, message);
  EXPECT_EQ(from_v1(sent(message))->began, view.began);
  view.began.reset();
  to_v1(view, without);
  EXPECT_EQ(from_v1(sent(without))->began, std::nullopt);
}

TEST(FindingOverTheApi, OfACaptureThatHoldsNoUtf8StaysReadable) {
  findings::Finding finding = sample::crc_finding();
  finding.text = "private data \xff\xfe";
  v1::Finding message;
  to_v1(*finding_view(1, finding), message);
  EXPECT_EQ(message.text(), "private data \xef\xbf\xbd\xef\xbf\xbd");
}

TEST(FindingOverTheApi, OfARuleThisProgramLacksIsNone) {
  v1::Finding message;
  message.set_rule("mpa.of-tomorrow");
  EXPECT_FALSE(from_v1(message));
}

TEST(MessagesOfAHostileServer, NeverFail) {
  v1::QueuePair qp;
  qp.set_state(static_cast<v1::QpState>(99));
  qp.set_roles(static_cast<v1::Roles>(-3));
  qp.mutable_a()->set_address("not an address");
  qp.mutable_a()->set_port(70000);
  qp.set_ulp(std::string(1000, 'x'));
  qp.mutable_a_to_b()->add_opcodes()->set_opcode(static_cast<v1::Opcode>(77));
  qp.mutable_activity()->mutable_octets()->Resize(1000, 5);
  qp.mutable_verdict()->set_outcome(static_cast<v1::Outcome>(1000));
  const live::QpView view = from_v1(sent(qp));
  EXPECT_EQ(view.record.state, qp::State::unconfirmed);
  EXPECT_EQ(view.record.ulp, "unknown");
  EXPECT_EQ(view.record.verdict->outcome, qp::Outcome::unknown);
  EXPECT_EQ(view.activity.octets.back(), 5u);
  v1::Message message;
  message.set_opcode(static_cast<v1::Opcode>(-1));
  message.set_sha256("short");
  EXPECT_EQ(from_v1(sent(message)).opcode, rdmap::Opcode::unknown);
  EXPECT_FALSE(from_v1(sent(message)).sha256);
}

TEST(QuestionsThatMeanNothing, AreAnsweredWithASentence) {
  v1::QpFilter qps;
  qps.set_host("example");
  EXPECT_EQ(from_v1(qps).error(), "'example' is not an IPv4 or IPv6 address");
  qps.set_host("FD00:0::1");
  EXPECT_EQ(from_v1(qps)->host->text(), "fd00::1");
  qps.set_port(65536);
  EXPECT_EQ(from_v1(qps).error(), "65536 is not a TCP port");
  qps.set_port(4420);
  qps.set_state(static_cast<v1::QpState>(33));
  EXPECT_EQ(from_v1(qps).error(), "unknown state 33");
  v1::FindingFilter findings;
  findings.set_rule("mf-04");
  EXPECT_EQ(from_v1(findings)->rule, "mpa.crc-mismatch");
  findings.set_rule("MF-4444");
  EXPECT_EQ(from_v1(findings).error(), "unknown rule 'MF-4444'; ListRules lists all rules");
  v1::SubscribeRequest nothing;
  EXPECT_FALSE(from_v1(nothing));
  nothing.set_qps(true);
  EXPECT_EQ(from_v1(nothing)->queue, 4096u);
  nothing.set_queue(65537);
  EXPECT_FALSE(from_v1(nothing));
  v1::QueryHistoryRequest history;
  history.set_kind(static_cast<v1::QueryHistoryRequest::Kind>(9));
  EXPECT_EQ(from_v1(history).error(), "unknown kind 9");
  history.set_kind(v1::QueryHistoryRequest::KIND_OPERATIONS);
  history.set_outcome(v1::OUTCOME_FAILED);
  EXPECT_EQ(from_v1(history).error(), "operations have no verdict outcome; only queue pairs have one");
}

TEST(EveryRule, IsListedWhole) {
  for (const findings::Rule& rule : findings::rules()) {
    v1::Rule message;
    to_v1(rule, message);
    EXPECT_EQ(message.code(), rule.code);
    EXPECT_FALSE(message.what().empty() || message.why().empty() || message.next().empty() ||
                 message.reference().empty() || message.family().empty() || message.repeat().empty());
    EXPECT_NE(message.severity(), v1::SEVERITY_UNSPECIFIED);
  }
}

TEST(HostKeys, AreReadAsTheyAreWritten) {
  const auto host = net::IpAddress::v4(0x0A000001);
  const auto peer = *net::IpAddress::parse("fd00::1");
  for (const std::uint32_t group : {0U, 3U, 4'294'967'295U}) {
    EXPECT_EQ(host_key_from_v1(to_v1(live::HostKey{host, {}, group}, false)), (live::HostKey{host, {}, group}));
    EXPECT_EQ(host_key_from_v1(to_v1(live::HostKey{host, peer, group}, true)), (live::HostKey{host, peer, group}));
  }
  EXPECT_EQ(to_v1(live::HostKey{host, peer}, true), "10.0.0.1 fd00::1");  // as earlier versions have it
  for (const char* wrong : {"10.0.0.1@", "10.0.0.1@x", "10.0.0.1@4294967296", "10.0.0.1@1 ", "@1", "10.0.0.1 @1"}) {
    EXPECT_FALSE(host_key_from_v1(wrong)) << wrong;
  }
}

}  // namespace
}  // namespace iwarpscope::api::testing
