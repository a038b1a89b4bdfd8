// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "analysis/conclusion.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "analysis/capture_findings.h"
#include "base/wording.h"
#include "verdict/capture_span.h"

namespace iwarpscope::analysis {
namespace {

using findings::FindingId;

constexpr std::int64_t kClockToleranceNs = 10'000'000;
constexpr std::int64_t kStepNs = 5'000'000;

/// QP-04: nothing that ended badly is silent, but for what the capture's own loss may have made to look so.
void tell_bad_end(Merger& merger, const qp::QpRecord& record, const CaptureClock& clock) {
  const qp::VerdictRecord& verdict = *record.verdict;
  const bool names_none = verdict.blame == qp::Blame::unknown || verdict.blame == qp::Blame::capture;
  if (!qp::ended_badly(verdict.outcome) || (names_none && verdict.confidence == qp::Confidence::limited)) return;
  const auto& noted = record.story.findings;
  const auto says_so = [](const qp::NotedFinding& n) {
    const findings::Rule& rule = findings::rule(n.id);
    return rule.severity != findings::Severity::note && rule.about != findings::About::capture;
  };
  if (std::any_of(noted.begin(), noted.end(), says_so)) {
    return;
  }
  findings::Finding f;
  f.id = FindingId::rdmap_failed_otherwise;
  f.qp = record.qp;
  f.frame = clock.last_frame();
  f.frames = verdict.evidence.empty() ? std::vector{record.last_frame} : verdict.evidence;
  f.time = clock.last_time();
  f.seen = qp::name(verdict.outcome);
  f.text = verdict.text;
  merger.finding(f);
}

/// CA-21, SX-13.
void tell_about_models(CaptureFindings& to, const ShardStatistics& all, const Merger& merger) {
  const std::uint64_t shared = merger.cross_stage().evicted();
  to.tell(FindingId::capture_model_limit, all.model_evictions + shared,
          fmt::format("The models of single queue pairs discarded {}, the models of the whole capture {}.",
                      counted(all.model_evictions, "extent"), counted(shared, "word")));
  to.tell(FindingId::mpa_clear_text, merger.qps(),
          fmt::format("{} in clear text.", merger.qps() == 1
                                               ? "1 queue pair sends everything"
                                               : fmt::format("{} queue pairs send everything", merger.qps())));
}

/// The last record of a queue pair, for those who look at all of them.
qp::QpRecord see_end(Judge& judge, std::uint64_t number, const verdict::CaptureSpan& span, const CaptureClock& clock,
                     Merger& merger, Surroundings& surroundings) {
  qp::QpRecord record = judge.settle(number, span);
  surroundings.see(record, span);
  tell_bad_end(merger, record, clock);
  return record;
}

}  // namespace

std::optional<findings::Finding> CaptureClock::see(const net::Frame& frame) {
  if (!first_time_) first_time_ = frame.time;
  const TimePoint before = last_time_;
  const FrameNumber frame_before = last_frame_;
  last_time_ = frame.time;
  passed_.reset();
  last_frame_ = frame.number;
  is_step_ = !step_ || std::abs(elapsed_ns(*step_, frame.time)) >= kStepNs;
  if (is_step_) step_ = frame.time;
  if (went_back_ || frame_before.value == 0 || elapsed_ns(frame.time, before) <= kClockToleranceNs) return std::nullopt;
  went_back_ = true;
  findings::Finding f;
  f.id = FindingId::capture_clock_went_back;
  f.frame = frame.number;
  f.frames = {frame_before, frame.number};
  f.time = frame.time;
  f.seen = fmt::format("{} ns", elapsed_ns(frame.time, before));
  f.text = fmt::format("The time of frame {} is {} ms before that of the frame before it.", frame.number.value,
                       elapsed_ns(frame.time, before) / 1'000'000);
  return f;
}

std::size_t retire(Shards& shards, Merger& merger, Judge& judge, const CaptureClock& clock, const RetireLimits& limits,
                   const verdict::CaptureSpan& span, Surroundings& surroundings, Observer& observer) {
  Reports reports;
  std::vector<std::uint64_t> numbers;
  for (std::uint32_t s = 0; s < shards.size(); ++s) {
    for (const std::uint32_t index : shards[s]->retire(clock.last_frame(), clock.now(), limits, reports)) {
      numbers.push_back(merger.number_of(QpPlace{s, index}));
    }
  }
  merger.take(reports);
  std::sort(numbers.begin(), numbers.end());
  for (const std::uint64_t number : numbers) {
    const QpPlace place = merger.place(number);
    observer.qp(see_end(judge, number, span, clock, merger, surroundings));
    merger.forget(number);
    shards[place.shard]->release(place.index);
  }
  return numbers.size();
}

verdict::CaptureSpan whole_capture(const CaptureClock& clock, const CaptureInfo& info) {
  verdict::CaptureSpan span{clock.now(), false};
  for (const InterfaceInfo& i : info.interfaces) span.has_drops = span.has_drops || i.dropped.value_or(0) != 0;
  return span;
}

void conclude(Shards& shards, Merger& merger, Judge& judge, const CaptureClock& clock, const net::Statistics& net,
              const CaptureInfo& info, const verdict::CaptureSpan& span, Surroundings& surroundings,
              Observer& observer) {
  Reports reports;
  for (const auto& shard : shards) shard->finish_trials(clock.last_frame(), clock.last_time(), reports);
  merger.take(reports);
  const std::vector<std::uint64_t> numbers = merger.numbers();
  for (const std::uint64_t number : numbers) {
    const QpPlace place = merger.place(number);
    shards[place.shard]->finish(place.index, clock.last_frame(), clock.last_time(), reports);
    merger.take(reports);
  }
  merger.finish(clock.last_frame(), clock.last_time());
  ShardStatistics all;
  for (const auto& shard : shards) all += shard->statistics();
  Judge first_look = judge;
  for (const std::uint64_t number : numbers) see_end(first_look, number, span, clock, merger, surroundings);
  CaptureFindings capture_findings(merger, {clock.last_frame(), clock.last_time()});
  tell_about_capture(capture_findings, net, info, all, surroundings.forgotten());
  surroundings.tell(capture_findings, span);
  tell_about_models(capture_findings, all, merger);

  CaptureRecord capture;
  capture.info = info;
  capture.frames = net.frames;
  capture.octets = net.octets;
  capture.first_time = clock.first_time();
  if (clock.first_time()) capture.last_time = clock.last_time();
  capture.truncated_frames = net.truncated_frames;
  capture.ip_fragments = net.ip_fragments;
  capture.mirror_duplicates = all.mirror_duplicates;
  capture.undecoded_frames = net.unsupported_link + net.malformed;
  capture.refused = surroundings.refused();
  capture.unanswered = surroundings.unanswered();
  observer.capture(capture);

  for (const std::uint64_t number : numbers) observer.qp(judge.settle(number, span));
  SummaryRecord summary = merger.counts();
  summary.qps = merger.qps();
  summary.messages = all.messages;
  summary.findings_suppressed = all.suppressed_findings + merger.cross_stage().suppressed();
  observer.summary(summary);
}

}  // namespace iwarpscope::analysis
