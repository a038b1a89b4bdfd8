// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The limits of the upper layer that the ends of a queue pair advertised to each other.
#pragma once

#include <optional>

#include "qp/records.h"
#include "ulp/limits.h"

namespace iwarpscope::emulation {

/// From the private data of both ends or, with SMB Direct, from their first messages. Empty: they are not known.
[[nodiscard]] std::optional<ulp::Limits> advertised_limits(const qp::QpRecord& record);

}  // namespace iwarpscope::emulation
