// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The counters of the intake, for the analysis and its answers.
#pragma once

#include <vector>

#include "analysis/records.h"
#include "capture/intake.h"
#include "live/views.h"

namespace iwarpscope::live {

/// The counters of all interfaces as they were read last. Not thread-safe.
class IntakeAccount {
 public:
  void read(const capture::Intake& intake);

  [[nodiscard]] const std::vector<capture::IntakeCounters>& counters() const noexcept { return counters_; }
  /// Frames, of all interfaces together.
  [[nodiscard]] const Losses& losses() const noexcept { return losses_; }
  /// Frames come from files: no clock of this machine made their times.
  [[nodiscard]] bool is_replay() const noexcept { return is_replay_; }
  /// Not all of the files was read: the replay was ended early.
  [[nodiscard]] bool is_cut() const noexcept;
  [[nodiscard]] analysis::CaptureInfo capture_info() const;
  [[nodiscard]] std::vector<InterfaceView> interfaces() const;
  /// Their names and tap groups, by number.
  [[nodiscard]] std::vector<NumberedInterface> numbered(const capture::TapGroups& groups) const;

 private:
  std::vector<capture::IntakeCounters> counters_;
  Losses losses_;
  bool is_replay_ = false;
};

}  // namespace iwarpscope::live
