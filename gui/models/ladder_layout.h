// What of a ladder lies where: rows, brackets, marks and bands of a stretch of it, for whoever paints it. Lengths are
// pixels; y counts from the top of the stretch; x is the painter's.
#pragma once

#include <QString>

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "models/ladder_findings.h"
#include "models/ladder_index.h"
#include "models/selection.h"

namespace iwarpscope::gui {

/// What is laid out. Pointers are not null and outlive the call.
struct LadderQuestion {
  double top = 0, height = 0;  ///< the stretch that is seen; `top` counts from the top of the first place
  double row = 20;             ///< height of one message; below kLeastRow they are added up in bands
  double band = 2;             ///< height of a band
  bool with_text = true;
  std::uint64_t begin = 0, end = 0;  ///< rows there are, in the order of their first frames
  TimePoint start{};                 ///< of the queue pair's first frame
  std::optional<TimePoint> last{};   ///< of the last that is known of it; empty: not yet
  std::optional<TimeRange> range{};  ///< what lies outside is dimmed
  /// Null: it is not at hand (yet). Valid as long as nothing else runs.
  std::function<const qp::MessageRecord*(std::uint64_t row)> at{};
  const LadderIndex* index = nullptr;
  const LadderFindings* findings = nullptr;
  const std::vector<qp::TransportEvent>* events = nullptr;

  static constexpr double kLeastRow = 3;
};

/// One message, or the place of one that is not at hand.
struct LadderRow {
  std::uint64_t place = 0;
  double y = 0;                                ///< of its middle
  const qp::MessageRecord* message = nullptr;  ///< null: it is not at hand
  bool dimmed = false;
  bool refused = false;                                    ///< its receiver ended the stream with it or before it
  bool apart = false;                                      ///< Placed and Delivered at different times
  std::optional<findings::Severity> severity{};            ///< the worst of its findings
  QString time{}, delta{}, label{}, waited{}, findings{};  ///< empty without text
};

/// Ties a request to its response.
struct LadderBracket {
  /// Of the request and of the response, cut to what is seen and a bit more. `to` lies above where the capture has the
  /// response first.
  double from = 0, to = 0;
  bool from_seen = true, to_seen = true;  ///< false: it goes on beyond what is seen
  bool answered = true;                   ///< false: no response was seen, and `to` is as good as `from`
  Direction direction{};                  ///< of the request
  unsigned lane = 0;                      ///< brackets that overlap have different ones, up to kLanes
  bool dimmed = false;
  QString latency{};
  static constexpr unsigned kLanes = 6;
};

/// Something that happened between messages: what TCP did, or findings that speak of no message.
struct LadderMark {
  double y = 0;
  std::optional<Direction> direction{};
  std::optional<qp::TransportEventKind> event{};
  std::optional<findings::Severity> severity{};
  std::optional<findings::Severity> worst{};  ///< of all that `text` names
  bool dimmed = false;
  QString text{};
};

/// No message came for kLeastNs or longer, and for kTimes as long as is usual in this queue pair.
struct LadderQuiet {
  static constexpr std::int64_t kLeastNs = 1'000'000'000, kTimes = 2;
  double y = 0;  ///< between the messages before and behind it
  bool dimmed = false;
  QString text{};
};

/// Messages so many that they are only added up.
struct LadderBand {
  double y = 0, height = 0;
  std::array<double, 2> share{};  ///< octets by direction, against the largest that is seen: 0..1
  bool known = false;             ///< false: the messages were not passed yet
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

/// Some of the message lies in the range.
[[nodiscard]] bool lies_in(const TimeRange& range, const qp::MessageRecord& message);

[[nodiscard]] LadderScene lay_out(const LadderQuestion& question);

/// Places that are seen, wholly or in part.
struct LadderSpan {
  std::uint64_t from = 0, to = 0;  ///< [from, to)
};
[[nodiscard]] LadderSpan seen(const LadderQuestion& question);
/// The place at that height; the nearest one there is. Precondition: begin < end.
[[nodiscard]] std::uint64_t place_at(const LadderQuestion& question, double y);

/// The next larger or smaller height of a row: steps of about a third, from `least` to `most`.
[[nodiscard]] double zoomed(double row, int steps, double least, double most);

}  // namespace iwarpscope::gui
