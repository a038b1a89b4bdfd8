// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Listens for gRPC, and says how many connections there may be.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <tl/expected.hpp>

#include "api/listening.h"

namespace iwarpscope::api {

/// By itself gRPC takes any number of connections, and in the version of Debian 12 listens never again once the process
/// had no descriptor left for one. This gives it connected sockets, and closes at once those that are too many: by the
/// number of their descriptor, as the lowest free one is always the next.
class Acceptor {
 public:
  /// Receives a connection, and must close its descriptor.
  using Take = std::function<void(int descriptor)>;

  /// Takes a sentence. On the thread that accepts.
  using Tell = std::function<void(const std::string& sentence)>;

  /// `refused` counts connections that were closed at once. `tell` gets sentences about changes of a listener.
  explicit Acceptor(std::atomic<std::uint64_t>& refused, Tell tell = {}) : refused_(refused), tell_(std::move(tell)) {}
  ~Acceptor();  ///< stop()
  Acceptor(const Acceptor&) = delete;
  Acceptor& operator=(const Acceptor&) = delete;

  /// Descriptors for connections, of this process's limit: others need some, too. No more than `wanted`.
  [[nodiscard]] static int most_descriptors(int wanted);

  /// Creates a socket, and creates it again whenever it is removed or replaced. Uses descriptors up to `most`.
  [[nodiscard]] tl::expected<void, std::string> listen_at_path(const SocketPlace& place, int most, Take take);
  /// "192.0.2.1:7470", "[::]:7470"; with port 0 the system chooses one. Returns the port, of the
  /// first where a name has several addresses.
  [[nodiscard]] tl::expected<int, std::string> listen_at_address(const std::string& address, int most,
                                                                 const Take& take);

  /// From now on connections are taken.
  void start();
  /// Stops listening, and removes the sockets, unless another process owns them now.
  void stop();
  /// Cuts all accepted connections that are still open. Any thread.
  void cut() const;

 private:
  /// What a path names; all zero: nothing.
  struct File {
    std::uint64_t device = 0, number = 0;
    friend bool operator==(const File&, const File&) = default;
  };
  struct Listener {
    int descriptor;
    int most;
    Take take;
    SocketPlace place{};    ///< without a path: it has none
    File file{};            ///< its socket's
    std::string trouble{};  ///< why the path has no socket any more
  };
  void add(Listener listener);
  [[nodiscard]] static File file_at(const std::string& path);
  void run();
  void look_for_socket(Listener& listener);
  /// False: there is no descriptor left.
  [[nodiscard]] bool accept_all(const Listener& listener);

  std::atomic<std::uint64_t>& refused_;
  const Tell tell_;
  std::vector<Listener> listeners_;  ///< the thread's from start() on
  std::vector<std::string> names_;   ///< of this end of all connections, as name_of() has them; fixed from start() on
  int most_ = 0;                     ///< their descriptors are lower; likewise
  int end_ = -1;                     ///< an eventfd: readable when the thread is to end
  std::thread thread_;
};

/// The address and port at the other end of a TCP connection: "192.0.2.1:4711"; empty: not known.
[[nodiscard]] std::string peer_name(int descriptor);

}  // namespace iwarpscope::api
