// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Follows what sensors deliver, and passes it to subscribers in the order of arrival.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "centre/postgres.h"
#include "live/hub.h"
#include "live/views.h"

namespace iwarpscope::centre {

inline constexpr std::string_view kDatabaseOutput = "database";  ///< how the database is, among the outputs of a status

/// The last number of arrival up to which everything can be seen, from what deliveries() of the schema says again and
/// again: a number is drawn by a transaction that holds a lock until its records can be seen.
class Watermark {
 public:
  /// Everything up to `value` is known to be there.
  explicit Watermark(std::uint64_t value = 0) : value_(value) {}
  /// One answer of deliveries(). Gives the number.
  std::uint64_t look(std::uint64_t last, std::vector<std::string> running);
  [[nodiscard]] std::uint64_t value() const noexcept { return value_; }
  /// There are numbers behind value(): look again soon.
  [[nodiscard]] bool is_behind() const noexcept { return !marks_.empty(); }

 private:
  struct Mark {
    std::uint64_t last = 0;
    std::vector<std::string> running;
  };
  std::deque<Mark> marks_;  ///< oldest first
  std::uint64_t value_;
};

/// One thread and one connection.
class Arrivals {
 public:
  /// `log` gets sentences about trouble and its end. Any thread.
  Arrivals(std::string database, std::function<void(const std::string&)> log);
  ~Arrivals();
  Arrivals(const Arrivals&) = delete;
  Arrivals& operator=(const Arrivals&) = delete;

  [[nodiscard]] live::Hub& hub() noexcept { return hub_; }
  /// Records up to this one can be seen, and are not passed to subscribers that begin now. 0: it is not known yet.
  [[nodiscard]] std::uint64_t through() const noexcept { return through_; }
  /// What is known of the sensors now, and how the database is. The names of runs are those of the centre.
  [[nodiscard]] live::Status status() const;
  /// There may be records of a sensor with this name: it is there or was removed, or is the centre itself. Also true as
  /// long as no names are known.
  [[nodiscard]] bool knows_sensor(const std::string& name) const;
  /// Waits until the database was read for the first time. False: not in this time.
  bool wait_until_ready(std::chrono::milliseconds most) const;
  /// No more comes.
  void stop();

 private:
  class Follower;
  void run();
  [[nodiscard]] std::string run_uuid() const;
  void set_trouble(const std::string& sentence, const std::string& host = {});
  void set_schema_trouble(const std::string& sentence);

  /// A record by which a server is known: one that took over and does not have it has lost what came after it, too.
  struct Known {
    std::int64_t arrival = 0, run = 0, kind = 0, id = 0;
  };

  const std::string database_;
  const std::function<void(const std::string&)> log_;
  live::Hub hub_;
  std::atomic<std::uint64_t> through_{0};
  bool knows_through_ = false;  ///< through_ was read once; of its thread, as is last_
  Known last_;
  std::atomic<bool> stopping_{false};
  mutable std::mutex mutex_;
  live::Status status_;                                        ///< under mutex_
  std::set<std::string, std::less<>> names_;                   ///< under mutex_; of all sensors, as knows_sensor()
  std::string trouble_, schema_trouble_;                       ///< under mutex_; empty: none
  std::optional<std::chrono::system_clock::time_point> seen_;  ///< under mutex_; when the sensors were read last
  std::thread thread_;
};

}  // namespace iwarpscope::centre
