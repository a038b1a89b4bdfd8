// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/incident_words.h"

#include <fmt/format.h>

#include "report/human.h"
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

/// `rule`: the first error, if it did not end badly.
HeadWords words_of(const qp::VerdictRecord& v, std::optional<findings::FindingId> rule, const std::string& by_a,
                   const std::string& by_b) {
  HeadWords words{v.outcome, rule ? flaw(*rule) : Flaw::none, v.code, {}};
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

std::string_view flaw_words(Flaw flaw) noexcept {
  switch (flaw) {
    case Flaw::none: return {};
    case Flaw::repaired: return "with losses repaired";
    case Flaw::doubtful: return "with doubtful data";
    case Flaw::error: break;
  }
  return "with errors";
}

HeadWords head_words(const qp::QpRecord& record) {
  const auto error = qp::ended_badly(record.verdict->outcome) ? std::nullopt : first_error(record);
  HeadWords words = words_of(*record.verdict, error, fmt::format("{} {}", role(record.roles, true), record.a.text()),
                             fmt::format("{} {}", role(record.roles, false), record.b.text()));
  words.flaw = flaw(record);
  return words;
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
  if (words.flaw != Flaw::none) text += fmt::format(" {}", flaw_words(words.flaw));
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
  const Incidents::Count& count = incidents.count(outcome);
  if (count.qps == 0) return {};
  std::string flaws;
  for (const Flaw flaw : {Flaw::error, Flaw::doubtful, Flaw::repaired}) {
    if (count.with(flaw) == 0) continue;
    if (count.qps == 1) return fmt::format("1 {} {}", qp::name(outcome), flaw_words(flaw));
    flaws += fmt::format("{}{} {}{}", flaws.empty() ? "" : ", ", count.with(flaw), flaws.empty() ? "of them " : "",
                         flaw_words(flaw));
  }
  return fmt::format("{} {}{}", count.qps, qp::name(outcome), flaws.empty() ? "" : fmt::format(" ({})", flaws));
}

std::string outcomes_text(const Incidents& incidents) {
  std::string text;
  for (const Outcome outcome : kOutcomes) {
    const std::string words = outcome_words(incidents, outcome);
    if (!words.empty()) text += (text.empty() ? "" : ", ") + words;
  }
  return text;
}

std::string repairs_text(const Incidents& incidents) {
  const Incidents::Repairs& all = incidents.repairs();
  if (all.qps == 0) return {};
  std::string text = fmt::format("Losses or damage on the path were repaired in {} ({}QP {})",
                                 counted(all.qps, "queue pair"), all.qps == 1 ? "" : "the first is ", all.first_qp);
  if (all.held_back != 0) {
    text += fmt::format(": {} waited, the longest for {}", counted(all.held_back, "message"),
                        human_duration(all.longest_ns));
  }
  if (all.sent_again != 0) {
    text += fmt::format("{} {} sent again", all.held_back == 0 ? ":" : ";", human_octets(all.sent_again));
  }
  return text + ".";
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
