// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "api/tails.h"

#include <fmt/format.h>
#include <grpcpp/server_context.h>

#include <algorithm>
#include <condition_variable>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "api/access.h"
#include "api/gate.h"
#include "api/methods.h"
#include "api/records.h"
#include "api/refusal.h"
#include "capture/thread_name.h"
#include "iwarpscope/v1/observer.pb.h"
#include "live/forwarding.h"
#include "report/utf8.h"

namespace iwarpscope::api {
namespace {

constexpr std::string_view kTailHistory = "/iwarpscope.v1.Observer/TailHistory";
constexpr std::uint32_t kTailDefault = 500, kTailMost = 1000;
constexpr std::size_t kLongestSentence = 1000;
using Clock = std::chrono::steady_clock;

}  // namespace

/// One tail. Its thread starts the writes and the end, and waits for each; what the client says comes on gRPC's
/// threads.
class Tails::Stream final : public Reactor {
 public:
  Stream(grpc::CallbackServerContext& context, Tails& tails)
      : context_(context),
        tails_(tails),
        sources_(tails.sources_),
        access_(tails.access_),
        limits_(tails.limits_),
        peer_(access_.peer(context)),
        reviewed_(access_.renewals()) {}

  void begin(std::shared_ptr<Stream> self) {
    self_ = std::move(self);
    pass_gate();
    StartRead(&request_);
  }
  void OnReadDone(bool ok) override {
    pass_gate();
    if (!ok) {  // the client says no more; it may go on reading
      change([&] { broken_ |= !begun_; });
      return;
    }
    if (!take_request()) return;
    pass_gate();
    StartRead(&request_);
  }
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
    if (reports_) sources_.forwarding->disconnected();
    change([&] { done_ = true; });
  }
  [[nodiscard]] bool is_over() {
    const std::lock_guard lock(mutex_);
    return over_;
  }
  [[nodiscard]] bool is_sending() {
    const std::lock_guard lock(mutex_);
    return begun_ && !over_;
  }
  /// gRPC and the thread have let go of it.
  [[nodiscard]] bool is_done() {
    const std::lock_guard lock(mutex_);
    return done_ && ran_;
  }
  void stop() {
    change([&] { broken_ = stopped_ = true; });
  }

  void run() {
    capture::name_thread("api-tail");
    send_all();
    const grpc::Status how = status();
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
  /// False: it is refused.
  bool take_request() {
    auto places = from_v1(request_.begin() ? request_.after() : request_.stored());
    if (!places) return refuse({grpc::StatusCode::INVALID_ARGUMENT, places.error()});
    if (request_.begin()) {
      change([&] {
        last_message_ = Clock::now();
        if (begun_) return;
        after_ = std::move(*places);
        most_ = request_.most() == 0 ? kTailDefault : std::min(request_.most(), kTailMost);
        begun_ = true;
      });
      return true;
    }
    change([&] { last_message_ = Clock::now(); });
    if (sources_.forwarding == nullptr) return true;
    if (!peer_.user) {
      return refuse(
          {grpc::StatusCode::PERMISSION_DENIED, "a delivery is only reported from this machine, by the Unix socket"});
    }
    if (const auto denial = access_.denial(peer_, Right::control)) return refuse({denial->code, denial->sentence});
    if (!std::exchange(reports_, true)) sources_.forwarding->connected();
    sources_.forwarding->report(
        std::move(*places), {report::to_printable(request_.trouble().substr(0, kLongestSentence)), request_.refused()});
    return true;
  }
  bool refuse(const grpc::Status& why) {
    change([&] {
      denied_ = why;
      broken_ = true;
    });
    return false;
  }
  /// Waits until records are wanted. False: the call is over.
  bool wait_for_begin() {
    std::unique_lock lock(mutex_);
    while (!begun_ && !broken_) {
      const auto until = last_message_ ? *last_message_ + limits_.silence : opened_ + limits_.first_word;
      if (Clock::now() >= until) {
        denied_ = {grpc::StatusCode::DEADLINE_EXCEEDED, "the client said nothing for too long"};
        broken_ = true;
        break;
      }
      changed_.wait_for(lock, std::min<Clock::duration>(until - Clock::now(), std::chrono::seconds{1}));
      lock.unlock();
      review();
      lock.lock();
    }
    return !broken_;
  }
  void send_all() {
    if (!wait_for_begin()) return;
    if (!tails_.may_begin()) {
      static_cast<void>(refuse(
          {grpc::StatusCode::RESOURCE_EXHAUSTED,
           fmt::format("{} clients read the history forward, which is the limit; try again later", limits_.most)}));
      return;
    }
    const live::Status status = sources_.directory.status();
    if (status.origin) {
      reply_.set_sensor(report::to_utf8(status.origin->sensor));
      reply_.set_sensor_uuid(status.origin->sensor_uuid);
    }
    if (!write()) return;
    const auto tail = sources_.archive->tail(after_);
    if (tail == nullptr) {
      static_cast<void>(refuse({grpc::StatusCode::UNIMPLEMENTED, "a centre does not deliver its records"}));
      return;
    }
    bool has_caught_up = false;
    for (;;) {
      auto page = tail->next(most_, {.is_gone = [this] { return is_broken(); }});
      if (!page) {
        failure_ = page.error();
        return;
      }
      reply_.Clear();
      to_v1(*page, reply_);
      const bool is_news = reply_.records_size() + reply_.expired_size() != 0 || (page->is_last && !has_caught_up);
      has_caught_up = page->is_last;
      if (is_news && !write()) return;
      if (has_caught_up && !pause()) return;
    }
  }
  /// False: the call is over.
  bool pause() {
    review();
    std::unique_lock lock(mutex_);
    return !changed_.wait_for(lock, limits_.look_every, [this] { return broken_; });
  }
  bool is_broken() {
    const std::lock_guard lock(mutex_);
    return broken_;
  }
  /// The right may have been withdrawn, or the certificate revoked, since the call began.
  void review() {
    const std::uint64_t now = access_.renewals();
    if (std::exchange(reviewed_, now) == now) return;
    auto denial = access_.denial(peer_, kTailHistory);
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
    StartWrite(&reply_);
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, limits_.stall, [this] { return !writing_ || broken_; });
    if (writing_) {
      stalled_ = !broken_;
      broken_ = true;
      lock.unlock();
      context_.TryCancel();
      lock.lock();
      changed_.wait(lock, [this] { return !writing_; });
    }
    return !broken_;
  }
  grpc::Status status() {
    using grpc::StatusCode;
    const std::lock_guard lock(mutex_);
    if (!denied_.ok()) return denied_;
    if (stopped_) return {StatusCode::UNAVAILABLE, "the daemon is stopping"};
    if (stalled_) return {StatusCode::DEADLINE_EXCEEDED, "the client did not read for too long"};
    if (broken_) return {StatusCode::CANCELLED, "the client disconnected"};
    return {StatusCode::UNAVAILABLE, failure_};
  }

