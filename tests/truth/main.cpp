// iwarpscope-truth: exchanges in which one thing goes wrong, and whether the verdict blames who did it.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <exception>
#include <fstream>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "synth/wire/capture_file.h"
#include "truth/outcome.h"

namespace {

using namespace iwarpscope::truth;

struct Arguments {
  std::uint64_t cases = 2000;
  std::uint64_t from = 1;
  double seconds = 0;
  std::string scene;
  std::string known;
  std::string show = "wrong";
  std::uint64_t most_shown = 20;
  std::string write;
  bool stale = false, list = false, scenes = false, script = false;
};

void print(const Case& one, const Outcome& outcome, bool script) {
  fmt::print("{}: {} says {}, {} ({})\n{}\n  \"{}\"\n  findings: {}\n", name(outcome.grade),
             name(outcome.verdict.outcome), name(outcome.said), name(outcome.verdict.confidence), one.scene,
             describe(one), outcome.verdict.text, outcome.findings);
  if (script) fmt::print("{}", one.script);
  fmt::print("\n");
}

/// The first words of the lines of a file; '#' begins a comment.
std::set<std::string> first_words(const std::string& path) {
  std::set<std::string> words;
  if (path.empty()) return words;
  std::ifstream in(path);
  if (!in) throw std::runtime_error(path + ": cannot be read");
  for (std::string line; std::getline(in, line);) {
    const std::string word = line.substr(0, line.find_first_of(" #"));
    if (!word.empty()) words.insert(word);
  }
  return words;
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
  const std::set<std::string> known = first_words(a.known);
  Tally tally;
  std::uint64_t shown = 0;
  for (std::uint64_t seed = a.from; a.seconds > 0 ? Clock::now() < until : seed < a.from + a.cases; ++seed) {
    const Case one = make_case(seed, a.scene);
    const Outcome outcome = outcome_of(one);
    tally.add(one, outcome, known.contains(one.scene));
    if (!is_asked_for(a, outcome) || shown >= a.most_shown) continue;
    ++shown;
    print(one, outcome, a.script);
  }
  fmt::print("{} cases, seeds {} and up. Who was at fault, by who is blamed: certain / likely / limited.\n\n{}\n",
             tally.cases(), a.from, tally.matrix());
  if (a.scenes) fmt::print("{}\n", tally.by_scene());
  auto broken = tally.broken_gates();
  const auto wrong = tally.wrong_scenes();
  for (const std::string& scene : wrong) {
    if (!known.contains(scene)) fmt::print("wrong too often: {}\n", scene);
  }
  for (const std::string& scene : a.stale ? known : std::set<std::string>()) {
    if (std::find(wrong.begin(), wrong.end(), scene) != wrong.end()) continue;
    broken.push_back(fmt::format("{} stands in {}, but its verdicts are right: take it out", scene, a.known));
  }
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
  CLI::App app{"Plays exchanges in which one thing goes wrong, and holds the verdicts beside what is so."};
  Arguments a;
  app.add_option("--cases", a.cases, "How many (2000)");
  app.add_option("--seconds", a.seconds, "As many as fit into this time, instead");
  app.add_option("--from", a.from, "The first seed (1); each case has the next");
  app.add_option("--scene", a.scene, "Only cases of this scene");
  app.add_option("--known", a.known,
                 "A file of scenes that are not held to the gates: their verdicts are known to be wrong");
  app.add_flag("--no-stale", a.stale, "Fail if a scene of that file has right verdicts");
  app.add_option("--show", a.show,
                 "Cases to print: wrong (and overclaimed), unknown, 'nobody blamed', 'no verdict', all, none");
  app.add_option("--most", a.most_shown, "Print so many of them at most (20)");
  app.add_option("--write", a.write, "Write the case of the seed of --from as a pcapng file, print it, and stop");
  app.add_flag("--script", a.script, "Print the scripts as well");
  app.add_flag("--by-scene", a.scenes, "Print the grades of each scene");
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
