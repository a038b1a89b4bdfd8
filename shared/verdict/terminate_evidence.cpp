// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "verdict/terminate_evidence.h"

#include <algorithm>
#include <array>

namespace iwarpscope::verdict {
namespace {

using findings::About;
using findings::Rule;
using findings::Severity;

/// The first and the last place where the rule was broken. Frame 0: none.
std::array<qp::BreachPlace, 2> places(const qp::NotedFinding& f) noexcept {
  const qp::BreachPlace only{f.frame, f.frame, std::nullopt};
  return {f.begin.frame.value != 0 ? f.begin : only, f.latest};
}

bool is_before(const qp::BreachPlace& place, FrameNumber terminate) noexcept {
  return place.frame <= terminate;
}

/// Octets that were damaged may look like anything, and so may those after them.
bool is_after_bad_crc(const qp::Summary& summary, Direction d, const qp::BreachPlace& place) noexcept {
  return std::any_of(summary.findings.begin(), summary.findings.end(), [&](const qp::NotedFinding& f) {
    return f.id == findings::FindingId::mpa_crc_mismatch && f.direction == d && f.frame <= place.frame;
  });
}

/// An error in the last message of the accused end, or after it.
bool is_last_error(const qp::Summary& summary, const qp::BreachPlace& place, const Rule& rule,
                   Direction accused) noexcept {
  const qp::Moment& last = summary.directions[index(accused)].last_message;
  return rule.severity == Severity::error && place.frame >= last.frame && !is_after_bad_crc(summary, accused, place);
}

std::optional<Fit> fit_of(const qp::Summary& summary, const qp::BreachPlace& place, const Rule& rule,
                          const Claim& claim) noexcept {
  const auto& named = claim.terminate.named;
  if (named && !named->has_place(place)) return std::nullopt;
  const bool reported = rule.refused_with.contains(claim.code);
  // The message that it names was there before it, wherever a capture with some skew has the two.
  const bool is_late = !is_before(place, claim.terminate.at.frame);
  if (is_late && !(named && place.message)) {
    return reported && !named ? std::optional{Fit::late} : std::nullopt;
  }
  if (reported) return Fit::reported;
  if (named) return Fit::named;
  if (rule.refused_with.is_always()) return Fit::forced;
  return is_last_error(summary, place, rule, claim.accused()) ? std::optional{Fit::last} : std::nullopt;
}

/// Higher explains better.
int quality(Fit fit) noexcept {
  switch (fit) {
    case Fit::reported: return 5;
    case Fit::named: return 4;
    case Fit::late: return 3;
    case Fit::forced: return 2;
    case Fit::last: return 1;
  }
  return 0;
}

/// For one message, or one frame, the worse of the two.
bool is_better(const Breach& a, const Breach& b, bool of_one_message) noexcept {
  if (a.fit != b.fit) return quality(a.fit) > quality(b.fit);
  const Severity of_a = findings::rule(a.id).severity;
  const Severity of_b = findings::rule(b.id).severity;
  if (of_a != of_b && (of_one_message || a.frame == b.frame)) return of_a > of_b;
  return a.fit == Fit::late ? a.frame < b.frame : a.frame > b.frame;
}

}  // namespace

std::optional<Breach> explaining_breach(const qp::Summary& summary, const Claim& claim) {
  const findings::TerminateCode code = claim.code;
  if (code.layer == 0 && code.error_type == 0) return std::nullopt;
  const auto& named = claim.terminate.named;
  std::optional<Breach> best;
  const auto consider = [&](findings::FindingId id, const qp::BreachPlace& place) {
    const auto fit = place.frame.value == 0 ? std::nullopt : fit_of(summary, place, findings::rule(id), claim);
    if (!fit) return;
    // The Terminate itself may be the last of the evidence.
    const bool is_terminate = place.frame == claim.terminate.at.frame && named;
    const Breach breach{id, is_terminate ? named->frame : place.frame, place.first, *fit};
    if (!best || is_better(breach, *best, named.has_value())) best = breach;
  };
  for (const qp::NotedFinding& f : summary.findings) {
    if (f.direction != claim.accused() || !findings::is_refused(findings::rule(f.id))) continue;
    for (const qp::BreachPlace& place : places(f)) consider(f.id, place);
  }
  if (named) {
    for (const qp::MessageBreach& b : named->breaches) consider(b.id, b.place);
  }
  return best;
}

std::optional<EarlierBreach> breach_before(const qp::Summary& summary, const Claim& claim) {
  const FrameNumber terminate = claim.terminate.at.frame;
  std::optional<EarlierBreach> last;
  for (const qp::NotedFinding& f : summary.findings) {
    const Rule& rule = findings::rule(f.id);
    if (!f.direction || rule.severity != Severity::error || rule.about != About::peer) continue;
    for (const qp::BreachPlace& place : places(f)) {
      if (place.frame.value == 0 || is_after_bad_crc(summary, *f.direction, place)) continue;
      if (f.direction == claim.sender && place.frame == terminate) continue;
      if (!is_before(place, terminate) || (last && place.frame <= last->breach.frame)) continue;
      last = EarlierBreach{{f.id, place.frame, place.first, Fit::forced}, *f.direction};
    }
  }
  return last;
}

}  // namespace iwarpscope::verdict
