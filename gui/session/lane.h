// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Requests that are sent one after the other; they block only each other.
#pragma once

#include <QObject>
#include <QThread>

#include <functional>
#include <memory>

#include "api/client.h"

namespace iwarpscope::gui {

/// A connection with its own thread.
class Lane {
 public:
  explicit Lane(std::unique_ptr<api::Client> client);
  /// Interrupts the current work; work that has not started is dropped.
  ~Lane();
  Lane(const Lane&) = delete;
  Lane& operator=(const Lane&) = delete;

  /// Does the work in the lane's thread, after all work posted before. Any thread.
  void post(std::function<void(api::Client&)> work);
  /// Interrupts the current work; work posted afterwards fails at once. Does not block.
  void stop();

 private:
  const std::unique_ptr<api::Client> client_;
  QThread thread_;
  QObject inside_;  ///< lives in that thread
};

}  // namespace iwarpscope::gui
