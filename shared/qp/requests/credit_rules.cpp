// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "qp/requests/credit_rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "base/wording.h"

namespace iwarpscope::qp {

using findings::FindingId;

namespace {

/// SX-07: far above the limit, so that no slip in counting explains it. Ours.
constexpr std::uint32_t kFloodFactor = 4, kFloodMore = 8;

}  // namespace

std::optional<std::uint16_t> read_limit(const Common& common, Direction d) noexcept {
  if (!common.agreement || !common.agreement->enhanced || common.startup_request == nullptr ||
      common.startup_reply == nullptr) {
    return std::nullopt;
  }
  const std::optional<mpa::EnhancedData>& asked = common.startup_request->enhanced;
  const bool initiator = common.agreement->initiator == d;
  if (!asked || (initiator ? asked->ord : asked->ird) == mpa::kDepthNotNegotiated) return std::nullopt;
  return common.agreement->read_depth[index(d)];
}

void judge_credit(const CreditUseSeen& use, Credit& credit, Common& common) {
  // The RTR takes a place, and is sent before the other end asks for one.
  const bool read_rtr = common.rtr != nullptr && common.rtr->kind == "read";
  const std::uint32_t limit = std::max<std::uint32_t>(use.negotiated, read_rtr ? 1 : 0);
  const auto raise = [&](FindingId id, std::uint32_t seen, std::string_view what, std::string_view more) {
    findings::Finding f = finding_about(id, use.direction, use.request);
    f.seen = std::to_string(seen);
    f.expected = fmt::format("at most {}", limit);
    f.text = fmt::format("With this request {} {} are outstanding; the {} that was agreed allows {}{}.", seen, what,
                         common.agreement->initiator == use.direction ? "IRD" : "ORD", counted(use.negotiated, "read"),
                         more);
    common.raise(std::move(f));
  };
  // Reported once, and noted each time: a Terminate may name any of them.
  const Waiting& outstanding = use.outstanding;
  if (outstanding.reads > limit) {
    raise(FindingId::rdmap_too_many_reads, outstanding.reads, "reads", "");
  } else if (outstanding.all > limit) {
    raise(FindingId::rdmap_too_many_atomics, outstanding.all, "reads and atomics", ", and does not mention atomics");
  }
  const std::uint32_t flood = std::max(limit * kFloodFactor, limit + kFloodMore);
  if (outstanding.reads >= flood && !std::exchange(credit.flood_reported, true)) {
    raise(FindingId::rdmap_read_queue_flooded, outstanding.reads, "reads", "");
  }
}

}  // namespace iwarpscope::qp
