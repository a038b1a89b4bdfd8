// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "live/hub.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <deque>
#include <limits>
#include <utility>

#include "live/shared_events.h"

namespace iwarpscope::live {
namespace {

using Clock = std::chrono::steady_clock;

/// Who takes nothing for so long hangs.
constexpr std::chrono::seconds kPatience{5};

template <class... F>
struct Overload : F... {
  using F::operator()...;
};
template <class... F>
Overload(F...) -> Overload<F...>;

}  // namespace

const RecordName& name_of(const Event& event) noexcept {
  static const RecordName kNone;
  return std::visit(
      Overload{[](const MessageReported&) -> const RecordName& { return kNone; },
               [](const FindingReported& reported) -> const RecordName& { return reported.finding->name; },
               [](const auto& qp) -> const RecordName& { return qp.qp->name; }},
      event);
}

bool is_wanted(const Event& event, const Wanted& wanted) {
  if (!name_of(event).is_from(wanted.sensor)) return false;
  const auto of = [&](const auto& qp) { return !wanted.qp || wanted.qp == qp; };  // which is read only if it matters
  return std::visit(Overload{[&](const MessageReported& m) { return wanted.messages && of(m.message->qp); },
                             [&](const FindingReported& f) {
                               const findings::Finding& finding = f.finding->finding;
                               return wanted.findings && of(finding.qp) &&
                                      (!wanted.at_least || findings::rule(finding.id).severity >= *wanted.at_least);
                             },
                             [&](const QpEnded& e) { return wanted.qps && of(e.qp->record.qp); },
                             [&](const auto& qp) { return wanted.qps && !wanted.ended_only && of(qp.qp->record.qp); }},
                    event);
}

struct Hub::State {
  explicit State(std::size_t shared_octets) : shared(shared_octets) {}
  /// Under the lock.
  void close_queues();

  mutable std::mutex mutex;
  std::vector<Queue*> queues;
  SharedEvents shared;
  std::condition_variable shared_arrived;
  std::atomic<unsigned> subscribers{0}, want_changes{0}, want_messages{0}, want_failed{0};
  std::atomic<bool> closed{false};
  std::atomic<unsigned> beginnings{0};  ///< subscriptions of earlier ones are closed
};

/// What a subscriber wants, counted as long as this lives.
class Hub::Interest {
 public:
  Interest(State& state, const Wanted& wanted) : state_(state), wanted_(wanted) {
    ++state_.subscribers;
    if (wants_changes()) ++state_.want_changes;
    if (wanted_.messages) ++state_.want_messages;
    if (wanted_.failed_operations) ++state_.want_failed;
  }
  ~Interest() {
    --state_.subscribers;
    if (wants_changes()) --state_.want_changes;
    if (wanted_.messages) --state_.want_messages;
    if (wanted_.failed_operations) --state_.want_failed;
  }
  Interest(const Interest&) = delete;
  Interest& operator=(const Interest&) = delete;
  [[nodiscard]] const Wanted& wanted() const noexcept { return wanted_; }

 private:
  [[nodiscard]] bool wants_changes() const noexcept { return wanted_.qps && !wanted_.ended_only; }
  State& state_;
  const Wanted wanted_;
};

class Hub::Queue final : public Subscription {
 public:
  Queue(std::shared_ptr<State> hub, const Wanted& wanted)
      : hub_(std::move(hub)), interest_(*hub_, wanted), wanted_(interest_.wanted()) {
    const std::lock_guard lock(hub_->mutex);
    hub_->queues.push_back(this);
    beginning_ = hub_->beginnings;
    closed_ = hub_->closed;
  }
  ~Queue() override {
    const std::lock_guard lock(hub_->mutex);
    std::erase(hub_->queues, this);
  }

  std::vector<Event> wait(std::chrono::milliseconds most) override {
    std::unique_lock lock(mutex_);
    arrived_.wait_for(lock, most, [this] { return !waiting_.empty() || closed_ || cancelled_; });
    std::vector<Event> all(std::make_move_iterator(waiting_.begin()), std::make_move_iterator(waiting_.end()));
    waiting_.clear();
    full_since_.reset();
    return all;
  }
  std::vector<Event> take(std::size_t most) override {
    const std::lock_guard lock(mutex_);
    const auto end = waiting_.begin() + static_cast<std::ptrdiff_t>(std::min(most, waiting_.size()));
    std::vector<Event> some(std::make_move_iterator(waiting_.begin()), std::make_move_iterator(end));
    waiting_.erase(waiting_.begin(), end);
    if (!some.empty()) full_since_.reset();
    return some;
  }
  std::uint64_t lost() const noexcept override { return lost_.load(std::memory_order_relaxed); }
  std::size_t waiting() const noexcept override {
    const std::lock_guard lock(mutex_);
    return waiting_.size();
  }
  bool is_closed() const noexcept override {
    const std::lock_guard lock(mutex_);
    return closed_;
  }
  bool is_superseded() const noexcept override { return hub_->beginnings != beginning_; }
  void cancel() noexcept override {
    const std::lock_guard lock(mutex_);
    cancelled_ = true;
    arrived_.notify_all();
  }

