// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The parts of the HTML report that are about the whole capture.
#include <fmt/format.h>

#include <algorithm>

#include "report/html_parts.h"
#include "report/incident_words.h"
#include "report/qp_words.h"
#include "report/utf8.h"

namespace iwarpscope::report {
namespace {

constexpr std::size_t kHtmlIncidents = 50;

constexpr std::string_view kHead = R"(<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
)";

constexpr std::string_view kStyle = R"(<style>
:root { color-scheme: light dark; --page: #ffffff; --ink: #1b1f24; --faint: #57606a; --line: #d0d7de; --head: #f3f5f7;
  --error: #b3261e; --warning: #8a5200; --note: #0a5b94; --good: #1a6b32; --ab: #2f6fb5; --ba: #b0692a; }
@media (prefers-color-scheme: dark) { :root { --page: #14181d; --ink: #e4e8ec; --faint: #9aa5b1; --line: #39424d;
  --head: #1f252c; --error: #ff8a80; --warning: #f0b35a; --note: #7cc0f5; --good: #74d18c; --ab: #6aa7e8; --ba: #e0a060; } }
body { font: 15px/1.45 system-ui, sans-serif; color: var(--ink); background: var(--page); max-width: 76em;
  margin: 2em auto; padding: 0 1.2em; overflow-wrap: break-word; }
h1 { font-size: 1.5em; margin-bottom: 0.1em; } h2 { font-size: 1.2em; margin-top: 2em; border-bottom: 1px solid var(--line);
  padding-bottom: 0.2em; } h3 { font-size: 1em; margin: 1.4em 0 0.3em; }
a { color: var(--note); }
.dates, .faint, figcaption { color: var(--faint); }
.result { font-size: 1.25em; font-weight: 600; margin: 0.4em 0; }
.error, .failed, .stalled { color: var(--error); } .warning, .refused, .unknown { color: var(--warning); }
.note, .running { color: var(--note); } .completed { color: var(--good); }
.chip { font-weight: 600; white-space: nowrap; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: 0.92em; font-variant-numeric: tabular-nums; }
th, td { border-bottom: 1px solid var(--line); padding: 0.3em 0.6em 0.3em 0; text-align: left; vertical-align: top; }
thead th { background: var(--head); padding-left: 0.3em; } td:first-child, th:first-child { padding-left: 0.3em; }
.nowrap { white-space: nowrap; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 0.15em 1em; margin: 0.4em 0; }
dt { color: var(--faint); } dd { margin: 0; }
article { border-left: 4px solid var(--line); padding: 0.1em 0 0.1em 1em; margin: 1em 0; }
article.failed, article.stalled, article.error { border-color: var(--error); } article.refused, article.unknown, article.warning { border-color: var(--warning); }
article.failed, article.stalled, article.refused, article.unknown, article.running, article.completed, article.error,
article.warning, article.note { color: inherit; }
article h3 { margin: 0.2em 0; } article p { margin: 0.3em 0; }
.ladder td { border-bottom: 0; padding-top: 0.15em; padding-bottom: 0.15em; }
.ladder td.way { border-left: 2px solid var(--faint); border-right: 2px solid var(--faint); padding: 0; width: 7em; min-width: 5em; }
.ladder td.way + td, .ladder th.way + th { padding-left: 0.8em; } .ladder th.way { width: 7em; display: table-cell; }
.ladder .ends { display: flex; justify-content: space-between; }
.way svg { display: block; width: 100%; height: 1.4em; } .arrow { stroke: var(--ink); fill: none; stroke-width: 1.5; }
.ladder tr.hit td:not(.way) { background: var(--head); } .hit .arrow { stroke: var(--error); stroke-width: 2.2; }
figure { margin: 0.8em 0; } figure svg { width: 100%; height: auto; font: 11px system-ui, sans-serif; fill: var(--faint); }
svg .ab, svg .ba { stroke: none; } svg .ab { fill: var(--ab); } svg .ba { fill: var(--ba); }
svg .axis { stroke: var(--faint); fill: none; } svg .flag { stroke: var(--error); fill: none; stroke-dasharray: 3 3; }
svg .bad { fill: var(--error); }
.key { display: inline-block; width: 0.8em; height: 0.8em; } .key.ab { background: var(--ab); } .key.ba { background: var(--ba); }
details { margin: 0.6em 0; } summary { cursor: pointer; color: var(--note); }
pre { overflow-x: auto; background: var(--head); padding: 0.8em; font-size: 0.85em; line-height: 1.35; }
@media print { :root { --page: #ffffff; --ink: #000000; --faint: #444444; --line: #999999; --head: #eeeeee; --error: #a00000;
  --warning: #704000; --note: #003f70; --good: #00501c; } body { margin: 0; max-width: none; font-size: 9.5pt; }
  a { color: inherit; text-decoration: none; } section { break-before: page; } tr, figure, article { break-inside: avoid; }
  h2, h3, thead { break-after: avoid; } .scroll { overflow: visible; } pre { white-space: pre-wrap; } }
</style>
)";

std::string_view confidence_text(qp::Confidence confidence) noexcept {
  switch (confidence) {
    case qp::Confidence::certain: return "certain: the packets show it";
    case qp::Confidence::likely: return "likely: this is the usual cause";
    case qp::Confidence::limited: return "limited: data that is missing in the capture could explain it";
  }
  return {};
}

std::string_view side_text(qp::Blame blame) noexcept {
  switch (blame) {
    case qp::Blame::a: return "A";
    case qp::Blame::b: return "B";
    case qp::Blame::path: return "the path between them";
    case qp::Blame::capture: return "limited by the capture: no end is blamed";
    case qp::Blame::unknown: return "no end is blamed";
    case qp::Blame::none: return "none: nothing went wrong";
  }
  return {};
}

std::string frame_list(const std::vector<FrameNumber>& frames) {
  std::string text;
  for (const FrameNumber frame : frames) text += fmt::format("{}{}", text.empty() ? "" : ", ", frame.value);
  return text;
}

void append_entry(std::string& out, std::string_view label, const std::string& text) {
  if (!text.empty()) out += fmt::format("<dt>{}</dt><dd>{}</dd>\n", label, text);
}

/// A queue pair in the table. Cells are HTML.
std::string row_html(const HtmlRow& row, bool has_section) {
  const qp::QpRecord& r = row.record;
  const std::string number = has_section ? fmt::format("<a href=\"#qp{0}\">{0}</a>", r.qp) : fmt::format("{}", r.qp);
  std::string outcome = "none yet";
  if (r.verdict) {
    const Flaw its = flaw(r);
    outcome = fmt::format("<span class=\"chip {}\">{}{}{}</span>", html_class(r.verdict->outcome, its),
                          qp::name(r.verdict->outcome), its == Flaw::none ? "" : ", ", flaw_words(its));
  }
  std::string worst;
  if (row.worst) {
    const findings::Rule& rule = findings::rule(*row.worst);
    worst = fmt::format("<span class=\"{}\">{}</span>", html_class(rule.severity), rule.code);
  }
  return fmt::format("<tr><td>{}<td>{}<td>{}{}<td>{}<td>{}<td>{}<td>{}/{}/{}<td>{}<td>{}\n", number, html(r.a.text()),
                     html(r.b.text()), html(stream_mark(r)), html(state_text(r)), html(messages_cell(r.directions[0])),
                     html(messages_cell(r.directions[1])), row.counts.errors, row.counts.warnings, row.counts.notes,
                     outcome, worst);
}

/// Links to the sections of an incident's first queue pairs, as far as they have one.
std::string links_to(const Incident& incident, const std::vector<HtmlSection>& sections) {
  std::string links;
  for (const std::uint64_t qp : incident.qps) {
    const bool has_section = std::any_of(sections.begin(), sections.end(),
                                         [&](const HtmlSection& section) { return section.row->record.qp == qp; });
    if (has_section) links += fmt::format("{0}<a href=\"#qp{1}\">QP {1}</a>", links.empty() ? "" : ", ", qp);
  }
  return links;
}

void append_html_incident(std::string& out, std::size_t number, const Incident& incident,
                          const std::vector<HtmlSection>& sections) {
  const bool is_one = incident.count == 1;
  out += fmt::format("<article class=\"{0}\">\n<h3 class=\"{0}\">{1}. {2}</h3>\n<p>{3}</p>\n",
                     html_class(incident.verdict.outcome, incident.rule ? flaw(*incident.rule) : Flaw::none), number,
                     html(head_text(head_words(incident))), html(who_words(incident)));
  if (!is_one) out += fmt::format("<p class=\"faint\">Example QP {}:</p>\n", incident.qp);
  append_html_verdict(out, incident.verdict, links_to(incident, sections));
  out += "</article>\n";
}

}  // namespace

std::string html(std::string_view text) {
  std::string out;
  for (const char c : to_printable(text)) {
    switch (c) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&quot;"; break;
      case '\'': out += "&#39;"; break;
      default: out += c;
    }
  }
  return out;
}

std::string_view html_class(findings::Severity severity) noexcept {
  return findings::name(severity);
}
std::string_view html_class(qp::Outcome outcome, Flaw flaw) noexcept {
  const auto severity = report::severity(flaw);
  return severity ? html_class(*severity) : qp::name(outcome);
}

void append_html_head(std::string& out, const std::string& title, const std::string& dates) {
  out += kHead;
  out += fmt::format(
      "<title>iwarpscope report: {0}</title>\n{1}</head>\n<body>\n<h1>iwarpscope report: <bdi>{0}</bdi></h1>\n",
      html(title), kStyle);
  out += fmt::format("<p class=\"dates\">{}</p>\n", html(dates));
}

void append_html_verdict(std::string& out, const qp::VerdictRecord& verdict, const std::string& details) {
  out += fmt::format("<p>{}</p>\n<dl>\n", html(verdict.text));
  append_entry(out, "Side", html(side_text(verdict.blame)));
  append_entry(out, "Confidence", html(confidence_text(verdict.confidence)));
  append_entry(out, verdict.evidence.size() == 1 ? "Frame" : "Frames", frame_list(verdict.evidence));
  append_entry(out, "Check next", html(verdict.next));
  if (!verdict.code.empty()) append_entry(out, "Verdict", html(verdict.code + " " + verdict.id));
  append_entry(out, "Details", details);
  out += "</dl>\n";
}

void append_html_incidents(std::string& out, const Incidents& incidents, const std::vector<HtmlSection>& sections) {
  const std::vector<const Incident*> all = incidents.worst_first();
  if (all.empty()) return;
  out += fmt::format("<h2>{}</h2>\n", all.size() == 1 ? "Incident" : "Incidents, the worst first");
  std::uint64_t qps_left = incidents.dropped();
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (i < kHtmlIncidents) {
      append_html_incident(out, i + 1, *all[i], sections);
    } else {
      qps_left += all[i]->count;
    }
  }
  if (qps_left == 0) return;
  out += fmt::format("<p>Other incidents of {} are not shown; the JSON report has them all.</p>\n",
                     counted(qps_left, "queue pair"));
}

void append_html_table(std::string& out, const std::vector<const HtmlRow*>& rows,
                       const std::vector<HtmlSection>& sections, std::uint64_t total) {
  if (rows.empty()) return;
  out += fmt::format("<h2>{}</h2>\n", counted(total, "queue pair"));
  if (total > rows.size()) {
    out += fmt::format("<p>The {} worst are listed; {} more are only counted.</p>\n", rows.size(), total - rows.size());
  }
  out +=
      "<div class=\"scroll\">\n<table>\n<thead><tr><th>QP<th>A (Initiator, if known)<th>B<th>State"
      "<th>Messages A to B<th>Messages B to A<th title=\"Findings: errors, warnings, notes\">E/W/N<th>Outcome"
      "<th>Worst finding</thead>\n<tbody>\n";
  for (const HtmlRow* row : rows) {
    out += row_html(*row, std::any_of(sections.begin(), sections.end(),
                                      [&](const HtmlSection& section) { return section.row == row; }));
  }
  out += "</tbody>\n</table>\n</div>\n<p class=\"faint\">E/W/N: errors, warnings and notes among the findings.</p>\n";
}

}  // namespace iwarpscope::report
