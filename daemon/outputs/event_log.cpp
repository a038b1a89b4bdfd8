// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "outputs/event_log.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <system_error>
#include <utility>

#include <fmt/format.h>

namespace iwarpscope::outputs {
namespace {

/// Lines of so many octets are written at once: a text that grows without end is copied and takes new pages.
constexpr std::size_t kWrittenAtOnce = std::size_t{256} << 10;

std::size_t lines_in(std::string_view text) {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

}  // namespace

EventLog::EventLog(EventLogOptions options, Run run) : options_(std::move(options)), run_(std::move(run)) {
  last_.origin = std::make_shared<const live::Origin>(run_.origin);
  (void)open();
}

EventLog::~EventLog() {
  close();
}

live::Wanted EventLog::wanted() const {
  live::Wanted wanted;
  wanted.findings = true;
  wanted.at_least = options_.at_least;
  wanted.qps = options_.queue_pairs;
  wanted.ended_only = true;
  return wanted;
}

std::string EventLog::trouble() const {
  const std::lock_guard lock(mutex_);
  return trouble_;
}

void EventLog::fail(std::string_view what, int error) {
  const std::string why = error == 0 ? std::string{} : ": " + std::error_code(error, std::generic_category()).message();
  std::string text = fmt::format("The event log {} {}{}.", options_.path, what, why);
  failed_ = std::chrono::steady_clock::now();
  const std::lock_guard lock(mutex_);
  trouble_ = std::move(text);
}

void EventLog::close() noexcept {
  if (file_ >= 0) ::close(file_);
  file_ = -1;
}

/// Leaves the file at the end of a whole line, or notes that the next one has to begin with a line feed.
void EventLog::cut_half_line() {
  std::array<char, 4096> chunk{};
  std::uint64_t end = size_;
  while (end > 0) {
    const std::uint64_t begin = end - std::min<std::uint64_t>(end, chunk.size());
    const ssize_t got = pread(file_, chunk.data(), static_cast<std::size_t>(end - begin), static_cast<off_t>(begin));
    if (got != static_cast<ssize_t>(end - begin)) {
      half_line_ = true;  // whatever is there: a line feed first does no harm
      return;
    }
    const std::string_view text{chunk.data(), static_cast<std::size_t>(got)};
    const std::size_t feed = text.rfind('\n');
    if (feed != std::string_view::npos) {
      end = begin + feed + 1;
      break;
    }
    end = begin;
  }
  if (end == size_) return;
  if (ftruncate(file_, static_cast<off_t>(end)) == 0) {
    size_ = end;
  } else {
    half_line_ = true;
  }
}

bool EventLog::open() {
  if (file_ >= 0) return true;
  file_ = ::open(options_.path.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, 0640);
  if (file_ < 0) {
    fail("cannot be opened", errno);
    return false;
  }
  struct stat status {};
  if (fstat(file_, &status) != 0 || !S_ISREG(status.st_mode)) {
    fail("cannot be written", S_ISDIR(status.st_mode) ? EISDIR : EINVAL);
    close();
    return false;
  }
  size_ = static_cast<std::uint64_t>(status.st_size);
  half_line_ = false;
  char begin = 0;
  if (size_ != 0 && (pread(file_, &begin, 1, 0) != 1 || begin != '{')) {
    fail("belongs to another program; it is not changed", 0);
    close();
    return false;
  }
  std::string first;
  append_run(first, run_, last_);
  cut_half_line();
  if (write(first) != 0) {
    close();
    return false;
  }
  return true;
}

/// Sets the file aside and begins a new one. False: it could not; the file is as it was.
bool EventLog::rotate() {
  int error = 0;
  const auto aside = [&](unsigned number) { return fmt::format("{}.{}", options_.path, number); };
  for (unsigned number = options_.keep; number > 1; --number) {
    if (std::rename(aside(number - 1).c_str(), aside(number).c_str()) != 0 && errno != ENOENT) error = errno;
  }
  if (options_.keep == 0) {
    if (unlink(options_.path.c_str()) != 0 && errno != ENOENT) error = errno;
  } else if (std::rename(options_.path.c_str(), aside(1).c_str()) != 0 && errno != ENOENT) {
    error = errno;
  }
  if (error != 0) {
    fail("is full and cannot be rotated", error);
    rotation_failed_ = true;
    return false;
  }
  close();
  return open();
}

std::size_t EventLog::write(std::string_view lines) {
  std::string with_feed;
  if (half_line_) lines = with_feed = "\n" + std::string{lines};
  std::size_t done = 0;
  while (done < lines.size()) {
    const ssize_t wrote = ::write(file_, lines.data() + done, lines.size() - done);
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote <= 0) {
      fail("cannot be written", wrote < 0 ? errno : ENOSPC);
      break;
    }
    done += static_cast<std::size_t>(wrote);
  }
  size_ += done;
  if (done == lines.size()) {
    half_line_ = false;
    failed_.reset();
    rotation_failed_ = false;
    const std::lock_guard lock(mutex_);
    trouble_.clear();
    return 0;
  }
  const std::size_t whole = lines.substr(0, done).rfind('\n') + 1;  // npos + 1 is 0
  if (whole != 0) half_line_ = false;
  if (done != whole) {
    if (ftruncate(file_, static_cast<off_t>(size_ - (done - whole))) == 0) {
      size_ -= done - whole;
    } else {
      half_line_ = true;
    }
  }
  const std::size_t not_a_line = !with_feed.empty() && whole == 0 ? 1 : 0;
  return lines_in(lines.substr(whole)) - not_a_line;
}

/// The file may be another: its `run` record is to say which records are in the file before.
void EventLog::follow(const Sink& before) {
  const auto* const log = dynamic_cast<const EventLog*>(&before);
  if (log == nullptr) return;
  last_ = log->last_;
  unwritten_ += log->unwritten_;
  std::string line;
  append_run(line, run_, last_);
  if (file_ >= 0 && last_.sequence != 0) (void)write(line);
  mark_lost();
}

void EventLog::mark_lost() {
  if (unwritten_ == 0 || (file_ < 0 && !open())) return;
  std::string line;
  append_lost(line, last_, unwritten_);
  if (write(line) == 0) unwritten_ = 0;
}

std::size_t EventLog::take(const std::vector<live::Event>& events) {
  std::string waiting, line;
  live::RecordName newest = last_;
  std::size_t lost = 0;
  const auto flush = [&] {
    if (waiting.empty()) return;
    mark_lost();
    const std::size_t unwritten = file_ >= 0 || open() ? write(waiting) : lines_in(waiting);
    lost += unwritten;
    unwritten_ += unwritten;
    last_ = newest;
    waiting.clear();
  };
  for (const live::Event& event : events) {
    line.clear();
    if (!append_event(line, event)) continue;
    const std::uint64_t limit = options_.rotate_octets;
    if (limit != 0 && size_ + waiting.size() != 0 && size_ + waiting.size() + line.size() > limit) {
      flush();
      if (file_ >= 0 && size_ + line.size() > limit && !rotate()) {
        ++lost;
        ++unwritten_;
        continue;
      }
    }
    waiting += line;
    newest = live::name_of(event);
    if (waiting.size() >= kWrittenAtOnce) flush();
  }
  flush();
  return lost;
}

void EventLog::tend() {
  struct stat status {};
  if (file_ >= 0 && fstat(file_, &status) == 0 && status.st_nlink == 0) close();  // it was removed
  if (file_ >= 0 && failed_ && std::chrono::steady_clock::now() - *failed_ >= options_.try_again_every) {
    if (rotation_failed_) {
      (void)rotate();
    } else {
      close();
    }
  }
  (void)open();
  if (!failed_) mark_lost();
}

void EventLog::finish() {
  mark_lost();
  if (file_ >= 0 && fdatasync(file_) != 0) fail("cannot be written", errno);
}

void EventLog::reopen() {
  close();
  (void)open();
}

}  // namespace iwarpscope::outputs
