// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Connection against the slow model, on random scripts.
#include <random>

#include "shared/tcp/kit.h"
#include "shared/tcp/model.h"
#include "support/rounds.h"

namespace iwarpscope::tcp::test {
namespace {

struct Plan {
  bool conflicts = false;  ///< repeated octets may differ
  bool cuts = false;       ///< frames may be cut
  bool gaps = false;       ///< ACKs may cover what was not seen
  bool fin = false;
  bool handshake = true;
};

/// Random traffic of both directions, fed to a Connection and to two models.
class Script {
 public:
  Script(std::uint32_t seed, const Plan& plan, const Limits& limits)
      : random_(seed), plan_(plan), bench_({0u - pick(700) - 1, 0u - pick(700) - 1}, limits) {
    if (plan.handshake) bench_.handshake();
    started_ = {plan.handshake, plan.handshake};
  }

  void run(int steps) {
    for (int i = 0; i < steps; ++i) {
      bench_.step = static_cast<std::int64_t>(pick(3'000'000));
      const Direction d = pick(2) == 0 ? kA : kB;
      if (pick(5) == 0) {
        empty(d);
      } else {
        payload(d);
      }
    }
    if (plan_.fin) {
      for (const Direction d : {kA, kB}) fin(d);
      for (int i = 0; i < 10; ++i) payload(pick(2) == 0 ? kA : kB);
    }
  }
  void finish() {
    bench_.finish();
    for (Model& model : models_) model.finish();
  }
  void compare() {
    for (const Direction d : {kA, kB}) {
      std::map<std::uint64_t, Place> result;
      for (const Call& call : bench_.sinks[index(d)].calls) {
        for (std::uint64_t i = 0; i < call.length; ++i) {
          const std::uint64_t at = call.offset + i - kStreamOrigin.value;
          result[at] = call.octets.empty() ? Place{std::nullopt, call.reason} : Place{call.octets[i], {}};
        }
      }
      const auto& expected = models_[index(d)].result;
      for (const auto& [at, place] : expected) {
        const auto found = result.find(at);
        ASSERT_NE(found, result.end()) << "offset " << at << " is lacking";
        ASSERT_EQ(found->second.octet, place.octet) << "offset " << at;
        ASSERT_EQ(found->second.reason, place.reason) << "offset " << at;
      }
      ASSERT_EQ(result.size(), expected.size());
    }
  }
  /// What holds with limits and time-outs too: order is checked by the recorder, octets are those sent.
  void check_invariants(bool to_the_end) {
    for (const Direction d : {kA, kB}) {
      std::uint64_t covered = 0;
      for (const Call& call : bench_.sinks[index(d)].calls) {
        covered += call.length;
        if (call.octets.empty() || plan_.conflicts) continue;
        ASSERT_EQ(call.octets, pattern(call.offset - kStreamOrigin.value, call.octets.size()));
      }
      ASSERT_EQ(kStreamOrigin + covered, bench_.connection->next_offset(d));
      if (to_the_end) {
        ASSERT_GE(covered, fin_[index(d)].value_or(seen_[index(d)]));
      }
    }
    ASSERT_LE(bench_.count(findings::FindingId::capture_buffer_limit), 2u);
    if (!plan_.conflicts) {
      ASSERT_EQ(bench_.count(findings::FindingId::tcp_retransmission_differs), 0u);
    }
    if (!plan_.fin) {
      ASSERT_EQ(bench_.count(findings::FindingId::tcp_data_after_fin), 0u);
    }
  }
  [[nodiscard]] bool gives_all_back(std::size_t octets) {
    bench_.connection.reset();
    return bench_.budget.take(octets);
  }
  [[nodiscard]] const Bench& bench() const { return bench_; }

 private:
  std::uint32_t pick(std::uint32_t below) { return static_cast<std::uint32_t>(random_() % below); }

