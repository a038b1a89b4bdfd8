// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/wording.h"

#include <gtest/gtest.h>

#include <array>

namespace iwarpscope {
namespace {

TEST(Counted, OnlyOneIsSingular) {
  EXPECT_EQ(counted(0, "octet"), "0 octets");
  EXPECT_EQ(counted(1, "octet"), "1 octet");
  EXPECT_EQ(counted(2, "FPDU"), "2 FPDUs");
}

TEST(Escaped, OnlyPrintableAsciiStandsForItself) {
  const std::array octets{std::byte{'M'}, std::byte{' '},  std::byte{'~'},  std::byte{'\\'},
                          std::byte{0},   std::byte{0x1F}, std::byte{0x7F}, std::byte{0xA5}};
  EXPECT_EQ(escaped(octets), R"(M ~\x5c\x00\x1f\x7f\xa5)");
  EXPECT_EQ(escaped({}), "");
}

TEST(QueueText, GivesTheRoleOfEachQueueThatHasOne) {
  EXPECT_EQ(queue_text(QueueNumber{0}), "QN 0 (Send)");
  EXPECT_EQ(queue_text(QueueNumber{1}), "QN 1 (requests)");
  EXPECT_EQ(queue_text(QueueNumber{2}), "QN 2 (Terminate)");
  EXPECT_EQ(queue_text(QueueNumber{3}), "QN 3 (Atomic Response)");
  EXPECT_EQ(queue_text(QueueNumber{4}), "QN 4 (not assigned)");
  EXPECT_EQ(queue_text(QueueNumber{0xFFFFFFFF}), "QN 4294967295 (not assigned)");
}

TEST(DirectionText, NamesTheEndsInTheOrderOfTheOctets) {
  EXPECT_EQ(direction_text(Direction::a_to_b), "A -> B");
  EXPECT_EQ(direction_text(Direction::b_to_a), "B -> A");
}

}  // namespace
}  // namespace iwarpscope
