// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "api/listening.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <grp.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <system_error>
#include <utility>
#include <vector>

namespace iwarpscope::api {
namespace {

std::string system_words(int error) {
  return std::generic_category().message(error);
}

/// Another name in the same folder, as long as this one, so that it fits wherever that one does.
std::string name_beside(std::string path) {
  if (!path.empty()) path.back() = path.back() == '~' ? '_' : '~';
  return path;
}

/// Gives a file another name that no file has yet. Some file systems can only rename.
bool give_name(const std::string& from, const std::string& to) {
  if (::renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE) == 0) return true;
  return errno == EINVAL && ::rename(from.c_str(), to.c_str()) == 0;
}

/// The errno of a connection attempt; 0: a process listens.
int try_to_connect(const std::string& path) {
  const int descriptor = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (descriptor < 0) return errno;
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::memcpy(address.sun_path, path.c_str(), path.size() + 1);
  const int result = ::connect(descriptor, reinterpret_cast<const sockaddr*>(&address), sizeof address);
  const int error = result == 0 || errno == EAGAIN ? 0 : errno;  // EAGAIN: its queue is full
  ::close(descriptor);
  return error;
}

/// Removes a socket without a listener.
tl::expected<void, std::string> make_room(const std::string& path) {
  struct stat status {};
  if (::lstat(path.c_str(), &status) != 0) {
    if (errno != ENOENT) return tl::unexpected(fmt::format("{}: {}", path, system_words(errno)));
    const std::size_t slash = path.rfind('/');
    const std::string folder = slash == std::string::npos ? "." : path.substr(0, slash + 1);
    if (::access(folder.c_str(), W_OK | X_OK) == 0) return {};
    return tl::unexpected(fmt::format("{}: the socket cannot be created: {}", path, system_words(errno)));
  }
  if (!S_ISSOCK(status.st_mode)) {
    return tl::unexpected(fmt::format("{}: this file is not a socket; move it away or choose another path", path));
  }
  const int error = try_to_connect(path);
  if (error == 0) {
    return tl::unexpected(fmt::format("{}: another daemon listens there; stop it or choose another socket", path));
  }
  if (error != ECONNREFUSED) {
    return tl::unexpected(
        fmt::format("{}: cannot determine whether another daemon listens there: {}", path, system_words(error)));
  }
  if (::unlink(path.c_str()) != 0 && errno != ENOENT) {
    return tl::unexpected(fmt::format("{}: the old socket cannot be removed: {}", path, system_words(errno)));
  }
  return {};
}

/// `now`: where the socket is until it gets its place.
tl::expected<void, std::string> set_access(const std::string& now, const SocketPlace& place) {
  const auto& [path, mode, group] = place;
  if (!group.empty()) {
    std::vector<char> buffer(1 << 16);
    struct group entry {};
    struct group* found = nullptr;
    if (::getgrnam_r(group.c_str(), &entry, buffer.data(), buffer.size(), &found) != 0 || found == nullptr) {
      return tl::unexpected(fmt::format("the group '{}' of the socket {} does not exist", group, path));
    }
    if (::chown(now.c_str(), static_cast<uid_t>(-1), entry.gr_gid) != 0) {
      return tl::unexpected(
          fmt::format("{}: the group cannot be changed to '{}': {}", path, group, system_words(errno)));
    }
  }
  if (::chmod(now.c_str(), mode) != 0) {
    return tl::unexpected(fmt::format("{}: its mode cannot be set: {}", path, system_words(errno)));
  }
  return {};
}

}  // namespace

tl::expected<int, std::string> listen_at(const SocketPlace& place) {
  if (place.path.size() >= sizeof(sockaddr_un::sun_path)) {
    return tl::unexpected(fmt::format("{}: a socket path has at most {} octets; this one has {}", place.path,
                                      sizeof(sockaddr_un::sun_path) - 1, place.path.size()));
  }
  const std::string beside = name_beside(place.path);
  for (const std::string* path : {&place.path, &beside}) {
    if (auto room = make_room(*path); !room) return tl::unexpected(room.error());
  }
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::memcpy(address.sun_path, beside.c_str(), beside.size() + 1);
  const int descriptor = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  const auto failed = [&](std::string sentence) {
    if (descriptor >= 0) ::close(descriptor);
    return tl::unexpected(std::move(sentence));
  };
  const auto no_socket = [&] {
    return failed(fmt::format("{}: cannot listen there: {}", place.path, system_words(errno)));
  };
  // Before it has a name: the file takes this mode, less what the process's mask takes.
  if (descriptor < 0 || ::fchmod(descriptor, place.mode) != 0) return no_socket();
  if (::bind(descriptor, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) return no_socket();
  auto accessible = set_access(beside, place);
  // It gets its name when it listens, and not in place of one that another daemon has given its own meanwhile.
  if (accessible && ::listen(descriptor, SOMAXCONN) == 0 && give_name(beside, place.path)) {
    return descriptor;
  }
  auto trouble = accessible ? no_socket() : failed(std::move(accessible.error()));
  ::unlink(beside.c_str());
  return trouble;
}

}  // namespace iwarpscope::api
