// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Lines of logs: their meanings, similar lines that must not match, and the queue pairs that they may refer to.
#include "models/logs/log_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <QAbstractItemModelTester>
#include <QRegularExpression>

#include <algorithm>
#include <set>

#include "gui/models/qp_rows.h"
#include "models/logs/log_excerpts.h"
#include "models/logs/log_tables.h"

namespace iwarpscope::gui::log_reader_test {
namespace {

using test::made_qp;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

struct Line {
  const char* line;
  const char* driver;
  const char* says;  ///< a part of the sentence
  const char* rule;  ///< the first rule; empty: none
};

constexpr auto kLines = std::to_array<Line>({
    {"[  97.34] siw: got TERMINATE. layer 1, type 2, code 2", "siw", "Invalid MSN", "QP-02"},
    {"siw: rx bogus TERM [QN x00000001, MSN x00000001, MO x00000000]", "siw", "wrong queue", "RM-18"},
    {"siw: crc error. in: 1a2b3c4d, own 5e6f7081, op 3", "siw", "does not match its octets", "MF-04"},
    {"siw: [QP 17]: rresp stag: 00001234 != 00005678", "siw", "different STags", "RM-10"},
    {"siw: [QP 17]: rresp off: 0000000000001000 != 0000000000002000", "siw", "Tagged Offset of a Read Response",
     "RM-11"},
    {"siw: [QP 17]: rresp len: 4096 != 8192", "siw", "length of a Read Response", "RM-12"},
    {"siw: [QP 17]: write stag: 00001234 != 00005678", "siw", "changed inside an RDMA Write", "DD-16"},
    {"siw: [QP 17]: write off: 0000000000001000 != 0000000000002000", "siw", "do not follow", "DD-17"},
    {"siw: [QP 3]: invalid ddp qn 1 for send", "siw", "queue 0", "RM-05"},
    {"siw: [QP 3]: send msn: 9 != 8", "siw", "skips or repeats", "DD-07"},
    {"siw: [QP 3], send mo: 1024 != 0", "siw", "does not continue", "DD-11"},
    {"siw: [QP 3]: rreq with mpa len 60", "siw", "octets after its header", "RM-07"},
    {"siw: [QP 3]: irq 4 exceeded 16", "siw", "IRD", "RM-17"},
    {"siw: [QP 3]: ORQ empty at idx 0", "siw", "without a Read Request", "RM-09"},
    {"siw: received ddp version unsupported 2", "siw", "DDP version", "DD-03"},
    {"siw: received rdmap version unsupported 0", "siw", "RDMAP version", "RM-01"},
    {"siw: received unknown packet type 10", "siw", "opcode", "RM-03"},
    {"siw: packet intersection: 3 : 0", "siw", "was complete", "DD-19"},
    {"siw_proc_mpareq: CEP: reject: crc 1:0:1, m 0:0", "siw", "rejects the MPA Request", "QP-01"},
    {"siw_proc_mpareply: CEP: reply unsupp: crc 0:1:0, m 0:0", "siw", "CRC setting", "MS-37"},
    {"siw_proc_mpareply: CEP: mpa reply error: vers 1, enhcd 0", "siw", "not an enhanced Reply", "MS-17"},
    {"siw_proc_mpareply: CEP: rtr mode:  req c000, got  0", "siw", "RTR", "MS-27"},
    {"iw_cxgb4: process_mpa_reply: RTR mismatch, sending TERM", "cxgb4", "peer-to-peer", "MS-27"},
    {"iw_cxgb4: process_mpa_reply: Insufficient IRD, sending TERM", "cxgb4", "read depths", "MS-30"},
    {"iw_cxgb4: peer_abort: mpa_rev=2. Retrying with mpav1", "cxgb4", "revision 1", "MS-20"},
    {"iw_cxgb4: TERM received tid 57 no ep/qp", "cxgb4", "already closed", "QP-02"},
    {"iw_cxgb4: AE qpid 0x402 opcode 3 status 0x6 type 0 wrid.hi 0x0 wrid.lo 0x0", "cxgb4", "T4_ERR_BOUND", "QP-02"},
    {"Unexpected cqe_status 0x1d for QPID=0x402", "cxgb4", "IRD", "RM-17"},
    {"irdma 0000:3b:00.0 rocep59s0: abnormal ae_id = 0x505 bool qp=1 qp_id = 7, ae_src=2", "irdma", "CRC", "MF-04"},
    {"irdma 0000:3b:00.0: CM: Unexpected MPA Key received", "irdma", "not an MPA startup frame", "MS-01"},
    {"[qedr_iw_qp_event:183(qedr0)]QP error received: QED_IWARP_EVENT_RQ_EMPTY", "qedr", "buffer", "QP-02"},
    {"[qedr_iw_qp_event:183(qedr0)]QP error received: QED_IWARP_EVENT_IRQ_FULL", "qedr", "IRD", "RM-17"},
    {"[qedr_iw_qp_event:183(qedr0)]QP error received: QED_IWARP_EVENT_LLP_TIMEOUT", "qedr", "TCP", "TC-03"},
    {"QP error received: QED_IWARP_EVENT_REMOTE_PROTECTION_ERROR", "qedr", "must not access", "QP-02"},
    {"QP error received: QED_IWARP_EVENT_REMOTE_OPERATION_ERROR", "qedr", "could not execute", "QP-02"},
    {"QP error received: QED_IWARP_EVENT_LOCAL_ACCESS_ERROR", "qedr", "this host", "QP-02"},
    {"QP error received: QED_IWARP_EVENT_QP_CATASTROPHIC", "qedr", "inside this host", "QP-02"},
    {"QP error received: QED_IWARP_EVENT_CQ_OVERFLOW", "qedr", "completion queue", ""},
    {"[qedr_iw_event_handler:310(qedr0)]Got terminate message", "qedr", "Terminate", "QP-02"},
    {"[qed_iwarp_tcp_connect_unsuccessful:2838(p1)]Passive(0x40) MPA not supported VER", "qed", "revision", "MS-07"},
    {"[qed_iwarp_tcp_connect_unsuccessful:2844(p1)]Passive(0x40) MPA Invalid Packet", "qed", "malformed", "MS-01"},
    {"[qed_iwarp_tcp_connect_unsuccessful:2832(p1)]Active(0x40) TCP timeout", "qed", "did not answer", "SX-10"},
    {"nvme nvme0: Connect rejected: status 28 (consumer defined) nvme status 6 (invalid).", "nvme", "rejected",
     "QP-01"},
    {"nvme nvme0: I/O 12 QID 3 timeout", "nvme", "not answered in time", "RM-16"},
    {"nvme nvme0: SEND for CQE 0x00000000abcd1234 failed with status WR flushed (5)", "nvme", "error", "QP-02"},
    {"rpcrdma: connection to 10.0.0.2:20049 rejected: consumer defined", "xprtrdma", "NFS server", "QP-01"},
    {"CIFS: VFS: RDMA transport re-established", "cifs", "new RDMA connection", "QP-02"},
    {"A connection has been terminated because no pending requests to network adapter 'SLOT 2' have completed in the "
     "last 120000 milliseconds.",
     "SMBDirect", "send credits", "RM-16"},
    {"Failed to negotiate a common SMB Direct version with the peer.", "SMBDirect", "no common version", ""},
});

TEST(LogTable, EachKindOfLineIsUnderstood) {
  std::set<QString> understood;
  for (const Line& one : kLines) {
    const auto meaning = LogReader::read_line(QString::fromUtf8(one.line));
    ASSERT_TRUE(meaning) << one.line;
    EXPECT_EQ(meaning->driver, QString::fromUtf8(one.driver)) << one.line;
    EXPECT_THAT(meaning->sentence.toStdString(), HasSubstr(one.says)) << one.line;
    EXPECT_EQ(meaning->rules.empty() ? "" : meaning->rules.front()->code, one.rule) << one.line;
    for (const LogEntry& entry : log_entries()) {
      if (!QRegularExpression(QString::fromUtf8(entry.pattern)).match(meaning->line).hasMatch()) continue;
      understood.insert(QString::fromUtf8(entry.pattern));
      break;
    }
  }
  EXPECT_EQ(understood.size(), log_entries().size()) << "a kind of line has none here";
}

/// The text that an excerpt searches for is in the line.
TEST(LogExcerpts, OfEachKindAreInItsLines) {
  for (const Line& one : kLines) {
    const QString line = QString::fromUtf8(one.line);
    const auto is_its = [&](const LogEntry& entry) {
      return QRegularExpression(QString::fromUtf8(entry.pattern)).match(line).hasMatch();
    };
    const auto entry = std::find_if(log_entries().begin(), log_entries().end(), is_its);
    ASSERT_NE(entry, log_entries().end()) << one.line;
    const QString excerpt = log_excerpt(entry->pattern);
    EXPECT_GE(excerpt.size(), 15) << entry->pattern;
    qsizetype at = 0;
    for (const QString& part : excerpt.split(QChar(0x2026))) {
      const QString words = part.simplified();
      at = line.simplified().indexOf(words, at);
      ASSERT_GE(at, 0) << one.line << " has no " << words.toStdString() << " of " << excerpt.toStdString();
      at += words.size();
    }
  }
}

TEST(LogExcerpts, OfARuleAreThoseThatHintAtItFirst) {
  const auto of = [](const char* code) { return log_excerpts(*findings::find_rule(code)); };
  EXPECT_EQ(of("MF-04"),
            QStringList({QStringLiteral("siw: crc error. in: …, own …, op …"),
                         QStringLiteral("irdma: abnormal ae_id = 0x505"), QStringLiteral("cxgb4: status 0x10")}));
  EXPECT_EQ(of("QP-02").size(), 4) << "more would hide the rest";
  EXPECT_EQ(of("TC-01"), QStringList());
}

TEST(LogTable, LinesOfOthersAreNotUnderstood) {
  for (const char* line : {
           "",
           "siw: device registered",
           "siw: [QP 17]: rresp stag ok",
           "nvme nvme0: I/O 12 QID 3 timeout, disable controller",
           "nvme nvme0: I/O 12 QID 3 timeout, completion polled",
           "mlx5_core 0000:3b:00.0: Connect rejected: status 28 (consumer defined)",
           "Got terminate message",
           "Worker 3 got terminate message.",
           "iw_cxgb4: RTR mismatch",
           "iw_cxgb4: BAD qpid 0x402 opcode 3 status 0x6",
           "irdma 0000:3b:00.0: abnormal ae_id",
           "QP error received: SOMETHING_ELSE",
           "rpcrdma: connection to 10.0.0.2:20049 established",
           "A connection has been terminated.",
           "kernel: TCP: request_sock_TCP: Possible SYN flooding on port 4420.",
       }) {
    EXPECT_FALSE(LogReader::read_line(QString::fromUtf8(line))) << line;
  }
}

TEST(LogTable, PatternsAreValidAndEveryRuleExists) {
  const auto expect_rules = [](const char* codes) {
    for (const QString& code : QString::fromLatin1(codes).split(QLatin1Char(' '), Qt::SkipEmptyParts)) {
      EXPECT_NE(findings::find_rule(code.toStdString()), nullptr) << code.toStdString();
    }
  };
  for (const LogEntry& entry : log_entries()) {
    EXPECT_TRUE(QRegularExpression(QString::fromUtf8(entry.pattern)).isValid()) << entry.pattern;
    EXPECT_STRNE(entry.meaning, "");
    expect_rules(entry.rules);
  }
  for (const auto codes : {irdma_events(), cxgb4_statuses()}) {
    for (const LogCode& code : codes) expect_rules(code.rules);
    EXPECT_TRUE(
        std::is_sorted(codes.begin(), codes.end(), [](const LogCode& a, const LogCode& b) { return a.code < b.code; }));
  }
}

TEST(LogTable, EachCodeOfADriverIsNamed) {
  for (const LogCode& code : irdma_events()) {
    const QString line =
        QStringLiteral("abnormal ae_id = 0x%1 bool qp=1 qp_id = 3").arg(QString::number(code.code, 16));
    EXPECT_THAT(LogReader::read_line(line)->sentence.toStdString(), HasSubstr(code.name));
  }
  for (const LogCode& code : cxgb4_statuses()) {
    const QString line =
        QStringLiteral("BAD AE qpid 0x1 opcode 3 status 0x%1 type 0").arg(QString::number(code.code, 16));
    EXPECT_THAT(LogReader::read_line(line)->sentence.toStdString(), HasSubstr(code.name));
  }
  const auto unknown = LogReader::read_line(QStringLiteral("abnormal ae_id = 0xfff bool qp=1 qp_id = 3"));
  ASSERT_TRUE(unknown);
  EXPECT_THAT(unknown->rules, IsEmpty());
}

TEST(LogReader, FindsAddressesPortsAndStags) {
  const LogClues clues = LogReader::clues_of(
      QStringLiteral("from 10.0.0.1:40000 to [fe80::2]:4420 via 192.168.7.9, port 20049, stag: 0x1f00, rkey 2a, "
                     "at 12:34:56 version 1.2.3.4.5, 999.1.1.1, std::map, ::, stag added, 0000:3b:00.0"));
  ASSERT_EQ(clues.endpoints.size(), 2u);
  EXPECT_EQ(clues.endpoints[0].address.text(), "10.0.0.1");
  EXPECT_EQ(clues.endpoints[0].port, 40000);
  EXPECT_EQ(clues.endpoints[1].address.text(), "fe80::2");
  EXPECT_EQ(clues.endpoints[1].port, 4420);
  ASSERT_EQ(clues.addresses.size(), 1u);
  EXPECT_EQ(clues.addresses[0].text(), "192.168.7.9");
  EXPECT_THAT(clues.ports, ElementsAre(20049));
  ASSERT_EQ(clues.stags.size(), 2u);
  EXPECT_EQ(clues.stags[0].value, 0x1f00u);
  EXPECT_EQ(clues.stags[1].value, 0x2au);
}

TEST(LogReader, TakesTheSameMeaningOnceAndIsBounded) {
  QString text;
  for (int i = 0; i < 1000; ++i) text += QStringLiteral("[%1] siw: got TERMINATE. layer 1, type 2, code 2\n").arg(i);
  EXPECT_EQ(LogReader::read(text).size(), 1u);
  EXPECT_THAT(LogReader::read(QString(100'000, QLatin1Char('x'))), IsEmpty());
  QString late(QStringLiteral("\n").repeated(3));
  for (qsizetype i = 0; i < LogReader::kMostLines; ++i) late += QStringLiteral("nothing\n");
  EXPECT_THAT(LogReader::read(late + QStringLiteral("CIFS: VFS: RDMA transport re-established")), IsEmpty());
}

live::FindingView finding(std::uint64_t qp, findings::FindingId id, const char* seen, const char* text) {
  live::FindingView view;
  view.finding.id = id;
  view.finding.qp = qp;
  view.finding.seen = seen;
  view.finding.text = text;
  return view;
}

std::vector<std::uint64_t> matched(const char* line, const QpRows& rows,
                                   const std::vector<live::FindingView>& findings = {}) {
  std::vector<std::uint64_t> numbers;
  for (const LogMatch& match : LogReader::matches(*LogReader::read_line(QString::fromUtf8(line)), rows, findings)) {
    EXPECT_EQ(match.reasons.isEmpty(), match.score == 0);
    numbers.push_back(match.qp);
  }
  return numbers;
}

TEST(LogMatch, AnAddressLeavesOnlyItsQueuePairs) {
  const QpRows rows{made_qp(0), made_qp(1), made_qp(2)};
  EXPECT_THAT(matched("rpcrdma: connection to 10.0.1.2:4420 rejected: x", rows), ElementsAre(1));
  EXPECT_THAT(matched("rpcrdma: connection to 10.0.9.9:4420 rejected: x", rows), IsEmpty());
}

TEST(LogMatch, TheCodeOfATerminateDistinguishesQueuePairs) {
  QpRows rows{made_qp(0), made_qp(1), made_qp(2)};
  for (live::QpView& row : rows) row.record.verdict->outcome = qp::Outcome::failed;
  using findings::FindingId;
  const std::vector<live::FindingView> reported{
      finding(0, FindingId::rdmap_terminate_sent, "1/1/00", "Terminate ... (1/1/00)."),
      finding(1, FindingId::rdmap_terminate_sent, "1/2/02", "Terminate ... (1/2/02).")};
  EXPECT_THAT(matched("siw: got TERMINATE. layer 1, type 2, code 2", rows, reported), ElementsAre(1, 2))
      << "QP 0 sent another one; of QP 2 only its end fits";
}

TEST(LogMatch, RulesThatTheLineHintsAtCount) {
  const QpRows rows{made_qp(0), made_qp(1)};
  const std::vector<live::FindingView> reported{
      finding(1, findings::FindingId::mpa_crc_mismatch, "", "A CRC is wrong.")};
  EXPECT_THAT(matched("siw: crc error. in: 1a2b3c4d, own 5e6f7081, op 3", rows, reported), ElementsAre(1));
}

TEST(LogMatch, StagsAreSoughtInFindingsAndInTheWholeQueuePair) {
  const QpRows rows{made_qp(0), made_qp(1)};
  const std::vector<live::FindingView> reported{
      finding(1, findings::FindingId::stag_guessing, "", "It names the STag 0x00001234.")};
  const char* const line = "siw: [QP 17]: rresp stag: 00001234 != 00005678";
  EXPECT_THAT(matched(line, rows, reported), ElementsAre(1, 0)) << "whether QP 0 fits is not known yet";
  const LogClues clues = LogReader::clues_of(QString::fromUtf8(line));
  qp::QpRecord whole;
  LogMatch match;
  LogReader::add_stags(clues, whole, match);
  EXPECT_EQ(match.score, 0);
  whole.stags.emplace_back().stag = STag{0x1234};
  LogReader::add_stags(clues, whole, match);
  EXPECT_GT(match.score, 0);
  EXPECT_THAT(match.reasons.join(QLatin1Char(' ')).toStdString(), HasSubstr("0x00001234"));
}

TEST(LogMatchTable, IsAModelEmptyWithOneManyAndAfterChanges) {
  LogMatchTable table;
  const QAbstractItemModelTester tester(&table, QAbstractItemModelTester::FailureReportingMode::Fatal);
  LogMatch match;
  match.qp = 3;
  match.score = 1;
  match.outcome = qp::Outcome::failed;
  match.reasons << QStringLiteral("the queue pair failed");
  table.show({match});
  ASSERT_EQ(table.rowCount(), 1);
  EXPECT_EQ(table.index(0, LogMatchTable::kVerdict).data().toString(), QStringLiteral("✗ failed"));
  EXPECT_EQ(table.index(0, LogMatchTable::kQp).data(kValueRole).toULongLong(), 3u);
  LogMatch better = match, unknown = match;
  better.qp = 4;
  better.score = 9;
  unknown.score = 0;
  table.show({match, better, unknown});
  ASSERT_EQ(table.rowCount(), 2);
  EXPECT_EQ(table.at(0).qp, 4u);
  table.show({});
  EXPECT_EQ(table.rowCount(), 0);
}

TEST(LogMeaningTable, IsAModelEmptyWithOneManyAndAfterChanges) {
  LogMeaningTable table;
  const QAbstractItemModelTester tester(&table, QAbstractItemModelTester::FailureReportingMode::Fatal);
  QString text;
  for (const Line& one : kLines) text += QString::fromUtf8(one.line) + QLatin1Char('\n');
  table.show(LogReader::read(text));
  EXPECT_EQ(table.rowCount(), static_cast<int>(kLines.size()));
  table.show(LogReader::read(QStringLiteral("CIFS: VFS: RDMA transport re-established")));
  EXPECT_EQ(table.index(0, LogMeaningTable::kDriver).data().toString(), QStringLiteral("cifs"));
  table.show({});
  EXPECT_EQ(table.rowCount(), 0);
}

}  // namespace
}  // namespace iwarpscope::gui::log_reader_test
