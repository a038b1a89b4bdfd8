// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// What was outstanding when a connection ended.
#pragma once

#include <optional>

#include "verdict/breach.h"
#include "verdict/diagnose.h"

namespace iwarpscope::verdict {

/// A request without an answer, or a message or FPDU without its end.
[[nodiscard]] bool has_outstanding(const Facts& facts) noexcept;

/// All of it may be an artefact: its end or its answer would be where the capture lacks octets.
[[nodiscard]] bool is_open_for_a_hole(const Facts& facts) noexcept;

/// The last octets of the connection are unknown, so it is unknown whether it completed.
[[nodiscard]] bool is_end_unknown(const Facts& facts) noexcept;

/// Every octet of both directions was captured and read.
[[nodiscard]] bool is_all_read(const Facts& facts) noexcept;

/// Adds remarks on what was outstanding.
Diagnosis& list_outstanding(const Facts& facts, Diagnosis& diagnosis);

/// Adds what the length field says of the FPDU that `sender` did not finish, if that is known.
Diagnosis& name_unfinished_fpdu(const Facts& facts, Direction sender, Diagnosis& diagnosis);

/// "Read Request", "Atomic Request"; static storage.
[[nodiscard]] std::string_view request_kind(const qp::UnansweredRequests& waiting) noexcept;

}  // namespace iwarpscope::verdict
