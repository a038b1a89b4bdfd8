// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Many sensors in one process: the records of a daemon, the batches of iwarpscope-forward, and a connection for each.
// What they made is in memory until the centre has it.
//
//   iwarpscope-made-site FOLDER RATE [OCTETS]
//
// FOLDER/sensors has a line for each: its name, its UUID, and how it connects, with tabs between. Each makes RATE
// findings a second, with OCTETS of text, and for every tenth a queue pair that ended; SIGUSR1 ends that. "begun",
// "produced" are as iwarpscope-made-sensor writes them. Prints "delivers" when all of them do. Ends with SIGTERM.
#include <fmt/format.h>
#include <signal.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <deque>
#include <fstream>
#include <random>
#include <sstream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "api/records.h"
#include "centre/made_records.h"
#include "centre/postgres.h"
#include "forward/delivery.h"
#include "forward/forwarder.h"
#include "outputs/heartbeat.h"
#include "outputs/history_rows.h"
#include "outputs/run.h"

namespace {

using namespace iwarpscope;
using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

constexpr auto kTick = 50ms;
constexpr auto kHeartbeats = 10s;  // as those of a daemon
constexpr auto kPatience = 5s, kPause = 1s;

std::atomic<bool> stopping = false, waiting = false;
std::atomic<std::size_t> delivering = 0;

struct Names {
  std::string name, uuid, where;
};

class MadeSensor {
 public:
  MadeSensor(const std::string& folder, std::uint16_t hosts, Names names, double rate, std::size_t octets)
      : hosts_(hosts),
        names_(std::move(names)),
        rate_(rate),
        octets_(octets),
        random_(std::hash<std::string>{}(names_.uuid)) {
    its_.origin.sensor = names_.name;
    its_.origin.sensor_uuid = names_.uuid;
    origin_ = std::make_shared<const live::Origin>(its_.origin);
    const std::string own = folder + "/" + names_.name;
    std::filesystem::create_directories(own);
    ledger_ = std::make_unique<Ledger>(own, its_.origin.run_uuid);
  }

  void run() {
    // Sensors do not begin at the same time.
    std::this_thread::sleep_for(std::uniform_int_distribution(0, 1000)(random_) * 1ms);
    began_ = next_beat_ = Clock::now();
    while (!stopping) {
      const auto failed = deliver();
      if (!failed) fmt::print(stderr, "{}: {}\n", names_.name, failed.error().text);
      sent_ = 0;
      in_flight_.clear();
      for (const auto until = Clock::now() + kPause; !stopping && Clock::now() < until;
           std::this_thread::sleep_for(kTick))
        make();
    }
  }

 private:
  /// Until it is stopped, or the connection fails.
  centre::Asked<void> deliver() {
    auto database = centre::Connection::open(names_.where, "iwarpscope-made-site", true);
    if (!database) return tl::unexpected(database.error());
    auto cursor = forward::read_cursor(*database, names_.uuid, kPatience);
    if (!cursor) return tl::unexpected(cursor.error());
    forget(*cursor);
    if (auto begun = database->begin_pipeline(); !begun) return begun;
    forward::Batcher batcher(*cursor, forwarder_.batch);
    forward::Places at = *cursor;
    if (!std::exchange(has_connected_, true)) ++delivering;
    std::optional<Clock::time_point> first;
    while (!stopping) {
      make();
      take(batcher);
      if (batcher.waiting() != 0 && !first) first = Clock::now();
      const bool has_waited = first && Clock::now() >= *first + forwarder_.wait;
      if (in_flight_.size() < forwarder_.in_flight &&
          forward::is_due(batcher.waiting(), forwarder_.batch, has_waited, in_flight_.size())) {
        forward::Batch batch = batcher.next();
        if (auto done = forward::send(*database, names_.uuid, at, batch); !done) return done;
        at = batch.after;
        in_flight_.push_back({std::move(batch.after), Clock::now()});
        first = batcher.waiting() != 0 ? first : std::nullopt;
      }
      if (auto done = take_answers(*database); !done) return done;
      std::this_thread::sleep_for(kTick);
    }
    return {};
  }
  centre::Asked<void> take_answers(centre::Connection& database) {
    while (!in_flight_.empty() && database.has_answer()) {
      if (auto stored = database.receive(kPatience); !stored) return tl::unexpected(stored.error());
      forget(in_flight_.front().after);
      in_flight_.pop_front();
    }
    if (!in_flight_.empty() && Clock::now() - in_flight_.front().when >= kPatience)
      return tl::unexpected(centre::PostgresError{"", "The server did not answer in time."});
    return {};
  }

