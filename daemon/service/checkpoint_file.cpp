// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "service/checkpoint_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <future>
#include <string_view>
#include <system_error>
#include <thread>
#include <tuple>
#include <type_traits>
#include <utility>

#include "base/archive.h"
#include "base/crc32c.h"
#include "base/members.h"
#include "report/restart_words.h"
#include "service/daemon_parts.h"

namespace iwarpscope::service {
namespace {

/// Grows when the parts of the file change. What an engine archives has a fingerprint of its own, in the header.
constexpr std::uint32_t kFormat = 4;
constexpr std::string_view kMagic = "iwarpscope state";
constexpr std::size_t kMostHeader = 32'768;  // with some thousand interfaces

/// The first octets of the file.
struct Front {
  std::array<std::byte, kMagic.size()> magic{};
  std::uint16_t header_octets = 0, format = 0;
};
constexpr std::size_t kFrontOctets = kMagic.size() + 4;

/// After the header: of the whole file but for itself.
struct Sums {
  std::uint64_t state_octets = 0;
  std::uint16_t crc_low = 0, crc_high = 0;
};

std::string phrase(int error) {
  return std::generic_category().message(error);
}

bool write_all(int file, Octets octets) {
  while (!octets.empty()) {
    const ssize_t written = write(file, octets.data(), std::min<std::size_t>(octets.size(), 1 << 20));
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    octets = octets.subspan(static_cast<std::size_t>(written));
  }
  return true;
}

/// 0: it is on the disk; else errno.
int write_file(const std::string& path, Octets before, Octets state) {
  const Descriptor file(::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600));
  if (file.get() < 0) return errno;
  if (write_all(file.get(), before) && write_all(file.get(), state) && fsync(file.get()) == 0) return 0;
  return errno != 0 ? errno : ENOSPC;
}

std::vector<std::byte> front_and_header(CheckpointHeader& header, Octets state) {
  Archive body(kMostHeader);
  body(header);
  Front front;
  std::ranges::transform(kMagic, front.magic.begin(), [](char c) { return static_cast<std::byte>(c); });
  front.header_octets = static_cast<std::uint16_t>(body.size());
  front.format = kFormat;
  Archive all(2 * kMostHeader);
  all(front);
  std::vector<std::byte> octets = all.take_written();
  octets.insert(octets.end(), body.written().begin(), body.written().end());
  Crc32c crc;
  crc.add(octets);
  crc.add(state);
  Sums sums{state.size(), static_cast<std::uint16_t>(crc.value() & 0xFFFF),
            static_cast<std::uint16_t>(crc.value() >> 16)};
  Archive end(kMostHeader);
  end(sums);
  octets.insert(octets.end(), end.written().begin(), end.written().end());
  return octets;
}

/// The file's octets; empty: none, and `error` says why.
std::vector<std::byte> read_file(const std::string& path, std::size_t most, int& error) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW));
  struct stat status {};
  error = file.get() < 0 || fstat(file.get(), &status) != 0 ? errno : 0;
  if (error == 0 && !S_ISREG(status.st_mode)) error = EINVAL;
  if (error == 0 && static_cast<std::uint64_t>(status.st_size) > most) error = EFBIG;
  if (error != 0) return {};
  std::vector<std::byte> octets(static_cast<std::size_t>(status.st_size));
  std::size_t have = 0;
  while (have < octets.size()) {
    const ssize_t count = read(file.get(), octets.data() + have, octets.size() - have);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;
    have += static_cast<std::size_t>(count);
  }
  octets.resize(have);
  return octets;
}

/// Fills in all but `refused`; false: it is damaged.
bool take_apart(const std::vector<std::byte>& file, ReadCheckpoint& result) {
  ArchivedWords words;
  Front front;
  Archive first(Octets{file}.first(std::min(file.size(), kFrontOctets)), words);
  first(front);
  if (first.has_failed() || front.header_octets > file.size() - kFrontOctets) return false;
  const Octets rest = Octets{file}.subspan(kFrontOctets);
  Archive header(rest.first(front.header_octets), words);
  header(result.header);
  if (!header.is_complete()) return false;
  Archive end(rest.subspan(front.header_octets), words);
  Sums sums;
  end(sums);
  if (end.has_failed() || sums.state_octets != end.size()) return false;
  const Octets state = Octets{file}.last(end.size());
  Crc32c crc;
  crc.add(Octets{file}.first(kFrontOctets + front.header_octets));
  crc.add(state);
  if (crc.value() != (std::uint32_t{sums.crc_high} << 16 | sums.crc_low)) return false;
  result.state = std::make_shared<const std::vector<std::byte>>(state.begin(), state.end());
  return true;
}

