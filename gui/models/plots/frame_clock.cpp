// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "models/plots/frame_clock.h"

#include <iterator>

namespace iwarpscope::gui {

void FrameClock::note(FrameNumber frame, TimePoint time) {
  if (frame.value == 0) return;
  times_.insert_or_assign(frame.value, time);
  if (times_.size() <= kMost) return;
  for (auto at = times_.begin(); at != times_.end() && std::next(at) != times_.end(); ++at) times_.erase(std::next(at));
}

void FrameClock::note(const qp::QpRecord& record) {
  note(record.first_frame, record.first_time);
  note(record.last_frame, record.last_time);
  if (record.startup) {
    for (const auto& frame : {record.startup->request, record.startup->reply}) {
      if (frame) note(frame->frame, frame->time);
    }
  }
  for (const qp::DirectionSummary& summary : record.summary.directions) {
    for (const qp::Moment& moment : {summary.fin, summary.rst}) note(moment.frame, moment.time);
  }
}

void FrameClock::note(const live::FindingView& view) {
  note(view.finding.frame, view.finding.time);
  if (view.began && !view.finding.frames.empty()) note(view.finding.frames.front(), *view.began);
}

void FrameClock::note(std::span<const qp::MessageRecord> messages) {
  for (const qp::MessageRecord& message : messages) {
    note(message.first_frame, message.first_time);
    if (message.complete) note(message.last_frame, message.placed_time);
  }
}

std::optional<TimePoint> FrameClock::up_to(FrameNumber frame) const {
  const auto behind = times_.upper_bound(frame.value);
  return behind == times_.begin() ? std::nullopt : std::optional(std::prev(behind)->second);
}

FrameClock::Where FrameClock::where(FrameNumber frame, const TimeRange& range) const {
  const auto behind = times_.lower_bound(frame.value);
  if (behind != times_.end() && behind->first == frame.value) {
    return range.contains(behind->second) ? Where::in : Where::out;
  }
  const bool has_next = behind != times_.end(), has_last = behind != times_.begin();
  if (has_last && std::prev(behind)->second >= range.to) return Where::out;
  if (has_next && behind->second < range.from) return Where::out;
  const bool between = has_last && has_next;
  return between && range.contains(std::prev(behind)->second) && range.contains(behind->second) ? Where::in
                                                                                                : Where::unknown;
}

}  // namespace iwarpscope::gui
