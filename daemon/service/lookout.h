// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// What the log says while the daemon runs: each thing once, when it begins and when it is over.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "capture/intake.h"
#include "live/views.h"
#include "service/log.h"
#include "service/loss_log.h"

namespace iwarpscope::service {

/// Not thread-safe.
class Lookout {
 public:
  /// `log` must outlive it. `is_last`: the daemon ends when what it replays has ended.
  Lookout(Log& log, bool is_last) : log_(log), is_last_(is_last) {}

  /// Says what went wrong since the last look, and what is over.
  void look(const live::Status& status, const std::vector<capture::IntakeCounters>& counters);
  /// Says what was lost in all: the daemon ends.
  void end(const std::vector<live::OutputView>& outputs, const std::vector<capture::IntakeCounters>& counters);

 private:
  void tell(std::vector<std::string> sentences, LogLevel level, std::set<std::string>& reported);
  void tell(const std::vector<LossLog::Sentence>& losses);

  Log& log_;
  const bool is_last_;
  LossLog losses_;
  bool end_reported_ = false;
  std::set<std::string> warnings_, news_;        ///< of interfaces, at the last look
  std::map<std::string, std::string> troubles_;  ///< of outputs, by name
};

}  // namespace iwarpscope::service