  grpc::CallbackServerContext& context_;
  Tails& tails_;
  const Sources& sources_;
  const Access& access_;
  const Limits& limits_;
  const Peer peer_;
  const Clock::time_point opened_ = Clock::now();
  std::uint64_t reviewed_;          ///< Access::renewals(); of its thread
  v1::TailHistoryRequest request_;  ///< of gRPC's thread
  bool reports_ = false;            ///< it said what it has stored; of gRPC's thread
  v1::TailHistoryReply reply_;      ///< of its thread
  std::string failure_;             ///< of its thread
  std::mutex mutex_;
  std::condition_variable changed_;
  // Everything below: under mutex_. Once it has begun, `after_` and `most_` stay.
  bool begun_ = false;
  std::vector<live::ArchivePlace> after_;
  std::uint32_t most_ = kTailDefault;
  std::optional<Clock::time_point> last_message_;  ///< when the client said something last
  grpc::Status denied_;                            ///< not OK: why it is refused
  bool writing_ = false, broken_ = false, stopped_ = false, stalled_ = false, over_ = false, done_ = false,
       ran_ = false;
  std::shared_ptr<Stream> self_;
};

Tails::Tails(const Sources& sources, Limits limits, Use& use, const Access& access)
    : sources_(sources), limits_(limits), use_(use), access_(access) {}

Tails::~Tails() {
  stop();
  for (Running& running : running_) running.thread.join();
}

Tails::Reactor* Tails::open(grpc::CallbackServerContext& context) {
  using Refused = Refusal<Reactor>;
  using grpc::StatusCode;
  if (sources_.archive == nullptr)
    return new Refused({StatusCode::UNIMPLEMENTED, "this daemon keeps no history; its configuration disables it"});
  const std::lock_guard lock(mutex_);
  reap();
  if (stopping_) return new Refused({StatusCode::UNAVAILABLE, "the daemon is stopping"});
  const auto busy = std::count_if(running_.begin(), running_.end(), [](Running& r) { return !r.stream->is_over(); });
  if (static_cast<std::size_t>(busy) >= limits_.most_open) {
    ++use_.refused;
    return new Refused(
        {StatusCode::RESOURCE_EXHAUSTED,
         fmt::format("{} calls of TailHistory are open, which is the limit; try again later", limits_.most_open)});
  }
  auto stream = std::make_shared<Stream>(context, *this);
  Running& running = running_.emplace_back();
  running.stream = stream;
  running.thread = std::thread([stream] { stream->run(); });
  stream->begin(stream);
  return stream.get();
}

/// With the one that asks. Others may be in the same moment: then one too many is refused.
bool Tails::may_begin() {
  const std::lock_guard lock(mutex_);
  const auto busy = std::count_if(running_.begin(), running_.end(), [](Running& r) { return r.stream->is_sending(); });
  const bool may = static_cast<std::size_t>(busy) <= limits_.most;
  if (!may) ++use_.refused;
  return may;
}

void Tails::stop() {
  const std::lock_guard lock(mutex_);
  stopping_ = true;
  for (Running& running : running_) running.stream->stop();
}

void Tails::reap() {
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
