// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Queue pairs by host and by pair of hosts.
#pragma once

#include <vector>

#include "live/recent_records.h"

namespace iwarpscope::live {

/// One row for each address, or with `pairs` for each two that have a queue pair, by address.
[[nodiscard]] std::vector<HostRow> host_rows(const RecentRecords& records, bool pairs);

}  // namespace iwarpscope::live
