// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// What limits a verdict, as its text says it.
#pragma once

#include <algorithm>
#include <string_view>

#include "qp/verdict_record.h"
#include "verdict/catalogue.h"

namespace iwarpscope::test {

/// Some remark that limits a verdict is in its text, with its words up to the first argument.
[[nodiscard]] inline bool says_what_limits_it(const qp::VerdictRecord& v) {
  const auto rows = verdict::remarks();
  return std::any_of(rows.begin(), rows.end(), [&](const verdict::RemarkRow& r) {
    const std::string_view words = r.sentence.substr(0, r.sentence.find('{'));
    return r.confidence == qp::Confidence::limited && !words.empty() && v.text.find(words) != std::string::npos;
  });
}

/// It is limited, neither its row nor a remark is, and so no reader learns why.
[[nodiscard]] inline bool hides_what_limits_it(const qp::VerdictRecord& v) {
  if (v.confidence != qp::Confidence::limited) return false;
  const auto rows = verdict::verdicts();
  const auto its = std::find_if(rows.begin(), rows.end(), [&](const auto& r) { return r.name == v.id; });
  const bool by_its_row = its != rows.end() && its->confidence == qp::Confidence::limited;
  return !by_its_row && !says_what_limits_it(v);
}

}  // namespace iwarpscope::test
