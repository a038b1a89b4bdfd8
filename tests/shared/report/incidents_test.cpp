// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/incidents.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "report/incident_words.h"
#include "shared/report/sample_records.h"

namespace iwarpscope::report {
namespace {

using findings::FindingId;
using qp::Blame;
using qp::Outcome;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

/// From 10.0.0.1 to port 4420 of 10.0.0.2.
qp::QpRecord judged(std::uint64_t qp, Outcome outcome, Blame blame, std::string cause = "V-11") {
  qp::QpRecord record = sample::queue_pair(qp);
  record.directions[0].retransmitted_octets = 0;
  record.a.port = static_cast<std::uint16_t>(40000 + qp % 1000);
  record.verdict = qp::VerdictRecord{};
  record.verdict->outcome = outcome;
  record.verdict->blame = blame;
  record.verdict->code = cause.substr(0, 4);
  record.verdict->cause = std::move(cause);
  record.verdict->evidence = {FrameNumber{qp + 1}};
  return record;
}

qp::QpRecord broke(qp::QpRecord record, FindingId id) {
  record.summary.findings.push_back({id, Direction::a_to_b, FrameNumber{9}});
  return record;
}

std::vector<std::vector<std::uint64_t>> grouped(const Incidents& incidents) {
  std::vector<std::vector<std::uint64_t>> all;
  for (const Incident* incident : incidents.worst_first()) all.push_back(incident->qps);
  return all;
}

TEST(Incidents, OneCauseAtOneListener_IsOneWhateverTheHostThatConnects) {
  Incidents incidents;
  incidents.add(judged(3, Outcome::failed, Blame::b));
  qp::QpRecord other = judged(9, Outcome::failed, Blame::b);
  other.a.address = net::IpAddress::v4(0x0A000009);
  incidents.add(other);
  ASSERT_THAT(grouped(incidents), ElementsAre(ElementsAre(3, 9)));
  const Incident& incident = *incidents.worst_first().front();
  EXPECT_EQ(incident.count, 2U);
  EXPECT_EQ(incident.qp, 3U);
  EXPECT_THAT(incident.a_hosts, SizeIs(2));
  EXPECT_THAT(incident.b_hosts, SizeIs(1));
  EXPECT_TRUE(incident.one_port);
}

TEST(Incidents, AnotherCauseOutcomeEndOrPort_IsAnother) {
  Incidents incidents;
  incidents.add(judged(0, Outcome::failed, Blame::b));
  incidents.add(judged(1, Outcome::failed, Blame::b, "V-50 DD-06"));
  incidents.add(judged(2, Outcome::failed, Blame::b, "V-50 DD-07"));
  incidents.add(judged(3, Outcome::refused, Blame::b));
  incidents.add(judged(4, Outcome::failed, Blame::a));
  incidents.add(judged(5, Outcome::failed, Blame::path));
  qp::QpRecord port = judged(6, Outcome::failed, Blame::b);
  port.b.port = 5000;
  incidents.add(port);
  EXPECT_THAT(incidents.worst_first(), SizeIs(7));
}

TEST(Incidents, APathIsOneInBothDirectionsAndForAllPorts) {
  Incidents incidents;
  incidents.add(judged(0, Outcome::failed, Blame::path));
  qp::QpRecord back = judged(1, Outcome::failed, Blame::path);
  std::swap(back.a.address, back.b.address);
  back.b.port = 5000;
  incidents.add(back);
  EXPECT_THAT(grouped(incidents), ElementsAre(ElementsAre(0, 1)));
  EXPECT_FALSE(incidents.worst_first().front()->one_port);
}

TEST(Incidents, WithoutStartup_NoPortIsTheListeners) {
  Incidents incidents;
  for (const std::uint16_t port : {std::uint16_t{4420}, std::uint16_t{5000}}) {
    qp::QpRecord record = judged(port, Outcome::failed, Blame::b);
    record.roles = qp::Roles::address;
    record.b.port = port;
    incidents.add(record);
  }
  EXPECT_THAT(incidents.worst_first(), SizeIs(1));
}

TEST(Incidents, TheWorstComesFirst_ThenThatOfMoreQueuePairs) {
  Incidents incidents;
  incidents.add(judged(0, Outcome::unknown, Blame::capture));
  incidents.add(broke(judged(1, Outcome::completed, Blame::none), FindingId::mpa_crc_mismatch));
  incidents.add(judged(2, Outcome::refused, Blame::b));
  incidents.add(judged(3, Outcome::stalled, Blame::b));
  incidents.add(judged(4, Outcome::failed, Blame::b));
  incidents.add(judged(5, Outcome::failed, Blame::a));
  incidents.add(judged(6, Outcome::failed, Blame::a));
  EXPECT_THAT(grouped(incidents), ElementsAre(ElementsAre(5, 6), ElementsAre(4), ElementsAre(3), ElementsAre(2),
                                              ElementsAre(1), ElementsAre(0)));
}

TEST(Incidents, CompletedWithErrors_IsOneByRule_AndCounted) {
  Incidents incidents;
  incidents.add(broke(judged(0, Outcome::completed, Blame::none), FindingId::mpa_crc_mismatch));
  incidents.add(broke(judged(1, Outcome::completed, Blame::none, "V-30 X"), FindingId::mpa_crc_mismatch));
  incidents.add(broke(judged(2, Outcome::completed, Blame::none), FindingId::rdmap_atomic_results_inconsistent));
  EXPECT_THAT(grouped(incidents), ElementsAre(ElementsAre(0, 1), ElementsAre(2)));
  EXPECT_EQ(incidents.worst_first().front()->rule, FindingId::mpa_crc_mismatch);
  EXPECT_EQ(incidents.count(Outcome::completed).qps, 3U);
  EXPECT_EQ(incidents.count(Outcome::completed).with(Flaw::error), 2U);
  EXPECT_EQ(incidents.count(Outcome::completed).with(Flaw::doubtful), 1U) << "a warning is no error";
  EXPECT_EQ(outcomes_text(incidents), "3 completed (2 of them with errors, 1 with doubtful data)");
  EXPECT_EQ(head_text(head_words(*incidents.worst_first().back())),
            "completed with doubtful data V-11, rdmap.atomic-results-inconsistent (AT-14)");
}

TEST(Incidents, CompletedWithLossesRepaired_IsNone_ButSaid) {
  qp::QpRecord lossy = judged(4, Outcome::completed, Blame::none, "V-30");
  lossy.directions[1].head_of_line = {.messages = 2, .total_ns = 20'000'000, .largest_ns = 11'000'000};
  lossy.directions[0].stream_octets = 4096;
  lossy.directions[0].retransmitted_octets = 2048;
  EXPECT_EQ(flaw(lossy), Flaw::repaired);
  EXPECT_EQ(head_text(head_words(lossy)), "completed with losses repaired V-30");
  Incidents incidents;
  incidents.add(judged(3, Outcome::completed, Blame::none, "V-30"));
  EXPECT_EQ(repairs_text(incidents), "");
  incidents.add(lossy);
  incidents.add(broke(judged(5, Outcome::completed, Blame::none, "V-30"), FindingId::tcp_wrong_checksum));
  EXPECT_THAT(incidents.worst_first(), IsEmpty());
  EXPECT_EQ(outcomes_text(incidents), "3 completed (2 of them with losses repaired)");
  EXPECT_EQ(repairs_text(incidents),
            "Losses or damage on the path were repaired in 2 queue pairs (the first is QP 4): 2 messages waited, the "
            "longest for 11.0 ms; 2.00 KiB sent again.");
}

TEST(Incidents, FewRetransmissionsAreNoFlaw) {
  qp::QpRecord record = judged(4, Outcome::completed, Blame::none, "V-30");
  record.directions[0].stream_octets = 1'000'000;
  record.directions[0].retransmitted_octets = 1000;
  EXPECT_EQ(flaw(record), Flaw::none);
  record.directions[0].retransmitted_octets = 10'000;
  EXPECT_EQ(flaw(record), Flaw::repaired);
  record.verdict->outcome = Outcome::failed;
  EXPECT_EQ(flaw(record), Flaw::none) << "its outcome is worse";
}

TEST(Incidents, CompletedWithNotesOrWarnings_OrAboutTheCapture_IsNone) {
  Incidents incidents;
  incidents.add(judged(0, Outcome::completed, Blame::none));
  incidents.add(broke(judged(1, Outcome::running, Blame::none), FindingId::tcp_retransmissions));
  incidents.add(broke(judged(2, Outcome::completed, Blame::none), FindingId::tcp_wrong_checksum));
  incidents.add(broke(judged(3, Outcome::completed, Blame::none), FindingId::capture_gap));
  incidents.add(sample::queue_pair(4));
  EXPECT_THAT(incidents.worst_first(), IsEmpty());
  EXPECT_EQ(incidents.count(Outcome::completed).qps, 3U);
  EXPECT_EQ(incidents.count(Outcome::completed).with(Flaw::error), 0U);
}

TEST(Incidents, MoreCausesThanFit_KeepTheWorstAndCountTheRest) {
  Incidents incidents;
  for (std::uint64_t qp = 0; qp < Incidents::kMost + 10; ++qp) {
    incidents.add(judged(qp, Outcome::refused, Blame::b, fmt::format("V-{}", qp)));
  }
  EXPECT_THAT(incidents.worst_first(), SizeIs(Incidents::kMost));
  EXPECT_EQ(incidents.dropped(), 10U);
  incidents.add(judged(9'999, Outcome::failed, Blame::b));
  EXPECT_THAT(incidents.worst_first(), SizeIs(Incidents::kMost));
  EXPECT_EQ(incidents.worst_first().front()->qp, 9'999U);
  EXPECT_EQ(incidents.dropped(), 11U);
}

TEST(Incidents, ManyQueuePairsOfOne_AreCountedAndAFewNamed) {
  Incidents incidents;
  for (std::uint64_t qp = 0; qp < 40; ++qp) {
    qp::QpRecord record = judged(qp, Outcome::failed, Blame::b);
    record.a.address = net::IpAddress::v4(static_cast<std::uint32_t>(0x0A000100 + qp));
    incidents.add(record);
  }
  const Incident& incident = *incidents.worst_first().front();
  EXPECT_EQ(incident.count, 40U);
  EXPECT_THAT(incident.qps, SizeIs(Incident::kQps));
  EXPECT_THAT(incident.a_hosts, SizeIs(Incident::kHosts));
  EXPECT_TRUE(incident.more_hosts);
}

TEST(Incidents, HostsAndPathsBlamedForSeveral_AndWhatCameFirst) {
  Incidents incidents;
  const auto add = [&](std::uint64_t qp, Outcome outcome, Blame blame, std::uint64_t frame) {
    qp::QpRecord record = judged(qp, outcome, blame);
    record.verdict->evidence = {FrameNumber{frame}};
    incidents.add(record);
  };
  add(0, Outcome::failed, Blame::path, 40);
  add(1, Outcome::completed, Blame::path, 3);
  add(2, Outcome::refused, Blame::b, 20);
  add(3, Outcome::stalled, Blame::path, 30);
  add(4, Outcome::failed, Blame::b, 50);
  add(5, Outcome::failed, Blame::a, 60);
  add(6, Outcome::refused, Blame::b, 70);
  std::vector<std::uint64_t> first;
  for (const Incidents::Trouble& trouble : incidents.first_troubles()) first.push_back(trouble.qp);
  EXPECT_THAT(first, ElementsAre(2, 3, 0));
  const auto blamed = incidents.blamed_often();
  ASSERT_THAT(blamed, SizeIs(2));
  EXPECT_EQ(blamed[0].host.text(), "10.0.0.2");
  EXPECT_EQ(blamed[0].qps, 3U);
  EXPECT_FALSE(blamed[0].other);
  EXPECT_EQ(blamed[1].host.text(), "10.0.0.1");
  ASSERT_TRUE(blamed[1].other);
  EXPECT_EQ(blamed[1].other->text(), "10.0.0.2");
}

}  // namespace
}  // namespace iwarpscope::report
