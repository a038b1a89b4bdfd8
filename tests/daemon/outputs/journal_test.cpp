// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "outputs/journal.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <cerrno>

#include "daemon/outputs/events.h"
#include "daemon/outputs/own_mounts.h"
#include "net/community_id.h"

namespace iwarpscope::outputs {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

struct JournalOf : ::testing::Test {
  Folder folder;
  std::vector<std::vector<std::string>> entries;
  int answer = 0;
  JournalOptions options{.socket = folder / "socket", .send = [this](const iovec* fields, int count) {
                           auto& entry = entries.emplace_back();
                           for (int i = 0; i < count; ++i) {
                             entry.emplace_back(static_cast<const char*>(fields[i].iov_base), fields[i].iov_len);
                           }
                           return answer;
                         }};
  JournalOf() { write_file(options.socket, ""); }
};

TEST_F(JournalOf, AFindingHasItsFields) {
  Journal journal(options);
  EXPECT_EQ(journal.take({finding(7, 3, "The CRC\nis wrong."), ended(7)}), 0u);
  ASSERT_EQ(entries.size(), 1u);
  EXPECT_THAT(entries[0],
              ElementsAre("MESSAGE=10.0.0.1:4007 <-> 10.0.0.2:5445: MF-04: The CRC\\x0ais wrong.", "PRIORITY=3",
                          "IWARPSCOPE_RULE=MF-04", "IWARPSCOPE_RULE_NAME=mpa.crc-mismatch", "IWARPSCOPE_QP=7",
                          "IWARPSCOPE_A=10.0.0.1:4007", "IWARPSCOPE_B=10.0.0.2:5445", "IWARPSCOPE_FRAME=3"));
  EXPECT_EQ(journal.trouble(), "");
}

TEST_F(JournalOf, AFindingHasItsName) {
  Journal journal(options);
  EXPECT_EQ(journal.take({named_finding(7, 3)}), 0u);
  ASSERT_EQ(entries.size(), 1u);
  const std::string id = net::community_id(end_a(4007), end_b(), net::Transport::tcp, kOrigin.community_id_seed);
  EXPECT_THAT((std::vector<std::string>{entries[0].begin() + 8, entries[0].end()}),
              ElementsAre("IWARPSCOPE_SENSOR_UUID=" + kOrigin.sensor_uuid, "IWARPSCOPE_RUN_UUID=" + kOrigin.run_uuid,
                          "IWARPSCOPE_SEQUENCE=3", "IWARPSCOPE_COMMUNITY_ID=" + id, "IWARPSCOPE_INTERFACE=mirror0",
                          "IWARPSCOPE_TAP_GROUP=mirror0,mirror1", "IWARPSCOPE_SENSOR=rack 7"));
}

TEST_F(JournalOf, TheSeverityDecidesThePriorityAndWhetherItIsSent) {
  Journal strict(options);
  EXPECT_EQ(strict.take({finding(0, 1, "x", findings::FindingId::capture_joined_midstream)}), 0u);
  EXPECT_TRUE(entries.empty());
  options.at_least = findings::Severity::note;
  Journal all(options);
  EXPECT_EQ(all.take({finding(0, 1, "x", findings::FindingId::capture_joined_midstream)}), 0u);
  ASSERT_EQ(entries.size(), 1u);
  EXPECT_EQ(entries[0][1], "PRIORITY=6");
}

TEST_F(JournalOf, ThresholdsHoldEntriesBack) {
  options.thresholds = {"threshold MF-04, type limit, track by_src, count 2, seconds 60"};
  Journal journal(options);
  EXPECT_EQ(journal.take({finding(1, 1), finding(2, 2), finding(3, 3), finding(4, 4)}), 0u);
  EXPECT_EQ(entries.size(), 2u);
  EXPECT_EQ(journal.withheld(), 2u);
}

TEST_F(JournalOf, NoQueuePairGivesNoFieldsOfOne) {
  auto view = std::make_shared<live::FindingView>();
  view->finding.id = findings::FindingId::capture_interface_drops;
  view->finding.text = "Frames are missing.";
  Journal journal(options);
  EXPECT_EQ(journal.take({live::FindingReported{view}}), 0u);
  EXPECT_EQ(entries.at(0).size(), 4u);
  EXPECT_EQ(entries[0][0], "MESSAGE=CA-07: Frames are missing.");
}

TEST_F(JournalOf, NoJournalIsSaidAndCountedUntilThereIsOne) {
  std::filesystem::remove(options.socket);
  Journal journal(options);
  EXPECT_EQ(journal.take({finding(0, 1), finding(0, 2), ended(1)}), 2u);
  EXPECT_THAT(journal.trouble(), HasSubstr("No journal listens on"));
  EXPECT_TRUE(entries.empty());
  write_file(options.socket, "");
  EXPECT_EQ(journal.take({finding(0, 3)}), 0u);
  EXPECT_EQ(journal.trouble(), "");
}

TEST_F(JournalOf, AJournalThatRefusesIsSaidAndCounted) {
  answer = -ECONNREFUSED;
  Journal journal(options);
  EXPECT_EQ(journal.take({finding(0, 1)}), 1u);
  EXPECT_EQ(journal.trouble(), "The journal does not accept entries: Connection refused.");
}

TEST_F(JournalOf, LibsystemdSendsToTheSocketOfTheJournal) {
  const bool done = with_own_disk("/run", "1m", [] {
    std::filesystem::create_directories("/run/systemd/journal");
    const int server = socket(AF_UNIX, SOCK_DGRAM, 0);
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::string{"/run/systemd/journal/socket"}.copy(address.sun_path, sizeof address.sun_path - 1);
    ASSERT_EQ(bind(server, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
    Journal journal;
    EXPECT_EQ(journal.take({finding(7, 3, "The CRC is wrong.")}), 0u);
    std::string got(4096, '\0');
    const ssize_t octets = recv(server, got.data(), got.size(), MSG_DONTWAIT);
    ASSERT_GT(octets, 0);
    got.resize(static_cast<std::size_t>(octets));
    EXPECT_THAT(got, HasSubstr("MF-04: The CRC is wrong.\nPRIORITY=3\nIWARPSCOPE_RULE=MF-04\n"));
    EXPECT_THAT(got, HasSubstr("\nIWARPSCOPE_QP=7\n"));
    EXPECT_THAT(got, ::testing::Not(HasSubstr("CODE_LINE=")));
  });
  if (!done) GTEST_SKIP() << "This process may not mount file systems.";
}

}  // namespace
}  // namespace iwarpscope::outputs
