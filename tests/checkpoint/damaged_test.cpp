// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The state of an engine, damaged in every place: it is refused, or an engine goes on with it as with any other.
// Nothing says that the traffic after it still fits, so only crashes, wrong accesses and memory count.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "checkpoint/kit.h"
#include "support/allocations.h"

namespace iwarpscope::test {
namespace {

/// What a state may make an engine allocate: that many octets for each one, and a block of each table.
constexpr std::size_t kMostOctets = 4u << 20, kFactor = 64;

#ifdef IWARPSCOPE_SANITIZED
constexpr std::size_t kStep = 61;  ///< of each so many places one: a sanitizer takes a minute for all of a small state
#else
constexpr std::size_t kStep = 1;
#endif

struct Ignored final : analysis::Observer {};

analysis::Options few_options() {
  analysis::Options all;
  all.messages = true;
  all.limits.max_flows = 64;
  all.limits.max_qps = 64;
  all.limits.buffer_octets = 1 << 20;
  return all;
}

std::vector<std::byte> state_after(const std::vector<net::Frame>& frames, std::size_t cut) {
  Ignored observer;
  analysis::Engine engine(few_options(), observer);
  for (std::size_t k = 0; k < cut; ++k) engine.feed(frames[k]);
  Archive archive(std::size_t{1} << 24);
  engine.archive(archive);
  EXPECT_FALSE(archive.has_failed());
  return archive.take_written();
}

/// The most octets that the call had allocated at one time. With a sanitizer, which allocates for itself: 0.
template <class Call>
std::size_t most_allocated(Call call) {
#ifdef IWARPSCOPE_SANITIZED
  call();
  return 0;
#else
  const std::size_t before = allocations().live;
  allocations().most = before;
  call();
  return allocations().most - before;
#endif
}

/// True: it was taken, and the rest of the sample was analysed with it.
bool goes_on(Octets state, const std::vector<net::Frame>& frames, std::size_t cut) {
  Ignored observer;
  analysis::Engine engine(few_options(), observer);
  Archive archive(state, engine.words());
  EXPECT_LT(most_allocated([&] { engine.archive(archive); }), kMostOctets + kFactor * state.size());
  if (!archive.is_complete()) return false;
  for (std::size_t k = cut; k < frames.size(); ++k) engine.feed(frames[k]);
  engine.conclude({});
  return true;
}

class DamagedState : public testing::TestWithParam<const char*> {
 protected:
  void change_each_octet(std::size_t cut) const;
  void cut_each_length(std::size_t cut) const;

  const std::vector<net::Frame>& frames = sample(GetParam()).frames;
};

void DamagedState::change_each_octet(std::size_t cut) const {
  const std::vector<std::byte> state = state_after(frames, cut);
  ASSERT_TRUE(goes_on(state, frames, cut));
  std::size_t refused = 0;
  for (std::size_t at = 0; at < state.size(); at += kStep) {
    for (const std::byte change : {std::byte{0x01}, std::byte{0x80}, std::byte{0xFF}}) {
      std::vector<std::byte> damaged = state;
      damaged[at] ^= change;
      refused += goes_on(damaged, frames, cut) ? 0 : 1;
    }
  }
  EXPECT_GT(refused, state.size() / 2 / kStep);
}

void DamagedState::cut_each_length(std::size_t cut) const {
  std::vector<std::byte> state = state_after(frames, cut);
  for (std::size_t size = 0; size < state.size(); size += kStep) {
    EXPECT_FALSE(goes_on(Octets{state}.first(size), frames, cut)) << size;
  }
  state.push_back(std::byte{0});
  EXPECT_FALSE(goes_on(state, frames, cut)) << "an octet too many";
}

TEST_P(DamagedState, IsRefusedOrHarmlessForEachOctetThatChanged) {
  for (const std::size_t cut : {frames.size() / 4, frames.size() / 2, frames.size() - 2}) change_each_octet(cut);
}

TEST_P(DamagedState, IsRefusedForEachLength) {
  for (const std::size_t cut : {frames.size() / 2, frames.size() - 2}) cut_each_length(cut);
}

INSTANTIATE_TEST_SUITE_P(OfSamples, DamagedState,
                         testing::Values("made/messages/reads-outstanding.pcapng", "made/messages/atomics.pcapng",
                                         "made/network/fragments-reversed.pcapng", "made/rules/mpa.framing-lost.pcapng",
                                         "made/sctp/sctp-reordered.pcapng", "made/sctp/sctp-answers-late.pcapng",
                                         "made/sctp/sctp-sessions-in-turn.pcapng",
                                         "made/sctp/sctp-late-and-missed.pcapng"));

}  // namespace
}  // namespace iwarpscope::test
