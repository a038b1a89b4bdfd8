// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "centre/arrivals.h"

#include <fmt/format.h>
#include <poll.h>

#include <algorithm>
#include <chrono>
#include <optional>

#include "api/interned.h"
#include "capture/thread_name.h"
#include "centre/bodies.h"
#include "centre/migrate.h"
#include "centre/rows.h"
#include "report/human.h"

namespace iwarpscope::centre {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

constexpr auto kPatience = 10s;  ///< with an answer of the database
constexpr const char* kFollowerSettings = "SET jit = off; SET statement_timeout = '9s'; LISTEN iwarpscope";
/// A commit that waits for the standby, as those of deliveries do. A primary that was stopped, and that another server
/// has replaced, still shows what only it has until it notices: this does not succeed there.
constexpr const char* kBarrier = "SELECT pg_logical_emit_message(true, 'iwarpscope', '')";
constexpr auto kIdle = 1s;            ///< between two looks, without a notification
constexpr auto kBehind = 50ms;        ///< while transactions are under way; also the least, however many notifications
constexpr auto kReconnectPause = 1s;  ///< before the next attempt to connect
constexpr auto kSensorsEvery = 2s, kLastEvery = 1s;
constexpr std::int64_t kPage = 200;                     ///< records that are read at once
constexpr std::int64_t kStates = 500;                   ///< likewise, of states of one sensor
constexpr std::size_t kShared = std::size_t{32} << 20;  ///< octets of events that subscribers have not taken
constexpr std::size_t kMostMarks = 64;

/// Names in the text of an array of PostgreSQL: {3/17,4/2}.
std::vector<std::string> elements(std::string_view text) {
  std::vector<std::string> all;
  std::string one;
  for (const char c : text) {
    if (c == ',' || c == '}') {
      if (!one.empty()) all.push_back(std::move(one));
      one.clear();
    } else if (c != '{' && c != '"') {
      one += c;
    }
  }
  return all;
}

constexpr std::int64_t kNs = 1'000'000'000;
constexpr std::int64_t kLeastSilence = 5, kUnknownSilence = 60;  ///< seconds; of sensors without heartbeats
constexpr int kBeats = 3;                                        ///< heartbeats that may be missing

}  // namespace

std::uint64_t Watermark::look(std::uint64_t last, std::vector<std::string> running) {
  std::sort(running.begin(), running.end());
  // The server is another one, and lost what the one before it had confirmed.
  if (last < value_) {
    marks_.clear();
    value_ = last;
  }
  const auto is_over = [&](const Mark& mark) {
    return std::none_of(mark.running.begin(), mark.running.end(), [&](const std::string& one) {
      return std::binary_search(running.begin(), running.end(), one);
    });
  };
  while (!marks_.empty() && (marks_.front().last > last || is_over(marks_.front()))) {
    value_ = std::max(value_, std::min(marks_.front().last, last));
    marks_.pop_front();
  }
  if (last > value_ && (marks_.empty() || last > marks_.back().last)) {
    if (running.empty() && marks_.empty()) {
      value_ = last;
    } else if (marks_.size() < kMostMarks) {
      marks_.push_back({last, std::move(running)});
    }
  }
  return value_;
}

/// With one connection.
class Arrivals::Follower {
 public:
  Follower(Arrivals& owner, Connection database)
      : owner_(owner), database_(std::move(database)), mark_(owner.through_) {
    database_.limit(kPatience, &owner_.stopping_);
  }

  /// Until it is stopped, or the connection fails.
  Asked<void> run() {
    if (auto set = database_.run(kFollowerSettings); !set) return tl::unexpected(set.error());
    if (auto checked = check_schema(); !checked) return checked;
    // Such a primary may have the connection again. What it has is not compared with what was there before.
    if (auto kept = database_.run(kBarrier); !kept) return tl::unexpected(kept.error());
    if (auto checked = check_last(); !checked) return checked;
    while (!owner_.stopping_) {
      looked_ = Clock::now();
      if (auto done = follow(); !done) return done;
      if (auto done = follow_states(); !done) return done;
      if (Clock::now() >= sensors_due_) {
        if (auto checked = check_schema(); !checked) return checked;
        if (auto done = read_sensors(); !done) return done;
        owner_.set_trouble({}, database_.host());
        sensors_due_ = Clock::now() + kSensorsEvery;
      }
      wait();
    }
    return {};
  }

