// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "api/server.h"

#include <fmt/format.h>
#include <google/protobuf/stubs/logging.h>
#include <grpc/grpc.h>
#include <grpc/support/log.h>
#include <grpcpp/ext/proto_server_reflection_plugin.h>
#include <grpcpp/grpcpp.h>
#include <grpcpp/health_check_service_interface.h>
#include <grpcpp/impl/service_type.h>
#include <grpcpp/resource_quota.h>

#include <algorithm>
#include <condition_variable>
#include <cstdlib>
#include <functional>
#include <mutex>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "api/acceptor.h"
#include "api/access.h"
#include "api/call_counts.h"
#include "api/fetches.h"
#include "api/gate.h"
#include "api/renewable_tls.h"
#include "api/subscribers.h"
#include "api/tails.h"
#include "api/unread.h"
#include "api/work.h"
#include "capture/thread_name.h"

namespace iwarpscope::api {
namespace {

using namespace std::chrono_literals;

constexpr int kLargestRequest = 64 << 10;                    // octets
constexpr std::size_t kMostMemory = std::size_t{256} << 20;  // octets that gRPC holds for all connections
constexpr int kMostThreads = 64;                             // of gRPC
constexpr int kStreamsOfConnection = 100;
constexpr std::size_t kMostWaiting = 4096, kMostOfOne = 256;  // questions of all clients, of one
constexpr auto kStop = 1s;
constexpr std::chrono::milliseconds kGrace{100};
constexpr int kForThisHost = 128;  // connections that strangers cannot take

int in_milliseconds(std::chrono::milliseconds time) {
  return static_cast<int>(time.count());
}

/// The servers of this process, to which gRPC's log about handshakes goes: it does not say which server it is about.
class Handshakes {
 public:
  static void add(Access* access) {
    const std::lock_guard lock(its().mutex);
    its().all.push_back(access);
  }
  static void remove(Access* access) {
    const std::lock_guard lock(its().mutex);
    std::erase(its().all, access);
  }
  /// gRPC reports failed handshakes in its log alone.
  static void log(gpr_log_func_args* line) {
    if (!std::string_view(line->message).starts_with("Handshake failed with fatal")) return;
    const std::lock_guard lock(its().mutex);
    for (Access* access : its().all) access->handshake_failed(line->message);
  }

 private:
  struct Its {
    std::mutex mutex;
    std::vector<Access*> all;
  };
  static Its& its() {
    static Its* const one = new Its;  // gRPC may log to the end of the process
    return *one;
  }
};

/// gRPC and protobuf write to standard error what clients do wrong. That is for debugging (GRPC_VERBOSITY)
/// alone: anybody could fill a journal with it.
void quiet_libraries() {
  if (std::getenv("GRPC_VERBOSITY") != nullptr) return;
  gpr_set_log_function(&Handshakes::log);
  google::protobuf::SetLogHandler(nullptr);
}

/// To the end of the process. Shutting gRPC down waits for a thread of its own that, for ten seconds after an answer
/// had to wait for its reader, looks whether it may go on: however long ago it was taken, and nothing wakes that
/// thread.
void keep_grpc() {
  static std::once_flag once;
  std::call_once(once, [] { grpc_init(); });
}

void set_limits(grpc::ServerBuilder& builder) {
  builder.SetMaxReceiveMessageSize(kLargestRequest);
  builder.SetResourceQuota(grpc::ResourceQuota("api").Resize(kMostMemory).SetMaxThreads(kMostThreads));
  builder.AddChannelArgument(GRPC_ARG_MAX_CONCURRENT_STREAMS, kStreamsOfConnection);
  builder.AddChannelArgument(GRPC_ARG_MAX_METADATA_SIZE, 16 << 10);
  builder.AddChannelArgument(GRPC_ARG_SERVER_HANDSHAKE_TIMEOUT_MS, in_milliseconds(5s));
  // A client that died without a word is noticed and let go.
  builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_TIME_MS, in_milliseconds(30s));
  builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_TIMEOUT_MS, in_milliseconds(10s));
  builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_PERMIT_WITHOUT_CALLS, 1);
  builder.AddChannelArgument(GRPC_ARG_HTTP2_MAX_PINGS_WITHOUT_DATA, 0);
  // Any number of pings is allowed. Answers that the client does not read stop the reading. Ending the connection for
  // the pings, as gRPC does otherwise, takes kilooctets for each.
  builder.AddChannelArgument(GRPC_ARG_HTTP2_MAX_PING_STRIKES, 0);
  builder.AddChannelArgument(GRPC_ARG_MAX_CONNECTION_IDLE_MS, in_milliseconds(1h));
}

