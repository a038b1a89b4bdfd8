// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The iWARP port mapper (PM), which finds the port of an adapter's listener for that of a service.
// Included by catalogue.cpp alone.
#pragma once

#include <array>

#include "findings/catalogue.h"

namespace iwarpscope::findings::table {

using enum FindingId;
using enum Severity;
using enum About;
using enum Repeat;

inline constexpr auto kPortMapperRules = std::to_array<Rule>({
    {port_mapper_unanswered, "port-mapper.unanswered", "PM-01", warning, peer, each, "no RFC",
     "A request to the port mapper (UDP port 3935) got no answer.",
     "The daemon iwpmd does not run on the other host, or a firewall drops its datagrams. The connecting host falls "
     "back to the plain port, or gives up.",
     "Check that iwpmd runs on both hosts, or on neither, and that UDP port 3935 is open."},
    {port_mapper_rejected, "port-mapper.rejected", "PM-02", warning, peer, each, "no RFC",
     "The port mapper refused a request.", "It knows no listener for the requested address and port.",
     "Check that the service listens on that address, and that its driver registered with iwpmd."},
    {port_mapper_unused, "port-mapper.unused", "PM-03", note, peer, each, "no RFC",
     "The port mapper named a port, but the capture has no connection to it.",
     "The connecting host did not use the port, or the connection takes a path that is not captured.",
     "Look for a SYN to the plain port instead, and for a firewall that knows only the plain port."},
});

}  // namespace iwarpscope::findings::table
