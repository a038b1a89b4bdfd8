// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "forward/forwarder.h"

#include <fmt/format.h>

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <random>
#include <string>
#include <thread>
#include <utility>

#include "api/client.h"
#include "centre/postgres.h"
#include "forward/delivery.h"
#include "iwarpscope/v1/observer.pb.h"
#include "iwarpscope/v1/status.pb.h"

namespace iwarpscope::forward {

/// Why nothing is delivered.
struct Trouble {
  std::string text{};    ///< a sentence; empty: records are delivered
  bool refused = false;  ///< the centre answers, and takes no record
};

namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

/// Replies that wait for the centre at most. The daemon sends no more then: its history is the queue.
constexpr std::size_t kMostReplies = 4;
constexpr auto kReportEvery = 1s;
constexpr auto kLookForAnswers = 10ms;
/// How long a stop waits for what was sent.
constexpr auto kStop = 5s;

/// The centre answers, and will not take what this program sends: it has no such functions, or not for this sensor.
bool is_refusal(const std::string& sqlstate) {
  return sqlstate.starts_with("42") || sqlstate == "3F000" || (sqlstate.starts_with("IWS") && sqlstate != "IWS01");
}

/// What an operator can do about it.
Trouble trouble_of(const centre::PostgresError& error) {
  std::string text = error.text;
  if (error.sqlstate == "42883" || error.sqlstate == "3F000" || error.sqlstate == "42P01")
    text += " (The schema of the centre is missing or older than this program: run `iwarpscope-centre migrate`.)";
  return {std::move(text), is_refusal(error.sqlstate)};
}

}  // namespace

/// What run() and stop() share.
struct Forwarder::State {
  State(Options its_options, Tell its_tell) : options(std::move(its_options)), tell(std::move(its_tell)) {}

  const Options options;
  const Tell tell;
  std::mutex mutex;
  std::condition_variable changed;
  bool stopping = false;  ///< under mutex

  // Only for run().
  std::chrono::milliseconds pause{0};
  std::mt19937 random{std::random_device{}()};
  std::string trouble;     ///< said last
  Trouble centre_trouble;  ///< of the last attempt; empty: records were stored since
  bool has_worked = false;

  [[nodiscard]] bool is_stopping() {
    const std::lock_guard lock(mutex);
    return stopping;
  }
  /// Longer each time, up to a bound; not the same for all forwarders of a site. False: it is to stop.
  bool wait_before_another() {
    pause = pause.count() == 0 ? options.first_pause : std::min(pause * 2, options.longest_pause);
    std::uniform_real_distribution<double> part(0.5, 1.5);
    const auto wait =
        std::min(std::chrono::duration_cast<std::chrono::milliseconds>(pause * part(random)), options.longest_pause);
    std::unique_lock lock(mutex);
    return !changed.wait_for(lock, wait, [this] { return stopping; });
  }
  /// Once for each cause, however often it is met.
  void say(const std::string& sentence) {
    if (sentence == trouble) return;
    trouble = sentence;
    tell(sentence, true);
  }
  void works() {
    pause = 0ms;
    if (!trouble.empty() || !has_worked) tell("Records are delivered to the centre.", false);
    has_worked = true;
    trouble.clear();
    centre_trouble = {};
  }
};

/// One call of TailHistory, with a thread that reads it.
class Forwarder::Session {
 public:
  Session(State& state, api::Client& daemon) : state_(state), tail_(daemon.tail()) {}
  ~Session() {
    {
      const std::lock_guard lock(state_.mutex);
      leaving_ = true;
    }
    state_.changed.notify_all();
    tail_->cancel();
    if (reader_.joinable()) reader_.join();
  }
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  /// Reports to the daemon why nothing is delivered, or that all is well. False: the call is over.
  bool report(const Places& stored, const Trouble& trouble) {
    v1::TailHistoryRequest request;
    stored.put(*request.mutable_stored());
    request.set_trouble(trouble.text);
    request.set_refused(trouble.refused);
    reported_ = Clock::now();
    return tail_->say(request);
  }
  /// Delivers until one of both sides fails or stop() is called. Returns what the centre's failure is; empty: it is
  /// none.
  Trouble deliver(centre::Connection& centre, const std::string& sensor_uuid);
  /// Why the daemon's side is over.
  std::string ended() {
    const std::lock_guard lock(state_.mutex);
    return ended_.empty() ? "The daemon does not answer." : ended_;
  }

