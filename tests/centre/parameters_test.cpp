// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "centre/parameters.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace iwarpscope::centre {
namespace {

using namespace std::string_view_literals;

TEST(StorableText, KeepsUtf8OfEveryLength) {
  for (const std::string_view text :
       {""sv, "plain"sv, "\u00e9\u20ac\U0001F600"sv, "\u007f\u0080\u07ff\u0800\uffff\U00010000\U0010ffff"sv}) {
    EXPECT_EQ(storable(text), text);
  }
}

TEST(StorableText, ReplacesWhatPostgresRefuses) {
  EXPECT_EQ(storable("a\0b"sv), "a\uFFFDb");
  EXPECT_EQ(storable("\xC0\x80"sv), "\uFFFD\uFFFD");            // U+0000 in two octets
  EXPECT_EQ(storable("\xED\xA0\x80"sv), "\uFFFD\uFFFD\uFFFD");  // a surrogate
  EXPECT_EQ(storable("\xF4\x90\x80\x80"sv), "\uFFFD\uFFFD\uFFFD\uFFFD");
  EXPECT_EQ(storable("\xE0\x9F\xBF"sv), "\uFFFD\uFFFD\uFFFD");
  EXPECT_EQ(storable("x\xE2\x82"sv), "x\uFFFD\uFFFD");  // cut
  EXPECT_EQ(storable("\xFF"
                     "a"sv),
            "\uFFFD"
            "a");
}

TEST(Uuid, IsReadInItsOneForm) {
  const auto read = uuid_of("00112233-4455-6677-8899-aAbBcCdDeEfF");
  ASSERT_TRUE(read);
  for (std::size_t at = 0; at < read->size(); ++at)
    EXPECT_EQ(std::to_integer<int>(read->at(at)), static_cast<int>(at * 0x11));
  for (const char* text : {"", "00112233445566778899aabbccddeeff", "00112233-4455-6677-8899-aabbccddeef",
                           "00112233-4455-6677-8899-aabbccddeefg", "001122334-455-6677-8899-aabbccddeeff",
                           "{0112233-4455-6677-8899-aabbccddeeff"}) {
    EXPECT_FALSE(uuid_of(text)) << text;
  }
}

}  // namespace
}  // namespace iwarpscope::centre
