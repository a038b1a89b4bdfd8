// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The state shared by all views: one queue pair, one time span, one position.
#pragma once

#include <QObject>

#include <algorithm>
#include <optional>

#include "base/ids.h"
#include "base/time_point.h"

namespace iwarpscope::gui {

/// [from, to) of capture time.
struct TimeRange {
  TimePoint from, to;
  [[nodiscard]] bool contains(TimePoint t) const noexcept { return t.ns >= from.ns && t.ns < to.ns; }
  /// Whether the interval from `first` to `last` overlaps the range.
  [[nodiscard]] bool touches(TimePoint first, TimePoint last) const noexcept {
    return first.ns < to.ns && last.ns >= from.ns;
  }
  friend bool operator==(const TimeRange& a, const TimeRange& b) {
    return a.from.ns == b.from.ns && a.to.ns == b.to.ns;
  }
};

/// A message, or only a frame, that is to be shown.
struct Focus {
  std::optional<std::uint64_t> qp{};
  FrameNumber frame;
  TimePoint time;
  std::optional<Direction> direction{};
  std::optional<std::uint64_t> message{};  ///< index in its direction
  std::optional<std::uint64_t> finding{};  ///< sequence number of the finding that led here
};

/// The only owner of this state. Views set it and follow it, and do not know each other. Models that show only the
/// marked span read it when needed and keep no copy.
class Selection : public QObject {
  Q_OBJECT

 public:
  using QObject::QObject;
  [[nodiscard]] std::optional<std::uint64_t> qp() const noexcept { return qp_; }
  /// Empty: the whole time.
  [[nodiscard]] const std::optional<TimeRange>& range() const noexcept { return range_; }

  void set_qp(std::optional<std::uint64_t> qp) {
    if (qp == qp_) return;
    qp_ = qp;
    emit qp_changed(qp_);
  }
  void set_range(std::optional<TimeRange> range) {
    if (range && range->to.ns < range->from.ns) std::swap(range->from, range->to);
    if (range == range_) return;
    range_ = range;
    emit range_changed(range_);
  }
  /// Also changes the queue pair if the position belongs to another one.
  void look_at(const Focus& focus) {
    if (focus.qp) set_qp(focus.qp);
    emit focused(focus);
  }

 signals:
  void qp_changed(const std::optional<std::uint64_t>& qp);
  void range_changed(const std::optional<iwarpscope::gui::TimeRange>& range);
  void focused(const iwarpscope::gui::Focus& focus);

 private:
  std::optional<std::uint64_t> qp_;
  std::optional<TimeRange> range_;
};

}  // namespace iwarpscope::gui
