// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Makes the findings about requests and their responses. Pure functions: the exchange decides whether to raise them.
#pragma once

#include <cstdint>

#include "base/ids.h"
#include "findings/finding.h"
#include "qp/direction/open_message.h"
#include "qp/requests/early_responses.h"
#include "qp/requests/outstanding.h"

namespace iwarpscope::qp {

/// RM-09, AT-11: `early`, which begins with `open` in direction `d`, answers no request. Source: RFC 5040 §5.5 rule 12,
/// RFC 7306 §5.4 rule 3.
[[nodiscard]] findings::Finding response_unrequested(Direction d, const OpenMessage& open, const EarlyResponse& early);
/// RM-10, RM-11, RM-13: `open` begins with `segment` where no Read Request wants it. `request`: the oldest.
[[nodiscard]] findings::Finding wrong_sink(Direction d, const OpenMessage& open, const ddp::Segment& segment,
                                           const Request& request);
/// RM-11.
[[nodiscard]] findings::Finding wrong_sink_to(Direction d, const OpenMessage& open, const Request& request);
/// RM-12: `length` octets came, another number than `request` asked for.
[[nodiscard]] findings::Finding wrong_length(Direction d, const OpenMessage& open, std::uint64_t length,
                                             const Request& request);
/// RM-14: `open` answers `request`, and `older` waits.
[[nodiscard]] findings::Finding out_of_order(Direction d, const OpenMessage& open, const Request& older,
                                             const Request& request);
/// RM-15: fills in the finding about a response, with this first DDP segment, that was sent when its sender had not
/// received all of `request`.
void describe_cause(findings::Finding& f, const ddp::Carrier& response, const Request& request);
/// DD-23: the Terminate of direction `d` named the message `named`, and `open` answers a later request.
[[nodiscard]] findings::Finding answered_after_error(Direction d, const OpenMessage& open, std::uint64_t named,
                                                     const Request& request);
/// AT-09.
[[nodiscard]] findings::Finding wrong_identifier(Direction d, const OpenMessage& open, std::uint32_t identifier,
                                                 const Request& request);
/// AT-08.
[[nodiscard]] findings::Finding misaligned_answered(Direction d, const OpenMessage& open, const Request& request);
/// AT-20: `open`, an Atomic Request, has the identifier of `before`, which is outstanding.
[[nodiscard]] findings::Finding repeated_identifier(Direction d, const OpenMessage& open, const Request& before);
/// RM-16, AT-12: the stream ended without a response to `request`, which direction `d` sent.
[[nodiscard]] findings::Finding request_unanswered(Direction d, const Request& request);

}  // namespace iwarpscope::qp
