// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "api/client.h"

#include <fmt/format.h>
#include <grpc/support/log.h>
#include <grpcpp/grpcpp.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <random>
#include <set>

#include "api/client_name.h"
#include "api/gate.h"
#include "iwarpscope/v1/control.grpc.pb.h"
#include "iwarpscope/v1/observer.grpc.pb.h"

namespace iwarpscope::api {
namespace {

using namespace std::chrono_literals;
using grpc::StatusCode;

constexpr int kLargestReply = 64 << 20;  // octets
// Time to wait for a connection: to a socket on this machine, over a network.
constexpr auto kConnectsHere = 300ms, kConnectsThere = 2000ms;
constexpr auto kLook = 50ms;

/// What to check when there is no answer at a Unix socket.
std::string socket_advice(const std::string& path) {
  sockaddr_un address{};
  if (path.size() >= sizeof address.sun_path) return "the path is too long for a socket";
  const int descriptor = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (descriptor < 0) return std::strerror(errno);
  address.sun_family = AF_UNIX;
  std::memcpy(address.sun_path, path.c_str(), path.size() + 1);
  const int error = ::connect(descriptor, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0 ? 0 : errno;
  ::close(descriptor);
  switch (error) {
    case ENOENT: return "the socket does not exist; is iwarpscoped running, and does it listen there (--socket)?";
    case ECONNREFUSED: return "no process listens there; is iwarpscoped running?";
    case EACCES: return "permission denied; join the group that owns the socket, or become root";
    case 0:
    case EAGAIN:  // its queue is full
      return "the connection was closed: iwarpscoped has reached its connection limit, or another program listens "
             "there";
    default: return std::strerror(error);
  }
}

double seconds(std::chrono::milliseconds time) {
  return std::chrono::duration<double>(time).count();
}

std::string advice(const Place& place, const std::string& grpc_words) {
  if (place.host.empty()) return socket_advice(place.socket);
  const auto said = [&](std::string_view words) { return grpc_words.find(words) != std::string::npos; };
  if (said("Connection refused")) {
    return "no process listens there; is iwarpscoped running, and does its configuration set this address (api.tcp)?";
  }
  if (said("DNS resolution failed")) return "the host name is unknown; is it spelled correctly?";
  return fmt::format(
      "no connection; is iwarpscoped listening there, does its certificate name this host, and do both ends accept "
      "each other's certificates (--ca, --cert, --key)? ({})",
      grpc_words);
}

class GrpcClient final : public Client {
 public:
  GrpcClient(Place place, const std::shared_ptr<grpc::Channel>& channel)
      : place_(std::move(place)),
        channel_(channel),
        observer_(v1::Observer::NewStub(channel)),
        control_(v1::Control::NewStub(channel)) {}

  Answer<v1::Status> status() override {
    return ask(*observer_, &v1::Observer::Stub::GetStatus, v1::GetStatusRequest{});
  }
  Answer<v1::ListQpsReply> qps(const v1::ListQpsRequest& r) override {
    return ask(*observer_, &v1::Observer::Stub::ListQps, r);
  }
  Answer<v1::QueuePair> qp(std::uint64_t number) override {
    v1::GetQpRequest request;
    request.set_qp(number);
    return ask(*observer_, &v1::Observer::Stub::GetQp, request);
  }
  Answer<v1::ListMessagesReply> messages(const v1::ListMessagesRequest& r) override {
    return ask(*observer_, &v1::Observer::Stub::ListMessages, r);
  }
  Answer<v1::ListTransportEventsReply> transport(const v1::ListTransportEventsRequest& r) override {
    return ask(*observer_, &v1::Observer::Stub::ListTransportEvents, r);
  }
  Answer<v1::ListFindingsReply> findings(const v1::ListFindingsRequest& r) override {
    return ask(*observer_, &v1::Observer::Stub::ListFindings, r);
  }
  Answer<v1::Frame> frame(const v1::GetFrameRequest& r) override {
    return ask(*observer_, &v1::Observer::Stub::GetFrame, r);
  }
  Answer<v1::QueryHistoryReply> history(const v1::QueryHistoryRequest& r) override {
    return ask(*observer_, &v1::Observer::Stub::QueryHistory, r);
  }
  Answer<v1::Site> site(const v1::GetSiteRequest& r) override {
    return ask(*observer_, &v1::Observer::Stub::GetSite, r);
  }
  Answer<v1::StartRecordingReply> record(const v1::StartRecordingRequest& r) override {
    return ask(*control_, &v1::Control::Stub::StartRecording, r);
  }
  Answer<v1::ListRecordingsReply> recordings() override {
    return ask(*control_, &v1::Control::Stub::ListRecordings, v1::ListRecordingsRequest{});
  }
  Answer<void> end_replay() override {
    const auto done = ask(*control_, &v1::Control::Stub::EndReplay, v1::EndReplayRequest{});
    if (!done) return tl::unexpected(done.error());
    return {};
  }

  Answer<void> subscribe(const v1::SubscribeRequest& request,
                         const std::function<bool(const v1::SubscribeReply&)>& take) override {
    grpc::ClientContext context;
    return stream<v1::SubscribeReply>(context, take, [&] { return observer_->Subscribe(&context, request); });
  }
  std::unique_ptr<Tail> tail() override { return std::make_unique<GrpcTail>(*this); }

  Answer<void> fetch(const v1::FetchPacketsRequest& request,
                     const std::function<bool(const v1::FetchPacketsReply&)>& take) override {
    grpc::ClientContext context;
    return stream<v1::FetchPacketsReply>(context, take, [&] { return observer_->FetchPackets(&context, request); });
  }
  void reconnect() override {
    const auto end = std::chrono::steady_clock::now() + (place_.host.empty() ? kConnectsHere : kConnectsThere);
    grpc::experimental::ChannelResetConnectionBackoff(channel_.get());
    for (auto state = channel_->GetState(true); state != GRPC_CHANNEL_READY; state = channel_->GetState(true)) {
      if (std::chrono::steady_clock::now() > end || is_stopped()) return;
      channel_->WaitForStateChange(state, std::chrono::system_clock::now() + kLook);
    }
  }
  void stop() override {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
    for (grpc::ClientContext* context : calls_) context->TryCancel();
  }

 private:
  template <class Stub, class Request, class Reply>
  Answer<Reply> ask(Stub& stub, grpc::Status (Stub::*method)(grpc::ClientContext*, const Request&, Reply*),
                    const Request& request) {
    grpc::ClientContext context;
    context.set_deadline(std::chrono::system_clock::now() + place_.patience);
    if (!begin(context)) return tl::unexpected(Failure{Failure::Kind::cancelled, "interrupted"});
    Reply reply;
    pass_gate();
    const grpc::Status status = (stub.*method)(&context, request, &reply);
    pass_gate();
    end(context);
    if (!status.ok()) return tl::unexpected(failure(status));
    return reply;
  }

  class GrpcTail final : public Tail {
   public:
    explicit GrpcTail(GrpcClient& client) : client_(client) {
      is_wanted_ = client_.begin(context_);
      if (!is_wanted_) return;
      pass_gate();
      stream_ = client_.observer_->TailHistory(&context_);
    }
    ~GrpcTail() override {
      if (!is_wanted_) return;
      context_.TryCancel();
      if (!is_finished_) static_cast<void>(stream_->Finish());
      client_.end(context_);
    }
    GrpcTail(const GrpcTail&) = delete;
    GrpcTail& operator=(const GrpcTail&) = delete;

    bool say(const v1::TailHistoryRequest& request) override {
      pass_gate();
      return is_wanted_ && stream_->Write(request);
    }
    bool read(v1::TailHistoryReply& reply) override {
      const bool more = is_wanted_ && stream_->Read(&reply);
      pass_gate();
      return more;
    }
    Failure failure() override {
      if (!is_wanted_) return {Failure::Kind::cancelled, "interrupted"};
      is_finished_ = true;
      const grpc::Status status = stream_->Finish();
      if (status.ok()) return {Failure::Kind::cancelled, client_.place_.text() + ": the daemon ended the call"};
      return client_.failure(status);
    }
    void cancel() override { context_.TryCancel(); }

   private:
    GrpcClient& client_;
    grpc::ClientContext context_;
    std::unique_ptr<grpc::ClientReaderWriter<v1::TailHistoryRequest, v1::TailHistoryReply>> stream_;
    bool is_wanted_ = false, is_finished_ = false;
  };

  template <class Reply, class Open>
  Answer<void> stream(grpc::ClientContext& context, const std::function<bool(const Reply&)>& take, Open open) {
    if (!begin(context)) return {};
    pass_gate();
    const auto reader = open();
    bool wanted = true;
    for (Reply reply; wanted && reader->Read(&reply);) {
      pass_gate();
      wanted = take(reply);
      pass_gate();
    }
    if (!wanted) context.TryCancel();
    const grpc::Status status = reader->Finish();
    pass_gate();
    if (end(context) || status.ok() || !wanted) return {};
    return tl::unexpected(failure(status));
  }

  [[nodiscard]] bool is_stopped() {
    const std::lock_guard lock(mutex_);
    return stopped_;
  }
  /// False: stop() was called.
  [[nodiscard]] bool begin(grpc::ClientContext& context) {
    context.AddMetadata(kClientName, name_);
    const std::lock_guard lock(mutex_);
    if (!stopped_) calls_.insert(&context);
    return !stopped_;
  }
  /// True: stop() was called.
  bool end(grpc::ClientContext& context) {
    const std::lock_guard lock(mutex_);
    calls_.erase(&context);
    return stopped_;
  }

  /// A call on a failed connection fails before the state of the channel changes.
  [[nodiscard]] bool works() const {
    const auto patience = std::chrono::system_clock::now() + std::chrono::milliseconds{100};
    return channel_->GetState(false) == GRPC_CHANNEL_READY &&
           !channel_->WaitForStateChange(GRPC_CHANNEL_READY, patience);
  }

  [[nodiscard]] Failure failure(const grpc::Status& status) const {
    using Kind = Failure::Kind;
    const std::string& words = status.error_message();
    switch (status.error_code()) {
      case StatusCode::NOT_FOUND: return {Kind::not_found, words};
      case StatusCode::CANCELLED:
        return {Kind::cancelled, place_.text() + ": the daemon is stopping, or ended the call"};
      case StatusCode::UNAVAILABLE:
        // gRPC reports this itself, perhaps when the next connection already works.
        if (words.find("keepalive") != std::string::npos) {
          return {
              Kind::no_connection,
              fmt::format("{}: no data and no keepalive for {:g} s; is the network path interrupted, or the machine "
                          "down?",
                          place_.text(), seconds(place_.silence))};
        }
        // The server's sentences arrive only over a working connection.
        if (works()) return {Kind::refused, words};
        return {Kind::no_connection, fmt::format("{}: {}", place_.text(), advice(place_, words))};
      case StatusCode::DEADLINE_EXCEEDED:
        return {Kind::no_connection, fmt::format("{}: no answer within {:g} s; is the machine that iwarpscoped runs on "
                                                 "reachable and not overloaded?",
                                                 place_.text(), seconds(place_.patience))};
      case StatusCode::UNIMPLEMENTED:
        if (words.empty()) return {Kind::refused, place_.text() + ": this iwarpscoped is too old for this request"};
        return {Kind::refused, words};
      default: return {Kind::refused, words};
    }
  }

  Place place_;
  std::shared_ptr<grpc::Channel> channel_;
  std::unique_ptr<v1::Observer::Stub> observer_;
  std::unique_ptr<v1::Control::Stub> control_;
  const std::string name_ = fmt::format("{:08x}{:08x}", std::random_device{}(), std::random_device{}());
  std::mutex mutex_;
  std::set<grpc::ClientContext*> calls_;
  bool stopped_ = false;
};

}  // namespace

tl::expected<std::unique_ptr<Client>, std::string> Client::open(const Place& place) {
  if (std::getenv("GRPC_VERBOSITY") == nullptr) gpr_set_log_function([](gpr_log_func_args*) {});
  grpc::ChannelArguments arguments;
  arguments.SetMaxReceiveMessageSize(kLargestReply);
  // Keepalives detect a broken path.
  const auto third = static_cast<int>(place.silence.count() / 3);
  arguments.SetInt(GRPC_ARG_KEEPALIVE_TIME_MS, 2 * third);
  arguments.SetInt(GRPC_ARG_KEEPALIVE_TIMEOUT_MS, third);
  arguments.SetInt(GRPC_ARG_HTTP2_MAX_PINGS_WITHOUT_DATA, 0);  // even during long idle times
  arguments.SetInt(GRPC_ARG_MAX_RECONNECT_BACKOFF_MS, 1'000);
  arguments.SetInt(GRPC_ARG_ENABLE_HTTP_PROXY, 0);
  if (place.host.empty()) {
    // The name of the authority would be the path, which is none.
    arguments.SetString(GRPC_ARG_DEFAULT_AUTHORITY, "localhost");
    const auto channel =
        grpc::CreateCustomChannel("unix:" + place.socket, grpc::InsecureChannelCredentials(), arguments);
    return std::make_unique<GrpcClient>(place, channel);
  }
  auto texts = read_tls_files(place.tls, place.passphrase);
  if (!texts) return tl::unexpected(texts.error());
  grpc::SslCredentialsOptions options;
  options.pem_root_certs = std::move(texts->ca);
  options.pem_private_key = std::move(texts->key);
  options.pem_cert_chain = std::move(texts->certificate);
  const auto channel = grpc::CreateCustomChannel(place.host, grpc::SslCredentials(options), arguments);
  wipe(options.pem_private_key);  // gRPC keeps a copy of its own as long as the channel lives
  Place without_secret = place;
  without_secret.passphrase = {};
  return std::make_unique<GrpcClient>(std::move(without_secret), channel);
}

}  // namespace iwarpscope::api
