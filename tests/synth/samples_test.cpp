// The registry of samples and the loads.
#include "synth/samples.h"

#include <gtest/gtest.h>

#include <set>
#include <stdexcept>

#include "synth/load.h"

namespace iwarpscope::synth {
namespace {

TEST(Samples, NamesAreUniqueAndFilesRepeatable) {
  std::set<std::string> names;
  for (const Sample& s : samples()) {
    EXPECT_TRUE(names.insert(s.name).second) << s.name;
    const Frames frames = s.make(s.name);
    EXPECT_GE(frames.size(), 5U) << s.name;
    EXPECT_EQ(write_file(frames, s.file), write_file(s.make(s.name), s.file)) << s.name;
    for (std::size_t i = 1; i < frames.size(); ++i) EXPECT_LE(frames[i - 1].time_ns, frames[i].time_ns) << s.name;
  }
  EXPECT_GE(names.size(), 100U);
}

TEST(Samples, SamplesWithADescriptionOfTheirOwnDiffer) {
  std::map<Buffer, std::string> seen;
  for (const Sample& s : samples()) {
    const auto [other, fresh] = seen.emplace(write_file(s.make(s.name), s.file), s.name);
    EXPECT_TRUE(fresh) << s.name << " is " << other->second;
  }
}

TEST(Samples, UnknownNameThrows) {
  EXPECT_THROW((void)sample("no-such-sample"), std::invalid_argument);
}

struct Count {
  std::uint64_t frames = 0;
  std::uint64_t octets = 0;
  std::int64_t last = 0;
  bool ordered = true;
  FrameSink sink() {
    return [this](Frame&& frame) {
      ++frames;
      octets += frame.octets.size();
      ordered = ordered && frame.time_ns >= last;
      last = frame.time_ns;
    };
  }
};

TEST(Load, BulkReachesItsSizeAndStopsSoonAfter) {
  Count count;
  bulk({.octets = 3'000'000, .markers = true}, count.sink());
  EXPECT_GE(count.octets, 3'000'000U);
  EXPECT_LT(count.octets, 3'400'000U);
  EXPECT_TRUE(count.ordered);
}

TEST(Load, SmallPacksManyFpdusIntoATcpSegment) {
  Count count;
  small({.octets = 1'000'000}, count.sink());
  EXPECT_GE(count.octets, 1'000'000U);
  EXPECT_LT(count.frames, 1'500U);
}

TEST(Load, CountsAreKept) {
  Count idle;
  idle_qps(10, idle.sink());
  EXPECT_EQ(idle.frames, 70U);
  Count syns;
  syn_flood(100, syns.sink());
  EXPECT_EQ(syns.frames, 100U);
  Count fragments;
  tiny_fragments(100, fragments.sink());
  EXPECT_EQ(fragments.frames, 100U);
  Count plain;
  plain_connections(30, plain.sink());
  EXPECT_EQ(plain.frames, 30U * 3 + 30 + 20);
  Count garbage;
  garbage_markers(100'000, garbage.sink());
  EXPECT_GE(garbage.octets, 100'000U);
}

}  // namespace
}  // namespace iwarpscope::synth
