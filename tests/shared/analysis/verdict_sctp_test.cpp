// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// What is said of DDP stream sessions over SCTP.
#include <gmock/gmock.h>

#include "synth/samples.h"
#include "synth/script.h"
#include "verdict_case.h"

namespace iwarpscope::test {
namespace {

using testing::HasSubstr;

std::vector<Case> sessions() {
  const auto played = [](const char* text) { return [text] { return synth::play(text); }; };
  return {
      {"TerminatedInOrder",
       played("sctp; connect; startup; send a 1000; send b 10; close; shutdown"),
       Outcome::completed,
       Blame::none,
       Confidence::certain,
       {"The session was closed normally, first by the Initiator"}},
      {"RejectedByTheUlp",
       played("sctp; connect; session a initiate; session b reject private-text=busy; shutdown"),
       Outcome::refused,
       Blame::b,
       Confidence::certain,
       {"refused the session by the Session Reject in frame", "the text 'busy'"}},
      {"RefusedWithoutTheUlp",
       played("sctp; connect; session a initiate; session b terminate; shutdown"),
       Outcome::refused,
       Blame::b,
       Confidence::likely,
       {"sent a Session Terminate in frame", "instead of answering the Session Initiate of frame"},
       "its backlog is not full"},
      {"NotAnswered",
       played("sctp; connect; session a initiate; ack b; wait 20s; heartbeat b"),
       Outcome::stalled,
       Blame::b,
       Confidence::likely,
       {"had waited 20 s for an answer to the Session Initiate of frame"},
       "accepts the connection"},
      {"NotAnsweredNorAcknowledged",
       played("sctp; end b ack-every=0; connect; session a initiate; wait 20s; heartbeat a"),
       Outcome::stalled,
       Blame::unknown,
       Confidence::limited,
       {"had waited 20 s for an answer", "which was never acknowledged. It was not sent again"},
       "the path to it"},
      {"NotAnsweredNorAcknowledgedThoughSentAgain",
       played("sctp; end b ack-every=0; connect; retransmit a delay=0; session a initiate; wait 20s; heartbeat a"),
       Outcome::stalled,
       Blame::path,
       Confidence::likely,
       {"had waited 20 s for an answer", "which was sent again and never acknowledged."},
       "the path to it"},
      {"WhoseReceiverHasNoRoom",
       played("sctp; sctp-end b window=0; connect; startup; send a 10; ack b; wait 20s; heartbeat a"),
       Outcome::stalled,
       Blame::b,
       Confidence::likely,
       {"has accepted no more data since frame", "its SCTP window is closed"}},
      {"AbortedWithNothingOpen",
       played("sctp; connect; startup; send a 1000; abort b"),
       Outcome::completed,
       Blame::none,
       Confidence::likely,
       {"ended the session with an ABORT in frame"}},
      {"AbortedWhereASackIsMissing",
       played("sctp; connect; startup; send a 10; ack b; read-request a size=100; wait 1s; abort a"),
       Outcome::unknown,
       Blame::capture,
       Confidence::limited,
       {"may be an artefact", "missing data exactly where the rest would be"}},
      {"NotAcknowledged",
       played("sctp; connect; startup; send a 10; ack b; send a 10; wait 20s; heartbeat a"),
       Outcome::stalled,
       Blame::unknown,
       Confidence::limited,
       {"1 message from the Initiator 10.0.0.1:40000 got no acknowledgment", "silent for 20 s",
        "may be missing from the capture"}},
      {"NotAcknowledgedThoughSentAgain",
       played("sctp; end b ack-every=0; connect; startup; send a 10; ack b; retransmit a delay=0; send a 10; wait 20s\n"
              "heartbeat a"),
       Outcome::stalled,
       Blame::path,
       Confidence::likely,
       {"1 message from the Initiator 10.0.0.1:40000, sent more than once, got no acknowledgment", "silent for 20 s"}},
      {"ShutDownByTheActiveSide",
       played("sctp; connect; startup; send a 1000; shutdown"),
       Outcome::completed,
       Blame::none,
       Confidence::certain,
       {"The session was closed normally, first by the Initiator"}},
      {"ShutDownByThePassiveSide",
       played("sctp; connect; startup; send a 1000; shutdown b"),
       Outcome::completed,
       Blame::none,
       Confidence::certain,
       {"The session was closed normally, first by the Responder"}},
      {"ShutDownByWhoLeftARequestOpen",
       played("sctp; connect; startup; read-request a size=100; ack b; shutdown"),
       Outcome::failed,
       Blame::a,
       Confidence::likely,
       {"closed, first by the Initiator", "was not answered"}},
      {"ShutDownByWhoDidNotAnswer",
       played("sctp; connect; startup; read-request a size=100; ack b; shutdown b"),
       Outcome::failed,
       Blame::b,
       Confidence::likely,
       {"closed, first by the Responder", "was not answered"}},
      {"WhoseLastMessagesWereNotCaptured",
       played("sctp; connect; startup; read-request a size=100; ack b; miss b; read-response b; ack a; shutdown"),
       Outcome::unknown,
       Blame::none,
       Confidence::limited,
       {"its last octets are not known", "The capture lacks 1 message of this session"}},
      {"OneOfTwoWhoseLastMessageWasNotCaptured",
       played("sctp; connect; sctp-stream 1; startup; sctp-stream 0; startup; read-request a size=100; ack b; miss b\n"
              "read-response b; ack a; shutdown b"),
       Outcome::unknown,
       Blame::none,
       Confidence::limited,
       {"The capture may lack the end of this session"}},
      {"AbortedWithARequestOpen",
       played("sctp; connect; startup; read-request a size=100; ack b; wait 600ms; abort a"),
       Outcome::failed,
       Blame::a,
       Confidence::likely,
       {"aborted the association in frame", "was not answered"}},
      {"AbortedWhereAnAnswerMayNotHaveBeenCaptured",
       played("sctp; end b ack-every=0; connect; startup; ack a; read-request a size=100; abort a"),
       Outcome::unknown,
       Blame::capture,
       Confidence::limited,
       {"aborted the association in frame", "was not answered"}},
      {"AbortedBeforeASackHadToCome",
       played("sctp; connect; startup; read-request a size=100; ack b; wait 400ms; abort b"),
       Outcome::unknown,
       Blame::capture,
       Confidence::limited,
       {"aborted the association in frame", "was not answered"}},
      {"AbortedWhereNoDdpSegmentWasCaptured",
       played("sctp; connect; startup; miss a; send a 100; ack b; abort b"),
       Outcome::unknown,
       Blame::capture,
       Confidence::limited,
       {"after the Session Accept; the capture has no DDP segment"}},
      {"SetUpAndNotUsed",
       played("sctp; connect; startup; close; shutdown"),
       Outcome::completed,
       Blame::none,
       Confidence::certain,
       {"The session was set up and closed normally without a message."}},
      {"InUse",
       played("sctp; connect; startup; send a 1000"),
       Outcome::running,
       Blame::none,
       Confidence::certain,
       {"The session was open and in use when the capture ended."}},
  };
}

class VerdictOnASession : public testing::TestWithParam<Case> {};

TEST_P(VerdictOnASession, NamesItsOutcome) {
  expect_verdict(GetParam());
}

INSTANTIATE_TEST_SUITE_P(Sctp, VerdictOnASession, testing::ValuesIn(sessions()), kCaseName);

TEST(VerdictOnASession, ThatAnotherReplacedIsNotThatItIsOpen) {
  const Report report = analyze(synth::play("sctp; connect; startup; send a 1000; startup; close; shutdown"));
  ASSERT_EQ(report.qps.size(), 2u);
  EXPECT_EQ(report.qps[0].closed_by, "replaced");
  ASSERT_TRUE(report.qps[0].verdict);
  EXPECT_THAT(report.qps[0].verdict->text, HasSubstr("was never terminated: in frame"));
}

TEST(VerdictOnASession, FallsBackFromAnEnhancedInitiateToAPlainOne) {
  const Report report =
      analyze(synth::play("sctp; connect; session a enhanced-initiate ird=4 ord=4; session b enhanced-reject; "
                          "new-session; startup; send a 10; close; shutdown"));
  ASSERT_EQ(report.qps.size(), 2u);
  ASSERT_TRUE(report.qps[1].verdict);
  EXPECT_THAT(report.qps[1].verdict->text, HasSubstr("fell back to a plain Initiate: the attempt of QP 0"));
  EXPECT_THAT(report.qps[1].verdict->text, testing::Not(HasSubstr("revision")));
}

struct Innocent {
  const char* name;
  const char* script;
};

class NoEndIsBlamed : public testing::TestWithParam<Innocent> {};

TEST_P(NoEndIsBlamed, ForWhatTheCaptureLacks) {
  const Report report = analyze(synth::play(GetParam().script));
  for (const auto& f : report.findings) {
    const findings::Rule& rule = findings::rule(f.id);
    EXPECT_TRUE(rule.severity == findings::Severity::note || rule.about == findings::About::capture) << f.text;
  }
  for (const auto& r : report.qps) {
    ASSERT_TRUE(r.verdict);
    EXPECT_TRUE(r.verdict->blame != Blame::a && r.verdict->blame != Blame::b && r.verdict->blame != Blame::path)
        << r.verdict->text;
    EXPECT_NE(r.verdict->confidence, Confidence::certain) << r.verdict->text;
    for (const auto& d : r.directions) EXPECT_EQ(d.head_of_line.messages, 0u);
  }
}

constexpr Innocent kInnocents[] = {
    {"TheEndOfASessionAndTheBeginningOfTheNext",
     "sctp; connect; startup; read-request a size=100; miss b; read-response b; session a terminate; miss b\n"
     "session b terminate; new-session; miss b; session b initiate; session a accept; send b 60; session a terminate\n"
     "session b terminate; shutdown"},
    {"BothEndsAndBeginnings",
     "sctp; connect; startup; read-request a size=100; miss b; read-response b; session a terminate; miss b\n"
     "session b terminate; new-session; miss a; session a initiate; miss b; session b accept; send b 60; send a 4\n"
     "session a terminate; session b terminate; shutdown"},
    {"TheEndsOfTwoStreams",
     "sctp; connect; startup; send b 5; sctp-stream 1; miss b; session b initiate; session a accept\n"
     "read-request a size=100; miss b; read-response b; session a terminate; miss b; session b terminate\n"
     "sctp-stream 0; miss b; send b 6; session a terminate; shutdown b"},
    {"AResponseBehindALateBeginning",
     "sctp; capture off; connect; startup; send a 5; send a 6; capture on; send a 5; read-request a size=10; miss b\n"
     "read-response b; ack a; wait 30s; heartbeat a; heartbeat b"},
    {"AnAcceptBehindALateBeginning",
     "sctp; capture off; connect; startup; send a 5; close; new-session; capture on; session a initiate; miss b\n"
     "session b accept; session a terminate; wait 5ms; shutdown b"},
    {"AnAnswerBehindALateBeginning",
     "sctp; capture off; connect; startup; send a 5; close; new-session; capture on; session a initiate; miss b\n"
     "session b accept; read-request a size=10; miss b; read-response b; session a terminate; wait 5ms; shutdown"},
    {"NothingThoughItBeganLate",
     "sctp; capture off; connect; startup; send a 5; capture on; send a 6; wait 300ms; send a 7; send b 5; close\n"
     "shutdown"},
};

INSTANTIATE_TEST_SUITE_P(Sctp, NoEndIsBlamed, testing::ValuesIn(kInnocents),
                         [](const auto& each) { return std::string(each.param.name); });

TEST(SessionsOverSctp, AreNotBlamedForInitiatesThatCross) {
  const Report report = analyze(synth::play(
      "sctp; connect; session a initiate; session b initiate; session a terminate; session b terminate; shutdown"));
  ASSERT_EQ(report.qps.size(), 1u);
  EXPECT_EQ(report.qps[0].verdict->blame, Blame::unknown);
  EXPECT_THAT(report.qps[0].verdict->text, HasSubstr("Both ends sent a Session Initiate, the second one in frame"));
}

TEST(SessionsOverSctp, ARejectsPrivateDataIsCountedAsItWasSent) {
  const std::string text(600, 'x');
  const Report plain =
      analyze(synth::play("sctp; connect; session a initiate; session b reject private-text=" + text + "; shutdown"));
  EXPECT_THAT(plain.text_of(findings::FindingId::mpa_rejected), HasSubstr("it carries 600 octets of private data"));
  const Report enhanced =
      analyze(synth::play("sctp; connect; session a enhanced-initiate ird=1 ord=1\n"
                          "session b enhanced-reject ird=1 ord=1 private-text=abc; shutdown"));
  EXPECT_THAT(enhanced.text_of(findings::FindingId::mpa_rejected), HasSubstr("it carries 3 octets of private data"));
}

TEST(SessionsOverSctp, KnowNoRevisionOfMpa) {
  const Report report =
      analyze(synth::play("sctp; connect; session a initiate; session b enhanced-reject ird=1 ord=1; shutdown"));
  ASSERT_EQ(report.qps.size(), 1u);
  EXPECT_THAT(report.qps[0].verdict->text,
              HasSubstr("the Session Initiate is a plain one, and its answer an enhanced"));
}

TEST(SessionsOverSctp, AResponseThatFitsNoRequestIsBlamedOnItsSenderAtTheEnd) {
  const Report report =
      analyze(synth::play("sctp; connect; startup; read-request a size=100; ack b; tagged b opcode=2 stag=0x51 100\n"
                          "close; shutdown"));
  EXPECT_EQ(report.count(findings::FindingId::rdmap_read_request_unanswered), 0u);
  EXPECT_EQ(report.count(findings::FindingId::rdmap_read_response_stag_wrong), 1u);
  EXPECT_EQ(report.qps[0].verdict->blame, Blame::b);
}

TEST(SessionsOverSctp, CopiesOfAMirrorAreNoRetransmissionsWithoutACrc) {
  const Report report =
      analyze(synth::play("sctp; end a checksum=zero; end b checksum=zero; connect; startup; duplicate a; send a 100\n"
                          "duplicate b; send b 100; close; shutdown"));
  EXPECT_EQ(report.count(findings::FindingId::sctp_retransmissions), 0u);
  EXPECT_EQ(report.count(findings::FindingId::capture_mirror_duplicates), 1u);
}

// After a failover the tap may see one of two paths.
TEST(SessionsOverSctp, SilenceOfAnEndWithAnotherAddressBlamesNoEnd) {
  const Report report =
      analyze(synth::play("sctp; sctp-end a also=10.1.0.1; sctp-end b also=10.1.0.2; connect; startup; "
                          "read-request a size=100; ack b; wait 20s; heartbeat a"));
  ASSERT_EQ(report.qps.size(), 1u);
  EXPECT_EQ(report.qps[0].verdict->outcome, Outcome::stalled);
  EXPECT_EQ(report.qps[0].verdict->blame, Blame::unknown);
  EXPECT_THAT(report.qps[0].verdict->text, HasSubstr("has addresses whose packets are not in the capture"));
}

TEST(SessionsOverSctp, EndWithTheirAssociation) {
  const Report report = analyze(synth::sample("sctp-restarted").make("sctp-restarted"));
  ASSERT_EQ(report.qps.size(), 2u);
  EXPECT_EQ(report.qps[0].closed_by, "restart");
  EXPECT_EQ(report.qps[0].state, qp::State::closed);
  ASSERT_TRUE(report.qps[0].verdict);
  EXPECT_EQ(report.qps[0].verdict->outcome, Outcome::completed);
  EXPECT_THAT(report.qps[0].verdict->text, HasSubstr("The session was ended by a new association: in frame"));
}

TEST(SessionsOverSctp, WithoutAnInitiateAreNotJoinedInTheirMiddle) {
  const Report report =
      analyze(synth::play("sctp; connect; send a 100; ack b; send a 100; ack b; wait 4s; heartbeat a; heartbeat b"));
  ASSERT_EQ(report.qps.size(), 1u);
  EXPECT_FALSE(report.qps[0].joined_midstream);
  EXPECT_EQ(report.qps[0].roles, qp::Roles::address);
  EXPECT_EQ(report.count(findings::FindingId::sctp_segment_before_session), 1u) << report.codes();
  EXPECT_EQ(report.count(findings::FindingId::capture_joined_midstream), 0u);
}

TEST(SessionsOverSctp, AreQueuePairsByTheirStream) {
  const Report report = analyze(synth::play(
      "sctp; connect; startup; send a 100; sctp-stream 7; startup; write b stag=0x10 to=0 500; close; shutdown"));
  ASSERT_EQ(report.qps.size(), 2u);
  EXPECT_EQ(report.qps[0].sctp_stream, 0);
  EXPECT_EQ(report.qps[1].sctp_stream, 7);
  EXPECT_EQ(report.qps[1].directions[1].messages[static_cast<std::size_t>(rdmap::Opcode::rdma_write)], 1u);
  EXPECT_FALSE(report.qps[1].crc_in_use);
}

}  // namespace
}  // namespace iwarpscope::test
