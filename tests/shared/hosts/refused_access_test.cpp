// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "hosts/refused_access.h"

#include <gtest/gtest.h>

#include "shared/hosts/kit.h"

namespace iwarpscope::hosts {
namespace {

using findings::FindingId;
using test::kAsked;
using test::Reported;

qp::QpRecord terminated(std::uint32_t source, std::uint8_t code) {
  qp::QpRecord record;
  record.a = {net::IpAddress::v4(source), 1};
  record.b = {kAsked, 5000};
  qp::TerminateSummary terminate;
  terminate.at.frame = FrameNumber{7};
  terminate.layer = 1;
  terminate.error_type = 1;
  terminate.error_code = code;
  record.summary.directions[index(Direction::b_to_a)].terminate = terminate;
  return record;
}

TEST(RefusedAccess, CountsHostsThatFindNoRoom) {
  RefusedAccess accesses;
  for (std::uint32_t i = 0; i < 5000; ++i) accesses.see(terminated(i, 0));
  EXPECT_EQ(accesses.discarded(), 5000u - 4096u);
  Reported reported;
  accesses.tell(reported.to);
  EXPECT_TRUE(reported.findings.empty());
}

TEST(RefusedAccess, DistinguishesGuessingAndProbingOfOneHost) {
  RefusedAccess accesses;
  for (int i = 0; i < 8; ++i) accesses.see(terminated(1, 0));
  for (int i = 0; i < 9; ++i) accesses.see(terminated(1, 1));
  for (int i = 0; i < 9; ++i) accesses.see(terminated(1, 4));  // a DDP version: neither
  Reported reported;
  accesses.tell(reported.to);
  ASSERT_EQ(reported.findings.size(), 2u);
  EXPECT_EQ(reported.seen(FindingId::stag_guessing), "8");
  EXPECT_EQ(reported.seen(FindingId::stag_bounds_probing), "9");
}

}  // namespace
}  // namespace iwarpscope::hosts
