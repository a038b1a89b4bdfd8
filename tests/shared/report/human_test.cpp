// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/human.h"

#include <gtest/gtest.h>

#include <limits>

namespace iwarpscope::report {
namespace {

TEST(HumanOctets, EachUnitHasThreeDigits) {
  EXPECT_EQ(human_rate(0), "0 octets/s");
  EXPECT_EQ(human_rate(1.5 * 1024 * 1024), "1.50 MiB/s");
  EXPECT_EQ(human_rate(-1), "0 octets/s") << "a clock that went back";
  EXPECT_EQ(human_octets(0), "0 octets");
  EXPECT_EQ(human_octets(1), "1 octet");
  EXPECT_EQ(human_octets(1023), "1023 octets");
  EXPECT_EQ(human_octets(1024), "1.00 KiB");
  EXPECT_EQ(human_octets(12'345), "12.1 KiB");
  EXPECT_EQ(human_octets(1'048'575), "1.00 MiB");
  EXPECT_EQ(human_octets(std::uint64_t{3} << 30), "3.00 GiB");
  EXPECT_EQ(human_octets(std::numeric_limits<std::uint64_t>::max()), "16.0 EiB");
}

TEST(HumanDuration, EachUnitAndTheSign) {
  EXPECT_EQ(human_duration(0), "0 ns");
  EXPECT_EQ(human_duration(999), "999 ns");
  EXPECT_EQ(human_duration(1'000), "1.00 us");
  EXPECT_EQ(human_duration(999'499), "999 us");
  EXPECT_EQ(human_duration(999'500), "1.00 ms");
  EXPECT_EQ(human_duration(12'345'678), "12.3 ms");
  EXPECT_EQ(human_duration(59'900'000'000), "59.9 s");
  EXPECT_EQ(human_duration(123'000'000'000), "2 min 3 s");
  EXPECT_EQ(human_duration(3'600'000'000'000), "1 h 0 min");
  EXPECT_EQ(human_duration(93'600'000'000'000), "1 d 2 h");
  EXPECT_EQ(human_duration(-1'500), "-1.50 us");
  EXPECT_EQ(human_duration(std::numeric_limits<std::int64_t>::min()), "-106751 d 23 h");
}

TEST(HumanTime, IsUtcWithNanosecondsBeforeAndAfterTheEpoch) {
  EXPECT_EQ(date_time(TimePoint{1'700'000'000'000'000'001}), "2023-11-14 22:13:20.000000001 UTC");
  EXPECT_EQ(date_time(TimePoint{0}), "1970-01-01 00:00:00.000000000 UTC");
  EXPECT_EQ(date_time(TimePoint{-1}), "1969-12-31 23:59:59.999999999 UTC");
  EXPECT_EQ(time_of_day(TimePoint{86'399'000'000'002}), "23:59:59.000000002");
}

TEST(HumanTime, SinceHasASignAndSurvivesTheWidestDistance) {
  EXPECT_EQ(since(TimePoint{1'000'000'000}, TimePoint{3'000'000'017}), "+2.000000017");
  EXPECT_EQ(since(TimePoint{17}, TimePoint{0}), "-0.000000017");
  EXPECT_EQ(
      since(TimePoint{std::numeric_limits<std::int64_t>::min()}, TimePoint{std::numeric_limits<std::int64_t>::max()}),
      "+18446744073.709551615");
}

TEST(HumanWords, IdentifiersArePrintedAsTheRfcsAreRead) {
  EXPECT_EQ(stag_text(STag{0xABC}), "0x00000abc");
  EXPECT_EQ(to_text(TaggedOffset{0x1000}), "0x0000000000001000");
  EXPECT_EQ(queue_text(QueueNumber{1}), "QN 1 (requests)");
  EXPECT_EQ(queue_text(QueueNumber{7}), "QN 7 (not assigned)");
  EXPECT_EQ(depth_text(16), "16");
  EXPECT_EQ(depth_text(0x3FFF), "not negotiated");
  EXPECT_EQ(counted(1, "frame"), "1 frame");
  EXPECT_EQ(counted(0, "frame"), "0 frames");
}

TEST(Wrapped, BreaksAtSpacesAndKeepsALongWord) {
  EXPECT_EQ(wrapped("a: ", "   ", "one two three", 10), "a: one two\n   three\n");
  EXPECT_EQ(wrapped("a: ", "   ", "incomprehensibilities", 10), "a: incomprehensibilities\n");
  EXPECT_EQ(wrapped("a: ", "   ", "", 10), "a: \n");
}

}  // namespace
}  // namespace iwarpscope::report
