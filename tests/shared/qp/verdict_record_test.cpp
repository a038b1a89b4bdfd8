#include "qp/verdict_record.h"

#include <gtest/gtest.h>

namespace iwarpscope::qp {
namespace {

TEST(Outcome, RefusedFailedAndStalledAreBadEnds) {
  EXPECT_TRUE(ended_badly(Outcome::refused));
  EXPECT_TRUE(ended_badly(Outcome::failed));
  EXPECT_TRUE(ended_badly(Outcome::stalled));
  EXPECT_FALSE(ended_badly(Outcome::completed));
  EXPECT_FALSE(ended_badly(Outcome::running));
  EXPECT_FALSE(ended_badly(Outcome::unknown));
}

}  // namespace
}  // namespace iwarpscope::qp
