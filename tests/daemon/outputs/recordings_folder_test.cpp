// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "outputs/recordings_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "daemon/outputs/events.h"

namespace iwarpscope::outputs {
namespace {

using namespace std::chrono_literals;

constexpr std::int64_t kTime = 1'700'000'000'000'000'000;

TEST(RecordingsFolder, KeepsItsLimitsOfSizeAndAge) {
  Folder folder;
  const RecordingsFolder by_size({.path = folder.path(), .most_octets = 2500});
  const auto now = std::filesystem::file_time_type::clock::now();
  for (int i = 0; i < 5; ++i) {
    const std::string path = folder / ("2020010" + std::to_string(i + 1) + "T000000Z-qp1-MF-04.pcapng");
    write_file(path, std::string(1000, 'x'));
    std::filesystem::last_write_time(path, now - std::chrono::hours(10 * (5 - i)));
  }
  EXPECT_EQ(by_size.retire(), 3u);
  const RecordingsFolder by_age({.path = folder.path(), .keep = 15h});
  EXPECT_EQ(by_age.retire(), 1u);
  ASSERT_EQ(by_age.list().size(), 1u);
  EXPECT_EQ(by_age.list()[0].file, "20200105T000000Z-qp1-MF-04.pcapng");
}

TEST(RecordingsFolder, NamesAreReadBackAndDoNotClash) {
  Folder folder;
  const RecordingsFolder recordings({.path = folder.path()});
  const TimePoint time{kTime};
  const std::string name = recordings.name_for(time, 12, "MF-04");
  EXPECT_EQ(name, "20231114T221320Z-qp12-MF-04.pcapng");
  write_file(recordings.path(name) + ".part", "x");
  const std::string other = recordings.name_for(time, 12, "MF-04");
  EXPECT_EQ(other, "20231114T221320Z-qp12-MF-04+2.pcapng");
  live::Recording recording;
  ASSERT_TRUE(parse_recording_name(other, recording));
  EXPECT_EQ(recording.qp, 12u);
  EXPECT_EQ(recording.reason, "MF-04");
  EXPECT_EQ(recording.started, time);
  EXPECT_EQ(recordings.name_for(time, 1, " /\n"), "20231114T221320Z-qp1-request.pcapng");
  for (const char* wrong : {"", ".pcapng", "20231114T221320Z-qp12-MF-04.pcap", "20231114T221320Z-qp-MF-04.pcapng",
                            "20231114T221320Z-qp12.pcapng", "2023111xT221320Z-qp12-MF-04.pcapng", "notes.pcapng"}) {
    EXPECT_FALSE(parse_recording_name(wrong, recording)) << wrong;
  }
}

}  // namespace
}  // namespace iwarpscope::outputs
