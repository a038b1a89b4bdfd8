// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// What the sentences of a verdict do not repeat: the name of an end, and advice.
#include <gtest/gtest.h>

#include <cstddef>
#include <string>
#include <string_view>

#include "support/analysis.h"
#include "synth/script.h"

namespace iwarpscope::test {
namespace {

qp::VerdictRecord verdict_after(std::string_view script) {
  return first_verdict(synth::play(std::string(script)));
}

std::size_t times(const std::string& text, std::string_view part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

bool has(const qp::VerdictRecord& v, std::string_view text) {
  return times(v.text, text) == 1;
}

TEST(VerdictWording, AnEndThatTheSentenceNamedLastIsTheSameEnd) {
  const std::string wrong =
      "connect; startup; send a 10; send b 10; ack a; fault a rdmap-version-2; read-request a size=100; ack b; ";
  EXPECT_TRUE(has(verdict_after(wrong + "close a"), "in frame 11, after the same end had broken"));
  EXPECT_TRUE(has(verdict_after(wrong + "close b"), "in frame 11, after the Initiator had broken"));
  EXPECT_TRUE(has(verdict_after("connect; request; reply key=\"MPA ID Xep Frame\"; close b"),
                  "before any FPDU, after the same end had broken"));
}

TEST(VerdictWording, HowToCaptureIsSaidOnce) {
  const qp::VerdictRecord v = verdict_after("connect; request; miss b; reply; reset b");
  EXPECT_EQ(v.code, "V-04") << v.text;
  EXPECT_EQ(times(v.next, "Capture again"), 1U) << v.next;
  const qp::VerdictRecord gap = verdict_after(
      "connect; startup; send a 100; read-request a size=100; miss b; read-response b; ack a; wait 2s; reset a");
  EXPECT_EQ(gap.code, "V-42") << gap.text;
  EXPECT_EQ(times(gap.next, "Capture again"), 1U) << gap.next;
}

TEST(VerdictWording, ATimeMayComeFirst) {
  const qp::VerdictRecord v = verdict_after("connect; startup; send a 100; fin a");
  EXPECT_EQ(v.code, "V-47") << v.text;
  EXPECT_TRUE(has(v,
                  "Less than 1 ms after the Initiator 10.0.0.1:40000 closed its side in frame 7, the Responder "
                  "10.0.0.2:5000 had not closed its own."))
      << v.text;
}

}  // namespace
}  // namespace iwarpscope::test
