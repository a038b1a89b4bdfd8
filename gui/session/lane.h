// Questions that are asked one after the other, and keep nobody waiting but one another.
#pragma once

#include <QObject>
#include <QThread>

#include <functional>
#include <memory>

#include "api/client.h"

namespace iwarpscope::gui {

/// A connection with a thread of its own.
class Lane {
 public:
  explicit Lane(std::unique_ptr<api::Client> client);
  /// Interrupts what goes on; what was not begun is not done.
  ~Lane();
  Lane(const Lane&) = delete;
  Lane& operator=(const Lane&) = delete;

  /// Does the work in the lane's thread, after all that was posted before. Any thread.
  void post(std::function<void(api::Client&)> work);
  /// Interrupts what goes on; what is posted afterwards fails at once. Waits for nothing.
  void stop();

 private:
  const std::unique_ptr<api::Client> client_;
  QThread thread_;
  QObject inside_;  ///< lives in that thread
};

}  // namespace iwarpscope::gui
