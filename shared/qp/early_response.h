// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// A response that came when its sender had received no request that it could answer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

#include "ddp/segment.h"
#include "findings/finding.h"
#include "qp/observation.h"
#include "qp/outstanding.h"
#include "qp/records.h"

namespace iwarpscope::qp {

/// Kept until the request that it answers comes (RM-15), or until it is plain that none does (RM-09, AT-11). Source:
/// RFC 5040 §5.5 rules 12 and 17; RFC 7306 §5.4 rule 3.
struct EarlyResponse {
  static constexpr std::size_t kMost = 16;                ///< of one direction
  static constexpr std::int64_t kWaitNs = 3'000'000'000;  ///< as long as TCP waits for a hole to be filled

  bool atomic = false;
  std::uint64_t message = 0;
  STag stag;                      ///< read
  TaggedOffset to;                ///< read
  bool zero_length = false;       ///< read
  std::uint32_t request_id = 0;   ///< atomic
  ddp::Carrier first;             ///< of its first DDP segment
  StreamOffset end;               ///< behind its first DDP segment
  findings::Finding unrequested;  ///< what is raised when no request comes
  /// Set when the response is at its end.
  struct Ended {
    MessageFacts facts;
    ddp::MessageEnd end;
    std::optional<std::uint64_t> original;  ///< atomic
  };
  std::optional<Ended> ended;
  std::unique_ptr<MessageRecord> record;  ///< with `ended`, if records are made: waits for the request's index

  /// `sent`: of the request's first DDP segment. A request that was sent after this response was received is none that
  /// it can answer.
  [[nodiscard]] bool answers(const Request& request, const ddp::Carrier& sent) const noexcept;
};

}  // namespace iwarpscope::qp
