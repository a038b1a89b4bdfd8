#include "analysis/conclusion.h"

#include <absl/container/flat_hash_map.h>
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "analysis/capture_findings.h"
#include "analysis/verdict.h"
#include "base/wording.h"

namespace iwarpscope::analysis {
namespace {

using findings::FindingId;

constexpr std::int64_t kClockToleranceNs = 10'000'000;

/// Attempts that came to nothing, by who tried to reach whom. Bounded.
class Attempts {
 public:
  /// The one just before this queue pair's startup.
  [[nodiscard]] std::optional<EarlierAttempt> before(const qp::QpRecord& record) const {
    const auto it = attempts_.find({record.a.address, record.b});
    if (it == attempts_.end() || elapsed_ns(it->second.ended, record.first_time) > kRetryNs) return std::nullopt;
    return it->second.attempt;
  }
  /// After its verdict.
  void remember(const qp::QpRecord& record) {
    const bool came_to_nothing =
        record.verdict &&
        (record.verdict->outcome == qp::Outcome::refused || record.verdict->outcome == qp::Outcome::failed) &&
        record.directions[0].messages == decltype(qp::DirectionRecord::messages){};
    const Key key{record.a.address, record.b};
    if (!came_to_nothing || !record.startup || !record.startup->request) {
      attempts_.erase(key);
      return;
    }
    if (attempts_.size() >= kMost) return;
    const mpa::StartupFrame& request = *record.startup->request;
    attempts_[key] = {{record.qp, request.revision, request.frame}, record.last_time};
  }

 private:
  static constexpr std::int64_t kRetryNs = 60'000'000'000;  ///< later ones are no retry of the driver
  static constexpr std::size_t kMost = 65536;
  struct Ended {
    EarlierAttempt attempt;
    TimePoint ended;
  };
  using Key = std::pair<net::IpAddress, net::Endpoint>;
  absl::flat_hash_map<Key, Ended> attempts_;
};

/// The records of queue pairs with their verdicts, by number. Made anew each time they are asked for: a capture may
/// hold a million.
class Verdicts {
 public:
  Verdicts(const Shards& shards, const Merger& merger, const CaptureSpan& span)
      : shards_(shards), merger_(merger), span_(span) {}

  /// Precondition: called for each number once, in their order.
  [[nodiscard]] qp::QpRecord next(std::uint64_t number) {
    const QpPlace place = merger_.place(number);
    qp::QpRecord record = shards_[place.shard]->record(place.index);
    record.qp = number;
    if (const auto* noted = merger_.cross_stage().noted(number)) {
      // What was found across queue pairs, to what was found in this one.
      std::vector<qp::NotedFinding>& all = record.story.findings;
      all.insert(all.end(), noted->begin(), noted->end());
      std::stable_sort(all.begin(), all.end(), [](const auto& x, const auto& y) { return x.frame < y.frame; });
    }
    record.verdict = judge(record, span_, attempts_.before(record));
    attempts_.remember(record);
    return record;
  }

 private:
  const Shards& shards_;
  const Merger& merger_;
  const CaptureSpan& span_;
  Attempts attempts_;
};

/// QP-04: nothing that ended badly is silent.
void tell_bad_end(Merger& merger, const qp::QpRecord& record, const CaptureClock& clock) {
  const qp::VerdictRecord& verdict = *record.verdict;
  if (!qp::ended_badly(verdict.outcome)) return;
  const auto& noted = record.story.findings;  // all of at least severity warning
  if (std::any_of(noted.begin(), noted.end(),
                  [](const qp::NotedFinding& n) { return findings::rule(n.id).about != findings::About::capture; })) {
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
          fmt::format("The models of single queue pairs forgot {}, those of all together {}.",
                      counted(all.model_evictions, "extent"), counted(shared, "word")));
  to.tell(FindingId::mpa_clear_text, merger.qps(),
          fmt::format("{} in clear text.", merger.qps() == 1
                                               ? "1 queue pair sends everything"
                                               : fmt::format("{} queue pairs send everything", merger.qps())));
}

}  // namespace

std::optional<findings::Finding> CaptureClock::see(const net::Frame& frame) {
  if (!first_time_) first_time_ = frame.time;
  const TimePoint before = last_time_;
  const FrameNumber frame_before = last_frame_;
  last_time_ = frame.time;
  last_frame_ = frame.number;
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

void conclude(Shards& shards, Merger& merger, const CaptureClock& clock, const net::Statistics& net,
              const CaptureInfo& info, Surroundings& surroundings, Observer& observer) {
  Telling telling;
  for (const auto& shard : shards) shard->finish_trials(clock.last_frame(), clock.last_time(), telling);
  merger.take(telling);
  for (std::uint64_t number = 0; number < merger.qps(); ++number) {
    const QpPlace place = merger.place(number);
    shards[place.shard]->finish(place.index, clock.last_frame(), clock.last_time(), telling);
    merger.take(telling);
  }
  merger.finish(clock.last_frame(), clock.last_time());
  ShardStatistics all;
  for (const auto& shard : shards) {
    const ShardStatistics s = shard->statistics();
    all.flows_evicted += s.flows_evicted;
    all.qps_refused += s.qps_refused;
    all.mirror_duplicates += s.mirror_duplicates;
    all.suppressed_findings += s.suppressed_findings;
    all.unconfirmed += s.unconfirmed;
    all.messages += s.messages;
    all.model_evictions += s.model_evictions;
  }
  CaptureSpan span{clock.last_time(), false};
  for (const InterfaceInfo& i : info.interfaces) span.has_drops = span.has_drops || i.dropped.value_or(0) != 0;
  Verdicts first_look(shards, merger, span);
  for (std::uint64_t number = 0; number < merger.qps(); ++number) {
    const qp::QpRecord record = first_look.next(number);
    surroundings.see(record, span);
    tell_bad_end(merger, record, clock);
  }
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

  Verdicts verdicts(shards, merger, span);
  for (std::uint64_t number = 0; number < merger.qps(); ++number) observer.qp(verdicts.next(number));
  SummaryRecord summary = merger.counts();
  summary.qps = merger.qps();
  summary.messages = all.messages;
  summary.findings_suppressed = all.suppressed_findings + merger.cross_stage().suppressed();
  observer.summary(summary);
}

}  // namespace iwarpscope::analysis
