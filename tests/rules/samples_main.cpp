// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// iwarpscope-rule-samples: keeps the traffic that breaks a rule as a small capture file, named after the rule.
#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <fstream>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "rules/scenario.h"
#include "support/analysis.h"
#include "synth/wire/capture_file.h"

namespace {

using namespace iwarpscope;
using namespace iwarpscope::test;
using synth::Buffer;

struct RuleSample {
  Scenario scenario;
  Buffer file;
};

/// The scenario's raising traffic as a file; nothing when a file cannot tell it (two link types on one interface, what
/// one of several interfaces dropped) or when it takes limits of its own to raise the rule.
std::optional<RuleSample> sample_of(const Scenario& s) {
  const Traffic traffic = s.raise();
  if (traffic.info.interfaces.size() > 1) return {};
  if (analyze(traffic.frames, {}, traffic.info).count(s.id) == 0) return {};
  synth::FileOptions options;
  if (!traffic.info.interfaces.empty()) options.dropped = traffic.info.interfaces.front().dropped;
  try {
    RuleSample sample{s, synth::write_file(traffic.frames, options)};
    if (traffic.info.truncated_file) sample.file.resize(sample.file.size() - 10);
    if (traffic.info.stopped) {  // a block that says it has 7 octets, which none can have
      const Buffer damage = synth::hex("06000000 07000000 00000000 00000000");
      sample.file.insert(sample.file.end(), damage.begin(), damage.end());
    }
    return sample;
  } catch (const std::invalid_argument&) {
    return {};
  }
}

/// The smallest of the rule's samples; the first of those of one size.
std::optional<RuleSample> smallest(const findings::Rule& rule) {
  std::optional<RuleSample> best;
  for (const Scenario& s : scenarios()) {
    if (s.id != rule.id) continue;
    std::optional<RuleSample> now = sample_of(s);
    if (now && (!best || now->file.size() < best->file.size())) best = std::move(now);
  }
  return best;
}

/// The rules named by code or by name, or all.
std::vector<findings::Rule> chosen(const std::vector<std::string>& names) {
  std::vector<findings::Rule> out;
  for (const std::string& name : names) {
    const auto all = findings::rules();
    const auto it =
        std::find_if(all.begin(), all.end(), [&](const findings::Rule& r) { return r.code == name || r.name == name; });
    if (it == all.end()) throw std::invalid_argument("no such rule: " + name);
    out.push_back(*it);
  }
  if (names.empty()) out.assign(findings::rules().begin(), findings::rules().end());
  return out;
}

std::string file_name(const findings::Rule& rule) {
  return std::string(rule.name) + ".pcapng";
}

void write(const std::string& directory, const std::vector<std::string>& names) {
  for (const findings::Rule& rule : chosen(names)) {
    const std::optional<RuleSample> sample = smallest(rule);
    if (!sample) throw std::runtime_error(std::string(rule.code) + ": no scenario of it makes a capture file");
    const std::string path = directory + "/" + file_name(rule);
    std::ofstream out(path, std::ios::binary);
    out.write(reinterpret_cast<const char*>(sample->file.data()), static_cast<std::streamsize>(sample->file.size()));
    if (!out.flush()) throw std::runtime_error(path + ": cannot be written");
  }
}

/// What the script settles, for people: "a to b, frame 8: 10 instead of 18"; else what the rule says.
std::string truth(const Scenario& s) {
  if (!s.finding.is_given()) return std::string(findings::rule(s.id).what);
  std::string line;
  if (s.finding.direction) line = *s.finding.direction == Direction::a_to_b ? "a to b" : "b to a";
  if (s.finding.frame != 0) line += (line.empty() ? "frame " : ", frame ") + std::to_string(s.finding.frame);
  if (!s.finding.seen.empty()) line += (line.empty() ? "" : ": ") + std::string(s.finding.seen);
  if (!s.finding.expected.empty())
    line += (s.finding.seen.empty() ? ": not " : " instead of ") + std::string(s.finding.expected);
  return line;
}

void list(const std::vector<std::string>& names) {
  for (const findings::Rule& rule : chosen(names)) {
    const std::optional<RuleSample> sample = smallest(rule);
    if (!sample) {
      std::printf("| (none) | %s | |\n", std::string(rule.code).c_str());
      continue;
    }
    std::printf("| `%s` | %s | %s |\n", file_name(rule).c_str(), std::string(rule.code).c_str(),
                truth(sample->scenario).c_str());
  }
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"Keeps the traffic that breaks a rule as a capture file, NAME.pcapng for the rule NAME."};
  app.require_subcommand(1);
  std::vector<std::string> names;
  std::string directory;
  CLI::App* write_command = app.add_subcommand("write", "Writes the smallest capture of each rule");
  write_command->add_option("directory", directory, "Where to")->required()->check(CLI::ExistingDirectory);
  write_command->add_option("rule", names, "Codes or names of rules; all when none is given");
  write_command->callback([&] { write(directory, names); });
  CLI::App* list_command = app.add_subcommand("list", "The captures and what is true of them, as lines of a table");
  list_command->add_option("rule", names, "Codes or names of rules; all when none is given");
  list_command->callback([&] { list(names); });
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "iwarpscope-rule-samples: %s\n", error.what());
    return 2;
  }
  return 0;
}