  /// What is due by now.
  void make() {
    std::vector<live::Event> events;
    const double seconds = std::chrono::duration<double>(Clock::now() - began_).count();
    const auto due = static_cast<std::uint64_t>(seconds * rate_);
    const std::uint64_t first = made_.all() + 1;
    if (waiting) made_until_ = std::min(made_until_, made_.findings);
    while (made_.findings < std::min(due, made_until_)) make_next(made_, origin_, hosts_, octets_, events);
    ledger_->begins(first, made_.all() + 1);
    for (outputs::HistoryRow& row : outputs::rows_of(events)) keep(std::move(row));
    ledger_->has(first, made_.all() + 1);
    if (Clock::now() < next_beat_) return;
    next_beat_ += kHeartbeats;
    live::Status status;
    status.origin = origin_;
    status.version = its_.version;
    status.capturing = true;
    keep(outputs::heartbeat_row(
        outputs::heartbeat_json(status, {.heartbeats_ns = std::chrono::nanoseconds{kHeartbeats}.count()})));
  }
  void keep(outputs::HistoryRow row) {
    live::StoredRecord record;
    record.kind = row.kind;
    record.id = ++ids_.at(static_cast<std::size_t>(row.kind));
    record.run_uuid = its_.origin.run_uuid;
    record.stored = outputs::now();
    record.time = row.kind == live::RecordKind::heartbeats ? record.stored : row.time;
    record.key = row.key;
    record.severity =
        row.kind == live::RecordKind::findings ? static_cast<std::uint8_t>(static_cast<int>(row.severity) + 1) : 0;
    record.qp = row.qp;
    record.a = row.a.value_or("");
    record.b = row.b.value_or("");
    record.interface = row.name.interface;
    record.tap_group = row.name.tap_group;
    record.community_id = row.name.community_id;
    record.sequence = row.name.sequence;
    record.json = std::move(row.json);
    kept_.push_back(std::move(record));
  }
  /// Gives the batcher what it has not got yet.
  void take(forward::Batcher& batcher) {
    live::TailPage page;
    while (sent_ < kept_.size() && batcher.waiting() + page.records.size() < forwarder_.batch)
      page.records.push_back(kept_.at(sent_++));
    v1::TailHistoryReply reply;
    api::to_v1(page, reply);
    batcher.take(reply);
  }
  /// What the centre has, by its cursor.
  void forget(const forward::Places& stored) {
    while (!kept_.empty()) {
      const live::StoredRecord& record = kept_.front();
      const auto& place = stored.of.at(static_cast<std::size_t>(record.kind) + 1);
      if (!place || static_cast<std::uint64_t>(place->id) < record.id) return;
      kept_.pop_front();
      if (sent_ != 0) --sent_;
    }
  }

  const std::uint16_t hosts_;
  const Names names_;
  const forward::Options forwarder_{};  ///< how it waits, and how much it sends
  const double rate_;
  const std::size_t octets_;
  std::mt19937 random_;
  outputs::Run its_ = outputs::make_run("0.1.0");
  live::OriginPtr origin_;
  std::unique_ptr<Ledger> ledger_;
  Made made_;
  std::uint64_t made_until_ = ~std::uint64_t{0};
  live::CountByKind ids_{};
  std::deque<live::StoredRecord> kept_;  ///< what the centre has not confirmed
  std::size_t sent_ = 0;                 ///< how many of them the batcher got
  struct Sent {
    forward::Places after;
    Clock::time_point when;
  };
  std::deque<Sent> in_flight_;
  Clock::time_point began_{}, next_beat_{};
  bool has_connected_ = false;
};

std::vector<Names> read_names(const std::string& folder) {
  std::vector<Names> all;
  std::ifstream file(folder + "/sensors");
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    Names& names = all.emplace_back();
    std::getline(std::getline(std::getline(words, names.name, '\t'), names.uuid, '\t'), names.where);
  }
  return all;
}

}  // namespace

int main(int count, char** words) {
  if (count < 3) return 2;
  const std::vector<std::string> arguments(words + 1, words + count);
  signal(SIGTERM, [](int) { stopping = true; });
  signal(SIGUSR1, [](int) { waiting = true; });
  std::deque<MadeSensor> sensors;
  for (Names& names : read_names(arguments[0]))
    sensors.emplace_back(arguments[0], static_cast<std::uint16_t>(sensors.size()), std::move(names),
                         std::stod(arguments[1]), count > 3 ? std::stoull(arguments[2]) : 100);
  std::vector<std::thread> threads;
  for (MadeSensor& sensor : sensors) threads.emplace_back([&sensor] { sensor.run(); });
  while (!stopping && delivering < sensors.size()) std::this_thread::sleep_for(kTick);
  fmt::print("delivers\n");
  std::fflush(stdout);
  for (std::thread& thread : threads) thread.join();
  return 0;
}
