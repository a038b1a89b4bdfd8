#include "cli/output.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
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

TEST(Console, ComplaintsAreOneHarmlessLine) {
  TemporaryFile file;
  Output err(file.descriptor());
  Console{err, err}.complain("a\x1b[2J\nb");
  EXPECT_EQ(file.text(), "iwarpscope: a\\x1b[2J\\x0ab\n");
}

}  // namespace
}  // namespace iwarpscope::cli::testing
