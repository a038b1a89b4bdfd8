// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/output.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <array>

#include "daemon/cli/console.h"

namespace iwarpscope::cli::testing {
namespace {

TEST(Output, AllOctetsArrive) {
  TemporaryFile file;
  Output out(file.descriptor());
  const std::string many(1 << 20, 'x');
  out.write(many);
  out.write("end");
  EXPECT_EQ(file.text(), many + "end");
  EXPECT_FALSE(out.has_failed());
  EXPECT_EQ(out.error_text(), "");
  EXPECT_FALSE(out.is_terminal());
}

TEST(Output, ClosedPipeIsClosedNotDeath) {
  const auto before = ::signal(SIGPIPE, SIG_IGN);
  std::array<int, 2> ends;
  ASSERT_EQ(::pipe(ends.data()), 0);
  ::close(ends[0]);
  Output out(ends[1]);
  out.write("x");
  EXPECT_TRUE(out.has_failed());
  EXPECT_TRUE(out.is_closed());
  ::close(ends[1]);
  ::signal(SIGPIPE, before);
}

TEST(Output, FirstErrorIsKept) {
  const int full = ::open("/dev/full", O_WRONLY | O_CLOEXEC);
  if (full < 0) GTEST_SKIP() << "no /dev/full here";
  Output out(full);
  out.write("x");
  EXPECT_EQ(out.error_text(), "No space left on device");
  ::close(full);
  out.write("y");
  EXPECT_EQ(out.error_text(), "No space left on device");
  EXPECT_FALSE(out.is_closed());
}

TEST(Output, ColumnsOfTheEnvironmentComeFirst) {
  TemporaryFile file;
  const Output out(file.descriptor());
  const auto columns = [&](const char* value) {
    ::setenv("COLUMNS", value, 1);
    const std::size_t found = report_columns(out);
    ::unsetenv("COLUMNS");
    return found;
  };
  EXPECT_EQ(columns("80"), 80u);
  EXPECT_EQ(columns("200"), 200u);
  EXPECT_EQ(columns("7"), 40u);
  for (const char* wrong : {"", "0", "-5", "80x", "wide"}) EXPECT_EQ(columns(wrong), 100u) << wrong;
}

TEST(Output, ColumnsAreThoseOfTheTerminal) {
  ::unsetenv("COLUMNS");
  TemporaryFile file;
  EXPECT_EQ(Output(file.descriptor()).columns(), std::nullopt);
  EXPECT_EQ(sentence_width(Output(file.descriptor())), 100u);
  const int terminal = ::posix_openpt(O_RDWR | O_NOCTTY);
  if (terminal < 0) GTEST_SKIP() << "no pseudo-terminals here";
  const Output out(terminal);
  EXPECT_EQ(sentence_width(out), 100u) << "a size of 0 is not known";
  const auto width = [&](unsigned short columns) {
    winsize size{};
    size.ws_col = columns;
    EXPECT_EQ(::ioctl(terminal, TIOCSWINSZ, &size), 0);
    return sentence_width(out);
  };
  EXPECT_EQ(width(80), 80u);
  EXPECT_EQ(out.columns(), 80u);
  EXPECT_EQ(width(10), 40u);
  EXPECT_EQ(width(300), 100u);
  EXPECT_EQ(report_columns(out), 300u);
  ::close(terminal);
}

TEST(Console, ComplaintsAreOneHarmlessLine) {
  TemporaryFile file;
  Output err(file.descriptor());
  Console{err, err}.complain("a\x1b[2J\nb");
  EXPECT_EQ(file.text(), "iwarpscope: a\\x1b[2J\\x0ab\n");
}

}  // namespace
}  // namespace iwarpscope::cli::testing
