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
       {"The session was closed in order, first by the Initiator"}},
      {"RejectedByTheUlp",
       played("sctp; connect; session a initiate; session b reject private-text=busy; shutdown"),
       Outcome::refused,
       Blame::b,
       Confidence::certain,
       {"refused the session: its Session Reject in frame", "the text 'busy'"}},
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
       {"has waited 20 s for an answer to the Session Initiate of frame"},
       "accepts the connection"},
      {"NotAnsweredNorAcknowledged",
       played("sctp; end b ack-every=0; connect; session a initiate; wait 20s; heartbeat a"),
       Outcome::stalled,
       Blame::unknown,
       Confidence::limited,
       {"has waited 20 s for an answer", "The Responder's SCTP never acknowledged it. It was not sent again"},
       "the path to it"},
      {"NotAnsweredNorAcknowledgedThoughSentAgain",
       played("sctp; end b ack-every=0; connect; retransmit a delay=0; session a initiate; wait 20s; heartbeat a"),
       Outcome::stalled,
       Blame::path,
       Confidence::likely,
       {"has waited 20 s for an answer", "The Responder's SCTP never acknowledged it."},
       "the path to it"},
      {"WhoseReceiverHasNoRoom",
       played("sctp; sctp-end b window=0; connect; startup; send a 10; ack b; wait 20s; heartbeat a"),
       Outcome::stalled,
       Blame::b,
       Confidence::likely,
       {"has taken no more data since frame", "its SCTP window is closed"}},
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
       {"may only seem so", "the capture has nothing just where the rest would be"}},
      {"NotAcknowledged",
       played("sctp; connect; startup; send a 10; ack b; send a 10; wait 20s; heartbeat a"),
       Outcome::stalled,
       Blame::unknown,
       Confidence::limited,
       {"1 message of the Initiator 10.0.0.1:40000 has not been acknowledged", "silent for 20 s",
        "may be missing from the capture"}},
      {"NotAcknowledgedThoughSentAgain",
       played("sctp; end b ack-every=0; connect; startup; send a 10; ack b; retransmit a delay=0; send a 10; wait 20s\n"
              "heartbeat a"),
       Outcome::stalled,
       Blame::path,
       Confidence::likely,
       {"1 message of the Initiator 10.0.0.1:40000 has not been acknowledged", "silent for 20 s"}},
      {"ShutDownByTheActiveSide",
       played("sctp; connect; startup; send a 1000; shutdown"),
       Outcome::completed,
       Blame::none,
       Confidence::certain,
       {"The session was closed in order, first by the Initiator"}},
      {"ShutDownByThePassiveSide",
       played("sctp; connect; startup; send a 1000; shutdown b"),
       Outcome::completed,
       Blame::none,
       Confidence::certain,
       {"The session was closed in order, first by the Responder"}},
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
       {"nothing that the capture holds was left open", "The capture lacks 1 message of this session"}},
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
       {"after the Session Accept; the capture holds no DDP segment"}},
      {"SetUpAndNotUsed",
       played("sctp; connect; startup; close; shutdown"),
       Outcome::completed,
       Blame::none,
       Confidence::certain,
       {"The session was set up and closed in order without a message."}},
      {"InUse",
       played("sctp; connect; startup; send a 1000"),
       Outcome::running,
       Blame::none,
       Confidence::certain,
       {"The session was open and in use when the capture ended."}},
  };
}

class VerdictOnASession : public testing::TestWithParam<Case> {};

TEST_P(VerdictOnASession, SaysWhatBecameOfIt) {
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

TEST(SessionsOverSctp, EndWithTheirAssociation) {
  const Report report = analyze(synth::sample("sctp-restarted").make("sctp-restarted"));
  ASSERT_EQ(report.qps.size(), 2u);
  EXPECT_EQ(report.qps[0].closed_by, "restart");
  EXPECT_EQ(report.qps[0].state, qp::State::closed);
  ASSERT_TRUE(report.qps[0].verdict);
  EXPECT_EQ(report.qps[0].verdict->outcome, Outcome::completed);
  EXPECT_THAT(report.qps[0].verdict->text, HasSubstr("The session ended with its association: in frame"));
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
