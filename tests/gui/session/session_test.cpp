// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The connection to a daemon, with a real one.
#include "session/session.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <QDir>
#include <QElapsedTimer>
#include <QFileInfo>
#include <QTemporaryDir>

#include "gui/own_daemon.h"
#include "gui/wait.h"
#include "iwarpscope/v1/status.pb.h"
#include "session/forget_oldest.h"

namespace iwarpscope::gui::session_test {
namespace {

using test::sample;
using test::wait_until;

/// A session and its signals.
struct Listener : QObject {
  explicit Listener(Source source) : session(std::move(source)) {
    connect(&session, &Session::qps_replaced, this, [this](const QpRows& rows) {
      ++replaced;
      qps = rows;
    });
    connect(&session, &Session::qps_changed, this, [this](const QpRows& rows) {
      for (const live::QpView& row : rows) {
        const auto same = [&](const live::QpView& qp) { return qp.record.qp == row.record.qp; };
        const auto known = std::find_if(qps.begin(), qps.end(), same);
        known == qps.end() ? qps.push_back(row) : void(*known = row);
      }
    });
    connect(&session, &Session::findings_replaced, this, [this](const FindingRows& rows) { findings = rows; });
    connect(&session, &Session::findings_added, this,
            [this](const FindingRows& rows) { findings.insert(findings.end(), rows.begin(), rows.end()); });
    connect(&session, &Session::link_changed, this, [this](const Link& link) { links.push_back(link); });
  }
  [[nodiscard]] bool is_read() const { return session.status() && !session.status()->capturing(); }
  /// The replay has ended and all its data was emitted.
  [[nodiscard]] bool read() {
    session.start();
    if (!wait_until([this] { return is_read() && !qps.empty() && qps.front().ended; })) return false;
    return wait_until([this] { return !findings.empty(); });
  }

