// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// What only a centre can know (SI): hours that differ from the same hour of the weeks before, and what happened to a
// connection between two taps.
// Included by catalogue.cpp alone.
#pragma once

#include <array>

#include "findings/catalogue.h"

namespace iwarpscope::findings::table {

using enum FindingId;
using enum Severity;
using enum About;
using enum Repeat;

inline constexpr auto kSiteRules = std::to_array<Rule>({
    {site_failures_rose, "site.failures-rose", "SI-01", warning, path, each, "no RFC",
     "Between two hosts, or at the whole site, more operations fail than at this hour of the weeks before.",
     "An update, a changed setting, a device that begins to fail or a full server can cause this. Each single failure "
     "has a finding or a verdict of its own.",
     "List the failures with `iwarpscope history --kind operations --peer ADDRESS`, and ask what changed before the "
     "first hour that the finding names.",
     never_refused(), Explains::nothing},
    {site_latency_rose, "site.latency-rose", "SI-02", warning, path, each, "no RFC",
     "Responses take much longer than at this hour of the weeks before.",
     "A slower disk, a busy server, a longer path or losses on it can cause this. The time is measured at the tap, "
     "from the request to the last octet of the response.",
     "Compare other clients of the same server. If they are slower too, look at the server; else look at the path and "
     "its retransmissions.",
     never_refused(), Explains::nothing},
    {site_rate_changed, "site.rate-changed", "SI-03", note, path, each, "no RFC",
     "Much less or much more traffic was carried than at this hour of the weeks before.",
     "A service that stopped or moved, a new job, or a holiday can cause this. Hours in which a sensor did not see "
     "everything are not compared.",
     "Check whether both hosts are in use as planned, and whether their traffic still passes the tap.", never_refused(),
     Explains::nothing},
    {site_loss_between_taps, "site.loss-between-taps", "SI-10", warning, path, each, "no RFC",
     "Octets of a connection passed one tap and did not reach the next one.",
     "A full queue, a damaged cable or a faulty port between the two taps can cause this. The hosts only see that data "
     "is missing.",
     "Look at the drop and error counters of the devices and ports between the two taps that the finding names. "
     "`iwarpscope qp NUMBER` shows all taps of the connection.",
     never_refused(), Explains::nothing},
    {site_damage_between_taps, "site.damage-between-taps", "SI-11", warning, path, each, "no RFC",
     "Octets of a connection were changed between two taps.",
     "A device with faulty memory, or one that rewrites packets, can cause this. Checksums made by that device itself "
     "do not show it; the CRC of MPA does.",
     "Look at the devices between the two taps that the finding names: firmware, memory errors, and functions that "
     "change packets. `iwarpscope qp NUMBER` shows all taps of the connection.",
     never_refused(), Explains::nothing},
});

}  // namespace iwarpscope::findings::table
