// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "capture/replay_intake.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <system_error>
#include <utility>

#include <fmt/format.h>

namespace iwarpscope::capture {
namespace {

using std::chrono::steady_clock;

/// Frames that are due within this time are given together.
constexpr std::chrono::milliseconds kTogether{2};
/// What is read ahead: a file waits, and buffers that are soon used again stay in the processor's cache.
constexpr std::size_t kReadAhead = std::size_t{2} << 20;
/// How long a frame may keep everybody waiting at most: what a clock can count.
constexpr double kLongestWait = 1e9;  // seconds

[[nodiscard]] bool is_pipe(int descriptor) {
  struct stat status {};
  return ::fstat(descriptor, &status) == 0 && !S_ISREG(status.st_mode);
}

/// Whether a pipe has data, or gets some within a second.
[[nodiscard]] bool has_input(int descriptor) {
  constexpr int kMilliseconds = 1000;
  pollfd wanted{descriptor, POLLIN, 0};
  return ::poll(&wanted, 1, kMilliseconds) > 0;
}

}  // namespace

SteadyTime Pace::due(TimePoint frame, SteadyTime now) noexcept {
  if (!start_ || frame < latest_) start_ = Start{frame, now};
  latest_ = frame;
  const double wait = static_cast<double>(elapsed_ns(start_->frame, frame)) / 1e9 / speed_;
  return start_->time + std::chrono::duration_cast<steady_clock::duration>(
                            std::chrono::duration<double>(std::min(wait, kLongestWait)));
}

ReplayIntake::ReplayIntake(const IntakeOptions& options)
    : QueuedIntake(1, {std::min(options.queue_octets, kReadAhead), options.simulate_full_queue_every, {}}),
      options_(*options.replay),
      tap_groups_(options.tap_groups),
      descriptors_(options_.files.size(), -1),
      pace_(options_.speed) {
  described_.name =
      options_.files.size() == 1 ? options_.files.front() : fmt::format("{} files", options_.files.size());
  described_.time_source = "file";
}

ReplayIntake::~ReplayIntake() {
  stop_and_join();
  for (const int descriptor : descriptors_) {
    if (descriptor >= 0) ::close(descriptor);
  }
}

tl::expected<std::unique_ptr<Intake>, Error> ReplayIntake::open(const IntakeOptions& options) {
  if (options.replay->files.empty()) return tl::unexpected(Error{"replay", {}, "no file is configured"});
  if (!std::isfinite(options.replay->speed) || options.replay->speed < 0) {
    return tl::unexpected(Error{"replay", {}, "the speed must be 0 (as fast as possible) or more"});
  }
  std::unique_ptr<ReplayIntake> intake(new ReplayIntake(options));
  if (intake->bell_.descriptor() < 0) {
    return tl::unexpected(Error{"replay", {}, "no more files can be opened; raise the limit ('ulimit -n')"});
  }
  if (auto error = intake->open_files()) return tl::unexpected(*std::move(error));
  return intake;
}

std::optional<Error> ReplayIntake::open_files() {
  bool is_known = true;
  for (std::size_t i = 0; i < options_.files.size(); ++i) {
    const std::string& file = options_.files[i];
    struct stat status {};
    if (file != "-") {
      // A named pipe opens at once this way; it is read when a writer sends data.
      descriptors_[i] = ::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
      if (descriptors_[i] < 0) return Error{file, {}, std::generic_category().message(errno)};
    }
    const int descriptor = file == "-" ? STDIN_FILENO : descriptors_[i];
    if (::fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode)) {
      total_ += static_cast<std::uint64_t>(status.st_size);
    } else {
      is_known = false;
    }
  }
  if (!is_known) total_ = 0;
  const int first = options_.files.front() == "-" ? STDIN_FILENO : descriptors_.front();
  if (is_pipe(first) && !has_input(first)) return std::nullopt;
  auto reader = open_reader(0);
  if (!reader) return reader.error();
  describe(reader->info(), false);
  first_ = std::move(*reader);
  return std::nullopt;
}

tl::expected<FileReader, Error> ReplayIntake::open_reader(std::size_t file) {
  ReaderOptions reading;
  reading.filter = options_.filter;
  reading.tap_groups = tap_groups_;
  reading.input = {std::exchange(descriptors_[file], -1), bell_.descriptor()};
  return FileReader::open(options_.files[file], reading);
}

void ReplayIntake::start() {
  begin("replay", [this] { read_all(); });
}

void ReplayIntake::read_all() {
  for (std::size_t i = 0; i < options_.files.size(); ++i) {
    handover_.is_stopped() ? cut_short() : read_file(i);
  }
  handover_.end(0);
}

