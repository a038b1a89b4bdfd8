// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Frames that the capture missed, has twice or has in another order: no end may be blamed for that.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "synth/random.h"
#include "truncation/captures.h"

namespace iwarpscope::test {
namespace {

std::vector<net::Frame> without(const std::vector<net::Frame>& frames, std::size_t from, std::size_t count = 1) {
  std::vector<net::Frame> left = frames;
  const auto at = left.begin() + static_cast<std::ptrdiff_t>(from);
  left.erase(at, at + static_cast<std::ptrdiff_t>(count));
  return left;
}

TEST(MissedFrames, OneAtATimeBlameNoEnd) {
  for (const Capture& capture : captures()) {
    if (!capture.is_small()) continue;
    Comparison comparison(capture, {.messages = true});
    for (std::size_t i = 0; i < capture.frames.size(); ++i) {
      comparison.expect_nothing_new(without(capture.frames, i), fmt::format("without frame {}", i + 1));
    }
  }
  Faults::all().settle(2000);
}

TEST(MissedFrames, TwoAndThreeInARowBlameNoEnd) {
  for (const Capture& capture : captures()) {
    if (!capture.is_small()) continue;
    Comparison comparison(capture, {.messages = true});
    for (const std::size_t count : {2, 3}) {
      for (std::size_t i = 0; i + count <= capture.frames.size(); ++i) {
        comparison.expect_nothing_new(without(capture.frames, i, count),
                                      fmt::format("without frames {} to {}", i + 1, i + count));
      }
    }
  }
  Faults::all().settle(2000);
}

TEST(MissedFrames, FromTheStartBlameNoEnd) {
  for (const Capture& capture : captures()) {
    if (!capture.is_small()) continue;
    Comparison comparison(capture, {.messages = true});
    for (std::size_t i = 1; i < capture.frames.size(); ++i) {
      comparison.expect_nothing_new(without(capture.frames, 0, i), fmt::format("without the first {} frames", i));
    }
  }
  Faults::all().settle(2000);
}

TEST(MissedFrames, AtRandomBlameNoEnd) {
  for (const Capture& capture : captures()) {
    Comparison comparison(capture, {.messages = true});
    synth::Random random(capture.file.size());
    const unsigned runs = (exhaustive() ? 10 : 1) * (capture.frames.size() > 2000 ? 2U : 3U);
    for (const unsigned permille : {3U, 10U, 50U, 200U, 500U}) {
      for (unsigned run = 0; run < runs; ++run) {
        std::vector<net::Frame> left;
        for (const net::Frame& f : capture.frames) {
          if (!random.chance(permille)) left.push_back(f);
        }
        comparison.expect_nothing_new(left, fmt::format("with {} permille missed, run {}", permille, run));
      }
    }
  }
  Faults::all().settle(2000);
}

/// A capture that begins late and misses frames: nothing is known about the startup.
TEST(MissedFrames, AtRandomOfACaptureThatBeginsLateBlameNoEnd) {
  for (const Capture& capture : captures()) {
    Comparison comparison(capture, {.messages = true});
    synth::Random random(capture.file.size());
    const unsigned runs = (exhaustive() ? 10 : 1) * (capture.frames.size() > 2000 ? 2U : 3U);
    for (const unsigned permille : {10U, 100U, 400U}) {
      for (unsigned run = 0; run < runs; ++run) {
        const std::size_t first = random.below(capture.frames.size());
        std::vector<net::Frame> left;
        for (std::size_t i = first; i < capture.frames.size(); ++i) {
          if (!random.chance(permille)) left.push_back(capture.frames[i]);
        }
        comparison.expect_nothing_new(left,
                                      fmt::format("from frame {}, {} permille missed, run {}", first, permille, run));
      }
    }
  }
  Faults::all().settle(2000);
}

TEST(MissedFrames, OfOneSideBlameNoEnd) {
  for (const Capture& capture : captures()) {
    Comparison comparison(capture, {.messages = true});
    const std::vector<bool> low = from_low(capture.frames);
    for (const bool kept : {true, false}) {
      std::vector<net::Frame> left;
      for (std::size_t i = 0; i < low.size(); ++i) {
        if (low[i] == kept) left.push_back(capture.frames[i]);
      }
      comparison.expect_nothing_new(left, kept ? "low side only" : "high side only");
    }
  }
  Faults::all().settle(300);
}

/// From some frame on, or up to one, a side is not captured: half of a mirror was switched on or off.
TEST(MissedFrames, OfOneSideFromAFrameOnBlameNoEnd) {
  for (const Capture& capture : captures()) {
    if (!capture.is_small()) continue;
    Comparison comparison(capture, {.messages = true});
    const std::vector<bool> low = from_low(capture.frames);
    for (std::size_t at = 1; at < low.size(); ++at) {
      for (const unsigned kind : {0U, 1U, 2U, 3U}) {
        const bool side = (kind & 1U) != 0, before = (kind & 2U) != 0;
        std::vector<net::Frame> left;
        for (std::size_t i = 0; i < low.size(); ++i) {
          if (low[i] != side || (i < at) != before) left.push_back(capture.frames[i]);
        }
        comparison.expect_nothing_new(left, fmt::format("without the {} side {} frame {}", side ? "low" : "high",
                                                        before ? "before" : "from", at + 1));
      }
    }
  }
  Faults::all().settle(2000);
}

TEST(MovedFrames, NeighboursExchangedBlameNoEnd) {
  for (const Capture& capture : captures()) {
    if (!capture.is_small()) continue;
    Comparison comparison(capture, {.messages = true});
    for (std::size_t i = 0; i + 1 < capture.frames.size(); ++i) {
      std::vector<net::Frame> frames = capture.frames;
      std::swap(frames[i], frames[i + 1]);
      std::swap(frames[i].time, frames[i + 1].time);
      comparison.expect_nothing_new(frames, fmt::format("with frames {} and {} exchanged", i + 1, i + 2));
    }
  }
  Faults::all().settle(2000);
}

TEST(MovedFrames, EachSeenTwiceBlameNoEnd) {
  for (const Capture& capture : captures()) {
    if (!capture.is_small()) continue;
    Comparison comparison(capture, {.messages = true});
    for (std::size_t i = 0; i < capture.frames.size(); ++i) {
      std::vector<net::Frame> frames = capture.frames;
      frames.insert(frames.begin() + static_cast<std::ptrdiff_t>(i), frames[i]);
      comparison.expect_nothing_new(frames, fmt::format("with frame {} twice", i + 1));
      std::vector<net::Frame> later = capture.frames;
      const std::size_t at = std::min(i + 4, later.size());
      later.insert(later.begin() + static_cast<std::ptrdiff_t>(at), later[i]);
      comparison.expect_nothing_new(later, fmt::format("with frame {} again after frame {}", i + 1, at));
    }
    std::vector<net::Frame> all;
    for (const net::Frame& f : capture.frames) all.insert(all.end(), 2, f);
    comparison.expect_nothing_new(all, "with every frame twice");
  }
  Faults::all().settle(2000);
}

}  // namespace
}  // namespace iwarpscope::test
