// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Everything that one capture is analysed with, put together once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>

#include "analysis/capture_clock.h"
#include "analysis/capture_losses.h"
#include "analysis/judge.h"
#include "analysis/merger.h"
#include "analysis/options.h"
#include "analysis/records.h"
#include "analysis/shard.h"
#include "base/archived_words.h"
#include "findings/capture_findings.h"
#include "hosts/surroundings.h"
#include "net/decoder.h"
#include "net/frame.h"
#include "verdict/capture_span.h"

namespace iwarpscope {
class Archive;
}

namespace iwarpscope::analysis {

class Trace;

/// A frame before any shard has it.
struct DecodedFrame {
  FrameNumber number;
  TimePoint time;
  std::optional<findings::Finding> finding;  ///< about no queue pair; goes before what the shards report of the frame
  bool is_step = false;                      ///< every shard gets the time, see Shard::pass_time(), before the packet
  net::Decoding packet;                      ///< borrows the frame's octets, or the decoder's until the next frame
};

/// Owns the decoder, the clock, the shards and what puts their reports in order and judges queue pairs; the observer
/// gets all records. A caller without threads calls feed() for each frame and conclude() at the end. A caller with
/// threads calls decode(), gives the packets to shards() on its threads, and gives what these report to take() in the
/// order of the frames; whenever it calls anything else, no thread may be in a shard and all reports must be taken.
/// Not thread-safe; never throws on any input. The same frames give the same records.
class Engine {
 public:
  /// `trace` follows connections octet by octet; null: none. Observer and trace must outlive the engine.
  Engine(const Options& options, Observer& observer, Trace* trace = nullptr);
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  /// Takes the next frame, in capture order. Borrows it for the call.
  void feed(const net::Frame& frame);
  /// The part of feed() before the shards.
  [[nodiscard]] DecodedFrame decode(const net::Frame& frame);
  /// The part of feed() after the shards. Empties `reports`.
  void take(Reports& reports) { merger_.take(reports); }
  [[nodiscard]] Shards& shards() noexcept { return shards_; }
  /// As CaptureClock::pass(). The shards learn it by Shard::pass_time().
  void pass_time(TimePoint time) noexcept { clock_.pass(time); }

  /// The queue pair was numbered and not retired.
  [[nodiscard]] bool has(std::uint64_t number) const { return merger_.has(number); }
  /// Its record now, with the verdict that would be given now. Precondition, as of the next three: has(number).
  [[nodiscard]] qp::QpRecord look(std::uint64_t number, const verdict::CaptureSpan& span) const;
  [[nodiscard]] std::uint64_t flow_hash(std::uint64_t number) const;
  /// Time of its latest TCP segment. Quick.
  [[nodiscard]] TimePoint last_time(std::uint64_t number) const;

  /// Numbers, in order, of the queue pairs of a shard, by number of the shard, that were fed since this was called
  /// last.
  [[nodiscard]] std::vector<std::uint64_t> take_fed(std::uint32_t shard);

  /// One queue pair of a round through all that are followed: as look(), and remembered for what surrounds them.
  [[nodiscard]] qp::QpRecord look_in_round(std::uint64_t number, const verdict::CaptureSpan& span);
  /// Reports the findings about hosts and listeners since the last round, and forgets what they are based on.
  void end_round(const verdict::CaptureSpan& span);

  /// For a capture without end: reports the last findings and the record of each queue pair that ended, or is idle for
  /// longer than the limits, and forgets it.
  void retire(const RetireLimits& limits, const verdict::CaptureSpan& span);

  /// The capture ends: reports waiting messages and findings, findings about the capture and about what surrounds the
  /// queue pairs, the capture record, a record for each queue pair that was not retired, the summary. A silent end was
  /// silent until the end of `span`. Call once, last.
  void conclude(const CaptureInfo& info, const verdict::CaptureSpan& span);
  /// The same where the traffic goes on and only watching it ends. A queue pair of which `goes_on` is true, by its
  /// record now, is left as it is: it gets no last record, and nothing is reported of what it waits for. Returns how
  /// many.
  /// `handed_over`: what goes on will be archived after this. It is then left as it is in every respect, connections on
  /// trial and Atomics without a verdict as well.
  std::uint64_t suspend(const CaptureInfo& info, const verdict::CaptureSpan& span,
                        const std::function<bool(const qp::QpRecord&)>& goes_on, bool handed_over = false);
  /// As conclude(), for a file, which shows how many frames the capture lost, but not when.
  void conclude(const CaptureInfo& info);

  /// Forgets the queue pair without a last record. If its connection goes on, it will be met in mid-stream.
  void forget(std::uint64_t number);
  /// Writes everything that another engine with the same options and networks needs to go on where this one is, or
  /// reads it into an engine that has seen nothing. Between frames only. Call forget() for queue pairs over SCTP first:
  /// associations are not part of it; nor are traces, and the digest of a message in progress. If reading fails, the
  /// engine is of no use.
  void archive(Archive& a);
  /// For an archive that has to be smaller: forgets connections that are followed as no queue pair, and starts again
  /// with those that go on.
  void forget_other_flows();
  /// What one queue pair takes of an archive. Precondition: has(number). Units: octets.
  [[nodiscard]] std::size_t archived_octets(std::uint64_t number) const;
  /// After archive() into this engine, in another run: what surrounds the queue pairs was reported by the run before.
  void begin_next_run() { surroundings_.restart(); }
  /// All that are followed, in order.
  [[nodiscard]] std::vector<std::uint64_t> numbers() const { return merger_.numbers(); }

  [[nodiscard]] const CaptureClock& clock() const noexcept { return clock_; }
  [[nodiscard]] const net::Statistics& decoded() const noexcept { return decoder_.statistics(); }
  [[nodiscard]] const hosts::Surroundings& surroundings() const noexcept { return surroundings_; }
  /// For an archive that is read into this engine.
  [[nodiscard]] ArchivedWords& words() noexcept { return words_; }
  /// Queue pairs followed now.
  [[nodiscard]] std::uint64_t followed() const noexcept { return merger_.followed(); }
  /// Shard::quick_statistics() of all shards, with model_evictions and suppressed_findings of the models that all queue
  /// pairs share.
  [[nodiscard]] ShardStatistics quick_statistics() const;

 private:
  [[nodiscard]] findings::CaptureFindings findings_at_end() noexcept;
  qp::QpRecord see_end(Judge& judge, std::uint64_t number, const verdict::CaptureSpan& span);
  void tell_bad_end(const qp::QpRecord& record);
  void tell_about_models(findings::CaptureFindings& to, const ShardStatistics& all) const;
  /// Connections on trial may prove to be iWARP by the end of the capture.
  void finish_trials();
  void finish(const std::vector<std::uint64_t>& numbers, bool handed_over = false);
  /// The last of conclude(), for these queue pairs.
  void end(const std::vector<std::uint64_t>& numbers, const CaptureInfo& info, const verdict::CaptureSpan& span);
  [[nodiscard]] CaptureRecord capture_record(const CaptureInfo& info, const ShardStatistics& all) const;
  [[nodiscard]] SummaryRecord summary_record(const ShardStatistics& all) const;

  const Options options_;
  Observer& observer_;
  ArchivedWords words_;  ///< of the state that was read
  net::Decoder decoder_;
  CaptureClock clock_;
  Merger merger_;
  Shards shards_;
  Judge judge_;
  hosts::Surroundings surroundings_;
  Reports reports_;  ///< room for feed()
};

}  // namespace iwarpscope::analysis
