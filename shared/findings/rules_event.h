// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// What ended or refused a connection (QP): not broken rules, but what an operator looks for first.
// Included by catalogue.cpp alone.
#pragma once

#include <array>

#include "findings/catalogue.h"

namespace iwarpscope::findings::table {

using enum FindingId;
using enum Severity;
using enum About;
using enum Repeat;

inline constexpr auto kEventRules = std::to_array<Rule>({
    {mpa_rejected, "mpa.rejected", "QP-01", warning, peer, each, "RFC 5044 §7.1.2; RFC 5043 §6.3",
     "The Responder refused: its MPA Reply has the R bit set, or it sent a Session Reject.",
     "The application on the Responder's side rejected it, or its driver does not support the request. Check "
     "the read depths and, over TCP, markers, CRC and revision.",
     "Compare the two startup frames, MPA Request and Reply or Session Initiate and Reject. A difference between them "
     "shows what was refused. Private data may hold the application's reason.",
     never_refused(), Explains::nothing},
    {rdmap_terminate_sent, "rdmap.terminate-sent", "QP-02", warning, peer, each, "RFC 5040 §4.8",
     "One side ended the stream with a Terminate.",
     "It found an error: the layer, type and code of the Terminate name it. It refused an access, a message, a CRC or "
     "a header, or it failed itself.",
     "Read the verdict on the connection: it says what this code usually means, and whether the wire agrees.",
     never_refused(), Explains::nothing},
    {rdmap_reset_inside_message, "rdmap.reset-inside-message", "QP-03", warning, peer, per_qp, "RFC 5040 §6.2.2",
     "The connection was reset while a message was in transit or a request waited for its response.",
     "A program ended, a driver gave up, or a device was reset in the middle of work. The other end sees its "
     "operations fail without a reason.",
     "Look in the log of the end that sent the reset, at its time; a firewall on the path can send one too.",
     never_refused(), Explains::nothing},
    {rdmap_failed_otherwise, "rdmap.failed-otherwise", "QP-04", warning, path, per_qp, "RFC 5040 §6.2",
     "The connection was refused, failed or stalled, but no rule violation was reported for it.",
     "The verdict says which end waits, how far the connection got and how it ended. A failure is reported here even "
     "if everything on the wire was allowed.",
     "Read the verdict and the frames it names, then the logs of both ends at that time.", never_refused(),
     Explains::nothing},
});

}  // namespace iwarpscope::findings::table
