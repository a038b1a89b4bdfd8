// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// TCP traffic that is no iWARP, in thousands of connections: no queue pair may come of it.
#include <gtest/gtest.h>

#include <array>

#include "support/analysis.h"
#include "support/rounds.h"
#include "synth/connection.h"
#include "synth/ordinary.h"

namespace iwarpscope::test {
namespace {

using synth::Ordinary;
using synth::Side;

struct Counter final : analysis::Observer {
  std::uint64_t qps = 0, connections = 0;
  std::string first;
  void qp(const qp::QpRecord&) override { ++qps; }
  void finding(const findings::Finding& f) override {
    if (f.qp && first.empty()) first = f.text;
  }
};

/// Feeds `count` connections, each of another seed, some joined mid-stream; what they carry is `fill`'s.
template <class Fill>
Counter analyze_many(unsigned count, Fill fill) {
  Counter counter;
  analysis::Analyzer analyzer({}, counter);
  std::uint64_t number = 0;
  for (unsigned i = 0; i < rounds(count); ++i) {
    synth::ConnectionOptions options;
    options.initiator.port = static_cast<std::uint16_t>(1024 + i % 60'000);
    options.initiator.isn = i * 0x9E3779B9U;
    options.responder.port = static_cast<std::uint16_t>(i % 3 == 0 ? 4420 : i % 3 == 1 ? 445 : 8080);
    options.seed = i;
    synth::Connection c(options);
    if (i % 2 == 0) c.connect();
    fill(c, i);
    if (i % 4 < 2) c.close();
    for (const synth::Frame& f : c.frames()) analyzer.feed(frame_of(f, ++number));
    ++counter.connections;
  }
  analyzer.finish({});
  return counter;
}

class OrdinaryTraffic : public testing::TestWithParam<Ordinary> {};

TEST_P(OrdinaryTraffic, IsNeverTakenForIwarp) {
  const Counter counter =
      analyze_many(1500, [&](synth::Connection& c, unsigned i) { synth::ordinary(c, GetParam(), 6, i); });
  EXPECT_EQ(counter.qps, 0u) << counter.first;
}

std::string kind_name(const testing::TestParamInfo<Ordinary>& kind) {
  constexpr std::array kNames{"Http", "Tls", "NvmeTcp", "MpaQuote", "Random"};
  return kNames[static_cast<std::size_t>(kind.param)];
}
INSTANTIATE_TEST_SUITE_P(All, OrdinaryTraffic,
                         testing::Values(Ordinary::http, Ordinary::tls, Ordinary::nvme_tcp, Ordinary::mpa_quote,
                                         Ordinary::random),
                         kind_name);

TEST(MonotonousTraffic, OfAnyOctetIsNeverTakenForIwarp) {
  const Counter counter = analyze_many(1024, [](synth::Connection& c, unsigned i) {
    for (const std::size_t size : {1448U, 4U, 20U, 5000U}) {
      c.stream(Side::initiator, synth::Buffer(size, static_cast<std::byte>(i)));
      c.stream(Side::responder, synth::Buffer(size + i % 64, static_cast<std::byte>(i * 7)));
    }
  });
  EXPECT_EQ(counter.qps, 0u) << counter.first;
}

/// Small numbers in 2 or 4 octets, as tables and counters are: the first two read as a ULPDU_Length.
TEST(CountingTraffic, IsNeverTakenForIwarp) {
  const Counter counter = analyze_many(1500, [](synth::Connection& c, unsigned i) {
    synth::Random random(i);
    for (unsigned round = 0; round < 8; ++round) {
      synth::Buffer octets;
      const unsigned width = 1U << random.below(4);
      const std::uint64_t step = random.below(300);
      for (std::uint64_t n = random.below(100); octets.size() < 1000 + random.below(2000); n += step) {
        for (unsigned o = 0; o < width; ++o) octets.push_back(static_cast<std::byte>(n >> (8 * (width - 1 - o))));
      }
      c.stream(round % 2 == 0 ? Side::initiator : Side::responder, octets);
    }
  });
  EXPECT_EQ(counter.qps, 0u) << counter.first;
}

/// Records after a 2-octet length, with small type fields: as near to FPDUs without CRC as other protocols come.
TEST(LengthPrefixedTraffic, IsNeverTakenForIwarp) {
  const Counter counter = analyze_many(1500, [](synth::Connection& c, unsigned i) {
    synth::Random random(i);
    for (unsigned round = 0; round < 10; ++round) {
      synth::Buffer octets;
      for (unsigned records = 0; records < 1 + random.below(6); ++records) {
        const auto length = static_cast<std::size_t>(14 + random.below(400));
        octets.push_back(static_cast<std::byte>(length >> 8));
        octets.push_back(static_cast<std::byte>(length));
        octets.push_back(static_cast<std::byte>(random.chance(500) ? 0x41 : random.below(4)));
        octets.push_back(static_cast<std::byte>(random.chance(500) ? 0x43 : random.below(16)));
        const synth::Buffer body = random.octets(length - 2);
        octets.insert(octets.end(), body.begin(), body.end());
      }
      c.stream(round % 2 == 0 ? Side::initiator : Side::responder, octets);
    }
  });
  EXPECT_EQ(counter.qps, 0u) << counter.first;
}

}  // namespace
}  // namespace iwarpscope::test
