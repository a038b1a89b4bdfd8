// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Questions about a queue pair that a verdict turns on. Nothing here decides, and nothing here is prose.
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

/// Silence of so long is waiting, not thinking. Ours: well above what storage and MPI need for an answer.
inline constexpr std::int64_t kLongNs = 1'000'000'000;
/// A startup answer is late after this: Linux siw and Chelsio's drivers wait 5 to 60 s, but no end needs one.
inline constexpr std::int64_t kReplyLateNs = 5'000'000'000;

/// Doubt::about: the end that waited may have had it.
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

  [[nodiscard]] const qp::Story& story() const noexcept { return record.story; }
  [[nodiscard]] const qp::DirectionStory& from(Direction d) const noexcept { return record.story.directions[index(d)]; }
  [[nodiscard]] bool is_over_sctp() const noexcept { return record.sctp_stream.has_value(); }
  [[nodiscard]] const mpa::StartupFrame* request() const noexcept;  ///< null: not seen
  [[nodiscard]] const mpa::StartupFrame* reply() const noexcept;
  [[nodiscard]] bool has_fpdus() const noexcept { return record.directions[0].fpdus + record.directions[1].fpdus != 0; }
  /// Octets that came after startup, whether they could be read as FPDUs or not.
  [[nodiscard]] bool has_octets_of_fpdus() const noexcept;

  // Time, as far as the capture covers it.
  /// From `since` to the capture's end.
  [[nodiscard]] std::int64_t waiting_ns(const qp::Moment& since) const noexcept {
    return capture.heard_ns(since.time, capture.end);
  }
  /// Until then both ends were seen: what the capture lacks before, sequence numbers show.
  [[nodiscard]] TimePoint both_heard() const noexcept;

  // What the capture lacks.
  /// Every octet of this direction is there and could be read; an RST may still tell of others.
  [[nodiscard]] bool is_whole(Direction d) const noexcept;
  /// Before the first frame of this direction octets of it are missing: they may hold an answer, or one that makes
  /// every later one that of another request.
  [[nodiscard]] bool may_have_answered(Direction d) const noexcept;
  /// Octets are missing that could hold the real reason.
  [[nodiscard]] bool has_holes() const noexcept;
  /// A frame of either direction was cut: what seems to be missing may be in what was cut off.
  [[nodiscard]] bool is_cut() const noexcept {
    return record.directions[0].cut_octets + record.directions[1].cut_octets != 0;
  }
  [[nodiscard]] bool lacks_end() const noexcept;
  /// The frame up to which the file has the other side's octets that the end which closed had received.
  [[nodiscard]] FrameNumber had_until(const End& end) const noexcept {
    const qp::DirectionStory& own = from(end.by);
    return std::max(end.at.frame, end.reset ? own.rst_had : own.fin_had);
  }
  /// An ABORT has no TSN, and so does not show what the capture lacks just before it: a message that no SACK had to
  /// acknowledge yet, or one that came with the SACK which is not here.
  [[nodiscard]] bool may_lack_before(const qp::Moment& abort) const noexcept;
  /// Were `about` among what the capture did not take in this time, the verdict would be another.
  [[nodiscard]] Doubt doubt(std::string_view about, TimePoint from, TimePoint to = CaptureSpan::kEver) const noexcept;
  /// The same of an end that is silent since then. Over SCTP it may go on by another path.
  [[nodiscard]] Doubt doubt_silence(TimePoint since) const noexcept;

  // How it ended.
  /// Over SCTP: a new session on its stream, or a new association in the place of its own.
  [[nodiscard]] bool is_replaced() const noexcept {
    return record.closed_by == "replaced" || record.closed_by == "restart";
  }
  /// The first RST or FIN of the two ends. Where both ended at about the same time: the Initiator's.
  [[nodiscard]] std::optional<End> first_end() const noexcept;
  /// The request of `d` that waits longest was there when the other end closed.
  [[nodiscard]] bool came_before_close(Direction d) const noexcept;
  /// Its sender sent it again and again, so that it had no acknowledgment either. Of what was not sent again the
  /// acknowledgment may only be missing from the capture, or its sender is gone.
  [[nodiscard]] bool never_arrived(Direction d) const noexcept;

  /// What was noted of this rule in direction `d`; null: nothing.
  [[nodiscard]] const qp::NotedFinding* noted(findings::FindingId id, std::optional<Direction> d) const noexcept;
};

}  // namespace iwarpscope::verdict