bool has_magic(const std::vector<std::byte>& file) {
  return file.size() >= kFrontOctets && std::ranges::equal(kMagic, Octets{file}.first(kMagic.size()), {},
                                                           [](char c) { return static_cast<std::byte>(c); });
}

bool has_format(const std::vector<std::byte>& file) {
  return load_le<std::uint16_t>(Octets{file}.subspan(kMagic.size() + 2)) == kFormat;
}

/// Each number of `before` is at most the same one of `now`.
template <class T>
bool is_within(T& before, T& now) {
  if constexpr (std::is_integral_v<T>) {
    return before <= now;
  } else {
    bool all = true;
    with_members(before, [&](auto&... mine) {
      with_members(now, [&](auto&... theirs) { all = (is_within(mine, theirs) && ...); });
    });
    return all;
  }
}

/// Frames keep their interface's number and network, and all tables have room for what is in them.
bool goes_on_with(const CheckpointKey& before, const CheckpointKey& now) {
  return before.emulation == now.emulation && before.interfaces.size() <= now.interfaces.size() &&
         std::equal(before.interfaces.begin(), before.interfaces.end(), now.interfaces.begin()) &&
         is_within(before.limits, now.limits);
}

/// Why it is of no use, and the same as a word; empty: it is.
std::pair<std::string, std::string> why_not(const ReadCheckpoint& read, const CheckpointKey& key, TimePoint oldest,
                                            TimePoint now) {
  const CheckpointHeader& header = read.header;
  if (header.key.layout != key.layout) return {"a version with another layout of the state wrote it", "layout"};
  if (header.key.sensor_uuid != key.sensor_uuid) return {std::string(report::refusal_text("sensor")), "sensor"};
  if (!goes_on_with(header.key, key)) return {std::string(report::refusal_text("settings")), "settings"};
  if (header.written < oldest) return {"it is too old", "age"};
  if (header.written > now) return {"it is from the future: the clock was set back", "age"};
  return {};
}

}  // namespace

CheckpointKey checkpoint_key(const Configuration& configuration, std::uint64_t layout, const std::string& sensor_uuid) {
  const AnalysisSettings analysis = simulated(configuration);
  CheckpointKey key{layout, sensor_uuid, analysis.emulation, {}, analysis.limits};
  const capture::IntakeOptions intake = intake_options(configuration);
  for (std::size_t number = 0; number < intake.interfaces.size(); ++number) {
    const std::string& name = intake.interfaces[number].name;
    key.interfaces.push_back({name, intake.tap_groups.of(number, name)});
  }
  return key;
}

std::string write_checkpoint(const std::string& path, CheckpointHeader header, std::vector<std::byte> state,
                             std::chrono::steady_clock::time_point until) {
  const std::string part = fmt::format("{}.{}.part", path, getpid());
  std::promise<int> result;
  std::future<int> written = result.get_future();
  auto before = front_and_header(header, state);
  std::thread([part, before = std::move(before), state = std::move(state), result = std::move(result)]() mutable {
    result.set_value(write_file(part, before, state));
  }).detach();
  int error = ETIMEDOUT;
  if (written.wait_until(until) == std::future_status::ready) error = written.get();
  if (error == 0 && std::rename(part.c_str(), path.c_str()) != 0) error = errno;
  if (error != 0) static_cast<void>(unlink(part.c_str()));
  if (error == ETIMEDOUT) return "the disk is too slow (checkpoint_time)";
  if (error != 0) return phrase(error);
  const Descriptor folder(::open(folder_of(path).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (folder.get() >= 0) static_cast<void>(fsync(folder.get()));
  return {};
}

ReadCheckpoint take_checkpoint(const std::string& path, const CheckpointKey& key, std::size_t most, TimePoint oldest,
                               TimePoint now) {
  ReadCheckpoint result;
  int error = 0;
  const std::vector<std::byte> file = read_file(path, most + 2 * kMostHeader, error);
  if (error == ENOENT) return result;
  if (unlink(path.c_str()) != 0 && error == 0) error = errno;
  if (error != 0) {
    std::tie(result.refused, result.reason) = std::pair{phrase(error), "unreadable"};
  } else if (has_magic(file) && !has_format(file)) {
    std::tie(result.refused, result.reason) = std::pair{"a version with another layout of the file wrote it", "layout"};
  } else if (!has_magic(file) || !take_apart(file, result)) {
    std::tie(result.refused, result.reason) = std::pair{report::refusal_text("damaged"), "damaged"};
    result.header = {};
  } else {
    std::tie(result.refused, result.reason) = why_not(result, key, oldest, now);
  }
  if (!result.refused.empty()) result.state.reset();
  return result;
}

}  // namespace iwarpscope::service
