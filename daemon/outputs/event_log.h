// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Findings and ended queue pairs as JSON Lines in a file.
#pragma once

#include <chrono>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "outputs/lines.h"
#include "outputs/sink.h"

namespace iwarpscope::outputs {

struct EventLogOptions {
  std::string path;
  std::uint64_t rotate_octets = std::uint64_t{64} << 20;  ///< no file grows beyond it, but for one line; 0: no limit
  unsigned keep = 5;  ///< files set aside by rotation: "path.1" is the youngest; 0: what is full is removed
  findings::Severity at_least = findings::Severity::note;  ///< of findings
  bool queue_pairs = true;                                 ///< a `qp` record when one ends
  std::chrono::milliseconds try_again_every{5000};         ///< when it could not be written
};

/// Appends the lines of lines.h; each run and each file begins with a `run` record. Holds whole lines only: half a line
/// that a crash or a full disk left is cut off. Lines that cannot be written are counted and gone; the next ones are
/// tried again, and, when none comes, a `run` record. A `lost` record says how many are missing, wherever some are.
class EventLog final : public Sink {
 public:
  EventLog(EventLogOptions options, Run run);
  ~EventLog() override;
  EventLog(const EventLog&) = delete;
  EventLog& operator=(const EventLog&) = delete;

  [[nodiscard]] std::string_view name() const noexcept override { return "event-log"; }
  [[nodiscard]] live::Wanted wanted() const override;
  std::size_t take(const std::vector<live::Event>& events) override;
  void follow(const Sink& before) override;
  void missed(std::uint64_t events) override { unwritten_ += events; }
  void tend() override;
  void finish() override;
  [[nodiscard]] std::string trouble() const override;
  void reopen() override;

 private:
  [[nodiscard]] bool open();
  void close() noexcept;
  [[nodiscard]] bool rotate();
  void cut_half_line();
  /// Writes lines; returns how many of them could not be.
  [[nodiscard]] std::size_t write(std::string_view lines);
  /// Writes a `lost` record, if one is due and can be written.
  void mark_lost();
  void fail(std::string_view what, int error);

  const EventLogOptions options_;
  const Run run_;
  int file_ = -1;
  std::uint64_t size_ = 0;
  std::optional<std::chrono::steady_clock::time_point> failed_;  ///< when, if nothing was written since
  bool rotation_failed_ = false;                                 ///< likewise
  live::RecordName last_;                                        ///< of the last record that was taken
  std::uint64_t unwritten_ = 0;                                  ///< records that no `lost` record counts yet
  bool half_line_ = false;                                       ///< the file may end in one that could not be cut off
  mutable std::mutex mutex_;
  std::string trouble_;  ///< under mutex_
};

}  // namespace iwarpscope::outputs
