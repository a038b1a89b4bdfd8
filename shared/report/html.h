// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The report as one HTML file: for a mail, a ticket, or print.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "analysis/records.h"
#include "base/time_point.h"
#include "findings/finding.h"
#include "qp/records.h"
#include "report/sink.h"

namespace iwarpscope::report {

struct HtmlOptions {
  std::string program;  ///< "iwarpscope 1.0"
  TimePoint made;       ///< the date of the report
  std::optional<std::uint64_t> qp =
      std::nullopt;  ///< this queue pair in detail; the records of others must be kept out by the caller
  bool messages_are_traffic = true;    ///< false: traffic() has it, and messages are for the ladders only
  std::vector<std::string> remarks{};  ///< sentences about the capture, shown first
};

/// Writes one HTML file when the summary comes. Self-contained and without script: its policy lets nothing be loaded.
/// Text from outside is escaped. Shape: UTF-8.
/// Bounded: it lists the kRows worst queue pairs and describes the kSections worst of those that did not end well; of
/// each it shows kFindings findings and at most 2 * HtmlMessages::kEach messages. What is left out is counted. To do
/// so it holds at most kRows records, kHeldFindings findings, HtmlMessages::kMost messages, and 16 octets for each
/// queue pair.
class HtmlObserver final : public analysis::Observer {
 public:
  static constexpr std::size_t kRows = 1000;
  static constexpr std::size_t kSections = 50;
  static constexpr std::size_t kFewQps = 3;  ///< if there are no more, all are described
  static constexpr std::size_t kFindings = 20;
  static constexpr std::size_t kHeldFindings = 20'000;

  explicit HtmlObserver(Sink sink, HtmlOptions options);
  ~HtmlObserver();
  HtmlObserver(const HtmlObserver&) = delete;
  HtmlObserver& operator=(const HtmlObserver&) = delete;

  void message(const qp::MessageRecord& record) override;
  void finding(const findings::Finding& finding) override;
  /// ULP payload of both directions at a time, for the plot: where the messages are not all of it.
  void traffic(TimePoint time, std::uint64_t octets);
  /// One more of HtmlOptions::remarks; before summary().
  void remark(std::string sentence);
  void capture(const analysis::CaptureRecord& record) override;
  void qp(const qp::QpRecord& record) override;
  void summary(const analysis::SummaryRecord& record) override;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace iwarpscope::report
