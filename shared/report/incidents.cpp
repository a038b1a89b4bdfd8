// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/incidents.h"

#include <algorithm>

#include "analysis/first_trouble.h"
#include "qp/severity_order.h"
#include "verdict/repairs.h"

namespace iwarpscope::report {
namespace {

using findings::FindingId;
using qp::Blame;
using qp::Outcome;

/// Warnings, because something outside of the capture may explain them, but the data may be wrong.
constexpr std::array kWrongData{FindingId::tcp_retransmission_differs, FindingId::rdmap_atomic_results_inconsistent,
                                FindingId::rdmap_atomics_not_linearizable};

bool is_error(const qp::NotedFinding& f) noexcept {
  const findings::Rule& rule = findings::rule(f.id);
  return rule.severity == findings::Severity::error && rule.about != findings::About::capture;
}

bool is_wrong_data(const qp::NotedFinding& f) noexcept {
  return std::ranges::find(kWrongData, f.id) != kWrongData.end();
}

void remember(std::set<net::IpAddress>& hosts, const net::IpAddress& host, bool& more) {
  if (hosts.contains(host)) return;
  if (hosts.size() < Incident::kHosts) {
    hosts.insert(host);
  } else {
    more = true;
  }
}

}  // namespace

int badness(Outcome outcome, bool has_errors) noexcept {
  if (qp::ended_badly(outcome)) return qp::severity_order(outcome);
  if (has_errors) return 2;
  return outcome == Outcome::unknown ? 1 : 0;
}

int badness(const Incident& incident) noexcept {
  return badness(incident.verdict.outcome, incident.rule.has_value());
}

std::optional<FindingId> first_error(const qp::QpRecord& record) noexcept {
  const auto& findings = record.summary.findings;
  auto at = std::ranges::find_if(findings, is_error);
  if (at == findings.end()) at = std::ranges::find_if(findings, is_wrong_data);
  return at == findings.end() ? std::nullopt : std::optional{at->id};
}

Flaw flaw(FindingId rule) noexcept {
  return findings::rule(rule).severity == findings::Severity::error ? Flaw::error : Flaw::doubtful;
}

Flaw flaw(const qp::QpRecord& record) noexcept {
  if (!record.verdict || qp::ended_badly(record.verdict->outcome)) return Flaw::none;
  if (const auto error = first_error(record)) return flaw(*error);
  return verdict::has_repairs(record) ? Flaw::repaired : Flaw::none;
}

std::optional<findings::Severity> severity(Flaw flaw) noexcept {
  switch (flaw) {
    case Flaw::none: return std::nullopt;
    case Flaw::repaired: return findings::Severity::note;
    case Flaw::doubtful: return findings::Severity::warning;
    case Flaw::error: break;
  }
  return findings::Severity::error;
}

IncidentKey incident_key(const qp::QpRecord& record, std::optional<FindingId> error) {
  const qp::VerdictRecord& v = *record.verdict;
  IncidentKey key{v.outcome, v.cause.empty() ? v.code : v.cause, v.blame, {}, {}, 0};
  if (error && !qp::ended_badly(v.outcome)) key.cause = findings::rule(*error).code;
  const bool is_end = v.blame == Blame::a || v.blame == Blame::b;
  if (is_end) {
    key.host = v.blame == Blame::a ? record.a.address : record.b.address;
    key.port = record.roles == qp::Roles::address ? std::uint16_t{0} : record.b.port;
  } else {
    std::tie(key.host, key.other) = std::minmax(record.a.address, record.b.address);
  }
  return key;
}

Incident* Incidents::find_or_make(IncidentKey key, int how_bad) {
  if (const auto it = incidents_.find(key); it != incidents_.end()) return &it->second;
  if (incidents_.size() >= kMost) {
    const auto less = [](const auto& l, const auto& r) { return badness(l.second) < badness(r.second); };
    const auto least = std::min_element(incidents_.begin(), incidents_.end(), less);
    if (badness(least->second) >= how_bad) {
      ++dropped_;
      return nullptr;
    }
    dropped_ += least->second.count;
    incidents_.erase(least);
  }
  Incident& made = incidents_[key];
  made.key = std::move(key);
  return &made;
}

void Incidents::add(const qp::QpRecord& record) {
  if (!record.verdict) return;
  const std::optional<FindingId> error = first_error(record);
  Count& count = counts_[static_cast<std::size_t>(record.verdict->outcome)];
  ++count.qps;
  const Flaw its = flaw(record);
  ++count.flaws[static_cast<std::size_t>(its)];
  if (its == Flaw::repaired) remember_repairs(record);
  if (qp::ended_badly(record.verdict->outcome)) {
    remember_blamed(record);
    remember_first(record);
  }
  const int how_bad = badness(record.verdict->outcome, error.has_value());
  if (how_bad == 0) return;
  Incident* incident = find_or_make(incident_key(record, error), how_bad);
  if (incident == nullptr) return;
  if (incident->count++ == 0) {
    incident->verdict = *record.verdict;
    incident->qp = record.qp;
    incident->a = record.a;
    incident->b = record.b;
    incident->roles = record.roles;
    if (!qp::ended_badly(record.verdict->outcome)) incident->rule = error;
  }
  if (incident->qps.size() < Incident::kQps) incident->qps.push_back(record.qp);
  remember(incident->a_hosts, record.a.address, incident->more_hosts);
  remember(incident->b_hosts, record.b.address, incident->more_hosts);
  incident->one_port = incident->one_port && record.b.port == incident->b.port;
}

std::vector<const Incident*> Incidents::worst_first() const {
  std::vector<const Incident*> all;
  all.reserve(incidents_.size());
  for (const auto& [key, incident] : incidents_) all.push_back(&incident);
  std::sort(all.begin(), all.end(), [](const Incident* l, const Incident* r) {
    if (badness(*l) != badness(*r)) return badness(*l) > badness(*r);
    return l->count != r->count ? l->count > r->count : l->qp < r->qp;
  });
  return all;
}

void Incidents::remember_blamed(const qp::QpRecord& record) {
  const Blame blame = record.verdict->blame;
  Hosts hosts = std::minmax(record.a.address, record.b.address);
  if (blame == Blame::a) hosts = {record.a.address, record.a.address};
  if (blame == Blame::b) hosts = {record.b.address, record.b.address};
  if (blame != Blame::a && blame != Blame::b && blame != Blame::path) return;
  if (const auto it = blamed_.find(hosts); it != blamed_.end()) {
    ++it->second;
  } else if (blamed_.size() < kMostHosts) {
    blamed_.emplace(hosts, 1);
  }
}

void Incidents::remember_first(const qp::QpRecord& record) {
  const auto frame = analysis::first_trouble(record);
  if (!frame) return;
  const auto at = std::upper_bound(first_.begin(), first_.end(), *frame,
                                   [](FrameNumber f, const Trouble& t) { return f < t.frame; });
  if (at == first_.end() && first_.size() >= kFirstTroubles) return;
  first_.insert(at, {*frame, record.qp, record.a, record.b});
  if (first_.size() > kFirstTroubles) first_.pop_back();
}

void Incidents::remember_repairs(const qp::QpRecord& record) {
  repairs_.first_qp = repairs_.qps == 0 ? record.qp : std::min(repairs_.first_qp, record.qp);
  ++repairs_.qps;
  for (const qp::DirectionRecord& direction : record.directions) {
    repairs_.held_back += direction.head_of_line.messages;
    repairs_.longest_ns = std::max(repairs_.longest_ns, std::int64_t{direction.head_of_line.largest_ns});
    repairs_.sent_again += direction.retransmitted_octets;
  }
}

std::vector<Incidents::Blamed> Incidents::blamed_often() const {
  std::vector<Blamed> often;
  for (const auto& [hosts, qps] : blamed_) {
    if (qps < 2) continue;
    const bool is_path = hosts.first != hosts.second;
    often.push_back({hosts.first, is_path ? std::optional{hosts.second} : std::nullopt, qps});
  }
  std::stable_sort(often.begin(), often.end(), [](const Blamed& l, const Blamed& r) { return l.qps > r.qps; });
  return often;
}

}  // namespace iwarpscope::report