void ReplayIntake::read_file(std::size_t file) {
  tl::expected<FileReader, Error> reader =
      file == 0 && first_ ? tl::expected<FileReader, Error>(*std::move(first_)) : open_reader(file);
  first_.reset();
  if (!reader) {
    if (!handover_.is_stopped()) cannot_read(reader.error());
    return;
  }
  pace_.restart();
  replay(*reader);
  const CaptureInfo& info = reader->info();
  if (info.truncated && !handover_.is_stopped()) {
    say(Error{options_.files[file], fmt::format("octet {}", info.truncated_at),
              "the file ends in the middle of a record; it was replayed up to this point"}
            .text());
  }
  describe(info, true);
  before_ += info.frames;
  consumed_before_ += reader->position().total.value_or(0);
  consumed_.store(consumed_before_, std::memory_order_relaxed);
}

void ReplayIntake::cannot_read(const Error& error) {
  say(error.text());
  const std::lock_guard lock(mutex_);
  ++described_.unread_files;
}

void ReplayIntake::cut_short() {
  const std::lock_guard lock(mutex_);
  described_.cut = true;
}

void ReplayIntake::replay(FileReader& reader) {
  while (!handover_.is_stopped()) {
    const auto frames = reader.next_batch();
    if (!frames) {
      if (!handover_.is_stopped()) cannot_read(frames.error());
      return;
    }
    if (frames->empty()) return;
    describe(reader.info(), false);
    push(*frames, reader.storage());
    consumed_.store(consumed_before_ + reader.position().consumed, std::memory_order_relaxed);
  }
  cut_short();
}

void ReplayIntake::push(std::span<const net::Frame> frames, const Storage& storage) {
  while (!frames.empty()) {
    std::size_t count = frames.size();
    if (!pace_.is_unbounded()) {
      const SteadyTime due = pace_.due(frames.front().time, steady_clock::now());
      if (due > steady_clock::now() && !handover_.sleep_until(due)) return;
      const SteadyTime now = steady_clock::now();
      count = 1;
      while (count < frames.size() && frames[count].time >= frames[count - 1].time &&
             pace_.due(frames[count].time, now) <= now + kTogether) {
        ++count;
      }
    }
    Batch batch;
    batch.storage = storage;
    batch.frames = handover_.frames(0);
    batch.frames.assign(frames.begin(), frames.begin() + static_cast<std::ptrdiff_t>(count));
    for (net::Frame& frame : batch.frames) {
      frame.number.value += before_;
      frame.interface += static_cast<std::uint32_t>(interfaces_before_);
      batch.octets += frame.octets.size();
    }
    if (!handover_.push(0, batch)) {
      if (handover_.is_stopped()) return;
      dropped_by_queue_.fetch_add(count, std::memory_order_relaxed);
    }
    frames = frames.subspan(count);
  }
}

void ReplayIntake::describe(const CaptureInfo& info, bool at_end) {
  if (info.interfaces.empty()) return;
  const std::lock_guard lock(mutex_);
  described_.link_type = info.interfaces.front().link_name;
  described_.file_format = name(info.format);
  described_.snap_length = info.interfaces.front().snap_length;
  described_.replayed.resize(interfaces_before_);
  for (const Interface& i : info.interfaces) {
    ReplayedInterface& its = described_.replayed.emplace_back();
    its.link_type = i.link_name;
    its.snap_length = i.snap_length;
    its.name = i.name;
    if (!at_end) continue;
    const std::uint64_t by_interface = i.dropped_by_interface.value_or(0);
    const std::uint64_t by_system = i.dropped_by_os.value_or(0) + i.dropped_before_packets;
    described_.dropped_by_nic += by_interface;
    described_.dropped_by_kernel += by_system;
    if (i.dropped_by_interface || i.dropped_by_os || by_system != 0) its.dropped = by_interface + by_system;
  }
  if (at_end) interfaces_before_ = described_.replayed.size();
}

void ReplayIntake::say(const std::string& sentence) {
  const std::lock_guard lock(mutex_);
  notes_.say(sentence);
}

std::vector<IntakeCounters> ReplayIntake::counters() const {
  const std::lock_guard lock(mutex_);
  IntakeCounters counters = described_;
  counters.frames = frames_.load(std::memory_order_relaxed);
  counters.octets = octets_.load(std::memory_order_relaxed);
  counters.dropped_by_queue = dropped_by_queue_.load(std::memory_order_relaxed);
  counters.warnings = notes_.sentences();
  return {std::move(counters)};
}

double ReplayIntake::progress() const noexcept {
  if (total_ == 0) return 0;
  const auto consumed = static_cast<double>(consumed_.load(std::memory_order_relaxed));
  return std::min(1.0, consumed / static_cast<double>(total_));
}

void ReplayIntake::give(TimeMerge::Run& run) {
  std::uint64_t octets = 0;
  for (const net::Frame& frame : run.frames) octets += frame.octets.size();
  frames_.fetch_add(run.frames.size(), std::memory_order_relaxed);
  octets_.fetch_add(octets, std::memory_order_relaxed);
}

}  // namespace iwarpscope::capture
