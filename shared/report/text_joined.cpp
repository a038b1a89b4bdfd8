// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Joined connections for people.
#include <fmt/format.h>

#include <algorithm>

#include "report/human.h"
#include "report/joined.h"
#include "report/utf8.h"

namespace iwarpscope::report {
namespace {

using join::JoinedConnection;

void append_taps(std::string& out, const JoinedText& how) {
  out += "Taps\n";
  for (std::size_t i = 0; i < how.taps.size(); ++i) {
    const join::Tap& tap = how.taps[i];
    const std::string clock =
        tap.clock_bound_ns ? "clock within " + human_duration(*tap.clock_bound_ns) : std::string{"clock unknown"};
    out += fmt::format("  {}: {}, {}, {}, {}\n", to_printable(tap.position), to_printable(how.records[i].file),
                       counted(how.records[i].frames, "frame"), counted(how.records[i].qps, "queue pair"), clock);
  }
  if (how.is_merged) out += "  Verdicts of all taps count the frames of all files, in the order of their times.\n";
}

std::string seen_at(const JoinedConnection& joined, std::span<const join::Tap> taps) {
  std::string text;
  for (const join::JoinedView& view : joined.views) {
    if (!text.empty()) text += ", ";
    text += fmt::format("{} QP {}", to_printable(taps[view.tap].position), view.qp);
    if (view.a != joined.a || view.b != joined.b) text += fmt::format(" ({} - {})", view.a.text(), view.b.text());
  }
  return text.empty() ? "only in the frames of all taps together" : text;
}

void append_finding(std::string& out, const join::JoinedFinding& f, std::span<const join::Tap> taps) {
  const findings::Rule& rule = findings::rule(f.finding.id);
  std::string at;
  for (const std::size_t tap : f.taps) at += (at.empty() ? " at " : ", ") + to_printable(taps[tap].position);
  out +=
      wrapped("  - ", "    ",
              fmt::format("{} {} {}{}: {}", findings::name(rule.severity), rule.code, rule.name, at, f.finding.text));
}

void append_views(std::string& out, const JoinedConnection& joined, std::span<const join::Tap> taps) {
  for (const join::JoinedView& view : joined.views) {
    if (!view.verdict) continue;
    out += wrapped(fmt::format("  {}: ", to_printable(taps[view.tap].position)), "    ",
                   view.verdict->code + " " + view.verdict->text);
  }
}

void append_connection(std::string& out, const JoinedConnection& joined, std::uint64_t number, const JoinedText& how) {
  out += fmt::format("\nConnection {}  {} - {}\n", number, joined.a.text(), joined.b.text());
  out += wrapped("  Seen at ", "    ", seen_at(joined, how.taps));
  for (const std::string& sentence : joined.sentences) out += wrapped("  * ", "    ", to_printable(sentence));
  if (joined.verdict) {
    const qp::VerdictRecord& v = joined.verdict->verdict;
    const auto& tap = joined.verdict->tap;
    out += fmt::format("  Verdict {}: {}, blame: {}, {} ({})\n",
                       tap ? "at " + to_printable(how.taps[*tap].position) : std::string{"of all taps"},
                       qp::name(v.outcome), qp::name(v.blame), qp::name(v.confidence), v.code);
    // Where all agree, once is enough.
    if (!joined.verdict->blame_withdrawn && joined.verdict->taps_agree) {
      out += wrapped("    ", "    ", v.text);
    } else {
      append_views(out, joined, how.taps);
    }
  }
  for (const join::JoinedFinding& f : joined.findings) {
    if (how.notes || findings::rule(f.finding.id).severity != findings::Severity::note)
      append_finding(out, f, how.taps);
  }
}

}  // namespace

std::string joined_text(const std::vector<JoinedConnection>& all, const JoinedText& how) {
  std::string out;
  append_taps(out, how);
  const auto several =
      std::count_if(all.begin(), all.end(), [](const JoinedConnection& j) { return j.views.size() > 1; });
  out += fmt::format("{}, {} seen at several taps\n", counted(all.size(), "connection"), several);
  for (std::size_t i = 0; i < all.size(); ++i) append_connection(out, all[i], i, how);
  return out;
}

}  // namespace iwarpscope::report
