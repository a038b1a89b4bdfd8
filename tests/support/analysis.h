// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Frames of the synthesiser through the whole analyser, for tests.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "analysis/analyzer.h"
#include "synth/frame.h"

namespace iwarpscope::test {

/// Everything an analysis reported, in the order reported.
struct Report final : analysis::Observer {
  std::vector<qp::MessageRecord> messages;
  std::vector<findings::Finding> findings;
  std::vector<qp::QpRecord> qps;
  analysis::CaptureRecord capture_record;
  analysis::SummaryRecord summary_record;

  void message(const qp::MessageRecord& r) override { messages.push_back(r); }
  void finding(const findings::Finding& f) override { findings.push_back(f); }
  void qp(const qp::QpRecord& r) override { qps.push_back(r); }
  void capture(const analysis::CaptureRecord& r) override { capture_record = r; }
  void summary(const analysis::SummaryRecord& r) override { summary_record = r; }

  [[nodiscard]] std::size_t count(findings::FindingId id) const {
    return static_cast<std::size_t>(
        std::count_if(findings.begin(), findings.end(), [id](const auto& f) { return f.id == id; }));
  }
  [[nodiscard]] const findings::Finding* find(findings::FindingId id) const {
    const auto it = std::find_if(findings.begin(), findings.end(), [id](const auto& f) { return f.id == id; });
    return it == findings.end() ? nullptr : &*it;
  }
  /// Findings of error severity.
  [[nodiscard]] std::size_t errors() const { return summary_record.errors; }
  /// The text of the first finding of a rule; empty without one.
  [[nodiscard]] std::string text_of(findings::FindingId id) const {
    const findings::Finding* const found = find(id);
    return found == nullptr ? std::string() : found->text;
  }
  /// "MF-04 MF-19": the codes raised, in order, for messages of failed tests.
  [[nodiscard]] std::string codes() const {
    std::string all;
    for (const auto& f : findings) all += std::string(findings::rule(f.id).code) + " (" + f.text + ") ";
    return all;
  }
};

/// The frame as the core takes it; borrows.
[[nodiscard]] inline net::Frame frame_of(const synth::Frame& f, std::uint64_t number) {
  net::Frame frame;
  frame.number = FrameNumber{number};
  frame.time = TimePoint{f.time_ns};
  frame.link = static_cast<net::LinkType>(f.link_type);
  frame.interface = f.interface;
  frame.original_length = f.original_length;
  frame.octets = f.octets;
  return frame;
}

[[nodiscard]] inline Report analyze(const synth::Frames& frames, const analysis::Options& options = {.messages = true},
                                    const analysis::CaptureInfo& info = {}) {
  Report report;
  analysis::Analyzer analyzer(options, report);
  std::uint64_t number = 0;
  for (const synth::Frame& f : frames) analyzer.feed(frame_of(f, ++number));
  analyzer.finish(info);
  return report;
}

/// The verdict on the first queue pair; an empty one without a queue pair.
[[nodiscard]] inline qp::VerdictRecord first_verdict(const synth::Frames& frames) {
  const Report report = analyze(frames);
  if (report.qps.empty() || !report.qps.front().verdict) return {};
  return *report.qps.front().verdict;
}

}  // namespace iwarpscope::test
