// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "rdmap/atomic.h"

#include <gtest/gtest.h>

#include "synth/random.h"

namespace iwarpscope::rdmap {
namespace {

static_assert(fetch_add(0xffffffff, 1, 0) == 0x100000000);
static_assert(fetch_add(0xffffffff, 1, 0x80000000) == 0);
static_assert(fetch_add(0x1ffffffff, 0x100000001, 0x8000000080000000) == 0x200000000);
static_assert(fetch_add(0x7f7f7f7f7f7f7f7f, 0x0101010101010101, 0x8080808080808080) == 0x8080808080808080);
static_assert(fetch_add(~std::uint64_t{0}, 1, 0) == 0);
static_assert(cmp_swap(5, 9, ~std::uint64_t{0}, 5, ~std::uint64_t{0}) == 9);
static_assert(cmp_swap(5, 9, ~std::uint64_t{0}, 6, ~std::uint64_t{0}) == 5);
static_assert(cmp_swap(0x1200, 0x34, 0xff, 0x1299, 0xff00) == 0x1234);
static_assert(cmp_swap(7, 9, ~std::uint64_t{0}, 1234, 0) == 9);

/// The loop of RFC 7306 §5.1.1, bit by bit.
std::uint64_t slow_fetch_add(std::uint64_t original, std::uint64_t data, std::uint64_t mask) {
  std::uint64_t result = 0;
  std::uint64_t carry = 0;
  for (unsigned bit = 0; bit < 64; ++bit) {
    const std::uint64_t sum = carry + (original >> bit & 1) + (data >> bit & 1);
    result |= (sum & 1) << bit;
    carry = (mask >> bit & 1) != 0 ? 0 : sum >> 1;
  }
  return result;
}

TEST(FetchAdd, RandomWordsAndMasksAgreeWithTheBitwiseLoop) {
  synth::Random r{7306};
  for (int i = 0; i < 100000; ++i) {
    const std::uint64_t original = r.next(), data = r.next();
    std::uint64_t mask = r.next();
    if (i % 3 == 0) mask &= r.next() & r.next();
    if (i % 7 == 0) mask = 0;
    ASSERT_EQ(fetch_add(original, data, mask), slow_fetch_add(original, data, mask)) << mask;
  }
}

TEST(AtomicResult, EachOperationLeavesItsOwnAndUnknownNone) {
  constexpr std::uint64_t kAll = ~std::uint64_t{0};
  using F = AtomicFunction;
  EXPECT_EQ((F{.operation = AOpCode::fetch_add, .data = 1, .compare_mask = kAll}.result(41)), 42u);
  EXPECT_EQ((F{.operation = AOpCode::swap, .data = 1, .mask = kAll, .compare_mask = kAll}.result(41)), 1u);
  const F swap_41{.operation = AOpCode::cmp_swap, .data = 1, .mask = kAll, .compare = 41, .compare_mask = kAll};
  EXPECT_EQ(swap_41.result(41), 1u);
  EXPECT_EQ(swap_41.result(40), 40u);
  EXPECT_EQ((F{.operation = AOpCode::unknown, .data = 1}.result(41)), std::nullopt);
}

}  // namespace
}  // namespace iwarpscope::rdmap
