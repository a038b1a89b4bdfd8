// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "service/outlets.h"

#include <algorithm>
#include <thread>
#include <utility>

#include "service/exchange.h"
#include "service/identity.h"
#include "service/keys.h"
#include "service/output_kinds.h"

namespace iwarpscope::service {
namespace {

/// A reload changed a key of this output.
bool is_changed(const OutputKind& kind, const Configuration& before, const Configuration& now) {
  return std::any_of(kind.keys.begin(), kind.keys.end(), [&](const Key& key) {
    return key.reload == Reload::applied && key.text(before) != key.text(now);
  });
}

}  // namespace

void Outlets::add(std::unique_ptr<outputs::Sink> sink, std::size_t queue) {
  outputs::OutletOptions options;
  options.queue = queue;
  auto outlet = std::make_unique<outputs::Outlet>(std::move(sink), *directory_, options);
  const std::lock_guard lock(mutex_);
  all_.push_back(std::move(outlet));
}

void Outlets::start(const Configuration& configuration, const outputs::Run& run, live::Directory& directory,
                    outputs::Recorder* recorder) {
  run_ = run;
  directory_ = &directory;
  recorder_ = recorder;
  forwards_ = configuration.history.enabled && configuration.history.options.forward;
  const outputs::HistorySurroundings around{directory_, forwarding_, summaries_};
  for (const OutputKind& kind : output_kinds()) {
    if (kind.make == nullptr || !kind.settings_of(configuration).enabled) continue;
    auto sink = std::make_unique<Exchange>(
        [&kind, configuration, run, around] { return kind.make(configuration, run, around); });
    exchanges_.emplace_back(&kind, sink.get());
    add(std::move(sink), kind.settings_of(configuration).queue);
  }
  if (recorder != nullptr) add(std::make_unique<outputs::RecorderSink>(*recorder), configuration.recorder.queue);
}

void Outlets::reload(const Configuration& before, const Configuration& now) {
  for (const auto& [kind, exchange] : exchanges_) {
    if (!is_changed(*kind, before, now)) continue;
    exchange->become(
        [kind = kind, now, run = run_, around = outputs::HistorySurroundings{directory_, forwarding_, summaries_}] {
          return kind->make(now, run, around);
        });
  }
  if (recorder_ != nullptr) recorder_->change(now.recorder.options);
  for (const auto& outlet : all_) outlet->reopen();
}

void Outlets::stop() {
  std::vector<std::thread> threads;
  threads.reserve(all_.size());
  for (const auto& outlet : all_) threads.emplace_back([&outlet] { outlet->stop(); });
  for (std::thread& thread : threads) thread.join();
}

std::vector<live::OutputView> Outlets::views() const {
  const std::lock_guard lock(mutex_);
  std::vector<live::OutputView> views;
  views.reserve(all_.size());
  for (const auto& outlet : all_) {
    views.push_back(outlet->view());
    views.back().trouble = with_user_of(views.back().trouble, user_);
  }
  if (forwards_) views.push_back(forwarding_->view());
  return views;
}

}  // namespace iwarpscope::service
