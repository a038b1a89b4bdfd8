// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "damage/accused.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "analysis/analyzer.h"
#include "truncation/captures.h"

namespace iwarpscope::test {
namespace {

std::string pair_of(const std::string& a, const std::string& b) {
  return std::min(a, b) + " " + std::max(a, b);
}

/// The ends of a queue pair are known only with its record, which comes after its findings.
struct Listener final : analysis::Observer {
  std::vector<findings::Finding> found;
  std::vector<qp::QpRecord> qps;

  void finding(const findings::Finding& f) override {
    const findings::Rule& rule = findings::rule(f.id);
    const bool accuses = rule.severity == findings::Severity::error ||
                         (rule.severity == findings::Severity::warning && rule.about == findings::About::peer);
    // The verdict reports the same, and is checked itself.
    const bool is_verdict = f.id == findings::FindingId::rdmap_failed_otherwise;
    if (accuses && rule.about != findings::About::capture && !is_verdict) found.push_back(f);
  }
  void qp(const qp::QpRecord& r) override { qps.push_back(r); }
};

void take(const findings::Finding& f, const std::vector<qp::QpRecord>& qps, Accused& all) {
  const findings::Rule& rule = findings::rule(f.id);
  Charge& charge = all.charges.emplace_back();
  charge.what = rule.code;
  charge.kind = rule.severity == findings::Severity::error ? AccusationKind::error : AccusationKind::warning;
  charge.text = fmt::format("frame {}: {}", f.frame.value, f.text);
  charge.accused = charge.pair = "capture";
  if (f.qp) {
    const qp::QpRecord& r = qps.at(static_cast<std::size_t>(*f.qp));
    const std::array<std::string, 2> ends{r.a.text(), r.b.text()};
    charge.pair = pair_of(ends[0], ends[1]);
    charge.accused = f.direction ? ends[index(*f.direction)] : charge.pair;
  }
  charge.like = charge.what;
  if (charge.kind == AccusationKind::error) all.with_errors.insert(charge.pair), all.breakers.insert(charge.accused);
  all.keys.insert(charge.key());
}

/// The first words of a sentence, with _ instead of each address, number and quoted text.
std::string without_values(std::string_view text) {
  constexpr std::size_t kLongest = 110;
  std::string out;
  for (std::size_t i = 0; i < text.size() && out.size() < kLongest;) {
    const std::size_t word = std::min(text.find(' ', i), text.size());
    const std::string_view one = text.substr(i, word - i);
    const bool is_value = one.find_first_of("0123456789'") != std::string_view::npos;
    out += (out.empty() ? "" : " ") + std::string(is_value ? "_" : one);
    i = word + 1;
  }
  return out;
}

void take(const qp::QpRecord& r, Accused& all) {
  if (!r.verdict) return;
  const qp::VerdictRecord& v = *r.verdict;
  Judged& judged = all.verdicts.emplace_back();
  judged.outcome = v.outcome;
  judged.confidence = v.confidence;
  Charge& charge = judged.charge;
  charge.what = "verdict";
  charge.pair = pair_of(r.a.text(), r.b.text());
  if (v.blame == qp::Blame::a) charge.accused = r.a.text();
  if (v.blame == qp::Blame::b) charge.accused = r.b.text();
  if (v.blame == qp::Blame::path) charge.accused = "path of " + charge.pair;
  if (charge.accused.empty()) return;
  all.keys.insert(charge.key());
  const bool is_certain = v.confidence == qp::Confidence::certain && v.blame != qp::Blame::path;
  charge.kind = is_certain ? AccusationKind::blamed_certainly : AccusationKind::blamed_likely;
  charge.text = fmt::format("{}, {}: {}", qp::name(v.outcome), qp::name(v.confidence), v.text);
  charge.like = fmt::format("{}: {}", qp::name(v.outcome), without_values(v.text));
  charge.names_rule_alone = v.outcome == qp::Outcome::completed || v.outcome == qp::Outcome::running;
  if (v.confidence != qp::Confidence::limited) all.charges.push_back(charge);
}

/// A verdict may report an error or a refusal that the whole capture reports with another verdict: there both ends
/// broke a rule, or the connection was tried again. An error in a verdict that is correct under its other name is not
/// false either.
bool says_what_is_known(std::string_view sample, const Accused& whole, const Charge& charge) {
  if (charge.what != "verdict") return false;
  if (charge.names_rule_alone && whole.breakers.contains(charge.accused)) return true;
  if (charge.like.starts_with("refused") && whole.keys.contains({"QP-01", charge.accused})) return true;
  for (std::size_t at = charge.text.find('('); at != std::string::npos; at = charge.text.find('(', at + 1)) {
    if (is_other_name(sample, charge.text.substr(at + 1, charge.text.find(')', at) - at - 1))) return true;
  }
  return false;
}

/// Consequences of a charge of the whole capture: a value that the operations of one connection make impossible (AT-14)
/// is also impossible with those of all connections (AT-15). A tap that lost one of them proves only the second.
bool follows_from_known(const Accused& whole, const Charge& charge) {
  return charge.what == "AT-15" && whole.keys.contains({"AT-14", charge.accused});
}

}  // namespace

std::string_view name(AccusationKind kind) noexcept {
  switch (kind) {
    case AccusationKind::error: return "error";
    case AccusationKind::blamed_certainly: return "blamed, certain";
    case AccusationKind::blamed_likely: return "blamed, likely";
    case AccusationKind::warning: return "warning";
  }
  return {};
}

Accused accused(const std::vector<net::Frame>& frames) {
  Listener listener;
  analysis::Analyzer analyzer({}, listener);
  for (const net::Frame& frame : frames) analyzer.feed(frame);
  analyzer.finish({});
  Accused all;
  for (const findings::Finding& f : listener.found) take(f, listener.qps, all);
  for (const qp::QpRecord& r : listener.qps) take(r, all);
  return all;
}

bool is_false(std::string_view sample, const Accused& whole, const Charge& charge) {
  if (whole.keys.contains(charge.key()) || follows_from_known(whole, charge)) return false;
  if (charge.kind == AccusationKind::warning && whole.with_errors.contains(charge.pair)) return false;
  return !is_other_name(sample, charge.what) && !says_what_is_known(sample, whole, charge);
}

std::vector<Charge> false_charges(std::string_view sample, const Accused& whole, const Accused& part) {
  std::vector<Charge> made_up;
  std::set<std::pair<std::string, std::string>> seen;
  for (const Charge& charge : part.charges) {
    if (is_false(sample, whole, charge) && seen.insert(charge.key()).second) made_up.push_back(charge);
  }
  return made_up;
}

}  // namespace iwarpscope::test
