// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/text.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "shared/report/sample_records.h"

namespace iwarpscope::report {
namespace {

using rdmap::Opcode;
using testing::HasSubstr;
using testing::Not;

class Text {
 public:
  explicit Text(const TextOptions& options = {})
      : observer([this](std::string_view piece) { out += piece; }, options) {}
  std::string out;
  TextObserver observer;
};

std::size_t occurrences(const std::string& text, std::string_view word) {
  std::size_t n = 0;
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) ++n;
  return n;
}

TEST(TextReport, SentencesKeepToTheWidth) {
  Text text({.columns = 50});
  text.observer.finding(sample::crc_finding(0, 17));
  text.observer.capture(sample::capture());
  text.observer.qp(sample::queue_pair());
  text.observer.summary(sample::summary(1));
  const std::size_t what = text.out.find("  What:");
  ASSERT_NE(what, std::string::npos);
  std::size_t lines = 0;
  for (std::size_t at = what; at < text.out.size(); ++lines) {
    const std::size_t end = text.out.find('\n', at);
    ASSERT_NE(end, std::string::npos);
    EXPECT_LE(end - at, 50U) << text.out.substr(at, end - at);
    at = end + 1;
  }
  EXPECT_GT(lines, 6U);
}

TEST(TextReport, OneQpWithErrorsWholeReport) {
  Text text({.columns = 200});
  for (std::uint64_t frame = 17; frame < 21; ++frame) text.observer.finding(sample::crc_finding(0, frame));
  text.observer.capture(sample::capture());
  text.observer.qp(sample::queue_pair());
  auto summary = sample::summary(1);
  summary.errors = 5;
  summary.findings = {{"mpa.crc-mismatch", 5}};
  text.observer.summary(summary);
  const findings::Rule& rule = findings::rule(findings::FindingId::mpa_crc_mismatch);
  EXPECT_THAT(text.out, testing::StartsWith(R"(Capture  a.pcapng: 100 frames over 1.50 s
Result   1 queue pair

Format   pcapng, EN10MB (snap length 262144)
Frames   100, 12.1 KiB
Time     2023-11-14 22:13:20.000000001 UTC, over 1.50 s
Losses   none known; the file has no count of dropped frames

1 queue pair
QP  A -> B                           ULP   Began    State         CRC  Mkr  Depth  A->B messages  B->A messages  Duration  Rate        Sent again  Worst finding
0   10.0.0.1:45000 -> 10.0.0.2:4420  nvme  startup  closed (FIN)  on   off  16/8   13, 5.00 KiB   3, 3.00 MiB    1.20 s    2.50 MiB/s  16.2 %      mpa.crc-mismatch
Mkr: markers, A to B/B to A if they differ; Depth: RDMA Reads that A/B may have outstanding

Findings: 5 errors, 0 warnings, 0 notes

error  mpa.crc-mismatch (MF-04), 5 times in QP 0; about the path; RFC 5044 §4.4
  What:  The CRC at the end of this FPDU does not match its octets.
    -    QP 0, A -> B, frame 17 (see frame 16), +0.000001234 s: The CRC is 0x00000001; the octets
         give 0xdeadbeef.
    -    QP 0, A -> B, frame 18 (see frame 16), +0.000001234 s: The CRC is 0x00000001; the octets
         give 0xdeadbeef.
    -    QP 0, A -> B, frame 19 (see frame 16), +0.000001234 s: The CRC is 0x00000001; the octets
         give 0xdeadbeef.
    -    and 2 more
  Why:   )"));
  EXPECT_THAT(text.out, HasSubstr(std::string{rule.why.substr(0, 30)}));
  EXPECT_THAT(text.out, HasSubstr("  Next:  " + std::string{rule.next.substr(0, 30)}));
  EXPECT_THAT(text.out, Not(HasSubstr("\x1b")));
}

std::string table_at(std::size_t columns, bool ipv6 = false) {
  Text text({.columns = columns});
  text.observer.finding(sample::crc_finding(0, 17));
  text.observer.capture(sample::capture());
  auto record = sample::queue_pair();
  if (ipv6) record.a.address.octets.fill(0xAB);
  if (ipv6) record.b.address.octets.fill(0xCD);
  text.observer.qp(record);
  text.observer.summary(sample::summary(1));
  const std::size_t at = text.out.find("1 queue pair\nQP");
  return text.out.substr(at + 13, text.out.find("\n\nFindings") - at - 13);
}

TEST(TextReport, TheTableLeavesOutWhatDoesNotFit) {
  EXPECT_THAT(table_at(200), HasSubstr("  Duration  Rate        Sent again  Worst finding\n"));
  EXPECT_THAT(table_at(130), Not(HasSubstr("Rate")));
  EXPECT_EQ(table_at(100),
            R"(QP  A -> B                           State         CRC  A->B messages  B->A messages  Worst finding
0   10.0.0.1:45000 -> 10.0.0.2:4420  closed (FIN)  on   13, 5.00 KiB   3, 3.00 MiB    MF-04
Not shown for lack of room: ULP, Began, Mkr, Depth; --qp N has all of it)");
  EXPECT_THAT(table_at(80),
              testing::StartsWith("QP  A -> B                           State         A->B messages  Worst finding\n"
                                  "0   10.0.0.1:45000 -> 10.0.0.2:4420  closed (FIN)  13, 5.00 KiB   MF-04\n"));
}

TEST(TextReport, TheTableSaysHowEachEndedTheWorstFirst) {
  Text text({.columns = 80});
  text.observer.capture(sample::capture());
  qp::QpRecord record = sample::queue_pair();
  for (const auto outcome : {qp::Outcome::completed, qp::Outcome::completed, qp::Outcome::failed}) {
    record.verdict.emplace();
    record.verdict->outcome = outcome;
    record.directions[0].retransmitted_octets = record.qp == 1 ? 100 : 0;
    record.directions[1].retransmitted_octets = 0;
    text.observer.qp(record);
    ++record.qp;
  }
  text.observer.summary(sample::summary(3));
  const std::size_t failed = text.out.find("\n2   10.0.0.1:45000 -> 10.0.0.2:4420  failed     ");
  const std::size_t repaired = text.out.find("\n1   10.0.0.1:45000 -> 10.0.0.2:4420  completed  ");
  const std::size_t well = text.out.find("\n0   10.0.0.1:45000 -> 10.0.0.2:4420  completed  ");
  ASSERT_NE(failed, std::string::npos) << text.out;
  EXPECT_LT(failed, repaired) << text.out;
  EXPECT_LT(repaired, well) << text.out;
}

TEST(TextReport, TheTableHasLatencyAndTimeAtLimitsWhereThereIsRoom) {
  constexpr std::int64_t kMs = 1'000'000;
  for (const std::size_t columns : {100, 240}) {
    Text text({.columns = columns});
    for (std::int64_t i = 1; i <= 100; ++i) {
      qp::MessageRecord read = sample::message(Opcode::rdma_read_request, 1);
      read.qp = sample::queue_pair().qp;
      qp::ReadRequestDetail detail;
      detail.response = qp::ResponseLink{.last_octet_ns = i * kMs};
      read.detail = detail;
      text.observer.message(read);
    }
    text.observer.capture(sample::capture());
    qp::QpRecord record = sample::queue_pair();
    record.directions[0].read_credit = qp::ReadCreditRecord{16, {.times_at_limit = 2, .at_limit_ns = 70 * kMs}, {}};
    text.observer.qp(record);
    text.observer.summary(sample::summary(1));
    const bool has_room = columns == 240;
    EXPECT_EQ(text.out.find("  p50 / p99          At limit  Worst finding\n") != std::string::npos, has_room)
        << text.out;
    EXPECT_EQ(text.out.find("  50.0 ms / 99.0 ms  70.0 ms   none\n") != std::string::npos, has_room) << text.out;
  }
}

TEST(TextReport, TheTableSplitsEndsThatDoNotFit) {
  const std::string table = table_at(80, true);
  EXPECT_THAT(table, testing::StartsWith("QP  A -> B  "));
  EXPECT_THAT(table, HasSubstr("  ULP   CRC  Worst finding\n"
                               "0   [abab:abab:abab:abab:abab:abab:abab:abab]:45000 ->  nvme  on   MF-04\n"
                               "    [cdcd:cdcd:cdcd:cdcd:cdcd:cdcd:cdcd:cdcd]:4420\n"
                               "Not shown for lack of room: Began, State, "));
}

TEST(TextReport, FindingNamesTheFramesItBeganIn) {
  const auto report = [](const std::vector<std::uint64_t>& frames) {
    Text text({.messages = true, .columns = 200});
    auto finding = sample::crc_finding(0, 17);
    finding.frames.clear();
    for (const std::uint64_t frame : frames) finding.frames.push_back(FrameNumber{frame});
    text.observer.finding(finding);
    text.observer.capture(sample::capture());
    text.observer.summary(sample::summary(1));
    return text.out;
  };
  EXPECT_THAT(report({5, 17}), HasSubstr("A -> B, frame 17 (see frame 5): The"));      // the line
  EXPECT_THAT(report({5, 17}), HasSubstr("A -> B, frame 17 (see frame 5), +0.0000"));  // the example
  EXPECT_THAT(report({5}), HasSubstr("frame 17 (see frame 5)"));
  EXPECT_THAT(report({5, 9, 17}), HasSubstr("frame 17 (see frames 5 and 9)"));
  EXPECT_THAT(report({5, 9, 12, 17}), HasSubstr("frame 17 (see frames 5, 9 and 12)"));
  EXPECT_THAT(report({5, 9, 12, 13, 17}), HasSubstr("frame 17 (see frames 5, 9, 12, ...)"));
  EXPECT_THAT(report({5, 17, 19}), HasSubstr("frame 17 (see frames 5 and 19)"));
  for (const std::vector<std::uint64_t>& frames : {std::vector<std::uint64_t>{}, {17}, {17, 19}}) {
    EXPECT_THAT(report(frames), HasSubstr("frame 17, +"));
  }
}

TEST(TextReport, NothingFoundIsSaid) {
  Text text;
  text.observer.capture(sample::capture());
  text.observer.qp(sample::queue_pair());
  text.observer.summary(sample::summary(1));
  EXPECT_THAT(text.out, HasSubstr("No findings: the captured traffic breaks none of the rules that were checked.\n"));
  EXPECT_THAT(text.out, Not(HasSubstr("could not be checked")));
}

TEST(TextReport, NothingFoundInAnIncompleteCaptureIsNotMoreThanThat) {
  Text text;
  auto capture = sample::capture();
  capture.truncated_frames = 2;
  capture.info.truncated_file = true;
  capture.info.interfaces[0].dropped = 7;
  text.observer.capture(capture);
  auto qp = sample::queue_pair();
  qp.directions[1].capture_gap_octets = 3000;
  text.observer.qp(qp);
  text.observer.summary(sample::summary(1));
  EXPECT_THAT(
      text.out,
      HasSubstr("Losses   the file ends in the middle of a record; 7 frames dropped, as the capture file reports; 2\n"
                "         frames cut short; capture gaps of 2.93 KiB in 1 QP\n"));
  EXPECT_THAT(text.out, HasSubstr("Data that is missing"));
}

TEST(TextReport, ReadingThatStoppedEarlyIsALoss) {
  using Why = analysis::ReadingStopped::Why;
  const auto report = [](Why why) {
    Text text;
    auto capture = sample::capture();
    capture.info.stopped = {why, 4711, "cause"};
    text.observer.capture(capture);
    text.observer.qp(sample::queue_pair());
    text.observer.summary(sample::summary(1));
    EXPECT_THAT(text.out, HasSubstr("Data that is missing"));
    return text.out;
  };
  EXPECT_THAT(report(Why::damaged), HasSubstr("Losses   damaged at octet 4711; nothing after it was read\n"));
  EXPECT_THAT(report(Why::interrupted),
              HasSubstr("Losses   interrupted after 100 frames; nothing after that was read\n"));
  EXPECT_THAT(report(Why::filter_failed), HasSubstr("Losses   the filter matches no frame after octet 4711; nothing"));
}

TEST(TextReport, NoIwarpNoFramesAndNothingDecodedAreDistinguished) {
  Text none;
  none.observer.capture(sample::capture());
  none.observer.summary(sample::summary(0));
  EXPECT_THAT(none.out, HasSubstr("Result   No queue pair: no TCP connection in this capture carries MPA"));
  Text empty;
  empty.observer.capture({});
  empty.observer.summary(sample::summary(0));
  EXPECT_THAT(empty.out, HasSubstr("Result   No frames: the capture is empty, or the filter lets none through."));
  Text undecoded;
  auto capture = sample::capture();
  capture.undecoded_frames = capture.frames;
  undecoded.observer.capture(capture);
  undecoded.observer.summary(sample::summary(0));
  EXPECT_THAT(undecoded.out, HasSubstr("100 frames could not be decoded"));
  EXPECT_THAT(undecoded.out, HasSubstr("Result   No queue pair: not one frame could be decoded."));
}

qp::QpRecord ended(std::uint64_t qp, qp::Outcome outcome, qp::Blame blame, std::uint64_t frame) {
  qp::QpRecord record = sample::queue_pair(qp);
  record.directions[0].retransmitted_octets = 0;
  record.verdict = qp::VerdictRecord{};
  record.verdict->outcome = outcome;
  record.verdict->blame = blame;
  record.verdict->evidence = {FrameNumber{frame}};
  return record;
}

qp::QpRecord gave_up(std::uint64_t qp) {
  qp::QpRecord record = ended(qp, qp::Outcome::failed, qp::Blame::b, 10 + qp);
  record.verdict->text = fmt::format("Gave up in frame {}.", 1000 + qp);
  record.verdict->next = "Look at the backlog.";
  record.verdict->confidence = qp::Confidence::likely;
  record.verdict->code = record.verdict->cause = "V-11";
  return record;
}

TEST(TextReport, TheResultAndTheIncidentsComeBeforeTheRestOfTheCapture) {
  Text text;
  text.observer.capture(sample::capture());
  text.observer.qp(gave_up(3));
  text.observer.qp(gave_up(9));
  text.observer.qp(ended(10, qp::Outcome::completed, qp::Blame::none, 3));
  text.observer.qp(ended(11, qp::Outcome::completed, qp::Blame::none, 3));
  text.observer.summary(sample::summary(4));
  EXPECT_THAT(text.out, testing::StartsWith(R"(Capture  a.pcapng: 100 frames over 1.50 s
Result   2 failed, 2 completed

Incident
1  failed V-11, likely by the Responder 10.0.0.2:4420
   QPs 3 and 9: 10.0.0.1 -> 10.0.0.2, port 4420
   Example QP 3: Gave up in frame 1003.
   Frame 13
   Next: Look at the backlog.

Format   pcapng)"));
}

TEST(TextReport, AnIncidentOfOneQueuePairHasItsPorts) {
  Text text;
  text.observer.capture(sample::capture());
  text.observer.qp(gave_up(3));
  text.observer.summary(sample::summary(1));
  EXPECT_THAT(text.out, HasSubstr("1  failed V-11, likely by the Responder 10.0.0.2:4420\n"
                                  "   QP 3: 10.0.0.1:45000 -> 10.0.0.2:4420\n"
                                  "   Gave up in frame 1003.\n"));
  EXPECT_THAT(text.out, Not(HasSubstr("What came first")));
  EXPECT_THAT(text.out, Not(HasSubstr("Blamed more than once")));
}

TEST(TextReport, CompletedWithErrorsIsSaid) {
  Text text;
  text.observer.capture(sample::capture());
  auto record = ended(0, qp::Outcome::completed, qp::Blame::path, 3);
  record.summary.findings.push_back({findings::FindingId::mpa_crc_mismatch, Direction::a_to_b, FrameNumber{3}});
  text.observer.qp(record);
  text.observer.summary(sample::summary(1));
  EXPECT_THAT(text.out, HasSubstr("Result   1 completed with errors\n"));
  EXPECT_THAT(text.out, HasSubstr("1  completed with errors, mpa.crc-mismatch (MF-04), certainly by the path between"));
  record.qp = 1;
  text.out.clear();
  text.observer.qp(record);
  text.observer.qp(ended(2, qp::Outcome::completed, qp::Blame::none, 3));
  text.observer.summary(sample::summary(3));
  EXPECT_THAT(text.out, HasSubstr("Result   3 completed (2 of them with errors)\n"));
}

TEST(TextReport, ManyIncidentsAreCutAndCounted) {
  Text text;
  text.observer.capture(sample::capture());
  for (std::uint64_t qp = 0; qp < 40; ++qp) {
    qp::QpRecord record = gave_up(qp);
    record.b.port = static_cast<std::uint16_t>(5000 + qp / 2);
    text.observer.qp(record);
  }
  text.observer.summary(sample::summary(40));
  EXPECT_EQ(occurrences(text.out, "failed V-11"), 10u);
  EXPECT_THAT(text.out, HasSubstr("What came first: frame 10 of QP 0 (10.0.0.1:45000 -> 10.0.0.2:5000), then frame 11 "
                                  "of QP 1\n   (10.0.0.1:45000"));
  EXPECT_THAT(text.out, HasSubstr("\n10 failed V-11"));
  EXPECT_THAT(text.out, HasSubstr("...and other incidents of 20 queue pairs"));
  EXPECT_THAT(text.out, HasSubstr("Blamed more than once: 10.0.0.2 (40 QPs)."));
}

TEST(TextReport, NotesAndWhatRepeatsAVerdictAreCountedUnlessWanted) {
  const auto report = [](bool notes, qp::Outcome outcome) {
    Text text({.notes = notes});
    auto finding = sample::crc_finding();
    finding.id = sample::rule_of(findings::Severity::note);
    text.observer.finding(finding);
    text.observer.finding(finding);
    finding.id = findings::FindingId::rdmap_terminate_sent;
    text.observer.finding(finding);
    text.observer.capture(sample::capture());
    text.observer.qp(ended(0, outcome, qp::Blame::a, 3));
    auto summary = sample::summary(1);
    summary.notes = 2;
    summary.warnings = 1;
    text.observer.summary(summary);
    return text.out;
  };
  const std::string folded = report(false, qp::Outcome::failed);
  EXPECT_THAT(folded, HasSubstr("Findings: 0 errors, 1 warning, 2 notes\n"
                                "\nNot listed: 2 notes (1 rule); 1 finding that repeats a verdict "
                                "(rdmap.terminate-sent); --notes lists\n"
                                "            all\n"));
  EXPECT_THAT(folded, Not(HasSubstr("  What:")));
  EXPECT_EQ(occurrences(report(true, qp::Outcome::failed), "  What:"), 2u);
  EXPECT_THAT(report(true, qp::Outcome::failed), Not(HasSubstr("--notes")));
  EXPECT_THAT(report(false, qp::Outcome::unknown), HasSubstr("warning  rdmap.terminate-sent (QP-02)"));
}

TEST(TextReport, AFaultOnTheWayIsNotHowItEnded) {
  Text text;
  text.observer.capture(sample::capture());
  text.observer.qp(ended(0, qp::Outcome::completed, qp::Blame::a, 3));
  text.observer.summary(sample::summary(1));
  EXPECT_THAT(text.out, HasSubstr("QP 0  completed, with a fault on the way, certainly by the Initiator"));
  EXPECT_THAT(text.out, Not(HasSubstr("What came first")));
}

TEST(TextReport, ConnectionsThatNeverCameToBeAreCounted) {
  Text text;
  auto capture = sample::capture();
  capture.refused = {2, net::Endpoint{net::IpAddress::v4(0x0A000002), 4420}, FrameNumber{7}};
  text.observer.capture(capture);
  text.observer.summary(sample::summary(0));
  EXPECT_THAT(text.out,
              HasSubstr("2 connections refused (TCP reset or SCTP ABORT), first by 10.0.0.2:4420 in frame 7"));
}

TEST(TextReport, OnlyNotesIsNoError) {
  Text text;
  auto finding = sample::crc_finding();
  finding.id = sample::rule_of(findings::Severity::note);
  text.observer.finding(finding);
  text.observer.capture(sample::capture());
  text.observer.qp(sample::queue_pair());
  auto summary = sample::summary(1);
  summary.notes = 1;
  summary.findings = {{findings::rule(finding.id).name, 1}};
  text.observer.summary(summary);
  EXPECT_THAT(text.out, HasSubstr("There are no errors and no warnings."));
}

TEST(TextReport, GroupsAreOrderedBySeverityThenFirstFrame) {
  Text text({.notes = true});
  const auto finding = [&](findings::FindingId id, std::uint64_t frame) {
    auto raised = sample::crc_finding(0, frame);
    raised.id = id;
    text.observer.finding(raised);
    return " " + std::string{findings::rule(id).name} + " (";
  };
  const std::string note = finding(sample::rule_of(findings::Severity::note), 1);
  const std::string warning = finding(sample::rule_of(findings::Severity::warning), 2);
  const std::string error = finding(findings::FindingId::mpa_crc_mismatch, 20);
  const std::string late_error = finding(sample::rule_of(findings::Severity::error), 30);
  text.observer.capture(sample::capture());
  text.observer.summary(sample::summary(1));
  EXPECT_LT(text.out.find(error), text.out.find(late_error));
  EXPECT_LT(text.out.find(late_error), text.out.find(warning));
  EXPECT_LT(text.out.find(warning), text.out.find(note));
  EXPECT_NE(text.out.find(note), std::string::npos);
}

TEST(TextReport, ManyQpsOfOneRuleAreCountedAndAbridged) {
  Text text;
  for (std::uint64_t qp = 0; qp < 12; ++qp) text.observer.finding(sample::crc_finding(11 - qp));
  text.observer.capture(sample::capture());
  text.observer.summary(sample::summary(12));
  EXPECT_THAT(text.out, HasSubstr("12 times in 12 QPs (0, 1, 2, 3, 4, 5, 6, 7, ...)"));
  Text more;
  for (std::uint64_t qp = 0; qp < 1001; ++qp) more.observer.finding(sample::crc_finding(qp));
  more.observer.capture(sample::capture());
  more.observer.summary(sample::summary(1001));
  EXPECT_THAT(more.out, HasSubstr("1001 times in more than 1000 QPs (0,"));
}

TEST(TextReport, TenThousandQpsShowTheWorstThenTheBusiest) {
  Text text;
  text.observer.finding(sample::crc_finding(7'777));
  auto warning = sample::crc_finding(123);
  warning.id = sample::rule_of(findings::Severity::warning);
  text.observer.finding(warning);
  text.observer.capture(sample::capture());
  for (std::uint64_t number = 0; number < 10'000; ++number) {
    auto qp = sample::queue_pair(number);
    qp.directions[0].stream_octets = number;
    text.observer.qp(qp);
  }
  text.observer.summary(sample::summary(10'000));
  EXPECT_EQ(occurrences(text.out, "10.0.0.1:45000"), 50u);
  EXPECT_THAT(text.out, HasSubstr("10000 queue pairs, the worst and busiest 50 of them:"));
  EXPECT_THAT(text.out, HasSubstr("9950 queue pairs not shown; --qp N shows one in detail"));
  const std::size_t worst = text.out.find("\n7777  ");
  const std::size_t second = text.out.find("\n123   ");
  const std::size_t busiest = text.out.find("\n9999  ");
  ASSERT_NE(worst, std::string::npos);
  EXPECT_LT(worst, second);
  EXPECT_LT(second, busiest);
  EXPECT_NE(text.out.find("\n9952  "), std::string::npos);
  EXPECT_EQ(text.out.find("\n9951  "), std::string::npos);
}

TEST(TextReport, MessagesAndFindingsAreLinesInTheirOrder) {
  Text text({.messages = true});
  auto read = sample::message(Opcode::rdma_read_request, 1);
  read.detail =
      qp::ReadRequestDetail{STag{1}, TaggedOffset{2}, 4096, STag{3}, TaggedOffset{4}, qp::ResponseLink{7, 100, 2000}};
  text.observer.message(read);
  text.observer.finding(sample::crc_finding());
  auto write = sample::message(Opcode::rdma_write);
  write.tagged = true;
  write.last_frame = write.first_frame;
  write.complete = false;
  text.observer.message(write);
  text.observer.capture(sample::capture());
  text.observer.summary(sample::summary(1));
  EXPECT_THAT(
      text.out,
      testing::StartsWith(
          "22:13:20.000000001  QP 3 A -> B #12 RDMA Read Request: 64 octets, frames 21-22, QN 1 (requests) MSN 13, "
          "reads "
          "4.00 KiB from STag 0x00000003 TO 0x0000000000000004 into STag 0x00000001 TO 0x0000000000000002, answered by "
          "#7 "
          "in 2.00 us (first octet after 100 ns)\n"
          "22:13:20.000001235  error mpa.crc-mismatch QP 0, A -> B, frame 17 (see frame 16): The CRC is 0x00000001; "
          "the octets give "
          "0xdeadbeef.\n"
          "22:13:20.000000001  QP 3 A -> B #12 RDMA Write: 64 octets, frame 21, STag 0x00000000 TO 0x0000000000000000, "
          "incomplete\n"
          "\nCapture  "));
}

TEST(TextReport, EveryOpcodeHasItsLine) {
  Text text({.messages = true});
  auto terminate = sample::message(Opcode::terminate, 2);
  qp::TerminateDetail detail;
  detail.layer = 1;
  detail.error_type = 1;
  detail.error_code = 2;
  detail.name = "base or bounds violation";
  detail.dialect = "rfc5040";
  detail.names = qp::NamedMessage{Direction::b_to_a, 3};
  terminate.detail = detail;
  text.observer.message(terminate);
  detail.names.reset();
  for (const char* dialect : {"siw-le", "cxgb4"}) {
    detail.dialect = dialect;
    terminate.detail = detail;
    text.observer.message(terminate);
  }
  auto invalidate = sample::message(Opcode::send_invalidate);
  invalidate.invalidate_stag = STag{0xAB};
  text.observer.message(invalidate);
  auto atomic = sample::message(Opcode::atomic_request, 1);
  atomic.detail = qp::AtomicRequestDetail{"swap", 5, STag{6}, TaggedOffset{8}, 1, 2, 3, 4, std::nullopt};
  text.observer.message(atomic);
  auto answer = sample::message(Opcode::atomic_response, 3);
  answer.detail = qp::AtomicResponseDetail{4, 5, 0x10, std::nullopt, std::nullopt};
  text.observer.message(answer);
  auto immediate = sample::message(Opcode::immediate);
  immediate.detail = qp::ImmediateDetail{0xFF};
  immediate.sha256.emplace();
  text.observer.message(immediate);
  text.observer.capture(sample::capture());
  text.observer.summary(sample::summary(1));
  EXPECT_THAT(text.out, HasSubstr("MSN 13, base or bounds violation (1/1/02), names B -> A #3\n"));
  EXPECT_THAT(text.out, HasSubstr("MSN 13, base or bounds violation (1/1/02; its bits in the order of Linux siw)\n"));
  EXPECT_THAT(
      text.out,
      HasSubstr("MSN 13, base or bounds violation (1/1/02; without the headers it should carry, as of cxgb4)\n"));
  EXPECT_THAT(text.out, HasSubstr("MSN 13, invalidates STag 0x000000ab\n"));
  EXPECT_THAT(text.out,
              HasSubstr("Swap at STag 0x00000006 TO 0x0000000000000008, identifier 5, data 0x0000000000000001"));
  EXPECT_THAT(text.out, HasSubstr("no response seen"));
  EXPECT_THAT(text.out, HasSubstr("identifier 5, original 0x0000000000000010, answers #4\n"));
  EXPECT_THAT(text.out, HasSubstr("data 0x00000000000000ff, SHA-256 " + std::string(64, '0') + "\n"));
}

TEST(TextReport, ColoursOnlyWhenAskedFor) {
  Text text({.color = true});
  text.observer.finding(sample::crc_finding());
  text.observer.capture(sample::capture());
  text.observer.qp(sample::queue_pair());
  text.observer.summary(sample::summary(1));
  EXPECT_THAT(text.out, HasSubstr("\x1b[1;31merror\x1b[0m"));
  EXPECT_EQ(occurrences(text.out, "\x1b[0m") * 2, occurrences(text.out, "\x1b["));
}

TEST(TextReport, NothingFromOutsideReachesTheTerminalAsACommand) {
  Text text({.messages = true});
  auto finding = sample::crc_finding();
  finding.text = "evil \x1b]0;title\x07";
  finding.seen = "\x1b[2J";
  text.observer.finding(finding);
  auto capture = sample::capture();
  capture.info.file = "a\x1b[31m\nb\xFF";
  text.observer.capture(capture);
  text.observer.summary(sample::summary(1));
  EXPECT_EQ(std::count(text.out.begin(), text.out.end(), '\x1b'), 0);
  EXPECT_EQ(std::count(text.out.begin(), text.out.end(), '\x07'), 0);
  EXPECT_THAT(text.out, HasSubstr("a\\x1b[31m\\x0ab\xEF\xBF\xBD: 100 frames"));
}

TEST(TextReport, TimingIsTheLastLine) {
  Text text;
  text.observer.capture(sample::capture());
  auto summary = sample::summary(0);
  summary.elapsed_ns = 12'345'678;
  text.observer.summary(summary);
  EXPECT_THAT(text.out, testing::EndsWith("\nAnalysed in 12.3 ms\n"));
}

}  // namespace
}  // namespace iwarpscope::report
