// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Decides which verdict a queue pair gets. Pure functions; no sentences.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "verdict/diagnosis.h"
#include "verdict/facts.h"

namespace iwarpscope::verdict {

/// One step: returns a diagnosis if its case applies.
struct Step {
  std::string_view name;  ///< "the Responder refused it"
  std::optional<Diagnosis> (*decide)(const Facts&);
};

/// In order of precedence: the first step that applies decides. Static storage.
// Before the first FPDU:
[[nodiscard]] std::span<const Step> unanswered_steps() noexcept;
[[nodiscard]] std::span<const Step> rejected_steps() noexcept;
[[nodiscard]] std::span<const Step> agreed_steps() noexcept;
// Later:
[[nodiscard]] std::span<const Step> reset_steps() noexcept;
[[nodiscard]] std::span<const Step> closed_steps() noexcept;
[[nodiscard]] std::span<const Step> open_steps() noexcept;
[[nodiscard]] std::span<const Step> terminate_steps() noexcept;

/// Adds the remarks that any verdict may have, in reading order.
void add_remarks(const Facts& facts, Diagnosis& diagnosis);

/// The diagnosis of the first step that applies, with its remarks; the last step of a list always applies.
[[nodiscard]] std::optional<Diagnosis> diagnose(const Facts& facts);

}  // namespace iwarpscope::verdict
