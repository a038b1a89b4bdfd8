// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "metrics/exposer.h"

#include <civetweb.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <array>
#include <mutex>
#include <string_view>
#include <utility>

#include "metrics/families.h"

namespace iwarpscope::metrics {
namespace {

// Each thread waits for one request, and uses some kilobytes meanwhile.
constexpr const char* kThreads = "128";
constexpr const char* kRequestWithinMs = "300";

constexpr std::string_view kPlain = "text/plain; charset=utf-8";
constexpr std::string_view kPrometheus = "text/plain; version=0.0.4; charset=utf-8";

void answer(mg_connection* connection, std::string_view status, std::string_view type, const std::string& body) {
  const std::string head = fmt::format(
      "HTTP/1.1 {}\r\nContent-Type: {}\r\nContent-Length: {}\r\nCache-Control: no-store\r\nConnection: close\r\n\r\n",
      status, type, body.size());
  mg_write(connection, head.data(), head.size());
  const mg_request_info* const request = mg_get_request_info(connection);
  if (std::string_view(request->request_method) != "HEAD") mg_write(connection, body.data(), body.size());
}

/// The socket of this process that listens at this port: civetweb does not expose its socket. -1: not found.
int listener_at(int port) {
  constexpr int kMostDescriptors = 4096;
  for (int s = 0; s < kMostDescriptors; ++s) {
    int listens = 0;
    socklen_t size = sizeof listens;
    if (::getsockopt(s, SOL_SOCKET, SO_ACCEPTCONN, &listens, &size) != 0 || listens == 0) continue;
    sockaddr_in6 its{};  // the port has the same offset in a sockaddr_in
    size = sizeof its;
    if (::getsockname(s, reinterpret_cast<sockaddr*>(&its), &size) != 0) continue;
    const bool is_ip = its.sin6_family == AF_INET || its.sin6_family == AF_INET6;
    if (is_ip && ntohs(its.sin6_port) == port) return s;
  }
  return -1;
}

class CivetwebExposer final : public Exposer {
 public:
  explicit CivetwebExposer(std::function<Snapshot()> now) : now_(std::move(now)) {}
  ~CivetwebExposer() override {
    if (context_ == nullptr) return;
    // civetweb checks for the stop on each connection, otherwise every two seconds. The shutdown wakes it at once.
    if (listener_ >= 0) ::shutdown(listener_, SHUT_RDWR);
    mg_stop(context_);
  }
  CivetwebExposer(const CivetwebExposer&) = delete;
  CivetwebExposer& operator=(const CivetwebExposer&) = delete;

  /// Returns an error; empty: it is serving.
  std::string start(const std::string& address) {
    const std::array<const char*, 13> options{"listening_ports",
                                              address.c_str(),
                                              "num_threads",
                                              kThreads,
                                              "request_timeout_ms",
                                              kRequestWithinMs,
                                              "keep_alive_timeout_ms",
                                              "0",
                                              "enable_directory_listing",
                                              "no",
                                              "linger_timeout_ms",
                                              "1000",
                                              nullptr};
    mg_callbacks callbacks{};
    callbacks.log_message = [](const mg_connection* connection, const char* message) {
      auto* const self = static_cast<CivetwebExposer*>(mg_get_user_data(mg_get_context(connection)));
      const std::lock_guard lock(self->mutex_);
      if (self->said_.empty()) self->said_ = message;  // the first message is the cause
      return 1;                                        // civetweb must not log to its own file
    };
    context_ = mg_start(&callbacks, this, const_cast<const char**>(options.data()));
    if (context_ == nullptr) {
      const std::lock_guard lock(mutex_);
      return fmt::format("Metrics cannot be served at {}: {}.", address,
                         said_.empty() ? "the address is in use, or does not belong to this host" : said_);
    }
    mg_set_request_handler(context_, "/", &CivetwebExposer::handle, this);
    mg_server_port bound{};
    if (mg_get_server_ports(context_, 1, &bound) == 1) port_ = bound.port;
    listener_ = listener_at(port_);
    return {};
  }
  int port() const noexcept override { return port_; }

 private:
  static int handle(mg_connection* connection, void* self) {
    static_cast<CivetwebExposer*>(self)->handle(connection);
    return 1;
  }
  void handle(mg_connection* connection) {
    const mg_request_info* const request = mg_get_request_info(connection);
    const std::string_view method = request->request_method;
    const std::string_view path = request->local_uri != nullptr ? request->local_uri : "";
    if (method != "GET" && method != "HEAD") {
      answer(connection, "405 Method Not Allowed", kPlain, "Only GET and HEAD are supported.\n");
    } else if (path == "/metrics") {
      answer(connection, "200 OK", kPrometheus, text(now_()));
    } else if (path == "/healthz") {
      answer(connection, "200 OK", kPlain, "The daemon is alive.\n");
    } else if (path == "/readyz") {
      const std::string why = not_ready(now_().status);
      answer(connection, why.empty() ? "200 OK" : "503 Service Unavailable", kPlain,
             why.empty() ? "Capturing; all outputs work.\n" : why);
    } else {
      answer(connection, "404 Not Found", kPlain, "Not found. Available: /metrics, /healthz and /readyz.\n");
    }
  }

  const std::function<Snapshot()> now_;
  mg_context* context_ = nullptr;
  int port_ = 0;
  int listener_ = -1;  ///< civetweb's; -1: not known
  std::mutex mutex_;
  std::string said_;  ///< the first message of civetweb; under mutex_
};

}  // namespace

tl::expected<std::unique_ptr<Exposer>, std::string> Exposer::start(const std::string& address,
                                                                   std::function<Snapshot()> now) {
  auto exposer = std::make_unique<CivetwebExposer>(std::move(now));
  if (std::string trouble = exposer->start(address); !trouble.empty()) return tl::unexpected(std::move(trouble));
  return exposer;
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