 private:
  void wait() {
    auto until = Clock::now() + (mark_.is_behind() ? std::chrono::milliseconds(kBehind) : kIdle);
    while (!owner_.stopping_ && Clock::now() < until) {
      bool arrived = false;
      while (database_.notification()) arrived = true;
      if (arrived) return std::this_thread::sleep_until(looked_ + kBehind);
      pollfd waiting{database_.socket(), POLLIN, 0};
      const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(until - Clock::now());
      if (poll(&waiting, 1, static_cast<int>(std::clamp<std::int64_t>(left.count(), 0, 100))) > 0 && !database_.reads())
        return;
    }
  }
  /// One that differs is said; a service of the version before goes on while the others are updated.
  Asked<void> check_schema() {
    const auto version = schema_version(database_);
    if (!version) return tl::unexpected(version.error());
    owner_.set_schema_trouble(schema_trouble(*version));
    return {};
  }
  /// Passes the records that can be seen now.
  Asked<void> follow() {
    const auto now = database_.run("SELECT last, running FROM iwarpscope.deliveries()");
    if (!now) return tl::unexpected(now.error());
    const std::uint64_t before = owner_.through_;
    const std::uint64_t seen = mark_.look(static_cast<std::uint64_t>(now->number(0, 0)), elements(now->text(0, 1)));
    if (seen < before) return begin_again(fmt::format("did not draw the number of arrival {}, but {}", before, seen));
    if (seen > before) {
      if (auto kept = database_.run(kBarrier); !kept) return tl::unexpected(kept.error());
    }
    if (seen > last_through_ && Clock::now() >= last_due_) {
      if (auto read = read_last(seen); !read) return read;
      last_due_ = Clock::now() + kLastEvery;
      last_through_ = seen;
    }
    // What was there before the service began is for those who ask for it.
    const bool is_first = !std::exchange(owner_.knows_through_, true);
    if (is_first || !owner_.hub_.has_subscribers()) owner_.through_ = seen;
    // One that begins only now may have read up to the number before.
    if (is_first || !owner_.hub_.has_subscribers()) return {};
    for (std::uint64_t done = before; done < seen && !owner_.stopping_;) {
      const auto passed = pass(done, seen);
      if (!passed) return tl::unexpected(passed.error());
      done = *passed;
    }
    return {};
  }
  Asked<void> read_last(std::uint64_t seen) {
    const auto row = database_.run(
        "SELECT l.arrival, l.run, l.kind, l.id FROM unnest(ARRAY[1, 2]) AS k(kind), LATERAL (SELECT r.arrival, r.run, "
        "r.kind, r.id FROM iwarpscope.record r WHERE r.kind = k.kind AND r.arrival <= $1 ORDER BY r.arrival DESC LIMIT "
        "1) l ORDER BY 1 DESC LIMIT 1",
        Parameters().add(static_cast<std::int64_t>(seen)));
    if (!row) return tl::unexpected(row.error());
    if (row->rows() != 0) owner_.last_ = {row->number(0, 0), row->number(0, 1), row->number(0, 2), row->number(0, 3)};
    return {};
  }
  /// Whether the server of a new connection has what that before it had.
  Asked<void> check_last() {
    const Known& last = owner_.last_;
    if (last.arrival == 0) return {};
    const auto found = database_.run(
        "SELECT EXISTS (SELECT FROM iwarpscope.record r WHERE r.kind = $1 AND r.arrival = $2 AND r.run = $3 AND r.id = "
        "$4)",
        Parameters().add(last.kind).add(last.arrival).add(last.run).add(last.id));
    if (!found) return tl::unexpected(found.error());
    if (found->text(0, 0) == "t") return {};
    return begin_again(fmt::format("does not have the record {} of run {} with the number of arrival {}", last.id,
                                   last.run, last.arrival));
  }
  /// Numbers of arrival have other records now: all subscribers end, and list again.
  Asked<void> begin_again(const std::string& lacks) {
    const std::string run = owner_.run_uuid();
    if (!run.empty()) {
      if (auto done = database_.run("SELECT iwarpscope.forget_places($1::uuid)", Parameters().add(run)); !done)
        return tl::unexpected(done.error());
    }
    owner_.log_(
        fmt::format("The database at {} {}, as one before it did. Clients list again.", database_.host(), lacks));
    owner_.last_ = {};
    last_through_ = 0;
    owner_.through_ = 0;
    owner_.knows_through_ = false;
    mark_ = Watermark();
    places_.clear();
    if (auto read = read_sensors(); !read) return read;
    owner_.hub_.begin_again();
    return {};
  }
  /// Passes records behind `done`; gives the number up to which it did.
  Asked<std::uint64_t> pass(std::uint64_t done, std::uint64_t seen) {
    const std::uint64_t end = end_of_range(done, seen, kPage);
    const auto rows =
        database_.run(fmt::format("SELECT {} FROM {} WHERE r.kind IN (1, 2) AND r.arrival > $1 AND r.arrival <= $2 "
                                  "ORDER BY r.arrival LIMIT $3",
                                  kRecordColumns, kRecordTables),
                      Parameters().add(static_cast<std::int64_t>(done)).add(static_cast<std::int64_t>(end)).add(kPage));
    if (!rows) return tl::unexpected(rows.error());
    std::uint64_t passed = end;
    if (rows->rows() == kPage) {
      passed = static_cast<std::uint64_t>(rows->number(rows->rows() - 1, kArrivalColumn));
    } else if (rows->rows() == 0 && end < seen) {
      const auto next = database_.run(kNextRecord, Parameters().add(static_cast<std::int64_t>(end)));
      if (!next) return tl::unexpected(next.error());
      passed = next->is_null(0, 0) ? seen : std::min(seen, count_of(*next, 0, 0) - 1);
    }
    // A subscriber that begins between these two reads them itself.
    if (passed > owner_.through_) owner_.through_ = passed;
    for (int i = 0; i < rows->rows(); ++i) {
      const auto event = record_event(*rows, i);
      if (!event) continue;
      owner_.hub_.tell(*event);
      if (const auto* found = std::get_if<live::FindingReported>(&*event)) {
        if (auto passed_on = pass_found(*found->finding); !passed_on) return tl::unexpected(passed_on.error());
      }
    }
    return passed;
  }
  /// A finding of the centre is one more of its queue pair, whose sensor says nothing of it.
  Asked<void> pass_found(const live::FindingView& view) {
    if (!owner_.hub_.wants_changes() || !view.finding.qp || !view.name.origin || view.name.origin->sensor != kCentre)
      return {};
    const QpPlace place = place_of(*view.finding.qp);
    const auto row = database_.run(fmt::format(R"(
              SELECT {}, {} FROM iwarpscope.qp q JOIN iwarpscope.sensor s ON s.number = q.sensor
                JOIN iwarpscope.run n ON n.number = q.run{}{} WHERE q.run = $1 AND q.qp = $2 AND q.kind <> 1)",
                                               kQpColumns, kBodyOfQp, kFoundOfQp, kRecordOfQp),
                                   Parameters().add(place.run).add(place.qp));
    if (!row) return tl::unexpected(row.error());
    if (row->rows() != 0) owner_.hub_.tell(live::QpChanged{qp_of(*row, 0)});
    return {};
  }

  /// Passes states of open queue pairs that arrived since the last look, if a subscriber wants them.
  Asked<void> follow_states() {
    if (!owner_.hub_.wants_changes()) {
      places_.clear();
      follows_states_ = false;
      return {};
    }
    const auto cursors = database_.run(
        "SELECT r.number, c.id FROM iwarpscope.cursor c JOIN iwarpscope.sensor s ON s.number = c.sensor AND s.uuid "
        "= c.uuid "
        "JOIN iwarpscope.run r ON r.sensor = c.sensor AND r.uuid = c.run WHERE c.kind = 4");
    if (!cursors) return tl::unexpected(cursors.error());
    const bool is_first = !std::exchange(follows_states_, true);
    for (int i = 0; i < cursors->rows() && !owner_.stopping_; ++i) {
      const std::int64_t run = cursors->number(i, 0), last = cursors->number(i, 1);
      const auto [place, is_new] = places_.try_emplace(run, is_first ? last : 0);
      while (place->second < last) {
        const auto passed = pass_states(run, place->second, last);
        if (!passed) return tl::unexpected(passed.error());
        place->second = *passed;
      }
    }
    return {};
  }
  Asked<std::int64_t> pass_states(std::int64_t run, std::int64_t after, std::int64_t last) {
    const auto rows = database_.run(fmt::format(R"(
              SELECT {}, t.body::text, t.id FROM iwarpscope.run n JOIN iwarpscope.sensor s ON s.number = n.sensor
                JOIN iwarpscope.state t ON t.sensor = n.sensor AND t.run = n.number
                JOIN iwarpscope.qp q ON (q.sensor, q.run, q.qp, q.kind, q.id) = (t.sensor, t.run, t.qp, 4, t.id){}
                WHERE t.day >= (now() AT TIME ZONE 'UTC')::date - 1 AND n.number = $1 AND t.kind = 4
                  AND t.id > $2 AND t.id <= $3
                ORDER BY t.id LIMIT $4)",
                                                kQpColumns, kFoundOfQp),
                                    Parameters().add(run).add(after).add(last).add(kStates));
    if (!rows) return tl::unexpected(rows.error());
    for (int i = 0; i < rows->rows(); ++i) owner_.hub_.tell(live::QpChanged{qp_of(*rows, i)});
    return rows->rows() < kStates ? last : rows->number(rows->rows() - 1, kQpBody + 1);
  }

  Asked<void> read_sensors() {
    const auto rows = database_.run(
        "SELECT s.role, s.site, s.position, s.uuid, (extract(epoch FROM s.delivered) * 1000000)::bigint, "
        "(extract(epoch FROM s.heartbeat_at) * 1000000)::bigint, s.heartbeat::text, extract(epoch FROM now() - "
        "s.delivered)::bigint, "
        "extract(epoch FROM now() - s.added)::bigint, ARRAY(SELECT coalesce(sum(d.count), 0) FROM generate_series(1, "
        "6) "
        "k LEFT JOIN iwarpscope.dropped d ON d.kind = k AND d.sensor = s.number GROUP BY k ORDER BY k), "
        "(SELECT r.uuid FROM iwarpscope.run r WHERE r.sensor = s.number ORDER BY r.number DESC LIMIT 1), s.changed, "
        "s.removed IS NOT NULL FROM iwarpscope.sensor s ORDER BY s.role");
    if (!rows) return tl::unexpected(rows.error());
    live::Status status;
    status.is_centre = true;
    std::set<std::string, std::less<>> names;
    for (int i = 0; i < rows->rows(); ++i) {
      names.emplace(rows->text(i, 0));
      if (rows->text(i, 12) == "t") continue;  // it was removed
      if (rows->text(i, 0) == kCentre) {
        status.origin = std::make_shared<const live::Origin>(
            live::Origin{std::string(kCentre), {}, std::string(rows->text(i, 10)), 0, true});
      } else {
        status.sensors.push_back(sensor(*rows, i, status.totals));
      }
    }
    const std::lock_guard lock(owner_.mutex_);
    owner_.status_ = std::move(status);
    owner_.names_ = std::move(names);
    owner_.seen_ = std::chrono::system_clock::now();
    return {};
  }
  static live::SensorView sensor(const Result& rows, int row, live::Totals& totals) {
    const auto heartbeat = read_heartbeat(rows.text(row, 6));
    live::SensorView view = heartbeat ? heartbeat->sensor : live::SensorView{};
    view.name = rows.text(row, 0);
    view.site = rows.text(row, 1);
    view.position = rows.text(row, 2);
    view.uuid = rows.text(row, 3);
    view.delivered = time_of(rows, row, 4);
    if (heartbeat) view.heartbeat = time_of(rows, row, 5);
    const std::vector<std::string> expired = elements(rows.text(row, 9));
    for (std::size_t i = 0; i < std::min(expired.size(), view.expired.size()); ++i)
      view.expired.at(i) = std::strtoull(expired[i].c_str(), nullptr, 10);
    const std::int64_t beat = heartbeat ? heartbeat->every_ns / kNs : 0,
                       allowed = beat > 0 ? std::max(kLeastSilence, kBeats * beat) : kUnknownSilence;
    const std::int64_t silence = view.delivered ? rows.number(row, 7) : rows.number(row, 8);
    const bool is_over = heartbeat && heartbeat->is_last;
    view.is_silent = silence > allowed && !(is_over && heartbeat->is_replay);
    if (is_over) {
      add_trouble(view, heartbeat->is_replay ? "Its replay has finished." : "Its daemon was stopped.");
    } else if (!view.delivered) {
      add_trouble(view, "It has delivered nothing yet.");
    } else if (view.is_silent) {
      add_trouble(view, fmt::format("It has delivered nothing for {}.", report::human_duration(silence * kNs)));
    }
    if (const std::uint64_t changed = count_of(rows, row, 11); changed != 0) {
      add_trouble(view, fmt::format("{} of its records could not be stored as sent.", changed));
    }
    if (heartbeat) add(*heartbeat, totals);
    return view;
  }
  static void add(const Heartbeat& beat, live::Totals& totals) {
    totals.frames += beat.frames;
    totals.octets += beat.octets;
    totals.qps_opened += beat.qps_opened;
    totals.losses.nic += beat.sensor.losses.nic;
    totals.losses.kernel += beat.sensor.losses.kernel;
    totals.losses.queue += beat.sensor.losses.queue;
    totals.losses.gap_octets += beat.sensor.losses.gap_octets;
    totals.losses.gap_messages += beat.sensor.losses.gap_messages;
    for (const auto& [name, count] : beat.qps_by_state) totals.qps_by_state[api::known_word(name)] += count;
    for (const auto& [name, count] : beat.qps_closed) totals.qps_closed[api::known_word(name)] += count;
    for (const auto& [name, count] : beat.findings) totals.findings[api::known_word(name)] += count;
  }

  Arrivals& owner_;
  Connection database_;
  Watermark mark_;
  std::map<std::int64_t, std::int64_t> places_;  ///< of states, by run
  bool follows_states_ = false;
  std::uint64_t last_through_ = 0;  ///< the last record up to here is known
  Clock::time_point sensors_due_{}, last_due_{}, looked_{};
};

