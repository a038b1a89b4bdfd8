// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// iwarpscope-damage: damages the samples as taps do, and looks for accusations caused only by the damage.
#include <CLI/CLI.hpp>

#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>

#include "damage/campaign.h"

namespace {

using namespace iwarpscope::test;

void write_index(const CampaignOptions& options, const CampaignResult& result) {
  std::ofstream out(options.folder + "/INDEX.txt", std::ios::app);
  out << "seed " << options.seed << ": " << result.line() << "\n" << result.text() << "\n";
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{
      "Damages the samples as taps do: drops, repeats, moves, cuts and pads frames. Prints each accusation of an "
      "end or the path that the whole sample does not have. Exit status 1 if there are more than "
      "tests/damage/bounds.h allows."};
  CampaignOptions options;
  bool table = false;
  app.add_option("--seed", options.seed, "The same seed gives the same damaged captures")->capture_default_str();
  app.add_option("--first", options.first, "Number of the first damaged capture, to repeat one");
  auto* captures = app.add_option("--captures", options.captures, "Stop after so many");
  auto* seconds = app.add_option("--seconds", options.seconds, "Stop after so long; 60 without --captures");
  app.add_option("--sample", options.sample, "Only samples with this in their path");
  app.add_option("--mutation", options.mutation, "Only damage with this in the name of its first kind");
  app.add_option("--rule", options.rule, "Only cases of this rule, or of \"verdict\"");
  app.add_option("--cases", options.cases, "So many cases of each kind, of different samples")->capture_default_str();
  app.add_option("--frames", options.most_frames, "At most so many frames of a sample")->capture_default_str();
  app.add_option("--folder", options.folder, "Write the smallest cases there as pcapng, and INDEX.txt")
      ->check(CLI::ExistingDirectory);
  app.add_flag("--table", table, "Print how the verdicts compare");
  CLI11_PARSE(app, argc, argv);
  if (captures->empty() && seconds->empty()) options.seconds = 60;
  try {
    const CampaignResult result = run(options);
    if (!options.folder.empty()) write_index(options, result);
    std::fputs(result.text().c_str(), stdout);
    if (table) std::fputs(result.verdict_table().c_str(), stdout);
    std::printf("%s\n", result.line().c_str());
    return result.holds() ? 0 : 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "iwarpscope-damage: %s\n", error.what());
    return 2;
  }
}
