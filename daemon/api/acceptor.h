// Listens for gRPC, and says how many connections there may be.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include <tl/expected.hpp>

namespace iwarpscope::api {

/// By itself gRPC takes any number of connections, and in the version of Debian 12 listens never again once the process
/// had no descriptor left for one. This gives it connected sockets, and closes at once those that are too many: by the
/// number of their descriptor, as the lowest free one is always the next.
class Acceptor {
 public:
  /// What becomes of a connection: its descriptor is the receiver's to close.
  using Take = std::function<void(int descriptor)>;

  /// `refused` counts connections that were closed at once.
  explicit Acceptor(std::atomic<std::uint64_t>& refused) : refused_(refused) {}
  ~Acceptor();  ///< stop()
  Acceptor(const Acceptor&) = delete;
  Acceptor& operator=(const Acceptor&) = delete;

  /// Descriptors for connections, of this process's limit: others need some, too. No more than `wanted`.
  [[nodiscard]] static int most_descriptors(int wanted);

  /// A new socket at this path, which must be short enough. Descriptors up to `most` are used.
  [[nodiscard]] tl::expected<void, std::string> listen_at_path(const std::string& path, int most, Take take);
  /// "192.0.2.1:7470", "[::]:7470"; with port 0 the system chooses one. Returns the port, of the
  /// first where a name has several addresses.
  [[nodiscard]] tl::expected<int, std::string> listen_at_address(const std::string& address, int most,
                                                                 const Take& take);

  /// From now on connections are taken.
  void start();
  /// Nobody listens any more.
  void stop();

 private:
  struct Listener {
    int descriptor;
    int most;
    Take take;
  };
  void run();
  /// False: there is no descriptor left.
  [[nodiscard]] bool accept_all(const Listener& listener);

  std::atomic<std::uint64_t>& refused_;
  std::vector<Listener> listeners_;  ///< fixed from start() on
  int end_ = -1;                     ///< an eventfd: readable when the thread is to end
  std::thread thread_;
};

}  // namespace iwarpscope::api
