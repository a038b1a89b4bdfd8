// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "ulp/private_data.h"

#include <gtest/gtest.h>

#include <string>

#include "shared/ulp/payloads.h"

namespace iwarpscope::ulp {
namespace {

std::string words(const std::string& octets) {
  return private_data_words(test::octets_of(octets));
}

TEST(PrivateDataWords, ShowTextWithoutTheZerosThatFillIt) {
  EXPECT_EQ(words(""), "none");
  EXPECT_EQ(words("lab says no"), "11 octets, the text 'lab says no'");
  EXPECT_EQ(words("lab!" + std::string(3, '\0')), "7 octets, the text 'lab!'");
  EXPECT_EQ(words(std::string(61, 'x')), "61 octets, the text '" + std::string(60, 'x') + "...'");
}

TEST(PrivateDataWords, ShowAnythingElseAsTheFirstEightOctets) {
  EXPECT_EQ(words("lab"), "3 octets: 6c6162");  // too short to be a text
  EXPECT_EQ(words("lab\n"), "4 octets: 6c61620a");
  EXPECT_EQ(words(test::from_hex("0102030405060708 09")), "9 octets: 0102030405060708...");
  EXPECT_EQ(words(test::from_hex("0102030405060708 0000")), "10 octets: 0102030405060708, then zeros");
  EXPECT_EQ(words(std::string(196, '\0')), "196 octets, all zero");
}

}  // namespace
}  // namespace iwarpscope::ulp
