// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "analysis/analyzer.h"

#include <vector>

#include "analysis/conclusion.h"
#include "analysis/judge.h"
#include "analysis/merger.h"
#include "analysis/shard.h"
#include "analysis/surroundings.h"
#include "net/decoder.h"

namespace iwarpscope::analysis {

struct Analyzer::State {
  State(const Options& o, Observer& to, Trace* trace)
      : options(o),
        observer(to),
        decoder(options.limits.net),
        merger(o, to),
        shards(make_shards(options, trace)),
        surroundings(o.limits.max_host_facts) {}

  Options options;
  Observer& observer;
  net::Decoder decoder;
  Merger merger;
  CaptureClock clock;
  Shards shards;
  Surroundings surroundings;
  Reports reports;
};

Analyzer::Analyzer(const Options& options, Observer& observer, Trace* trace)
    : state_(std::make_unique<State>(options, observer, trace)) {}
Analyzer::~Analyzer() = default;

void Analyzer::feed(const net::Frame& frame) {
  if (const auto finding = state_->clock.see(frame)) state_->merger.finding(*finding);
  if (state_->clock.is_step()) {
    for (const auto& shard : state_->shards) shard->pass_time(frame.number, frame.time, state_->reports);
  }
  const auto decoded = state_->decoder.decode(frame);
  state_->surroundings.see(decoded);
  if (const auto* packet = std::get_if<net::TcpPacket>(&decoded)) {
    state_->shards[shard_of(packet->flow())]->feed(*packet, state_->reports);
  } else if (const auto* sctp = std::get_if<net::SctpPacket>(&decoded)) {
    state_->shards[shard_of(*sctp)]->feed(*sctp, state_->reports);
  }
  state_->merger.take(state_->reports);
}

void Analyzer::finish(const CaptureInfo& info) {
  Judge judge(state_->shards, state_->merger);
  verdict::CaptureSpan span = whole_capture(state_->clock, info);
  span.outages = state_->options.outages;
  conclude(state_->shards, state_->merger, judge, state_->clock, state_->decoder.statistics(), info, span,
           state_->surroundings, state_->observer);
}

}  // namespace iwarpscope::analysis
