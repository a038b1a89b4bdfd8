// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "models/plots/timeline_model.h"

#include <chrono>

namespace iwarpscope::gui {

TimelineModel::TimelineModel(const MessageStore& store, QObject* parent) : QObject(parent), store_(store) {
  timer_.setSingleShot(true);
  timer_.setInterval(std::chrono::milliseconds{100});
  connect(&timer_, &QTimer::timeout, this, &TimelineModel::changed);
  connect(&store, &MessageStore::reset, this, &TimelineModel::clear);
  connect(&store, &MessageStore::passed, this, &TimelineModel::add);
  connect(&store, &MessageStore::transport_changed, this, &TimelineModel::add_events);
}

void TimelineModel::clear() {
  data_ = TimelineData{};
  events_ = 0;
  end_ = {};
  tell_soon();
}

void TimelineModel::set_end(TimePoint end) {
  end_ = end;
  reach_end();
}

void TimelineModel::reach_end() {
  if (!data_.is_empty() && end_.ns > data_.begin_of(0).ns) (void)data_.at(end_.ns);
  tell_soon();
}

void TimelineModel::add(const MessageRows& page) {
  data_.add(page.messages);
  reach_end();
}

void TimelineModel::add_events() {
  const std::vector<qp::TransportEvent>& events = store_.transport();
  for (; events_ < events.size(); ++events_) data_.add(events[events_]);
  reach_end();
}

void TimelineModel::tell_soon() {
  if (!timer_.isActive()) timer_.start();
}

}  // namespace iwarpscope::gui
