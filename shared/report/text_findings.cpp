// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Findings in the report for people: grouped by rule, each with what, why and what to do next.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "report/human.h"
#include "report/text_parts.h"
#include "report/utf8.h"

namespace iwarpscope::report {
namespace {

constexpr std::size_t kQpsShown = 8;
constexpr std::size_t kFramesShown = 3;
const std::string kIndent(9, ' ');

struct Entry {
  const findings::Rule* rule;
  const RuleGroup* group;
};

/// Errors first; within a severity by the frame that showed it first.
std::vector<Entry> ordered(const RuleGroups& groups) {
  std::vector<Entry> entries;
  for (const auto& [id, group] : groups) entries.push_back({&findings::rule(id), &group});
  std::stable_sort(entries.begin(), entries.end(), [](const Entry& l, const Entry& r) {
    if (l.rule->severity != r.rule->severity) return l.rule->severity > r.rule->severity;
    return l.group->first_frame < r.group->first_frame;
  });
  return entries;
}

/// How often the rule was broken: the summary counts findings that were not listed too, but of all queue pairs.
std::uint64_t occurrences(const Entry& entry, const FindingsContext& context) {
  if (context.only_qp || context.summary == nullptr) return entry.group->listed;
  const auto counted_at = context.summary->findings.find(entry.rule->name);
  return counted_at == context.summary->findings.end() ? entry.group->listed
                                                       : std::max(counted_at->second, entry.group->listed);
}

/// " (see frames 5 and 9)": where to look first, if the cause is before or after the frame that decided it.
std::string evidence(const findings::Finding& finding) {
  if (finding.frames.empty() || finding.frames.front() == finding.frame) return {};
  std::vector<FrameNumber> others;
  for (const FrameNumber frame : finding.frames) {
    if (frame != finding.frame) others.push_back(frame);
  }
  const bool cut = others.size() > kFramesShown;
  std::string list;
  for (std::size_t i = 0; i < others.size() && i < kFramesShown; ++i) {
    if (i != 0) list += !cut && i + 1 == others.size() ? " and " : ", ";
    list += fmt::format("{}", others[i].value);
  }
  return fmt::format(" (see frame{} {}{})", others.size() == 1 ? "" : "s", list, cut ? ", ..." : "");
}

/// "QP 3, A -> B, frame 17 (see frame 5), +0.000001234 s: ". Without a start: no time.
std::string place(const findings::Finding& finding, std::optional<TimePoint> start, bool with_qp) {
  std::string text;
  if (finding.qp && with_qp) text += fmt::format("QP {}, ", *finding.qp);
  if (finding.direction) text += fmt::format("{}, ", direction_text(*finding.direction));
  if (finding.frame.value != 0) {
    text += fmt::format("frame {}{}, ", finding.frame.value, evidence(finding));
    if (start) text += since(*start, finding.time) + " s, ";
  }
  if (text.empty()) return finding.qp ? "" : "capture: ";
  text.resize(text.size() - 2);
  return text + ": ";
}

/// The expected value, and the one seen, where the sentence does not hold them. Without an expected value the sentence
/// says what was seen.
std::string values(const findings::Finding& finding) {
  const auto missing = [&](const std::string& value) {
    return !value.empty() && finding.text.find(value) == std::string::npos;
  };
  if (!missing(finding.expected)) return {};
  const std::string seen = missing(finding.seen) ? fmt::format("seen {}, ", to_printable(finding.seen)) : "";
  return fmt::format(" ({}expected {})", seen, to_printable(finding.expected));
}

std::string times(std::uint64_t n) {
  return n == 1 ? "once" : fmt::format("{} times", n);
}

void append_group(std::string& out, const Paint& paint, const Entry& entry, const FindingsContext& context) {
  const findings::Rule& rule = *entry.rule;
  const std::uint64_t total = occurrences(entry, context);
  const std::string severity = paint.severity(rule.severity, findings::name(rule.severity)) + "  ";
  std::string head = fmt::format("{} ({}), {}", paint.bold(rule.name), rule.code, times(total));
  if (!entry.group->qps.empty() && !context.only_qp) head += " in " + qps_text(entry.group->qps, entry.group->more_qps);
  head += fmt::format("; about the {}; {}", findings::name(rule.about), rule.reference);
  out += wrapped(severity, kIndent, head, paint.width());
  out += wrapped("  What:  ", kIndent, rule.what, paint.width());
  for (const findings::Finding& finding : entry.group->examples) {
    out += wrapped("    -    ", kIndent,
                   place(finding, context.start, !context.only_qp) + to_printable(finding.text) + values(finding),
                   paint.width());
  }
  if (total > entry.group->examples.size()) {
    out += fmt::format("    -    and {} more\n", total - entry.group->examples.size());
  }
  out += wrapped("  Why:   ", kIndent, rule.why, paint.width());
  out += wrapped("  Next:  ", kIndent, rule.next, paint.width());
}

struct Counts {
  std::uint64_t errors = 0, warnings = 0, notes = 0;
};

Counts counts(const std::vector<Entry>& entries, const FindingsContext& context) {
  if (!context.only_qp && context.summary != nullptr) {
    return {context.summary->errors, context.summary->warnings, context.summary->notes};
  }
  Counts sum;
  for (const Entry& entry : entries) {
    switch (entry.rule->severity) {
      case findings::Severity::error: sum.errors += entry.group->listed; break;
      case findings::Severity::warning: sum.warnings += entry.group->listed; break;
      case findings::Severity::note: sum.notes += entry.group->listed; break;
    }
  }
  return sum;
}

/// "nothing found", with its exact meaning.
std::string nothing_found(const FindingsContext& context) {
  std::string text = "No findings: the captured traffic breaks none of the rules that were checked.";
  if (context.losses) text += " Data that is missing in the capture (see Losses) could not be checked.";
  return text;
}

/// All of its queue pairs ended badly, so the verdict on each says the same.
bool is_verdict_again(const Entry& entry, const FindingsContext& context) {
  using findings::FindingId;
  constexpr std::array kOfVerdicts{FindingId::mpa_rejected, FindingId::rdmap_terminate_sent,
                                   FindingId::rdmap_reset_inside_message, FindingId::rdmap_failed_otherwise};
  if (std::find(kOfVerdicts.begin(), kOfVerdicts.end(), entry.rule->id) == kOfVerdicts.end()) return false;
  const RuleGroup& group = *entry.group;
  const auto ended_badly = [&](std::uint64_t qp) {
    return context.ended_badly != nullptr && qp < context.ended_badly->size() && (*context.ended_badly)[qp];
  };
  return !group.more_qps && !group.qps.empty() && std::all_of(group.qps.begin(), group.qps.end(), ended_badly);
}

/// The findings that are only counted: notes, and what repeats a verdict.
struct Folded {
  std::uint64_t notes = 0, note_rules = 0;
  std::uint64_t repeats = 0;
  std::vector<std::string_view> again;  ///< rules whose findings repeat a verdict