std::function<void(int)> hand_to(grpc::ServerBuilder& builder, std::shared_ptr<grpc::ServerCredentials> credentials) {
  using Grpc = grpc::experimental::ExternalConnectionAcceptor;
  const std::shared_ptr<Grpc> its = builder.experimental().AddExternalConnectionAcceptor(
      grpc::ServerBuilder::experimental_type::ExternalConnectionType::FROM_FD, std::move(credentials));
  return [its](int descriptor) {
    Grpc::NewConnectionParameters connection;
    connection.fd = descriptor;
    pass_gate();
    its->HandleNewConnection(&connection);
  };
}

class GrpcServer final : public Server {
 public:
  GrpcServer(const ServerOptions& options, const Sources& sources)
      : options_(options),
        directory_(sources.directory),
        unread_(options.most_unread),
        access_(use_, sources.tell, sources.audit),
        work_(options.threads, kMostWaiting, kMostOfOne),
        subscribers_(sources.directory, {options.most_subscribers, options.subscriber_octets / 2}, use_, access_,
                     work_),
        fetches_(sources.directory, sources.packets, {options.most_fetches, options.fetch_stall}, use_, access_),
        tails_(sources, {}, use_, access_),
        acceptor_(use_.refused, sources.tell) {
    const Machinery machinery{work_, subscribers_, fetches_, tails_, use_, options.most_subscribers, access_, unread_};
    observer_ = make_observer(sources, machinery);
    control_ = make_control(sources, machinery);
    Handshakes::add(&access_);
  }
  ~GrpcServer() override {
    stop();
    Handshakes::remove(&access_);
  }
  GrpcServer(const GrpcServer&) = delete;
  GrpcServer& operator=(const GrpcServer&) = delete;

  tl::expected<void, std::string> listen() {
    grpc::ServerBuilder builder;
    set_limits(builder);
    if (auto there = add_places(builder); !there) return there;
    std::vector<std::unique_ptr<grpc::experimental::ServerInterceptorFactoryInterface>> each;
    each.push_back(count_calls(use_, unread_));
    builder.experimental().SetInterceptorCreators(std::move(each));
    builder.RegisterService(observer_.get());
    builder.RegisterService(control_.get());
    server_ = builder.BuildAndStart();
    if (!server_) return tl::unexpected(std::string{"gRPC's server does not start"});
    acceptor_.start();
    tending_ = std::thread([this] { tend(); });
    return {};
  }

  void stop() override {
    acceptor_.stop();
    if (!server_) return;
    subscribers_.stop();
    fetches_.stop();
    tails_.stop();
    if (tending_.joinable()) {
      {
        const std::lock_guard lock(mutex_);
        stopping_ = true;
      }
      changed_.notify_one();
      tending_.join();
    }
    std::thread cutting([this] { cut_when_late(); });
    server_->Shutdown(std::chrono::system_clock::now() + kStop);
    server_->Wait();
    {
      const std::lock_guard lock(mutex_);
      is_shut_ = true;
    }
    changed_.notify_one();
    cutting.join();
    server_.reset();
  }
  tl::expected<void, std::string> reload(const Grants& grants, const TlsFiles& files) override {
    const std::lock_guard lock(renewing_);
    tl::expected<void, std::string> done;
    if (tls_) {
      auto texts = read_tls_files(files);
      if (texts) {
        revoked_ = revocations(*texts);
        tls_->renew(std::move(*texts));
      } else {
        done = tl::unexpected(texts.error());
      }
    }
    access_.renew(grants, revoked_);
    subscribers_.review();
    return done;
  }
  [[nodiscard]] TlsEnds tls_ends() override { return tls_ ? tls_->ends() : TlsEnds{}; }
  [[nodiscard]] int tcp_port() const noexcept override { return tcp_port_; }
  [[nodiscard]] const Use& use() const noexcept override { return use_; }
  [[nodiscard]] std::size_t unread() const override { return unread_.octets(); }

