// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/utf8.h"

#include <gtest/gtest.h>

#include <string>

namespace iwarpscope::report {
namespace {

TEST(Utf8, WellFormedTextOfEveryLengthIsKept) {
  const std::string text = "a\xC3\xA4\xE2\x82\xAC\xF0\x9F\x98\x80\xF4\x8F\xBF\xBF";
  EXPECT_TRUE(is_utf8(text));
  EXPECT_EQ(to_utf8(text), text);
}

TEST(Utf8, MalformedOctetsAreReplacedOneByOne) {
  EXPECT_EQ(to_utf8("a\xFFz"), "a\xEF\xBF\xBDz");
  EXPECT_EQ(to_utf8("\xC3"), "\xEF\xBF\xBD");
  EXPECT_EQ(to_utf8("\xE2\x82"), "\xEF\xBF\xBD\xEF\xBF\xBD");
}

TEST(Utf8, OverlongSurrogateAndTooLargeFormsAreMalformed) {
  for (const char* text : {"\xC0\x80", "\xC1\xBF", "\xE0\x9F\xBF", "\xED\xA0\x80", "\xF0\x8F\xBF\xBF",
                           "\xF4\x90\x80\x80", "\xF5\x80\x80\x80", "\x80"}) {
    EXPECT_FALSE(is_utf8(text)) << text;
    EXPECT_TRUE(is_utf8(to_utf8(text))) << text;
  }
}

TEST(Utf8, EveryPairOfOctetsBecomesWellFormed) {
  for (unsigned pair = 0; pair < 0x10000; ++pair) {
    const std::string text = {static_cast<char>(pair >> 8), static_cast<char>(pair & 0xFF)};
    ASSERT_TRUE(is_utf8(to_utf8(text))) << pair;
    ASSERT_EQ(is_utf8(text), to_utf8(text) == text) << pair;
  }
}

TEST(Printable, ControlCharactersAreSpelledOut) {
  EXPECT_EQ(to_printable("a\x1b[2Jb\n\x7f"), "a\\x1b[2Jb\\x0a\\x7f");
  EXPECT_EQ(to_printable("\xC2\x9B\x31m"), "\\xc2\\x9b1m");  // C1 control sequence introducer
  EXPECT_EQ(to_printable("gr\xC3\xBC\xC3\x9F"), "gr\xC3\xBC\xC3\x9F");
}

}  // namespace
}  // namespace iwarpscope::report
