// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/html.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>
#include <variant>

#include "report/html_messages.h"
#include "report/html_parts.h"
#include "report/incident_words.h"

namespace iwarpscope::report {
namespace {

/// Findings of queue pairs above this number are counted only in the sum.
constexpr std::uint64_t kMostCounted = 4u << 20;

/// The findings of one queue pair.
struct HtmlTally {
  HtmlCounts counts;
  std::uint16_t worst = 0;  ///< FindingId + 1, or 0
};

/// Worse first; of equally bad ones the lower number.
bool is_worse(const HtmlRow& l, const HtmlRow& r) {
  return std::pair{-l.badness, l.record.qp} < std::pair{-r.badness, r.record.qp};
}

/// Worst outcome first, then worst finding, then what was repaired: kBad and above did not end well.
constexpr int kBad = 4;
int row_order(const HtmlRow& row) {
  const auto& verdict = row.record.verdict;
  if (!verdict) return 0;
  const int findings = row.counts.errors != 0 ? 3 : row.counts.warnings != 0 ? 2 : flaw(row.record) == Flaw::repaired;
  return kBad * badness(verdict->outcome, first_error(row.record).has_value()) + findings;
}

/// Its octets are the upper layer's: it has no RDMAP header of its own.
bool has_payload(const qp::MessageRecord& record) {
  return std::holds_alternative<std::monostate>(record.detail) ||
         std::holds_alternative<qp::ReadResponseDetail>(record.detail) ||
         std::holds_alternative<qp::ImmediateDetail>(record.detail);
}

void count(HtmlCounts& counts, findings::Severity severity) {
  switch (severity) {
    case findings::Severity::error: ++counts.errors; break;
    case findings::Severity::warning: ++counts.warnings; break;
    case findings::Severity::note: ++counts.notes; break;
  }
}

}  // namespace

struct HtmlObserver::State {
  State(Sink s, HtmlOptions o) : sink(std::move(s)), options(std::move(o)), traffic(options.messages_are_traffic) {}

  void tally(const findings::Finding& finding) {
    const findings::Severity severity = findings::rule(finding.id).severity;
    count(sum, severity);
    if (!finding.qp) ++unplaced;
    if (!finding.qp || *finding.qp >= kMostCounted) return;
    if (*finding.qp >= tallies.size()) tallies.resize(*finding.qp + 1);
    HtmlTally& its = tallies[*finding.qp];
    count(its.counts, severity);
    const auto old = static_cast<findings::FindingId>(its.worst - 1);
    if (its.worst != 0 && findings::rule(old).severity >= severity) return;
    its.worst = static_cast<std::uint16_t>(static_cast<std::uint16_t>(finding.id) + 1);
  }
  void keep(const findings::Finding& finding) {
    if (held >= kHeldFindings) return;
    std::vector<findings::Finding>& its = found[finding.qp];
    if (its.size() >= kFindings) return;
    its.push_back(finding);
    ++held;
  }
  void keep(const qp::QpRecord& record) {
    HtmlRow row{record, {}, {}, 0};
    if (record.qp < tallies.size()) {
      row.counts = tallies[record.qp].counts;
      if (const auto worst = tallies[record.qp].worst; worst != 0)
        row.worst = static_cast<findings::FindingId>(worst - 1);
    }
    row.badness = row_order(row);
    if (rows.size() >= kRows) {
      if (!is_worse(row, rows.front())) return;
      std::pop_heap(rows.begin(), rows.end(), is_worse);
      rows.pop_back();
    }
    rows.push_back(std::move(row));
    std::push_heap(rows.begin(), rows.end(), is_worse);
  }
  /// Precondition: `rows` is sorted, and stays as it is.
  [[nodiscard]] std::vector<HtmlSection> sections() const {
    std::vector<HtmlSection> all;
    const bool are_all = options.qp || totals.qps <= kFewQps;
    for (const HtmlRow& row : rows) {
      if (all.size() >= kSections || (!are_all && row.badness < kBad)) break;
      HtmlSection section{&row, {}, messages.of(row.record.qp)};
      if (const auto its = found.find(row.record.qp); its != found.end()) {
        for (const findings::Finding& finding : its->second) section.findings.push_back(&finding);
      }
      all.push_back(std::move(section));
    }
    return all;
  }
  [[nodiscard]] std::string result() const;
  [[nodiscard]] std::string dates() const;
  void append_overview(std::string& out, const analysis::SummaryRecord& summary) const;
  void append_rules(std::string& out, const analysis::SummaryRecord& summary) const;
  void append_sections(std::string& out, const std::vector<HtmlSection>& all) const;

