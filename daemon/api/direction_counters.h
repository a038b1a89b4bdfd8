// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The counters of a direction in the API. Each name in qp::kDirectionCounters is a field of v1::DirectionCounters.
#pragma once

#include "qp/records.h"

namespace iwarpscope::v1 {
class DirectionCounters;
}

namespace iwarpscope::api {

void put_counters(const qp::DirectionRecord& in, v1::DirectionCounters& out);
void read_counters(const v1::DirectionCounters& in, qp::DirectionRecord& out);

}  // namespace iwarpscope::api
