// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/explain.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <numeric>

#include "cli/exit_status.h"
#include "findings/catalogue.h"
#include "report/human.h"
#include "verdict/catalogue.h"

namespace iwarpscope::cli {
namespace {

constexpr std::size_t kNear = 5;
constexpr std::size_t kLongest = 80;  // longer text is not similar to any rule

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

/// The distance between a name or code and the typed text; a part of a name has distance 0.
std::size_t distance(std::string_view name, std::string_view code, std::string_view text) {
  if (text.size() >= 3 && name.find(text) != std::string_view::npos) return 0;
  return std::min(edits(text, name), edits(text, lower(code)));
}

}  // namespace

std::vector<std::string> near_rules(std::string_view text) {
  if (text.empty() || text.size() > kLongest) return {};
  const std::string typed = lower(text);
  struct Candidate {
    std::size_t distance;
    std::string_view name, code;
  };
  std::vector<Candidate> candidates;
  const auto consider = [&](const auto& rows) {
    for (const auto& row : rows) {
      const std::size_t d = distance(row.name, row.code, typed);
      if (d <= typed.size() / 3) candidates.push_back({d, row.name, row.code});
    }
  };
  consider(findings::rules());
  consider(verdict::verdicts());
  consider(verdict::remarks());
  std::stable_sort(candidates.begin(), candidates.end(),
                   [](const Candidate& l, const Candidate& r) { return l.distance < r.distance; });
  std::vector<std::string> names;
  for (std::size_t i = 0; i < candidates.size() && i < kNear; ++i) {
    names.push_back(fmt::format("{} ({})", candidates[i].name, candidates[i].code));
  }
  return names;
}

namespace {

/// A page: a column of labels, with text next to them.
class Page {
 public:
  Page(std::string_view name, std::string_view code, std::size_t width)
      : text_(fmt::format("{} ({})\n", name, code)), width_(width) {}

  /// Adds nothing if the value is empty.
  void line(std::string_view label, std::string_view value) {
    constexpr std::size_t kLabels = 11;
    if (value.empty()) return;
    text_ += report::wrapped(fmt::format("{:<{}}", label, kLabels), std::string(kLabels, ' '), value, width_);
  }
  [[nodiscard]] const std::string& text() const noexcept { return text_; }

 private:
  std::string text_;
  std::size_t width_;
};

std::string page_of(const findings::Rule& rule, std::size_t width) {
  Page page(rule.name, rule.code, width);
  page.line("Family", findings::family(rule).title);
  page.line("Severity", findings::name(rule.severity));
  page.line("About", findings::name(rule.about));
  page.line("Reported", rule.repeat == findings::Repeat::each ? std::string{"each time"}
                                                              : fmt::format("once {}", findings::name(rule.repeat)));
  page.line("Reference", rule.reference);
  page.line("What", rule.what);
  page.line("Why", rule.why);
  page.line("Next", rule.next);
  return page.text();
}

constexpr std::string_view kBraces =
    "Names in braces stand for values of the queue pair: {who} is the end that acts, {peer} the other end. "
    "docs/verdicts.md lists all verdicts.";

std::string page_of(const verdict::VerdictRow& row, std::size_t width) {
  Page page(row.name, row.code, width);
  page.line("Outcome", qp::name(row.outcome));
  page.line("Blames", verdict::name(row.blame));
  page.line("Confidence", fmt::format("at most {}", qp::name(row.confidence)));
  page.line("Sentence", row.sentence);
  page.line("Next", row.next);
  page.line("Note", kBraces);
  return page.text();
}

std::string page_of(const verdict::RemarkRow& row, std::size_t width) {
  Page page(row.name, row.code, width);
  page.line("Remark", "Can be added to any verdict.");
  if (row.blame != verdict::BlameRule::none) page.line("Blames", verdict::name(row.blame));
  page.line("Confidence", row.confidence == qp::Confidence::certain
                              ? std::string{"unchanged"}
                              : fmt::format("the verdict is at most {}", qp::name(row.confidence)));
  page.line("Sentence", row.sentence);
  page.line("Next", row.next);
  page.line("Note", kBraces);
  return page.text();
}

/// The page of the rule, verdict or remark with this name or code; empty: not found.
std::string page_named(std::string_view name_or_code, std::size_t width) {
  if (const findings::Rule* const rule = findings::find_rule(name_or_code)) return page_of(*rule, width);
  if (const auto* const verdict = verdict::find_verdict(name_or_code)) return page_of(*verdict, width);
  if (const auto* const remark = verdict::find_remark(name_or_code)) return page_of(*remark, width);
  return {};
}

}  // namespace

int run_explain(std::string_view name_or_code, const Console& console) {
  const std::string page = page_named(name_or_code, sentence_width(console.out));
  if (page.empty()) {
    std::string near;
    for (const std::string& name : near_rules(name_or_code)) near += (near.empty() ? "" : ", ") + name;
    console.complain(fmt::format("explain: unknown rule or verdict '{}'; {}", name_or_code,
                                 near.empty() ? "iwarpscope rules lists all rules" : "similar: " + near));
    return kExitTrouble;
  }
  console.out.write(page);
  return kExitDone;
}

}  // namespace iwarpscope::cli