  [[nodiscard]] const Wanted& wanted() const noexcept { return wanted_; }
  void tell(const Event& event) {
    const std::lock_guard lock(mutex_);
    if (waiting_.size() >= wanted_.queue) {
      lost_.fetch_add(1, std::memory_order_relaxed);
      return;
    }
    waiting_.push_back(event);
    if (waiting_.size() == 1) arrived_.notify_one();
    if (waiting_.size() >= wanted_.queue) full_since_ = Clock::now();
  }
  [[nodiscard]] bool is_waited_for() const {
    const std::lock_guard lock(mutex_);
    return wanted_.patient && full_since_ && !cancelled_ && Clock::now() - *full_since_ < kPatience;
  }
  void close() {
    const std::lock_guard lock(mutex_);
    closed_ = true;
    arrived_.notify_all();
  }

 private:
  const std::shared_ptr<State> hub_;
  const Interest interest_;
  const Wanted& wanted_;
  mutable std::mutex mutex_;
  std::condition_variable arrived_;
  std::deque<Event> waiting_;
  std::optional<Clock::time_point> full_since_;  ///< nothing was taken since
  std::atomic<std::uint64_t> lost_{0};
  unsigned beginning_ = 0;
  bool closed_ = false;
  bool cancelled_ = false;
};

void Hub::State::close_queues() {
  for (Queue* const queue : queues) queue->close();
  shared_arrived.notify_all();
}

/// A subscriber whose events are shared.
class Hub::Share final : public Subscription {
 public:
  Share(std::shared_ptr<State> hub, const Wanted& wanted)
      : hub_(std::move(hub)), interest_(*hub_, wanted), beginning_(hub_->beginnings), reader_{wanted} {
    const std::lock_guard lock(hub_->mutex);
    hub_->shared.add(reader_);
  }
  ~Share() override {
    while (!leave()) {  // the analysis may have the lock in between
    }
  }

  std::vector<Event> wait(std::chrono::milliseconds most) override {
    {
      std::unique_lock lock(hub_->mutex);
      hub_->shared_arrived.wait_for(lock, most, [this] { return waiting() != 0 || is_closed() || cancelled_; });
    }
    return take(std::numeric_limits<std::size_t>::max());
  }
  std::vector<Event> take(std::size_t most) override {
    std::vector<Event> some;
    while (!take(most, some)) {
    }
    return some;
  }
  std::uint64_t lost() const noexcept override { return reader_.lost.load(std::memory_order_relaxed); }
  std::size_t waiting() const noexcept override { return reader_.waiting.load(std::memory_order_relaxed); }
  bool is_closed() const noexcept override { return hub_->closed || hub_->beginnings != beginning_; }
  bool is_superseded() const noexcept override { return hub_->beginnings != beginning_; }
  void cancel() noexcept override {
    const std::lock_guard lock(hub_->mutex);
    cancelled_ = true;
    hub_->shared_arrived.notify_all();
  }

 private:
  bool take(std::size_t most, std::vector<Event>& to) {
    const std::lock_guard lock(hub_->mutex);
    return hub_->shared.take(reader_, most, to);
  }
  bool leave() {
    const std::lock_guard lock(hub_->mutex);
    return hub_->shared.drop(reader_);
  }

  const std::shared_ptr<State> hub_;
  const Interest interest_;
  const unsigned beginning_;
  SharedEvents::Reader reader_;  ///< under the hub's lock, but for its atomics
  bool cancelled_ = false;
};

Hub::Hub(std::size_t shared_octets) : state_(std::make_shared<State>(shared_octets)) {}
Hub::~Hub() {
  close();
}

std::unique_ptr<Subscription> Hub::subscribe(const Wanted& wanted) {
  if (wanted.shared) return std::make_unique<Share>(state_, wanted);
  return std::make_unique<Queue>(state_, wanted);
}

std::size_t Hub::shared_octets() const noexcept {
  return state_->shared.octets();
}

bool Hub::has_subscribers() const noexcept {
  return state_->subscribers.load(std::memory_order_relaxed) != 0;
}
bool Hub::wants_changes() const noexcept {
  return state_->want_changes.load(std::memory_order_relaxed) != 0;
}
bool Hub::wants_messages() const noexcept {
  return state_->want_messages.load(std::memory_order_relaxed) != 0;
}
bool Hub::wants_failed_operations() const noexcept {
  return state_->want_failed.load(std::memory_order_relaxed) != 0;
}

bool Hub::is_waited_for() const {
  const std::lock_guard lock(state_->mutex);
  return std::any_of(state_->queues.begin(), state_->queues.end(), [](const Queue* q) { return q->is_waited_for(); });
}

void Hub::tell(const Event& event) {
  const std::lock_guard lock(state_->mutex);
  for (Queue* const queue : state_->queues) {
    if (is_wanted(event, queue->wanted())) queue->tell(event);
  }
  state_->shared.tell(event);
  state_->shared_arrived.notify_all();
}

void Hub::begin_again() {
  const std::lock_guard lock(state_->mutex);
  ++state_->beginnings;
  state_->close_queues();
}

void Hub::close() {
  const std::lock_guard lock(state_->mutex);
  state_->closed = true;
  state_->close_queues();
}

}  // namespace iwarpscope::live
