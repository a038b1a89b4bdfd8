// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The broken rules that explain a Terminate: compares findings with RefusedWith of their rows.
#pragma once

#include <cstdint>
#include <optional>

#include "findings/catalogue.h"
#include "qp/summary.h"

namespace iwarpscope::verdict {

/// How well a broken rule explains a Terminate.
enum class Fit : std::uint8_t {
  reported,  ///< on the message that the Terminate names, or it names none: receivers report it by this error
  named,     ///< on the message that the Terminate names, but receivers report it by other errors
  late,      ///< receivers report it by this error; the Terminate names no message and comes earlier in the capture
  forced,    ///< the Terminate names no message and has another error, but every receiver has to refuse this
  last,      ///< the same, but not every receiver refuses it: an error in the last message before the Terminate
};

/// A broken rule of one end, and where it was broken.
struct Breach {
  findings::FindingId id{};
  FrameNumber frame;
  FrameNumber first;  ///< of its evidence
  Fit fit{};
};

/// A Terminate and the error that it reports: `code` allows for senders with another bit order.
struct Claim {
  const qp::TerminateSummary& terminate;
  Direction sender{};
  findings::TerminateCode code;

  [[nodiscard]] Direction accused() const noexcept { return opposite(sender); }
  [[nodiscard]] bool is(std::uint8_t layer, std::uint8_t type, std::uint8_t error) const noexcept {
    return code == findings::TerminateCode{layer, type, error};
  }
};

/// The rule broken by the accused end that explains the Terminate best. Of equal ones: the last before it; in one
/// frame, the first found. The order of the capture may differ from that of the wire. Rules about the path, and rules
/// that no receiver refuses, explain nothing. 0/0/xx is an error inside the Terminate's sender, which no rule explains.
[[nodiscard]] std::optional<Breach> explaining_breach(const qp::Summary& summary, const Claim& claim);

/// The last error of either end before the Terminate, related to it or not, whether receivers refuse it or not. Errors
/// of the Terminate itself do not count, nor errors after a wrong CRC of the same end. `by`: which end broke it.
struct EarlierBreach {
  Breach breach;
  Direction by{};
};
[[nodiscard]] std::optional<EarlierBreach> breach_before(const qp::Summary& summary, const Claim& claim);

}  // namespace iwarpscope::verdict
