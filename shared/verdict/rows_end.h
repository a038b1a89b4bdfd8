// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Verdicts on connections that carried messages and ended. Inside of catalogue.cpp.
#pragma once

#include <array>

#include "verdict/catalogue.h"
#include "verdict/rows_startup.h"

namespace iwarpscope::verdict::table {

using enum VerdictId;
using enum qp::Outcome;
using B = BlameRule;
using C = qp::Confidence;

inline constexpr std::string_view kLossAndHost = "Look for loss on the path and whether the other host was alive.";
inline constexpr std::string_view kDidNotAnswer =
    "Look at the side that did not answer: its load, its kernel log, and whether its memory is still registered.";
inline constexpr std::string_view kProgramThatClosed =
    "Look at the program that closed first: it ended before its work was done, or gave up waiting.";

inline constexpr auto kEndRows = std::to_array<VerdictRow>({
    {end_closed, "end.closed", "V-30", completed, B::none, C::certain,
     "The {connection} was closed normally, {closed_first}; no operation was outstanding.", ""},
    {end_closed_as_captured, "end.closed-as-captured", "V-31", completed, B::none, C::certain,
     "The {connection} was closed normally, {closed_first}; no operation in the capture was "
     "outstanding.",
     ""},
    {end_closed_end_unknown, "end.closed-last-octets-unknown", "V-32", unknown, B::none, C::limited,
     "The {connection} was closed, {closed_first}; its last octets are not known.", ""},
    {end_closed_over_rule, "end.closed-over-rule", "V-33", failed, B::breaker, C::likely,
     "The {connection} was closed, {closed_first}, after {breaker_role} had broken rule {rule} in frame "
     "{of_frame}.",
     "{rule_next}"},
    {end_closed_open_for_hole, "end.closed-rest-not-captured", "V-34", unknown, B::capture, C::limited,
     "The {connection} was closed, {closed_first}, seemingly with an operation outstanding.", ""},
    {end_closed_after_waiting, "end.closed-after-waiting", "V-35", failed, B::peer, C::likely,
     "{who} closed the {connection} in frame {frame}, after waiting {waited} for an answer from {peer}.",
     kDidNotAnswer},
    {end_closed_open, "end.closed-early", "V-36", failed, B::who, C::likely,
     "The {connection} was closed, {closed_first}, with an operation outstanding.", kProgramThatClosed},
    {end_reset_over_rule, "end.reset-over-rule", "V-37", failed, B::breaker, C::likely,
     "{who} {reset} in frame {frame}, after {breaker_role} had broken rule {rule} in frame {of_frame}.", "{rule_next}"},
    {end_reset_unacknowledged, "end.reset-unacknowledged", "V-38", failed, B::path, C::likely,
     "{who} gave up with {a_reset} in frame {frame}: {amount}, sent more than once, got no acknowledgment. {peer} was "
     "silent for {waited}.",
     kLossAndHost},
    {end_reset, "end.reset", "V-39", completed, B::none, C::likely,
     "{who} ended the {connection} with {a_reset} in frame {frame}; no operation was outstanding.", ""},
    {end_reset_as_captured, "end.reset-as-captured", "V-40", completed, B::none, C::likely,
     "{who} ended the {connection} with {a_reset} in frame {frame}; no operation in the capture was outstanding.", ""},
    {end_reset_end_unknown, "end.reset-last-octets-unknown", "V-41", unknown, B::none, C::limited,
     "{who} ended the {connection} with {a_reset} in frame {frame}; its last octets are not known.", ""},
    {end_reset_open_for_hole, "end.reset-rest-not-captured", "V-42", unknown, B::capture, C::limited,
     "{who} {reset} in frame {frame}, seemingly with an operation outstanding.", ""},
    {end_reset_after_waiting, "end.reset-after-waiting", "V-43", failed, B::peer, C::likely,
     "{who} {reset} in frame {frame}, after waiting {waited} for an answer from {peer}.", kDidNotAnswer},
    {end_reset_open_lost, "end.reset-open-unacknowledged", "V-44", failed, B::path, C::likely,
     "{who} {reset} in frame {frame}: {amount}, sent more than once, got no acknowledgment.", kLossAndHost},
    {end_reset_open, "end.reset-early", "V-45", failed, B::who, C::likely,
     "{who} {reset} in frame {frame} with an operation outstanding.",
     "Look at the program and the kernel log of the side that {reset}: a crash, a kill, or a timeout."},
    {end_half_one_sided, "end.half-closed-one-sided", "V-46", unknown, B::capture, C::limited,
     "{who} closed its side in frame {frame}; the capture does not show whether {peer} did.", ""},
    {end_half_closing, "end.closing", "V-47", running, B::none, C::likely,
     "{waited} after {who} closed its side in frame {frame}, {peer} had not closed its own.", ""},
    {end_half_closed, "end.half-closed", "V-48", stalled, B::peer, C::likely,
     "{who} closed its side in frame {frame}; {peer} was active {waited} later and had not closed its own.",
     "Look at the program on the side that has not closed."},
    {end_half_silent, "end.half-closed-silent", "V-49", unknown, B::unknown, C::limited,
     "{who} closed its side in frame {frame}; {peer} did not close within {waited}, or its close was not captured.",
     "Look at the program on the side that has not closed."},
    {end_replaced, "end.replaced", "V-120", completed, B::none, C::likely,
     "The session was {what}: in frame {frame} another took its place; no operation was outstanding.", ""},
    {end_replaced_end_unknown, "end.replaced-last-octets-unknown", "V-121", unknown, B::none, C::limited,
     "The session was {what}: in frame {frame} another took its place.", ""},
    {end_replaced_open_for_hole, "end.replaced-rest-not-captured", "V-122", unknown, B::capture, C::limited,
     "The session was {what}: in frame {frame} another took its place, seemingly with an operation outstanding.", ""},
    {end_replaced_open, "end.replaced-early", "V-123", failed, B::unknown, C::likely,
     "The session was {what}: in frame {frame} another took its place, with an operation outstanding.",
     "Look at both ends for a program or a host that started again."},
    {end_half_acknowledged, "end.half-closed-acknowledged", "V-124", stalled, B::unknown, C::limited,
     "{who} closed its side in frame {frame}; {peer} acknowledged it but did not close within {waited}, or its close "
     "was not captured.",
     "Look at the program on the side that has not closed."},
    {end_reset_stopped, "end.reset-after-stop", "V-125", failed, B::peer, C::likely,
     "{who} {reset} in frame {frame}, after {peer} had stopped inside a message for {waited}.",
     "Look at the sender: its RNIC or driver stopped in the middle of a message."},
    {end_reset_inside_fpdu, "end.reset-inside-fpdu", "V-126", failed, B::unknown, C::likely,
     "{who} {reset} in frame {frame}, before an FPDU of {peer} was finished.",
     "Compare the length and the markers of the last FPDU of {peer} with its octets; else look why {who} did not wait "
     "for the rest."},
});

inline constexpr std::string_view kWhyNoAnswer =
    "Look at the side that does not answer: its RNIC, its kernel log, and whether the memory is still registered.";
inline constexpr std::string_view kWhyStopped =
    "Look at the sender: its RNIC or driver stopped in the middle of a message.";

/// Verdicts on queue pairs that are open.
inline constexpr auto kOpenRows = std::to_array<VerdictRow>({
    {open_window_closed, "open.window-closed", "V-110", stalled, B::peer, C::likely,
     "{peer} has accepted no more data since frame {frame} (its {transport} window is closed), {waited} before the "
     "end.",
     "Look at that host: its receive buffers, PCIe and CPU load, and whether its RNIC hangs."},
    {open_lost, "open.unacknowledged-resent", "V-111", stalled, B::path, C::likely,
     "{amount} from {who}, sent more than once, got no acknowledgment, and {peer} has been silent for {waited}.",
     kHostAndPath},
    {open_unacknowledged, "open.unacknowledged", "V-112", stalled, B::unknown, C::limited,
     "{amount} from {who} got no acknowledgment, and {peer} has been silent for {waited}.", kHostAndPath},
    {open_no_answer, "open.no-answer", "V-113", stalled, B::peer, C::likely,
     "{peer} has not answered the {request_kind} with MSN {msn} (frame {frame}) for {waited}, although its "
     "{transport} has acknowledged it.",
     kWhyNoAnswer},
    {open_inside_message, "open.inside-message", "V-114", stalled, B::who, C::likely,
     "{who} stopped inside the {opcode} that began in frame {frame} and has sent nothing for {waited}.", kWhyStopped},
    {open_inside_fpdu, "open.inside-fpdu", "V-115", stalled, B::who, C::likely,
     "{who} stopped inside an FPDU and has sent nothing for {waited}.", kWhyStopped},
    {open_unused, "open.unused", "V-116", running, B::none, C::certain, "The {connection} {is_open}{at_the_end}.", ""},
    {open_in_use, "open.in-use", "V-117", running, B::none, C::certain,
     "The {connection} {is_open} and in use{at_the_end}.", ""},
    {open_idle, "open.idle", "V-118", running, B::none, C::certain,
     "The {connection} {is_open}, idle for {waited}. The last message came from {who} in frame {frame}: {opcode}.", ""},
    {open_idle_after_send, "open.idle-after-send", "V-119", running, B::none, C::likely,
     "The {connection} {is_open}, idle for {waited}. {peer} sent no message after the {opcode} of {who} in frame "
     "{frame}.",
     ""},
});

}  // namespace iwarpscope::verdict::table
