// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Rules about the number of outstanding requests.
#pragma once

#include <cstdint>
#include <optional>

#include "qp/direction/common.h"
#include "qp/direction/open_message.h"
#include "qp/requests/credit.h"

namespace iwarpscope::qp {

/// How many reads the sender of `d` may have outstanding. Empty if that was not negotiated, or a startup frame was
/// not seen. Source: RFC 6581 §9.1: the Responder's IRD limits the Initiator; the Responder's ORD limits the
/// Responder, for the Initiator sets its IRD to at least that.
[[nodiscard]] std::optional<std::uint16_t> read_limit(const Common& common, Direction d) noexcept;

/// A request that was sent when `outstanding` were, this one included.
struct CreditUseSeen {
  Direction direction{};
  const OpenMessage& request;
  Waiting outstanding;
  std::uint16_t negotiated = 0;  ///< read_limit()
};

/// RM-17, AT-13, and SX-07 unless credit.flood_reported, which it sets. Precondition: common.agreement is known.
void judge_credit(const CreditUseSeen& use, Credit& credit, Common& common);

}  // namespace iwarpscope::qp
