// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// What a finding must say, known from the script that raises it: kept apart from the scenarios, a line for each.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "base/ids.h"

namespace iwarpscope::test {

inline constexpr Direction kToB = Direction::a_to_b;
inline constexpr Direction kToA = Direction::b_to_a;

/// The first finding of rule `code` that the scenario with this note raises. An empty value says nothing: either the
/// finding has none or the script does not settle it.
struct ExpectedFinding {
  std::string_view code;  ///< "DD-01"
  std::string_view note;  ///< of the scenario
  std::optional<Direction> direction{};
  std::uint64_t frame = 0;  ///< the first frame of its evidence, from 1; 0 says nothing
  std::string_view seen{};
  std::string_view expected{};
};

[[nodiscard]] std::span<const ExpectedFinding> expected_of_mpa();           ///< MS, MF
[[nodiscard]] std::span<const ExpectedFinding> expected_of_rdma();          ///< DD, RM, AT
[[nodiscard]] std::span<const ExpectedFinding> expected_of_tcp();           ///< CA, TC, QP
[[nodiscard]] std::span<const ExpectedFinding> expected_of_sctp();          ///< SC
[[nodiscard]] std::span<const ExpectedFinding> expected_of_capture_wide();  ///< PM, TC-08, SX-02, SX-03, SX-10
[[nodiscard]] std::span<const ExpectedFinding> expected_of_models();        ///< what the models of the ends decide
[[nodiscard]] std::span<const ExpectedFinding>
expected_of_acknowledged();  ///< what ACK numbers, times and history decide

}  // namespace iwarpscope::test
