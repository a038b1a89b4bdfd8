// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Text of the ladder on messages, transport events and findings, in the terms of the RFCs.
#pragma once

#include <QString>

#include <optional>
#include <vector>

#include "api/records.h"
#include "models/ladder/stream_end.h"

namespace iwarpscope::gui {

/// "RDMA Write, 64 octets, STag 0x00001234", "Send, 17 octets, MSN 3".
[[nodiscard]] QString ladder_label(const qp::MessageRecord& message);
/// "RTR: RDMA Write, 0 octets": the first message in peer-to-peer mode. Source: RFC 6581 §5.
[[nodiscard]] QString ladder_rtr(const QString& label);
/// All fields as text, one line per group. `start`: the queue pair's first frame. `end`: of the message's direction;
/// null: no Terminate ended it.
[[nodiscard]] QString ladder_details(const qp::MessageRecord& message, TimePoint start, const StreamEnd* end = nullptr);
/// Why a message refused by `end` was not placed.
[[nodiscard]] QString refusal_text(const StreamEnd& end, std::uint64_t index);
/// Used instead of a negative duration.
[[nodiscard]] QString ladder_before();
[[nodiscard]] QString ladder_clock_back();
/// "RFC 5040 §5.1".
[[nodiscard]] QString ladder_reference(rdmap::Opcode opcode);
/// "+0.000001234", since the queue pair's first frame.
[[nodiscard]] QString ladder_time(TimePoint start, TimePoint time);
/// "12.3 us".
[[nodiscard]] QString ladder_duration(std::int64_t ns);
/// Several events of one kind and direction: "3 × retransmission, 4 380 octets, from frame 17".
[[nodiscard]] QString ladder_event(qp::TransportEventKind kind, std::uint64_t count, std::uint64_t octets,
                                   FrameNumber first);
/// "E MF-04".
[[nodiscard]] QString ladder_finding(findings::FindingId id);
/// "no message for 20.0 s".
[[nodiscard]] QString ladder_quiet(std::int64_t ns);
/// "error MF-04 in frame 17: The CRC is wrong ... (RFC 5044 §4.4)". The frame is the one of the message at which the
/// finding was decided, or the first frame of its evidence.
[[nodiscard]] QString ladder_finding_details(const live::FindingView& view, const qp::MessageRecord& about);
/// The same, with the first frame of its evidence.
[[nodiscard]] QString ladder_finding_details(const live::FindingView& view);

/// The response to a request; empty: it is not a request, or no response was seen.
[[nodiscard]] const qp::ResponseLink* response_of(const qp::MessageRecord& message);
/// Index of the request that a response answers, in the other direction.
[[nodiscard]] std::optional<std::uint64_t> request_of(const qp::MessageRecord& message);
/// A Read Request or an Atomic Request.
[[nodiscard]] bool wants_response(const qp::MessageRecord& message);

}  // namespace iwarpscope::gui
