// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// What went wrong, in the report for people.
#include <fmt/format.h>

#include "report/human.h"
#include "report/incident_words.h"
#include "report/text_parts.h"

namespace iwarpscope::report {
namespace {

using qp::Outcome;

constexpr std::size_t kIncidentsShown = 10;

findings::Severity severity(Outcome outcome) noexcept {
  if (outcome == Outcome::failed || outcome == Outcome::stalled) return findings::Severity::error;
  const bool is_warning = outcome == Outcome::refused || outcome == Outcome::unknown;
  return is_warning ? findings::Severity::warning : findings::Severity::note;
}

std::string head_of(const Paint& paint, const HeadWords& words) {
  std::string head = paint.severity(severity(words.outcome), qp::name(words.outcome));
  if (const auto of_flaw = report::severity(words.flaw)) {
    head += paint.severity(*of_flaw, fmt::format(" {}", flaw_words(words.flaw)));
  }
  if (!words.code.empty()) head += paint.dim(" " + words.code);
  if (!words.cause.empty()) head += ", " + words.cause;
  return head;
}

/// The sentence, the frames and what to do next, below a head.
void append_body(std::string& out, const Paint& paint, const qp::VerdictRecord& v, const std::string& indent,
                 const std::string& before) {
  out += wrapped(indent, indent, before + v.text, paint.width());
  if (!v.evidence.empty()) {
    std::string frames = v.evidence.size() == 1 ? "Frame" : "Frames";
    for (const FrameNumber& frame : v.evidence) {
      frames += fmt::format("{} {}", &frame == v.evidence.data() ? "" : ",", frame.value);
    }
    out += wrapped(indent, indent, frames, paint.width());
  }
  if (!v.next.empty()) out += wrapped(indent + "Next: ", indent + "      ", v.next, paint.width());
}

void append_incident(std::string& out, const Paint& paint, std::size_t number, const Incident& incident) {
  const std::string label = fmt::format("{:<3}", number);
  const std::string indent(label.size(), ' ');
  out += wrapped(label, indent, head_of(paint, head_words(incident)), paint.width());
  out += wrapped(indent, indent, who_words(incident), paint.width());
  append_body(out, paint, incident.verdict, indent, example_words(incident));
}

}  // namespace

void append_incidents(std::string& out, const Paint& paint, const Incidents& incidents) {
  const std::vector<const Incident*> all = incidents.worst_first();
  if (all.empty()) return;
  out += '\n' + paint.bold(all.size() == 1 ? "Incident" : "Incidents, the worst first") + "\n";
  std::uint64_t qps_left = incidents.dropped();
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (i < kIncidentsShown) {
      append_incident(out, paint, i + 1, *all[i]);
    } else {
      qps_left += all[i]->count;
    }
  }
  if (qps_left != 0) {
    out += fmt::format("...and other incidents of {}; --format json has them all\n", counted(qps_left, "queue pair"));
  }
  if (all.size() == 1) return;
  const std::string first = first_words(incidents), blamed = blamed_words(incidents);
  if (!first.empty()) out += wrapped("What came first: ", "   ", first + ".", paint.width());
  if (!blamed.empty()) out += wrapped("Blamed more than once: ", "   ", blamed + ".", paint.width());
}

void append_verdict(std::string& out, const Paint& paint, const qp::QpRecord& record) {
  const std::string indent(6, ' ');
  out += wrapped(fmt::format("  QP {}  ", record.qp), indent, head_of(paint, head_words(record)), paint.width());
  append_body(out, paint, *record.verdict, indent, "");
}

}  // namespace iwarpscope::report
