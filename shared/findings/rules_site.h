// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Hours that differ from the same hour of the weeks before (SI). Only a centre, which keeps these weeks, raises them.
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
     "List the failures with `iwarpscope history --kind operations --host ADDRESS`, and ask what changed before the "
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
});

}  // namespace iwarpscope::findings::table
