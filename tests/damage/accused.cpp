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

/// The ends of a queue pair are known only when its record comes, after its findings.
struct Listener final : analysis::Observer {
  std::vector<findings::Finding> found;
  std::vector<qp::QpRecord> qps;

  void finding(const findings::Finding& f) override {
    const findings::Rule& rule = findings::rule(f.id);
    const bool accuses = rule.severity == findings::Severity::error ||
                         (rule.severity == findings::Severity::warning && rule.about == findings::About::peer);
    // The verdict says the same, and is looked at itself.
    const bool is_verdict = f.id == findings::FindingId::rdmap_failed_otherwise;
    if (accuses && rule.about != findings::About::capture && !is_verdict) found.push_back(f);
  }
  void qp(const qp::QpRecord& r) override { qps.push_back(r); }
};

void take(const findings::Finding& f, const std::vector<qp::QpRecord>& qps, Accused& all) {
  const findings::Rule& rule = findings::rule(f.id);
  Charge& charge = all.charges.emplace_back();
  charge.what = rule.code;
  charge.gravity = rule.severity == findings::Severity::error ? Gravity::error : Gravity::warning;
  charge.text = fmt::format("frame {}: {}", f.frame.value, f.text);
  charge.whom = charge.pair = "capture";
  if (f.qp) {
    const qp::QpRecord& r = qps.at(static_cast<std::size_t>(*f.qp));
    const std::array<std::string, 2> ends{r.a.text(), r.b.text()};
    charge.pair = pair_of(ends[0], ends[1]);
    charge.whom = f.direction ? ends[index(*f.direction)] : charge.pair;
  }
  charge.like = charge.what;
  if (charge.gravity == Gravity::error) all.with_errors.insert(charge.pair), all.breakers.insert(charge.whom);
  all.keys.insert(charge.key());
}

/// The first words of a sentence, with a sign in place of each address, number and quoted text.
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
  judged.pair = pair_of(r.a.text(), r.b.text());
  judged.outcome = v.outcome;
  judged.confidence = v.confidence;
  if (v.blame == qp::Blame::a) judged.blamed = r.a.text();
  if (v.blame == qp::Blame::b) judged.blamed = r.b.text();
  if (v.blame == qp::Blame::path) judged.blamed = "path of " + judged.pair;
  if (judged.blamed.empty()) return;
  Charge charge{"verdict", judged.blamed, judged.pair, Gravity::blamed_likely, {}, {}};
  all.keys.insert(charge.key());
  if (v.confidence == qp::Confidence::limited) return;
  if (v.confidence == qp::Confidence::certain && v.blame != qp::Blame::path) charge.gravity = Gravity::blamed_certainly;
  charge.text = fmt::format("{}, {}: {}", qp::name(v.outcome), qp::name(v.confidence), v.text);
  charge.like = fmt::format("{}: {}", qp::name(v.outcome), without_values(v.text));
  charge.names_rule_alone = v.outcome == qp::Outcome::completed || v.outcome == qp::Outcome::running;
  all.charges.push_back(std::move(charge));
}

/// A verdict that names nothing but an error by its other name, or one that the whole has.
bool names_a_known_error(std::string_view sample, const Accused& whole, const Charge& charge) {
  if (!charge.names_rule_alone) return false;
  if (whole.breakers.contains(charge.whom)) return true;
  const std::size_t at = charge.text.rfind('(');
  return at != std::string::npos && is_other_name(sample, charge.text.substr(at + 1, charge.text.find(')', at) - at - 1));
}

}  // namespace

std::string_view name(Gravity gravity) noexcept {
  switch (gravity) {
    case Gravity::error: return "error";
    case Gravity::blamed_certainly: return "blamed, certain";
    case Gravity::blamed_likely: return "blamed, likely";
    case Gravity::warning: return "warning";
  }
  return {};
}

Accused accused(const std::vector<net::Frame>& frames) {
  Listener heard;
  analysis::Analyzer analyzer({}, heard);
  for (const net::Frame& frame : frames) analyzer.feed(frame);
  analyzer.finish({});
  Accused all;
  for (const findings::Finding& f : heard.found) take(f, heard.qps, all);
  for (const qp::QpRecord& r : heard.qps) take(r, all);
  return all;
}

std::vector<Charge> false_charges(std::string_view sample, const Accused& whole, const Accused& part) {
  std::vector<Charge> made_up;
  std::set<std::pair<std::string, std::string>> seen;
  for (const Charge& charge : part.charges) {
    if (whole.keys.contains(charge.key()) || !seen.insert(charge.key()).second) continue;
    if (charge.gravity == Gravity::warning && whole.with_errors.contains(charge.pair)) continue;
    if (is_other_name(sample, charge.what) || names_a_known_error(sample, whole, charge)) continue;
    made_up.push_back(charge);
  }
  return made_up;
}

}  // namespace iwarpscope::test
