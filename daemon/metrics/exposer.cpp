// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "metrics/exposer.h"

#include <fmt/format.h>
#include <netdb.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <list>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>

#include "capture/thread_name.h"
#include "metrics/families.h"

namespace iwarpscope::metrics {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kMostConnections = 512;      // further ones take the place of the oldest
constexpr std::size_t kLongestRequest = 16 << 10;  // octets
constexpr std::chrono::milliseconds kRequestWithin{1000};
constexpr std::chrono::milliseconds kAnswerWithin{10'000};
constexpr std::chrono::milliseconds kLinger{300};  // for what a client still sends after its request
constexpr int kLookMs = 100;

constexpr std::string_view kPlain = "text/plain; charset=utf-8";
constexpr std::string_view kPrometheus = "text/plain; version=0.0.4; charset=utf-8";

using Body = std::shared_ptr<const std::string>;

struct Answer {
  std::string head;
  Body body;  ///< null: none is sent
};

/// One request and its answer; then the connection ends.
struct Connection {
  enum class State : std::uint8_t { reads, writes, lingers };
  int descriptor;
  Clock::time_point end;  ///< it is closed then
  State state = State::reads;
  std::string in{};
  Answer out{};
  std::size_t sent = 0;  ///< octets of head and body
};

Answer answer(std::string_view status, std::string_view type, Body body, bool has_body) {
  return {fmt::format("HTTP/1.1 {}\r\nContent-Type: {}\r\nContent-Length: {}\r\nCache-Control: no-store\r\n"
                      "Connection: close\r\n\r\n",
                      status, type, body->size()),
          has_body ? std::move(body) : nullptr};
}

Answer answer(std::string_view status, std::string text, bool has_body) {
  return answer(status, kPlain, std::make_shared<const std::string>(std::move(text)), has_body);
}

/// A listening socket; -1 and errno.
int listening(const std::string& address) {
  const std::size_t colon = address.rfind(':');
  std::string host = colon == std::string::npos ? std::string{} : address.substr(0, colon);
  if (host.size() >= 2 && host.front() == '[' && host.back() == ']') host = host.substr(1, host.size() - 2);
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV;
  addrinfo* found = nullptr;
  errno = EINVAL;
  if (host.empty() || ::getaddrinfo(host.c_str(), address.c_str() + colon + 1, &hints, &found) != 0) return -1;
  const std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)> all(found, &::freeaddrinfo);
  const int descriptor = ::socket(found->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (descriptor < 0) return -1;
  const int yes = 1;
  ::setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  if (::bind(descriptor, found->ai_addr, found->ai_addrlen) == 0 && ::listen(descriptor, SOMAXCONN) == 0)
    return descriptor;
  const int error = errno;
  ::close(descriptor);
  errno = error;
  return -1;
}

/// One thread for all connections, which wait for octets by poll(): a client that sends none costs only its place.
class PollingExposer final : public Exposer {
 public:
  explicit PollingExposer(Pages pages) : pages_(std::move(pages)) {}
  ~PollingExposer() override {
    if (thread_.joinable()) {
      static_cast<void>(::eventfd_write(end_, 1));
      thread_.join();
    }
    for (const Connection& one : connections_) ::close(one.descriptor);
    for (const int descriptor : {listener_, end_}) {
      if (descriptor >= 0) ::close(descriptor);
    }
  }
  PollingExposer(const PollingExposer&) = delete;
  PollingExposer& operator=(const PollingExposer&) = delete;

  /// Returns an error; empty: it is serving.
  std::string start(const std::string& address) {
    listener_ = listening(address);
    if (listener_ >= 0) end_ = ::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (end_ < 0) {
      return fmt::format("Metrics cannot be served at {}: {}.", address, std::generic_category().message(errno));
    }
    sockaddr_in6 its{};  // the port has the same offset in a sockaddr_in
    socklen_t size = sizeof its;
    if (::getsockname(listener_, reinterpret_cast<sockaddr*>(&its), &size) == 0) port_ = ntohs(its.sin6_port);
    thread_ = std::thread([this] { run(); });
    return {};
  }
  int port() const noexcept override { return port_; }

 private:
  void run() {
    capture::name_thread("metrics");
    std::vector<pollfd> waited;
    for (;;) {
      waited.assign({{end_, POLLIN, 0}, {listener_, POLLIN, 0}});
      for (const Connection& one : connections_) {
        const bool writes = one.state == Connection::State::writes;
        waited.push_back({one.descriptor, static_cast<short>(writes ? POLLOUT : POLLIN), 0});
      }
      static_cast<void>(::poll(waited.data(), waited.size(), connections_.empty() ? -1 : kLookMs));
      if (waited[0].revents != 0) return;
      auto ready = waited.begin() + 2;
      for (auto one = connections_.begin(); one != connections_.end(); ++ready) {
        const bool stays = (ready->revents == 0 || serve(*one)) && Clock::now() < one->end;
        one = stays ? std::next(one) : close(one);
      }
      if (waited[1].revents != 0) accept_all();
    }
  }
  std::list<Connection>::iterator close(std::list<Connection>::iterator one) {
    ::close(one->descriptor);
    return connections_.erase(one);
  }
  void accept_all() {
    for (std::size_t i = 0; i < kMostConnections; ++i) {
      const int descriptor = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
      if (descriptor < 0) return without_room();
      if (connections_.size() == kMostConnections) close(connections_.begin());
      connections_.push_back({descriptor, Clock::now() + kRequestWithin});
    }
  }
  /// The process has no descriptor left: poll() would return at once again and again.
  void without_room() {
    if ((errno == EMFILE || errno == ENFILE) && !connections_.empty()) close(connections_.begin());
    if (errno != EAGAIN && errno != EWOULDBLOCK) std::this_thread::sleep_for(std::chrono::milliseconds{kLookMs});
  }
  /// False: it is over.
  bool serve(Connection& one) {
    if (one.state == Connection::State::writes) return write(one);
    std::array<char, 4096> part{};
    const ssize_t count = ::recv(one.descriptor, part.data(), part.size(), 0);
    if (count < 0) return errno == EAGAIN || errno == EINTR;
    if (one.state == Connection::State::lingers) return count > 0;
    one.in.append(part.data(), static_cast<std::size_t>(count));
    const std::size_t head = one.in.find("\r\n\r\n");
    if (head == std::string::npos && one.in.size() <= kLongestRequest) return count > 0;
    one.out = head == std::string::npos
                  ? answer("431 Request Header Fields Too Large", "The request is too long.\n", true)
                  : respond(std::string_view(one.in).substr(0, one.in.find("\r\n")));
    one.state = Connection::State::writes;
    one.end = Clock::now() + kAnswerWithin;
    return write(one);
  }
  static bool write(Connection& one) {
    const std::string_view head = one.out.head;
    const std::string_view body = one.out.body ? std::string_view(*one.out.body) : std::string_view{};
    while (one.sent < head.size() + body.size()) {
      const std::string_view rest =
          one.sent < head.size() ? head.substr(one.sent) : body.substr(one.sent - head.size());
      const ssize_t count = ::send(one.descriptor, rest.data(), rest.size(), MSG_NOSIGNAL);
      if (count < 0) return errno == EAGAIN || errno == EINTR;
      one.sent += static_cast<std::size_t>(count);
    }
    one.out = {};
    one.sent = 0;
    // Closing now would discard the answer where octets of the client are not read yet.
    ::shutdown(one.descriptor, SHUT_WR);
    one.state = Connection::State::lingers;
    one.end = Clock::now() + kLinger;
    return true;
  }

  /// `line`: the first of the request, "GET /metrics HTTP/1.1".
  [[nodiscard]] Answer respond(std::string_view line) {
    const std::size_t first = line.find(' '), last = line.rfind(' ');
    const std::string_view version = last == std::string_view::npos ? line : line.substr(last + 1);
    if (first == last || (version != "HTTP/1.1" && version != "HTTP/1.0"))
      return answer("400 Bad Request", "This is not a request of HTTP/1.1.\n", true);
    const std::string_view method = line.substr(0, first);
    std::string_view path = line.substr(first + 1, last - first - 1);
    path = path.substr(0, path.find('?'));
    const bool is_get = method == "GET";
    if (!is_get && method != "HEAD")
      return answer("405 Method Not Allowed", "Only GET and HEAD are supported.\n", true);
    if (path == "/metrics") return answer("200 OK", kPrometheus, metrics(), is_get);
    if (path == "/healthz") return answer("200 OK", std::string(pages_.alive), is_get);
    if (path == "/readyz") {
      const std::string why = pages_.not_ready();
      return answer(why.empty() ? "200 OK" : "503 Service Unavailable", why.empty() ? std::string(pages_.ready) : why,
                    is_get);
    }
    return answer("404 Not Found", "Not found. Available: /metrics, /healthz and /readyz.\n", is_get);
  }

  /// Clients that read slowly share the text with those that asked at the same time.
  Body metrics() {
    const auto now = Clock::now();
    if (!metrics_ || now - made_ >= pages_.same_for) {
      metrics_ = std::make_shared<const std::string>(pages_.metrics());
      made_ = now;
    }
    return metrics_;
  }

  const Pages pages_;
  Body metrics_;  ///< the last one
  Clock::time_point made_{};
  int listener_ = -1, end_ = -1;
  int port_ = 0;
  std::list<Connection> connections_;  ///< the oldest first
  std::thread thread_;
};

}  // namespace

tl::expected<std::unique_ptr<Exposer>, std::string> Exposer::start(const std::string& address, Pages pages) {
  auto exposer = std::make_unique<PollingExposer>(std::move(pages));
  if (std::string trouble = exposer->start(address); !trouble.empty()) return tl::unexpected(std::move(trouble));
  return exposer;
}

tl::expected<std::unique_ptr<Exposer>, std::string> Exposer::start(const std::string& address,
                                                                   const std::function<Snapshot()>& now) {
  return start(address, Pages{[now] { return text(now()); }, [now] { return metrics::not_ready(now().status); },
                              "The daemon is alive.\n", "Capturing; all outputs work.\n"});
}

std::string not_ready(const live::Status& status) {
  std::string why;
  if (!status.capturing) {
    why += status.replay ? "The replay has finished.\n" : "No interface is up: nothing is captured.\n";
  }
  for (const live::InterfaceView& i : status.interfaces) {
    if (!i.up && !status.replay) why += fmt::format("The interface {} is not capturing.\n", i.name);
  }
  for (const live::OutputView& o : status.outputs) {
    if (!o.healthy) why += fmt::format("{}: {}\n", o.name, o.trouble.empty() ? "it is too slow." : o.trouble);
  }
  return why;
}

}  // namespace iwarpscope::metrics
