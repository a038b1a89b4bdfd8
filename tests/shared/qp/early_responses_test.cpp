// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "qp/requests/early_responses.h"

#include <gtest/gtest.h>

#include "shared/qp/wire.h"

namespace iwarpscope::qp {
namespace {

EarlyResponse early_read(std::uint64_t message, std::uint64_t to = 0x1000) {
  EarlyResponse e;
  e.message = message;
  e.stag = STag{0x11};
  e.to = TaggedOffset{to};
  e.end = offset_at(500);
  return e;
}
Request read_of(std::uint64_t to = 0x1000) {
  Request r;
  r.sink_stag = STag{0x11};
  r.sink_to = TaggedOffset{to};
  r.size = 8;
  return r;
}
ddp::Carrier sent_after(std::uint64_t octets) {
  ddp::Carrier c;
  c.has_acknowledged = true;
  c.acknowledged = offset_at(octets);
  return c;
}

TEST(EarlyResponses, ARequestTakesTheOneThatFitsIt) {
  EarlyResponses all;
  EXPECT_FALSE(all.keep(early_read(1, 0x1000)));
  EXPECT_FALSE(all.keep(early_read(2, 0x1008)));
  EXPECT_FALSE(all.take(read_of(0x1010), {}));
  const auto taken = all.take(read_of(0x1008), {});
  ASSERT_TRUE(taken);
  EXPECT_EQ(taken->message, 2u);
  EXPECT_FALSE(all.take(read_of(0x1008), {}));
  EXPECT_TRUE(all.has_early());
}

TEST(EarlyResponses, ARequestSentAfterTheResponseWasReceivedIsNotItsCause) {
  EarlyResponses all;
  all.keep(early_read(1));
  EXPECT_FALSE(all.take(read_of(), sent_after(500)));
  EXPECT_TRUE(all.take(read_of(), sent_after(499)));
}

TEST(EarlyResponses, AtomicsAndReadsOfNoOctetsAreKnownByOtherMeans) {
  EarlyResponses all;
  EarlyResponse atomic;
  atomic.atomic = true;
  atomic.request_id = 5;
  atomic.end = offset_at(500);
  all.keep(std::move(atomic));
  EarlyResponse zero = early_read(2);
  zero.zero_length = true;
  all.keep(std::move(zero));
  Request request;
  request.atomic = true;
  request.request_id = 6;
  EXPECT_FALSE(all.take(request, {}));
  request.request_id = 5;
  EXPECT_TRUE(all.take(request, {}));
  EXPECT_FALSE(all.take(read_of(), {}));  // of 8 octets
  Request none = read_of(0x9999);
  none.size = 0;
  EXPECT_TRUE(all.take(none, {}));
}

TEST(EarlyResponses, TheOldestMakesRoom) {
  EarlyResponses all;
  for (std::uint64_t k = 0; k < EarlyResponse::kMost; ++k) EXPECT_FALSE(all.keep(early_read(k)));
  const auto oldest = all.keep(early_read(99));
  ASSERT_TRUE(oldest);
  EXPECT_EQ(oldest->message, 0u);
  EXPECT_EQ(all.find(0), nullptr);
  ASSERT_NE(all.find(99), nullptr);
  EXPECT_EQ(all.take_all().size(), EarlyResponse::kMost);
  EXPECT_FALSE(all.has_early());
}

TEST(EarlyResponses, ExpireWhenTheyWaitedLongerThanAHoleTakesToBeFilled) {
  EarlyResponses all;
  for (const std::int64_t began : {0, 10}) {
    EarlyResponse e = early_read(static_cast<std::uint64_t>(began));
    e.first.first_time = TimePoint{began};
    all.keep(std::move(e));
  }
  EXPECT_TRUE(all.take_expired(TimePoint{EarlyResponse::kWaitNs}).empty());
  const auto expired = all.take_expired(TimePoint{EarlyResponse::kWaitNs + 1});
  ASSERT_EQ(expired.size(), 1u);
  EXPECT_EQ(expired[0].message, 0u);
  EXPECT_NE(all.find(10), nullptr);
}

TEST(EarlyResponses, ARequestSentBeforeADoubtedOneWasReceivedLiftsTheDoubt) {
  EarlyResponses all;
  EXPECT_FALSE(all.has_doubted());
  all.doubt({offset_at(100), {}});
  all.doubt({offset_at(200), {}});
  all.forget_doubted(sent_after(200));
  EXPECT_EQ(all.has_doubted(), true);
  all.forget_doubted(sent_after(100));
  const auto left = all.take_doubted();
  ASSERT_EQ(left.size(), 1u);
  EXPECT_EQ(left[0].end, offset_at(100));
  all.doubt({offset_at(300), {}});
  all.forget_doubted({});  // what its sender had received is not known
  EXPECT_FALSE(all.has_doubted());
}

TEST(EarlyResponses, KeepsABoundedNumberInDoubt) {
  EarlyResponses all;
  for (std::size_t k = 0; k <= DoubtedResponse::kMost; ++k) all.doubt({offset_at(k), {}});
  EXPECT_EQ(all.take_doubted().size(), DoubtedResponse::kMost);
}

}  // namespace
}  // namespace iwarpscope::qp
