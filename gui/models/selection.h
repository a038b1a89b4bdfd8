// What all views look at: one queue pair, one span of time, one place to look at.
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
  /// Of what was there from `first` to `last`.
  [[nodiscard]] bool touches(TimePoint first, TimePoint last) const noexcept {
    return first.ns < to.ns && last.ns >= from.ns;
  }
  friend bool operator==(const TimeRange& a, const TimeRange& b) {
    return a.from.ns == b.from.ns && a.to.ns == b.to.ns;
  }
};

/// A message, or only a frame, that somebody wants to see.
struct Focus {
  std::optional<std::uint64_t> qp{};
  FrameNumber frame;
  TimePoint time;
  std::optional<Direction> direction{};
  std::optional<std::uint64_t> message{};  ///< index in its direction
};

/// The one owner of all that. Views set it and follow it; none of them knows another. Models that show only what lies
/// in the span ask for it whenever they need it and keep no copy.
class Selection : public QObject {
  Q_OBJECT

 public:
  using QObject::QObject;
  [[nodiscard]] std::optional<std::uint64_t> qp() const noexcept { return qp_; }
  /// Nothing: all of time.
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
  /// Changes the queue pair, too, when the place is another's.
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
