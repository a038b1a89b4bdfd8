// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Traffic that breaks one rule, and traffic that nearly does.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "analysis/analyzer.h"
#include "findings/catalogue.h"
#include "synth/frame.h"

namespace iwarpscope::test {

/// What the analyser is given: frames, and what only a file records.
struct Traffic {
  synth::Frames frames;
  analysis::Options options{.messages = true};
  analysis::CaptureInfo info{};
};

inline constexpr Direction kToB = Direction::a_to_b;
inline constexpr Direction kToA = Direction::b_to_a;

/// What the first finding of the rule must say of the raising traffic, known from the script that makes it. An empty
/// value says nothing: either the finding has none or the script does not settle it.
struct ExpectedFinding {
  std::optional<Direction> direction{};
  std::uint64_t frame = 0;  ///< the first frame of its evidence, from 1; 0 says nothing
  std::string_view seen{};
  std::string_view expected{};

  [[nodiscard]] bool is_given() const noexcept { return direction || frame != 0 || !seen.empty() || !expected.empty(); }
};

/// One rule's two tests. `raise` must give a finding of the rule; `near_miss` is as like it as can be and must not.
/// `note` says in a phrase what the near miss is.
struct Scenario {
  findings::FindingId id{};
  std::string_view note;
  ExpectedFinding finding{};
  std::function<Traffic()> raise;
  std::function<Traffic()> near_miss;
  /// Other rules that the raising traffic breaks by its nature; any other error it raises fails the test.
  std::vector<findings::FindingId> with{};
  /// Errors that the near miss may give: when what is nearly wrong in one way is wrong in another.
  std::vector<findings::FindingId> near_with{};
};

[[nodiscard]] std::vector<Scenario> startup_scenarios();       ///< MS
[[nodiscard]] std::vector<Scenario> fpdu_scenarios();          ///< MF
[[nodiscard]] std::vector<Scenario> ddp_scenarios();           ///< DD
[[nodiscard]] std::vector<Scenario> rdmap_scenarios();         ///< RM
[[nodiscard]] std::vector<Scenario> extension_scenarios();     ///< AT
[[nodiscard]] std::vector<Scenario> capture_scenarios();       ///< CA
[[nodiscard]] std::vector<Scenario> tcp_scenarios();           ///< TC
[[nodiscard]] std::vector<Scenario> event_scenarios();         ///< QP
[[nodiscard]] std::vector<Scenario> sctp_scenarios();          ///< SC
[[nodiscard]] std::vector<Scenario> capture_wide_scenarios();  ///< PM, and of TC and SX what speaks of no queue pair
[[nodiscard]] std::vector<Scenario> memory_model_scenarios();  ///< what the models of the ends decide
[[nodiscard]] std::vector<Scenario> acknowledged_scenarios();  ///< what ACK numbers, times and history decide
[[nodiscard]] std::vector<Scenario> acknowledged_history_scenarios();  ///< of them, by times and history
[[nodiscard]] std::vector<Scenario> acknowledged_order_scenarios();  ///< of them, RM-15 where the response comes first

/// All of them, in the order of the catalogue.
[[nodiscard]] std::vector<Scenario> scenarios();

}  // namespace iwarpscope::test
