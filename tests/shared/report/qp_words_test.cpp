// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/qp_words.h"

#include <gtest/gtest.h>

#include "mpa/startup.h"

namespace iwarpscope::report {
namespace {

TEST(QpWords, OfWhatIsNotKnownAreQuestionMarksWithoutAMark) {
  qp::QpRecord record;
  record.crc_inferred = record.markers_inferred = true;
  EXPECT_EQ(crc_cell(record), "?");
  EXPECT_EQ(markers_cell(record), "?");
  EXPECT_EQ(depth_cell(record), "?/?");
}

TEST(QpWords, SettingsAreMarkedWhenTheyAreInferred) {
  qp::QpRecord record;
  record.crc_in_use = true;
  record.markers = {false, false};
  EXPECT_FALSE(is_inferred(record));
  EXPECT_EQ(crc_cell(record), "on");
  EXPECT_EQ(markers_cell(record), "off");
  record.crc_inferred = true;
  EXPECT_TRUE(is_inferred(record));
  EXPECT_EQ(crc_cell(record), "on~");
  EXPECT_EQ(markers_cell(record), "off");
  record.markers_inferred = true;
  EXPECT_EQ(markers_cell(record), "off~");
}

TEST(QpWords, MarkersThatDifferAreThoseOfAAndOfB) {
  qp::QpRecord record;
  record.markers = {true, false};
  EXPECT_EQ(markers_cell(record), "on/off");
  record.markers = {std::nullopt, true};
  record.markers_inferred = true;
  EXPECT_EQ(markers_cell(record), "?/on~");
}

TEST(QpWords, DepthThatWasNotNegotiatedIsNotKnown) {
  qp::QpRecord record;
  record.read_depth = {16, mpa::kDepthNotNegotiated};
  EXPECT_EQ(depth_cell(record), "16/?");
}

TEST(QpWords, StateSaysWhatClosedTheConnection) {
  qp::QpRecord record;
  record.state = qp::State::closed;
  EXPECT_EQ(state_text(record), "closed");
  record.closed_by = "fin";
  EXPECT_EQ(state_text(record), "closed (FIN)");
}

TEST(QpWords, CountsAreOfAllOpcodesAndAtLeastThatWhereOctetsWerePassedOver) {
  qp::DirectionRecord direction;
  direction.messages[3] = 2;
  direction.messages[7] = 1;
  direction.payload_octets[3] = 100;
  direction.payload_octets[0] = 11;
  EXPECT_EQ(message_count(direction), 3u);
  EXPECT_EQ(payload_octets(direction), 111u);
  EXPECT_FALSE(is_at_least(direction));
  direction.unframed_octets = 1;
  EXPECT_TRUE(is_at_least(direction));
  direction.captured = false;
  EXPECT_FALSE(is_at_least(direction));
}

}  // namespace
}  // namespace iwarpscope::report
