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
#include "api/catch_up.h"
#include "api/gate.h"
#include "api/questions.h"
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
constexpr std::size_t kFullEvent = 16 << 10, kRowEvent = 1 << 10;  ///< octets of most of them, in memory
/// Octets that a reply takes in memory for each octet that is sent: as a message, and as what gRPC has made of it.
constexpr std::size_t kInMemory = 4;
constexpr std::size_t kRecordOctets = 4 << 10;  ///< octets of most records
constexpr std::size_t kRecordsOnPage = 2000;

}  // namespace

/// Where a subscriber begins.
struct Subscribers::Start {
  live::RecordPlace place;                  ///< of what is sent next
  std::uint64_t last_sequence = 0;          ///< of the run
  bool run_ended = false;                   ///< that of the request
  bool is_checked = true;                   ///< false: nothing is sent before the first page of `behind`
  std::unique_ptr<live::Subscription> now;  ///< null: `behind` comes first
  std::unique_ptr<CatchUp> behind{};
};

/// One client. The thread of Subscribers alone calls tend(), and so starts every write and the end; gRPC's threads call
/// the On functions.
class Subscribers::Stream final : public Reactor {
 public:
  Stream(Subscribers& owner, grpc::CallbackServerContext& context, Start start, Detail detail)
      : owner_(owner),
        context_(context),
        peer_(owner.access_.peer(context)),
        reviewed_(owner.access_.renewals()),
        subscription_(std::move(start.now)),
        start_(std::move(start)),
        through_(start_.behind != nullptr ? start_.place.sequence : 0),
        detail_(detail) {}

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
    drop_reply();
    if (denial_) return finish(grpc::Status(denial_->code, denial_->sentence));
    if (broken_) return finish(grpc::Status(grpc::StatusCode::CANCELLED, "the client disconnected"));
    if (pending_.empty() && !catch_up()) return;
    const bool closed = subscription_ && subscription_->is_closed();
    if (stopping) return finish(grpc::Status(grpc::StatusCode::UNAVAILABLE, "the daemon is stopping"));
    if (closed && !first_ && pending_.empty() && waiting() == 0) {
      if (!subscription_->is_superseded()) return finish(grpc::Status::OK);
      return finish(
          grpc::Status(grpc::StatusCode::UNAVAILABLE, "records have other numbers now: list again what is there"));
    }
    write();
  }

 private:
  /// The right may have been withdrawn, or the certificate revoked, since the call began.
  void review() {
    const std::uint64_t now = owner_.access_.renewals();
    if (std::exchange(reviewed_, now) != now) denial_ = owner_.access_.denial(peer_, kSubscribe);
  }
  [[nodiscard]] std::size_t waiting() const { return subscription_ ? subscription_->waiting() : 0; }
  [[nodiscard]] std::uint64_t lost() const { return subscription_ ? subscription_->lost() : 0; }
  /// Takes room for the next page of what is remembered and asks for it, or takes the page. False: the stream is
  /// finished.
  bool catch_up() {
    if (!start_.behind || !start_.behind->is_asked()) drop_page();
    if (!start_.behind) return true;
    if (!start_.behind->is_asked()) {
      const std::size_t records = std::clamp<std::size_t>(owner_.pages_.free() / kRecordOctets, 1, kRecordsOnPage);
      if (start_.behind->ask(records)) hold(owner_.pages_, page_octets_, records * kRecordOctets);
      return true;
    }
    auto page = start_.behind->take();
    if (!page) return true;
    if (!*page) {
      const CatchUp::Failed& why = page->error();
      finish({why.is_wrong ? grpc::StatusCode::INVALID_ARGUMENT : grpc::StatusCode::UNAVAILABLE, why.sentence});
      return false;
    }
    start_.is_checked = true;
    live::Resumed& resumed = **page;
    pending_.insert(pending_.end(), std::make_move_iterator(resumed.page.events.begin()),
                    std::make_move_iterator(resumed.page.events.end()));
    missing_ += resumed.page.missing;
    through_ = resumed.page.through;
    if (!resumed.subscription) return true;
    subscription_ = std::move(resumed.subscription);
    start_.behind.reset();
    return true;
  }
  /// Also while its client takes nothing.
  void count_lost() {
    const std::uint64_t lost = this->lost();
    owner_.use_.lost += lost - std::exchange(counted_, lost);
  }
  void hold(Room& room, std::size_t& octets, std::size_t taken) {
    octets = taken;
    room.take(octets);
    owner_.use_.held += octets;
  }
  void let_go(Room& room, std::size_t& octets) {
    if (octets == 0) return;
    room.give_back(octets);
    owner_.use_.held -= std::exchange(octets, 0);
  }
  void drop_page() { let_go(owner_.pages_, page_octets_); }
  void drop_reply() {
    reply_.reset();
    let_go(owner_.replies_, reply_octets_);
  }
  /// Precondition: none is pending. Records that it caught up with may come again.
  void take_events(std::size_t most) {
    if (waiting() == 0) return;  // without a lock
    for (live::Event& event : subscription_->take(most)) {
      const std::uint64_t order = live::name_of(event).order();
      if (order == 0 || order > through_) pending_.push_back(std::move(event));
    }
  }
  /// Puts as many events into the reply as there is room for, one at least.
  void fill(v1::SubscribeReply& reply) {
    const bool full = detail_ == Detail::full;
    const std::size_t most = full ? kMostFull : kMostRows, room = owner_.replies_.free();
    std::size_t octets = 0;
    for (std::size_t i = 0; i < most && (octets < room || i == 0); ++i) {
      if (pending_.empty()) take_events(std::min(most - i, 1 + (room - octets) / (full ? kFullEvent : kRowEvent)));
      if (pending_.empty()) break;
      v1::Event& added = *reply.add_events();
      to_v1(pending_.front(), detail_, added);
      octets += kInMemory * added.ByteSizeLong();
      start_.place.sequence = std::max(start_.place.sequence, live::name_of(pending_.front()).order());
      pending_.pop_front();
    }
    hold(owner_.replies_, reply_octets_, octets);
  }
  void write() {
    if (!start_.is_checked) return;
    while (pending_.empty() && waiting() != 0) take_events(1);
    // It has caught up, and the last records were not wanted: its client waits for the place behind them.
    const bool is_through = pending_.empty() && subscription_ && through_ > start_.place.sequence;
    if (pending_.empty() && this->lost() == lost_ && missing_ == missing_sent_ && !first_ && !is_through) return;
    v1::SubscribeReply& reply = reply_.emplace();
    fill(reply);
    const std::uint64_t lost = this->lost();  // all that its place leaves out is in it
    if (pending_.empty()) start_.place.sequence = std::max(start_.place.sequence, through_);
    reply.set_lost(lost);
    reply.mutable_place()->set_run_uuid(start_.place.run_uuid);
    reply.mutable_place()->set_sequence(start_.place.sequence);
    reply.set_missing(missing_);
    reply.set_run_ended(start_.run_ended);
    reply.set_last_sequence(start_.last_sequence);
    owner_.use_.reported += static_cast<std::uint64_t>(reply.events_size());
    lost_ = lost;
    missing_sent_ = missing_;
    first_ = false;
    more_ = !pending_.empty() || waiting() != 0 || start_.behind != nullptr;
    writing_ = true;
    pass_gate();
    StartWrite(&reply);
  }
  void finish(const grpc::Status& status) {
    finished_ = true;
    pending_.clear();
    drop_page();
    if (subscription_) subscription_->cancel();
    count_lost();
    start_.behind.reset();
    subscription_.reset();  // it takes no memory while gRPC winds the call up
    pass_gate();
    Finish(status);
  }

  Subscribers& owner_;
  grpc::CallbackServerContext& context_;
  const Peer peer_;
  std::uint64_t reviewed_;  ///< Access::renewals()
  std::optional<Denial> denial_;
  std::unique_ptr<live::Subscription> subscription_;  ///< null: it catches up
  Start start_;
  std::uint64_t through_;  ///< records up to this sequence were put in line, or are missing
  Detail detail_;
  std::deque<live::Event> pending_;
  std::optional<v1::SubscribeReply> reply_;         ///< while gRPC writes it
  std::size_t page_octets_ = 0, reply_octets_ = 0;  ///< that it holds of the room for them
  std::uint64_t lost_ = 0;                          ///< as last sent to its client
  std::uint64_t missing_ = 0, missing_sent_ = 0;
  std::uint64_t counted_ = 0;  ///< of those that were lost
  bool first_ = true, finished_ = false, cancelled_ = false;
  std::atomic<bool> writing_{false}, broken_{false}, more_{false};
};

