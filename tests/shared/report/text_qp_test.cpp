// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "report/text.h"
#include "shared/report/sample_records.h"

namespace iwarpscope::report {
namespace {

using testing::HasSubstr;
using testing::Not;

qp::MessageRecord read(std::uint64_t index, std::optional<std::int64_t> last_octet_ns) {
  auto record = sample::message(rdmap::Opcode::rdma_read_request, 1);
  record.qp = 0;
  record.index = index;
  qp::ReadRequestDetail detail;
  if (last_octet_ns) detail.response = qp::ResponseLink{index, *last_octet_ns / 2, *last_octet_ns};
  record.detail = detail;
  return record;
}

std::string report(const qp::QpRecord& record, const std::vector<qp::MessageRecord>& messages = {}) {
  std::string out;
  TextObserver observer([&](std::string_view piece) { out += piece; }, {.qp = record.qp});
  for (const auto& message : messages) observer.message(message);
  observer.capture(sample::capture());
  observer.qp(record);
  observer.summary(sample::summary(1));
  return out;
}

TEST(TextQp, DetailShowsStartupSettingsAndCounters) {
  EXPECT_THAT(report(sample::queue_pair()), HasSubstr(R"(
QP 0
  A: 10.0.0.1:45000, MPA Initiator
  B: 10.0.0.2:4420, MPA Responder
  State: closed (FIN); startup captured; ULP nvme
  Frames 1 to 99, 2023-11-14 22:13:20.000000001 UTC, over 1.20 s
  MPA startup               Request (from A)        Reply (from B)
    frame                   4                       6
    revision                2                       2
    wants markers (M)       no                      no
    wants CRC (C)           yes                     yes
    rejects (R)             no                      no
    enhanced (S)            yes                     yes
    IRD                     16                      16
    ORD                     not negotiated          8
    peer-to-peer (A)        yes                     yes
    offers RTR              Write, Read             Write
    private data            3 octets: 616263        3 octets: 616263
    the Reply came 1.50 ms after the Request
    RTR: write in frame 8
  In use                    A -> B                  B -> A
    CRC                     on                      on
    markers                 off                     off
    limit of RDMA Reads     16                      8
    DDP, RDMAP version      1, 1                    the same
  Speed                     A -> B                  B -> A
    ULP payload             4.17 KiB/s              2.50 MiB/s
    sent again, of octets   16.2 %                  -
  Counters                  A -> B                  B -> A
    TCP segments            50                      30
    stream                  8.79 KiB                0 octets
    retransmitted           1.43 KiB                0 octets
    out of order            2                       0
    capture gaps            0 octets                0 octets
    cut by the snap length  0 octets                0 octets
    not read                0 octets                0 octets
    FPDUs                   40                      0
    CRC ok, bad, unjudged   40, 0, 0                0, 0, 0
    markers                 0                       0
    DDP segments            40                      0
    most reads outstanding  2                       0
    incomplete messages     0                       1
  Messages, ULP payload     A -> B                  B -> A
    RDMA Read Request       3, 0 octets             -
    RDMA Read Response      -                       3, 3.00 MiB
    Send                    10, 5.00 KiB            -

Format   pcapng)"));
}

TEST(TextQp, ReadsAtTheirLimitAreShownWhereTheyWereThere) {
  qp::QpRecord record = sample::queue_pair();
  EXPECT_THAT(report(record), Not(HasSubstr("reads at their limit")));
  record.directions[0].read_credit = qp::ReadCreditRecord{16, {.peak = 15}, {.peak = 16, .times_at_limit = 1}};
  EXPECT_THAT(report(record), Not(HasSubstr("reads at their limit")));
  record.directions[0].read_credit->reads = {
      .peak = 17, .times_at_limit = 2, .at_limit_ns = 1'500'000, .over_limit = 3};
  record.directions[1].read_credit =
      qp::ReadCreditRecord{8, {.peak = 8, .times_at_limit = 1, .at_limit_ns = 2'000}, {}};
  EXPECT_THAT(
      report(record),
      HasSubstr("reads at their limit    2 times for 1.50 ms (0.12 %), 3     once for 2.00 us (less than 0.01 %)\n"
                "                            above it\n"));
}

TEST(TextQp, LongPrivateDataDoesNotRunIntoTheNextColumn) {
  qp::QpRecord record = sample::queue_pair();
  record.startup->request->private_data.assign(32, std::byte{0xAB});
  EXPECT_THAT(report(record), HasSubstr("32 octets: abababababababab...  3 octets: 616263\n"));
}

TEST(TextQp, PrivateDataThatIsTextIsShownAsText) {
  qp::QpRecord record = sample::queue_pair();
  const std::string_view words = "lab says no";
  auto& data = record.startup->reply->private_data;
  data.assign(20, std::byte{0});
  std::transform(words.begin(), words.end(), data.begin(), [](char c) { return static_cast<std::byte>(c); });
  EXPECT_THAT(report(record), HasSubstr("20 octets, the text 'lab says no'\n"));
}

TEST(TextQp, LimitsOfTheUpperLayerAreReported) {
  qp::QpRecord record = sample::queue_pair();
  const auto queue_sizes = [](std::initializer_list<unsigned> first) {
    std::vector<std::byte> octets(32);
    std::transform(first.begin(), first.end(), octets.begin(), [](unsigned o) { return static_cast<std::byte>(o); });
    return octets;
  };
  record.startup->request->private_data = queue_sizes({0, 0, 1, 0, 128, 0, 127, 0});
  record.startup->reply->private_data = queue_sizes({0, 0, 64, 0});
  EXPECT_THAT(report(record),
              HasSubstr("  Upper layer: For I/O queue 1 the NVMe-oF host asks for a submission queue of "
                        "128"));
}

TEST(TextQp, TheWidestLabelDecidesWhereTheValuesBegin) {
  qp::QpRecord record = sample::queue_pair();
  const auto widest = static_cast<std::size_t>(rdmap::Opcode::send_se_invalidate);
  record.directions[0].messages[widest] = 1;
  record.directions[0].payload_octets[widest] = 200;
  const std::string out = report(record);
  EXPECT_THAT(out, HasSubstr("\n    Send with SE and Invalidate 1, 200 octets           -\n"));
  EXPECT_THAT(out, HasSubstr("\n    Send                        10, 5.00 KiB            -\n"));
  EXPECT_THAT(out, HasSubstr("\n    frame                       4                       6\n"));
  EXPECT_THAT(out, HasSubstr("\n  Counters                      A -> B                  B -> A\n"));
}

TEST(TextQp, ResponsesThatWereNotCapturedAreNotCalledMissing) {
  qp::QpRecord record = sample::queue_pair();
  record.directions[0].max_outstanding_reads = 1;
  record.directions[1].captured = false;
  record.directions[1].capture_gap_octets = 5000;
  const std::string out = report(record, {read(0, std::nullopt), read(1, std::nullopt)});
  EXPECT_THAT(out, HasSubstr("A -> B RDMA Reads: 2, responses not captured\n"));
  EXPECT_THAT(out, Not(HasSubstr("answered")));
  EXPECT_THAT(out, HasSubstr("most reads outstanding  at least 1              0\n"));
  EXPECT_THAT(out, HasSubstr("capture gaps            0 octets                not captured\n"));
  EXPECT_THAT(out, HasSubstr("Losses   one direction of QP 0 not captured\n"));
}

TEST(TextQp, LatencyIsShortestPercentilesLongest) {
  const std::string out =
      report(sample::queue_pair(), {read(0, 3000), read(1, 1000), read(2, 2000), read(3, std::nullopt)});
  EXPECT_THAT(out, HasSubstr("A -> B RDMA Reads: 3 answered, 1 not\n"
                             "      to the first octet    500 ns / 1.00 us / 1.50 us / 1.50 us\n"
                             "      to the last octet     1.00 us / 2.00 us / 3.00 us / 3.00 us\n"));
  EXPECT_THAT(out, Not(HasSubstr("of the first")));
}

TEST(TextQp, LatenciesBeyondTheLimitAreCountedButNotKept) {
  std::string out;
  TextObserver observer([&](std::string_view piece) { out += piece; }, {.qp = 0});
  for (std::uint64_t i = 0; i < 100'001; ++i) observer.message(read(i, 1000));
  observer.capture(sample::capture());
  observer.qp(sample::queue_pair());
  observer.summary(sample::summary(1));
  EXPECT_THAT(out, HasSubstr("100001 answered, 0 not"));
  EXPECT_THAT(out, HasSubstr("(of the first 100000)"));
}

TEST(TextQp, StartupNotSeenIsSaidAndUnknownIsNotOff) {
  qp::QpRecord record = sample::queue_pair();
  record.startup.reset();
  record.joined_midstream = true;
  record.roles = qp::Roles::tcp;
  record.crc_inferred = true;
  record.markers = {};
  record.read_depth = {};
  record.ulp.reset();
  const std::string out = report(record);
  EXPECT_THAT(out, HasSubstr("MPA startup was not seen\n"));
  EXPECT_THAT(out, HasSubstr("joined mid-stream; ULP unknown"));
  EXPECT_THAT(out, HasSubstr("CRC                     on (inferred)"));
  EXPECT_THAT(out, HasSubstr("markers                 unknown                 unknown"));
  EXPECT_THAT(out, HasSubstr("limit of RDMA Reads     unknown                 unknown"));
  EXPECT_THAT(out, HasSubstr("10.0.0.1:45000, opened the TCP connection"));
}

TEST(TextQp, ReplyNotSeenHasItsOwnColumn) {
  qp::QpRecord record = sample::queue_pair();
  record.startup->reply.reset();
  EXPECT_THAT(report(record), HasSubstr("revision                2                       not seen\n"));
}

TEST(TextQp, FindingsOfOneQpAreCountedByThemselves) {
  std::string out;
  TextObserver observer([&](std::string_view piece) { out += piece; }, {.qp = 0});
  for (std::uint64_t frame = 1; frame <= 40; ++frame) observer.finding(sample::crc_finding(0, frame));
  observer.capture(sample::capture());
  observer.qp(sample::queue_pair());
  auto summary = sample::summary(9);
  summary.errors = 400;
  summary.findings = {{"mpa.crc-mismatch", 400}};
  observer.summary(summary);
  EXPECT_THAT(out, HasSubstr("Findings: 40 errors, 0 warnings, 0 notes"));
  EXPECT_THAT(out, HasSubstr("frame 30 (see frame 16),"));
  EXPECT_THAT(out, HasSubstr("and 10 more"));
}

TEST(TextQp, ThereIsNoSuchQp) {
  std::string out;
  TextObserver observer([&](std::string_view piece) { out += piece; }, {.qp = 9});
  observer.capture(sample::capture());
  observer.summary(sample::summary(3));
  EXPECT_THAT(out, HasSubstr("There is no QP 9; the capture has 3 QPs.\n"));
  EXPECT_THAT(out, Not(HasSubstr("No findings")));
}

TEST(TextQp, TableMarksHowTheEndsWereDistinguished) {
  std::string out;
  TextObserver observer([&](std::string_view piece) { out += piece; }, {.columns = 140});
  auto by_syn = sample::queue_pair(0);
  by_syn.roles = qp::Roles::tcp;
  by_syn.crc_inferred = true;
  auto by_address = sample::queue_pair(1);
  by_address.roles = qp::Roles::address;
  by_address.markers = {true, false};
  observer.capture(sample::capture());
  observer.qp(by_syn);
  observer.qp(by_address);
  observer.summary(sample::summary(2));
  EXPECT_THAT(out, HasSubstr("4420 *  "));
  EXPECT_THAT(out, HasSubstr("4420 ?  "));
  EXPECT_THAT(out, HasSubstr("on~"));
  EXPECT_THAT(out, HasSubstr("on/off"));
  EXPECT_THAT(out, HasSubstr("*  A sent the TCP SYN"));
  EXPECT_THAT(out, HasSubstr("?  the capture does not show which end opened the connection"));
  EXPECT_THAT(out, HasSubstr("~  inferred from the stream: the startup was not captured completely\n"));
  EXPECT_THAT(out, Not(HasSubstr("+  at least")));
  EXPECT_THAT(
      out, HasSubstr("Mkr: markers, A to B/B to A if they differ; Depth: RDMA Reads that A/B may have outstanding\n"));
}

TEST(TextQp, TableSaysWhereMessagesMayBeMissing) {
  std::string out;
  TextObserver observer([&](std::string_view piece) { out += piece; }, {.columns = 140});
  auto cut = sample::queue_pair(0);
  cut.directions[0].cut_octets = 100 * 1024;
  cut.directions[0].unframed_octets = 90 * 1024;
  cut.directions[0].cut_framing = true;
  auto one_sided = sample::queue_pair(1);
  one_sided.directions[1].captured = false;
  one_sided.directions[1].capture_gap_octets = 5000;
  auto capture = sample::capture();
  capture.truncated_frames = 85;
  observer.capture(capture);
  observer.qp(cut);
  observer.qp(one_sided);
  observer.summary(sample::summary(2));
  EXPECT_THAT(
      out,
      HasSubstr("Losses   85 frames cut short (100 KiB of the streams); 90.0 KiB not read in 1 QP, because the starts\n"
                "         of FPDUs were cut off; one direction of 1 QP not captured\n"));
  EXPECT_THAT(out, HasSubstr("  13+, 5.00 KiB  "));
  EXPECT_THAT(out, HasSubstr("  13, 5.00 KiB   not captured   1.20 s    none\n"));
  EXPECT_THAT(out, HasSubstr("+  at least: some octets were skipped"));
  EXPECT_THAT(out, Not(HasSubstr("Lost")));
}

}  // namespace
}  // namespace iwarpscope::report
