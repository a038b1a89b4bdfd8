// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The result in the report for people: how many queue pairs ended how, and what went wrong.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "report/human.h"
#include "report/text_parts.h"

namespace iwarpscope::report {
namespace {

using qp::Blame;
using qp::Confidence;
using qp::Outcome;

constexpr std::array kOutcomes{Outcome::failed,    Outcome::stalled, Outcome::refused,
                               Outcome::completed, Outcome::running, Outcome::unknown};
constexpr std::size_t kIncidentsShown = 10;
constexpr std::size_t kBlamedShown = 5;

findings::Severity severity(Outcome outcome) noexcept {
  if (outcome == Outcome::failed || outcome == Outcome::stalled) return findings::Severity::error;
  const bool is_warning = outcome == Outcome::refused || outcome == Outcome::unknown;
  return is_warning ? findings::Severity::warning : findings::Severity::note;
}

std::string_view role(qp::Roles roles, bool a) noexcept {
  if (roles != qp::Roles::mpa) return a ? "A" : "B";
  return a ? "the Initiator" : "the Responder";
}

/// "completed with errors V-30: mpa.crc-mismatch (MF-04), likely by the path between them".
std::string head_of(const Paint& paint, const qp::VerdictRecord& v, std::optional<findings::FindingId> rule,
                    const std::string& by_a, const std::string& by_b) {
  const std::string_view how = v.confidence == Confidence::certain  ? "certainly"
                               : v.confidence == Confidence::likely ? "likely"
                                                                    : "perhaps";
  std::string head = paint.severity(severity(v.outcome), qp::name(v.outcome));
  if (rule) head += paint.severity(findings::rule(*rule).severity, " with errors");
  if (!v.code.empty()) head += paint.dim(" " + v.code);
  if (rule) head += fmt::format(", {} ({})", findings::rule(*rule).name, findings::rule(*rule).code);
  const bool on_the_way = !rule && (v.outcome == Outcome::completed || v.outcome == Outcome::running);
  switch (v.blame) {
    case Blame::a:
    case Blame::b:
    case Blame::path:
      if (on_the_way) head += ", with a fault on the way";
      head += fmt::format(", {} by ", how);
      head += v.blame == Blame::a ? by_a : v.blame == Blame::b ? by_b : "the path between them";
      break;
    case Blame::capture: head += ", limited by the capture"; break;
    case Blame::unknown: head += ", no end blamed"; break;
    case Blame::none: break;
  }
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

/// "10.0.0.1", "10.0.0.1 and 3 other hosts".
std::string hosts_text(const net::IpAddress& first, const std::set<net::IpAddress>& hosts, bool more) {
  if (hosts.size() == 1) return first.text();
  return fmt::format("{} and {}{}", first.text(), more ? "more than " : "", counted(hosts.size() - 1, "other host"));
}

void append_incident(std::string& out, const Paint& paint, std::size_t number, const Incident& incident) {
  const std::string label = fmt::format("{:<3}", number);
  const std::string indent(label.size(), ' ');
  const bool is_one = incident.count == 1;
  out += wrapped(label, indent, incident_head(paint, incident), paint.width());
  out += wrapped(indent, indent, incident_place(incident), paint.width());
  append_body(out, paint, incident.verdict, indent, is_one ? "" : fmt::format("Example QP {}: ", incident.qp));
}

void append_first(std::string& out, const Paint& paint, const Incidents& incidents) {
  if (incidents.first_troubles().size() < 2) return;
  std::string text;
  for (const Incidents::Trouble& t : incidents.first_troubles()) {
    text += fmt::format("{}frame {} of QP {} ({} -> {})", text.empty() ? "" : ", then ", t.frame.value, t.qp,
                        t.a.text(), t.b.text());
  }
  out += wrapped("What came first: ", "   ", text + ".", paint.width());
}

void append_blamed(std::string& out, const Paint& paint, const Incidents& incidents) {
  std::string text;
  std::size_t shown = 0;
  for (const Incidents::Blamed& blamed : incidents.blamed_often()) {
    if (shown++ == kBlamedShown) break;
    const std::string where = blamed.other
                                  ? fmt::format("the path between {} and {}", blamed.host.text(), blamed.other->text())
                                  : blamed.host.text();
    text += fmt::format("{}{} ({})", text.empty() ? "" : ", ", where, counted(blamed.qps, "QP"));
  }
  if (!text.empty()) out += wrapped("Blamed more than once: ", "   ", text + ".", paint.width());
}

}  // namespace

std::string incident_head(const Paint& paint, const Incident& incident) {
  const bool is_listener_known = incident.roles != qp::Roles::address && incident.one_port;
  const bool is_one = incident.count == 1;
  const std::string by_a =
      fmt::format("{} {}", role(incident.roles, true), is_one ? incident.a.text() : incident.a.address.text());
  const std::string by_b = fmt::format("{} {}", role(incident.roles, false),
                                       is_one || is_listener_known ? incident.b.text() : incident.b.address.text());
  return head_of(paint, incident.verdict, incident.rule, by_a, by_b);
}

std::string incident_place(const Incident& incident) {
  const std::string qps = qps_text(incident.qps, incident.count);
  if (incident.count == 1) return fmt::format("{}: {} -> {}", qps, incident.a.text(), incident.b.text());
  std::string text =
      fmt::format("{}: {} -> {}", qps, hosts_text(incident.a.address, incident.a_hosts, incident.more_hosts),
                  hosts_text(incident.b.address, incident.b_hosts, incident.more_hosts));
  const bool names_listener = incident.one_port && incident.roles != qp::Roles::address;
  return names_listener ? fmt::format("{}, port {}", text, incident.b.port) : text;
}

std::string verdict_head(const Paint& paint, const qp::QpRecord& record) {
  const std::string by_a = fmt::format("{} {}", role(record.roles, true), record.a.text());
  const std::string by_b = fmt::format("{} {}", role(record.roles, false), record.b.text());
  const qp::VerdictRecord& v = *record.verdict;
  return head_of(paint, v, qp::ended_badly(v.outcome) ? std::nullopt : first_error(record), by_a, by_b);
}

std::string outcomes_text(const Incidents& incidents) {
  std::uint64_t total = 0;
  for (const Outcome outcome : kOutcomes) total += incidents.count(outcome).qps;
  std::string text;
  for (const Outcome outcome : kOutcomes) {
    const auto [qps, with_errors] = incidents.count(outcome);
    if (qps == 0) continue;
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", qps, qp::name(outcome));
    if (with_errors == 0 || qp::ended_badly(outcome)) continue;
    text += qps == 1 ? std::string(" with errors") : fmt::format(" ({} of them with errors)", with_errors);
  }
  return text;
}

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
  append_first(out, paint, incidents);
  append_blamed(out, paint, incidents);
}

void append_verdict(std::string& out, const Paint& paint, const qp::QpRecord& record) {
  const std::string indent(6, ' ');
  out += wrapped(fmt::format("  QP {}  ", record.qp), indent, verdict_head(paint, record), paint.width());
  append_body(out, paint, *record.verdict, indent, "");
}

}  // namespace iwarpscope::report