Subscribers::Subscribers(live::Directory& directory, Limits limits, Use& use, const Access& access, Work& work)
    : directory_(directory),
      limits_(limits),
      use_(use),
      access_(access),
      work_(work),
      replies_(limits.octets / 2, limits.most),
      pages_(limits.octets / 2, limits.most),
      thread_([this] { run(); }) {}

Subscribers::~Subscribers() {
  {
    const std::lock_guard lock(mutex_);
    end_ = true;
  }
  changed_.notify_one();
  thread_.join();
}

tl::expected<Subscribers::Start, std::string> Subscribers::start_of(const std::string& client,
                                                                    const v1::SubscribeRequest& request,
                                                                    const live::Wanted& wanted) {
  Start start;
  start.place = directory_.last_record();  // before it subscribes: what comes in between is sent again, not left out
  start.last_sequence = start.place.sequence;
  if (!request.has_after()) {
    start.now = directory_.subscribe(wanted);
    return start;
  }
  const v1::RecordPlace& after = request.after();
  if (start.place.run_uuid.empty()) return tl::unexpected(std::string{"after: no place is known yet; try again later"});
  if (after.run_uuid().empty()) return tl::unexpected(std::string{"after: the UUID of the run is missing"});
  start.run_ended = after.run_uuid() != start.place.run_uuid;
  if (!start.run_ended && after.sequence() > start.last_sequence) {
    return tl::unexpected(fmt::format("after: this run has {} records, and none with the sequence {}",
                                      start.last_sequence, after.sequence()));
  }
  start.place.sequence = start.run_ended ? 0 : after.sequence();
  start.is_checked = !start.run_ended && !wanted.sensor;  // whether there is such a run or sensor is looked for there
  start.behind = std::make_unique<CatchUp>(
      directory_, work_, client, wanted,
      CatchUp::From{start.place.sequence, start.run_ended ? std::optional(after.run_uuid()) : std::nullopt});
  return start;
}

