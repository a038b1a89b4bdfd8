// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// iwarpscope-truth: exchanges in which one thing goes wrong, and whether the verdict blames the end or path at fault.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdio>
#include <exception>
#include <string>

#include "synth/wire/capture_file.h"
#include "truth/outcome.h"

namespace {

using namespace iwarpscope::truth;

struct Arguments {
  std::uint64_t cases = 2000;
  std::uint64_t from = 1;
  double seconds = 0;
  std::string scene;
  std::string show = "wrong";
  std::uint64_t most_shown = 20;
  std::string write;
  bool list = false, scenes = false, script = false, aim = false;
};

void print(const Case& one, const Outcome& outcome, bool script) {
  fmt::print("{}: {} says {}, {} ({})\n{}\n  \"{}\"\n  findings: {}\n", name(outcome.grade),
             name(outcome.verdict.outcome), name(outcome.said), name(outcome.verdict.confidence), one.scene,
             describe(one), outcome.verdict.text, outcome.findings);
  if (script) fmt::print("{}", one.script);
  fmt::print("\n");
}

bool is_asked_for(const Arguments& a, const Outcome& outcome) {
  if (a.show == "all") return true;
  if (a.show == "none") return false;
  const bool wrong = outcome.grade == Grade::wrong || outcome.grade == Grade::overclaimed;
  return a.show == "wrong" ? wrong : a.show == name(outcome.grade);
}

int run(const Arguments& a) {
  using Clock = std::chrono::steady_clock;
  const auto until =
      Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(a.seconds));
  Tally tally;
  std::uint64_t shown = 0;
  for (std::uint64_t seed = a.from; a.seconds > 0 ? Clock::now() < until : seed < a.from + a.cases; ++seed) {
    const Case one = make_case(seed, a.scene);
    const Outcome outcome = outcome_of(one);
    tally.add(one, outcome);
    if (!is_asked_for(a, outcome) || shown >= a.most_shown) continue;
    ++shown;
    print(one, outcome, a.script);
  }
  fmt::print("{} cases, seeds {} and up. Who was at fault, by who is blamed: certain / likely / limited.\n\n{}\n",
             tally.cases(), a.from, tally.matrix());
  if (a.scenes) fmt::print("{}\n", tally.by_scene());
  for (const std::string& scene : tally.wrong_scenes()) fmt::print("misses the aim: {}\n", scene);
  const auto broken = tally.broken_gates(a.aim ? kAim : Bounds{});
  for (const std::string& gate : broken) fmt::print("FAILED: {}\n", gate);
  return broken.empty() ? 0 : 1;
}

int list_scenes() {
  for (const Scene& scene : scenes()) fmt::print("{}\n", scene.name);
  return 0;
}

/// One case, with its script, and its capture if asked for.
int look(const Arguments& a) {
  const Case one = make_case(a.from, a.scene);
  print(one, outcome_of(one), true);
  iwarpscope::synth::save(frames_of(one), a.write);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"Plays exchanges in which one thing goes wrong, and compares the verdicts with what was done."};
  Arguments a;
  app.add_option("--cases", a.cases, "How many (2000)");
  app.add_option("--seconds", a.seconds, "As many as fit into this time, instead");
  app.add_option("--from", a.from, "The first seed (1); each case has the next");
  app.add_option("--scene", a.scene, "Only cases of this scene");
  app.add_option("--show", a.show,
                 "Cases to print: wrong (and overclaimed), unknown, 'none blamed', 'no verdict', all, none");
  app.add_option("--most", a.most_shown, "Print so many of them at most (20)");
  app.add_option("--write", a.write, "Write the case of the seed of --from as a pcapng file, print it, and stop");
  app.add_flag("--script", a.script, "Print the scripts as well");
  app.add_flag("--by-scene", a.scenes, "Print the grades of each scene");
  app.add_flag("--aim", a.aim, "Fail unless nothing certain and below 1 % of what is likely is wrong");
  app.add_flag("--list", a.list, "Print the names of the scenes");
  try {
    app.parse(argc, argv);
    if (a.list) return list_scenes();
    return a.write.empty() ? run(a) : look(a);
  } catch (const CLI::ParseError& error) {
    return app.exit(error);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "iwarpscope-truth: %s\n", error.what());
    return 2;
  }
}
