// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "qp/direction/coverage.h"

#include <gtest/gtest.h>

#include "shared/qp/wire.h"

namespace iwarpscope::qp {
namespace {

ddp::Carrier acknowledging(std::uint64_t octets) {
  ddp::Carrier c;
  c.has_acknowledged = true;
  c.acknowledged = offset_at(octets);
  return c;
}

TEST(Coverage, CoversWhatWasDeliveredAndNotOneOctetMore) {
  PlainLlp llp;
  Coverage c;
  c.attach(llp);
  EXPECT_FALSE(c.has_octets());
  c.delivered(offset_at(100));
  EXPECT_TRUE(c.has_octets());
  EXPECT_TRUE(c.covers(acknowledging(100)));
  EXPECT_FALSE(c.covers(acknowledging(101)));
  EXPECT_FALSE(c.covers({}));
  llp.framed = false;
  EXPECT_FALSE(c.covers(acknowledging(100)));
}

TEST(Coverage, OctetsCutByTheSnapLengthAreMissingButNoGap) {
  Coverage c;
  c.missing(offset_at(60));
  EXPECT_TRUE(c.is_gapless());
  EXPECT_FALSE(c.has_all_octets());
  EXPECT_EQ(c.lost_to(), StreamOffset{});
  c.lost();
  EXPECT_FALSE(c.is_gapless());
  EXPECT_EQ(c.lost_to(), offset_at(60));
  c.delivered(offset_at(80));
  EXPECT_EQ(c.lost_to(), offset_at(60));
  c.lost();
  EXPECT_EQ(c.lost_to(), offset_at(80));
}

TEST(Coverage, AJoinedDirectionHasAGapAndYetAllOctets) {
  Coverage c;
  c.begins_midstream();
  EXPECT_FALSE(c.is_gapless());
  EXPECT_TRUE(c.has_all_octets());
}

TEST(Coverage, TheFirstBadCrcCountsAndIsExplainedOnce) {
  Coverage c;
  EXPECT_FALSE(c.has_bad_crc());
  c.bad_crc(FrameNumber{7}, offset_at(10));
  c.bad_crc(FrameNumber{9}, offset_at(20));
  EXPECT_TRUE(c.has_bad_crc());
  EXPECT_EQ(c.first_bad_crc().frame.value, 7u);
  EXPECT_EQ(c.first_bad_crc().offset, offset_at(10));
  EXPECT_TRUE(c.explain_bad_crc());
  EXPECT_FALSE(c.explain_bad_crc());
}

TEST(Coverage, EndsOnceAndRemembersAnFpduBegun) {
  PlainLlp llp;
  llp.pending_octets = 3;
  Coverage inside, between;
  inside.attach(llp);
  EXPECT_TRUE(inside.end());
  EXPECT_TRUE(inside.ended_inside_fpdu());
  llp.pending_octets = 0;
  EXPECT_FALSE(inside.end());
  EXPECT_TRUE(inside.ended_inside_fpdu());
  between.attach(llp);
  EXPECT_TRUE(between.end());
  EXPECT_FALSE(between.ended_inside_fpdu());
}

}  // namespace
}  // namespace iwarpscope::qp
