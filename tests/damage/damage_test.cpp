// Damaged captures, some tens of thousands: nobody is accused of what a tap did.
#include <gtest/gtest.h>

#include "damage/campaign.h"

namespace iwarpscope::test {
namespace {

TEST(DamagedCaptures, AccuseNobody) {
  const CampaignResult result = run({.seed = 16, .captures = 20'000});
  EXPECT_EQ(result.count(Gravity::error), 0u);
  EXPECT_EQ(result.count(Gravity::blamed_certainly), 0u);
  EXPECT_LE(result.count(Gravity::warning) + result.count(Gravity::blamed_likely), result.captures / 10'000)
      << result.text();
}

}  // namespace
}  // namespace iwarpscope::test
