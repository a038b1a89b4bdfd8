// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Findings merged by time, and filtered; handshakes and health as text.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <QAbstractItemModelTester>
#include <QSignalSpy>

#include "iwarpscope/v1/status.pb.h"
#include "models/findings/finding_filter.h"
#include "models/findings/finding_table.h"
#include "models/health.h"
#include "models/plots/frame_clock.h"
#include "models/summary/handshake_card.h"
#include "models/summary/qp_html.h"
#include "models/words.h"
#include "mpa/startup_frame_view.h"
#include "report/restart_words.h"

namespace iwarpscope::gui::finding_test {
namespace {

using findings::FindingId;
using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

constexpr auto kFatal = QAbstractItemModelTester::FailureReportingMode::Fatal;

live::FindingView finding(std::uint64_t sequence, std::int64_t ns, FindingId id, std::uint32_t b = 2,
                          std::uint64_t qp = 0) {
  live::FindingView view;
  view.sequence = sequence;
  view.finding.id = id;
  view.finding.qp = qp;
  view.finding.frame = FrameNumber{sequence};
  view.finding.time = TimePoint{ns};
  view.finding.text = "what was seen";
  const net::IpAddress a_address = net::IpAddress::v4(0x0A000001), b_address = net::IpAddress::v4(0x0A000000 + b);
  view.ends = std::pair{net::Endpoint{a_address, 40000}, net::Endpoint{b_address, 4420}};
  return view;
}

std::vector<std::uint64_t> sequences(const FindingTable& table) {
  std::vector<std::uint64_t> all;
  for (int row = 0; row < table.rowCount(); ++row) all.push_back(table.at(row).sequence);
  return all;
}

TEST(FindingTable, MergesByTimeWhateverTheOrderOfComing) {
  FindingTable table;
  const QAbstractItemModelTester tester(&table, kFatal);
  table.replace({});
  EXPECT_EQ(table.rowCount(), 0);
  table.add({finding(1, 50, FindingId::mpa_crc_mismatch)});
  table.add({finding(2, 70, FindingId::mpa_crc_mismatch), finding(3, 40, FindingId::mpa_crc_mismatch)});
  table.add({finding(4, 60, FindingId::mpa_crc_mismatch), finding(5, 70, FindingId::mpa_crc_mismatch)});
  EXPECT_THAT(sequences(table), testing::ElementsAre(3, 1, 4, 2, 5));
  FindingRows many;
  for (std::uint64_t i = 0; i < 1000; ++i) {
    many.push_back(finding(10 + i, 1000 - static_cast<std::int64_t>(i), FindingId::tcp_retransmissions));
  }
  table.add(many);
  table.add({finding(2000, 5, FindingId::mpa_crc_mismatch)});
  EXPECT_EQ(table.rowCount(), 1006);
  EXPECT_EQ(table.at(0).sequence, 1009u) << "the one at 1 ns";
  for (int row = 1; row < table.rowCount(); ++row)
    EXPECT_LE(table.at(row - 1).finding.time, table.at(row).finding.time);
  table.replace({finding(1, 1, FindingId::mpa_crc_mismatch)});
  EXPECT_EQ(table.rowCount(), 1);
}

TEST(FindingTable, MarksTheEarliestErrorOrWarningBetweenTwoHosts) {
  FindingTable table;
  table.replace({finding(1, 10, FindingId::tcp_retransmissions), finding(2, 20, FindingId::mpa_crc_mismatch),
                 finding(3, 30, FindingId::mpa_crc_mismatch), finding(4, 40, FindingId::mpa_crc_mismatch, 3)});
  EXPECT_FALSE(table.is_first(0)) << "a note is no fault";
  EXPECT_TRUE(table.is_first(1));
  EXPECT_FALSE(table.is_first(2));
  EXPECT_TRUE(table.is_first(3)) << "of another pair of hosts";
  EXPECT_THAT(table.data(table.index(1, FindingTable::kFirst)).toString().toStdString(), HasSubstr("first"));
  table.add({finding(5, 15, FindingId::mpa_crc_mismatch)});
  EXPECT_TRUE(table.is_first(1)) << "an earlier one came late";
  EXPECT_FALSE(table.is_first(2));
}

TEST(FindingTable, ShowsThoseOfNoQueuePairTheWorstFirst) {
  FindingRows rows{finding(1, 10, FindingId::tcp_retransmissions), finding(2, 20, FindingId::tcp_retransmissions),
                   finding(3, 30, FindingId::mpa_crc_mismatch), finding(4, 40, FindingId::mpa_crc_mismatch)};
  for (const std::size_t i : {0, 1, 3}) rows[i].finding.qp.reset();
  FindingTable table;
  table.replace(rows);
  const auto reported = [&](findings::Severity at_least) {
    std::vector<std::uint64_t> all;
    for (const live::FindingView& view : table.of_no_qp(at_least, 10).worst) all.push_back(view.sequence);
    return all;
  };
  EXPECT_THAT(reported(findings::Severity::note), testing::ElementsAre(4, 1, 2));
  EXPECT_THAT(reported(findings::Severity::warning), testing::ElementsAre(4));
  const FindingTable::OfNoQp two = table.of_no_qp(findings::Severity::note, 2);
  const std::string html = finding_lines_html(two.worst, two.more).toStdString();
  EXPECT_THAT(html, HasSubstr("href=\"finding:4\""));
  EXPECT_THAT(html, HasSubstr("and 1 more"));
}

TEST(FindingTable, OfMoreThanItsBoundTheOldestGoAndAreCounted) {
  FindingTable table(nullptr, 100);
  const QAbstractItemModelTester tester(&table, kFatal);
  for (std::uint64_t from = 1; from <= 250; from += 50) {
    FindingRows rows;
    for (std::uint64_t i = from; i < from + 50; ++i) {
      const auto host = static_cast<std::uint32_t>(2 + i % 100);
      rows.push_back(finding(i, static_cast<std::int64_t>(i) * 10, FindingId::mpa_crc_mismatch, host));
    }
    table.add(rows);
    EXPECT_LE(table.rowCount(), 100);
  }
  EXPECT_EQ(table.not_kept(), 150u);
  EXPECT_EQ(table.at(0).sequence, 151u);
  EXPECT_FALSE(table.is_first(0)) << "what came before it is not kept";
  table.add({finding(300, 5, FindingId::mpa_crc_mismatch, 777)});
  EXPECT_EQ(table.at(0).sequence, 151u) << "it is older than all";
  EXPECT_EQ(table.not_kept(), 151u);
  FindingRows many;
  for (std::uint64_t i = 1000; i < 1300; ++i) many.push_back(finding(i, 20, FindingId::mpa_crc_mismatch, 5));
  table.add(many);
  EXPECT_EQ(table.rowCount(), 100);
  EXPECT_EQ(table.not_kept(), 451u);
  table.count_not_kept(9);
  EXPECT_EQ(table.not_kept(), 460u);
  table.replace(many);
  EXPECT_EQ(table.rowCount(), 100);
  EXPECT_EQ(table.not_kept(), 200u);
}

TEST(FindingTable, OfTheEndOfACaptureAreWhereTheirFirstEvidenceIs) {
  live::FindingView late = finding(1, 900, FindingId::mpa_crc_mismatch),
                    early = finding(2, 900, FindingId::mpa_crc_mismatch);
  for (live::FindingView* view : {&late, &early}) view->finding.frame = FrameNumber{2555};
  late.finding.frames = {FrameNumber{1051}, FrameNumber{2555}};
  late.began = TimePoint{1'700'000'000'500'000'000};
  early.finding.frames = {FrameNumber{932}};
  early.began = TimePoint{1'700'000'000'250'000'000};
  FindingTable table;
  table.replace({late, early});
  EXPECT_THAT(sequences(table), testing::ElementsAre(2, 1)) << "both were decided by the last frame";
  EXPECT_TRUE(table.is_first(0));
  EXPECT_FALSE(table.is_first(1));
  EXPECT_THAT(table.data(table.index(0, FindingTable::kTime)).toString().toStdString(), HasSubstr("20.250000000"));
  const std::string tip = table.data(table.index(0, FindingTable::kTime), Qt::ToolTipRole).toString().toStdString();
  EXPECT_THAT(tip, HasSubstr("frame 932"));
  EXPECT_THAT(tip, HasSubstr("decided at frame 2555"));
  early.began.reset();
  EXPECT_EQ(place_of(early).frame, FrameNumber{2555}) << "too long ago for the daemon";
  EXPECT_EQ(place_of(early).time, early.finding.time);
}

TEST(FindingFilter, KeepsSeverityWordsQueuePairAndFirst) {
  FindingTable table;
  const Selection selection;
  FindingFilter filter(table, selection);
  const QAbstractItemModelTester tester(&filter, kFatal);
  table.replace({finding(1, 10, FindingId::tcp_retransmissions), finding(2, 20, FindingId::mpa_crc_mismatch),
                 finding(3, 30, FindingId::mpa_crc_mismatch, 3, 7)});
  EXPECT_EQ(filter.rowCount(), 3);
  filter.set_at_least(findings::Severity::error);
  EXPECT_EQ(filter.rowCount(), 2);
  filter.set_qp(7);
  EXPECT_EQ(filter.rowCount(), 1);
  EXPECT_EQ(filter.at(filter.index(0, 0)).sequence, 3u);
  filter.set_qp({});
  filter.set_text(QStringLiteral("CRC 10.0.0.3"));
  EXPECT_EQ(filter.rowCount(), 1);
  filter.set_text(QStringLiteral("nothing-like-it"));
  EXPECT_EQ(filter.rowCount(), 0);
  filter.set_text({});
  filter.set_at_least(findings::Severity::note);
  filter.set_first_only(true);
  EXPECT_EQ(filter.rowCount(), 2);
  table.add({finding(4, 5, FindingId::mpa_crc_mismatch, 9)});
  EXPECT_EQ(filter.rowCount(), 3);
}

TEST(FindingFilter, OfAMarkedTimeHidesWhatBelongsElsewhere) {
  FindingTable table;
  Selection selection;
  FindingFilter filter(table, selection);
  const QAbstractItemModelTester tester(&filter, kFatal);
  live::FindingView of_the_end = finding(3, 1000, FindingId::mpa_crc_mismatch);
  of_the_end.finding.frames = {FrameNumber{2}};
  of_the_end.began = TimePoint{20};
  live::FindingView of_no_frame = finding(4, 0, FindingId::mpa_crc_mismatch);
  of_no_frame.finding.frame = FrameNumber{};
  table.replace({finding(1, 10, FindingId::tcp_retransmissions), finding(2, 20, FindingId::mpa_crc_mismatch),
                 of_the_end, of_no_frame});
  selection.set_range(TimeRange{{15}, {25}});
  EXPECT_EQ(filter.rowCount(), 3) << "one is of no time";
  EXPECT_EQ(filter.hidden_by_time(), 1u);
  filter.set_at_least(findings::Severity::error);
  EXPECT_EQ(filter.rowCount(), 3);
  EXPECT_EQ(filter.hidden_by_time(), 0u) << "it is hidden anyway";
  selection.set_range(TimeRange{{500}, {2000}});
  EXPECT_EQ(filter.rowCount(), 1) << "the end of the capture is not where it belongs";
  selection.set_range({});
  EXPECT_EQ(filter.rowCount(), 3);
}

qp::QpRecord started(std::uint16_t ask_ord, std::uint16_t answer_ird) {
  qp::QpRecord record;
  mpa::StartupFrame request, reply;
  request.crc = reply.crc = true;
  request.revision = reply.revision = 2;
  request.enhanced_flag = reply.enhanced_flag = true;
  request.enhanced = mpa::EnhancedData{.ird = 16, .ord = ask_ord};
  reply.enhanced = mpa::EnhancedData{.ird = answer_ird, .ord = 16};
  record.startup = qp::StartupRecord{request, reply, {}};
  return record;
}

const HandshakeCard::Field& field(const HandshakeCard& card, const char* label) {
  for (const HandshakeCard::Field& f : card.fields) {
    if (f.label == QLatin1String(label)) return f;
  }
  throw std::runtime_error(label);
}

TEST(HandshakeCard, SaysWhereTheEndsConflict) {
  const HandshakeCard card = handshake_card(started(32, 8));
  const HandshakeCard::Field& ord = field(card, "ORD");
  EXPECT_EQ(ord.request, QStringLiteral("32"));
  EXPECT_EQ(ord.difference, HandshakeCard::Difference::conflict);
  EXPECT_THAT(ord.remark.toStdString(), HasSubstr("8"));
  EXPECT_EQ(field(card, "CRC (C)").difference, HandshakeCard::Difference::same);
  EXPECT_EQ(field(handshake_card(started(8, 8)), "ORD").difference, HandshakeCard::Difference::same);
}

TEST(HandshakeCard, ShowsADamagedKeyBesideTheRightOnes) {
  qp::QpRecord record = started(8, 8);
  EXPECT_EQ(field(handshake_card(record), "Key").difference, HandshakeCard::Difference::same);
  record.startup->reply->key = mpa::kReplyKey;
  record.startup->reply->key[5] = std::byte{0x07};
  record.startup->reply->key_exact = false;
  const HandshakeCard card = handshake_card(record);
  const HandshakeCard::Field& key = field(card, "Key");
  EXPECT_EQ(key.reply, QStringLiteral("MPA I\\x07 Rep Frame"));
  EXPECT_EQ(key.difference, HandshakeCard::Difference::conflict);
  EXPECT_THAT(key.remark.toStdString(), HasSubstr("\"MPA ID Rep Frame\" in the Reply"));
}

TEST(HandshakeCard, OfARejectedOrUnseenStartupSaysSo) {
  qp::QpRecord record = started(8, 8);
  record.startup->reply->rejected = true;
  EXPECT_EQ(field(handshake_card(record), "Rejected (R)").difference, HandshakeCard::Difference::conflict);
  record.startup->reply.reset();
  EXPECT_EQ(field(handshake_card(record), "Rejected (R)").reply, QStringLiteral("not seen"));
  record.startup.reset();
  record.joined_midstream = true;
  const HandshakeCard card = handshake_card(record);
  EXPECT_TRUE(card.fields.empty());
  EXPECT_THAT(card.sentences.front().toStdString(), HasSubstr("began after"));
  EXPECT_EQ(card.settings.front().a_to_b, QStringLiteral("unknown"));
}

TEST(Health, ShowsLossesByStageAndWhatTheyLimit) {
  v1::Status status;
  status.mutable_totals()->mutable_losses();
  for (const HealthStage& stage : health_stages(status)) EXPECT_EQ(stage.state, HealthStage::State::well);
  EXPECT_TRUE(loss_sentence(&status, nullptr).isEmpty());
  status.mutable_totals()->mutable_losses()->set_kernel_frames(12);
  auto* output = status.add_outputs();
  output->set_name("event-log");
  output->set_healthy(false);
  output->set_trouble("the disk is full");
  const auto stages = health_stages(status);
  EXPECT_EQ(stages[1].state, HealthStage::State::lossy);
  EXPECT_EQ(stages[4].state, HealthStage::State::strained);
  for (const HealthStage& stage : health_stages(status, true)) {
    EXPECT_EQ(stage.state, HealthStage::State::unknown) << "not known while the daemon is unreachable";
    EXPECT_THAT(stage.value.toStdString(), HasSubstr("stale"));
  }
  EXPECT_THAT(stages[4].meaning.toStdString(), HasSubstr("the disk is full"));
  EXPECT_THAT(loss_sentence(&status, nullptr).toStdString(), HasSubstr("12 frame(s)"));
  const live::QpView unharmed;
  EXPECT_TRUE(loss_sentence(&status, &unharmed).isEmpty()) << "nothing was lost while it was there";
}

TEST(Health, AFullTableSaysWhatItDiscardedAndItsLimitWithItsUnit) {
  v1::Status status;
  const auto add = [&](const char* table, std::uint64_t limit, std::uint64_t evicted, bool each) {
    v1::Limit& one = *status.add_limits();
    one.set_table(table);
    one.set_limit(limit);
    one.set_evicted(evicted);
    one.set_each(each);
  };
  add("models", 128u << 20, 177'664, false);
  add("flows", 2'097'152, 1, false);
  add("tcp-chunks", 4096, 3, true);
  add("search", 1u << 20, 2, true);
  const auto all = health_stages(status, false, true);
  const auto tables = std::find_if(all.begin(), all.end(), [](const auto& one) { return one.name == "Tables"; });
  ASSERT_NE(tables, all.end());
  EXPECT_THAT(tables->meaning.toStdString(),
              AllOf(HasSubstr("models: entries discarded: 177,664; the limit is 128 MiB\n"),
                    HasSubstr("flows: TCP connections discarded: 1; the limit is 2,097,152\n"),
                    HasSubstr("tcp-chunks: times that data was given up: 3; the limit is 4,096 each\n"),
                    HasSubstr("search: searches given up: 2; the limit is 1.00 MiB each")));
}

TEST(Health, ShowsWhatARestartDid) {
  using State = HealthStage::State;
  v1::Status status;
  const auto last = [&] { return health_stages(status).back(); };
  EXPECT_NE(last().name, "Restart") << "nothing was left by a run before";
  status.set_continued(1200);
  EXPECT_EQ(last().name, "Restart");
  EXPECT_EQ(last().state, State::well);
  EXPECT_EQ(last().value, "1,200 continued");
  status.set_not_continued(1);
  EXPECT_EQ(last().state, State::strained);
  EXPECT_EQ(last().value, "1,200 of 1,201 continued");
  EXPECT_THAT(last().meaning.toStdString(), EndsWith("\n" + report::restart_text({1200, 1, {}})));
  status.set_checkpoint_refused("age");
  EXPECT_EQ(last().value, "none continued");
  EXPECT_THAT(last().meaning.toStdString(), EndsWith("\n" + report::restart_text({1200, 1, "age"})));
  status.set_continued(0);
  status.set_not_continued(0);
  EXPECT_EQ(last().state, State::strained) << "how many there were is unknown if it is damaged";
  EXPECT_EQ(health_stages(status, true).back().state, State::unknown);
}

TEST(Health, ARestartDuringTheSessionSaysWhatIsStillKnown) {
  v1::Status status;
  const auto sentence = [&] { return restart_sentence(status, "12:00:00 UTC").toStdString(); };
  const std::string begun = "The daemon was restarted at 12:00:00 UTC";
  EXPECT_EQ(sentence(), begun + ". What it saw before is no longer in its memory.");
  status.set_not_continued(2);
  status.set_checkpoint_refused("age");
  EXPECT_EQ(sentence(),
            begun + ": " + report::restart_text({0, 2, "age"}) + ". What it saw before is no longer in its memory.");
  status.set_continued(2);
  status.set_checkpoint_refused("");
  EXPECT_THAT(sentence(),
              StartsWith(begun + ": " + report::restart_text({2, 2, {}}) + ". Of what it saw before, only "));
}

std::string joined(const QStringList& sentences) {
  return sentences.join(QLatin1Char('\n')).toStdString();
}

TEST(Health, ACaptureThatIsNotWholeOrCutSaysSo) {
  v1::Status status;
  status.set_replay(true);
  status.mutable_totals()->set_frames(3);
  EXPECT_TRUE(capture_faults(status).isEmpty());
  status.add_interfaces()->add_warnings("x.pcap: octet 124: the file ends in the middle of a record");
  EXPECT_THAT(joined(capture_faults(status)), HasSubstr("incomplete: x.pcap: octet 124"));
  EXPECT_EQ(health_stages(status)[0].state, HealthStage::State::lossy);
  status.clear_interfaces();
  status.mutable_totals()->set_cut_frames(2);
  EXPECT_THAT(joined(capture_faults(status)), HasSubstr("The snap length cut 2 frame(s)"));
  EXPECT_EQ(health_stages(status).back().state, HealthStage::State::lossy);
  status.mutable_totals()->set_cut_frames(0);
  status.mutable_totals()->set_undecoded_frames(1);
  EXPECT_THAT(joined(capture_faults(status)), HasSubstr("not decoded"));
}

TEST(Health, ACaptureWithoutIwarpSaysSoWhenAllWasRead) {
  v1::Status status;
  status.set_replay(true);
  status.set_capturing(true);
  EXPECT_TRUE(no_iwarp_sentence(status).isEmpty()) << "it is still being read";
  status.set_capturing(false);
  EXPECT_THAT(no_iwarp_sentence(status).toStdString(), HasSubstr("no frame"));
  status.mutable_totals()->set_frames(17);
  EXPECT_THAT(no_iwarp_sentence(status).toStdString(), HasSubstr("no iWARP in this capture: 17"));
  EXPECT_THAT(no_iwarp_sentence(status).toStdString(), testing::Not(HasSubstr("headers")));
  status.mutable_totals()->set_cut_frames(17);
  EXPECT_THAT(no_iwarp_sentence(status).toStdString(), HasSubstr("only headers were captured"));
  v1::FailedOpenings& refused = *status.mutable_totals()->mutable_refused();
  refused.set_count(1);
  refused.set_frame(3);
  refused.mutable_listener()->set_address("10.77.0.2");
  refused.mutable_listener()->set_port(7999);
  EXPECT_THAT(no_iwarp_sentence(status).toStdString(),
              HasSubstr("1 connection(s) were refused (TCP reset or SCTP ABORT), first by 10.77.0.2:7999 in frame 3."));
  refused.mutable_listener()->set_address("fd00::1");
  EXPECT_THAT(no_iwarp_sentence(status).toStdString(), HasSubstr("[fd00::1]:7999"));
  status.mutable_totals()->mutable_unanswered()->set_count(4);
  EXPECT_THAT(no_iwarp_sentence(status).toStdString(), HasSubstr("4 connection(s) were never answered"));
  status.mutable_totals()->set_qps_opened(1);
  EXPECT_TRUE(no_iwarp_sentence(status).isEmpty());
}

live::QpView ended_well() {
  live::QpView view;
  view.record.verdict.emplace();
  view.record.verdict->outcome = qp::Outcome::completed;
  view.record.verdict->blame = qp::Blame::none;
  view.record.verdict->evidence = {FrameNumber{5}, FrameNumber{30}};
  return view;
}

TEST(QpHtml, WhatEndedWellWithAnErrorDoesNotLookAllWell) {
  live::QpView view = ended_well();
  EXPECT_TRUE(verdict_html(view).contains(QStringLiteral("✓")));
  view.findings.worst = FindingId::tcp_retransmissions;
  EXPECT_TRUE(verdict_html(view).contains(QStringLiteral("✓"))) << "a note is no fault";
  view.findings.worst = FindingId::rdmap_atomic_results_inconsistent;
  const std::string html = verdict_html(view).toStdString();
  EXPECT_THAT(html, testing::Not(HasSubstr("✓")));
  EXPECT_THAT(html, HasSubstr("△ completed"));
  EXPECT_THAT(html, HasSubstr("AT-14"));
  EXPECT_THAT(html, HasSubstr("class=\"warning\""));
  view.findings.worst = FindingId::mpa_crc_mismatch;
  const std::string worse = verdict_html(view).toStdString();
  EXPECT_THAT(worse, HasSubstr("▲ completed"));
  EXPECT_THAT(worse, HasSubstr("MF-04"));
  EXPECT_THAT(worse, HasSubstr("class=\"error\""));
  EXPECT_EQ(outcome_sign(qp::Outcome::failed, view.findings.worst), QStringLiteral("✗"));
}

TEST(QpHtml, WhatEndedWellWithLossesRepairedDoesNotLookAllWell) {
  live::QpView view = ended_well();
  view.record.directions[1].head_of_line = {.messages = 1, .total_ns = 11'000'000, .largest_ns = 11'000'000};
  const std::string html = verdict_html(view).toStdString();
  EXPECT_THAT(html, HasSubstr("class=\"note\">◇ completed with losses repaired"));
  view.record.directions[1].head_of_line.largest_ns = 9'000'000;
  EXPECT_THAT(verdict_html(view).toStdString(), HasSubstr("class=\"completed\">✓ completed<"));
}

TEST(QpHtml, EvidenceIsRemarkedOn) {
  const QString html = verdict_html(ended_well(), [](FrameNumber frame) {
    return frame.value == 5 ? QStringLiteral("in the marked time") : QString();
  });
  EXPECT_TRUE(html.contains(QStringLiteral("frame 5</a> (in the marked time), <a href=\"frame:30\">frame 30</a>")))
      << html.toStdString();
}

TEST(FrameClock, FindsWhereAFrameLiesFromThoseAroundIt) {
  using enum FrameClock::Where;
  FrameClock clock;
  const TimeRange range{{100}, {200}};
  EXPECT_EQ(clock.where(FrameNumber{1}, range), unknown);
  clock.note(FrameNumber{10}, TimePoint{50});
  clock.note(FrameNumber{20}, TimePoint{120});
  clock.note(FrameNumber{30}, TimePoint{180});
  clock.note(FrameNumber{40}, TimePoint{300});
  EXPECT_EQ(clock.where(FrameNumber{5}, range), out);
  EXPECT_EQ(clock.where(FrameNumber{15}, range), unknown) << "the mark begins between";
  EXPECT_EQ(clock.where(FrameNumber{20}, range), in);
  EXPECT_EQ(clock.where(FrameNumber{25}, range), in);
  EXPECT_EQ(clock.where(FrameNumber{35}, range), unknown);
  EXPECT_EQ(clock.where(FrameNumber{40}, range), out);
  EXPECT_EQ(clock.where(FrameNumber{50}, range), out);
  for (std::uint64_t i = 0; i < 3 * FrameClock::kMost; ++i) clock.note(FrameNumber{1000 + i}, TimePoint{400});
  EXPECT_EQ(clock.where(FrameNumber{1000 + 2 * FrameClock::kMost}, range), out)
      << "fewer are kept, and are between others";
}

TEST(QpHtml, EscapesWhatComesFromTheWire) {
  live::FindingView view = finding(1, 1, FindingId::mpa_crc_mismatch);
  view.finding.text = "<script>alert(1)</script>";
  const QString html = findings_html({view}, 10);
  EXPECT_FALSE(html.contains(QStringLiteral("<script>")));
  EXPECT_TRUE(html.contains(QStringLiteral("&lt;script&gt;")));
  EXPECT_TRUE(html.contains(QStringLiteral("href=\"frame:1\"")));
  EXPECT_TRUE(findings_html({view, view}, 1).contains(QStringLiteral("1 more")));
}

}  // namespace
}  // namespace iwarpscope::gui::finding_test
