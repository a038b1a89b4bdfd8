// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "api/fetches.h"

#include <fmt/format.h>
#include <grpcpp/server_context.h>

#include <algorithm>
#include <condition_variable>
#include <string>
#include <string_view>
#include <utility>

#include "api/access.h"
#include "api/gate.h"
#include "api/records.h"
#include "api/refusal.h"
#include "capture/thread_name.h"
#include "iwarpscope/v1/observer.pb.h"

namespace iwarpscope::api {
namespace {

constexpr std::string_view kFetchPackets = "/iwarpscope.v1.Observer/FetchPackets";
constexpr std::size_t kPiece = std::size_t{64} << 10;  // octets of a reply

std::string wanted(const live::PacketQuery& query) {
  std::string all = query.qp ? fmt::format("queue pair {}", *query.qp) : std::string("all packets");
  if (query.from) all += fmt::format(" from {} ns", query.from->ns);
  if (query.to) all += fmt::format(" to {} ns", query.to->ns);
  return all;
}

}  // namespace

/// One fetch. Its thread starts the writes and the end, and waits for each.
class Fetches::Stream final : public Reactor {
 public:
  Stream(grpc::CallbackServerContext& context, const Access& access, std::chrono::milliseconds stall)
      : context_(context), access_(access), peer_(access.peer(context)), reviewed_(access.renewals()), stall_(stall) {}

  void OnWriteDone(bool ok) override {
    pass_gate();
    change([&] {
      broken_ |= !ok;
      writing_ = false;
    });
  }
  void OnCancel() override {
    pass_gate();
    change([&] { broken_ = true; });
  }
  void OnDone() override {
    pass_gate();
    const auto self = std::move(self_);  // the last one, maybe
    change([&] { done_ = true; });
  }
  /// Nothing more comes; it no longer counts.
  [[nodiscard]] bool is_over() {
    const std::lock_guard lock(mutex_);
    return over_;
  }
  /// gRPC and the thread have let go of it.
  [[nodiscard]] bool is_done() {
    const std::lock_guard lock(mutex_);
    return done_ && ran_;
  }
  void hold(std::shared_ptr<Stream> self) { self_ = std::move(self); }
  void stop() {
    change([&] { broken_ = stopped_ = true; });
  }

  void run(live::Directory& directory, live::Packets& packets, const live::PacketQuery& query) {
    capture::name_thread("api-fetch");
    if (query.qp) {
      const auto known = directory.qp(*query.qp, {.is_gone = [this] { return !write_is_wanted(); }});
      unknown_ = known && *known == nullptr;
    }
    const auto packets_written = packets.fetch(query, [this](Octets octets) { return take(octets); });
    if (packets_written && send()) {
      reply_.Clear();
      reply_.set_packets(*packets_written);
      write();
    }
    const grpc::Status how = status(packets_written);
    access_.audit(peer_, fmt::format("FetchPackets of {}, {} octets sent,", wanted(query), sent_), how);
    change([&] { over_ = true; });
    pass_gate();
    Finish(how);
    change([&] { ran_ = true; });
  }

