// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The frame in which an end had broken a rule is one that this end sent, also where a capture has the frames of both
// ends in another order.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <regex>
#include <span>
#include <string>
#include <string_view>

#include "scenarios.h"
#include "support/analysis.h"
#include "synth/script.h"

namespace iwarpscope::test {
namespace {

/// The last octet of the source address over Ethernet and IPv4, as scripts have it: 1 is the Initiator, 2 the
/// Responder.
int sender_of(const synth::Frame& frame) {
  constexpr std::size_t kAt = 14 + 15;
  return frame.octets.size() > kAt ? std::to_integer<int>(frame.octets[kAt]) : 0;
}

/// The Responder's frames are so much later, and all are in the order of their times.
synth::Frames skewed(synth::Frames frames, std::int64_t by_ns) {
  for (synth::Frame& frame : frames) {
    if (sender_of(frame) == 2) frame.time_ns += by_ns;
  }
  std::ranges::stable_sort(frames, {}, &synth::Frame::time_ns);
  return frames;
}

/// A line for each sentence that says which end broke a rule in which frame, where the other end sent that frame.
/// `named`: counts those sentences.
std::string foreign_frames(const synth::Frames& frames, std::size_t& named) {
  static const std::regex kSentence(
      R"((Initiator|Responder)(?: [^ ]+)? (?:had broken rule|broke a rule on the way:) [^ ]+ \((\w\w-\d\d)\) in frame (\d+))");
  std::string text;
  for (const qp::QpRecord& qp : analyze(frames).qps) {
    if (!qp.verdict) continue;
    const std::string& said = qp.verdict->text;
    for (std::sregex_iterator at(said.begin(), said.end(), kSentence), end; at != end; ++at) {
      const std::size_t frame = std::stoul((*at)[3]);
      const int sender = frame != 0 && frame <= frames.size() ? sender_of(frames[frame - 1]) : 0;
      ++named;
      if (sender != ((*at)[1] == "Initiator" ? 1 : 2)) text += said + '\n';
    }
  }
  return text;
}

void expect_own_frames(std::string_view script, std::size_t& named) {
  const synth::Frames frames = synth::play(std::string(script));
  for (const std::int64_t by_ns : {0, 1'000'000, -1'000'000}) {
    EXPECT_EQ(foreign_frames(skewed(frames, by_ns), named), "") << script << '\n' << by_ns;
  }
}

TEST(BrokenIn, EachScenarioOfTheCatalogueNamesAFrameOfTheEndThatBrokeTheRule) {
  std::size_t named = 0;
  for (const auto some : {startup_verdict_scenarios(), end_verdict_scenarios(), open_verdict_scenarios(),
                          terminate_verdict_scenarios()}) {
    for (const VerdictScenario& s : some) {
      expect_own_frames(s.script, named);
      expect_own_frames(s.nearly, named);
    }
  }
  EXPECT_GT(named, 40U);
}

/// Rules that a frame of the other end decides.
constexpr auto kDecidedByTheOther = std::to_array<std::string_view>({
    "connect; request length=40; ack b; wait 3s; reset b",
    "connect; request length=40; reply; send b 10; close b",
    "connect; request length=600; ack b; wait 3s; reset b",
    "connect; startup; send b 100; send a 100; wait 2s; reset a",
    "connect; startup; send a 10; send b 10; tagged b stag=0x55 to=0x1000 opcode=2 100; wait 2s; reset a",
    "connect; startup; send a 10; send b 10; read-request a size=100; read-response b 50; wait 2s; reset a",
    "connect; startup; send a 10; send b 10; atomic-request a fetch-add stag=0x10 to=0x1000 data=5; fault b "
    "msn-repeated; atomic-response b; wait 2s; reset a",
    "connect; startup; send a 10; repeat 2 atomic a fetch-add stag=0x10 to=0x1000 data=5; atomic-request a fetch-add "
    "stag=0x10 to=0x1000 data=5; atomic-response b original=77; wait 2s; reset a",
    "connect; startup; send a 10; send-invalidate b stag=0x10 10; send b 10; write b stag=0x10 to=0x1000 10; wait 2s; "
    "reset a",
});

TEST(BrokenIn, ARuleThatTheOtherEndsFrameDecidesIsBrokenInAnEarlierOne) {
  std::size_t named = 0;
  for (const std::string_view script : kDecidedByTheOther) expect_own_frames(script, named);
  EXPECT_GT(named, 10U);
}

TEST(BrokenIn, TheNamedMessageIsRefusedForItsRuleWhereverTheCaptureHasIt) {
  const synth::Frames frames = synth::play(
      "connect; startup; send a 100; send b 10; tagged b stag=0x55 to=0x1000 opcode=2 100; terminate a layer=0 type=2 "
      "code=7; close a");
  for (const std::int64_t by_ns : {0, 1'000'000, -1'000'000}) {
    const Report report = analyze(skewed(frames, by_ns));
    ASSERT_EQ(report.qps.size(), 1U);
    EXPECT_EQ(report.qps.front().verdict->code, "V-51") << by_ns << report.qps.front().verdict->text;
  }
}

}  // namespace
}  // namespace iwarpscope::test
