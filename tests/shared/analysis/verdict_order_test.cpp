// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Which end was first, what it had of the other end, and what is known of a refusal, decide a verdict: not the order of
// the frames, and not what came of the connection afterwards.
#include <string>

#include "synth/script.h"
#include "verdict_case.h"

namespace iwarpscope::test {
namespace {

/// Both FINs were sent before either came: neither acknowledges the other.
synth::Frames crossing(std::int64_t later_ns) {
  const std::string before = "connect; startup; send a 100; send b 100; ack a; fin ";
  synth::Frames frames = synth::play(before + "a");
  const synth::Frames other = synth::play(before + "b");
  frames.back() = other.at(other.size() - 2);  // instead of the ACK: the other FIN
  frames.back().time_ns += later_ns;
  return frames;
}

/// The Initiator sends an FPDU after the refusal, and the capture has it before the Reply.
synth::Frames fpdu_after_a_late_refusal() {
  synth::Frames frames = synth::play("connect; request; reply reject; full-operation a; send a 10; close b");
  constexpr std::size_t kReply = 4;  // SYN, SYN ACK, ACK, Request
  std::swap(frames.at(kReply), frames.at(kReply + 1));
  std::swap(frames.at(kReply).time_ns, frames.at(kReply + 1).time_ns);
  return frames;
}

std::vector<Case> ends() {
  const auto played = [](std::string text) { return [text] { return synth::play(text); }; };
  const std::string too_long(2 * 514, '0');
  const std::string fitting(2 * 100, '0');
  return {
      {"SessionTerminatedByWhoAskedNotAcknowledged",
       played("sctp; connect; session a initiate; ack b; wait 2s; session a terminate"),
       Outcome::failed,
       Blame::b,
       Confidence::likely,
       {"The Initiator 10.0.0.1:40000 gave up in frame 7", "had acknowledged it"},
       "accepts sessions in time"},
      {"SessionTerminatedByWhoAskedAndAlive",
       played("sctp; connect; session a initiate; ack b; wait 2s; session a terminate; wait 3s; heartbeat a"),
       Outcome::failed,
       Blame::b,
       Confidence::likely,
       {"gave up in frame 7", "had acknowledged it"}},
      {"SessionTerminatedByWhoWasAsked",
       played("sctp; connect; session a initiate; ack b; wait 2s; session b terminate"),
       Outcome::refused,
       Blame::b,
       Confidence::likely,
       {"The Responder 10.0.0.2:5000 sent a Session Terminate"}},
      {"SessionWhoseInitiateWasNotAcknowledged",
       played("sctp; end b ack-every=0; connect; session a initiate; wait 2s; abort a"),
       Outcome::failed,
       Blame::unknown,
       Confidence::likely,
       {"which was never acknowledged"}},
      {"RefusedWithoutTheRequest",
       played("capture off; connect; request; capture on; reply reject; wait 1s; close a"),
       Outcome::refused,
       Blame::unknown,
       Confidence::likely,
       {"refused the connection by the MPA Reply in frame 1"},
       "log of the application"},
      {"RefusedAndTheRequestMissed",
       played("connect; miss a; request; reply reject; close a"),
       Outcome::refused,
       Blame::unknown,
       Confidence::limited,
       {"refused the connection by the MPA Reply"}},
      {"RefusedAndAnFpduAllTheSame",
       fpdu_after_a_late_refusal,
       Outcome::refused,
       Blame::b,
       Confidence::certain,
       {"refused the connection by the MPA Reply"}},
      {"SessionRefusedWithoutTheInitiate",
       played("sctp; capture off; connect; session a initiate; capture on; session b reject; shutdown a"),
       Outcome::refused,
       Blame::unknown,
       Confidence::limited,
       {"refused the session by the Session Reject in frame 1"}},
      {"AcceptedWithoutTheRequest",
       played("capture off; connect; request; capture on; reply; wait 1s; close a"),
       Outcome::completed,
       Blame::none,
       Confidence::certain,
       {"closed normally"}},
      {"EnhancedInitiateWithTooMuchPrivateData",
       played("sctp; connect; session a enhanced-initiate ird=1 ord=1 private=" + too_long + "; session b reject"),
       Outcome::refused,
       Blame::a,
       Confidence::likely,
       {"SC-06"}},
      {"EnhancedInitiateRefusedPlainly",
       played("sctp; connect; session a enhanced-initiate ird=1 ord=1 private=" + fitting + "; session b reject"),
       Outcome::refused,
       Blame::b,
       Confidence::likely,
       {"its answer a plain one"}},
      {"ClosedAtOnceAfterTheResponderSentFirst",
       played("connect; startup; send b 100; close a"),
       Outcome::failed,
       Blame::b,
       Confidence::likely,
       {"first by the Initiator", "MS-23"}},
      {"ResetAfterACloseAtOnce",
       played("connect; startup; send b 100; fin a; reset b"),
       Outcome::failed,
       Blame::b,
       Confidence::likely,
       {"first by the Initiator", "MS-23"}},
      {"ClosedAfterAnAnswerToTheResponder",
       played("connect; startup; send b 100; send a 10; close a"),
       Outcome::completed,
       Blame::b,
       Confidence::certain,
       {"closed normally", "MS-23"}},
      {"ClosedMuchLaterAfterTheResponderSentFirst",
       played("connect; startup; send b 100; ack a; wait 2s; close a"),
       Outcome::failed,
       Blame::b,
       Confidence::likely,
       {"first by the Initiator", "MS-23"}},
      {"ClosedByTheResponderThatSentFirst",
       played("connect; startup; send b 100; ack a; wait 2s; close b"),
       Outcome::completed,
       Blame::b,
       Confidence::certain,
       {"closed normally", "MS-23"}},
      {"ResetWhereWhatCameIsNoFpdu",
       [] {
         Connection c;
         c.connect(), c.startup();
         for (int i = 0; i < 10; ++i) c.send(kI, 100), c.send(kR, 100);
         c.read_request(kI, {.size = 100});
         c.raw_octets(kR, synth::Buffer(19'001, std::byte{0x60}));
         c.reset(kI);
         return c.frames();
       },
       Outcome::unknown,
       Blame::none,
       Confidence::limited,
       {"its last octets are not known"},
       ""},
      {"ClosedBeforeAnAnswer",
       played("connect; request; close a"),
       Outcome::failed,
       Blame::unknown,
       Confidence::limited,
       {"less than 1 ms after the MPA Request", "may have had an answer"}},
      {"ReadUnansweredWhileMessagesFlow",
       played("connect; startup; send a 100; read-request a size=100; wait 30s; send b 10; wait 1s; send a 10"),
       Outcome::running,
       Blame::b,
       Confidence::likely,
       {"in use", "has not answered the Read Request with MSN 1"},
       "side that does not answer"},
      {"ReadOnItsWayWhileMessagesFlow",
       played("connect; startup; send a 100; read-request a size=100; wait 2s; send b 10; wait 1s; send a 10"),
       Outcome::running,
       Blame::none,
       Confidence::certain,
       {"in use"}},
      {"BothClosedAtTheSameTime",
       [] { return crossing(5'000); },
       Outcome::completed,
       Blame::none,
       Confidence::certain,
       {"closed normally, by both ends at about the same time (frames 9 and 10)"}},
      {"BothClosedWithoutTheOthersButFarApart",
       [] { return crossing(kSecond); },
       Outcome::completed,
       Blame::none,
       Confidence::certain,
       {"closed normally, first by the Initiator 10.0.0.1:40000 in frame 9"}},
      {"OwnFirstOctetsUnreadable",
       played("connect; startup; stream a text=\"GET / HTTP/1.1 and some octets more\"; reset a"),
       Outcome::failed,
       Blame::a,
       Confidence::likely,
       {"it had broken rule mpa.first-fpdu-unreadable"}},
  };
}

class EndVerdictInOrder : public testing::TestWithParam<Case> {};

TEST_P(EndVerdictInOrder, NamesTheEndThatWasFirst) {
  expect_verdict(GetParam());
}

INSTANTIATE_TEST_SUITE_P(Script, EndVerdictInOrder, testing::ValuesIn(ends()), kCaseName);

}  // namespace
}  // namespace iwarpscope::test
