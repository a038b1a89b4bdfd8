// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// `iwarpscope status`, against a daemon made by hand.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/exit_status.h"
#include "daemon/cli/client_kit.h"

namespace iwarpscope::cli::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

TEST(ClientOfACentre, StatusAndSiteNameSilentSensorsAndAllThatWasLost) {
  api::testing::Daemon centre;
  live::SensorView gaps, silent;
  gaps.name = "rack1";
  gaps.version = "1.2.3";
  gaps.heartbeat = TimePoint{1};
  gaps.losses.gap_octets = 416;
  gaps.qps = 2;
  gaps.waiting = 7;
  silent.name = "rack7";
  silent.is_silent = true;
  centre.directory.now.is_centre = true;
  centre.directory.now.sensors = {gaps, silent};
  ASSERT_EQ(centre.start(), "");
  const std::string status = run_with({"status", "--socket", centre.options.socket}).out;
  const std::string site = run_with({"site", "--socket", centre.options.socket}).out;
  for (const std::string& text : {status, site}) EXPECT_THAT(text, HasSubstr("2 sensors, 1 silent: rack7\n"));
  EXPECT_THAT(status,
              HasSubstr("version 1.2.3; at its last heartbeat: 2 queue pairs followed, 7 records waiting; lost: "
                        "416 octets of TCP streams missing\n"));
  EXPECT_THAT(status, HasSubstr("rack7: silent\n"));
  EXPECT_THAT(site, HasSubstr("Capture loss   rack1: 416 octets of TCP streams missing\n"));
}

TEST_F(Client, StatusSaysWhatIsCapturedAndLost) {
  daemon.directory.change([](live::Status& now) {
    now.interfaces = {{"eth1", "EN10MB", "", 10, 2048, {}, true, "adapter", {"gro", "lro"}, {"It went away once."}}};
    now.totals.losses = {1, 2, 3, 4096};
    now.totals.findings = {{"mpa.crc-mismatch", 2}};
    now.totals.qps_by_state = {{"rts", 5}, {"awaiting_first_fpdu", 1}};
    now.outputs = {{"history", false, "The disk is full.", 4, 5, 6, 7, 8}, {"recorder", true, "", 4, 5, 0, 7, 0, 3}};
    now.limits = {{"queue pairs", 95, 100, 0}, {"connections", 1, 100, 0}, {"tcp chunks", 0, 4096, 7, true}};
  });
  const Result result = ask({"status"});
  EXPECT_EQ(result.status, kExitDone) << result.err;
  EXPECT_THAT(result.out, StartsWith("iwarpscoped 1.2.3, running for"));
  EXPECT_THAT(result.out, HasSubstr("capturing on eth1"));
  EXPECT_THAT(result.out, HasSubstr("receive offloads are on (gro, lro)"));
  EXPECT_THAT(result.out, HasSubstr("It went away once."));
  EXPECT_THAT(
      result.out,
      HasSubstr("Losses      6 frames: 1 at the interface, 2 in the kernel's ring, 3 before the analysis; 4.00 KiB "
                "of TCP streams missing"));
  EXPECT_THAT(result.out, HasSubstr("active: 1 awaiting first fpdu, 5 rts"));
  EXPECT_THAT(result.out, HasSubstr("2 errors, 0 warnings, 0 notes"));
  EXPECT_THAT(result.out,
              HasSubstr("history: 4 accepted, 5 lost, 6 of 7 queued, the oldest for 8.00 s; failing: The disk"));
  EXPECT_THAT(result.out, HasSubstr("recorder: 4 accepted, 5 lost (3 not started: too many active), 0 of 7 queued"));
  EXPECT_THAT(result.out, HasSubstr("queue pairs: 95 of 100"));
  EXPECT_THAT(result.out, HasSubstr("tcp chunks: 4096 each, 7 discarded at the limit"));
  EXPECT_THAT(result.out, Not(HasSubstr("connections")));
}

TEST_F(Client, StatusSaysWhatARestartDid) {
  EXPECT_THAT(ask({"status"}).out, Not(HasSubstr("Restart")));
  daemon.directory.change([](live::Status& now) {
    now.continued = 1;
    now.not_continued = 2;
  });
  EXPECT_THAT(ask({"status"}).out,
              HasSubstr("Restart     1 queue pair of the run before continued, 2 joined mid-stream\n"));
  daemon.directory.change([](live::Status& now) {
    now.continued = 0;
    now.resume_refused = "settings";
  });
  EXPECT_THAT(ask({"status"}).out, HasSubstr("0 queue pairs of the run before continued, 2 joined mid-stream; "
                                             "checkpoint not used (settings): interfaces or "
                                             "networks are configured differently, or a limit is lower\n"));
  daemon.directory.change([](live::Status& now) {
    now.not_continued = 0;
    now.resume_refused = "damaged";
  });
  EXPECT_THAT(ask({"status"}).out, HasSubstr("Restart     checkpoint not used (damaged): it is damaged\n"));
  EXPECT_EQ(lines(ask({"status", "--format", "json"}).out)[0]["checkpoint_refused"], "damaged");
}

TEST_F(Client, StatusAsJsonIsOneRecord) {
  const auto records = lines(ask({"status", "--format", "json"}).out);
  ASSERT_EQ(records.size(), 1u);
  EXPECT_EQ(records[0]["record"], "status");
  EXPECT_EQ(records[0]["version"], "1.2.3");
  EXPECT_EQ(records[0]["capturing"], true);
}

}  // namespace
}  // namespace iwarpscope::cli::testing
