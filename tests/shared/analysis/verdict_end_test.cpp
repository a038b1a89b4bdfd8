// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// What is said of queue pairs that ended, or hang, in every way that the wire can tell apart.
#include "verdict_scripts.h"

namespace iwarpscope::test {
namespace {

std::vector<Case> end_cases() {
  return {
      {"ClosedInOrder",
       script([](Connection& c) {
         c.startup();
         c.send(kI, 100);
         c.read(kI, {.size = 100});
         c.close(kI);
       }),
       Outcome::completed,
       Blame::none,
       Confidence::certain,
       {"closed normally, first by the Initiator"}},
      {"ResetWithNothingOpen",
       script([](Connection& c) {
         send_one(c);
         c.reset(kI);
       }),
       Outcome::completed,
       Blame::none,
       Confidence::likely,
       {"reset", "no operation was outstanding"}},
      {"ResetWithAReadOpen",
       script([](Connection& c) {
         ask_to_read(c);
         c.reset(kR);
       }),
       Outcome::failed,
       Blame::b,
       Confidence::likely,
       {"reset", "Read Request with MSN 1", "was not answered"},
       "kernel log"},
      {"ResetAfterWaitingForARead",
       script(reset_after_waiting_for_a_read),
       Outcome::failed,
       Blame::b,
       Confidence::likely,
       {"after waiting 30 s"},
       "did not answer"},
      {"ResetInsideAMessage",
       script([](Connection& c) {
         c.startup();
         c.send(kI, 100);
         c.limit_mulpdu(kI, 500);
         c.tagged(kI, {.control = synth::wire::ddp_control(true, false), .stag = STag{5}}, 400);
         c.acknowledge(kR);
         c.reset(kI);
       }),
       Outcome::failed,
       Blame::a,
       Confidence::likely,
       {"RDMA Write", "was not finished"}},
      {"ClosedWithAReadOpen",
       script([](Connection& c) {
         c.startup();
         c.send(kI, 100);
         c.read_request(kI, {.size = 100});
         c.close(kR);
       }),
       Outcome::failed,
       Blame::b,
       Confidence::likely,
       {"closed, first by the Responder", "was not answered"}},
      {"ClosedInsideAnFpduAfterALengthThatLies",
       script([](Connection& c) {
         c.startup();
         c.send(kI, 100);
         c.fault(kI, "length-too-long");
         c.send(kI, 100);
         c.close(kI);
       }),
       Outcome::failed,
       Blame::a,
       Confidence::likely,
       {"The Initiator did not finish an FPDU", "says 1400 octets"}},
      {"ClosedAfterWaitingForARead",
       script([](Connection& c) {
         ask_to_read(c);
         c.wait(30 * kSecond);
         c.close(kI);
       }),
       Outcome::failed,
       Blame::b,
       Confidence::likely,
       {"The Initiator 10.0.0.1:40000 closed the connection", "was not answered"}},
      {"ReadUnanswered",
       script(
           [](Connection& c) {
             c.startup();
             c.send(kI, 100);
             c.read_request(kI, {.size = 100});
             c.read_request(kI, {.size = 200});
             c.acknowledge(kR);
           },
           30 * kSecond),
       Outcome::stalled,
       Blame::b,
       Confidence::likely,
       {"has not answered the Read Request with MSN 1", "30 s", "2 requests"},
       "does not answer"},
      {"ReadCreditExhausted",
       script(
           [](Connection& c) {
             c.startup(enhanced(2, 2, 2, 2));
             c.send(kI, 100);
             c.read_request(kI, {.size = 100});
             c.read_request(kI, {.size = 200});
             c.acknowledge(kR);
           },
           30 * kSecond),
       Outcome::stalled,
       Blame::b,
       Confidence::likely,
       {"may have outstanding are waiting"}},
      {"ReadJustAsked",
       script(
           [](Connection& c) {
             c.startup();
             c.send(kI, 100);
             c.read_request(kI, {.size = 100});
           },
           kSecond / 10),
       Outcome::running,
       Blame::none,
       Confidence::certain,
       {"in use"}},
      {"ReadUnansweredBehindAHole",
       script(ask_to_read_after_a_hole, 30 * kSecond),
       Outcome::stalled,
       Blame::unknown,
       Confidence::limited,
       {"The capture lacks"},
       "without loss"},
      {"ResetWhereTheAnswerIsNotInTheCapture",
       script([](Connection& c) {
         c.startup();
         c.send(kI, 100);
         c.read_request(kI, {.size = 100});
         c.channel(kR, Effect::miss);
         c.read_response(kR);
         c.acknowledge(kI);
         c.wait(2 * kSecond);
         c.reset(kI);
       }),
       Outcome::unknown,
       Blame::capture,
       Confidence::limited,
       {"may be an artefact", "The capture lacks"},
       "without loss"},
      {"ResetThatAcknowledgesWhatWasNotSeen",
       script([](Connection& c) {
         c.startup();
         c.send(kI, 100);
         c.send(kR, 100);
         c.acknowledge(kI);
         c.channel(kR, Effect::miss);
         c.send(kR, 100);
         c.reset(kI);
       }),
       Outcome::unknown,
       Blame::none,
       Confidence::limited,
       {"its last octets are not known"},
       "without loss"},
      {"ClosedOnOneSideOfOneDirection",
       [] {
         Connection c;
         c.capture_only(kI);
         c.connect();
         c.startup();
         for (int k = 0; k < 20; ++k) c.send(kI, 100);
         c.fin(kI);
         return goes_on(c, 30 * kSecond);
       },
       Outcome::unknown,
       Blame::capture,
       Confidence::limited,
       {"the capture does not show whether"}},
      {"DataNeverAcknowledged",
       [] { return never_acknowledged(true); },
       Outcome::stalled,
       Blame::path,
       Confidence::likely,
       {"sent more than once, got no acknowledgment", "silent for 30 s"},
       "path"},
      {"DataNeitherAcknowledgedNorSentAgain",
       [] { return never_acknowledged(false); },
       Outcome::stalled,
       Blame::unknown,
       Confidence::limited,
       {"got no acknowledgment", "silent for 30 s", "the acknowledgment may be missing from the capture"},
       "path"},
      {"WindowClosed",
       script(close_the_window, 30 * kSecond),
       Outcome::stalled,
       Blame::b,
       Confidence::likely,
       {"TCP window is closed", "30 s"},
       "receive buffers"},
      {"StoppedInsideAMessage",
       script(stop_inside_a_message, 30 * kSecond),
       Outcome::stalled,
       Blame::a,
       Confidence::likely,
       {"stopped inside the RDMA Write"}},
      {"OneSideDoesNotClose",
       script(close_one_side_of_two, 30 * kSecond),
       Outcome::stalled,
       Blame::b,
       Confidence::likely,
       {"closed its side", "was active 2.00 s later"}},
      {"IdleAfterASend",
       script(send_one, 30 * kSecond),
       Outcome::running,
       Blame::none,
       Confidence::likely,
       {"idle for 30 s", "the Responder should send next"}},
  };
}

class EndVerdict : public testing::TestWithParam<Case> {};

TEST_P(EndVerdict, SaysWhatHappenedAndWhoCausedIt) {
  expect_verdict(GetParam());
}

INSTANTIATE_TEST_SUITE_P(Script, EndVerdict, testing::ValuesIn(end_cases()), kCaseName);

}  // namespace
}  // namespace iwarpscope::test
