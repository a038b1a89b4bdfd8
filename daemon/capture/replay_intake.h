// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Frames from files, as though they were captured now.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include <tl/expected.hpp>

#include "capture/file_reader.h"
#include "capture/notes.h"
#include "capture/queued_intake.h"

namespace iwarpscope::capture {

/// When frames are due that are given at the speed of their own times, or some times as fast. The clock starts with the
/// first frame, and again with restart() and when the frames' time goes back: there is no time to wait for then.
class Pace {
 public:
  /// `speed`: 0 or less: everything is due at once.
  explicit Pace(double speed) noexcept : speed_(speed) {}
  [[nodiscard]] bool is_unbounded() const noexcept { return !(speed_ > 0); }
  void restart() noexcept { start_.reset(); }
  [[nodiscard]] SteadyTime due(TimePoint frame, SteadyTime now) noexcept;

 private:
  struct Start {
    TimePoint frame;
    SteadyTime time;
  };
  double speed_;
  std::optional<Start> start_;
  TimePoint latest_;
};

/// Reads files one after another; its reader thread waits for the analysis.
class ReplayIntake final : public QueuedIntake {
 public:
  /// Opens all files, and reads the first one's header unless it is a pipe without a writer yet.
  [[nodiscard]] static tl::expected<std::unique_ptr<Intake>, Error> open(const IntakeOptions& options);
  ~ReplayIntake() override;

  void start() override;
  [[nodiscard]] std::vector<IntakeCounters> counters() const override;
  [[nodiscard]] double progress() const noexcept override;

 private:
  explicit ReplayIntake(const IntakeOptions& options);
  [[nodiscard]] std::optional<Error> open_files();
  [[nodiscard]] tl::expected<FileReader, Error> open_reader(std::size_t file);
  void read_all();
  void read_file(std::size_t file);
  void cannot_read(const Error& error);
  void cut_short();
  void replay(FileReader& reader);
  void push(std::span<const net::Frame> frames, const Storage& storage);
  void describe(const CaptureInfo& info, bool at_end);
  void say(const std::string& sentence);
  void give(TimeMerge::Run& run) override;

  const ReplayOptions options_;
  const TapGroups tap_groups_;
  std::vector<int> descriptors_;  ///< of the files that are not yet read; -1: none
  std::optional<FileReader> first_;
  std::uint64_t total_ = 0;  ///< octets of all files; 0: not known
  Pace pace_;
  std::uint64_t before_ = 0;  ///< frames of the files before this one
  std::uint64_t consumed_before_ = 0;
  std::size_t interfaces_before_ = 0;

  std::atomic<std::uint64_t> consumed_{0}, frames_{0}, octets_{0}, dropped_by_queue_{0};
  mutable std::mutex mutex_;
  IntakeCounters described_;  ///< under mutex_, without what is counted above and the warnings
  Notes notes_;               ///< under mutex_
};

}  // namespace iwarpscope::capture
