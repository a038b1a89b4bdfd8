// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The broken rules that explain a Terminate: what the catalogue's rows say of refusals, against what was found.
#pragma once

#include <cstdint>
#include <optional>

#include "findings/catalogue.h"
#include "qp/summary.h"

namespace iwarpscope::verdict {

/// How well a broken rule explains a Terminate, best first.
enum class Fit : std::uint8_t {
  reported,  ///< on the message that the Terminate names, or it names none: receivers report it by this error
  named,     ///< on the message that the Terminate names, but receivers report it by other errors
  late,      ///< receivers report it by this error; the capture shows it after the Terminate, which names no message
  forced,    ///< the Terminate names no message and has another error, but every receiver has to refuse this
  last,      ///< the same, but not every receiver refuses it: an error in the last that its sender sent before
};

/// A broken rule of one end, and where it was broken.
struct Breach {
  findings::FindingId id{};
  FrameNumber frame;
  FrameNumber first;  ///< of its evidence
  Fit fit{};
};

/// A Terminate and what it is taken to report: `code` may be read in another order of bits than its sender's.
struct Claim {
  const qp::TerminateSummary& terminate;
  Direction sender{};
  findings::TerminateCode code;

  [[nodiscard]] Direction accused() const noexcept { return opposite(sender); }
  [[nodiscard]] bool is(std::uint8_t layer, std::uint8_t type, std::uint8_t error) const noexcept {
    return code == findings::TerminateCode{layer, type, error};
  }
};

/// The rule that the accused end broke and that explains the Terminate best; of equals the one broken last before it,
/// in one frame the one found first. A capture may show what came after the Terminate before it, and the reverse. Rules
/// about the path, and those that no receiver refuses, explain nothing. 0/0/xx is an error inside the Terminate's
/// sender, which no broken rule of the other end explains.
[[nodiscard]] std::optional<Breach> explaining_breach(const qp::Summary& summary, const Claim& claim);

/// The last error of either end before the Terminate, which may or may not have to do with it, whether receivers refuse
/// it or not. What is wrong with the Terminate itself does not count, and nothing that a wrong CRC of that end came
/// before. `by`: which end broke it.
struct EarlierBreach {
  Breach breach;
  Direction by{};
};
[[nodiscard]] std::optional<EarlierBreach> breach_before(const qp::Summary& summary, const Claim& claim);

}  // namespace iwarpscope::verdict
