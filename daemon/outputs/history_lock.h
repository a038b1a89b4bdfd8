// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Whose history it is: one process writes it.
#pragma once

#include <string>

#include <tl/expected.hpp>

#include "outputs/database.h"

namespace iwarpscope::outputs {

/// A lock on a file beside the database, "PATH.lock": a lock on the database itself would be in SQLite's way. It goes
/// with this object, or with the process; the file stays.
class HistoryLock {
 public:
  HistoryLock() = default;
  ~HistoryLock() { release(); }
  HistoryLock(const HistoryLock&) = delete;
  HistoryLock& operator=(const HistoryLock&) = delete;

  /// Does nothing while it is held; takes it again if the file was removed. Fails when another process holds it, too.
  [[nodiscard]] Stored<void> take(const std::string& path);
  /// Whether another process holds it now. Does not take the lock.
  [[nodiscard]] static bool is_taken(const std::string& path);

 private:
  void release();
  int file_ = -1;
};

}  // namespace iwarpscope::outputs
