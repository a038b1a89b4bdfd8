// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// What the report for people keeps, and the functions that print its parts. For
// report/ itself, and for the command that shows one queue pair of a running daemon as the report would.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/records.h"
#include "findings/finding.h"
#include "qp/records.h"
#include "report/text.h"

namespace iwarpscope::report {

/// ANSI colours, or nothing, and the columns there are for a sentence. Lives as long as needed; a plain value.
class Paint {
 public:
  explicit Paint(bool on, std::size_t width = 100) noexcept : on_(on), width_(width) {}
  [[nodiscard]] std::size_t width() const noexcept { return width_; }
  [[nodiscard]] std::string bold(std::string_view text) const { return painted("1", text); }
  [[nodiscard]] std::string dim(std::string_view text) const { return painted("2", text); }
  [[nodiscard]] std::string good(std::string_view text) const { return painted("32", text); }
  /// error red, warning yellow, note blue.
  [[nodiscard]] std::string severity(findings::Severity severity, std::string_view text) const;

 private:
  [[nodiscard]] std::string painted(std::string_view code, std::string_view text) const;
  bool on_;
  std::size_t width_;
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
};

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

/// The verdicts of all queue pairs: counts, the worst, the hosts and paths blamed for more than one, and what went
/// wrong first. Bounded.
class VerdictList {
 public:
  void add(const qp::QpRecord& record);
  /// Appends an empty line and whole lines, or nothing.
  void append(std::string& out, const Paint& paint) const;

 private:
  static constexpr std::size_t kListed = 10;
  static constexpr std::size_t kMostHosts = 4096;
  std::array<std::uint64_t, 6> counts_{};  ///< by outcome
  /// Queue pairs whose verdicts are of one kind, between the same hosts, those of good ones by themselves.
  struct Alike {
    qp::QpRecord first;
    std::string kind;                ///< of the verdict, and the hosts; empty: of a good one
    std::vector<std::uint64_t> qps;  ///< at most kShown of them
    std::uint64_t count = 0;
    static constexpr std::size_t kShown = 8;
  };
  std::vector<Alike> worst_;  ///< the worst first
  /// How often a host or path was blamed, and the advice given.
  struct Blamed {
    std::uint64_t qps = 0;
    std::map<std::string, std::uint64_t> next;  ///< at most kMostAdvice
    static constexpr std::size_t kMostAdvice = 4;
  };
  std::map<net::IpAddress, Blamed> hosts_;
  std::map<std::pair<net::IpAddress, net::IpAddress>, Blamed> paths_;  ///< the lower address first
  struct Trouble {
    FrameNumber frame;
    std::uint64_t qp = 0;
    net::Endpoint a, b;
  };
  static constexpr std::size_t kFirstTroubles = 3;
  std::vector<Trouble> first_;  ///< the first first, at most kFirstTroubles

  void remember_blamed(const qp::QpRecord& record);
  void remember_first(const qp::QpRecord& record);
  void append_blamed(std::string& out, const Paint& paint) const;
  void append_first(std::string& out, const Paint& paint) const;
};

/// Each appends whole lines to `out`.
/// Precondition: the record has a verdict.
void append_verdict(std::string& out, const Paint& paint, const qp::QpRecord& record);
void append_message(std::string& out, const Paint& paint, const qp::MessageRecord& record);
void append_finding_line(std::string& out, const Paint& paint, const findings::Finding& finding);
void append_capture(std::string& out, const Paint& paint, const analysis::CaptureRecord& record, const QpTotals& totals,
                    std::optional<std::uint64_t> only_qp);
/// Whether append_capture() names octets that should be there and are not.
[[nodiscard]] bool has_losses(const analysis::CaptureRecord& record, const QpTotals& totals);
/// `rows` in the order to print; `total` queue pairs there are.
void append_table(std::string& out, const Paint& paint, const std::vector<QpRow>& rows, std::uint64_t total);
void append_qp(std::string& out, const Paint& paint, const qp::QpRecord& record, const QpLatencies& latencies);

/// What append_findings() needs to know of the whole.
struct FindingsContext {
  std::optional<TimePoint> start;  ///< of the capture
  const analysis::SummaryRecord* summary = nullptr;
  std::optional<std::uint64_t> only_qp;
  bool losses = false;  ///< the capture lacks something
  std::uint64_t frames = 0, undecoded_frames = 0;
};
void append_findings(std::string& out, const Paint& paint, const RuleGroups& groups, const FindingsContext& context);

}  // namespace iwarpscope::report
