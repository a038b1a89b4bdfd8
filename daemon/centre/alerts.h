// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Passes incidents to Alertmanager, which groups them and sends them to people. An incident is a connection that went
// wrong, or a finding of the centre itself: what several sensors say about it is one alert.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "centre/progress.h"

namespace iwarpscope::centre {

/// An address of Alertmanager, as "http://alerts.example:9093". HTTP or HTTPS; a path is put before that of its API.
[[nodiscard]] bool is_alertmanager(const std::string& url);

/// For one thread.
class Alerts {
 public:
  /// Each of `urls` gets every alert, as Alertmanager needs it if it runs on several machines.
  explicit Alerts(std::vector<std::string> urls);
  ~Alerts();
  Alerts(const Alerts&) = delete;
  Alerts& operator=(const Alerts&) = delete;

  /// What is there before the first call is not passed on.
  [[nodiscard]] static Asked<void> begin(Connection& database);

  /// Passes the next incidents, of records up to the number of arrival `through`. One transaction, which is kept when
  /// one of `urls` has them. `left_out`: alerts that Alertmanager could not read, since this began.
  [[nodiscard]] Advance step(Connection& database, std::uint64_t through);

 private:
  class Post;
  [[nodiscard]] Asked<bool> deliver(const std::string& body);
  [[nodiscard]] Advance pass(Connection& database, std::uint64_t through);
  const std::vector<std::string> urls_;
  const std::unique_ptr<Post> post_;
  std::uint64_t refused_ = 0;  ///< alerts, since it began
};

}  // namespace iwarpscope::centre
