// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The registry of samples and the loads.
#include "synth/samples.h"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <stdexcept>
#include <tuple>

#include "synth/load.h"
#include "synth/sctp_reader.h"

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

TEST(Merge, TimesOrderAndTiesKeepTheArguments) {
  const auto frame = [](std::int64_t time, std::uint32_t tag) {
    return Frame{.time_ns = time, .original_length = tag};
  };
  std::vector<std::uint32_t> tags;
  for (const Frame& f : merge({{frame(2, 1), frame(2, 2)}, {frame(1, 3), frame(2, 4)}}))
    tags.push_back(f.original_length);
  EXPECT_EQ(tags, (std::vector<std::uint32_t>{3, 1, 2, 4}));
}

TEST(Samples, StreamsWithMarkersAreReadBack) {
  for (const auto& [name, to_responder, to_initiator, crc] :
       {std::tuple{"all-opcodes-markers", true, true, true}, std::tuple{"all-opcodes-markers-nocrc", true, true, false},
        std::tuple{"all-opcodes-markers-to-responder", true, false, true},
        std::tuple{"all-opcodes-markers-to-initiator", false, true, true},
        std::tuple{"packed-markers", true, true, true}, std::tuple{"lossy-reordered-markers", true, true, true}}) {
    const Frames frames = sample(name).make(name);
    EXPECT_GT(test::ulpdus(test::stream(frames, Side::initiator, 0x1000), to_responder, crc).size(), 10U) << name;
    EXPECT_GT(test::ulpdus(test::stream(frames, Side::responder, 0x80000000), to_initiator, crc).size(), 5U) << name;
  }
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

// Three of four sizes are 64 and most opcodes Sends: the number of frames of each length shows the distribution.
TEST(Load, AMixtureIsDrawnFromItsDistributions) {
  const auto lengths = [](std::uint64_t seed) {
    std::map<std::size_t, unsigned> count;
    const MixtureOptions options{.octets = 2'000'000,
                                 .sizes = {{64, 64, 3}, {1000, 1099, 1}},
                                 .opcodes = {{MixedOpcode::send, 8}, {MixedOpcode::immediate, 2}},
                                 .seed = seed};
    mixture(options, [&](Frame&& frame) { ++count[frame.octets.size()]; });
    return count;
  };
  const auto one = lengths(1);
  EXPECT_EQ(one, lengths(1));
  EXPECT_NE(one, lengths(2));
  const std::size_t without_payload = 14 + 20 + 32 + 2 + 18 + 4;  // TCP with Timestamps
  unsigned large = 0;
  for (const auto& [length, count] : one) large += length >= 1000 ? count : 0;
  const double small = one.at(without_payload + 64);
  EXPECT_NEAR(large / small, 1.0 / 3, 0.05);
  EXPECT_NEAR(one.at(without_payload + 8) / (small + large), 2.0 / 8, 0.05);
}

TEST(Load, OverSctpMessagesAlternateOnEachStream) {
  Frames frames;
  std::uint64_t octets = 0;
  const FrameSink sink = [&](Frame&& frame) {
    octets += frame.octets.size();
    EXPECT_LE(frame.octets.size(), 9014U);
    frames.push_back(std::move(frame));
  };
  bulk({.octets = 2'000'000, .mtu = 9000, .connections = 1, .carrying = {.sctp = true, .streams = 3}}, sink);
  EXPECT_GE(octets, 2'000'000U);
  EXPECT_LT(octets, 2'400'000U);
  std::map<unsigned, std::uint64_t> next;
  for (const test::ReadMessage& m : test::messages(test::read_sctp(frames), 20'000)) {
    EXPECT_EQ(m.ddp_ssn, next[m.stream]++);
  }
  EXPECT_EQ(next.size(), 3U);
  EXPECT_GT(next[2], 30U);
}

TEST(Load, SmallOverSctpBundlesManyChunks) {
  Count count;
  small({.octets = 1'000'000, .carrying = {.sctp = true, .streams = 4}}, count.sink());
  EXPECT_GE(count.octets, 1'000'000U);
  EXPECT_LT(count.frames, 1'500U);
  EXPECT_TRUE(count.ordered);
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
