// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/completion.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <string>

#include "cli/exit_status.h"
#include "daemon/cli/console.h"

namespace iwarpscope::cli::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

bool is_installed(const std::string& program) {
  return std::system(("command -v " + program + " >/dev/null 2>&1").c_str()) == 0;
}

/// What a shell prints for a script on its standard input.
std::string run_shell(const std::string& command, const std::string& script) {
  char path[] = "/tmp/iwarpscope-completion-XXXXXX";
  const int descriptor = ::mkstemp(path);
  Output(descriptor).write(script);
  ::close(descriptor);
  std::FILE* pipe = ::popen((command + " < " + path + " 2>&1").c_str(), "r");
  std::string out;
  char buffer[4096];
  while (const std::size_t n = std::fread(buffer, 1, sizeof buffer, pipe)) out.append(buffer, n);
  ::pclose(pipe);
  ::unlink(path);
  return out;
}

std::string script(const std::string& shell) {
  const Result result = run_with({"completion", shell});
  EXPECT_EQ(result.status, kExitDone);
  return result.out;
}

/// The words bash offers when the last of `words` is being typed.
std::string bash_offers(const std::string& words, int last) {
  return run_shell("bash", script("bash") + "\ncompopt() { :; }\nCOMP_WORDS=(" + words + ")\nCOMP_CWORD=" +
                               std::to_string(last) + "\n_iwarpscope\nIFS=' '\necho \"${COMPREPLY[*]}\"\n");
}

TEST(Completion, EveryScriptKnowsCommandsOptionsAndChoices) {
  for (const char* shell : {"bash", "zsh", "fish"}) {
    const std::string text = script(shell);
    for (const char* word : {"analyze", "explain", "rules", "completion", "fail-on", "messages", "always", "json",
                             "mpa.crc-mismatch", "timing"}) {
      EXPECT_THAT(text, HasSubstr(word)) << shell;
    }
  }
}

TEST(Completion, UnknownShellHasNoScript) {
  EXPECT_EQ(completion_script("tcsh", {}), "");
}

TEST(Completion, QuotesInHelpDoNotEndAString) {
  const std::vector<CompletedCommand> commands = {
      {"it", "a 'quoted' [word]: yes", {{{"--opt"}, "it's [here]", true, {"x", "y"}}}, {"'"}, false}};
  EXPECT_THAT(completion_script("zsh", commands), HasSubstr("'--opt[it'\\''s \\[here\\]]:value:(x y)'"));
  EXPECT_THAT(completion_script("fish", commands), HasSubstr("-d 'a '\\''quoted'\\'' [word]: yes'"));
  if (is_installed("bash")) {
    EXPECT_EQ(run_shell("bash -n", completion_script("bash", commands)), "");
  }
}

TEST(Completion, BashOffersWhatFits) {
  if (!is_installed("bash")) GTEST_SKIP() << "no bash here";
  EXPECT_EQ(bash_offers("iwarpscope ana", 1), "analyze\n");
  EXPECT_EQ(bash_offers("iwarpscope analyze --f", 2), "--format --filter --fail-on\n");
  EXPECT_EQ(bash_offers("iwarpscope analyze --fail-on ''", 3), "error warning\n");
  EXPECT_EQ(bash_offers("iwarpscope explain mpa.crc-mis", 2), "mpa.crc-mismatch mpa.crc-mismatch-reaction\n");
  EXPECT_THAT(bash_offers("iwarpscope explain V-3", 2), HasSubstr("V-30 V-31"));
  EXPECT_EQ(bash_offers("iwarpscope completion ''", 2), "bash zsh fish\n");
  EXPECT_THAT(bash_offers("iwarpscope analyze --messages --t", 3), HasSubstr("--threads --timing"));
}

TEST(Completion, ZshAndFishAcceptTheirScripts) {
  if (is_installed("zsh")) {
    EXPECT_EQ(run_shell("zsh -n", script("zsh")), "");
  }
  if (is_installed("fish")) {
    EXPECT_EQ(run_shell("fish -n", script("fish")), "");
  }
  EXPECT_THAT(script("zsh"), ::testing::StartsWith("#compdef iwarpscope\n"));
  EXPECT_THAT(script("fish"),
              HasSubstr("complete -c iwarpscope -n '__fish_seen_subcommand_from analyze' -l messages -s v -d "));
}

}  // namespace
}  // namespace iwarpscope::cli::testing
