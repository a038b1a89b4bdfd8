// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "verdict/reasons.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "verdict/words.h"

namespace iwarpscope::verdict {
namespace {

using enum RemarkId;

struct Both {
  const mpa::StartupFrame& request;
  const mpa::StartupFrame& reply;
  bool over_sctp = false;
};

std::optional<Remark> markers_asked(const Both& b) {
  if (!b.request.markers || b.reply.markers || !b.reply.rejected) return std::nullopt;
  return Remark{reason_markers_asked, {}};
}

std::optional<Remark> crc_not_granted(const Both& b) {
  if (!b.request.crc || b.reply.crc) return std::nullopt;
  return Remark{reason_crc_not_granted, {}};
}

std::optional<Remark> crc_not_asked(const Both& b) {
  if (b.request.crc || !b.reply.crc || !b.reply.rejected) return std::nullopt;
  return Remark{reason_crc_not_asked, {}};
}

std::optional<Remark> reply_asks_markers(const Both& b) {
  if (!b.reply.markers || b.request.markers) return std::nullopt;
  return Remark{reason_reply_asks_markers, {}};
}

/// Over SCTP the revision stands for the kind of session control message. Source: RFC 6581 §7.
std::optional<Remark> revisions_differ(const Both& b) {
  const unsigned asked = b.request.revision;
  const unsigned answered = b.reply.revision;
  if (asked == answered) return std::nullopt;
  if (b.over_sctp) return Remark{asked > answered ? reason_answer_plain : reason_answer_enhanced, {}};
  return Remark{reason_revision, {{Arg::of_request, std::uint64_t{asked}}, {Arg::of_reply, std::uint64_t{answered}}}};
}

std::optional<Remark> enhanced_bit_differs(const Both& b) {
  if (b.request.enhanced_flag == b.reply.enhanced_flag) return std::nullopt;
  const auto words = [](bool set) { return std::string_view(set ? "set" : "not set"); };
  return Remark{reason_enhanced_bit,
                {{Arg::of_request, words(b.request.enhanced_flag)}, {Arg::of_reply, words(b.reply.enhanced_flag)}}};
}

std::optional<Remark> peer_to_peer_differs(const Both& b) {
  const auto& q = b.request.enhanced;
  const auto& r = b.reply.enhanced;
  if (!q || !r || q->peer_to_peer == r->peer_to_peer) return std::nullopt;
  return Remark{reason_peer_to_peer,
                {{Arg::what, std::string_view(q->peer_to_peer ? "Request" : "Reply")},
                 {Arg::breaker, q->peer_to_peer ? kInitiator : kResponder}}};
}

Remark depths(RemarkId id, std::uint64_t of_request, std::uint64_t of_reply) {
  return {id, {{Arg::of_request, of_request}, {Arg::of_reply, of_reply}}};
}

std::optional<Remark> ord_too_high(const Both& b) {
  const auto& q = b.request.enhanced;
  const auto& r = b.reply.enhanced;
  if (!q || !r || q->ord == mpa::kDepthNotNegotiated || r->ird >= q->ord) return std::nullopt;
  return depths(reason_ord, q->ord, r->ird);
}

std::optional<Remark> reply_ord_too_high(const Both& b) {
  const auto& q = b.request.enhanced;
  const auto& r = b.reply.enhanced;
  if (!q || !r || r->ord == mpa::kDepthNotNegotiated || r->ord <= q->ird) return std::nullopt;
  return depths(reason_reply_ord, q->ird, r->ord);
}

/// The first that holds is the likeliest.
constexpr auto kDisagreements = std::to_array<std::optional<Remark> (*)(const Both&)>(
    {markers_asked, crc_not_granted, crc_not_asked, reply_asks_markers, revisions_differ, enhanced_bit_differs,
     peer_to_peer_differs, ord_too_high, reply_ord_too_high});

}  // namespace

std::optional<Remark> disagreement(const mpa::StartupFrame& request, const mpa::StartupFrame& reply, bool over_sctp) {
  for (const auto differs : kDisagreements) {
    if (auto remark = differs({request, reply, over_sctp})) return remark;
  }
  return std::nullopt;
}

Direction asking_end(const Remark& remark) noexcept {
  if (remark.id == reason_ord) return kInitiator;
  const auto named = std::find_if(remark.arguments.begin(), remark.arguments.end(),
                                  [](const Argument& a) { return a.name == Arg::breaker; });
  return named != remark.arguments.end() ? named->value.end() : kResponder;
}

const qp::NotedFinding* broken_startup_rule(const Facts& facts, std::optional<Direction> breaker) noexcept {
  const auto& all = facts.summary().findings;
  const auto first = [&](bool of_answer) -> const qp::NotedFinding* {
    const auto at = std::find_if(all.begin(), all.end(), [&](const qp::NotedFinding& f) {
      if (breaker && f.direction != breaker) return false;
      const findings::Rule& rule = findings::rule(f.id);
      const bool of_startup = rule.explains == findings::Explains::startup;
      const bool is_answer = f.id == findings::FindingId::mpa_reply_to_malformed_request;
      return rule.severity == findings::Severity::error && of_startup && is_answer == of_answer;
    });
    return at != all.end() ? &*at : nullptr;
  };
  // What is wrong with the Request comes before the Reply to it, in whatever order the capture has the two.
  const qp::NotedFinding* const broken = first(false);
  return broken != nullptr ? broken : first(true);
}

const qp::NotedFinding* unknown_revision(const Facts& facts) noexcept {
  return facts.noted(findings::FindingId::mpa_revision_unknown, kInitiator);
}

Diagnosis over_rule(const Facts& facts, VerdictId id, std::vector<Argument> arguments, const qp::NotedFinding& broken) {
  arguments.push_back({Arg::rule, broken.id});
  arguments.push_back({Arg::of_frame, broken.frame});
  // Without a direction the row has no end to blame.
  arguments.push_back(
      {Arg::breaker, broken.direction ? Value(*broken.direction) : Value(std::string_view("one side"))});
  Diagnosis diagnosis(id, std::move(arguments));
  diagnosis.remark(reason_rule, {{Arg::rule, broken.id}}).show({broken.begin.first, broken.frame});
  if (broken.id != findings::FindingId::mpa_reply_key_wrong) return diagnosis;
  const std::string_view program = program_of(broken.answer);
  if (!program.empty()) {
    diagnosis.remark(named_program, {{Arg::what, program}, {Arg::banner, broken.answer}});
  } else if (!name_program(facts, diagnosis)) {
    diagnosis.remark(reason_other_program);
  }
  return diagnosis;
}

std::string_view program_of_banner(const Facts& facts) noexcept {
  const auto& banner = facts.summary().banner;
  return banner ? program_of(banner->octets) : std::string_view();
}

bool name_program(const Facts& facts, Diagnosis& diagnosis) {
  const std::string_view program = program_of_banner(facts);
  if (program.empty()) return false;
  const qp::Banner& banner = *facts.summary().banner;
  diagnosis.remark(named_program, {{Arg::what, program}, {Arg::banner, banner.octets}}).show({banner.at.frame});
  return true;
}

}  // namespace iwarpscope::verdict