Arrivals::Arrivals(std::string database, std::function<void(const std::string&)> log)
    : database_(std::move(database)), log_(std::move(log)), hub_(kShared), thread_([this] { run(); }) {}

Arrivals::~Arrivals() {
  stop();
  thread_.join();
}

std::string Arrivals::run_uuid() const {
  const std::lock_guard lock(mutex_);
  return status_.origin ? status_.origin->run_uuid : std::string{};
}

void Arrivals::stop() {
  stopping_ = true;
  hub_.close();
}

live::Status Arrivals::status() const {
  const std::lock_guard lock(mutex_);
  live::Status status = status_;
  status.is_centre = true;
  status.records = through_;
  live::OutputView database;
  database.name = kDatabaseOutput;
  database.healthy = trouble_.empty();
  database.trouble = trouble_;
  database.done = seen_;
  status.outputs.push_back(std::move(database));
  if (!schema_trouble_.empty()) {
    live::OutputView schema;
    schema.name = "schema";
    schema.healthy = false;
    schema.trouble = schema_trouble_;
    status.outputs.push_back(std::move(schema));
  }
  return status;
}

bool Arrivals::knows_sensor(const std::string& name) const {
  const std::lock_guard lock(mutex_);
  return names_.empty() || names_.contains(name);
}

