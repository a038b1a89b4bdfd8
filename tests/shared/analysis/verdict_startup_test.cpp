// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// What is said of connections that never came to their first FPDU, or came to it by another way than asked for.
#include "synth/script.h"
#include "verdict_case.h"

namespace iwarpscope::test {
namespace {

/// A connection of revision 1 that begins `before` nanoseconds before one of revision 2 is refused, or at once after
/// it.
synth::Frames after_an_attempt_with_revision_2(std::int64_t before) {
  synth::Clock clock;
  synth::ConnectionOptions first;
  first.clock = &clock;
  Connection c(first);
  c.connect();
  c.request(synth::request_frame({.revision = 2, .request_enhanced = synth::wire::EnhancedData{.ird = 1, .ord = 1}}));
  c.wait(before);
  c.reset(kR);
  synth::Clock earlier;
  synth::ConnectionOptions second;
  second.clock = before == 0 ? &clock : &earlier;
  second.initiator.port = 40001;
  Connection d(second);
  d.connect();
  d.startup();
  d.send(kI, 10);
  d.close();
  return synth::merge({c.frames(), d.frames()});
}

std::vector<Case> startup_cases() {
  return {
      {"RejectedForMarkers",
       script([](Connection& c) {
         c.startup({.markers = false, .request_markers = true, .reject = true});
         c.close(kR);
       }),
       Outcome::refused,
       Blame::b,
       Confidence::likely,
       {"refused", "markers"},
       "markers off"},
      {"RejectedForCrc",
       script([](Connection& c) {
         c.startup({.request_crc = true, .reply_crc = false, .reject = true});
         c.close(kR);
       }),
       Outcome::refused,
       Blame::b,
       Confidence::likely,
       {"refused", "CRC"},
       "CRC"},
      {"RejectedForReadDepth",
       script([](Connection& c) {
         Startup s = enhanced(4, 32, 8, 4);
         s.reject = true;
         c.startup(s);
         c.close(kR);
       }),
       Outcome::refused,
       Blame::b,
       Confidence::likely,
       {"refused", "32", "8"},
       "responder_resources"},
      {"RejectedByApplication",
       script([](Connection& c) {
         c.startup({.reject = true, .reply_private_data = synth::text("no")});
         c.close(kR);
       }),
       Outcome::refused,
       Blame::b,
       Confidence::certain,
       {"application", "The Reply's private data", "2 octets: 6e6f"},
       "private data"},
      {"ResetInsteadOfReply",
       script([](Connection& c) {
         c.request(synth::request_frame({}));
         c.reset(kR);
       }),
       Outcome::refused,
       Blame::b,
       Confidence::likely,
       {"reset the connection", "instead of answering"},
       "MPA revision"},
      {"ClosedInsteadOfReplyAfterRevision3",
       script([](Connection& c) {
         c.request(synth::request_frame({.revision = 3}));
         c.close(kR);
       }),
       Outcome::refused,
       Blame::a,
       Confidence::likely,
       {"closed the connection", "revision 3", "MS-07"},
       "revision"},
      {"GivenUpWaitingForReply",
       script([](Connection& c) {
         c.request(synth::request_frame({}));
         c.acknowledge(kR);
         c.wait(12 * kSecond);
         c.close(kI);
       }),
       Outcome::failed,
       Blame::b,
       Confidence::likely,
       {"gave up", "after 12 s", "had acknowledged"},
       "backlog"},
      {"StillWaitingForReply",
       script(
           [](Connection& c) {
             c.request(synth::request_frame({}));
             c.acknowledge(kR);
           },
           20 * kSecond),
       Outcome::stalled,
       Blame::b,
       Confidence::likely,
       {"had waited 20 s", "Request"},
       "accepts"},
      {"ReplyOnItsWay",
       script([](Connection& c) { c.request(synth::request_frame({})); }, kSecond / 10),
       Outcome::running,
       Blame::none,
       Confidence::likely,
       {"had waited 0.10 s"}},
      {"RequestAlone",
       [] {
         Connection c;
         c.capture_only(kI);
         c.connect();
         c.request(synth::request_frame({}));
         c.acknowledge(kI);
         return c.frames();
       },
       Outcome::unknown,
       Blame::capture,
       Confidence::limited,
       {"the capture does not show whether"}},
      {"ClosedAfterReplyThatAsksForMarkers",
       script([](Connection& c) {
         c.startup({.request_markers = false, .reply_markers = true});
         c.close(kI);
       }),
       Outcome::refused,
       Blame::b,
       Confidence::likely,
       {"before any FPDU", "asks for markers"},
       "markers off"},
      {"ReplyThatIsNotInTheCapture",
       script([](Connection& c) {
         c.request({});
         c.channel(kR, Effect::miss);
         c.stream(kR, 10);
         c.stream(kR, 10);
         c.acknowledge(kI);
         c.wait(20 * kSecond);
         c.fin(kI);
       }),
       Outcome::unknown,
       Blame::capture,
       Confidence::limited,
       {"the capture may lack the answer", "The capture lacks"}},
      {"RejectedWithoutTheBitOfTheRequest",
       script([](Connection& c) {
         Startup s = enhanced(4, 4, 4, 4);
         synth::wire::StartupFrame reply = synth::reply_frame(s);
         reply.enhanced.reset();
         reply.reject = true;
         c.startup(synth::request_frame(s), reply);
         c.close(kR);
       }),
       Outcome::refused,
       Blame::b,
       Confidence::likely,
       {"enhanced startup (S) is set in the Request and not set in the Reply"},
       "take S from the Request"},
      {"NoRtrInCommonSaidByAnotherError",
       script([](Connection& c) {
         Startup s = enhanced(16, 16, 16, 16);
         s.request_enhanced->peer_to_peer = s.reply_enhanced->peer_to_peer = true;
         s.request_enhanced->rtr_write = s.reply_enhanced->rtr_read = true;
         c.startup(s);
         c.terminate(kI, {.layer = 2, .error_type = 0, .error_code = 5});
         c.close(kI);
       }),
       Outcome::failed,
       Blame::unknown,
       Confidence::likely,
       {"no common kind of RTR message", "MS-28"}},
      {"ClosedWithoutAMessage",
       script([](Connection& c) {
         c.startup();
         c.close(kI);
       }),
       Outcome::completed,
       Blame::none,
       Confidence::certain,
       {"without a message"}},
      {"ResetRightAfterReply",
       script([](Connection& c) {
         c.startup();
         c.reset(kI);
       }),
       Outcome::failed,
       Blame::a,
       Confidence::likely,
       {"reset", "before any FPDU"},
       "kernel log"},
      {"RtrNeverSent",
       script(
           [](Connection& c) {
             Startup s;
             s.request_enhanced = s.reply_enhanced =
                 synth::wire::EnhancedData{.peer_to_peer = true, .rtr_write = true, .ird = 4, .ord = 4};
             c.startup(s);
           },
           20 * kSecond),
       Outcome::stalled,
       Blame::a,
       Confidence::likely,
       {"RTR"}},
      {"FellBackToRevision1",
       [] { return after_an_attempt_with_revision_2(0); },
       Outcome::completed,
       Blame::none,
       Confidence::certain,
       {"fell back to MPA revision 1", "QP 0 with revision 2"},
       "revision 2"},
  };
}

class StartupVerdict : public testing::TestWithParam<Case> {};

TEST_P(StartupVerdict, SaysWhatHappenedAndWhoCausedIt) {
  expect_verdict(GetParam());
}

INSTANTIATE_TEST_SUITE_P(Script, StartupVerdict, testing::ValuesIn(startup_cases()), kCaseName);

// Programs connect more than once at the same time; the one is no retry of the other.
TEST(StartupVerdict, SaysNothingOfAnAttemptThatFailsOnlyLater) {
  const Report report = analyze(after_an_attempt_with_revision_2(kSecond));
  ASSERT_EQ(report.qps.size(), 2u);
  EXPECT_EQ(report.qps[0].verdict->outcome, Outcome::refused);
  EXPECT_EQ(report.qps[1].verdict->outcome, Outcome::completed);
  EXPECT_EQ(report.qps[1].verdict->text.find("fell back"), std::string::npos) << report.qps[1].verdict->text;
}

// PD_Length is too small, so that private data follows the Request. It was read all the same.
TEST(StartupVerdict, NamesTheOctetsBehindTheRequestThatTheResponderClosedOn) {
  const Report report = analyze(synth::play("connect; request private=616161 length=2; wait 3s; close b"));
  ASSERT_EQ(report.qps.size(), 1u);
  EXPECT_EQ(report.count(findings::FindingId::mpa_fpdu_before_reply), 1u) << report.codes();
  EXPECT_EQ(report.count(findings::FindingId::mpa_closed_without_reply), 0u) << report.codes();
  EXPECT_EQ(report.qps[0].verdict->code, "V-06");
  EXPECT_EQ(report.qps[0].verdict->blame, Blame::a);
}

// The Reply may be among what the capture lacks.
TEST(StartupVerdict, AccusesNoEndOfOctetsBehindTheRequestWhereTheReplyMayBeMissing) {
  const Report report = analyze(synth::play("connect; request private=616161 length=2; miss b; reply; ack a; close b"));
  EXPECT_EQ(report.count(findings::FindingId::mpa_fpdu_before_reply), 0u) << report.codes();
}

}  // namespace
}  // namespace iwarpscope::test
