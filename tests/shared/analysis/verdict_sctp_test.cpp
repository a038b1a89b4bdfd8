// What is said of DDP stream sessions over SCTP.
#include <gmock/gmock.h>

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
       played("sctp; connect; session a initiate; wait 20s; heartbeat b"),
       Outcome::stalled,
       Blame::b,
       Confidence::likely,
       {"has waited 20 s for an answer to the Session Initiate of frame"}},
      {"AbortedWithNothingOpen",
       played("sctp; connect; startup; send a 1000; abort b"),
       Outcome::completed,
       Blame::none,
       Confidence::likely,
       {"ended the session with an ABORT in frame"}},
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
