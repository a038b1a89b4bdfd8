// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The report for programs: JSON Lines, one record a line, as docs/json-report.md describes it.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "analysis/records.h"
#include "findings/catalogue.h"
#include "findings/finding.h"
#include "qp/records.h"
#include "report/sink.h"

namespace iwarpscope::report {

inline constexpr int kFormat = 1;  ///< "format" of the capture record

/// Maximum numbers of records in one report, so that a hostile capture does not make one of gigabytes. 0: no limit.
struct ListLimits {
  std::uint64_t findings = 0;  ///< of each severity, so that notes do not leave out errors
  std::uint64_t qps = 0;
};
/// Records that were counted, but not written.
struct NotListed {
  std::uint64_t findings = 0, qps = 0;
};

struct JsonOptions {
  bool digest = false;                  ///< message records have "sha256", null where it is not known
  std::uint16_t community_id_seed = 0;  ///< of "community_id" in `qp` records
  ListLimits limits{};
};

/// The Community ID of its connection.
[[nodiscard]] std::string community_id(const qp::QpRecord& record, std::uint16_t seed);

/// Each appends one line, line feed included, to `out`. Shape: valid JSON and UTF-8 whatever the strings hold.
/// A record that carries a SHA-256 shows it whatever the options say.
void append_json(std::string& out, const qp::MessageRecord& record, const JsonOptions& options = {});
void append_json(std::string& out, const findings::Finding& finding);
void append_json(std::string& out, const analysis::CaptureRecord& record);
/// `community_id`: of its connection, empty if it is not known. Without it: the one with seed 0.
void append_json(std::string& out, const qp::QpRecord& record, std::optional<std::string_view> community_id = {});
/// `not_listed`: beside what SummaryRecord::findings_suppressed counts.
void append_json(std::string& out, const analysis::SummaryRecord& record, const NotListed& not_listed = {});
/// A row of the catalogue, not part of an analysis.
void append_json(std::string& out, const findings::Rule& rule);

/// A string of JSON with its quotes. The text may hold anything.
[[nodiscard]] std::string json_string(std::string_view text);

/// Writes every record it sees, within its limits. Holds at most kSinkChunk octets and one record; all is handed over
/// after summary().
class JsonObserver final : public analysis::Observer {
 public:
  explicit JsonObserver(Sink sink, JsonOptions options = {});

  void message(const qp::MessageRecord& record) override;
  void finding(const findings::Finding& finding) override;
  void capture(const analysis::CaptureRecord& record) override;
  void qp(const qp::QpRecord& record) override;
  [[nodiscard]] bool takes_qps() const override { return options_.limits.qps == 0 || qps_ < options_.limits.qps; }
  void summary(const analysis::SummaryRecord& record) override;

  /// Because of the limits. Queue pairs: after summary().
  [[nodiscard]] const NotListed& not_listed() const noexcept { return not_listed_; }

 private:
  void pass_on(std::size_t at_least);

  Sink sink_;
  JsonOptions options_;
  std::map<findings::Severity, std::uint64_t> findings_;  ///< written
  std::uint64_t qps_ = 0;                                 ///< written
  NotListed not_listed_;
  std::string buffer_;
};

}  // namespace iwarpscope::report
