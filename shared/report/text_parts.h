// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// What the report for people keeps, and the functions that print its parts. For
// report/ itself, and for the command that shows one queue pair of a running daemon as the report would.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analysis/records.h"
#include "findings/finding.h"
#include "qp/records.h"
#include "report/human.h"
#include "report/incidents.h"
#include "report/text.h"

namespace iwarpscope::report {

/// ANSI colours, or nothing, and the columns there are. Lives as long as needed; a plain value.
class Paint {
 public:
  explicit Paint(bool on, std::size_t columns = kSentenceWidth) noexcept : on_(on), columns_(columns) {}
  [[nodiscard]] std::size_t columns() const noexcept { return columns_; }                          ///< of a table
  [[nodiscard]] std::size_t width() const noexcept { return std::min(columns_, kSentenceWidth); }  ///< of a sentence
  [[nodiscard]] std::string bold(std::string_view text) const { return painted("1", text); }
  [[nodiscard]] std::string dim(std::string_view text) const { return painted("2", text); }
  [[nodiscard]] std::string good(std::string_view text) const { return painted("32", text); }
  /// error red, warning yellow, note blue.
  [[nodiscard]] std::string severity(findings::Severity severity, std::string_view text) const;

 private:
  [[nodiscard]] std::string painted(std::string_view code, std::string_view text) const;
  bool on_;
  std::size_t columns_;
};

/// The findings of one rule.
struct RuleGroup {
  std::uint64_t listed = 0;  ///< findings that came; the summary counts those that did not
  FrameNumber first_frame;
  std::vector<findings::Finding> examples;  ///< the first few
  std::vector<std::uint64_t> qps;           ///< ascending, without repeats, at most kGroupQps
  bool more_qps = false;                    ///< there were others
};
inline constexpr std::size_t kGroupQps = 1000;
using RuleGroups = std::map<findings::FindingId, RuleGroup>;

/// A queue pair kept for the table.
struct QpRow {
  qp::QpRecord record;
  std::optional<findings::FindingId> worst;
  /// From a request to the last octet of its response, of both directions' Reads and Atomics.
  struct Latency {
    std::int64_t p50 = 0, p99 = 0;
  };
  std::optional<Latency> latency{};
};

/// The value that `percentile` of 100 are not above. Precondition: not empty. Changes the order.
[[nodiscard]] std::int64_t at_percentile(std::vector<std::int64_t>& values, std::size_t percentile);

/// What the capture lacks of captured directions.
struct Gaps {
  std::uint64_t octets = 0;    ///< over TCP
  std::uint64_t messages = 0;  ///< over SCTP
  [[nodiscard]] bool any() const noexcept { return octets != 0 || messages != 0; }
};
[[nodiscard]] Gaps gaps_of(const qp::QpRecord& record) noexcept;

/// All queue pairs together.
struct QpTotals {
  std::uint64_t qps = 0;
  Gaps gaps;
  std::uint64_t gap_qps = 0;
  std::uint64_t cut_octets = 0;       ///< by the snap length
  std::uint64_t unframed_octets = 0;  ///< of directions that lost framing to a cut
  std::uint64_t unframed_qps = 0;
  std::uint64_t one_sided_qps = 0;  ///< with a direction that was not captured
  void add(const qp::QpRecord& record) noexcept;
};

/// Request to response at the tap, of one direction's requests. Units: nanoseconds.
struct Latencies {
  std::vector<std::int64_t> first_octet, last_octet;  ///< at most kLatencies
  std::uint64_t answered = 0, unanswered = 0;
};
inline constexpr std::size_t kLatencies = 100'000;

struct QpLatencies {
  std::array<Latencies, 2> reads, atomics;  ///< by direction of the requests
};

/// "on", "off", "on (inferred)", "unknown".
[[nodiscard]] std::string setting_text(std::optional<bool> setting, bool inferred);
/// "QPs 0, 2 and 5", "QP 7", "12 QPs (0, 1, 2, 3, 4, ...)".
[[nodiscard]] std::string qps_text(const std::vector<std::uint64_t>& qps, bool more);

/// "QPs 0, 2 and 5", of `count` QPs of which `first` are the first.
[[nodiscard]] std::string qps_text(const std::vector<std::uint64_t>& first, std::uint64_t count);

/// analysis::CaptureInfo::file_format of what a daemon captures itself.
inline constexpr std::string_view kLiveCapture = "live capture";

/// What was captured, as labels and values. `has_losses`: append_result() named them.
using Facts = std::vector<std::pair<std::string_view, std::string>>;
[[nodiscard]] Facts capture_facts(const analysis::CaptureRecord& record, bool has_losses);

/// Each appends whole lines to `out`.
/// Precondition: the record has a verdict.
void append_verdict(std::string& out, const Paint& paint, const qp::QpRecord& record);
void append_message(std::string& out, const Paint& paint, const qp::MessageRecord& record);
void append_finding_line(std::string& out, const Paint& paint, const findings::Finding& finding);
/// The incidents, below an empty line; without any, nothing.
void append_incidents(std::string& out, const Paint& paint, const Incidents& incidents);
/// What was captured, in one line.
void append_capture_line(std::string& out, const Paint& paint, const analysis::CaptureRecord& record);
/// What the result is; with `losses`, what is missing for it.
void append_result(std::string& out, const Paint& paint, const std::string& result, const std::string& losses);
/// What else is known of the capture. `has_losses`: append_result() named them.
void append_capture(std::string& out, const Paint& paint, const analysis::CaptureRecord& record, bool has_losses);
/// What is known to be missing from the capture; empty: nothing.
[[nodiscard]] std::string losses_text(const analysis::CaptureRecord& record, const QpTotals& totals,
                                      std::optional<std::uint64_t> only_qp);
/// `rows` in the order to print; `total` queue pairs there are.
void append_table(std::string& out, const Paint& paint, const std::vector<QpRow>& rows, std::uint64_t total);
void append_qp(std::string& out, const Paint& paint, const qp::QpRecord& record, const QpLatencies& latencies);

/// What append_findings() needs to know of the whole.
struct FindingsContext {
  std::optional<TimePoint> start;  ///< of the capture
  const analysis::SummaryRecord* summary = nullptr;
  std::optional<std::uint64_t> only_qp;
  bool losses = false;                             ///< the capture lacks something
  bool notes = false;                              ///< they are wanted, and what repeats a verdict or another finding
  const std::vector<bool>* ended_badly = nullptr;  ///< by queue pair: its verdict says why
};
/// Why there is no queue pair in the capture.
[[nodiscard]] std::string no_qp_text(const analysis::CaptureRecord& record, const RuleGroups& groups);
void append_findings(std::string& out, const Paint& paint, const RuleGroups& groups, const FindingsContext& context);

}  // namespace iwarpscope::report
