// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// How a rule of this folder becomes a finding. Private to the folder.
#pragma once

#include <string>
#include <utility>

#include "ddp/rules.h"
#include "rdmap/judge.h"

namespace iwarpscope::rdmap {

/// One DDP segment before its judge.
struct Case {
  const ddp::Segment& segment;
  Direction direction;
  const JudgeContext& context;
  findings::Reporter& reporter;

  void raise(findings::FindingId id, std::string seen, std::string expected, std::string text) const {
    reporter.raise(ddp::about(segment.carrier, {.id = id,
                                                .direction = direction,
                                                .message = segment.message,
                                                .seen = std::move(seen),
                                                .expected = std::move(expected),
                                                .text = std::move(text)}));
  }
};

/// RM-18, RM-20..RM-26. Precondition: the opcode is terminate and the message starts here.
void judge_terminate(const Case& c);

}  // namespace iwarpscope::rdmap
