// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Makes findings about DDP segments.
#pragma once

#include <cstdint>
#include <string>

#include "base/ids.h"
#include "ddp/segment.h"
#include "findings/finding.h"

namespace iwarpscope::ddp {

/// A finding about the DDP segment in `carrier`, of the message with index `message`. Its frame is the one
/// that completed the DDP segment in order; its evidence are the frames that carried it.
[[nodiscard]] findings::Finding make_finding(findings::FindingId id, Direction direction, const Carrier& carrier,
                                             std::uint64_t message, std::string seen, std::string expected,
                                             std::string text);

/// The name of a DDP segment in a sentence: "QN 0 MSN 5 MO 1000" or "STag 0x00001234 TO 0x0000000000001000".
[[nodiscard]] std::string describe(const Segment& segment);

}  // namespace iwarpscope::ddp
