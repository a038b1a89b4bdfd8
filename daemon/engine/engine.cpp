// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "engine/engine.h"

#include <algorithm>
#include <optional>
#include <span>
#include <utility>

#include "analysis/analyzer.h"
#include "analysis/engine.h"
#include "capture/file_reader.h"
#include "engine/pipeline.h"

namespace iwarpscope::engine {
namespace {

std::optional<analysis::ReadingStopped> stopped(const capture::CaptureInfo& read, bool interrupted) {
  using Why = analysis::ReadingStopped::Why;
  if (!read.damage.empty()) return analysis::ReadingStopped{Why::damaged, read.position, read.damage};
  if (read.filter_failed) return analysis::ReadingStopped{Why::filter_failed, read.position, {}};
  if (interrupted) return analysis::ReadingStopped{Why::interrupted, read.position, {}};
  return std::nullopt;
}

analysis::CaptureInfo describe(const capture::CaptureInfo& read, const std::string& file, bool interrupted) {
  analysis::CaptureInfo info;
  info.file = file;
  info.file_format = capture::name(read.format);
  info.truncated_file = read.truncated;
  info.stopped = stopped(read, interrupted);
  for (const capture::Interface& i : read.interfaces) {
    analysis::InterfaceInfo out;
    out.link_type = i.link_name;
    out.snap_length = i.snap_length;
    if (i.dropped_by_interface || i.dropped_by_os || i.dropped_before_packets != 0) {
      out.dropped = i.dropped_by_interface.value_or(0) + i.dropped_by_os.value_or(0) + i.dropped_before_packets;
    }
    info.interfaces.push_back(std::move(out));
  }
  return info;
}

/// Reads to the end, an error or a request to stop, and passes the frames on in batches.
template <class Take>
Outcome read_all(capture::FileReader& reader, const Request& request, Take take) {
  Outcome outcome;
  const auto is_stopped = [&] { return request.stop != nullptr && request.stop->load(std::memory_order_relaxed); };
  while (!(outcome.interrupted = is_stopped())) {
    const auto batch = reader.next_batch();
    if (!batch) {
      outcome.damaged = batch.error().text();
      break;
    }
    if (batch->empty()) {
      outcome.interrupted = is_stopped();  // while the last octets were awaited
      break;
    }
    take(*batch);
    if (request.progress) request.progress(reader.position().consumed, reader.position().total);
  }
  const capture::CaptureInfo& info = reader.info();
  if (info.truncated) {
    outcome.truncated = capture::Error{request.file, "octet " + std::to_string(info.truncated_at),
                                       "the file ends in the middle of a record; it was analysed up to this point"}
                            .text();
  }
  return outcome;
}

Outcome analyze_here(capture::FileReader& reader, const Request& request, analysis::Observer& observer) {
  analysis::Analyzer analyzer(request.options, observer);
  Outcome outcome = read_all(reader, request, [&](std::span<const net::Frame> frames) {
    for (const net::Frame& frame : frames) analyzer.feed(frame);
  });
  analyzer.finish(describe(reader.info(), request.file, outcome.interrupted));
  return outcome;
}

Outcome analyze_spread(capture::FileReader& reader, const Request& request, analysis::Observer& observer) {
  analysis::Engine core(request.options, observer);
  Outcome outcome;
  {
    Pipeline pipeline(core, std::min<unsigned>(request.threads - 1, analysis::kShards));
    outcome = read_all(reader, request, [&](std::span<const net::Frame> frames) {
      pipeline.next_batch(reader.storage());
      for (const net::Frame& frame : frames) pipeline.add(core.decode(frame));
    });
    pipeline.drain();
  }
  core.conclude(describe(reader.info(), request.file, outcome.interrupted));
  return outcome;
}

}  // namespace

tl::expected<Outcome, std::string> analyze(const Request& request, analysis::Observer& observer) {
  capture::ReaderOptions options;
  options.filter = request.filter;
  options.tap_groups = request.tap_groups;
  auto reader = capture::FileReader::open(request.file, options);
  if (!reader) return tl::unexpected(reader.error().text());
  return request.threads > 1 ? analyze_spread(*reader, request, observer) : analyze_here(*reader, request, observer);
}

}  // namespace iwarpscope::engine
