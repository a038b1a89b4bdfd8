// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// One queue pair in the HTML report.
#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <variant>

#include "analysis/first_trouble.h"
#include "report/html_parts.h"
#include "report/incident_words.h"
#include "report/qp_events.h"
#include "report/qp_words.h"

namespace iwarpscope::report {
namespace {

/// A row of the ladder.
struct Step {
  TimePoint time;
  FrameNumber frame;
  std::optional<Direction> direction;
  std::string text;     ///< HTML
  bool is_hit = false;  ///< part of what went wrong
};

Step step_of(const qp::MessageRecord& message) {
  std::string line;
  append_message(line, Paint(false), message);
  // The time and the queue pair are elsewhere: what is left begins with the message's number.
  line.erase(0, std::min(line.find('#'), line.size()));
  line.erase(line.find_last_not_of('\n') + 1);
  return {message.first_time, message.first_frame, message.direction, html(line),
          std::holds_alternative<qp::TerminateDetail>(message.detail)};
}

Step step_of(const findings::Finding& finding) {
  const findings::Rule& rule = findings::rule(finding.id);
  return {finding.time, finding.frame, std::nullopt,
          fmt::format("<span class=\"chip {}\">{} {}</span> {}", html_class(rule.severity),
                      findings::name(rule.severity), rule.code, html(finding.text)),
          rule.severity == findings::Severity::error};
}

std::vector<Step> steps_of(const HtmlSection& section) {
  std::vector<Step> steps;
  for (const QpEvent& event : qp_events(section.row->record, true)) {
    const bool is_hit = event.kind == "rst" || event.kind == "abort" || event.kind == "session_reject";
    steps.push_back({event.time, event.frame, event.direction, html(event.text), is_hit});
  }
  for (const qp::MessageRecord& message : section.messages) steps.push_back(step_of(message));
  for (const findings::Finding* finding : section.findings) {
    if (findings::rule(finding->id).severity != findings::Severity::note && finding->frame.value != 0) {
      steps.push_back(step_of(*finding));
    }
  }
  std::stable_sort(steps.begin(), steps.end(), [](const Step& l, const Step& r) {
    return std::pair{l.time, l.frame} < std::pair{r.time, r.frame};
  });
  return steps;
}

std::string_view arrow(std::optional<Direction> direction) noexcept {
  if (!direction) return {};
  return *direction == Direction::a_to_b
             ? "<svg viewBox=\"0 0 100 20\" preserveAspectRatio=\"none\" role=\"img\" aria-label=\"A to B\"><path "
               "class=\"arrow\" d=\"M2 10H98M90 5L98 10L90 15\"/></svg>"
             : "<svg viewBox=\"0 0 100 20\" preserveAspectRatio=\"none\" role=\"img\" aria-label=\"B to A\"><path "
               "class=\"arrow\" d=\"M98 10H2M10 5L2 10L10 15\"/></svg>";
}

void append_ladder(std::string& out, const HtmlSection& section) {
  const qp::QpRecord& record = section.row->record;
  out += "<h3>What happened</h3>\n";
  const std::uint64_t messages = message_count(record.directions[0]) + message_count(record.directions[1]);
  if (messages > section.messages.size()) {
    out += fmt::format("<p class=\"faint\">{} of {} shown: those around the first problem, and the last ones.</p>\n",
                       section.messages.size(), counted(messages, "message"));
  }
  out +=
      "<div class=\"scroll\">\n<table class=\"ladder\">\n<thead><tr><th>Time (UTC)<th>Frame<th class=\"way\"><span "
      "class=\"ends\"><span>A</span><span>B</span></span><th>Event</thead>\n<tbody>\n";
  for (const Step& step : steps_of(section)) {
    out += fmt::format("<tr{}><td class=\"nowrap\">{}<td>{}<td class=\"way\">{}<td>{}\n",
                       step.is_hit ? " class=\"hit\"" : "", time_of_day(step.time), step.frame.value,
                       arrow(step.direction), step.text);
  }
  out += "</tbody>\n</table>\n</div>\n";
}

std::string frames_of(const findings::Finding& finding) {
  if (finding.frames.empty()) return finding.frame.value == 0 ? "" : fmt::format("{}", finding.frame.value);
  constexpr std::size_t kMost = 8;
  std::string text;
  for (std::size_t i = 0; i < std::min(finding.frames.size(), kMost); ++i) {
    text += fmt::format("{}{}", i == 0 ? "" : ", ", finding.frames[i].value);
  }
  return finding.frames.size() > kMost ? text + ", ..." : text;
}

void append_rule(std::string& out, const findings::Rule& rule) {
  out += fmt::format(
      "<dt>{} <span class=\"nowrap\">({})</span></dt><dd>{} {} <b>Check next:</b> {} <span "
      "class=\"faint\">{}</span></dd>\n",
      html(rule.name), html(rule.code), html(rule.what), html(rule.why), html(rule.next), html(rule.reference));
}

}  // namespace

TimePoint html_trouble_time(const HtmlSection& section) {
  const qp::QpRecord& record = section.row->record;
  const FrameNumber first = analysis::first_trouble(record).value_or(FrameNumber{0});
  for (const Step& step : steps_of(section)) {
    if (first.value == 0 ? step.is_hit : step.frame >= first) return step.time;
  }
  return record.last_time;
}

void append_html_findings(std::string& out, std::vector<const findings::Finding*> findings, std::uint64_t total) {
  std::stable_sort(findings.begin(), findings.end(), [](const findings::Finding* l, const findings::Finding* r) {
    return findings::rule(l->id).severity > findings::rule(r->id).severity;
  });
  if (total == 0) {
    out += "<p>No findings.</p>\n";
    return;
  }
  out +=
      "<div class=\"scroll\">\n<table>\n<thead><tr><th>Severity<th>Rule<th>Direction<th>Frames<th>What was "
      "found<th>Seen"
      "<th>Expected</thead>\n<tbody>\n";
  std::vector<findings::FindingId> rules;  // in the order of their findings
  for (const findings::Finding* finding : findings) {
    const findings::Rule& rule = findings::rule(finding->id);
    if (std::find(rules.begin(), rules.end(), finding->id) == rules.end()) rules.push_back(finding->id);
    out += fmt::format(
        "<tr><td><span class=\"chip {0}\">{0}</span><td class=\"nowrap\">{1}<td "
        "class=\"nowrap\">{2}<td>{3}<td>{4}<td>{5}<td>{6}\n",
        html_class(rule.severity), rule.code,
        finding->direction ? html(direction_text(*finding->direction)) : std::string{}, frames_of(*finding),
        html(finding->text), html(finding->seen), html(finding->expected));
  }
  out += "</tbody>\n</table>\n</div>\n";
  if (total > findings.size()) out += fmt::format("<p>{} more are only counted.</p>\n", total - findings.size());
  if (rules.empty()) return;
  out += fmt::format("<details{}>\n<summary>What these rules mean</summary>\n<dl>\n", rules.size() <= 3 ? " open" : "");
  for (const findings::FindingId id : rules) append_rule(out, findings::rule(id));
  out += "</dl>\n</details>\n";
}

void append_html_section(std::string& out, const HtmlSection& section) {
  const qp::QpRecord& record = section.row->record;
  out += fmt::format("<section id=\"qp{0}\">\n<h2>QP {0}: {1} &rarr; {2}{3}</h2>\n", record.qp, html(record.a.text()),
                     html(record.b.text()), html(stream_mark(record)));
  if (record.verdict) {
    out += fmt::format("<article class=\"{0}\">\n<h3 class=\"{0}\">{1}</h3>\n",
                       html_class(record.verdict->outcome, flaw(record)), html(head_text(head_words(record))));
    append_html_verdict(out, *record.verdict);
    out += "</article>\n";
  }
  append_ladder(out, section);
  const HtmlCounts& counts = section.row->counts;
  out += fmt::format("<h3>Findings: {}, {}, {}</h3>\n", counted(counts.errors, "error"),
                     counted(counts.warnings, "warning"), counted(counts.notes, "note"));
  append_html_findings(out, section.findings, std::uint64_t{counts.errors} + counts.warnings + counts.notes);
  std::string details;
  append_qp(details, Paint(false), record, {});
  out += "<details>\n<summary>Startup, settings and counters</summary>\n<pre>";
  // Line by line: a line feed is a control character to html().
  for (std::size_t at = 0; at < details.size();) {
    const std::size_t end = std::min(details.find('\n', at), details.size());
    out += html(std::string_view{details}.substr(at, end - at)) + '\n';
    at = end + 1;
  }
  out += "</pre>\n</details>\n</section>\n";
}

}  // namespace iwarpscope::report
