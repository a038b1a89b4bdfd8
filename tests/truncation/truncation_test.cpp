// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Files cut at any position, and frames cut by a snap length.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "capture/file_reader.h"
#include "engine/engine.h"
#include "support/rounds.h"
#include "synth/random.h"
#include "truncation/captures.h"

namespace iwarpscope::test {
namespace {

std::vector<net::Frame> first(const std::vector<net::Frame>& frames, std::size_t count) {
  return {frames.begin(), frames.begin() + static_cast<std::ptrdiff_t>(count)};
}

/// The frames of the file cut after `octets` must be the first of all its frames. Returns their number.
std::size_t expect_prefix(const Capture& capture, std::size_t octets) {
  const std::vector<net::Frame> left = parse(Octets(capture.file).first(octets));
  bool same = left.size() <= capture.frames.size();
  for (std::size_t i = 0; same && i < left.size(); ++i) {
    const net::Frame &x = left[i], &y = capture.frames[i];
    same = x.octets.data() == y.octets.data() && x.octets.size() == y.octets.size() && x.number == y.number &&
           x.time == y.time && x.original_length == y.original_length;
  }
  if (!same) Faults::all().add(fmt::format("{} cut after {} octets: other frames", capture.path, octets));
  return std::min(left.size(), capture.frames.size());
}

/// The result for a cut file depends only on the complete frames in it: each number of them is analysed once.
void cut_everywhere(const Capture& capture) {
  Comparison comparison(capture, {.messages = true});
  std::size_t analysed = capture.frames.size() + 1;
  for (std::size_t octets = 0; octets <= capture.file.size(); octets += 8 / rounds(std::size_t{8})) {
    const std::size_t count = expect_prefix(capture, octets);
    if (count == analysed) continue;
    analysed = count;
    comparison.expect_nothing_new(first(capture.frames, count), fmt::format("cut after {} octets", octets));
  }
}

void cut_somewhere(const Capture& capture, std::size_t places) {
  Comparison comparison(capture);
  synth::Random random(capture.file.size());
  for (std::size_t i = 0; i < rounds(places); ++i) {
    const std::size_t octets = random.below(capture.file.size());
    // A position in a large file needs parsing from its start: a few positions show that the frames are a prefix.
    const std::size_t count = i < 3 ? expect_prefix(capture, octets) : random.below(capture.frames.size());
    comparison.expect_nothing_new(first(capture.frames, count), fmt::format("cut to {} frames", count));
  }
}

TEST(Captures, ReadInMemoryAreThoseTheReaderReads) {
  std::size_t small = 0;
  for (const Capture& capture : captures()) {
    auto reader = capture::FileReader::open(capture.full_path);
    ASSERT_TRUE(reader) << capture.path;
    std::size_t frames = 0, octets = 0;
    for (auto batch = reader->next_batch(); batch && !batch->empty(); batch = reader->next_batch()) {
      for (const net::Frame& f : *batch) ++frames, octets += f.octets.size();
    }
    ASSERT_EQ(frames, capture.frames.size()) << capture.path;
    for (const net::Frame& f : capture.frames) octets -= f.octets.size();
    ASSERT_EQ(octets, 0u) << capture.path;
    if (capture.is_small()) ++small;
  }
  EXPECT_GT(small, 100u);
}

TEST(CutFile, AtEveryOctetOfSmallSamplesBlamesNoOtherEnd) {
  for (const Capture& capture : captures()) {
    if (capture.is_small()) cut_everywhere(capture);
  }
  Faults::all().settle(2000);
}

TEST(CutFile, AtRandomOctetsOfLargeSamplesBlamesNoOtherEnd) {
  for (const Capture& capture : captures()) {
    if (!capture.is_small()) cut_somewhere(capture, exhaustive() || capture.frames.size() < 2000 ? 300 : 40);
  }
  Faults::all().settle(200);
}

/// The same through the reader: no failure, and the cut is reported unless it is between two records.
TEST(CutFile, ReadFromTheDiskIsAnalysedToItsEnd) {
  const std::string path = ::testing::TempDir() + "iwarpscope-cut-" + std::to_string(::getpid());
  struct Nothing final : analysis::Observer {
    std::uint64_t frames = 0;
    void capture(const analysis::CaptureRecord& r) override { frames = r.frames; }
  };
  std::uint64_t analysed = 0, reported = 0;
  for (const Capture& capture : captures()) {
    if (std::filesystem::file_size(capture.full_path) > 100'000) continue;
    std::ifstream in(capture.full_path, std::ios::binary);
    const std::string octets((std::istreambuf_iterator<char>(in)), {});
    const std::size_t step = exhaustive() ? 7 : std::max<std::size_t>(octets.size() / 5, 1);
    for (std::size_t count = 1; count < octets.size(); count += step) {
      std::ofstream(path, std::ios::binary) << octets.substr(0, count);
      Nothing found;
      const auto outcome = engine::analyze({.file = path, .options = {}, .filter = {}, .progress = {}}, found);
      if (!outcome) {
        EXPECT_NE(outcome.error().find(path), std::string::npos) << outcome.error();
        continue;
      }
      ++analysed;
      if (!outcome->truncated.empty()) ++reported;
      // One sample is damaged on purpose.
      const bool damaged = capture.path.find("damaged-file") != std::string::npos;
      EXPECT_TRUE(damaged || outcome->damaged.empty())
          << capture.path << " after " << count << ": " << outcome->damaged;
      if (!capture.compressed) {
        EXPECT_EQ(found.frames, parse(Octets(capture.file).first(count)).size()) << capture.path << " after " << count;
      }
    }
  }
  std::filesystem::remove(path);
  EXPECT_GT(analysed, 500u);
  EXPECT_GT(reported, analysed / 2);
}

TEST(CutFrames, BySnapLengthsBlameNoOtherEnd) {
  for (const Capture& capture : captures()) {
    Comparison comparison(capture, {.messages = false});
    for (const std::size_t length : {40, 54, 60, 66, 80, 96, 100, 128, 200, 500, 1000}) {
      std::vector<net::Frame> frames = capture.frames;
      for (net::Frame& f : frames) f.octets = f.octets.first(std::min(f.octets.size(), length));
      comparison.expect_nothing_new(frames, fmt::format("with a snap length of {}", length));
    }
  }
  Faults::all().settle(2000);
}

TEST(CutFrames, OneAtATimeBlameNoOtherEnd) {
  for (const Capture& capture : captures()) {
    if (!capture.is_small()) continue;
    Comparison comparison(capture, {.messages = false});
    synth::Random random(capture.file.size());
    std::vector<net::Frame> frames = capture.frames;
    for (net::Frame& f : frames) {
      const Octets all = f.octets;
      f.octets = all.first(random.between(14, all.size()));
      comparison.expect_nothing_new(frames, fmt::format("with {} octets of frame {}", f.octets.size(), f.number.value));
      f.octets = all;
    }
  }
  Faults::all().settle(2000);
}

}  // namespace
}  // namespace iwarpscope::test