  /// The direction's first TCP segment without a handshake must be its first octet, or the two count differently.
  bool start(Direction d, std::uint64_t& begin) {
    if (started_[index(d)]) return false;
    begin = 0;
    started_[index(d)] = true;
    return true;
  }
  std::uint32_t acknowledgment(Direction d, bool payload) {
    const std::size_t o = index(opposite(d));
    std::uint64_t upto = received_[o] + pick(80);
    const std::uint64_t most = plan_.gaps ? seen_[o] + 20 : contiguous(o);
    upto = std::min(upto, most);
    received_[o] = std::max(received_[o], upto);
    if (started_[o] && payload) models_[o].answer(received_[o]);
    if (started_[o] && !payload) models_[o].acknowledge(received_[o]);
    return bench_.sequence(opposite(d), received_[o]);
  }
  [[nodiscard]] std::uint64_t contiguous(std::size_t o) const {
    std::uint64_t at = 0;
    for (const auto& [begin, end] : intervals_[o]) {
      if (begin > at) break;
      at = std::max(at, end);
    }
    return at;
  }
  void payload(Direction d) {
    const std::size_t i = index(d);
    std::uint64_t begin = 0;
    const std::size_t length = 1 + pick(pick(4) == 0 ? 200 : 30);
    switch (pick(6)) {
      case 0:  // a hole
        begin = seen_[i] + pick(60);
        break;
      case 1:  // anywhere before
      case 2: begin = seen_[i] - std::min<std::uint64_t>(seen_[i], pick(150)); break;
      default:  // next
        begin = seen_[i];
    }
    start(d, begin);
    Bytes octets = pattern(begin, length);
    if (plan_.conflicts && pick(3) == 0) octets[pick(static_cast<std::uint32_t>(length))] = std::byte{0xEE};
    const std::size_t captured = plan_.cuts && pick(4) == 0 ? pick(static_cast<std::uint32_t>(length)) : length;
    // One octet without PSH may be a keep-alive's; another test covers that.
    Packet packet(d, bench_.sequence(d, begin), length == 1 ? flag::psh : std::uint8_t{0}, octets);
    if (started_[1 - i]) static_cast<void>(std::move(packet).ack(acknowledgment(d, true)));
    seen_[i] = std::max(seen_[i], begin + length);
    intervals_[i].emplace(begin, begin + length);
    // A single octet before the next one is a keep-alive; the model need not know: it has nothing new.
    models_[i].payload(begin, length, octets.data(), captured);
    bench_.feed(d, std::move(packet).ip_id(static_cast<std::uint16_t>(1 + pick(60000))).cut(captured));
  }
  void empty(Direction d) {
    const std::size_t i = index(d);
    if (!started_[i] || !started_[1 - i]) return;
    const std::uint64_t at = seen_[i] + (plan_.gaps ? pick(10) : 0);
    const std::uint32_t ack = acknowledgment(d, false);
    models_[i].empty(at);
    bench_.feed(d, bench_.empty(d, at).ack(ack).ip_id(static_cast<std::uint16_t>(1 + pick(60000))));
  }
  void fin(Direction d) {
    const std::size_t i = index(d);
    if (!started_[i]) return;
    const std::uint64_t at = seen_[i] + pick(30);
    models_[i].fin(at);
    seen_[i] = at;
    fin_[i] = at;
    Packet packet = bench_.empty(d, at, flag::fin);
    if (started_[1 - i]) static_cast<void>(std::move(packet).ack(acknowledgment(d, true)));
    bench_.feed(d, std::move(packet));
  }

  std::mt19937 random_;
  Plan plan_;
  Bench bench_;
  std::array<Model, 2> models_;
  std::array<bool, 2> started_{};
  std::array<std::uint64_t, 2> seen_{};
  std::array<std::optional<std::uint64_t>, 2> fin_;  ///< octets after it are left out
  std::array<std::uint64_t, 2> received_{};
  std::array<std::multimap<std::uint64_t, std::uint64_t>, 2> intervals_;
};

Limits unlimited() {
  Limits limits;
  limits.max_buffered_chunks = 1u << 20;
  limits.hole_timeout_ns = std::int64_t{1} << 60;
  return limits;
}

class Against : public ::testing::TestWithParam<int> {
 protected:
  [[nodiscard]] static Plan plan() {
    const int bits = GetParam();
    return {.conflicts = (bits & 1) != 0,
            .cuts = (bits & 2) != 0,
            .gaps = (bits & 4) != 0,
            .fin = (bits & 8) != 0,
            .handshake = (bits & 16) != 0};
  }
};

TEST_P(Against, ModelAfterEachScript) {
  for (std::uint32_t seed = 0; seed < iwarpscope::test::rounds(30U); ++seed) {
    SCOPED_TRACE(seed);
    Script script(seed * 32 + static_cast<std::uint32_t>(GetParam()), plan(), unlimited());
    for (int part = 0; part < 4; ++part) {
      script.run(part == 3 ? 20 : 10);
      script.compare();
      if (HasFatalFailure()) return;
      if (plan().fin) break;
    }
    script.finish();
    script.compare();
    script.check_invariants(true);
    if (HasFatalFailure()) return;
  }
}

TEST_P(Against, InvariantsWithTightLimitsAndTimeOuts) {
  for (std::uint32_t seed = 0; seed < iwarpscope::test::rounds(20U); ++seed) {
    SCOPED_TRACE(seed);
    Limits limits;
    limits.max_buffered_octets = 1 + seed * 9;
    limits.max_buffered_chunks = seed % 5;
    limits.hole_timeout_ns = seed % 2 == 0 ? 5'000'000 : std::int64_t{1} << 60;
    Script script(seed * 32 + static_cast<std::uint32_t>(GetParam()), plan(), limits);
    script.run(200);
    script.check_invariants(false);
    script.finish();
    script.check_invariants(true);
    if (HasFatalFailure()) return;
    ASSERT_TRUE(script.gives_all_back(64u << 20));
  }
}

INSTANTIATE_TEST_SUITE_P(Plans, Against, ::testing::Range(0, 32));

}  // namespace
}  // namespace iwarpscope::tcp::test