 private:
  tl::expected<void, std::string> add_places(grpc::ServerBuilder& builder) {
    const int most =
        Acceptor::most_descriptors(static_cast<int>(options_.most_subscribers + options_.most_connections));
    if (!options_.tcp.empty()) {
      if (options_.tls.certificate.empty() || options_.tls.key.empty() || options_.tls.ca.empty()) {
        return tl::unexpected(
            fmt::format("{}: TCP needs TLS and client certificates: configure a certificate, its key "
                        "and the CA certificate that signs the clients'",
                        options_.tcp));
      }
      auto texts = read_tls_files(options_.tls);
      if (!texts) return tl::unexpected(texts.error());
      revoked_ = revocations(*texts);
      tls_ = std::make_unique<RenewableTls>(std::move(*texts));
      const auto guard = [this](grpc_server_credentials* its) { access_.guard(its); };
      const auto port =
          acceptor_.listen_at_address(options_.tcp, most - std::min(kForThisHost, most / 2),
                                      [this, hand = hand_to(builder, tls_->credentials(guard))](int descriptor) {
                                        access_.connected(peer_name(descriptor));
                                        hand(descriptor);
                                      });
      if (!port) return tl::unexpected(port.error());
      tcp_port_ = *port;
    }
    access_.renew(options_.grants, revoked_);
    if (options_.socket.empty()) return {};
    // gRPC does not say to which connection of a Unix socket a call belongs, only with which credentials it came:
    // every user gets some of their own.
    std::vector<std::function<void(int)>> hands;
    for (std::size_t place = 0; place < Access::kUsers; ++place)
      hands.push_back(hand_to(builder, access_.local_credentials(place)));
    return acceptor_.listen_at_path(
        {options_.socket, options_.socket_mode, options_.socket_group}, most,
        [this, hands = std::move(hands)](int descriptor) { hands[access_.place_of(descriptor)](descriptor); });
  }
  static std::shared_ptr<const Revocations> revocations(const TlsTexts& texts) {
    return texts.crl.empty() ? nullptr : Revocations::read(texts.crl, texts.ca).value_or(nullptr);
  }

  /// Health: serving while it captures.
  void tend() {
    capture::name_thread("api-health");
    std::unique_lock lock(mutex_);
    while (!stopping_) {
      lock.unlock();
      const bool capturing = directory_.status().capturing;
      if (auto* health = server_->GetHealthCheckService(); health != nullptr) {
        health->SetServingStatus(capturing);
        for (const char* const service : {"iwarpscope.v1.Observer", "iwarpscope.v1.Control"})
          health->SetServingStatus(service, capturing);
      }
      lock.lock();
      changed_.wait_for(lock, 500ms, [this] { return stopping_; });
    }
  }

  /// gRPC ends a connection when what it writes has gone out: never, if the client does not read.
  void cut_when_late() {
    std::unique_lock lock(mutex_);
    for (std::chrono::milliseconds wait = kStop + kGrace; !changed_.wait_for(lock, wait, [this] { return is_shut_; });
         wait = kGrace) {
      acceptor_.cut();
    }
  }

  ServerOptions options_;
  live::Directory& directory_;
  Use use_;
  Unread unread_;
  Access access_;
  int tcp_port_ = 0;
  // Destroyed from the last to the first, after stop(): no call is left then.
  Work work_;
  Subscribers subscribers_;
  Fetches fetches_;
  Tails tails_;
  std::unique_ptr<grpc::Service> observer_, control_;
  Acceptor acceptor_;
  std::unique_ptr<RenewableTls> tls_;  ///< empty: no TCP
  std::mutex renewing_;
  std::shared_ptr<const Revocations> revoked_;  ///< under renewing_
  std::unique_ptr<grpc::Server> server_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool stopping_ = false, is_shut_ = false;
  std::thread tending_;
};

}  // namespace

tl::expected<std::unique_ptr<Server>, std::string> Server::start(const ServerOptions& options, const Sources& sources) {
  if (options.socket.empty() && options.tcp.empty()) {
    return tl::unexpected(std::string{"the API has no address: configure a Unix socket or a TCP address"});
  }
  quiet_libraries();
  keep_grpc();
  grpc::EnableDefaultHealthCheckService(true);
  grpc::reflection::InitProtoReflectionServerBuilderPlugin();
  auto server = std::make_unique<GrpcServer>(options, sources);
  if (auto listening = server->listen(); !listening) return tl::unexpected(listening.error());
  return server;
}

}  // namespace iwarpscope::api
