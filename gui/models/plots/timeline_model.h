// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The timeline of the queue pair whose messages a store reads.
#pragma once

#include <QObject>
#include <QTimer>

#include "models/ladder/message_store.h"
#include "models/plots/timeline_data.h"

namespace iwarpscope::gui {

/// Sums the messages of the store. Signals changes at most ten times per second.
class TimelineModel : public QObject {
  Q_OBJECT

 public:
  explicit TimelineModel(const MessageStore& store, QObject* parent = nullptr);
  [[nodiscard]] const TimelineData& data() const noexcept { return data_; }
  /// The time of the queue pair's last frame: what was outstanding then is seen to wait until then. A reset of the
  /// store forgets it.
  void set_end(TimePoint end);
  [[nodiscard]] bool is_loading() const noexcept { return store_.is_loading(); }

 signals:
  void changed();

 private:
  void clear();
  void add(const MessageRows& page);
  void add_events();
  void reach_end();
  void tell_soon();

  const MessageStore& store_;
  TimelineData data_;
  TimePoint end_{};
  std::size_t events_ = 0;  ///< number of the store's events that were added
  QTimer timer_;
};

}  // namespace iwarpscope::gui
