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

capture::ReaderOptions reader_options(const Request& request) {
  capture::ReaderOptions options;
  options.filter = request.filter;
  options.prepared = request.prepared;
  options.tap_groups = request.tap_groups;
  return options;
}

/// The next frames of several files, by time; of equal times the first file's first.
class Merge {
 public:
  explicit Merge(std::vector<capture::FileReader> readers) : readers_(std::move(readers)) {
    for (capture::FileReader& reader : readers_) heads_.push_back(take(reader));
  }

  /// Null: all files have ended. Valid until the next call.
  [[nodiscard]] const net::Frame* next() {
    if (given_) heads_[*given_] = take(readers_[*given_]);
    given_.reset();
    for (std::size_t i = 0; i < heads_.size(); ++i) {
      if (heads_[i] != nullptr && (!given_ || heads_[i]->time < heads_[*given_]->time)) given_ = i;
    }
    if (!given_) return nullptr;
    frame_ = *heads_[*given_];
    frame_.number = FrameNumber{++number_};
    frame_.interface = static_cast<std::uint32_t>(*given_);
    return &frame_;
  }
  [[nodiscard]] const std::string& damage() const noexcept { return damage_; }

 private:
  const net::Frame* take(capture::FileReader& reader) {
    const auto frame = reader.next();
    if (frame) return *frame;
    damage_ = frame.error().text();
    return nullptr;
  }

  std::vector<capture::FileReader> readers_;
  std::vector<const net::Frame*> heads_;  ///< the next frame of each file
  std::optional<std::size_t> given_;      ///< the file of the frame given last
  net::Frame frame_;
  std::uint64_t number_ = 0;
  std::string damage_;
};

tl::expected<Outcome, std::string> analyze_merged(const Request& request, analysis::Observer& observer) {
  std::vector<std::string> files{request.file};
  files.insert(files.end(), request.merged.begin(), request.merged.end());
  std::vector<capture::FileReader> readers;
  for (const std::string& file : files) {
    auto reader = capture::FileReader::open(file, reader_options(request));
    if (!reader) return tl::unexpected(reader.error().text());
    readers.push_back(*std::move(reader));
  }
  Outcome outcome;
  analysis::CaptureInfo info;
  info.file = request.file;
  info.interfaces.resize(files.size());
  analysis::Analyzer analyzer(request.options, observer);
  Merge merge(std::move(readers));
  while (const net::Frame* frame = merge.next()) {
    if (request.stop != nullptr && request.stop->load(std::memory_order_relaxed)) {
      outcome.interrupted = true;
      break;
    }
    analyzer.feed(*frame);
  }
  outcome.damaged = merge.damage();
  analyzer.finish(info);
  return outcome;
}

}  // namespace

tl::expected<Outcome, std::string> analyze(const Request& request, analysis::Observer& observer) {
  if (request.before_opening) request.before_opening();
  if (!request.merged.empty()) return analyze_merged(request, observer);
  auto reader = capture::FileReader::open(request.file, reader_options(request));
  if (!reader) return tl::unexpected(reader.error().text());
  return request.threads > 1 ? analyze_spread(*reader, request, observer) : analyze_here(*reader, request, observer);
}

}  // namespace iwarpscope::engine