  Sink sink;
  HtmlOptions options;
  std::optional<analysis::CaptureRecord> capture;
  Incidents incidents;
  QpTotals totals;
  HtmlCounts sum;
  std::uint64_t unplaced = 0;      ///< findings that belong to no queue pair
  std::uint64_t bad_qps = 0;       ///< that would have a section
  std::vector<HtmlTally> tallies;  ///< by queue pair
  std::vector<HtmlRow> rows;       ///< a heap, the least bad one in front
  std::map<std::optional<std::uint64_t>, std::vector<findings::Finding>> found;  ///< by queue pair
  std::size_t held = 0;                                                          ///< of them all
  HtmlMessages messages;
  HtmlTraffic traffic;
};

std::string HtmlObserver::State::result() const {
  if (totals.qps != 0) {
    const std::string outcomes = outcomes_text(incidents);
    return outcomes.empty() ? counted(totals.qps, "queue pair") : outcomes;
  }
  RuleGroups groups;
  if (const auto of_capture = found.find(std::nullopt); of_capture != found.end()) {
    for (const findings::Finding& finding : of_capture->second) groups[finding.id].examples.push_back(finding);
  }
  return no_qp_text(capture.value_or(analysis::CaptureRecord{}), groups);
}

std::string HtmlObserver::State::dates() const {
  std::string text = fmt::format("Made {} by {}.", date_time(options.made).substr(0, 19) + " UTC", options.program);
  if (capture && capture->first_time && capture->last_time) {
    text += fmt::format(" Captured from {} to {}.", date_time(*capture->first_time), date_time(*capture->last_time));
  }
  return text;
}

void HtmlObserver::State::append_rules(std::string& out, const analysis::SummaryRecord& summary) const {
  if (options.qp || summary.findings.empty()) return;
  out +=
      "<details>\n<summary>Findings by rule</summary>\n<table>\n<thead><tr><th>Rule<th>Code<th>Severity<th>Findings"
      "</thead>\n<tbody>\n";
  for (const auto& [name, count] : summary.findings) {
    const findings::Rule* rule = findings::find_rule(name);
    if (rule == nullptr) continue;
    out += fmt::format("<tr><td>{}<td>{}<td class=\"{}\">{}<td>{}\n", html(name), rule->code,
                       html_class(rule->severity), findings::name(rule->severity), count);
  }
  out += "</tbody>\n</table>\n</details>\n";
}

void HtmlObserver::State::append_overview(std::string& out, const analysis::SummaryRecord& summary) const {
  const std::string losses = capture ? losses_text(*capture, totals, options.qp) : std::string{};
  for (const std::string& remark : options.remarks) out += fmt::format("<p class=\"warning\">{}</p>\n", html(remark));
  out += fmt::format("<p class=\"result\">{}</p>\n", html(result()));
  const bool all = !options.qp.has_value();
  const std::uint64_t errors = all ? summary.errors : sum.errors;
  const std::uint64_t warnings = all ? summary.warnings : sum.warnings;
  const std::uint64_t notes = all ? summary.notes : sum.notes;
  out += fmt::format("<p>Findings: {}, {}, {}</p>\n<dl>\n", counted(errors, "error"), counted(warnings, "warning"),
                     counted(notes, "note"));
  if (!losses.empty()) out += fmt::format("<dt>Losses</dt><dd class=\"warning\">{}</dd>\n", html(losses));
  if (capture) {
    for (const auto& [label, text] : capture_facts(*capture, !losses.empty())) {
      out += fmt::format("<dt>{}</dt><dd>{}</dd>\n", label, html(text));
    }
  }
  if (summary.elapsed_ns) out += fmt::format("<dt>Analysed in</dt><dd>{}</dd>\n", human_duration(*summary.elapsed_ns));
  out += "</dl>\n";
  const std::string repaired = repairs_text(incidents);
  if (!repaired.empty()) out += fmt::format("<p class=\"note\">{}</p>\n", html(repaired));
}

void HtmlObserver::State::append_sections(std::string& out, const std::vector<HtmlSection>& all) const {
  for (const HtmlSection& section : all) append_html_section(out, section);
  if (bad_qps > all.size()) {
    out += fmt::format("<p>{} more that did not end well are not described here.</p>\n",
                       counted(bad_qps - all.size(), "queue pair"));
  }
}

HtmlObserver::HtmlObserver(Sink sink, HtmlOptions options)
    : state_(std::make_unique<State>(std::move(sink), std::move(options))) {}
HtmlObserver::~HtmlObserver() = default;

void HtmlObserver::message(const qp::MessageRecord& record) {
  state_->messages.add(record);
  if (state_->options.messages_are_traffic && has_payload(record)) {
    state_->traffic.add(record.first_time, record.direction, record.length);
  }
}

void HtmlObserver::finding(const findings::Finding& finding) {
  state_->tally(finding);
  state_->keep(finding);
  const findings::Rule& rule = findings::rule(finding.id);
  if (finding.qp && rule.severity != findings::Severity::note && rule.about != findings::About::capture) {
    state_->messages.problem(*finding.qp, finding.frame);
  }
}

void HtmlObserver::traffic(TimePoint time, std::uint64_t octets) {
  state_->traffic.add(time, Direction::a_to_b, octets);
}

void HtmlObserver::remark(std::string sentence) {
  state_->options.remarks.push_back(std::move(sentence));
}

void HtmlObserver::capture(const analysis::CaptureRecord& record) {
  state_->capture = record;
}

void HtmlObserver::qp(const qp::QpRecord& record) {
  State& s = *state_;
  s.totals.add(record);
  s.incidents.add(record);
  s.keep(record);
  if (record.verdict && badness(record.verdict->outcome, first_error(record).has_value()) != 0) ++s.bad_qps;
}

void HtmlObserver::summary(const analysis::SummaryRecord& record) {
  State& s = *state_;
  std::sort(s.rows.begin(), s.rows.end(), is_worse);
  const std::vector<HtmlSection> sections = s.sections();
  std::vector<HtmlFlag> flags;
  for (const HtmlSection& section : sections) {
    if (section.row->badness >= kBad) flags.push_back({html_trouble_time(section), section.row->record.qp});
  }
  std::string out;
  append_html_head(out, s.capture ? s.capture->info.file : std::string{}, s.dates());
  s.append_overview(out, record);
  if (!s.options.qp) append_html_incidents(out, s.incidents, sections);
  s.append_rules(out, record);
  if (!s.rows.empty()) {
    out += "<h2>Throughput</h2>\n";
    const bool has_time = s.capture && !s.options.qp;
    s.traffic.append(out, has_time ? s.capture->first_time : std::nullopt,
                     has_time ? s.capture->last_time : std::nullopt, flags);
  }
  std::vector<const HtmlRow*> rows;
  for (const HtmlRow& row : s.rows) rows.push_back(&row);
  append_html_table(out, rows, sections, s.totals.qps);
  s.append_sections(out, sections);
  if (const auto its = s.found.find(std::nullopt); its != s.found.end() && !s.options.qp) {
    std::vector<const findings::Finding*> of_capture;
    for (const findings::Finding& finding : its->second) of_capture.push_back(&finding);
    out += "<section>\n<h2>Findings that belong to no queue pair</h2>\n";
    append_html_findings(out, of_capture, s.unplaced);
    out += "</section>\n";
  }
  out += "</body>\n</html>\n";
  s.sink(out);
}

}  // namespace iwarpscope::report
