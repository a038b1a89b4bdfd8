// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The Initiator's first message: in peer-to-peer mode it is the RTR.
#pragma once

#include "ddp/segment.h"
#include "qp/direction/common.h"
#include "qp/direction/open_message.h"
#include "rdmap/terminate.h"

namespace iwarpscope::qp {

/// The first message of a direction of which nothing is missing. Borrows everything.
struct FirstMessage {
  Direction direction{};
  const OpenMessage& open;
  const ddp::Segment& segment;          ///< its first DDP segment
  rdmap::TerminateContext terminate{};  ///< used if it is a Terminate
};

/// Rules about the Initiator's first message: MS-28, MS-29, MS-35, MS-39. Sets common.rtr if it is the RTR. Does
/// nothing for the Responder's message, or if the startup is incomplete. Source: RFC 6581 §9.2.
void judge_first_message(const FirstMessage& first, Common& common);

/// Both ends want peer-to-peer mode, and the Initiator sent no RTR of a type that both offer: MS-28 or MS-29, or a
/// Terminate in its place. Source: RFC 6581 §9.2.
[[nodiscard]] bool is_rtr_missing(const Common& common) noexcept;

}  // namespace iwarpscope::qp