 private:
  void read_all();
  bool begin(const Places& after);
  /// Waits for more; what came is in `batcher`. False: it is over.
  bool wait_for_more(Batcher& batcher, std::chrono::milliseconds most);
  centre::Asked<void> answer(centre::Connection& centre, std::chrono::milliseconds patience);
  centre::Asked<void> send_all(centre::Connection& centre, Batcher& batcher);
  centre::Asked<void> finish(centre::Connection& centre);

  State& state_;
  std::unique_ptr<api::Tail> tail_;
  std::thread reader_;
  bool leaving_ = false;  ///< under state_.mutex, as the next two
  std::deque<v1::TailHistoryReply> replies_;
  std::string ended_;
  Clock::time_point reported_{};
  Places stored_, sent_;  ///< what the centre has; and will have when all was answered
  /// What it will have after an answer, and when the batch was sent.
  struct Sent {
    Places after;
    Clock::time_point when;
  };
  std::deque<Sent> in_flight_;
  std::string sensor_uuid_;
};

void Forwarder::Session::read_all() {
  v1::TailHistoryReply reply;
  while (tail_->read(reply)) {
    std::unique_lock lock(state_.mutex);
    if (!reply.sensor_uuid().empty() && reply.sensor_uuid() != sensor_uuid_) {
      ended_ = "The daemon was replaced by another one.";
      state_.changed.notify_all();
      return;
    }
    state_.changed.wait(lock, [this] { return leaving_ || replies_.size() < kMostReplies; });
    if (leaving_) return;
    replies_.push_back(std::move(reply));
    state_.changed.notify_all();
  }
  const std::string why = tail_->failure().sentence;
  const std::lock_guard lock(state_.mutex);
  ended_ = why.empty() ? "The daemon ended the call." : why;
  state_.changed.notify_all();
}

bool Forwarder::Session::begin(const Places& after) {
  v1::TailHistoryRequest request;
  request.set_begin(true);
  after.put(*request.mutable_after());
  request.set_most(static_cast<std::uint32_t>(state_.options.batch));
  if (!tail_->say(request)) return false;
  reader_ = std::thread([this] { read_all(); });
  return true;
}

bool Forwarder::Session::wait_for_more(Batcher& batcher, std::chrono::milliseconds most) {
  std::unique_lock lock(state_.mutex);
  state_.changed.wait_for(lock, most, [this] { return state_.stopping || !ended_.empty() || !replies_.empty(); });
  while (!replies_.empty() && batcher.waiting() < state_.options.batch) {
    batcher.take(replies_.front());
    replies_.pop_front();
  }
  state_.changed.notify_all();
  return !state_.stopping && ended_.empty();
}

/// Takes the answer to the oldest batch.
centre::Asked<void> Forwarder::Session::answer(centre::Connection& centre, std::chrono::milliseconds patience) {
  const auto stored = centre.receive(patience);
  if (!stored) return tl::unexpected(stored.error());
  stored_ = std::move(in_flight_.front().after);
  in_flight_.pop_front();
  state_.works();
  if (Clock::now() - reported_ >= kReportEvery) static_cast<void>(report(stored_, {}));
  return {};
}

