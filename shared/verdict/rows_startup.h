// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Verdicts on connections that never came to their first FPDU. Inside of catalogue.cpp.
#pragma once

#include <array>

#include "verdict/catalogue.h"

namespace iwarpscope::verdict::table {

using enum VerdictId;
using enum qp::Outcome;
using B = BlameRule;
using C = qp::Confidence;

inline constexpr std::string_view kAcceptInTime =
    "Check that the listener accepts {connection}s in time and that its backlog is not full.";
inline constexpr std::string_view kHostAndPath = "Check that the other host is alive, and the path to it.";

inline constexpr auto kStartupRows = std::to_array<VerdictRow>({
    {startup_rejected, "startup.rejected", "V-01", refused, B::responder, C::certain,
     "{responder} refused the {connection} by the {reject} in frame {frame}.",
     "Look at the log of the application that listens there, and at that host's kernel log."},
    {startup_rejected_over_rule, "startup.rejected-over-rule", "V-02", refused, B::breaker, C::likely,
     "{responder} refused the {connection} by the {reject} in frame {frame}, after {breaker_role} had broken rule "
     "{rule} in "
     "frame "
     "{of_frame}.",
     "{rule_next}"},
    {startup_one_sided, "startup.one-sided", "V-03", unknown, B::capture, C::limited,
     "{initiator} sent {asked}; the capture does not show whether it was answered.", ""},
    {startup_answer_not_captured, "startup.answer-not-captured", "V-04", unknown, B::capture, C::limited,
     "{initiator} sent {asked}; the capture may lack the answer.",
     "Capture again, in both directions, with whole frames and without loss.", true},
    {startup_both_initiated, "startup.both-initiated", "V-05", failed, B::unknown, C::certain,
     "Both ends sent {a_request}, the second one in frame {frame}, and neither could answer: {rule}.", "{rule_next}"},
    {startup_ended_over_rule, "startup.ended-over-rule", "V-06", refused, B::breaker, C::likely,
     "{responder} {what} in frame {frame} instead of answering {asked}. Before, {breaker_role} had broken rule {rule} "
     "in "
     "frame {of_frame}.",
     "{rule_next}"},
    {startup_reset_instead, "startup.reset-instead-of-answer", "V-07", refused, B::responder, C::likely,
     "{responder} {reset} in frame {frame} instead of answering {asked}.",
     "Check the MPA revision and settings the Responder supports, its kernel log, and that an RDMA listener (not a "
     "plain TCP one) owns the port."},
    {startup_closed_instead, "startup.closed-instead-of-answer", "V-08", refused, B::responder, C::likely,
     "{responder} closed the {connection} in frame {frame} instead of answering {asked}.",
     "Check the MPA revision and settings the Responder supports, its kernel log, and that an RDMA listener (not a "
     "plain TCP one) owns the port."},
    {startup_session_turned_away, "startup.session-terminated-instead", "V-09", refused, B::responder, C::likely,
     "{responder} {what} in frame {frame} instead of answering {asked}.",
     "Check that the listener accepts sessions in time and that its backlog is not full."},
    {startup_shut_down_instead, "startup.shut-down-instead", "V-10", refused, B::responder, C::likely,
     "{responder} shut the association down in frame {frame} instead of answering {asked}.",
     "Look at the log of the program that shut the association down."},
    {startup_gave_up, "startup.gave-up", "V-11", failed, B::responder, C::likely,
     "{initiator} gave up in frame {frame}, after {waited} without an answer to {asked}. The Responder's "
     "{transport} had acknowledged it.",
     kAcceptInTime},
    {startup_gave_up_lost, "startup.gave-up-request-lost", "V-12", failed, B::path, C::likely,
     "{initiator} gave up in frame {frame}, after {waited} without an answer to {asked}, which was sent again and "
     "never "
     "acknowledged.",
     kHostAndPath},
    {startup_gave_up_unacknowledged, "startup.gave-up-unacknowledged", "V-13", failed, B::unknown, C::likely,
     "{initiator} gave up in frame {frame}, after {waited} without an answer to {asked}, which was never acknowledged.",
     kHostAndPath},
    {startup_left_early, "startup.left-early", "V-14", failed, B::initiator, C::likely,
     "{initiator} ended the {connection} in frame {frame}, {waited} after {asked} and before an answer.",
     "Look at the program and the kernel log on the Initiator's side: it left before an answer could come."},
    {startup_waiting, "startup.waiting", "V-15", running, B::none, C::likely,
     "{initiator} {has_waited} {waited} for an answer to {asked}{at_the_end}.", ""},
    {startup_no_answer, "startup.no-answer", "V-16", stalled, B::responder, C::likely,
     "{initiator} {has_waited} {waited} for an answer to {asked}{at_the_end}.",
     "Check that the application on the Responder's side accepts the connection."},
    {startup_request_lost, "startup.request-lost", "V-17", stalled, B::path, C::likely,
     "{initiator} {has_waited} {waited} for an answer to {asked}, which was sent again and never acknowledged.",
     kHostAndPath},
    {startup_request_unacknowledged, "startup.request-unacknowledged", "V-18", stalled, B::unknown, C::limited,
     "{initiator} {has_waited} {waited} for an answer to {asked}, which was never acknowledged.", kHostAndPath},
    {startup_rtr_missing, "startup.rtr-missing", "V-19", stalled, B::initiator, C::likely,
     "{initiator} agreed to send an RTR message first, but has not sent it for {waited}.",
     "Look at the driver and the kernel log on the Initiator's side: it must send the RTR message of peer-to-peer "
     "mode."},
    {startup_ready, "startup.ready", "V-20", running, B::none, C::certain,
     "The {connection} is set up; no message has been sent for {waited}.", ""},
    {startup_left_over_rule, "startup.left-over-rule", "V-21", refused, B::breaker, C::likely,
     "{initiator} ended the {connection} in frame {frame}, before any {fpdu}, after {breaker_role} had broken rule "
     "{rule} "
     "in frame "
     "{of_frame}.",
     "{rule_next}"},
    {startup_left, "startup.left-after-reply", "V-22", refused, B::asker, C::likely,
     "{initiator} ended the {connection} in frame {frame}, after the {reply} and before any {fpdu}.",
     "Compare the settings of both ends."},
    {startup_dropped_over_rule, "startup.dropped-over-rule", "V-23", failed, B::breaker, C::likely,
     "{responder} ended the {connection} in frame {frame}, before any {fpdu}, after {breaker_role} had broken rule "
     "{rule} "
     "in frame "
     "{of_frame}.",
     "{rule_next}"},
    {startup_dropped, "startup.dropped-after-reply", "V-24", failed, B::asker, C::likely,
     "{responder} ended the {connection} in frame {frame}, after the {reply} and before any {fpdu}.",
     "Compare the settings of both ends."},
    {startup_reset_after_reply, "startup.reset-after-reply", "V-25", failed, B::who, C::likely,
     "{who} {reset} in frame {frame}, after the {reply} and before any {fpdu}.",
     "Look at the kernel log of that side."},
    {startup_closed_unused, "startup.closed-unused", "V-26", completed, B::none, C::certain,
     "The {connection} was set up and closed normally without a message.", ""},
    {startup_fpdus_not_captured, "startup.fpdus-not-captured", "V-27", unknown, B::capture, C::limited,
     "{who} ended the {connection} in frame {frame}, after the {reply}; the capture has no {fpdu} of it.", ""},
    {startup_gave_up_over_rule, "startup.gave-up-over-rule", "V-28", failed, B::breaker, C::likely,
     "{initiator} ended the {connection} in frame {frame} without an answer, after {breaker_role} had broken rule "
     "{rule} in "
     "frame "
     "{of_frame}.",
     "{rule_next}"},
    {startup_dropped_without_rtr, "startup.dropped-without-rtr", "V-29", failed, B::initiator, C::likely,
     "{responder} ended the {connection} in frame {frame}: the agreed RTR message of {initiator} had not come for "
     "{waited}.",
     "Look at the driver and the kernel log on the Initiator's side: it had to send the RTR message of peer-to-peer "
     "mode."},
    {startup_left_own_rule, "startup.left-own-rule", "V-127", failed, B::breaker, C::likely,
     "{initiator} ended the {connection} in frame {frame}, before any {fpdu}: it had broken rule {rule} in frame "
     "{of_frame}.",
     "{rule_next}"},
    {startup_left_inside_answer, "startup.left-inside-answer", "V-128", failed, B::unknown, C::likely,
     "{responder} had begun its answer to {asked} in frame {of_frame}. {initiator} ended the {connection} in frame "
     "{frame}, {waited} later, before the rest was seen.",
     "Compare captures from both ends: the rest of the answer may have been on its way."},
});

}  // namespace iwarpscope::verdict::table
