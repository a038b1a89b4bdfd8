// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The decision: which verdict, and why. Pure; no prose.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "verdict/diagnosis.h"
#include "verdict/facts.h"

namespace iwarpscope::verdict {

/// One question. Answers with a diagnosis if it decides.
struct Step {
  std::string_view name;  ///< "the Responder refused it"
  std::optional<Diagnosis> (*decide)(const Facts&);
};

/// In order of precedence: the first that decides has decided. Static storage.
// Before the first FPDU:
[[nodiscard]] std::span<const Step> unanswered_steps() noexcept;
[[nodiscard]] std::span<const Step> rejected_steps() noexcept;
[[nodiscard]] std::span<const Step> agreed_steps() noexcept;
// Later:
[[nodiscard]] std::span<const Step> reset_steps() noexcept;
[[nodiscard]] std::span<const Step> closed_steps() noexcept;
[[nodiscard]] std::span<const Step> open_steps() noexcept;
[[nodiscard]] std::span<const Step> terminate_steps() noexcept;

/// Remarks that any verdict may have, in the order in which they are to be read.
void add_remarks(const Facts& facts, Diagnosis& diagnosis);

/// The first step that decides, with its remarks; the last one of them decides always.
[[nodiscard]] std::optional<Diagnosis> diagnose(const Facts& facts);

}  // namespace iwarpscope::verdict
