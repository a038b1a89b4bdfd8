// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Ordinary captures of faultless traffic: whatever the capture did to it, neither end may be blamed.
#include <algorithm>

#include "shared/analysis/situation.h"

namespace iwarpscope::test {
namespace {

using synth::Effect;
using synth::Frames;

class OrdinaryCapture : public Situation {
 protected:
  [[nodiscard]] Frames whole() const {
    Connection c;
    open(c);
    messages(c);
    c.close();
    return c.frames();
  }
};

TEST_P(OrdinaryCapture, OfOneSideAloneBlamesNoEnd) {
  for (const Side side : {kI, kR}) {
    for (const bool startup_seen : {true, false}) {
      Connection c;
      c.capture(startup_seen);
      c.capture_only(side);
      open(c);
      c.capture(true);
      c.impair({.seed = 5, .lose_before_tap = 40, .lose_after_tap = 40, .miss = 40, .hold_back = 40});
      messages(c, 6);
      c.close();
      expect_blameless(c.frames(), fmt::format("side {}, startup {}", synth::index(side), startup_seen));
    }
  }
}

TEST_P(OrdinaryCapture, BegunOrEndedAnywhereBlamesNoEnd) {
  const Frames frames = whole();
  for (std::size_t k = 1; k < frames.size(); ++k) {
    const auto cut = frames.begin() + static_cast<std::ptrdiff_t>(k);
    expect_blameless({cut, frames.end()}, fmt::format("from frame {}", k + 1));
    expect_blameless({frames.begin(), cut}, fmt::format("up to frame {}", k));
  }
}

TEST_P(OrdinaryCapture, BegunWithRequestsOutstandingTiesNoneToAnother) {
  Connection c;
  c.capture(false);
  open(c);
  for (unsigned i = 0; i < 10; ++i) c.read_request(kI, {.sink_to = TaggedOffset{0x1000U * i}, .size = 4000});
  c.atomic_request(kI, {.data = 3});
  c.capture(true);
  for (int i = 0; i < 5; ++i) c.read_response(kR);
  for (unsigned i = 0; i < 3; ++i) c.read_request(kI, {.sink_to = TaggedOffset{0x100000U + i * 0x1000U}, .size = 4000});
  for (int i = 0; i < 8; ++i) c.read_response(kR);
  c.atomic_response(kR);
  c.send(kI, 4);
  messages(c);
  const Report report = expect_blameless(c.frames(), "outstanding");
  ASSERT_EQ(report.qps.size(), 1U);
}

TEST_P(OrdinaryCapture, ThatMissedTheFirstRequestTiesItsResponseToNone) {
  // The RTR: a zero-length Read whose Response comes when the next Read is outstanding.
  Connection c;
  c.packing(GetParam().packing);
  c.connect();
  c.channel(kI, Effect::miss, {.skip = 1});
  synth::Startup s = startup();
  s.request_enhanced = {
      .peer_to_peer = true, .rtr_send = true, .rtr_write = true, .rtr_read = true, .ird = 9, .ord = 9};
  s.reply_enhanced = {.peer_to_peer = true, .rtr_read = true, .ird = 9, .ord = 9};
  s.rtr = synth::Rtr::read;
  c.startup(s);
  messages(c);
  expect_blameless(c.frames(), "RTR missed");
}

TEST_P(OrdinaryCapture, OfBothMirrorPortsBlamesNoEnd) {
  const Frames frames = whole();
  Frames twice;
  for (const synth::Frame& f : frames) {
    twice.push_back(f);
    twice.push_back(f);
    twice.back().time_ns += 1500;
  }
  std::stable_sort(twice.begin(), twice.end(), [](const auto& a, const auto& b) { return a.time_ns < b.time_ns; });
  const Report once = analyze(frames);
  const Report report = expect_blameless(twice, "both ports");
  EXPECT_EQ(report.messages.size(), once.messages.size());
  ASSERT_EQ(report.qps.size(), 1U);
  EXPECT_EQ(report.qps[0].directions[0].retransmitted_octets, 0U);
}

TEST_P(OrdinaryCapture, WhosePortsAreMergedLateBlamesNoEnd) {
  for (const std::int64_t shift : {-150'000, 150'000}) {
    Frames frames = whole();
    for (synth::Frame& f : frames) {
      if (f.octets[11] == std::byte{2}) f.time_ns += shift;  // the last octet of the Responder's MAC address
    }
    std::stable_sort(frames.begin(), frames.end(), [](const auto& a, const auto& b) { return a.time_ns < b.time_ns; });
    Report report = analyze(frames);
    EXPECT_EQ(report.errors(), 0U) << shift << ": " << report.codes();
  }
}

TEST_P(OrdinaryCapture, CutByAnySnapLengthBlamesNoEnd) {
  const Frames frames = whole();
  for (const std::size_t snap : {54U, 60U, 64U, 66U, 68U, 80U, 84U, 90U, 96U, 100U, 128U, 256U, 1000U}) {
    Frames cut = frames;
    for (synth::Frame& f : cut) f.octets.resize(std::min(f.octets.size(), snap));
    expect_blameless(cut, fmt::format("snap length {}", snap));
    expect_blameless({cut.begin() + 8, cut.end()}, fmt::format("snap length {}, joined", snap));
  }
}

TEST_P(OrdinaryCapture, WithTagsInOneDirectionIsOneQueuePair) {
  Frames frames = whole();
  for (synth::Frame& f : frames) {
    if (f.octets[11] != std::byte{1}) continue;  // the last octet of the Initiator's MAC address
    const synth::Buffer tag = {std::byte{0x81}, std::byte{0}, std::byte{0}, std::byte{42}};
    f.octets.insert(f.octets.begin() + 12, tag.begin(), tag.end());
    f.original_length += 4;
  }
  const Report report = expect_blameless(frames, "one direction tagged");
  EXPECT_EQ(report.qps.size(), 1U);
  EXPECT_EQ(report.messages.size(), analyze(whole()).messages.size());
}

TEST_P(OrdinaryCapture, ThatPausedInTheMiddleBlamesNoEnd) {
  Connection c;
  open(c);
  messages(c);
  c.capture(false);
  messages(c);
  c.capture(true);
  messages(c);
  c.close();
  expect_blameless(c.frames(), "paused");
}

TEST_P(OrdinaryCapture, OfALossyNetworkByALossyTapBlamesNoEnd) {
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    Connection c;
    c.capture(seed % 3 != 0);  // every third one joins mid-stream
    open(c);
    c.capture(true);
    c.impair({.seed = seed,
              .lose_before_tap = 30,
              .lose_after_tap = 30,
              .miss = 30,
              .hold_back = 40,
              .mirror_duplicate = 30,
              .retransmit = 30,
              .corrupt = 20});
    messages(c, 8);
    c.close();
    expect_blameless(c.frames(), fmt::format("seed {}", seed));
  }
}

INSTANTIATE_TEST_SUITE_P(, OrdinaryCapture, testing::ValuesIn(forms()), name_of);

}  // namespace
}  // namespace iwarpscope::test
