// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "outputs/recordings_folder.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "base/read_text.h"
#include "outputs/pcapng_writer.h"
#include "outputs/run.h"

namespace iwarpscope::outputs {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kSuffix = ".pcapng";
constexpr std::size_t kTimeDigits = 16;  // "20261121T221631Z"
constexpr std::size_t kMostReason = 40;

/// Reads compact_time().
bool read_time(std::string_view text, TimePoint& time) {
  if (text.size() != kTimeDigits || text[8] != 'T' || text[15] != 'Z') return false;
  const auto day = whole_number<std::uint32_t>(text.substr(0, 8));
  const auto second = whole_number<std::uint32_t>(text.substr(9, 6));
  if (!day || !second) return false;
  std::tm parts{};
  parts.tm_year = static_cast<int>(*day / 10'000) - 1900;
  parts.tm_mon = static_cast<int>(*day / 100 % 100) - 1;
  parts.tm_mday = static_cast<int>(*day % 100);
  parts.tm_hour = static_cast<int>(*second / 10'000);
  parts.tm_min = static_cast<int>(*second / 100 % 100);
  parts.tm_sec = static_cast<int>(*second % 100);
  time.ns = static_cast<std::int64_t>(timegm(&parts)) * 1'000'000'000;
  return true;
}

bool ends_with(std::string_view text, std::string_view end) {
  return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}

struct File {
  fs::path path;
  fs::file_time_type written;
  live::Recording recording;
};

/// Complete recordings, the one written first first.
std::vector<File> files_in(const std::string& folder) {
  std::vector<File> all;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
    File file{entry->path(), {}, {}};
    std::error_code gone;
    if (!entry->is_regular_file(gone) || entry->is_symlink(gone)) continue;
    if (!parse_recording_name(file.path.filename().string(), file.recording)) continue;
    file.written = entry->last_write_time(gone);
    file.recording.octets = entry->file_size(gone);
    if (!gone) all.push_back(std::move(file));
  }
  std::sort(all.begin(), all.end(), [](const File& a, const File& b) {
    return std::pair{a.written, a.path} < std::pair{b.written, b.path};
  });
  return all;
}

/// Blocks that are whole, of a file that may end anywhere.
struct WholeBlocks {
  std::uint64_t frames = 0, octets = 0;
};
WholeBlocks whole_blocks(const fs::path& path, std::uint64_t octets) {
  constexpr std::size_t kHead = 8, kSmallest = 12;
  WholeBlocks whole;
  std::ifstream file(path, std::ios::binary);
  std::string head(kHead, '\0');
  while (octets - whole.octets >= kSmallest && file.seekg(static_cast<std::streamoff>(whole.octets)) &&
         file.read(head.data(), kHead)) {
    if (whole.octets == 0 && !is_section_header(head)) break;
    std::uint32_t length = 0;
    std::memcpy(&length, head.data() + 4, sizeof length);
    if (length < kSmallest || length > octets - whole.octets) break;
    if (is_enhanced_packet(head)) ++whole.frames;
    whole.octets += length;
  }
  return whole;
}

/// A ".part" that is not locked: a daemon that is gone left it. It is locked as long as this is there, so that what
/// happens to it happens to no recording that begins.
class Left {
 public:
  explicit Left(const std::string& part)
      : file_(::open(part.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY)),
        is_left_(file_ < 0 ? errno != ENOENT : flock(file_, LOCK_EX | LOCK_NB) == 0 && is_at(file_, part)) {}
  ~Left() {
    if (file_ >= 0) ::close(file_);
  }
  Left(const Left&) = delete;
  Left& operator=(const Left&) = delete;
  explicit operator bool() const noexcept { return is_left_; }

 private:
  const int file_;
  const bool is_left_;
};

/// Makes a recording of what a crash left of it; without packets nothing is.
void complete_or_remove(const fs::path& part, const fs::path& recording) {
  std::error_code error;
  const bool is_file = fs::is_regular_file(fs::symlink_status(part, error));
  const std::uint64_t octets = is_file ? fs::file_size(part, error) : 0;
  const WholeBlocks whole = error || !is_file ? WholeBlocks{} : whole_blocks(part, octets);
  if (whole.frames != 0 && !fs::exists(fs::symlink_status(recording, error))) {
    fs::resize_file(part, whole.octets, error);
    if (!error) fs::rename(part, recording, error);
    if (!error) return;
  }
  fs::remove(part, error);
}

std::uint64_t frames_in(const fs::path& path, std::uint64_t octets) {
  constexpr std::uint64_t kTail = 8192;
  std::ifstream file(path, std::ios::binary);
  file.seekg(static_cast<std::streamoff>(octets - std::min(octets, kTail)));
  const std::string tail(std::istreambuf_iterator<char>(file), {});
  if (const auto frames = frames_in_pcapng(tail)) return *frames;
  return whole_blocks(path, octets).frames;
}

constexpr std::string_view kHostsLine = "\nHosts: ";

/// A reason that is no rule's code is one that was asked for with: as important as an error.
RecordingCause cause_from(const File& file) {
  constexpr std::size_t kHead = 1024;
  RecordingCause cause{file.recording.reason, {}, findings::Severity::error};
  if (const findings::Rule* const rule = findings::find_rule(cause.rule)) cause.severity = rule->severity;
  std::string head(kHead, '\0');
  std::ifstream in(file.path, std::ios::binary);
  in.read(head.data(), kHead);
  head.resize(static_cast<std::size_t>(in.gcount()));
  const std::string comment = section_comment(head);
  const std::size_t hosts = comment.rfind(kHostsLine);
  if (hosts != std::string::npos) cause.hosts = comment.substr(hosts + kHostsLine.size());
  return cause;
}

}  // namespace

bool is_at(int file, const std::string& path) noexcept {
  struct stat its {
  }, there{};
  return fstat(file, &its) == 0 && stat(path.c_str(), &there) == 0 && its.st_dev == there.st_dev &&
         its.st_ino == there.st_ino;
}

std::string comment_for(std::uint64_t qp, const RecordingCause& cause) {
  std::string text = fmt::format("iwarpscoped: queue pair {}, recorded for {}", qp, cause.rule.substr(0, kMostReason));
  if (!cause.hosts.empty()) text += fmt::format("{}{}", kHostsLine, cause.hosts);
  return text;
}

bool parse_recording_name(std::string_view name, live::Recording& recording) {
  if (!ends_with(name, kSuffix)) return false;
  const std::string_view stem = name.substr(0, name.size() - kSuffix.size());
  if (stem.size() < kTimeDigits || !read_time(stem.substr(0, kTimeDigits), recording.started)) return false;
  const std::string_view rest = stem.substr(kTimeDigits);
  if (rest.substr(0, 3) != "-qp") return false;
  const std::size_t dash = rest.find('-', 3);
  if (dash == std::string_view::npos) return false;
  const auto qp = whole_number<std::uint64_t>(rest.substr(3, dash - 3));
  if (!qp) return false;
  recording.qp = *qp;
  recording.reason = rest.substr(dash + 1);
  const std::size_t copy = recording.reason.rfind('+');
  if (copy != std::string::npos) recording.reason.resize(copy);
  recording.file = name;
  recording.complete = true;
  return true;
}

std::string RecordingsFolder::make() const {
  std::error_code error;
  fs::create_directories(options_.path, error);
  if (error) return fmt::format("The folder {} for recordings cannot be created: {}.", options_.path, error.message());
  return {};
}

std::string RecordingsFolder::prepare() const {
  if (std::string trouble = make(); !trouble.empty()) return trouble;
  std::error_code error;
  std::vector<std::string> parts, copies;
  for (fs::directory_iterator entry(options_.path, error), end; !error && entry != end; entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    for (const std::string_view ending : {kPartWithComments, kPart}) {
      live::Recording ignored;
      if (!ends_with(name, ending)) continue;
      const std::string stem = name.substr(0, name.size() - ending.size());
      if (parse_recording_name(stem, ignored)) (ending == kPart ? parts : copies).push_back(stem);
    }
  }
  std::error_code gone;
  for (const std::string& stem : copies) {
    const std::string copy = path(stem) + kPartWithComments.data();
    if (const Left left(copy); left) fs::remove(copy, gone);
  }
  for (const std::string& stem : parts) {
    if (const Left left(path(stem) + kPart.data()); left) complete_or_remove(path(stem) + kPart.data(), path(stem));
  }
  if (error) return fmt::format("The folder {} for recordings cannot be read: {}.", options_.path, error.message());
  return {};
}

std::string RecordingsFolder::name_for(TimePoint time, std::uint64_t qp, std::string_view reason) const {
  std::string clean;
  for (const char c : reason.substr(0, kMostReason)) {
    const bool is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (is_plain || c == '-' || c == '_' || c == '.') clean += c;
  }
  if (clean.empty()) clean = "request";
  const std::string stem = fmt::format("{}-qp{}-{}", compact_time(time), qp, clean);
  for (unsigned copy = 1;; ++copy) {
    std::string name = (copy == 1 ? stem : fmt::format("{}+{}", stem, copy)) + std::string{kSuffix};
    std::error_code ignored;
    if (!fs::exists(path(name), ignored) && !fs::exists(path(name) + kPart.data(), ignored)) return name;
  }
}

std::vector<std::pair<RecordingCause, std::chrono::seconds>> RecordingsFolder::recent() const {
  std::vector<std::pair<RecordingCause, std::chrono::seconds>> all;
  const auto now = fs::file_time_type::clock::now();
  for (const File& file : files_in(options_.path)) {
    if (findings::find_rule(file.recording.reason) == nullptr) continue;
    all.emplace_back(cause_from(file), std::chrono::duration_cast<std::chrono::seconds>(now - file.written));
  }
  return all;
}

std::vector<live::Recording> RecordingsFolder::list() const {
  std::vector<live::Recording> all;
  for (File& file : files_in(options_.path)) {
    file.recording.frames = frames_in(file.path, file.recording.octets);
    all.push_back(std::move(file.recording));
  }
  return all;
}

std::size_t RecordingsFolder::retire() const {
  std::vector<File> files = files_in(options_.path);
  std::size_t removed = 0;
  const auto remove = [&removed](const File& file) {
    std::error_code error;
    if (fs::remove(file.path, error)) ++removed;
  };
  const auto oldest = fs::file_time_type::clock::now() - options_.keep;
  while (options_.keep.count() != 0 && !files.empty() && files.front().written < oldest) {
    remove(files.front());
    files.erase(files.begin());
  }
  std::uint64_t octets = 0;
  for (const File& file : files) octets += file.recording.octets;
  const auto is_too_much = [&] { return files.size() > options_.most_files || octets > options_.most_octets; };
  if (!is_too_much()) return removed;
  std::vector<RecordingCause> causes;
  causes.reserve(files.size());
  for (const File& file : files) causes.push_back(cause_from(file));
  while (!files.empty() && is_too_much()) {
    const auto at = static_cast<std::ptrdiff_t>(next_to_remove(causes));
    remove(files[static_cast<std::size_t>(at)]);
    octets -= files[static_cast<std::size_t>(at)].recording.octets;
    files.erase(files.begin() + at);
    causes.erase(causes.begin() + at);
  }
  return removed;
}

}  // namespace iwarpscope::outputs
