// What ended or refused a connection (EV): not broken rules, but what an operator looks for first.
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
    {mpa_rejected, "mpa.rejected", "EV-01", warning, peer, each, "RFC 5044 §7.1.2",
     "The Responder refused the connection: its MPA Reply has the R bit set.",
     "The application on the Responder's side rejected it, or its driver cannot do what the Request asks for: markers, "
     "a CRC setting, a revision or read depths.",
     "Compare the two startup frames: where the Reply differs from the Request is what was refused. Private data may "
     "hold the application's reason."},
    {rdmap_terminate_sent, "rdmap.terminate-sent", "EV-02", warning, peer, each, "RFC 5040 §4.8",
     "One side ended the stream with a Terminate.",
     "It met an error that the Terminate's layer, type and code name; most often the other side's message used a wrong "
     "STag, lay out of bounds or found no buffer.",
     "Look at the message that the Terminate names, and at the error's name: it says which side to look at."},
});

}  // namespace iwarpscope::findings::table