bool Arrivals::wait_until_ready(std::chrono::milliseconds most) const {
  for (const auto until = Clock::now() + most; Clock::now() < until; std::this_thread::sleep_for(kBehind)) {
    const std::lock_guard lock(mutex_);
    if (status_.origin) return true;
  }
  return false;
}

void Arrivals::set_trouble(const std::string& sentence, const std::string& host) {
  bool is_new = false;
  {
    const std::lock_guard lock(mutex_);
    is_new = trouble_ != sentence;
    trouble_ = sentence;
  }
  if (is_new)
    log_(sentence.empty() ? fmt::format("The database answers, at {}.", host)
                          : fmt::format("The database cannot be followed: {}", sentence));
}

void Arrivals::set_schema_trouble(const std::string& sentence) {
  bool is_new = false;
  {
    const std::lock_guard lock(mutex_);
    is_new = schema_trouble_ != sentence;
    schema_trouble_ = sentence;
  }
  if (is_new) log_(sentence.empty() ? "The schema is that of this program." : sentence);
}

void Arrivals::run() {
  capture::name_thread("arrivals");
  while (!stopping_) {
    auto database = Connection::open(database_, "iwarpscope-centre");
    const Asked<void> ended = database ? Follower(*this, std::move(*database)).run() : tl::unexpected(database.error());
    if (ended) continue;
    set_trouble(ended.error().text);
    for (const auto until = Clock::now() + kReconnectPause; !stopping_ && Clock::now() < until;)
      std::this_thread::sleep_for(50ms);
  }
}

}  // namespace iwarpscope::centre
