// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "api/acceptor.h"

#include <fmt/format.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <memory>
#include <system_error>
#include <utility>

#include "capture/thread_name.h"

namespace iwarpscope::api {
namespace {

constexpr int kReserved = 256;      // descriptors for all else: files, captures, metrics
constexpr int kPauseMs = 100;       // without a descriptor
constexpr int kLookMs = 500;        // whether a socket is still where it was
constexpr int kAtOnce = 64;         // connections of one listener before the others have their turn
constexpr int kSilenceMs = 10'000;  // for sent data without acknowledgment

tl::unexpected<std::string> failed(const std::string& where, int error) {
  return tl::unexpected(
      fmt::format("{}: cannot listen there ({}); does the address belong to this machine, and is the port free?", where,
                  std::generic_category().message(error)));
}

/// A listening socket of TCP, or -1 and errno.
int listening(int family, const sockaddr* address, socklen_t size) {
  const int descriptor = ::socket(family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (descriptor < 0) return -1;
  const int yes = 1, no = 0;
  // Connections have what their listener has.
  ::setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  ::setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
  ::setsockopt(descriptor, IPPROTO_TCP, TCP_USER_TIMEOUT, &kSilenceMs, sizeof kSilenceMs);
  if (family == AF_INET6) ::setsockopt(descriptor, IPPROTO_IPV6, IPV6_V6ONLY, &no, sizeof no);
  if (::bind(descriptor, address, size) == 0 && ::listen(descriptor, SOMAXCONN) == 0) return descriptor;
  const int error = errno;
  ::close(descriptor);
  errno = error;
  return -1;
}

/// What a socket of IP or Unix is bound to: a port, whatever the address, or a path. Empty: it is no such socket.
std::string name_of(int descriptor) {
  sockaddr_storage address{};
  socklen_t size = sizeof address;
  if (::getsockname(descriptor, reinterpret_cast<sockaddr*>(&address), &size) != 0) return {};
  const auto* const octets = reinterpret_cast<const char*>(&address);
  if (address.ss_family == AF_UNIX) {
    constexpr std::size_t kPath = offsetof(sockaddr_un, sun_path);
    return size <= kPath ? std::string{} : std::string(octets + kPath, ::strnlen(octets + kPath, size - kPath));
  }
  if (address.ss_family != AF_INET && address.ss_family != AF_INET6) return {};
  in_port_t port = 0;  // at the same place in both families
  static_assert(offsetof(sockaddr_in, sin_port) == offsetof(sockaddr_in6, sin6_port));
  std::memcpy(&port, octets + offsetof(sockaddr_in, sin_port), sizeof port);
  return std::to_string(ntohs(port));
}

}  // namespace

std::string peer_name(int descriptor) {
  sockaddr_storage address{};
  socklen_t size = sizeof address;
  std::array<char, NI_MAXHOST> host{};
  std::array<char, NI_MAXSERV> port{};
  if (::getpeername(descriptor, reinterpret_cast<sockaddr*>(&address), &size) != 0 ||
      ::getnameinfo(reinterpret_cast<const sockaddr*>(&address), size, host.data(), host.size(), port.data(),
                    port.size(), NI_NUMERICHOST | NI_NUMERICSERV) != 0)
    return {};
  const bool is_v6 = address.ss_family == AF_INET6;
  return fmt::format("{}{}{}:{}", is_v6 ? "[" : "", host.data(), is_v6 ? "]" : "", port.data());
}

Acceptor::~Acceptor() {
  stop();
}

int Acceptor::most_descriptors(int wanted) {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return wanted;
  const auto all = static_cast<int>(std::min<rlim_t>(limit.rlim_cur, 1 << 30));
  return std::min(wanted, all - std::min(kReserved, all / 2));
}

Acceptor::File Acceptor::file_at(const std::string& path) {
  struct stat its {};
  if (::lstat(path.c_str(), &its) != 0) return {};
  return {its.st_dev, its.st_ino};
}

tl::expected<void, std::string> Acceptor::listen_at_path(const SocketPlace& place, int most, Take take) {
  const auto descriptor = listen_at(place);
  if (!descriptor) return tl::unexpected(descriptor.error());
  add({*descriptor, most, std::move(take), place, file_at(place.path)});
  return {};
}

tl::expected<int, std::string> Acceptor::listen_at_address(const std::string& address, int most, const Take& take) {
  const std::size_t colon = address.rfind(':');
  if (colon == std::string::npos) return failed(address, EINVAL);
  std::string host = address.substr(0, colon);
  if (host.size() >= 2 && host.front() == '[' && host.back() == ']') host = host.substr(1, host.size() - 2);
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_PASSIVE;
  addrinfo* found = nullptr;
  if (::getaddrinfo(host.c_str(), address.c_str() + colon + 1, &hints, &found) != 0)
    return failed(address, EADDRNOTAVAIL);
  const std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)> all(found, &::freeaddrinfo);
  int port = 0, error = 0;
  for (const addrinfo* one = found; one != nullptr; one = one->ai_next) {  // a name may have several
    const int descriptor = listening(one->ai_family, one->ai_addr, one->ai_addrlen);
    if (descriptor < 0) {
      error = errno;
      continue;
    }
    if (port == 0) port = std::stoi(name_of(descriptor));
    add({descriptor, most, take});
  }
  if (port == 0) return failed(address, error);
  return port;
}

void Acceptor::add(Listener listener) {
  names_.push_back(name_of(listener.descriptor));
  most_ = std::max(most_, listener.most);
  listeners_.push_back(std::move(listener));
}

void Acceptor::start() {
  end_ = ::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  thread_ = std::thread([this] { run(); });
}

void Acceptor::stop() {
  if (thread_.joinable()) {
    static_cast<void>(::eventfd_write(end_, 1));
    thread_.join();
    ::close(std::exchange(end_, -1));
  }
  for (const Listener& listener : std::exchange(listeners_, {})) {
    ::close(listener.descriptor);
    if (!listener.place.path.empty() && file_at(listener.place.path) == listener.file) {
      ::unlink(listener.place.path.c_str());
    }
  }
}

void Acceptor::cut() const {
  for (int descriptor = 0; descriptor < most_; ++descriptor) {
    int listens = 1;
    socklen_t size = sizeof listens;
    if (::getsockopt(descriptor, SOL_SOCKET, SO_ACCEPTCONN, &listens, &size) != 0 || listens != 0) continue;
    const std::string name = name_of(descriptor);
    if (!name.empty() && std::find(names_.begin(), names_.end(), name) != names_.end())
      ::shutdown(descriptor, SHUT_RDWR);
  }
}

void Acceptor::run() {
  capture::name_thread("api-accept");
  std::vector<pollfd> waited;
  bool has_room = true;
  for (;;) {
    waited.assign(1, {end_, POLLIN, 0});
    // Who waits for a connection would make poll() return at once: without room only the end is waited for.
    for (const Listener& listener : listeners_) {
      if (has_room) waited.push_back({listener.descriptor, POLLIN, 0});
    }
    static_cast<void>(::poll(waited.data(), waited.size(), has_room ? kLookMs : kPauseMs));
    if (waited.front().revents != 0) return;
    has_room = true;
    for (Listener& listener : listeners_) {
      has_room = accept_all(listener) && has_room;
      if (!listener.place.path.empty()) look_for_socket(listener);
    }
  }
}

/// Checks the socket file: if it was removed or replaced, clients could not reach the daemon.
void Acceptor::look_for_socket(Listener& listener) {
  const std::string& path = listener.place.path;
  if (file_at(path) == listener.file) return;
  const auto again = listen_at(listener.place);
  const std::string trouble = again ? std::string{} : again.error();
  if (again) {
    ::close(std::exchange(listener.descriptor, *again));
    listener.file = file_at(path);
  }
  if (tell_ && (again || trouble != listener.trouble)) {
    tell_(again ? fmt::format("{}: the socket was removed or replaced; the API listens there again.", path)
                : fmt::format("The API's socket was removed or replaced: {}.", trouble));
  }
  listener.trouble = trouble;
}

bool Acceptor::accept_all(const Listener& listener) {
  for (int i = 0; i < kAtOnce; ++i) {
    const int descriptor = ::accept4(listener.descriptor, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (descriptor < 0) {
      if (errno == EINTR || errno == ECONNABORTED) continue;
      return errno == EAGAIN || errno == EWOULDBLOCK;
    }
    if (descriptor >= listener.most) {
      ::close(descriptor);
      ++refused_;
    } else {
      listener.take(descriptor);
    }
  }
  return true;
}

}  // namespace iwarpscope::api