 private:
  template <class Change>
  void change(Change&& how) {
    const std::lock_guard lock(mutex_);
    how();
    changed_.notify_all();
  }
  grpc::Status status(const live::Packets::Answer<std::uint64_t>& packets) {
    using grpc::StatusCode;
    const std::lock_guard lock(mutex_);
    if (!denied_.ok()) return denied_;
    if (stopped_) return {StatusCode::UNAVAILABLE, "the daemon is stopping"};
    if (stalled_) return {StatusCode::DEADLINE_EXCEEDED, "the client did not read for too long"};
    if (broken_) return {StatusCode::CANCELLED, "the client disconnected"};
    if (packets) return grpc::Status::OK;
    return {unknown_ ? StatusCode::NOT_FOUND : StatusCode::FAILED_PRECONDITION, packets.error()};
  }
  bool take(Octets octets) {
    while (!octets.empty()) {
      std::string& piece = *reply_.mutable_pcapng();
      const std::size_t n = std::min(octets.size(), kPiece - piece.size());
      piece.append(reinterpret_cast<const char*>(octets.data()), n);
      octets = octets.subspan(n);
      if (piece.size() == kPiece && !send()) return false;
    }
    return true;
  }
  /// Sends the read packets. False: the client needs no more.
  bool send() {
    if (reply_.pcapng().empty()) return write_is_wanted();
    const bool more = write();
    reply_.Clear();
    return more;
  }
  bool write_is_wanted() {
    const std::lock_guard lock(mutex_);
    return !broken_;
  }
  /// The right may have been withdrawn, or the certificate revoked, since the call began.
  void review() {
    const std::uint64_t now = access_.renewals();
    if (std::exchange(reviewed_, now) == now) return;
    auto denial = access_.denial(peer_, kFetchPackets);
    if (!denial) return;
    const std::lock_guard lock(mutex_);
    denied_ = grpc::Status(denial->code, denial->sentence);
    broken_ = true;
  }
  bool write() {
    review();
    {
      const std::lock_guard lock(mutex_);
      if (broken_) return false;
      writing_ = true;
    }
    pass_gate();
    sent_ += reply_.pcapng().size();
    StartWrite(&reply_);
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, stall_, [this] { return !writing_ || stopped_; });
    if (writing_) {
      stalled_ = broken_ = true;
      lock.unlock();
      context_.TryCancel();
      lock.lock();
      changed_.wait(lock, [this] { return !writing_; });
    }
    return !broken_;
  }

  grpc::CallbackServerContext& context_;
  const Access& access_;
  const Peer peer_;
  std::uint64_t reviewed_;  ///< Access::renewals(); of its thread
  std::uint64_t sent_ = 0;  ///< octets of the file; of its thread
  grpc::Status denied_;     ///< under mutex_
  std::chrono::milliseconds stall_;
  v1::FetchPacketsReply reply_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool writing_ = false, broken_ = false, stopped_ = false, stalled_ = false, over_ = false, done_ = false,
       ran_ = false;
  bool unknown_ = false;  ///< the queue pair asked for; of its thread
  std::shared_ptr<Stream> self_;
};

Fetches::Fetches(live::Directory& directory, live::Packets* packets, Limits limits, Use& use, const Access& access)
    : directory_(directory), packets_(packets), limits_(limits), use_(use), access_(access) {}

Fetches::~Fetches() {
  stop();
  for (Running& running : running_) running.thread.join();
}

Fetches::Reactor* Fetches::open(grpc::CallbackServerContext& context, const v1::FetchPacketsRequest& request) {
  using Refused = Refusal<Reactor>;
  using grpc::StatusCode;
  if (packets_ == nullptr) {
    return new Refused({StatusCode::UNIMPLEMENTED, "this daemon keeps no packets; its configuration disables it"});
  }
  const auto query = from_v1(request);
  if (!query) return new Refused({StatusCode::INVALID_ARGUMENT, query.error()});
  const std::lock_guard lock(mutex_);
  reap();
  if (stopping_) return new Refused({StatusCode::UNAVAILABLE, "the daemon is stopping"});
  const auto busy = std::count_if(running_.begin(), running_.end(), [](Running& r) { return !r.stream->is_over(); });
  if (static_cast<std::size_t>(busy) >= limits_.most) {
    ++use_.refused;
    return new Refused({StatusCode::RESOURCE_EXHAUSTED,
                        fmt::format("{} fetches are running, which is the limit; try again later", limits_.most)});
  }
  auto stream = std::make_shared<Stream>(context, access_, limits_.stall);
  stream->hold(stream);
  Running& running = running_.emplace_back();
  running.stream = stream;
  running.thread = std::thread([this, stream, query = *query] { stream->run(directory_, *packets_, query); });
  return stream.get();
}

void Fetches::stop() {
  const std::lock_guard lock(mutex_);
  stopping_ = true;
  for (Running& running : running_) running.stream->stop();
}

void Fetches::reap() {
  for (auto i = running_.begin(); i != running_.end();) {
    if (!i->stream->is_done()) {
      ++i;
      continue;
    }
    i->thread.join();
    i = running_.erase(i);
  }
}

}  // namespace iwarpscope::api
