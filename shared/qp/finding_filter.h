// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// How often a queue pair may report one rule.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/ids.h"
#include "findings/finding.h"

namespace iwarpscope::qp {

/// Counts findings of one queue pair by rule and direction. An empty filter costs no memory beyond itself.
class FindingFilter {
 public:
  enum class Answer : std::uint8_t {
    report,
    repeated,          ///< the rule is reported only once
    over_limit,        ///< counted, not listed
    first_over_limit,  ///< the same, for the first time
  };
  [[nodiscard]] Answer ask(findings::FindingId id, std::optional<Direction> direction, std::uint64_t limit);
  /// Findings that were over the limit, in all.
  [[nodiscard]] std::uint64_t suppressed() const noexcept { return suppressed_; }

  template <class A>
  void archive(A& a) {
    a(counts_, suppressed_);
  }

 private:
  struct Count {
    std::uint16_t key;
    std::uint64_t seen;
  };
  std::vector<Count> counts_;
  std::uint64_t suppressed_ = 0;
};

/// What is reported in place of the first finding over the limit.
[[nodiscard]] findings::Finding limit_reached(const findings::Finding& finding, std::uint64_t limit);

}  // namespace iwarpscope::qp
