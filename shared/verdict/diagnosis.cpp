// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "verdict/diagnosis.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

namespace iwarpscope::verdict {
namespace {

qp::Blame end_of(Direction sender) noexcept {
  return sender == Direction::a_to_b ? qp::Blame::a : qp::Blame::b;
}

/// Not known where the end has no name among the arguments.
qp::Blame blame_of(BlameRule rule, const std::vector<Argument>& arguments) noexcept {
  const auto named = [&](Arg name) -> std::optional<Direction> {
    const auto at = std::find_if(arguments.begin(), arguments.end(), [&](const Argument& a) { return a.name == name; });
    const bool is_end = at != arguments.end() && at->value.kind() == Value::Kind::end;
    return is_end ? std::optional{at->value.end()} : std::nullopt;
  };
  const bool is_breaker = rule == BlameRule::breaker || rule == BlameRule::asker;
  const std::optional<Direction> who = named(is_breaker ? Arg::breaker : Arg::who);
  switch (rule) {
    case BlameRule::initiator: return qp::Blame::a;
    case BlameRule::responder: return qp::Blame::b;
    case BlameRule::who:
    case BlameRule::asker:
    case BlameRule::breaker: return who ? end_of(*who) : qp::Blame::unknown;
    case BlameRule::peer: return who ? end_of(opposite(*who)) : qp::Blame::unknown;
    case BlameRule::path: return qp::Blame::path;
    case BlameRule::capture: return qp::Blame::capture;
    case BlameRule::none: return qp::Blame::none;
    case BlameRule::unknown: break;
  }
  return qp::Blame::unknown;
}

}  // namespace

Diagnosis::Diagnosis(VerdictId verdict, std::vector<Argument> its_arguments)
    : id(verdict),
      arguments(std::move(its_arguments)),
      blame(blame_of(row(verdict).blame, arguments)),
      confidence(row(verdict).confidence) {}

Diagnosis& Diagnosis::remark(RemarkId remark, std::vector<Argument> its_arguments) {
  at_most(row(remark).confidence);
  if (row(remark).blame != BlameRule::none) blame = blame_of(row(remark).blame, its_arguments);
  remarks.push_back({remark, std::move(its_arguments)});
  return *this;
}

Diagnosis& Diagnosis::show(std::initializer_list<FrameNumber> frames) {
  std::copy_if(frames.begin(), frames.end(), std::back_inserter(evidence), [](FrameNumber f) { return f.value != 0; });
  return *this;
}

Diagnosis& Diagnosis::at_most(qp::Confidence limit) noexcept {
  confidence = std::max(confidence, limit);  // certain, likely, limited
  return *this;
}

Diagnosis& Diagnosis::blame_nobody() noexcept {
  blame = qp::Blame::unknown;
  return *this;
}

Diagnosis& Diagnosis::doubted(const Doubt& about) noexcept {
  doubt = about;
  return about.any() && blame != qp::Blame::none ? blame_nobody() : *this;
}

}  // namespace iwarpscope::verdict
