// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "api/subscribers.h"

#include <fmt/format.h>
#include <grpcpp/server_context.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "api/access.h"
#include "api/gate.h"
#include "api/records.h"
#include "api/refusal.h"
#include "capture/thread_name.h"
#include "iwarpscope/v1/observer.pb.h"

namespace iwarpscope::api {
namespace {

using namespace std::chrono_literals;

constexpr std::string_view kSubscribe = "/iwarpscope.v1.Observer/Subscribe";
constexpr auto kTick = 20ms;
/// Events in one reply: a queue pair in full has some kilooctets, everything else less than one.
constexpr std::size_t kMostFull = 64, kMostRows = 512;

}  // namespace

/// One client. The thread of Subscribers alone calls tend(), and so starts every write and the end; gRPC's threads call
/// the On functions.
class Subscribers::Stream final : public Reactor {
 public:
  Stream(Subscribers& owner, grpc::CallbackServerContext& context, std::unique_ptr<live::Subscription> subscription,
         std::size_t queue, Detail detail)
      : owner_(owner),
        context_(context),
        peer_(owner.access_.peer(context)),
        reviewed_(owner.access_.renewals()),
        subscription_(std::move(subscription)),
        queue_(queue),
        detail_(detail) {}
  /// Places in its queue.
  [[nodiscard]] std::size_t queue() const noexcept { return queue_; }

  void OnWriteDone(bool ok) override {
    pass_gate();
    if (!ok) broken_ = true;
    writing_ = false;
    if (more_ || broken_) owner_.wake();
  }
  void OnCancel() override {
    pass_gate();
    broken_ = true;
    owner_.wake();
  }
  void OnDone() override {
    pass_gate();
    owner_.remove(this);
  }

  /// Starts what can be started now.
  void tend(bool stopping) {
    if (finished_) return;
    count_lost();
    review();
    if (writing_) {
      if ((stopping || denial_) && !std::exchange(cancelled_, true))
        context_.TryCancel();  // a client that does not read
      return;
    }
    if (denial_) return finish(grpc::Status(denial_->code, denial_->sentence));
    if (broken_) return finish(grpc::Status(grpc::StatusCode::CANCELLED, "the client disconnected"));
    const bool closed = subscription_->is_closed();
    if (pending_.empty() && subscription_->waiting() != 0) {
      auto came = subscription_->wait(0ms);
      pending_.insert(pending_.end(), std::make_move_iterator(came.begin()), std::make_move_iterator(came.end()));
    }
    if (stopping) return finish(grpc::Status(grpc::StatusCode::UNAVAILABLE, "the daemon is stopping"));
    if (closed && !first_ && pending_.empty() && subscription_->waiting() == 0) return finish(grpc::Status::OK);
    write();
  }

 private:
  /// The right may have been withdrawn, or the certificate revoked, since the call began.
  void review() {
    const std::uint64_t now = owner_.access_.renewals();
    if (std::exchange(reviewed_, now) != now) denial_ = owner_.access_.denial(peer_, kSubscribe);
  }
  /// Also while its client takes nothing.
  void count_lost() {
    const std::uint64_t lost = subscription_->lost();
    owner_.use_.lost += lost - std::exchange(counted_, lost);
  }
  void write() {
    const std::uint64_t lost = subscription_->lost();
    if (pending_.empty() && lost == lost_ && !first_) return;
    reply_.Clear();
    const std::size_t most = detail_ == Detail::full ? kMostFull : kMostRows;
    for (std::size_t i = 0; i < most && !pending_.empty(); ++i) {
      to_v1(pending_.front(), detail_, *reply_.add_events());
      pending_.pop_front();
    }
    reply_.set_lost(lost);
    owner_.use_.reported += static_cast<std::uint64_t>(reply_.events_size());
    lost_ = lost;
    first_ = false;
    more_ = !pending_.empty() || subscription_->waiting() != 0;
    writing_ = true;
    pass_gate();
    StartWrite(&reply_);
  }
  void finish(const grpc::Status& status) {
    finished_ = true;
    pending_.clear();
    subscription_->cancel();
    count_lost();
    subscription_.reset();  // its queue takes no memory while gRPC winds the call up
    pass_gate();
    Finish(status);
  }

