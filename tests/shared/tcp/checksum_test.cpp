// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Wrong checksums: damage, or offload on the capturing host.
#include "tcp/checksum_policy.h"

#include "shared/tcp/kit.h"

namespace iwarpscope::tcp::test {
namespace {

using findings::FindingId;

TEST(WrongChecksum, OfASenderWithRightOnesIsKeptOutAndReportedEachTime) {
  Bench bench;
  bench.handshake();
  bench.feed(kA, bench.data(kA, 0, 100));
  bench.feed(kA, Packet(kA, bench.sequence(kA, 100), 0, pattern(3, 100)).field(Field::wrong));
  bench.feed(kA, Packet(kA, bench.sequence(kA, 100), 0, pattern(4, 100)).field(Field::wrong));
  EXPECT_EQ(bench.text(), "[0,100)");
  EXPECT_EQ(bench.statistics().wrong_checksums, 2u);
  ASSERT_EQ(bench.count(FindingId::tcp_wrong_checksum), 2u);
  EXPECT_EQ(bench.findings.all[0].offset, kStreamOrigin + 100);
  bench.feed(kA, bench.data(kA, 100, 100));
  EXPECT_EQ(bench.text(), "[0,200)");
  EXPECT_EQ(bench.statistics().retransmitted_octets, 0u);  // the damaged copy was never part of the stream
  EXPECT_EQ(bench.count(FindingId::tcp_retransmission_differs), 0u);
}

TEST(WrongChecksum, DamagedAckFieldIsNotBelieved) {
  Bench bench;
  bench.handshake();
  bench.feed(kA, bench.data(kA, 100, 100));
  bench.feed(kB, bench.data(kB, 0, 10).ack(bench.sequence(kA, 200)).field(Field::wrong));
  EXPECT_EQ(bench.text(kA), "");
  EXPECT_EQ(bench.text(kB), "");
}

TEST(WrongChecksum, ResetWithOneDoesNotClose) {
  Bench bench;
  bench.handshake();
  bench.feed(kA, bench.empty(kA, 0, flag::rst).field(Field::wrong));
  EXPECT_EQ(bench.connection->closed_by(), ClosedBy::open);
  bench.feed(kA, bench.empty(kA, 0, flag::fin).field(Field::wrong));
  EXPECT_FALSE(bench.connection->fin_offset(kA).has_value());
}

TEST(WrongChecksum, OfASenderWithoutARightOneIsTakenAndNotedOnce) {
  Bench bench;
  bench.feed(kA, bench.data(kA, 0, 100).field(Field::wrong));
  bench.feed(kA, bench.data(kA, 100, 100).field(Field::wrong));
  EXPECT_EQ(bench.text(), "[0,200)");
  EXPECT_EQ(bench.statistics().offloaded_checksums, 2u);
  bench.finish();
  EXPECT_EQ(bench.count(FindingId::tcp_checksum_offload), 1u);
  EXPECT_EQ(bench.count(FindingId::tcp_wrong_checksum), 0u);
}

TEST(WrongChecksum, FlowTableThatSawARightOneMakesTheFirstWrongOneDamage) {
  std::array<Origin, 2> origins{};
  origins[0].good_checksum_seen = true;
  Bench bench({1000, 5000}, {}, origins);
  bench.feed(kA, bench.data(kA, 0, 100).field(Field::wrong));
  EXPECT_EQ(bench.text(), "");
  EXPECT_EQ(bench.statistics().wrong_checksums, 1u);
}

TEST(OffloadedChecksum, IsTakenAndNotedOncePerDirection) {
  Bench bench;
  bench.feed(kA, bench.syn(kA).field(Field::pseudo_header));
  bench.feed(kA, bench.data(kA, 0, 100).field(Field::pseudo_header));
  bench.feed(kA, bench.data(kA, 100, 100).field(Field::pseudo_header));
  EXPECT_EQ(bench.text(), "[0,200)");
  bench.finish();
  ASSERT_EQ(bench.count(FindingId::tcp_checksum_offload), 1u);
  EXPECT_EQ(bench.findings.find(FindingId::tcp_checksum_offload)->seen, "3");
  EXPECT_EQ(bench.count(FindingId::tcp_wrong_checksum), 0u);
}

TEST(ChecksumPolicy, OneChanceMatchDoesNotTurnOffloadIntoDamage) {
  ChecksumPolicy policy;
  for (int i = 0; i < 10; ++i) EXPECT_EQ(policy.judge(net::Checksum::bad), Trust::unverified);
  EXPECT_EQ(policy.judge(net::Checksum::good), Trust::verified);
  EXPECT_EQ(policy.judge(net::Checksum::bad), Trust::unverified);
  EXPECT_TRUE(policy.looks_offloaded());
}

TEST(ChecksumPolicy, RightOnesOutweighAFirstWrongOneAndLongRunsKeepTheirOrder) {
  ChecksumPolicy policy;
  EXPECT_EQ(policy.judge(net::Checksum::bad), Trust::unverified);
  for (int i = 0; i < 200'000; ++i) ASSERT_EQ(policy.judge(net::Checksum::good), Trust::verified);
  EXPECT_EQ(policy.judge(net::Checksum::bad), Trust::rejected);
  EXPECT_FALSE(policy.looks_offloaded());
  ChecksumPolicy offload;
  for (int i = 0; i < 200'000; ++i) ASSERT_EQ(offload.judge(net::Checksum::bad), Trust::unverified);
  EXPECT_TRUE(offload.looks_offloaded());
}

TEST(ChecksumPolicy, NothingButWrongOnesAfterARightSynLooksOffloaded) {
  ChecksumPolicy policy;
  policy.start(true, false);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(policy.judge(net::Checksum::bad), Trust::rejected);
  for (int i = 0; i < 10; ++i) EXPECT_EQ(policy.judge(net::Checksum::bad), Trust::unverified);
  EXPECT_TRUE(policy.looks_offloaded());
  ChecksumPolicy lossy;
  for (int i = 0; i < 10; ++i) EXPECT_EQ(lossy.judge(net::Checksum::good), Trust::verified);
  for (int i = 0; i < 9; ++i) EXPECT_EQ(lossy.judge(net::Checksum::bad), Trust::rejected);
}

TEST(ChecksumPolicy, CutSegmentsProveNothing) {
  ChecksumPolicy policy;
  for (int i = 0; i < 3; ++i) EXPECT_EQ(policy.judge(net::Checksum::unknown), Trust::unverified);
  EXPECT_FALSE(policy.looks_offloaded());
  EXPECT_EQ(policy.judge(net::Checksum::bad), Trust::unverified);
}

}  // namespace
}  // namespace iwarpscope::tcp::test