Subscribers::Reactor* Subscribers::open(grpc::CallbackServerContext& context, const v1::SubscribeRequest& request) {
  using Refused = Refusal<grpc::ServerWriteReactor<v1::SubscribeReply>>;
  pass_gate();
  auto wanted = from_v1(request);
  if (!wanted) return new Refused(grpc::Status(grpc::StatusCode::INVALID_ARGUMENT, wanted.error()));
  if (wanted->sensor && !request.has_after()) {
    const std::string trouble = directory_.sensor_trouble(*wanted->sensor, /*at_once=*/true);
    if (!trouble.empty()) return new Refused(grpc::Status(grpc::StatusCode::INVALID_ARGUMENT, trouble));
  }
  const std::lock_guard lock(mutex_);
  if (stopping_) return new Refused(grpc::Status(grpc::StatusCode::UNAVAILABLE, "the daemon is stopping"));
  if (streams_.size() >= limits_.most) {
    ++use_.refused;
    return new Refused(grpc::Status(
        grpc::StatusCode::RESOURCE_EXHAUSTED,
        fmt::format("{} subscribers are being served, which is the limit; try again later", streams_.size())));
  }
  wanted->shared = true;
  auto start = start_of(client_of(context), request, *wanted);
  if (!start) return new Refused(grpc::Status(grpc::StatusCode::INVALID_ARGUMENT, start.error()));
  const Detail detail = detail_from_v1(request.detail());
  auto stream = std::make_shared<Stream>(*this, context, std::move(*start), detail);
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
