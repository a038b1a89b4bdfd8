// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/progress.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "daemon/cli/console.h"

namespace iwarpscope::cli::testing {
namespace {

using namespace std::chrono_literals;

TEST(ProgressLine, HasBarPartSpeedAndTimeLeft) {
  EXPECT_EQ(progress_line(std::uint64_t{1} << 30, std::uint64_t{4} << 30, 2s),
            "[#####...............] 25 %  1.00 GiB of 4.00 GiB  512 MiB/s  6 s left");
  EXPECT_EQ(progress_line(0, 100, 1s), "[....................] 0 %  0 octets of 100 octets  0 octets/s");
  EXPECT_EQ(progress_line(100, 100, 1s),
            "[####################] 100 %  100 octets of 100 octets  100 octets/s  0 s left");
}

TEST(ProgressLine, FileThatGrewIsNotAboveItsEnd) {
  EXPECT_THAT(progress_line(200, 100, 1s), ::testing::StartsWith("[####################] 100 %"));
}

TEST(ProgressLine, WithoutATotalIsOctetsAndSpeed) {
  EXPECT_EQ(progress_line(2048, std::nullopt, 2s), "2.00 KiB  1.00 KiB/s");
}

TEST(ProgressLine, FitsALine) {
  EXPECT_LT(progress_line(std::uint64_t{1} << 60, std::uint64_t{1} << 63, 1h).size(), 80u);
}

struct Drawn {
  TemporaryFile file;
  Output err{file.descriptor()};
  std::chrono::nanoseconds time{5s};
  Progress progress;
  explicit Drawn(bool enabled = true) : progress(err, enabled, [this] { return time; }) {}
};

TEST(Progress, FirstSecondShowsNothing) {
  Drawn drawn;
  drawn.time += 999ms;
  drawn.progress.update(1, 2);
  drawn.progress.hide();
  EXPECT_EQ(drawn.file.text(), "");
}

TEST(Progress, DrawsTenTimesASecondAtMostAndIsTakenAway) {
  Drawn drawn;
  for (int i = 0; i < 2000; ++i) {
    drawn.time += 1ms;
    drawn.progress.update(1, 2);
  }
  const std::string text = drawn.file.text();
  const auto lines = std::count(text.begin(), text.end(), '\r');
  EXPECT_GE(lines, 9);
  EXPECT_LE(lines, 11);
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 0);
  drawn.progress.hide();
  drawn.progress.hide();
  EXPECT_EQ(drawn.file.text(), text + "\r\x1b[K");
}

TEST(Progress, DisabledShowsNothing) {
  Drawn drawn(false);
  drawn.time += 10s;
  drawn.progress.update(1, 2);
  EXPECT_EQ(drawn.file.text(), "");
}

}  // namespace
}  // namespace iwarpscope::cli::testing
