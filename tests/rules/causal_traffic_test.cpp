// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Ends that wait for what they have to wait for, and keep to the depth of reads: whatever the network and the capture
// do to what they send, no rule about that may speak.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <string>

#include "findings/catalogue.h"
#include "rules/startup_traffic.h"
#include "support/analysis.h"
#include "support/rounds.h"
#include "synth/random.h"

namespace iwarpscope::test {
namespace {

using enum findings::FindingId;
using synth::Connection;
using synth::Packing;
using synth::Random;
using synth::Side;

constexpr std::uint64_t kSeeds = 1000;

constexpr auto kCausal = std::to_array<findings::FindingId>({
    mpa_startup_slow,
    mpa_fpdu_before_reply,
    mpa_reply_before_request,
    mpa_responder_sends_first,
    rdmap_response_before_request,
    rdmap_too_many_reads,
    rdmap_too_many_atomics,
    rdmap_read_queue_flooded,
    rdmap_terminate_names_unsent,
    rdmap_terminate_segment_length_wrong,
    rdmap_terminate_not_first_error,
    rdmap_error_ignored,
    rdmap_extension_refused,
    rdmap_reset_inside_message,
});

/// Two ends and what each of them has asked the other for.
class Talk {
 public:
  Talk(std::uint64_t seed, const synth::Impairment& impairment, bool swaps) : random_(seed), swaps_(swaps) {
    impairment_ = impairment;
    impairment_.seed = seed;
  }

  synth::Frames play() {
    begin();
    for (std::uint64_t n = random_.between(5, 60); n > 0; --n) step();
    finish();
    if (swaps_) swap_ports();
    return c_.frames();
  }

 private:
  void begin() {
    c_.impair(impairment_);
    c_.connect();
    depth_ = {static_cast<unsigned>(random_.between(1, 6)), static_cast<unsigned>(random_.between(1, 6))};
    synth::Startup s{.request_enhanced = depths(depth_[1], depth_[0]), .reply_enhanced = depths(depth_[0], depth_[1])};
    s.crc = random_.chance(600);
    s.markers = random_.chance(300);
    c_.request(synth::request_frame(s));
    c_.flush();
    c_.reply(synth::reply_frame(s));
    c_.flush();
    c_.send(kI, random_.between(0, 200));
    c_.flush();
  }

  void repack() {
    switch (random_.below(4)) {
      case 0: c_.packing(Packing::fpdu_per_tcp_segment); break;
      case 1: c_.packing(Packing::packed); break;
      case 2: c_.packing(Packing::cut, {random_.between(1, 60), random_.between(20, 900)}); break;
      case 3: c_.packing(Packing::crc_alone); break;
    }
  }

  void step() {
    const Side side = random_.chance(700) ? kI : kR;
    const std::size_t i = synth::index(side);
    switch (random_.below(6)) {
      case 0: c_.send(side, random_.between(0, 3000)); break;
      case 1: c_.write(side, STag{0x100}, TaggedOffset{random_.below(1000)}, random_.between(0, 3000)); break;
      case 2:
        if (reads_[i] + atomics_[i] == depth_[i]) return answer(side);
        c_.read_request(side, {.size = static_cast<std::uint32_t>(random_.between(0, 2000))});
        ++reads_[i];
        break;
      case 3:
        // Mixed orders are for the rules of responses; here reads and atomics wait in turn.
        if (reads_[i] != 0 || atomics_[i] == depth_[i]) return answer(side);
        c_.atomic_request(side, {});
        ++atomics_[i];
        break;
      case 4: answer(side); break;
      case 5: repack(); break;
    }
  }

  /// The oldest request of `side` is answered, when it has come and what was asked before it.
  void answer(Side side) {
    const std::size_t i = synth::index(side);
    if (reads_[i] + atomics_[i] == 0) return;
    c_.flush();
    if (atomics_[i] != 0) {
      c_.atomic_response(synth::peer(side));
      --atomics_[i];
    } else {
      c_.read_response(synth::peer(side));
      --reads_[i];
    }
    c_.flush();
  }

