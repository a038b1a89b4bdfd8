// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The outputs that the configuration asks for, together.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "live/directory.h"
#include "live/forwarding.h"
#include "live/summaries.h"
#include "outputs/outlet.h"
#include "outputs/recorder.h"
#include "outputs/run.h"
#include "service/configuration.h"

namespace iwarpscope::service {

class Exchange;
struct OutputKind;

/// Starts them with start(), each on its thread. views() is for any thread, everything else for one.
class Outlets {
 public:
  Outlets() = default;
  ~Outlets() { stop(); }
  Outlets(const Outlets&) = delete;
  Outlets& operator=(const Outlets&) = delete;

  /// The user to name in errors about missing permissions. Call before start().
  void run_as(std::string user) { user_ = std::move(user); }
  /// `directory` and `recorder` (null: none) must live until stop() has returned.
  void start(const Configuration& configuration, const outputs::Run& run, live::Directory& directory,
             outputs::Recorder* recorder);
  /// The delivery of the history. Null: the configuration does not ask for it. Any thread, after start().
  [[nodiscard]] live::Forwarding* forwarding() noexcept { return forwards_ ? forwarding_.get() : nullptr; }
  /// Where the analysis puts summaries for the history.
  [[nodiscard]] const std::shared_ptr<live::SummaryBox>& summaries() const noexcept { return summaries_; }
  /// Reopens files, and applies the differences between the two configurations that need no restart.
  void reload(const Configuration& before, const Configuration& now);
  /// All at the same time, so that one slow output costs the others nothing: within the time of an Outlet.
  void stop();
  [[nodiscard]] std::vector<live::OutputView> views() const;

 private:
  void add(std::unique_ptr<outputs::Sink> sink, std::size_t queue);

  std::string user_;
  outputs::Run run_;
  live::Directory* directory_ = nullptr;
  const std::shared_ptr<live::Forwarding> forwarding_ = std::make_shared<live::Forwarding>();
  const std::shared_ptr<live::SummaryBox> summaries_ = std::make_shared<live::SummaryBox>();
  std::atomic<bool> forwards_ = false;
  std::vector<std::pair<const OutputKind*, Exchange*>> exchanges_;  ///< each belongs to its outlet
  outputs::Recorder* recorder_ = nullptr;
  mutable std::mutex mutex_;
  std::vector<std::unique_ptr<outputs::Outlet>> all_;  ///< grows under mutex_
};

}  // namespace iwarpscope::service
