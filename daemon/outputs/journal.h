// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Findings in the systemd journal.
#pragma once

#include <sys/uio.h>

#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "live/threshold.h"
#include "outputs/sink.h"

namespace iwarpscope::outputs {

struct JournalOptions {
  findings::Severity at_least = findings::Severity::warning;
  std::vector<std::string> thresholds{};               ///< lines of live::Threshold
  std::string socket = "/run/systemd/journal/socket";  ///< that journald listens on; without it there is no journal
  /// Tests: instead of sd_journal_sendv(). Returns 0 or a negative errno.
  std::function<int(const iovec* fields, int count)> send;
};

/// Sends each finding with the fields
///   MESSAGE=           "10.0.0.1:4000 <-> 10.0.0.2:5000: MF-04: " and the finding's sentence
///   PRIORITY=          3 (error), 4 (warning), 6 (note)
///   IWARPSCOPE_RULE=   the rule's code; IWARPSCOPE_RULE_NAME= its name
///   IWARPSCOPE_QP=     number, IWARPSCOPE_A= and IWARPSCOPE_B= its ends; not there when it speaks of no queue pair
///   IWARPSCOPE_FRAME=  the frame that decided it; not there when none did
///   IWARPSCOPE_SENSOR=, _SENSOR_UUID=, _RUN_UUID=, _SEQUENCE=, _INTERFACE=, _TAP_GROUP=, _COMMUNITY_ID=
///                      the name of the record, as far as it is known
/// Control characters are shown as \xNN.
class Journal final : public Sink {
 public:
  explicit Journal(JournalOptions options = {});

  [[nodiscard]] std::string_view name() const noexcept override { return "journal"; }
  [[nodiscard]] live::Wanted wanted() const override;
  std::size_t take(const std::vector<live::Event>& events) override;
  [[nodiscard]] std::uint64_t withheld() const noexcept override { return gate_.withheld(); }
  [[nodiscard]] std::string trouble() const override;

 private:
  [[nodiscard]] bool send(const live::FindingView& finding);
  void tell(std::string text);

  const JournalOptions options_;
  live::ThresholdGate gate_;
  mutable std::mutex mutex_;
  std::string trouble_;  ///< under mutex_
};

}  // namespace iwarpscope::outputs
