// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "outputs/recording_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "outputs/recordings_folder.h"

namespace iwarpscope::outputs {
namespace {

constexpr std::size_t kChunk = std::size_t{256} << 10;
constexpr std::size_t kLeast = std::size_t{64} << 10;  ///< room that a recording is worth being begun for
constexpr std::chrono::seconds kKeepUpEvery{1};

/// 0, or an errno.
int write_all(int file, std::string_view octets) {
  while (!octets.empty()) {
    const ssize_t wrote = ::write(file, octets.data(), octets.size());
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote <= 0) return wrote < 0 ? errno : ENOSPC;
    octets.remove_prefix(static_cast<std::size_t>(wrote));
  }
  return 0;
}

/// Locked as long as it is open: what is not locked was left by a daemon that is gone. Another daemon that starts may
/// have taken it for such a file before it was locked, and deleted it.
int create(const std::string& path) {
  constexpr int kAttempts = 10;
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0640);
    if (file < 0) return file;
    (void)flock(file, LOCK_EX);
    if (is_at(file, path)) return file;
    ::close(file);
  }
  errno = EBUSY;
  return -1;
}

}  // namespace

RecordingFile::RecordingFile(std::string path, std::uint64_t most_octets, PcapngWriter writer)
    : path_(std::move(path)), most_octets_(most_octets), writer_(std::move(writer)) {}

RecordingFile::~RecordingFile() {
  remove();
}

void RecordingFile::remove() noexcept {
  if (file_ < 0) return;
  (void)unlink((path_ + kPart.data()).c_str());  // while it is locked
  ::close(std::exchange(file_, -1));
}

std::string RecordingFile::failed(const char* what, int error) const {
  // The folder, not the name: of a disk that is full all say the same.
  return fmt::format("No recording can be {} in {}: {}.", what, path_.substr(0, path_.find_last_of('/')),
                     std::error_code(error, std::generic_category()).message());
}

std::string RecordingFile::open() {
  file_ = create(path_ + kPart.data());
  return file_ < 0 ? failed("made", errno) : std::string{};
}

std::string RecordingFile::keep_up() {
  const bool is_due = !waiting_.empty() && std::chrono::steady_clock::now() - flushed_ >= kKeepUpEvery;
  return is_due ? flush() : std::string{};
}

std::string RecordingFile::try_out() {
  waiting_.assign(kLeast, '\0');
  return flush();
}

std::string RecordingFile::flush() {
  flushed_ = std::chrono::steady_clock::now();
  if (const int error = write_all(file_, waiting_); error != 0) {
    std::string text = failed("written", error);
    remove();
    return text;
  }
  written_ += waiting_.size();
  waiting_.clear();
  return {};
}

void RecordingFile::comment(FrameNumber frame, std::string_view text) {
  const bool is_late = std::find(numbers_.rbegin(), numbers_.rend(), frame) != numbers_.rend();
  std::string& all = (is_late ? late_ : comments_)[frame];
  if (all.size() + text.size() > PcapngWriter::kMostComment) return;
  if (!all.empty()) all += '\n';
  all += text;
  if (is_late) late_octets_ += text.size() + 16;
}

std::string RecordingFile::append(const net::Frame& frame) {
  const auto its = comments_.find(frame.number);
  const std::string_view comment = its == comments_.end() ? std::string_view{} : std::string_view{its->second};
  full_ = full_ || PcapngWriter::most_octets(frame, comment) > room();
  if (full_) return {};
  writer_.append(waiting_, frame, comment);
  if (its != comments_.end()) comments_.erase(its);
  numbers_.push_back(frame.number);
  return waiting_.size() < kChunk ? std::string{} : flush();
}

/// Copies the file, block by block, with the comments that came when their frames had been written.
std::string RecordingFile::add_late_comments() {
  const std::string from = path_ + kPart.data(), to = path_ + kPartWithComments.data();
  std::ifstream source(from, std::ios::binary);
  const int copy = create(to);
  if (copy < 0) return failed("made", errno);
  std::string out, block(8, '\0');
  std::size_t frame = 0;
  int error = 0;
  while (error == 0 && source.read(block.data(), 8)) {
    std::uint32_t length = 0;
    std::memcpy(&length, block.data() + 4, sizeof length);
    block.resize(std::max<std::uint32_t>(length, 8));
    if (!source.read(block.data() + 8, static_cast<std::streamsize>(block.size() - 8))) break;
    const auto its = is_enhanced_packet(block) ? late_.find(numbers_.at(frame++)) : late_.end();
    append_with_comment(out, block, its == late_.end() ? std::string_view{} : std::string_view{its->second});
    block.resize(8);
    if (out.size() >= kChunk) {
      error = write_all(copy, out);
      out.clear();
    }
  }
  if (error == 0) error = source.eof() && source.gcount() == 0 ? write_all(copy, out) : EIO;
  if (::close(copy) != 0 && error == 0) error = errno;
  if (error == 0 && std::rename(to.c_str(), from.c_str()) != 0) error = errno;
  if (error == 0) return {};
  (void)unlink(to.c_str());
  return failed("written", error);
}

std::string RecordingFile::complete(std::uint64_t missing) {
  writer_.finish(waiting_, missing);
  if (std::string trouble = flush(); !trouble.empty()) return trouble;
  // Without them the recording is still worth having.
  std::string trouble = late_.empty() ? std::string{} : add_late_comments();
  const std::string part = path_ + kPart.data();
  const int locked = dup(file_);  // until it has its name
  const int closed = ::close(std::exchange(file_, -1));
  if (closed != 0 || std::rename(part.c_str(), path_.c_str()) != 0) {
    trouble = failed("written", errno);
    (void)unlink(part.c_str());
  }
  if (locked >= 0) ::close(locked);
  return trouble;
}

}  // namespace iwarpscope::outputs
