// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/restart_words.h"

#include <gtest/gtest.h>

namespace iwarpscope::report {
namespace {

TEST(RestartWords, OfARunThatLeftNothingAreEmpty) {
  EXPECT_EQ(restart_text({}), "");
}

TEST(RestartWords, CountWhatContinuedAndWhatDidNot) {
  EXPECT_EQ(restart_text({1, 0, {}}), "1 queue pair of the run before continued, 0 joined mid-stream");
  EXPECT_EQ(restart_text({2, 3, {}}), "2 queue pairs of the run before continued, 3 joined mid-stream");
}

TEST(RestartWords, SayWhyTheCheckpointWasNotUsed) {
  EXPECT_EQ(restart_text({0, 0, "damaged"}), "checkpoint not used (damaged): it is damaged");
  EXPECT_EQ(restart_text({0, 2, "sensor"}),
            "0 queue pairs of the run before continued, 2 joined mid-stream; checkpoint not used (sensor): it is of "
            "another sensor");
  EXPECT_EQ(restart_text({0, 0, "weather"}), "checkpoint not used (weather)") << "of a daemon of a later version";
}

TEST(RestartWords, KnowEachReasonOfADaemon) {
  for (const char* reason : {"damaged", "layout", "sensor", "settings", "age", "unreadable"}) {
    EXPECT_NE(refusal_text(reason), "") << reason;
  }
}

}  // namespace
}  // namespace iwarpscope::report