centre::Asked<void> Forwarder::Session::send_all(centre::Connection& centre, Batcher& batcher) {
  const Options& options = state_.options;
  std::optional<Clock::time_point> first;  // when the oldest record came that is not sent
  for (;;) {
    const auto left = [&]() -> std::chrono::milliseconds {
      if (!first) return kReportEvery;
      return std::chrono::ceil<std::chrono::milliseconds>(
          std::max(*first + options.wait - Clock::now(), Clock::duration{0}));
    };
    const bool is_full = batcher.waiting() >= options.batch;
    const bool goes_on = wait_for_more(batcher, is_full ? 0ms : in_flight_.empty() ? left() : kLookForAnswers);
    if (!goes_on) return {};
    if (batcher.waiting() != 0 && !first) first = Clock::now();
    const bool has_waited = first && Clock::now() >= *first + options.wait;
    if (is_due(batcher.waiting(), options.batch, has_waited, in_flight_.size())) {
      if (in_flight_.size() >= options.in_flight) {
        if (auto done = answer(centre, options.patience); !done) return done;
      }
      const Batch batch = batcher.next();
      if (auto done = send(centre, sensor_uuid_, sent_, batch); !done) return done;
      sent_ = batch.after;
      in_flight_.push_back({batch.after, Clock::now()});
      first = batcher.waiting() != 0 ? std::optional(Clock::now()) : std::nullopt;
    }
    while (!in_flight_.empty() && centre.has_answer()) {
      if (auto done = answer(centre, options.patience); !done) return done;
    }
    if (!in_flight_.empty() && Clock::now() - in_flight_.front().when >= options.patience)
      return tl::unexpected(centre::PostgresError{"", "The server did not answer in time."});
    const bool is_idle = in_flight_.empty() && batcher.waiting() == 0;
    if (is_idle && Clock::now() - reported_ >= kReportEvery * 5) static_cast<void>(report(stored_, {}));
  }
}

/// Waits for what was sent.
centre::Asked<void> Forwarder::Session::finish(centre::Connection& centre) {
  const auto until = Clock::now() + kStop;
  while (!in_flight_.empty()) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(until - Clock::now());
    if (auto done = answer(centre, std::max(left, 0ms)); !done) return done;
  }
  static_cast<void>(report(stored_, {}));
  return {};
}

Trouble Forwarder::Session::deliver(centre::Connection& centre, const std::string& sensor_uuid) {
  sensor_uuid_ = sensor_uuid;
  auto cursor = read_cursor(centre, sensor_uuid, state_.options.patience);
  if (!cursor) return trouble_of(cursor.error());
  stored_ = sent_ = *cursor;
  if (!begin(stored_)) return {};
  static_cast<void>(report(stored_, state_.centre_trouble));
  if (auto done = centre.begin_pipeline(); !done) return trouble_of(done.error());
  Batcher batcher(sent_, state_.options.batch);
  auto done = send_all(centre, batcher);
  if (done) done = finish(centre);
  return done ? Trouble{} : trouble_of(done.error());
}

Forwarder::Forwarder(Options options, Tell tell)
    : state_(std::make_unique<State>(std::move(options), std::move(tell))) {}

Forwarder::~Forwarder() = default;

void Forwarder::stop() {
  const std::lock_guard lock(state_->mutex);
  state_->stopping = true;
  state_->changed.notify_all();
}

void Forwarder::run() {
  State& s = *state_;
  api::Place place;
  place.socket = s.options.socket;
  const auto daemon = api::Client::open(place);
  while (!s.is_stopping()) {
    const auto status = (*daemon)->status();
    if (!status) {
      s.say(status.error().sentence);
      if (!s.wait_before_another()) return;
      continue;
    }
    const std::string& uuid = status->name().sensor_uuid();
    Session session(s, **daemon);
    static_cast<void>(session.report({}, s.centre_trouble));  // the daemon knows that this program is there
    auto centre = centre::Connection::open(s.options.database, "iwarpscope-forward", /*verified=*/true);
    const Trouble trouble = centre ? session.deliver(*centre, uuid) : trouble_of(centre.error());
    if (s.is_stopping()) return;
    if (trouble.text.empty()) {
      s.say(session.ended());
    } else {
      s.say("The centre: " + trouble.text);
      s.centre_trouble = trouble;
      static_cast<void>(session.report({}, trouble));
    }
    if (!s.wait_before_another()) return;
  }
}

}  // namespace iwarpscope::forward