  Session session;
  int replaced = 0;
  QpRows qps;
  FindingRows findings;
  std::vector<Link> links;
};

TEST(Session, OfAFileReportsItsQueuePairsFindingsAndStatus) {
  Listener listener({.files = {sample("siw/viol-crc-error.pcap")}});
  ASSERT_TRUE(listener.read());
  ASSERT_EQ(listener.qps.size(), 1u);
  ASSERT_TRUE(listener.qps[0].record.verdict);
  EXPECT_EQ(listener.qps[0].record.verdict->outcome, qp::Outcome::failed);
  const auto is_crc = [](const live::FindingView& f) { return f.finding.id == findings::FindingId::mpa_crc_mismatch; };
  EXPECT_EQ(std::count_if(listener.findings.begin(), listener.findings.end(), is_crc), 1);
  EXPECT_EQ(listener.session.status()->totals().frames(), 15u);
  ASSERT_FALSE(listener.links.empty());
  EXPECT_EQ(listener.links.back().state, Link::State::connected);
  std::uint64_t octets = 0;
  for (const std::uint32_t second : listener.qps[0].activity.octets) octets += second;
  EXPECT_GE(octets, 64u) << "rows carry their last minute";
}

TEST(Session, AnswersQuestions) {
  Listener listener({.files = {sample("siw/viol-crc-error.pcap")}});
  ASSERT_TRUE(listener.read());
  std::optional<live::QpView> qp;
  listener.session.ask_qp(0, &listener, [&](const auto& answer) { qp = *answer; });
  std::optional<MessageRows> messages;
  listener.session.ask_messages(0, 0, 100, &listener, [&](const auto& answer) { messages = *answer; });
  std::optional<api::Failure> failure;
  listener.session.ask_qp(77, &listener, [&](const auto& answer) { failure = answer.error(); });
  ASSERT_TRUE(wait_until([&] { return qp && messages && failure; }));
  ASSERT_TRUE(qp->record.startup && qp->record.startup->request);
  EXPECT_THAT(qp->record.verdict->text, testing::HasSubstr("CRC"));
  EXPECT_EQ(messages->messages.size(), 2u);
  EXPECT_FALSE(messages->next);
  EXPECT_EQ(failure->kind, api::Failure::Kind::not_found);
}

TEST(Session, ReportsWhatTcpDid) {
  Listener listener({.files = {sample("siw/lossy-senderview-send-64k-crc.pcap.gz")}});
  ASSERT_TRUE(listener.read());
  std::optional<TransportRows> events;
  listener.session.ask_transport(0, 0, 100, &listener, [&](const auto& answer) { events = *answer; });
  ASSERT_TRUE(wait_until([&] { return events.has_value(); }));
  ASSERT_FALSE(events->events.empty());
  EXPECT_EQ(events->events[0].kind, qp::TransportEventKind::retransmission);
  EXPECT_GT(events->events[0].octets, 0u);
}

TEST(Source, NamesOfFilesKeepAllTheirOctets) {
  for (const char* octets : {"", "a.pcap", "caf\xe9.pcap", "\xff\xfe", "gr\xc3\xbc\xc3\x9f", "cut\xc3",
                             "\xf0\x9f\x98\x80\xe9", "\xed\xb2\x80", "\xc0\xaf"}) {
    EXPECT_EQ(native_name(name_of(octets)), QByteArray(octets)) << octets;
  }
  EXPECT_EQ(name_of("gr\xc3\xbc\xc3\x9f"), QStringLiteral("grüß"));
  EXPECT_EQ(shown_name(name_of("caf\xe9.pcap")), QStringLiteral("caf\uFFFD.pcap"));
  EXPECT_EQ(shown_name(QStringLiteral("\U0001F600")), QStringLiteral("\U0001F600"));
}

TEST(Session, OpensAFileWhoseNameIsNotUtf8) {
  const QTemporaryDir folder;
  const QByteArray path = QFile::encodeName(folder.filePath(QStringLiteral("caf"))) + "\xe9.pcap";
  ASSERT_EQ(symlink(QFile::encodeName(sample("siw/viol-crc-error.pcap")).constData(), path.constData()), 0);
  Listener listener({.files = {name_of(path)}});
  ASSERT_TRUE(listener.read());
  EXPECT_EQ(listener.session.source().title(), QStringLiteral("caf\uFFFD.pcap"));
  EXPECT_EQ(unlink(path.constData()), 0) << "QTemporaryDir does not delete it";
}

TEST(Session, WhilePausedKeepsNoMoreThanItsBound) {
  constexpr std::size_t kMost = 8;
  QStringList files;
  const QDir siw(sample("siw"));
  for (const QString& name : siw.entryList({QStringLiteral("*.pcap")})) files << siw.filePath(name);
  Session session({.files = files}, nullptr, kMost);
  std::uint64_t dropped_qps = 0, dropped_findings = 0;
  QpRows qps;
  FindingRows findings;
  QObject::connect(&session, &Session::qps_replaced, [&](const QpRows& rows) { qps = rows; });
  QObject::connect(&session, &Session::qps_changed, [&](const QpRows& rows) { qps = rows; });
  QObject::connect(&session, &Session::findings_replaced, [&](const FindingRows& rows) { findings = rows; });
  QObject::connect(&session, &Session::findings_added, [&](const FindingRows& rows) { findings = rows; });
  QObject::connect(&session, &Session::qps_dropped, [&](quint64 count) { dropped_qps += count; });
  QObject::connect(&session, &Session::findings_dropped, [&](quint64 count) { dropped_findings += count; });
  session.set_paused(true);
  session.start();
  ASSERT_TRUE(wait_until([&] { return session.status() && !session.status()->capturing(); }));
  QTest::qWait(1000);  // the last findings are still on their way
  ASSERT_GT(session.status()->totals().qps_opened(), 2 * kMost);
  EXPECT_TRUE(qps.empty() && findings.empty());
  session.set_paused(false);
  EXPECT_LE(findings.size(), kMost + kMost / 8);
  EXPECT_GT(findings.size(), 0u);
  EXPECT_GT(dropped_findings, 0u);
  EXPECT_GT(qps.size(), 0u);
  EXPECT_TRUE(dropped_qps == 0 || qps.size() <= kMost + kMost / 8) << qps.size();
}

TEST(ForgetOldest, ThoseThatEndedFirstThenTheLowestNumbers) {
  QpRows rows;
  std::map<std::uint64_t, std::size_t> places;
  for (std::uint64_t i = 0; i < 18; ++i) {
    live::QpView row;
    row.record.qp = i;
    row.ended = i >= 12;
    row.record.last_time = TimePoint{1000 - static_cast<std::int64_t>(i)};
    places.emplace(i, rows.size());
    rows.push_back(row);
  }
  EXPECT_EQ(forget_oldest(rows, places, 16), 0u) << "two more than 16 are few";
  EXPECT_EQ(forget_oldest(rows, places, 10), 8u);
  std::vector<std::uint64_t> left;
  for (const live::QpView& row : rows) left.push_back(row.record.qp);
  EXPECT_THAT(left, testing::ElementsAre(2, 3, 4, 5, 6, 7, 8, 9, 10, 11));
  EXPECT_EQ(places.size(), 10u);
  for (const auto& [number, place] : places) EXPECT_EQ(rows[place].record.qp, number);
}

TEST(Session, AReceiverThatIsGoneIsNotCalled) {
  Listener listener({.files = {sample("siw/viol-crc-error.pcap")}});
  ASSERT_TRUE(listener.read());
  bool called = false, done = false;
  {
    QObject gone;
    listener.session.ask_qp(0, &gone, [&](const auto&) { called = true; });
  }
  listener.session.ask_qp(0, &listener, [&](const auto&) { done = true; });
  ASSERT_TRUE(wait_until([&] { return done; }));
  EXPECT_FALSE(called);
}

TEST(Session, SavesThePacketsOfAQueuePair) {
  const QTemporaryDir folder;
  Listener listener({.files = {sample("siw/viol-crc-error.pcap")}});
  ASSERT_TRUE(listener.read());
  std::optional<PacketsSaved> saved;
  const QString file = folder.filePath(QStringLiteral("qp.pcapng"));
  listener.session.save_packets({.qp = 0}, file, &listener, [&](const auto& answer) { saved = *answer; });
  ASSERT_TRUE(wait_until([&] { return saved.has_value(); }));
  EXPECT_EQ(saved->packets, 15u);
  EXPECT_GT(QFileInfo(file).size(), 1000);
  std::optional<api::Failure> failure;
  listener.session.save_packets({.qp = 0}, QStringLiteral("/nowhere/at/all.pcapng"), &listener,
                                [&](const auto& answer) { failure = answer.error(); });
  ASSERT_TRUE(wait_until([&] { return failure.has_value(); }));
  EXPECT_THAT(failure->sentence, testing::HasSubstr("/nowhere/at/all.pcapng"));
}

TEST(Session, OfAFileThatIsNoneFailsWithASentence) {
  Listener listener({.files = {QStringLiteral("/nowhere/there-is.pcap")}});
  listener.session.start();
  ASSERT_TRUE(wait_until([&] { return listener.session.link().state == Link::State::failed; }));
  EXPECT_THAT(listener.session.link().sentence.toStdString(), testing::HasSubstr("there-is.pcap"));
}

TEST(Session, WithoutADaemonIsLostAndTriesAgain) {
  const QTemporaryDir folder;
  Source source;
  source.place.socket = folder.filePath(QStringLiteral("nothing")).toStdString();
  Listener listener(source);
  listener.session.start();
  ASSERT_TRUE(wait_until([&] { return listener.session.link().state == Link::State::lost; }));
  EXPECT_THAT(listener.session.link().sentence.toStdString(), testing::HasSubstr("the socket does not exist"));
}

TEST(Session, GoesOnWhenItsDaemonComesBack) {
  const test::OwnDaemon daemon("siw/viol-crc-error.pcap");
  Listener listener(daemon.source());
  QProcess first;
  daemon.start(first);
  listener.session.start();
  ASSERT_TRUE(
      wait_until([&] { return listener.session.link().state == Link::State::connected && listener.replaced == 1; }));
  first.kill();
  ASSERT_TRUE(first.waitForFinished());
  ASSERT_TRUE(wait_until([&] { return listener.session.link().state == Link::State::lost; }));
  QProcess second;
  daemon.start(second);
  ASSERT_TRUE(
      wait_until([&] { return listener.session.link().state == Link::State::connected && listener.replaced >= 2; }));
  EXPECT_EQ(listener.qps.size(), 1u);
  second.terminate();
  EXPECT_TRUE(second.waitForFinished());
}

TEST(Session, WhilePausedReportsNothingAndThenWhatWasMissed) {
  Listener listener({.files = {sample("siw/viol-crc-error.pcap")}});
  listener.session.set_paused(true);
  listener.session.start();
  ASSERT_TRUE(wait_until([&] { return listener.is_read(); }));
  QTest::qWait(600);
  EXPECT_EQ(listener.replaced, 0);
  EXPECT_TRUE(listener.findings.empty());
  listener.session.set_paused(false);
  EXPECT_EQ(listener.replaced, 1);
  EXPECT_FALSE(listener.findings.empty());
}

TEST(Session, EndsWithinASecondWhateverGoesOn) {
  QStringList all;
  const QDir folder(QStringLiteral(IWARPSCOPE_SAMPLES "/siw"));
  for (const QString& name : folder.entryList({QStringLiteral("*.pcap")})) all << folder.filePath(name);
  auto session = std::make_unique<Session>(Source{.files = all + all + all});
  session->start();
  QTest::qWait(150);
  QElapsedTimer timer;
  timer.start();
  session.reset();
  EXPECT_LT(timer.elapsed(), 1000);
}

}  // namespace
}  // namespace iwarpscope::gui::session_test
