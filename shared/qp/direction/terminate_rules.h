// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Rules about a Terminate: what it reports, compared with what the capture shows. Nothing here changes its arguments.
#pragma once

#include <cstdint>
#include <optional>

#include "findings/finding.h"
#include "qp/direction/common.h"
#include "qp/direction/message_assembler.h"
#include "qp/direction/open_message.h"
#include "qp/records.h"
#include "qp/requests/exchange.h"
#include "qp/summary.h"
#include "rdmap/terminate.h"

namespace iwarpscope::qp {

/// One Terminate and everything needed to judge it. Borrows everything.
struct TerminateView {
  const Common& common;
  const Exchange& exchange;
  const MessageAssembler& own;    ///< messages of its direction
  const MessageAssembler& other;  ///< messages of the direction that it refers to
  Direction direction{};          ///< of the Terminate
  const OpenMessage& open;
  const rdmap::Terminate& terminate;
  std::optional<std::uint64_t> names{};  ///< the message of the other direction that it names, where that is known

  [[nodiscard]] Direction named_direction() const noexcept { return opposite(direction); }
  [[nodiscard]] const Coverage& named_coverage() const noexcept { return common.covered(named_direction()); }
  [[nodiscard]] const Outstanding& named_requests() const noexcept { return exchange.outstanding(named_direction()); }
};

/// The message that `terminate` names, of those in `history`; Linux siw names a request by its RDMA header alone, which
/// is looked for in `requests`.
[[nodiscard]] std::optional<std::uint64_t> find_terminated(const rdmap::Terminate& terminate, const History& history,
                                                           const Outstanding& requests);
/// It reports a bad CRC, and one was seen: MF-19.
[[nodiscard]] bool answers_bad_crc(const TerminateView& view) noexcept;

/// QP-02, of a Terminate of which nothing can be read.
[[nodiscard]] findings::Finding unreadable_terminate(Direction d, const OpenMessage& open);
/// QP-02.
[[nodiscard]] findings::Finding terminate_sent(const TerminateView& view);
/// RM-29, RM-31, MF-19, MF-20: what the Terminate claims.
void judge_terminate(const TerminateView& view, findings::Reporter& reporter);
/// RM-27, RM-28, RM-30, AT-18: what it names, and what was sent before it.
void judge_terminate_history(const TerminateView& view, findings::Reporter& reporter);
/// RM-32, at the end: neither end refused the first fault of direction `d`. A bad CRC or a gap would explain that the
/// receiver saw something else. `common` takes the finding.
void judge_ignored_error(Common& common, Direction d);

/// What a verdict needs of it.
[[nodiscard]] TerminateSummary terminate_summary(const TerminateView& view);
/// What its message record shows.
[[nodiscard]] TerminateDetail terminate_detail(const TerminateView& view);

}  // namespace iwarpscope::qp
