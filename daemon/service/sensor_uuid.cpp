// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "service/sensor_uuid.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <optional>
#include <string_view>
#include <system_error>

#include "outputs/run.h"
#include "service/daemon_parts.h"

namespace iwarpscope::service {
namespace {

constexpr std::size_t kUuidCharacters = 36;

bool is_uuid(std::string_view text) {
  if (text.size() != kUuidCharacters) return false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool is_dash = i == 8 || i == 13 || i == 18 || i == 23;
    const bool is_digit = (text[i] >= '0' && text[i] <= '9') || (text[i] >= 'a' && text[i] <= 'f');
    if (is_dash ? text[i] != '-' : !is_digit) return false;
  }
  return true;
}

/// What a file holds: a UUID, or why it holds none.
struct Held {
  std::string uuid;
  int error = 0;  ///< 0 with an empty UUID: it is damaged
};

Held read_uuid(const std::string& path) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW));
  if (file.get() < 0) return {{}, errno};
  struct stat status {};
  if (fstat(file.get(), &status) != 0) return {{}, errno};
  if (!S_ISREG(status.st_mode)) return {{}, EINVAL};
  std::array<char, kUuidCharacters + 2> octets{};
  const ssize_t size = read(file.get(), octets.data(), octets.size());
  if (size < 0) return {{}, errno};
  std::string_view text(octets.data(), static_cast<std::size_t>(size));
  if (text.ends_with('\n')) text.remove_suffix(1);
  return {is_uuid(text) ? std::string(text) : std::string{}, 0};
}

/// 0, or an errno. EEXIST: there is a file, and `replace` is false.
int write_uuid(const std::string& path, const std::string& uuid, bool replace) {
  const std::string part = fmt::format("{}.{}.part", path, getpid());
  const std::string line = uuid + "\n";
  int error = 0;
  {
    const Descriptor file(::open(part.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0644));
    if (file.get() < 0) return errno;
    if (write(file.get(), line.data(), line.size()) != static_cast<ssize_t>(line.size())) {
      error = errno != 0 ? errno : ENOSPC;
    } else if (fsync(file.get()) != 0) {
      error = errno;
    }
  }
  if (error == 0 && renameat2(AT_FDCWD, part.c_str(), AT_FDCWD, path.c_str(), replace ? 0 : RENAME_NOREPLACE) != 0) {
    error = errno;
    // A file system that knows no such flag: what two daemons make at the same time may then differ until a restart.
    if (error == EINVAL && !replace) error = std::rename(part.c_str(), path.c_str()) == 0 ? 0 : errno;
  }
  if (error != 0) {
    static_cast<void>(unlink(part.c_str()));
    return error;
  }
  const Descriptor folder(::open(folder_of(path).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (folder.get() >= 0) static_cast<void>(fsync(folder.get()));
  return 0;
}

}  // namespace

SensorUuid keep_sensor_uuid(const std::string& path) {
  if (path.empty()) return {outputs::make_uuid()};
  const Held held = read_uuid(path);
  if (!held.uuid.empty()) return {held.uuid};
  SensorUuid made{outputs::make_uuid()};
  const bool is_damaged = held.error == 0;
  int error = held.error;
  if (is_damaged || error == ENOENT) error = write_uuid(path, made.uuid, is_damaged);
  if (error == EEXIST) {  // another daemon was faster
    if (Held other = read_uuid(path); !other.uuid.empty()) return {std::move(other.uuid)};
  }
  if (is_damaged) {
    made.trouble = fmt::format(
        "The file {} does not hold a UUID: it is damaged. This sensor has the new UUID {}; its earlier records have "
        "another one.",
        path, made.uuid);
  }
  if (error != 0) {
    made.trouble +=
        fmt::format("{}The UUID of this sensor cannot be kept in {}: {}. It is {} until the next start.",
                    made.trouble.empty() ? "" : " ", path, std::generic_category().message(error), made.uuid);
  }
  return made;
}

}  // namespace iwarpscope::service
