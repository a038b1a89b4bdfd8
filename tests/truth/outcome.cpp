// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "truth/outcome.h"

#include <fmt/format.h>

#include "findings/catalogue.h"
#include "support/analysis.h"

namespace iwarpscope::truth {
namespace {

constexpr net::IpAddress kInitiatorAddress = net::IpAddress::v4(0x0A000001);

Said said_of(const qp::QpRecord& record) {
  const bool a_is_initiator = record.a.address == kInitiatorAddress;
  switch (record.verdict->blame) {
    case qp::Blame::a: return a_is_initiator ? Said::initiator : Said::responder;
    case qp::Blame::b: return a_is_initiator ? Said::responder : Said::initiator;
    case qp::Blame::path: return Said::path;
    case qp::Blame::capture: return Said::capture;
    case qp::Blame::none: return Said::none;
    case qp::Blame::unknown: break;
  }
  return Said::unknown;
}

std::string codes_of(const test::Report& report) {
  std::string codes;
  for (const findings::Finding& f : report.findings) {
    codes += fmt::format("{}{}@{}", codes.empty() ? "" : " ", findings::rule(f.id).code, f.frame.value);
  }
  return codes;
}

}  // namespace

std::string_view name(Grade grade) noexcept {
  switch (grade) {
    case Grade::right: return "right";
    case Grade::unknown: return "unknown";
    case Grade::unsaid: return "none blamed";
    case Grade::overclaimed: return "overclaimed";
    case Grade::wrong: return "wrong";
    case Grade::no_verdict: break;
  }
  return "no verdict";
}

std::string_view name(Said said) noexcept {
  switch (said) {
    case Said::initiator: return "initiator";
    case Said::responder: return "responder";
    case Said::path: return "path";
    case Said::capture: return "capture";
    case Said::none: return "none";
    case Said::unknown: break;
  }
  return "unknown";
}

Grade grade_of(const Truth& truth, Said said, qp::Confidence confidence) {
  if (said == Said::unknown || said == Said::capture) return Grade::unknown;
  const Culprit blamed = said == Said::none ? Culprit::none : static_cast<Culprit>(said);
  const bool matches = blamed == truth.culprit || (truth.also & bit(blamed)) != 0;
  if (matches) return truth.undecidable && confidence == qp::Confidence::certain ? Grade::overclaimed : Grade::right;
  if (blamed == Culprit::none) return truth.harmless ? Grade::right : Grade::unsaid;
  return Grade::wrong;
}

Outcome outcome_of(const Case& one) {
  const test::Report report = test::analyze(frames_of(one));
  Outcome worst;
  bool first = true;
  for (const qp::QpRecord& record : report.qps) {
    if (!record.verdict) continue;
    const Said said = said_of(record);
    const Grade grade = grade_of(one.truth, said, record.verdict->confidence);
    if (!first && grade <= worst.grade) continue;
    worst.grade = grade, worst.said = said, worst.verdict = *record.verdict;
    first = false;
  }
  worst.findings = codes_of(report);
  return worst;
}

void Tally::add(const Case& one, const Outcome& outcome) {
  ++cases_;
  const auto confidence = static_cast<std::size_t>(outcome.verdict.confidence);
  const auto grade = static_cast<std::size_t>(outcome.grade);
  OfScene& scene = scenes_[one.scene];
  ++scene.grades[grade];
  if (holds_all(one.setting.network) && !one.truth.undecidable) ++scene.decidable[grade];
  if (outcome.grade == Grade::no_verdict) {
    ++without_;
    return;
  }
  ++matrix_[static_cast<std::size_t>(one.truth.culprit)][static_cast<std::size_t>(outcome.said)][confidence];
  ++grades_[grade][confidence];
  ++scene.by_confidence[grade][confidence];
}

std::string Tally::matrix() const {
  std::string text = "| who was at fault |";
  for (std::size_t said = 0; said < kSaid; ++said) text += fmt::format(" {} |", name(static_cast<Said>(said)));
  text += "\n| --- |";
  for (std::size_t said = 0; said < kSaid; ++said) text += " --- |";
  for (std::size_t culprit = 0; culprit < kCulprits; ++culprit) {
    text += fmt::format("\n| {} |", name(static_cast<Culprit>(culprit)));
    for (const auto& counts : matrix_[culprit]) text += fmt::format(" {} / {} / {} |", counts[0], counts[1], counts[2]);
  }
  text += "\n\n| grade | certain | likely | limited |\n| --- | --- | --- | --- |";
  for (std::size_t grade = 0; grade < static_cast<std::size_t>(Grade::no_verdict); ++grade) {
    const auto& counts = grades_[grade];
    text += fmt::format("\n| {} | {} | {} | {} |", name(static_cast<Grade>(grade)), counts[0], counts[1], counts[2]);
  }
  return text + fmt::format("\n\n{} captures hold no queue pair that a verdict could be about.\n", without_);
}

std::string Tally::by_scene() const {
  std::string text =
      fmt::format("{:32} {:>7}{:>9}{:>9}{:>9}{:>7}{:>7} | of whole captures that can be decided: {:>7}{:>9}{:>9}\n",
                  "scene", "right", "unknown", "no blame", "overcl.", "wrong", "none", "right", "unknown", "no blame");
  for (const auto& [scene, counts] : scenes_) {
    const auto& g = counts.grades;
    const auto& d = counts.decidable;
    text += fmt::format("{:32} {:>7}{:>9}{:>9}{:>9}{:>7}{:>7} | {:>46}{:>9}{:>9}\n", scene, g[0], g[1], g[2], g[3],
                        g[4], g[5], d[0], d[1], d[2]);
  }
  return text;
}

std::vector<std::string> Tally::broken_gates(const ByConfidence& counts, const Bounds& bounds) {
  std::array<std::uint64_t, kConfidences> all{};
  for (const auto& of_grade : counts) {
    for (std::size_t c = 0; c < kConfidences; ++c) all[c] += of_grade[c];
  }
  std::vector<std::string> broken;
  const auto check = [&](Grade grade, qp::Confidence confidence, double most, std::uint64_t of, std::string_view what) {
    const std::uint64_t count = counts[static_cast<std::size_t>(grade)][static_cast<std::size_t>(confidence)];
    if (count == 0 || static_cast<double>(count) <= most * static_cast<double>(of)) return;
    broken.push_back(fmt::format("{} of {} {}, and {:g} % may be", count, of, what, most * 100));
  };
  const std::uint64_t cases = all[0] + all[1] + all[2];
  check(Grade::wrong, qp::Confidence::certain, bounds.wrong_certain, cases, "verdicts are certain and wrong");
  check(Grade::overclaimed, qp::Confidence::certain, bounds.overclaimed, cases,
        "verdicts are certain of what no tap can tell");
  check(Grade::wrong, qp::Confidence::likely, bounds.wrong_likely,
        all[static_cast<std::size_t>(qp::Confidence::likely)], "likely verdicts are wrong");
  return broken;
}

std::vector<std::string> Tally::broken_gates(const Bounds& bounds) const {
  return broken_gates(grades_, bounds);
}

std::vector<std::string> Tally::wrong_scenes() const {
  std::vector<std::string> wrong;
  for (const auto& [scene, counts] : scenes_) {
    if (!broken_gates(counts.by_confidence, kAim).empty()) wrong.push_back(scene);
  }
  return wrong;
}

}  // namespace iwarpscope::truth
