// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Filters and changes records on their way into a report, as the options require.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

#include "analysis/records.h"
#include "findings/catalogue.h"

namespace iwarpscope::cli {

/// Passes records on. With `only_qp` it passes only those of this queue pair, and always the capture and the summary.
/// With `timing` it adds the time since construction to the summary. Remembers the worst finding it passed on.
class Tap final : public analysis::Observer {
 public:
  /// Borrows `report`.
  Tap(analysis::Observer& report, std::optional<std::uint64_t> only_qp, bool timing)
      : report_(report), only_qp_(only_qp), timing_(timing), start_(std::chrono::steady_clock::now()) {}

  void message(const qp::MessageRecord& record) override {
    if (!only_qp_ || record.qp == *only_qp_) report_.message(record);
  }
  void finding(const findings::Finding& finding) override {
    if (only_qp_ && finding.qp != only_qp_) return;
    const findings::Severity severity = findings::rule(finding.id).severity;
    if (!worst_ || severity > *worst_) worst_ = severity;
    report_.finding(finding);
  }
  void capture(const analysis::CaptureRecord& record) override { report_.capture(record); }
  void qp(const qp::QpRecord& record) override {
    if (only_qp_ && record.qp != *only_qp_) return;
    qp_seen_ = true;
    report_.qp(record);
  }
  [[nodiscard]] bool takes_qps() const override { return report_.takes_qps(); }
  void summary(const analysis::SummaryRecord& record) override {
    qps_ = record.qps;
    if (!timing_) return report_.summary(record);
    analysis::SummaryRecord timed = record;
    const auto elapsed = std::chrono::steady_clock::now() - start_;
    timed.elapsed_ns = std::chrono::duration_cast<std::chrono::nanoseconds>(elapsed).count();
    report_.summary(timed);
  }

  [[nodiscard]] std::optional<findings::Severity> worst() const noexcept { return worst_; }
  /// The requested queue pair does not exist.
  [[nodiscard]] bool missed_qp() const noexcept { return only_qp_ && !qp_seen_; }
  [[nodiscard]] std::uint64_t qps() const noexcept { return qps_; }

 private:
  analysis::Observer& report_;
  std::optional<std::uint64_t> only_qp_;
  bool timing_;
  std::chrono::steady_clock::time_point start_;
  std::optional<findings::Severity> worst_;
  bool qp_seen_ = false;
  std::uint64_t qps_ = 0;
};

}  // namespace iwarpscope::cli
