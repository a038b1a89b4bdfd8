// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The files of an incident bundle, made from the records of an analysis.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <tl/expected.hpp>

#include "analysis/records.h"
#include "base/time_point.h"
#include "bundle/packets.h"
#include "live/views.h"
#include "report/html.h"
#include "report/json.h"

namespace iwarpscope::bundle {

struct Request {
  std::optional<std::uint64_t> qp = std::nullopt;  ///< empty: all queue pairs that did not end well
  bool cut_payload = false;
  std::string output;   ///< the zip file
  std::string program;  ///< "iwarpscope 1.0"
  TimePoint made;       ///< the date of the report
  const std::atomic<bool>* stop = nullptr;
};

struct Result {
  std::uint64_t qps = 0;  ///< whose packets and log lines it has
  std::uint64_t packets = 0;
  std::vector<std::string> remarks;  ///< sentences: what is missing in it
};

/// A folder that is removed with all its files.
class TemporaryFolder {
 public:
  /// Fails with a sentence.
  [[nodiscard]] static tl::expected<TemporaryFolder, std::string> make();
  TemporaryFolder(TemporaryFolder&& other) noexcept : path_(std::exchange(other.path_, {})) {}
  TemporaryFolder& operator=(TemporaryFolder&&) = delete;
  ~TemporaryFolder();
  [[nodiscard]] const std::string& path() const noexcept { return path_; }
  [[nodiscard]] std::string file(const std::string& name) const { return path_ + "/" + name; }

 private:
  explicit TemporaryFolder(std::string path) : path_(std::move(path)) {}
  std::string path_;
};

/// Takes the records of an analysis, in the order of reports, and leaves report.html, report.json, events.jsonl and
/// README.txt in a folder. With Request::qp it passes over the records of other queue pairs.
/// Bounded as report::HtmlObserver; besides it holds at most kQps records of queue pairs and kFindings findings.
class Contents final : public analysis::Observer {
 public:
  static constexpr std::size_t kQps = 1000;
  static constexpr std::size_t kFindings = 100'000;

  /// Both are borrowed.
  Contents(const Request& request, const TemporaryFolder& folder, report::HtmlOptions html);

  void message(const qp::MessageRecord& record) override;
  void finding(const findings::Finding& finding) override;
  void capture(const analysis::CaptureRecord& record) override;
  void qp(const qp::QpRecord& record) override;
  void summary(const analysis::SummaryRecord& record) override;
  /// The record that comes next, as a daemon has it: events.jsonl has its name, too.
  void next(live::FindingView view) { next_finding_ = std::move(view); }
  void next(live::QpView view) { next_qp_ = std::move(view); }
  [[nodiscard]] report::HtmlObserver& html() noexcept { return html_; }

  /// After summary(): which packets.
  [[nodiscard]] const Connections& connections() const noexcept { return connections_; }
  [[nodiscard]] std::map<FrameNumber, std::string> comments() const;
  [[nodiscard]] std::uint64_t qps() const noexcept { return qps_.size(); }
  void remark(std::string sentence) { remarks_.push_back(std::move(sentence)); }
  /// Completes all files, writes the zip file with them and with packets.pcapng if it is in the folder.
  [[nodiscard]] tl::expected<Result, std::string> finish(const PacketsWritten& packets);

 private:
  [[nodiscard]] bool is_of_others(std::optional<std::uint64_t> qp) const { return request_.qp && qp != request_.qp; }
  void write_events();
  void write_readme(const PacketsWritten& packets);

  const Request& request_;
  const TemporaryFolder& folder_;
  std::ofstream html_file_, json_file_;
  report::HtmlObserver html_;
  report::JsonObserver json_;
  std::vector<live::FindingView> findings_;
  std::uint64_t findings_left_out_ = 0, qps_left_out_ = 0;
  std::map<std::uint64_t, live::QpView> qps_;  ///< those that the bundle is about
  std::optional<live::FindingView> next_finding_;
  std::optional<live::QpView> next_qp_;
  Connections connections_;
  std::string file_;  ///< that was analysed, or the daemon
  std::vector<std::string> remarks_;
};

}  // namespace iwarpscope::bundle