  Subscribers& owner_;
  grpc::CallbackServerContext& context_;
  const Peer peer_;
  std::uint64_t reviewed_;  ///< Access::renewals()
  std::optional<Denial> denial_;
  std::unique_ptr<live::Subscription> subscription_;
  std::size_t queue_;
  Detail detail_;
  std::deque<live::Event> pending_;
  v1::SubscribeReply reply_;
  std::uint64_t lost_ = 0;     ///< as last sent to its client
  std::uint64_t counted_ = 0;  ///< of those that were lost
  bool first_ = true, finished_ = false, cancelled_ = false;
  std::atomic<bool> writing_{false}, broken_{false}, more_{false};
};

Subscribers::Subscribers(live::Directory& directory, Limits limits, Use& use, const Access& access)
    : directory_(directory), limits_(limits), use_(use), access_(access), thread_([this] { run(); }) {}

Subscribers::~Subscribers() {
  {
    const std::lock_guard lock(mutex_);
    end_ = true;
  }
  changed_.notify_one();
  thread_.join();
}

Subscribers::Reactor* Subscribers::open(grpc::CallbackServerContext& context, const v1::SubscribeRequest& request) {
  using Refused = Refusal<v1::SubscribeReply>;
  pass_gate();
  auto wanted = from_v1(request);
  if (!wanted) return new Refused(grpc::Status(grpc::StatusCode::INVALID_ARGUMENT, wanted.error()));
  const std::lock_guard lock(mutex_);
  if (stopping_) return new Refused(grpc::Status(grpc::StatusCode::UNAVAILABLE, "the daemon is stopping"));
  if (streams_.size() >= limits_.most || queued_ >= limits_.most_queued) {
    ++use_.refused;
    return new Refused(grpc::Status(
        grpc::StatusCode::RESOURCE_EXHAUSTED,
        fmt::format("{} subscribers are being served, which is the limit; try again later", streams_.size())));
  }
  wanted->queue = std::min(wanted->queue, limits_.most_queued - queued_);
  queued_ += wanted->queue;
  const Detail detail = detail_from_v1(request.detail());
  auto stream = std::make_shared<Stream>(*this, context, directory_.subscribe(*wanted), wanted->queue, detail);
  Stream* const reactor = stream.get();
  streams_.emplace(reactor, std::move(stream));
  ++generation_;
  use_.subscribers = static_cast<std::uint32_t>(streams_.size());
  woken_ = true;
  changed_.notify_one();
  return reactor;
}

void Subscribers::stop() {
  const std::lock_guard lock(mutex_);
  stopping_ = true;
  woken_ = true;
  changed_.notify_one();
}

void Subscribers::wake() {
  const std::lock_guard lock(mutex_);
  woken_ = true;
  changed_.notify_one();
}

void Subscribers::remove(const Stream* stream) {
  std::shared_ptr<Stream> last;  // destroyed without the lock
  const std::lock_guard lock(mutex_);
  const auto found = streams_.find(stream);
  if (found == streams_.end()) return;
  last = std::move(found->second);
  queued_ -= last->queue();
  streams_.erase(found);
  ++generation_;
  use_.subscribers = static_cast<std::uint32_t>(streams_.size());
}

void Subscribers::run() {
  capture::name_thread("api-subscribers");
  std::vector<std::shared_ptr<Stream>> all;
  std::uint64_t generation = 0;
  std::unique_lock lock(mutex_);
  while (!end_ || !streams_.empty()) {
    const auto is_woken = [this] { return woken_ || end_; };
    if (streams_.empty()) {
      changed_.wait(lock, is_woken);
    } else {
      changed_.wait_for(lock, kTick, is_woken);
    }
    woken_ = false;
    if (generation != generation_) {
      all.clear();
      for (const auto& [key, stream] : streams_) all.push_back(stream);
      generation = generation_;
    }
    const bool stopping = stopping_ || end_;
    lock.unlock();
    for (const auto& stream : all) stream->tend(stopping);
    lock.lock();
    if (generation != generation_) {
      lock.unlock();
      all.clear();  // streams that are over are not kept until the next tick
      lock.lock();
    }
  }
}

}  // namespace iwarpscope::api
