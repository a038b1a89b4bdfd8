// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The report for people.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

#include "analysis/records.h"
#include "findings/finding.h"
#include "qp/records.h"
#include "report/sink.h"

namespace iwarpscope::report {

struct TextOptions {
  bool messages = false;  ///< a line for each message and finding, as they come
  std::optional<std::uint64_t> qp =
      std::nullopt;             ///< this queue pair in detail; the records of others must be kept out by the caller
  bool notes = false;           ///< list them too, and what only repeats a verdict; otherwise they are counted
  bool color = false;           ///< ANSI colours
  std::size_t columns = 100;    ///< no line is longer, but for long words and the lines of `messages`
  std::size_t table_rows = 50;  ///< queue pairs listed; the worst, then the busiest, when there are more
  std::size_t examples = 3;     ///< findings shown of each rule; of one queue pair in detail: ten times as many
};

/// From so many `columns` on the table may have latencies, which need the messages.
inline constexpr std::size_t kColumnsForLatency = 120;

/// Prints the result, the incidents, the capture, the queue pairs and the findings by rule when the summary comes; with
/// `messages` a line for each message and finding before that. Bounded: it keeps what it will print (`table_rows` queue
/// pairs, `examples` findings and 1000 queue pair numbers a rule), two octets for each queue pair, and with `qp` 100
/// 000 latencies; without it, where lines have room for them, 100 000 of each queue pair and two million in all.
class TextObserver final : public analysis::Observer {
 public:
  explicit TextObserver(Sink sink, const TextOptions& options = {});
  ~TextObserver();
  TextObserver(const TextObserver&) = delete;
  TextObserver& operator=(const TextObserver&) = delete;

  void message(const qp::MessageRecord& record) override;
  void finding(const findings::Finding& finding) override;
  void capture(const analysis::CaptureRecord& record) override;
  void qp(const qp::QpRecord& record) override;
  void summary(const analysis::SummaryRecord& record) override;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace iwarpscope::report
