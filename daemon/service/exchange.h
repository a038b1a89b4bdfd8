// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// A sink that can become another one of its kind while it runs.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "outputs/sink.h"

namespace iwarpscope::service {

/// Passes everything on to a sink; with reopen(), it finishes that one and makes the next, if there is to be one.
/// No record is lost or written twice between the two. name() and wanted() stay those of the first.
class Exchange final : public outputs::Sink {
 public:
  using Make = std::function<std::unique_ptr<outputs::Sink>()>;

  explicit Exchange(const Make& make) : sink_(make()) {}

  /// What reopen() is to make. Any thread.
  void become(Make next) {
    const std::lock_guard lock(mutex_);
    next_ = std::move(next);
  }

  [[nodiscard]] std::string_view name() const noexcept override { return sink_->name(); }
  [[nodiscard]] live::Wanted wanted() const override { return sink_->wanted(); }
  std::size_t take(const std::vector<live::Event>& events) override { return sink_->take(events); }
  void missed(std::uint64_t events) override { sink_->missed(events); }
  [[nodiscard]] std::uint64_t withheld() const noexcept override {
    const std::lock_guard lock(mutex_);
    return withheld_before_ + sink_->withheld();
  }
  void tend() override { sink_->tend(); }
  void finish() override { sink_->finish(); }
  [[nodiscard]] std::string trouble() const override {
    const std::lock_guard lock(mutex_);
    return sink_->trouble();
  }
  void reopen() override;
  void hurry() noexcept override {
    const std::lock_guard lock(mutex_);
    sink_->hurry();
  }

 private:
  mutable std::mutex mutex_;             ///< for sink_ as other threads see it, and next_
  std::unique_ptr<outputs::Sink> sink_;  ///< changed by its own thread only
  Make next_;
  std::uint64_t withheld_before_ = 0;  ///< by earlier ones
};

}  // namespace iwarpscope::service
