// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// A configuration that is read again, and the recorder that goes on by it.
#include "service/reload.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <thread>
#include <vector>

#include "daemon/live/fake_directory.h"
#include "daemon/outputs/events.h"
#include "daemon/service/kit.h"
#include "service/identity.h"
#include "service/outlets.h"

namespace iwarpscope::service {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::IsEmpty;

template <class Done>
[[nodiscard]] bool await(Done done) {
  const auto until = std::chrono::steady_clock::now() + 60s;
  while (!done() && std::chrono::steady_clock::now() < until) std::this_thread::sleep_for(1ms);
  return done();
}

TEST(Reload, WhatCanChangeDoesAndTheRestWaitsForARestart) {
  const Configuration begun = read("[recorder]\nring = \"8 MiB\"\n");
  const Configuration file = read(
      "[capture]\nworkers = 2\n[recorder]\nring = \"16 MiB\"\nat_least = \"warning\"\nrules = [\"CA-05\"]\n"
      "not_rules = [\"MF-04\"]\nbefore = \"3 s\"\nafter = \"4 s\"\nfiles = 5\nsize = \"1 MiB\"\nkeep = \"1 h\"\n");
  const Reloaded first = reloaded(begun, begun, file, {});
  EXPECT_THAT(first.applied, ElementsAre("recorder.at_least", "recorder.rules", "recorder.not_rules", "recorder.before",
                                         "recorder.after", "recorder.files", "recorder.size", "recorder.keep"));
  EXPECT_THAT(first.restarts, ElementsAre("capture.workers", "recorder.ring"));
  EXPECT_EQ(first.next.recorder.ring.most_octets, begun.recorder.ring.most_octets);
  EXPECT_EQ(first.next.capture.each.workers, begun.capture.each.workers);
  EXPECT_EQ(first.next.recorder.options.after, 4s);
  EXPECT_EQ(first.next.recorder.options.folder.most_files, 5u);
  // The same file once more, and the first one again.
  EXPECT_THAT(reloaded(begun, first.next, file, {}).applied, IsEmpty());
  EXPECT_THAT(reloaded(begun, first.next, file, {}).restarts, ElementsAre("capture.workers", "recorder.ring"));
  const Reloaded back = reloaded(begun, first.next, begun, {});
  EXPECT_THAT(back.applied, testing::SizeIs(8));
  EXPECT_THAT(back.restarts, IsEmpty());
  EXPECT_EQ(back.next.recorder.options.at_least, findings::Severity::error);
}

TEST(Reload, EventLogOutsideOfTheFoldersTakesARestart) {
  const Configuration begun = read("[event_log]\npath = \"/a/log\"\n");
  const auto with = [&](const std::string& path, const std::vector<std::string>& folders) {
    return reloaded(begun, begun, read("[event_log]\npath = \"" + path + "\"\n"), folders);
  };
  const Reloaded outside = with("/b/log", {"/a", "/c"});
  EXPECT_THAT(outside.restarts, ElementsAre("event_log.path"));
  EXPECT_THAT(outside.applied, IsEmpty());
  EXPECT_EQ(outside.next.event_log.options.path, "/a/log");
  EXPECT_THAT(with("/a/../b/log", {"/a", "/c"}).restarts, ElementsAre("event_log.path"));
  EXPECT_THAT(with("/ab/log", {"/a"}).restarts, ElementsAre("event_log.path"));
  EXPECT_THAT(with("/c/d/log", {"/a", "/c/"}).applied, ElementsAre("event_log.path"));
  EXPECT_THAT(with("/b/log", {"/"}).applied, ElementsAre("event_log.path"));
  EXPECT_THAT(with("/b/log", {}).applied, ElementsAre("event_log.path"));
  EXPECT_THAT(with("/a/log", {"/c"}).restarts, IsEmpty());
}

TEST(Trouble, NamesTheUserWithoutPermissionAndNoneOtherwise) {
  EXPECT_EQ(with_user_of("/a: Permission denied.", "nobody"), "/a: Permission denied (the daemon runs as nobody).");
  EXPECT_EQ(with_user_of("/a: Permission denied", "nobody"), "/a: Permission denied (the daemon runs as nobody)");
  EXPECT_EQ(with_user_of("/a: Is a directory.", "nobody"), "/a: Is a directory.");
  EXPECT_EQ(with_user_of("", "nobody"), "");
}

TEST(Reload, RecorderGoesOnByWhatWasReadWithThePacketsItHad) {
  const outputs::Folder folder;
  const std::string outputs_off =
      "[event_log]\nenabled = false\n[journal]\nenabled = false\n[history]\nenabled = false\n";
  const std::string recorder_on = outputs_off + "[recorder]\nfolder = \"" + folder.path().string() + "\"\n";
  const Configuration begun = read(recorder_on + "at_least = \"none\"\n");
  live::FakeDirectory directory;
  outputs::PacketRing ring(begun.recorder.ring);
  const std::vector<std::byte> octets(60);
  const auto pass = [&](std::uint64_t number) {
    net::Frame frame;
    frame.number = FrameNumber{number};
    frame.time = TimePoint{1'700'000'000'000'000'000 + static_cast<std::int64_t>(number) * 1'000'000'000};
    frame.octets = octets;
    frame.original_length = 60;
    ring.frame(frame, outputs::flow_of_qp(1));
  };
  ring.batch(nullptr);
  for (std::uint64_t number = 1; number <= 4; ++number) pass(number);
  outputs::Recorder recorder(begun.recorder.options, ring, directory);
  Outlets outlets;
  outlets.start(begun, outputs::make_run("1"), directory, &recorder);
  const auto find = [&](findings::FindingId id) {
    const auto view = std::make_shared<live::FindingView>(*outputs::finding_view(1, 4, "It is so.", id));
    view->finding.time = TimePoint{1'700'000'004'000'000'000};
    directory.tell(live::FindingReported{view});
  };
  const auto taken = [&](std::uint64_t count) { return await([&] { return outlets.views().at(0).taken == count; }); };
  find(findings::FindingId::mpa_crc_mismatch);
  ASSERT_TRUE(taken(1));
  const Reloaded now =
      reloaded(begun, begun,
               read(recorder_on + "at_least = \"none\"\nrules = [\"CA-05\"]\nbefore = \"2 s\"\nafter = \"1 s\"\n"), {});
  outlets.reload(begun, now.next);
  find(findings::FindingId::mpa_crc_mismatch);
  find(findings::FindingId::capture_joined_midstream);
  ASSERT_TRUE(taken(3));
  ASSERT_TRUE(await([&] { return recorder.counts().begun == 1; }));
  for (std::uint64_t number = 5; number <= 8; ++number) pass(number);
  ASSERT_TRUE(await([&] { return recorder.counts().complete == 1; }));
  outlets.stop();
  recorder.stop();
  const auto all = recorder.recordings();
  ASSERT_THAT(all, testing::SizeIs(1));
  EXPECT_EQ(all[0].reason, "CA-05");
  EXPECT_EQ(all[0].frames, 4u);  // two seconds before, that very frame, and one second after
}

}  // namespace
}  // namespace iwarpscope::service
