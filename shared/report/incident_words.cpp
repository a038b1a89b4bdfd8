// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/incident_words.h"

#include <fmt/format.h>

#include "report/text_parts.h"

namespace iwarpscope::report {
namespace {

using qp::Blame;
using qp::Confidence;
using qp::Outcome;

constexpr std::size_t kBlamedShown = 5;

std::string_view role(qp::Roles roles, bool a) noexcept {
  if (roles != qp::Roles::mpa) return a ? "A" : "B";
  return a ? "the Initiator" : "the Responder";
}

std::string blame_words(const qp::VerdictRecord& v, bool has_errors, const std::string& by_a, const std::string& by_b) {
  const std::string_view how = v.confidence == Confidence::certain  ? "certainly"
                               : v.confidence == Confidence::likely ? "likely"
                                                                    : "perhaps";
  const bool on_the_way = !has_errors && (v.outcome == Outcome::completed || v.outcome == Outcome::running);
  switch (v.blame) {
    case Blame::a:
    case Blame::b:
    case Blame::path:
      return fmt::format("{}{} by {}", on_the_way ? "with a fault on the way, " : "", how,
                         v.blame == Blame::a   ? by_a
                         : v.blame == Blame::b ? by_b
                                               : "the path between them");
    case Blame::capture: return "limited by the capture";
    case Blame::unknown: return "no end blamed";
    case Blame::none: break;
  }
  return {};
}

HeadWords words_of(const qp::VerdictRecord& v, std::optional<findings::FindingId> rule, const std::string& by_a,
                   const std::string& by_b) {
  HeadWords words{v.outcome, rule, v.code, {}};
  if (rule) words.cause = fmt::format("{} ({})", findings::rule(*rule).name, findings::rule(*rule).code);
  const std::string blame = blame_words(v, rule.has_value(), by_a, by_b);
  if (!blame.empty()) words.cause += (words.cause.empty() ? "" : ", ") + blame;
  return words;
}

/// "10.0.0.1", "10.0.0.1 and 3 other hosts".
std::string hosts_text(const net::IpAddress& first, const std::set<net::IpAddress>& hosts, bool more) {
  if (hosts.size() == 1) return first.text();
  return fmt::format("{} and {}{}", first.text(), more ? "more than " : "", counted(hosts.size() - 1, "other host"));
}

}  // namespace

HeadWords head_words(const qp::QpRecord& record) {
  const auto error = qp::ended_badly(record.verdict->outcome) ? std::nullopt : first_error(record);
  return words_of(*record.verdict, error, fmt::format("{} {}", role(record.roles, true), record.a.text()),
                  fmt::format("{} {}", role(record.roles, false), record.b.text()));
}

HeadWords head_words(const Incident& incident) {
  const bool is_listener_known = incident.roles != qp::Roles::address && incident.one_port;
  const bool is_one = incident.count == 1;
  return words_of(
      incident.verdict, incident.rule,
      fmt::format("{} {}", role(incident.roles, true), is_one ? incident.a.text() : incident.a.address.text()),
      fmt::format("{} {}", role(incident.roles, false),
                  is_one || is_listener_known ? incident.b.text() : incident.b.address.text()));
}

std::string head_text(const HeadWords& words) {
  std::string text{qp::name(words.outcome)};
  if (words.rule) text += " with errors";
  if (!words.code.empty()) text += " " + words.code;
  if (!words.cause.empty()) text += ", " + words.cause;
  return text;
}

std::string who_words(const Incident& incident) {
  const std::string qps = qps_text(incident.qps, incident.count);
  if (incident.count == 1) return fmt::format("{}: {} -> {}", qps, incident.a.text(), incident.b.text());
  std::string text =
      fmt::format("{}: {} -> {}", qps, hosts_text(incident.a.address, incident.a_hosts, incident.more_hosts),
                  hosts_text(incident.b.address, incident.b_hosts, incident.more_hosts));
  const bool names_listener = incident.one_port && incident.roles != qp::Roles::address;
  return names_listener ? fmt::format("{}, port {}", text, incident.b.port) : text;
}

std::string example_words(const Incident& incident) {
  return incident.count == 1 ? "" : fmt::format("Example QP {}: ", incident.qp);
}

std::string outcome_words(const Incidents& incidents, Outcome outcome) {
  const auto [qps, with_errors] = incidents.count(outcome);
  if (qps == 0) return {};
  std::string text = fmt::format("{} {}", qps, qp::name(outcome));
  if (with_errors == 0 || qp::ended_badly(outcome)) return text;
  return text + (qps == 1 ? std::string(" with errors") : fmt::format(" ({} of them with errors)", with_errors));
}

std::string outcomes_text(const Incidents& incidents) {
  std::string text;
  for (const Outcome outcome : kOutcomes) {
    const std::string words = outcome_words(incidents, outcome);
    if (!words.empty()) text += (text.empty() ? "" : ", ") + words;
  }
  return text;
}

std::string first_words(const Incidents& incidents) {
  if (incidents.first_troubles().size() < 2) return {};
  std::string text;
  for (const Incidents::Trouble& t : incidents.first_troubles()) {
    text += fmt::format("{}frame {} of QP {} ({} -> {})", text.empty() ? "" : ", then ", t.frame.value, t.qp,
                        t.a.text(), t.b.text());
  }
  return text;
}

std::string blamed_words(const Incidents& incidents) {
  std::string text;
  std::size_t shown = 0;
  for (const Incidents::Blamed& blamed : incidents.blamed_often()) {
    if (shown++ == kBlamedShown) break;
    const std::string where = blamed.other
                                  ? fmt::format("the path between {} and {}", blamed.host.text(), blamed.other->text())
                                  : blamed.host.text();
    text += fmt::format("{}{} ({})", text.empty() ? "" : ", ", where, counted(blamed.qps, "QP"));
  }
  return text;
}

}  // namespace iwarpscope::report
