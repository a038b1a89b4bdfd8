// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/read_text.h"

#include <gtest/gtest.h>

#include <cstdint>

namespace iwarpscope {
namespace {

TEST(ReadText, TrimsBlanksAndTabsAtBothEnds) {
  EXPECT_EQ(trimmed(" \ta b\t "), "a b");
  EXPECT_EQ(trimmed("a"), "a");
  EXPECT_EQ(trimmed(" \t "), "");
  EXPECT_EQ(trimmed(""), "");
  EXPECT_EQ(trimmed("\na"), "\na");
}

TEST(ReadText, ANumberIsTheWholeText) {
  EXPECT_EQ(whole_number<std::uint32_t>("4294967295"), 4294967295u);
  EXPECT_EQ(whole_number<std::uint32_t>("007"), 7u);
  for (const char* none : {"", " 7", "7 ", "+7", "-7", "7x", "0x7", "4294967296"}) {
    EXPECT_EQ(whole_number<std::uint32_t>(none), std::nullopt) << none;
  }
}

}  // namespace
}  // namespace iwarpscope
