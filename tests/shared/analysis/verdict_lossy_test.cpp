// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Verdicts where the capture says that it lost frames, although hardly an octet is known to be missing.
#include "verdict_scripts.h"

namespace iwarpscope::test {
namespace {

std::vector<Case> drop_cases() {
  const std::string meanwhile = "The capture itself lost frames: what came meanwhile may be among them.";
  const std::string the_end = "The capture itself lost frames: the end of the connection may be among them.";
  const std::string before_reset = "The capture itself lost frames: what came before the reset may be among them.";
  return {
      {"OpenAndInUse", script(send_one), Outcome::running, Blame::none, Confidence::limited, {"in use", the_end}},
      {"OpenAndIdle",
       script(send_one, 30 * kSecond),
       Outcome::running,
       Blame::none,
       Confidence::limited,
       {"idle", the_end}},
      {"Closed", script(close_both_sides), Outcome::completed, Blame::none, Confidence::certain, {"closed normally"}},
      {"ReadUnanswered",
       script(ask_to_read, 30 * kSecond),
       Outcome::stalled,
       Blame::unknown,
       Confidence::limited,
       {"has not answered", meanwhile},
       "without loss"},
      {"ReadUnansweredBehindAHole",
       script(ask_to_read_after_a_hole, 30 * kSecond),
       Outcome::stalled,
       Blame::unknown,
       Confidence::limited,
       {"The capture lacks", meanwhile},
       "without loss"},
      {"OneSideDoesNotClose",
       script(close_one_side, 30 * kSecond),
       Outcome::stalled,
       Blame::unknown,
       Confidence::limited,
       {"closed its side", meanwhile}},
      {"OneSideHasJustClosed",
       script(close_one_side, kSecond / 10),
       Outcome::running,
       Blame::none,
       Confidence::limited,
       {"closed its side", meanwhile}},
      {"ResetAfterWaitingForARead",
       script(reset_after_waiting_for_a_read),
       Outcome::failed,
       Blame::unknown,
       Confidence::limited,
       {"after waiting 30 s", before_reset}},
      {"RequestUnanswered",
       script(send_a_request, 30 * kSecond),
       Outcome::stalled,
       Blame::unknown,
       Confidence::limited,
       {"had waited 30 s for an answer", meanwhile}},
      {"NoRtrMessage",
       script(send_no_rtr, 30 * kSecond),
       Outcome::stalled,
       Blame::unknown,
       Confidence::limited,
       {"agreed to send an RTR message first", meanwhile}},
      {"NoMessage",
       script([](Connection& c) { c.startup(); }, 30 * kSecond),
       Outcome::running,
       Blame::none,
       Confidence::limited,
       {"no message has been sent", meanwhile}},
  };
}

class LossyEndVerdict : public testing::TestWithParam<Case> {};

TEST_P(LossyEndVerdict, SaysWhatTheLostFramesMayExplain) {
  analysis::CaptureInfo info;
  info.interfaces.push_back({.link_type = "EN10MB", .snap_length = 65535, .dropped = 3});
  expect_verdict(GetParam(), info);
}

TEST_P(LossyEndVerdict, WithoutLosses_SaysNothingOfThem) {
  const Report report = analyze(GetParam().traffic());
  ASSERT_FALSE(report.qps.empty());
  EXPECT_EQ(report.qps.back().verdict->text.find("itself lost"), std::string::npos) << report.qps.back().verdict->text;
}

INSTANTIATE_TEST_SUITE_P(Script, LossyEndVerdict, testing::ValuesIn(drop_cases()), kCaseName);

}  // namespace
}  // namespace iwarpscope::test
