// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Facts about a queue pair on which verdicts depend. Nothing here decides.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "findings/catalogue.h"
#include "qp/records.h"
#include "verdict/capture_span.h"
#include "verdict/diagnosis.h"
#include "verdict/judge.h"

namespace iwarpscope::verdict {

/// Silence longer than this counts as waiting. Ours: well above what storage and MPI need for an answer.
inline constexpr std::int64_t kLongNs = 1'000'000'000;
/// A startup answer is late after this. Linux siw and Chelsio's drivers wait 5 to 60 s, but no end needs so long.
inline constexpr std::int64_t kReplyLateNs = 5'000'000'000;

/// Doubt::about: what the end that waited may have received.
inline constexpr std::string_view kWhatCameMeanwhile = "what came meanwhile";

inline constexpr std::array<Direction, 2> kDirections{Direction::a_to_b, Direction::b_to_a};
inline constexpr Direction kInitiator = Direction::a_to_b;  // where startup was seen, A is the Initiator
inline constexpr Direction kResponder = Direction::b_to_a;

/// An end of the connection: which end, when, and how.
struct End {
  Direction by{};
  qp::Moment at;
  bool reset = false;     ///< by an RST or ABORT
  bool together = false;  ///< the other end ended at about the same time
};

/// Borrows what it was made from.
class Facts {
 public:
  Facts(const qp::QpRecord& the_record, const CaptureSpan& the_capture,
        const std::optional<EarlierAttempt>& the_earlier) noexcept
      : record(the_record), capture(the_capture), earlier(the_earlier) {}

  const qp::QpRecord& record;
  const CaptureSpan& capture;
  const std::optional<EarlierAttempt>& earlier;

  [[nodiscard]] const qp::Summary& summary() const noexcept { return record.summary; }
  [[nodiscard]] const qp::DirectionSummary& from(Direction d) const noexcept {
    return record.summary.directions[index(d)];
  }
  [[nodiscard]] bool is_over_sctp() const noexcept { return record.sctp_stream.has_value(); }
  [[nodiscard]] const mpa::StartupFrame* request() const noexcept;  ///< null: not seen
  [[nodiscard]] const mpa::StartupFrame* reply() const noexcept;
  [[nodiscard]] bool has_fpdus() const noexcept { return record.directions[0].fpdus + record.directions[1].fpdus != 0; }
  /// Octets that came after startup, whether they could be read as FPDUs or not.
  [[nodiscard]] bool has_octets_of_fpdus() const noexcept;

  // Time, as far as the capture covers it.
  /// From `since` to the capture's end.
  [[nodiscard]] std::int64_t waiting_ns(const qp::Moment& since) const noexcept {
    return capture.covered_ns(since.time, capture.end);
  }
  /// Up to this time both ends were seen, so that sequence numbers show what the capture lacks.
  [[nodiscard]] TimePoint both_seen() const noexcept;

  // What the capture lacks.
  /// Every octet of this direction was captured and read; an RST may still show more.
  [[nodiscard]] bool is_whole(Direction d) const noexcept;
  /// Octets before the first frame of this direction are missing: they may contain the answer, or one that shifts the
  /// pairing of all later answers.
  [[nodiscard]] bool may_have_answered(Direction d) const noexcept;
  /// Octets are missing that could contain the real reason.
  [[nodiscard]] bool has_holes() const noexcept;
  /// A frame was cut: what seems to be missing may be in the part that was cut off.
  [[nodiscard]] bool is_cut() const noexcept {
    return record.directions[0].cut_octets + record.directions[1].cut_octets != 0;
  }
  [[nodiscard]] bool lacks_end() const noexcept;
  /// The last frame with octets of the other side that the closing end had received.
  [[nodiscard]] FrameNumber had_until(const End& end) const noexcept {
    const qp::DirectionSummary& own = from(end.by);
    return std::max(end.at.frame, end.reset ? own.rst_had : own.fin_had);
  }
  /// An ABORT has no TSN, so it does not show whether the capture lacks messages just before it: messages that were not
  /// acknowledged yet, or whose SACK is missing as well.
  [[nodiscard]] bool may_lack_before(const qp::Moment& abort) const noexcept;
  /// The doubt that the capture may have lost `about` in this time.
  [[nodiscard]] Doubt doubt(std::string_view about, TimePoint from, TimePoint to = CaptureSpan::kEver) const noexcept;
  /// The doubt about an end that has been silent since then. Over SCTP it may use another path.
  [[nodiscard]] Doubt doubt_silence(TimePoint since) const noexcept;

  // How it ended.
  /// Over SCTP: a new session on its stream, or a new association, replaced it.
  [[nodiscard]] bool is_replaced() const noexcept {
    return record.closed_by == "replaced" || record.closed_by == "restart";
  }
  /// The first RST or FIN of the two ends; the Initiator's if both ended at about the same time.
  [[nodiscard]] std::optional<End> first_end() const noexcept;
  /// The oldest unanswered request of `d` had arrived when the other end closed.
  [[nodiscard]] bool came_before_close(Direction d) const noexcept;
  /// The unacknowledged octets of `d` were retransmitted, so their sender had no acknowledgment. Without
  /// retransmissions the acknowledgment may only be missing from the capture, or the sender is gone.
  [[nodiscard]] bool never_arrived(Direction d) const noexcept;

  /// The violation of this rule in direction `d`; null: none.
  [[nodiscard]] const qp::NotedFinding* noted(findings::FindingId id, std::optional<Direction> d) const noexcept;
};

}  // namespace iwarpscope::verdict
