// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "service/outlets.h"

#include <thread>
#include <utility>

#include "outputs/event_log.h"
#include "outputs/history.h"
#include "outputs/journal.h"
#include "service/exchange.h"
#include "service/identity.h"

namespace iwarpscope::service {
namespace {

Exchange::Make make_event_log(const Configuration& c, const outputs::Run& run) {
  return [options = c.event_log.options, run] { return std::make_unique<outputs::EventLog>(options, run); };
}
Exchange::Make make_history(const Configuration& c, const outputs::Run& run) {
  return [options = c.history.options, run] { return std::make_unique<outputs::History>(options, run); };
}

bool same(const outputs::EventLogOptions& a, const outputs::EventLogOptions& b) {
  return a.path == b.path && a.rotate_octets == b.rotate_octets && a.keep == b.keep;
}
bool same(const outputs::HistoryOptions& a, const outputs::HistoryOptions& b) {
  return a.keep == b.keep && a.most_octets == b.most_octets;
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
  if (configuration.event_log.enabled) {
    auto sink = std::make_unique<Exchange>(make_event_log(configuration, run_));
    event_log_ = sink.get();
    add(std::move(sink), configuration.event_log.queue);
  }
  if (configuration.journal.enabled) {
    outputs::JournalOptions options;
    options.at_least = configuration.journal.at_least;
    add(std::make_unique<outputs::Journal>(options), configuration.journal.queue);
  }
  if (configuration.history.enabled) {
    auto sink = std::make_unique<Exchange>(make_history(configuration, run_));
    history_ = sink.get();
    add(std::move(sink), configuration.history.queue);
  }
  if (recorder != nullptr) add(std::make_unique<outputs::RecorderSink>(*recorder), configuration.recorder.queue);
}

void Outlets::reload(const Configuration& before, const Configuration& now) {
  if (event_log_ != nullptr && !same(before.event_log.options, now.event_log.options)) {
    event_log_->become(make_event_log(now, run_));
  }
  if (history_ != nullptr && !same(before.history.options, now.history.options)) {
    history_->become(make_history(now, run_));
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
  return views;
}

}  // namespace iwarpscope::service
