// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Positions of the parts of a ladder: rows, brackets, marks and bands of a visible part, for the painter. Lengths are
// pixels; y counts from the top of the visible part; the painter chooses x.
#pragma once

#include <QString>

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "models/ladder/ladder_findings.h"
#include "models/ladder/ladder_index.h"
#include "models/selection.h"

namespace iwarpscope::gui {

/// The data to lay out. Pointers are not null and outlive the call.
struct LadderQuestion {
  double top = 0, height = 0;  ///< the visible part; `top` counts from the top of the first place
  double row = 20;             ///< height of one message; below kLeastRow, messages are summed in bands
  double band = 2;             ///< height of a band
  bool with_text = true;
  bool with_transport = true;        ///< retransmissions, reordering, closed windows and waits
  std::uint64_t begin = 0, end = 0;  ///< the rows, in the order of their first frames
  TimePoint start{};                 ///< of the queue pair's first frame
  std::optional<TimePoint> last{};   ///< of the last known frame; empty: not yet
  std::optional<TimeRange> range{};  ///< data outside is dimmed
  std::optional<FrameNumber> rtr{};  ///< of the RTR
  /// Null: not loaded (yet). Valid until other code runs.
  std::function<const qp::MessageRecord*(std::uint64_t row)> at{};
  const LadderIndex* index = nullptr;
  const LadderFindings* findings = nullptr;
  const std::vector<qp::TransportEvent>* events = nullptr;

  static constexpr double kLeastRow = 3;
};

/// A piece of a text. With a severity, it names a finding.
struct LadderWord {
  QString text{};
  std::optional<findings::Severity> severity{};
};
inline constexpr const char* kBetweenLadderWords = "; ";
[[nodiscard]] QString joined(const std::vector<LadderWord>& words);

/// One message, or the place of a message that is not loaded, or a frame of startup or end.
struct LadderRow {
  std::uint64_t place = 0;
  double y = 0;                                ///< of its middle
  const qp::MessageRecord* message = nullptr;  ///< null: not loaded, or no message
  const LadderLife* life = nullptr;            ///< null: a message
  bool dimmed = false;
  bool refused = false;                          ///< its receiver ended the stream at or before it
  bool apart = false;                            ///< Placed and Delivered at different times
  std::optional<findings::Severity> severity{};  ///< its worst finding
  std::optional<std::size_t> finding{};          ///< the same, in LadderFindings::all()
  bool worst = false;                            ///< it has the worst finding of all
  QString time{}, delta{}, label{}, waited{};    ///< empty: no text
  std::vector<LadderWord> findings{};
};

/// Connects a request and its response.
struct LadderBracket {
  /// Positions of the request and of the response, clipped to slightly more than the visible part. `to` is above if the
  /// capture has the response first.
  double from = 0, to = 0;
  bool from_seen = true, to_seen = true;  ///< false: continues outside the visible part
  bool answered = true;                   ///< false: no response was seen, and `to` equals `from`
  Direction direction{};                  ///< of the request
  unsigned lane = 0;                      ///< overlapping brackets have different lanes, up to kLanes
  bool dimmed = false;
  QString latency{};
  static constexpr unsigned kLanes = 6;
};

/// An event between messages: a transport event, or findings that refer to no message.
struct LadderMark {
  double y = 0;
  std::optional<Direction> direction{};
  std::optional<qp::TransportEventKind> event{};
  std::optional<findings::Severity> severity{};
  std::optional<std::size_t> finding{};  ///< the worst one in `text`, in LadderFindings::all()
  bool dimmed = false;
  std::vector<LadderWord> text{};
};

/// No message was seen for kLeastNs or longer, and for kTimes the usual distance of this queue pair.
struct LadderQuiet {
  static constexpr std::int64_t kLeastNs = 1'000'000'000, kTimes = 2;
  double y = 0;  ///< between the messages before and after it
  bool dimmed = false;
  QString text{};
};

/// Messages that are too many to show singly: they are summed.
struct LadderBand {
  double y = 0, height = 0;
  std::array<double, 2> share{};  ///< octets per direction, relative to the largest visible value: 0..1
  bool known = false;             ///< false: the messages were not read yet
  bool dimmed = false, incomplete = false;
  bool events = false, gap = false;
  std::optional<findings::Severity> severity{};
};

struct LadderScene {
  std::vector<LadderRow> rows;
  std::vector<LadderBracket> brackets;
  std::vector<LadderMark> marks;
  std::vector<LadderQuiet> quiet;
  std::vector<LadderBand> bands;  ///< instead of all the others
};

/// Whether an event is shown only together with waits.
[[nodiscard]] bool is_optional(qp::TransportEventKind kind) noexcept;

/// A part of the message is in the range.
[[nodiscard]] bool lies_in(const TimeRange& range, const qp::MessageRecord& message);

[[nodiscard]] LadderScene lay_out(const LadderQuestion& question);

/// Places that are visible, completely or in part.
struct LadderSpan {
  std::uint64_t from = 0, to = 0;  ///< [from, to)
};
[[nodiscard]] LadderSpan seen(const LadderQuestion& question);
/// The place at that height, or the nearest one. Precondition: begin < end.
[[nodiscard]] std::uint64_t place_at(const LadderQuestion& question, double y);

/// The next larger or smaller height of a row: steps of about a third, from `least` to `most`.
[[nodiscard]] double zoomed(double row, int steps, double least, double most);

}  // namespace iwarpscope::gui
