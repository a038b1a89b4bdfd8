// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "ulp/guess.h"

#include <gtest/gtest.h>

#include <array>

namespace iwarpscope::ulp {
namespace {

// RFC 8797 §4.1: magic, version 1, flags, Send and Receive sizes.
constexpr std::array<std::byte, 8> kNfs{std::byte{0xF6}, std::byte{0xAB}, std::byte{0x0E}, std::byte{0x18},
                                        std::byte{1},    std::byte{0},    std::byte{3},    std::byte{3}};

TEST(GuessUlp, NfsIsKnownByItsPrivateDataOnAnyPort) {
  EXPECT_EQ(guess(kNfs, {}, 12345, 40000), "nfs");
  EXPECT_EQ(guess({}, kNfs, 12345, 40000), "nfs");
}

TEST(GuessUlp, CutPrivateDataIsNoNfs) {
  EXPECT_EQ(guess(Octets(kNfs).first(7), {}, 12345, 40000), std::nullopt);
}

std::array<std::byte, 32> nvme_connect() {
  std::array<std::byte, 32> request{};
  request[4] = std::byte{0x20};  // receive queue size 32
  request[6] = std::byte{0x1F};
  return request;
}

TEST(GuessUlp, NvmeIsKnownByItsConnectRequestOnAnyPort) {
  EXPECT_EQ(guess(nvme_connect(), {}, 12345, 40000), "nvme");
}

TEST(GuessUlp, PrivateDataThatIsNearlyNvmeNamesNothing) {
  auto request = nvme_connect();
  request[31] = std::byte{1};
  EXPECT_EQ(guess(request, {}, 12345, 40000), std::nullopt);
  EXPECT_EQ(guess(std::array<std::byte, 32>{}, {}, 12345, 40000), std::nullopt);
  const auto whole = nvme_connect();
  EXPECT_EQ(guess(Octets(whole).first(31), {}, 12345, 40000), std::nullopt);
}

TEST(GuessUlp, PortsOfTheResponderName) {
  EXPECT_EQ(guess({}, {}, 4420, 40000), "nvme");
  EXPECT_EQ(guess({}, {}, 20049, 40000), "nfs");
  EXPECT_EQ(guess({}, {}, 5445, 40000), "smb-direct");
  EXPECT_EQ(guess({}, {}, 3260, 40000), "iser");
  EXPECT_EQ(guess({}, {}, 7174, 40000), "rping");
}

TEST(GuessUlp, TheOtherPortCountsWhenTheRespondersIsUnknown) {
  EXPECT_EQ(guess({}, {}, 40000, 4420), "nvme");
}

TEST(GuessUlp, APortThatTheInitiatorHappensToUseNamesNothing) {
  EXPECT_EQ(guess({}, {}, 5000, std::nullopt), std::nullopt);
  EXPECT_EQ(guess({}, {}, 20049, std::nullopt), "nfs");
}

TEST(GuessUlp, UnknownPortsNameNothing) {
  EXPECT_EQ(guess({}, {}, 40001, 40000), std::nullopt);
}

}  // namespace
}  // namespace iwarpscope::ulp
