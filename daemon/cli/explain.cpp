#include "cli/explain.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <numeric>

#include "cli/exit_status.h"
#include "findings/catalogue.h"
#include "report/human.h"

namespace iwarpscope::cli {
namespace {

constexpr std::size_t kNear = 5;
constexpr std::size_t kLongest = 80;  // longer text is near no rule

std::string lower(std::string_view text) {
  std::string out{text};
  std::transform(out.begin(), out.end(), out.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  return out;
}

/// Insertions, deletions and replacements that turn one text into the other.
std::size_t edits(std::string_view from, std::string_view to) {
  std::vector<std::size_t> row(to.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < from.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < to.size(); ++j) {
      const std::size_t replaced = diagonal + (from[i] == to[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({row[j] + 1, row[j + 1] + 1, replaced});
    }
  }
  return row.back();
}

/// How far the rule is from what was typed; part of a name is nearer than any misspelling.
std::size_t distance(const findings::Rule& rule, std::string_view text) {
  if (text.size() >= 3 && rule.name.find(text) != std::string_view::npos) return 0;
  return std::min(edits(text, rule.name), edits(text, lower(rule.code)));
}

}  // namespace

std::vector<std::string> near_rules(std::string_view text) {
  if (text.empty() || text.size() > kLongest) return {};
  const std::string typed = lower(text);
  struct Candidate {
    std::size_t distance;
    const findings::Rule* rule;
  };
  std::vector<Candidate> candidates;
  for (const findings::Rule& rule : findings::rules()) {
    const std::size_t d = distance(rule, typed);
    if (d <= typed.size() / 3) candidates.push_back({d, &rule});
  }
  std::stable_sort(candidates.begin(), candidates.end(),
                   [](const Candidate& l, const Candidate& r) { return l.distance < r.distance; });
  std::vector<std::string> names;
  for (std::size_t i = 0; i < candidates.size() && i < kNear; ++i) {
    names.push_back(fmt::format("{} ({})", candidates[i].rule->name, candidates[i].rule->code));
  }
  return names;
}

int run_explain(std::string_view name_or_code, const Console& console) {
  const findings::Rule* rule = findings::find_rule(name_or_code);
  if (rule == nullptr) {
    std::string near;
    for (const std::string& name : near_rules(name_or_code)) near += (near.empty() ? "" : ", ") + name;
    console.complain(fmt::format("explain: there is no rule '{}'; {}", name_or_code,
                                 near.empty() ? "iwarpscope rules lists them all" : "near it: " + near));
    return kExitTrouble;
  }
  const std::string indent(11, ' ');
  std::string text = fmt::format("{} ({})\n", rule->name, rule->code);
  const auto line = [&](std::string_view label, std::string_view value) {
    text += report::wrapped(fmt::format("{:<11}", label), indent, value, sentence_width(console.out));
  };
  line("Family", findings::family(*rule).title);
  line("Severity", findings::name(rule->severity));
  line("About", findings::name(rule->about));
  line("Reported", rule->repeat == findings::Repeat::each ? std::string{"each time"}
                                                          : fmt::format("once {}", findings::name(rule->repeat)));
  line("Reference", rule->reference);
  line("What", rule->what);
  line("Why", rule->why);
  line("Next", rule->next);
  console.out.write(text);
  return kExitDone;
}

}  // namespace iwarpscope::cli
