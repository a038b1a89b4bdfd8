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

/// `finding` is about the DDP segment in `carrier`: fills in frames, time and offset. Its frame is the one that
/// completed the DDP segment in order; its evidence are the frames that carried it.
[[nodiscard]] findings::Finding about(const Carrier& carrier, findings::Finding finding);

/// The name of a DDP segment in a sentence: "QN 0 MSN 5 MO 1000" or "STag 0x00001234 TO 0x0000000000001000".
[[nodiscard]] std::string describe(const Segment& segment);

}  // namespace iwarpscope::ddp
