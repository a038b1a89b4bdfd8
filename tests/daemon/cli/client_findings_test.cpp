// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// `iwarpscope findings`, against a daemon made by hand.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

#include "cli/exit_status.h"
#include "daemon/cli/client_kit.h"
#include "outputs/lines.h"

namespace iwarpscope::cli::testing {
namespace {

using api::testing::finding_view;
using ::testing::AnyOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;
namespace sample = report::sample;

TEST_F(Client, FindingsAreLinesOrRecords) {
  daemon.directory.known_findings = {finding_view(1, sample::drops_finding()), finding_view(2, sample::crc_finding(4))};
  const Result result = ask({"findings"});
  EXPECT_THAT(result.out, HasSubstr("capture: The capture dropped 7 frames.\n"));
  EXPECT_THAT(result.out,
              HasSubstr("error    mpa.crc-mismatch (MF-04)  QP 4, A -> B, frame 17 (10.0.0.1 - 10.0.0.2): The "));
  EXPECT_THAT(ask({"findings", "--rule", "mf-04"}).out, Not(HasSubstr("dropped")));
  EXPECT_THAT(ask({"findings", "--at-least", "error"}).out, Not(HasSubstr("dropped")));
  std::string expected;
  for (const auto& view : daemon.directory.known_findings) outputs::append_finding(expected, *view);
  EXPECT_EQ(ask({"findings", "--format", "json"}).out, expected);
  EXPECT_THAT(ask({"findings", "--rule", "XX-99"}).err, HasSubstr("unknown rule 'XX-99'"));
}

TEST_F(Client, AFindingOfADirectionMayBeOfNoQueuePair) {
  findings::Finding aborted = sample::crc_finding(4);
  aborted.qp.reset();
  daemon.directory.known_findings = {finding_view(1, std::move(aborted))};
  EXPECT_THAT(ask({"findings"}).out, HasSubstr("(MF-04)  A -> B, frame 17"));
}

TEST_F(Client, FollowedFindingsEndAtTheLimit) {
  daemon.directory.known_findings = {finding_view(1, sample::crc_finding(4))};
  std::thread teller([this] {
    while (daemon.directory.channels().empty()) std::this_thread::yield();
    for (std::uint64_t i = 1; i < 4; ++i) {
      daemon.directory.tell(live::FindingReported{finding_view(i, sample::crc_finding(i + 10))});
    }
  });
  const Result result = ask({"findings", "--follow", "--limit", "3"});
  teller.join();
  EXPECT_EQ(result.status, kExitDone) << result.err;
  EXPECT_EQ(std::count(result.out.begin(), result.out.end(), '\n'), 3) << result.out;
  EXPECT_THAT(result.out, HasSubstr("QP 13"));
  EXPECT_THAT(result.out, Not(HasSubstr("QP 11")));  // the list had the first
}

TEST_F(Client, FollowedFindingsAreThoseOfThePeerHoweverItIsWritten) {
  const auto of = [](std::uint64_t sequence, std::uint8_t last) {
    auto view = std::make_shared<live::FindingView>(*finding_view(sequence, sample::crc_finding(sequence)));
    view->ends->first.address.octets = {};
    view->ends->first.address.octets[0] = 0xFD;
    view->ends->first.address.octets[15] = last;
    return view;
  };
  std::thread teller([&] {
    while (daemon.directory.channels().empty()) std::this_thread::yield();
    for (std::uint64_t i = 1; i < 5; ++i) daemon.directory.tell(live::FindingReported{of(i, i % 2 == 0 ? 1 : 2)});
  });
  const Result result = ask({"findings", "--follow", "--limit", "2", "--peer", "FD00:0::0:1", "--rule", "mf-04"});
  teller.join();
  EXPECT_EQ(result.status, kExitDone) << result.err;
  EXPECT_THAT(result.out, HasSubstr("QP 4"));
  EXPECT_THAT(result.out, Not(HasSubstr("QP 3")));
  EXPECT_THAT(ask({"findings", "--follow", "--peer", "nohost"}).err,
              HasSubstr("'nohost' is not an IPv4 or IPv6 address"));
}

TEST_F(Client, FollowedFindingsEndWithTheDaemonAndThatIsTrouble) {
  std::thread stopper([this] {
    while (daemon.directory.channels().empty()) std::this_thread::yield();
    daemon.server->stop();
  });
  const Result result = ask({"findings", "--follow"});
  stopper.join();
  EXPECT_EQ(result.status, kExitTrouble);
  EXPECT_THAT(result.err, StartsWith("iwarpscope: findings: "));
  EXPECT_THAT(result.err, AnyOf(HasSubstr("the daemon is stopping"), HasSubstr("is iwarpscoped running")));
}

}  // namespace
}  // namespace iwarpscope::cli::testing
