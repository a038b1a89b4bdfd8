// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Findings about what the capture lacks.
#pragma once

#include <cstdint>

#include "analysis/records.h"
#include "analysis/shard.h"
#include "findings/capture_findings.h"
#include "net/decoder.h"

namespace iwarpscope::analysis {

/// What was lost, cut, damaged, not decoded or given up.
void tell_about_capture(findings::CaptureFindings& to, const net::Statistics& net, const CaptureInfo& info,
                        const ShardStatistics& all, std::uint64_t discarded);

}  // namespace iwarpscope::analysis
