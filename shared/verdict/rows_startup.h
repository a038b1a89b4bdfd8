// Verdicts on connections that never came to their first FPDU. Inside of catalogue.cpp.
#pragma once

#include <array>

#include "verdict/catalogue.h"

namespace iwarpscope::verdict::table {

using enum VerdictId;
using enum qp::Outcome;
using B = BlameRule;
using C = qp::Confidence;

inline constexpr auto kStartupRows = std::to_array<VerdictRow>({
    {startup_rejected, "startup.rejected", "V-01", refused, B::responder, C::certain,
     "{responder} refused the {connection} by the {reject} in frame {frame}.",
     "Look at the log of the application that listens there, and at that host's kernel log."},
    {startup_rejected_over_rule, "startup.rejected-over-rule", "V-02", refused, B::breaker, C::likely,
     "{responder} refused the {connection} by the {reject} in frame {frame}, after {breaker} had broken {rule} in "
     "frame "
     "{of_frame}.",
     "{rule_next}"},
});

}  // namespace iwarpscope::verdict::table