  void finish() {
    for (const Side side : {kI, kR}) {
      while (reads_[synth::index(side)] + atomics_[synth::index(side)] != 0) answer(side);
    }
    c_.flush();
    switch (random_.below(4)) {
      case 0: c_.close(); break;
      case 1: c_.reset(random_.chance(500) ? kI : kR); break;
      case 2:
        c_.terminate_last(kR, 1, 2, 5);
        c_.close();
        break;
      case 3: break;  // the capture ends
    }
  }

  /// Two ports of a mirror, merged out of order: neighbours of different senders change places.
  void swap_ports() {
    std::vector<synth::TcpSegment>& seen = c_.tcp_segments();
    for (std::size_t k = 5; k + 1 < seen.size(); ++k) {
      if (seen[k].sender != seen[k + 1].sender && random_.chance(200)) std::swap(seen[k], seen[k + 1]);
    }
  }

  Random random_;
  Connection c_;
  synth::Impairment impairment_;
  const bool swaps_;
  std::array<unsigned, 2> depth_{};
  std::array<unsigned, 2> reads_{};
  std::array<unsigned, 2> atomics_{};
};

bool is_wrong_here(const findings::Finding& finding) {
  const findings::Rule& rule = findings::rule(finding.id);
  return (rule.severity == findings::Severity::error && rule.about == findings::About::peer) ||
         std::find(kCausal.begin(), kCausal.end(), finding.id) != kCausal.end();
}

std::string wrong_findings(const Report& report) {
  std::string all;
  for (const findings::Finding& f : report.findings) {
    if (is_wrong_here(f)) all += std::string(findings::rule(f.id).code) + ": " + f.text + "\n";
  }
  return all;
}

void expect_silence(const synth::Impairment& impairment, bool swaps = false) {
  std::uint64_t counted = 0;
  for (std::uint64_t seed = 1; seed <= rounds(kSeeds); ++seed) {
    const Report report = analyze(Talk(seed, impairment, swaps).play());
    ASSERT_EQ(wrong_findings(report), "") << "seed " << seed;
    for (const qp::QpRecord& qp : report.qps) {
      const bool whole = qp.directions[0].capture_gap_octets + qp.directions[1].capture_gap_octets == 0;
      for (const qp::DirectionRecord& d : qp.directions) {
        if (!whole || !d.read_credit || !d.read_credit->limit) continue;
        ++counted;
        EXPECT_LE(d.read_credit->all.peak, *d.read_credit->limit) << "seed " << seed;
        EXPECT_EQ(d.read_credit->reads.over_limit, 0u) << "seed " << seed;
      }
    }
  }
  EXPECT_GT(counted, rounds(100u));  // something was counted
}

TEST(CausalTraffic, OverAGoodNetworkBreaksNoRule) {
  expect_silence({});
}
TEST(CausalTraffic, LostReorderedAndRepeatedBreaksNoRule) {
  expect_silence({.lose_before_tap = 40, .lose_after_tap = 40, .hold_back = 60, .retransmit = 40, .corrupt = 20});
}
TEST(CausalTraffic, MirroredTwiceBreaksNoRule) {
  expect_silence({.lose_after_tap = 20, .mirror_duplicate = 300});
}
TEST(CausalTraffic, NotAllOfItCapturedBreaksNoRule) {
  expect_silence({.lose_after_tap = 20, .miss = 80, .hold_back = 20});
}
TEST(CausalTraffic, PortsMergedOutOfOrderBreakNoRule) {
  expect_silence({}, true);
}
TEST(CausalTraffic, AllOfItAtOnceBreaksNoRule) {
  expect_silence({.lose_before_tap = 20,
                  .lose_after_tap = 20,
                  .miss = 20,
                  .hold_back = 20,
                  .mirror_duplicate = 20,
                  .retransmit = 20,
                  .corrupt = 20},
                 true);
}

}  // namespace
}  // namespace iwarpscope::test
