// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The rules of RDMAP that one DDP segment decides by itself.
#pragma once

#include <cstdint>
#include <optional>

#include "base/ids.h"
#include "ddp/segment.h"
#include "findings/finding.h"
#include "rdmap/terminate.h"

namespace iwarpscope::rdmap {

/// What the rules need from outside the DDP segment.
struct JudgeContext {
  /// The startup settled the RDMA Consortium's version 0 (true) or version 1 (false); empty: not known.
  std::optional<bool> rdmac = std::nullopt;
  TerminateContext terminate{};  ///< for the layout of a Terminate
  bool after_terminate = false;  ///< this direction had its Terminate
};

/// Judges the first DDP segment of a message: RM-01..RM-08, RM-18, RM-20..RM-26, RM-40, AT-01..AT-07, AT-10, AT-16,
/// AT-17.
/// Does nothing for a DDP segment that is not the first seen of its message, nor for one whose octets may not be judged
/// (Carrier::intact). Rules about the RDMAP header are judged only where the message really starts.
void judge(const ddp::Segment& segment, Direction direction, const JudgeContext& context, findings::Reporter& reporter);

/// The same without context but the version.
inline void judge(const ddp::Segment& segment, Direction direction, std::optional<bool> rdmac,
                  findings::Reporter& reporter) {
  judge(segment, direction, JudgeContext{.rdmac = rdmac, .terminate = {}}, reporter);
}

}  // namespace iwarpscope::rdmap
