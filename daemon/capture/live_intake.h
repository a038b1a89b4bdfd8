// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Frames from interfaces.
#pragma once

#include <memory>
#include <vector>

#include <tl/expected.hpp>

#include "capture/live_interface.h"
#include "capture/live_reader.h"
#include "capture/queued_intake.h"
#include "capture/type_handlers.h"

namespace iwarpscope::capture {

class LiveIntake final : public QueuedIntake {
 public:
  /// Opens all interfaces. Starts no thread.
  [[nodiscard]] static tl::expected<std::unique_ptr<Intake>, Error> open(const IntakeOptions& options);
  ~LiveIntake() override { stop_and_join(); }

  void start() override;
  void set_filter(const std::string& interface, const std::string& filter) override;
  [[nodiscard]] std::vector<IntakeCounters> counters() const override;

 private:
  LiveIntake(std::size_t lanes, const IntakeOptions& options);
  [[nodiscard]] std::optional<Error> add(const InterfaceOptions& options, const TapGroups& groups);
  void give(TimeMerge::Run& run) override;

  TypeHandlers handlers_;
  std::vector<std::unique_ptr<LiveInterface>> interfaces_;
  std::vector<std::unique_ptr<LiveReader>> readers_;  ///< by lane
  std::uint64_t given_ = 0;
};

}  // namespace iwarpscope::capture
