#include "base/wording.h"

#include <gtest/gtest.h>

namespace iwarpscope {
namespace {

TEST(Counted, OnlyOneIsSingular) {
  EXPECT_EQ(counted(0, "octet"), "0 octets");
  EXPECT_EQ(counted(1, "octet"), "1 octet");
  EXPECT_EQ(counted(2, "FPDU"), "2 FPDUs");
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