  [[nodiscard]] bool takes(const Entry& entry, const FindingsContext& context) {
    if (context.notes) return false;
    if (is_verdict_again(entry, context)) {
      repeats += occurrences(entry, context);
      again.push_back(entry.rule->name);
      return true;
    }
    if (entry.rule->severity != findings::Severity::note) return false;
    notes += occurrences(entry, context);
    ++note_rules;
    return true;
  }
};

void append_folded(std::string& out, const Paint& paint, const Folded& folded) {
  std::vector<std::string> parts;
  if (folded.notes != 0) {
    parts.push_back(fmt::format("{} ({})", counted(folded.notes, "note"), counted(folded.note_rules, "rule")));
  }
  if (folded.repeats != 0) {
    parts.push_back(fmt::format(
        "{} a verdict ({})",
        folded.repeats == 1 ? "1 finding that repeats" : fmt::format("{} findings that repeat", folded.repeats),
        fmt::join(folded.again, ", ")));
  }
  if (parts.empty()) return;
  out += '\n' + wrapped("Not listed: ", std::string(12, ' '),
                        fmt::format("{}; --notes lists all", fmt::join(parts, "; ")), paint.width());
}

}  // namespace

std::string qps_text(const std::vector<std::uint64_t>& qps, bool more) {
  const bool cut = more || qps.size() > kQpsShown;
  std::string list;
  for (std::size_t i = 0; i < qps.size() && i < kQpsShown; ++i) {
    if (i != 0) list += !cut && i + 1 == qps.size() ? " and " : ", ";
    list += fmt::format("{}", qps[i]);
  }
  if (!cut) return fmt::format("{} {}", qps.size() == 1 ? "QP" : "QPs", list);
  return fmt::format("{}{} QPs ({}, ...)", more ? "more than " : "", qps.size(), list);
}

std::string qps_text(const std::vector<std::uint64_t>& first, std::uint64_t count) {
  if (count == first.size()) return qps_text(first, false);
  std::string list;
  for (const std::uint64_t qp : first) list += fmt::format("{}, ", qp);
  return fmt::format("{} QPs ({}...)", count, list);
}

void append_finding_line(std::string& out, const Paint& paint, const findings::Finding& finding) {
  const findings::Rule& rule = findings::rule(finding.id);
  out += finding.frame.value != 0 ? time_of_day(finding.time) : std::string(18, ' ');
  out += fmt::format("  {} {} ", paint.severity(rule.severity, findings::name(rule.severity)), rule.name);
  out += place(finding, std::nullopt, true);
  out += to_printable(finding.text) + values(finding) + "\n";
}

void append_findings(std::string& out, const Paint& paint, const RuleGroups& groups, const FindingsContext& context) {
  const std::vector<Entry> entries = ordered(groups);
  if (entries.empty()) {
    const std::string text = wrapped("", "", nothing_found(context), paint.width());
    out += paint.good(text.substr(0, text.size() - 1)) + "\n";
    return;
  }
  const Counts sum = counts(entries, context);
  out += paint.bold(fmt::format("Findings: {}, {}, {}", counted(sum.errors, "error"), counted(sum.warnings, "warning"),
                                counted(sum.notes, "note"))) +
         "\n";
  if (sum.errors == 0 && sum.warnings == 0) out += paint.good("There are no errors and no warnings.") + "\n";
  Folded folded;
  for (const Entry& entry : entries) {
    if (folded.takes(entry, context)) continue;
    out += '\n';
    append_group(out, paint, entry, context);
  }
  append_folded(out, paint, folded);
}

}  // namespace iwarpscope::report
