// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "analysis/engine.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <variant>
#include <vector>

#include "base/wording.h"
#include "findings/catalogue.h"

namespace iwarpscope::analysis {

using findings::FindingId;

Engine::Engine(const Options& options, Observer& observer, Trace* trace)
    : options_(options),
      observer_(observer),
      decoder_(options.limits.net),
      merger_(options, observer),
      shards_(make_shards(options_, trace)),
      judge_(shards_, merger_),
      surroundings_(options.limits.max_host_facts) {}

DecodedFrame Engine::decode(const net::Frame& frame) {
  auto finding = clock_.see(frame);
  DecodedFrame decoded{frame.number, frame.time, std::move(finding), clock_.is_step(), decoder_.decode(frame)};
  surroundings_.see(decoded.packet);
  return decoded;
}

void Engine::feed(const net::Frame& frame) {
  const DecodedFrame decoded = decode(frame);
  if (decoded.finding) merger_.raise(*decoded.finding);
  if (decoded.is_step) {
    for (const auto& shard : shards_) shard->pass_time(decoded.number, decoded.time, reports_);
  }
  if (const auto* packet = std::get_if<net::TcpPacket>(&decoded.packet)) {
    shards_[shard_of(packet->flow())]->feed(*packet, reports_);
  } else if (const auto* sctp = std::get_if<net::SctpPacket>(&decoded.packet)) {
    shards_[shard_of(*sctp)]->feed(*sctp, reports_);
  }
  merger_.take(reports_);
}

qp::QpRecord Engine::look(std::uint64_t number, const verdict::CaptureSpan& span) const {
  return judge_.look(number, span);
}

std::uint64_t Engine::flow_hash(std::uint64_t number) const {
  const QpPlace place = merger_.place(number);
  return shards_[place.shard]->flow_hash(place.index);
}

TimePoint Engine::last_time(std::uint64_t number) const {
  const QpPlace place = merger_.place(number);
  return shards_[place.shard]->last_time(place.index);
}

std::vector<std::uint64_t> Engine::take_fed(std::uint32_t shard) {
  std::vector<std::uint64_t> numbers;
  for (const std::uint32_t index : shards_[shard]->take_fed()) numbers.push_back(merger_.number_of({shard, index}));
  std::ranges::sort(numbers);
  return numbers;
}

qp::QpRecord Engine::look_in_round(std::uint64_t number, const verdict::CaptureSpan& span) {
  qp::QpRecord record = look(number, span);
  surroundings_.see(record, span);
  return record;
}

void Engine::end_round(const verdict::CaptureSpan& span) {
  findings::CaptureFindings to = findings_at_end();
  surroundings_.tell(to, span);
  surroundings_.restart();
}

void Engine::retire(const RetireLimits& limits, const verdict::CaptureSpan& span) {
  Reports reports;
  std::vector<std::uint64_t> numbers;
  for (std::uint32_t s = 0; s < shards_.size(); ++s) {
    for (const std::uint32_t index : shards_[s]->retire(clock_.last_frame(), clock_.now(), limits, reports)) {
      numbers.push_back(merger_.number_of(QpPlace{s, index}));
    }
  }
  merger_.take(reports);
  std::sort(numbers.begin(), numbers.end());
  for (const std::uint64_t number : numbers) {
    const QpPlace place = merger_.place(number);
    observer_.qp(see_end(judge_, number, span));
    merger_.forget(number);
    shards_[place.shard]->release(place.index);
  }
}

void Engine::conclude(const CaptureInfo& info) {
  verdict::CaptureSpan span{clock_.now(), false};
  span.outages = options_.outages;
  span.has_drops =
      std::ranges::any_of(info.interfaces, [](const InterfaceInfo& i) { return i.dropped.value_or(0) != 0; });
  conclude(info, span);
}

void Engine::conclude(const CaptureInfo& info, const verdict::CaptureSpan& span) {
  finish_trials();
  finish(merger_.numbers());
  end(merger_.numbers(), info, span);
}

std::uint64_t Engine::suspend(const CaptureInfo& info, const verdict::CaptureSpan& span,
                              const std::function<bool(const qp::QpRecord&)>& goes_on, bool handed_over) {
  std::uint64_t going_on = 0;
  std::vector<std::uint64_t> ending;
  for (const std::uint64_t number : merger_.numbers()) {
    const qp::QpRecord record = look(number, span);
    if (goes_on(record)) {
      surroundings_.see(record, span);
      ++going_on;
    } else {
      ending.push_back(number);
    }
  }
  finish(ending, handed_over);
  end(ending, info, span);
  return going_on;
}

void Engine::end(const std::vector<std::uint64_t>& numbers, const CaptureInfo& info, const verdict::CaptureSpan& span) {
  ShardStatistics all;
  for (const auto& shard : shards_) all += shard->statistics();
  Judge first_look = judge_;
  for (const std::uint64_t number : numbers) see_end(first_look, number, span);
  findings::CaptureFindings to = findings_at_end();
  tell_about_capture(to, decoder_.statistics(), info, all, surroundings_.discarded());
  surroundings_.tell(to, span);
  tell_about_models(to, all);
  observer_.capture(capture_record(info, all));
  for (const std::uint64_t number : numbers) {
    if (!observer_.takes_qps()) break;
    observer_.qp(judge_.settle(number, span));
  }
  observer_.summary(summary_record(all));
}

ShardStatistics Engine::quick_statistics() const {
  ShardStatistics all;
  for (const auto& shard : shards_) all += shard->quick_statistics();
  all.model_evictions += merger_.cross_stage().evicted();
  all.suppressed_findings += merger_.cross_stage().suppressed();
  return all;
}

findings::CaptureFindings Engine::findings_at_end() noexcept {
  return {merger_, {clock_.last_frame(), clock_.last_time()}};
}

/// The last record of a queue pair, for those that look at all of them.
qp::QpRecord Engine::see_end(Judge& judge, std::uint64_t number, const verdict::CaptureSpan& span) {
  qp::QpRecord record = judge.settle(number, span);
  surroundings_.see(record, span);
  tell_bad_end(record);
  return record;
}

/// QP-04: each bad end has a finding, unless the capture's own loss may explain it.
void Engine::tell_bad_end(const qp::QpRecord& record) {
  const qp::VerdictRecord& verdict = *record.verdict;
  const bool names_none = verdict.blame == qp::Blame::unknown || verdict.blame == qp::Blame::capture;
  if (!qp::ended_badly(verdict.outcome) || (names_none && verdict.confidence == qp::Confidence::limited)) return;
  const auto& noted = record.summary.findings;
  const auto says_so = [](const qp::NotedFinding& n) {
    const findings::Rule& rule = findings::rule(n.id);
    return rule.severity != findings::Severity::note && rule.about != findings::About::capture;
  };
  if (std::any_of(noted.begin(), noted.end(), says_so)) return;
  findings::Finding f;
  f.id = FindingId::rdmap_failed_otherwise;
  f.qp = record.qp;
  f.frame = clock_.last_frame();
  f.frames = verdict.evidence.empty() ? std::vector{record.last_frame} : verdict.evidence;
  f.time = clock_.last_time();
  f.seen = qp::name(verdict.outcome);
  f.text = verdict.text;
  merger_.raise(std::move(f));
}

/// CA-21, SX-13.
void Engine::tell_about_models(findings::CaptureFindings& to, const ShardStatistics& all) const {
  const std::uint64_t shared = merger_.cross_stage().evicted();
  to.tell(FindingId::capture_model_limit, all.model_evictions + shared,
          fmt::format("The models of single queue pairs discarded {}, the models of the whole capture {}.",
                      counted(all.model_evictions, "extent"), counted(shared, "word")));
  to.tell(FindingId::mpa_clear_text, merger_.qps(),
          fmt::format("{} in clear text.", merger_.qps() == 1
                                               ? "1 queue pair sends everything"
                                               : fmt::format("{} queue pairs send everything", merger_.qps())));
}

void Engine::finish_trials() {
  Reports reports;
  for (const auto& shard : shards_) shard->finish_trials(clock_.last_frame(), clock_.last_time(), reports);
  merger_.take(reports);
}

void Engine::finish(const std::vector<std::uint64_t>& numbers, bool handed_over) {
  Reports reports;
  for (const std::uint64_t number : numbers) {
    const QpPlace place = merger_.place(number);
    shards_[place.shard]->finish(place.index, clock_.last_frame(), clock_.last_time(), reports);
    merger_.take(reports);
  }
  if (!handed_over) merger_.finish(clock_.last_frame(), clock_.last_time());
}

CaptureRecord Engine::capture_record(const CaptureInfo& info, const ShardStatistics& all) const {
  const net::Statistics& net = decoder_.statistics();
  CaptureRecord capture;
  capture.info = info;
  capture.frames = net.frames;
  capture.octets = net.octets;
  capture.first_time = clock_.first_time();
  if (clock_.first_time()) capture.last_time = clock_.last_time();
  capture.truncated_frames = net.truncated_frames;
  capture.ip_fragments = net.ip_fragments;
  capture.mirror_duplicates = all.mirror_duplicates;
  capture.undecoded_frames = net.unsupported_link + net.malformed;
  capture.refused = surroundings_.refused();
  capture.unanswered = surroundings_.unanswered();
  return capture;
}

SummaryRecord Engine::summary_record(const ShardStatistics& all) const {
  SummaryRecord summary = merger_.counts();
  summary.qps = merger_.qps();
  summary.messages = all.messages;
  summary.findings_suppressed = all.suppressed_findings + merger_.cross_stage().suppressed();
  return summary;
}

}  // namespace iwarpscope::analysis
