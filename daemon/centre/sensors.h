// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Sensors that may deliver: each is a role of the database, with the name that is in the sensor's client certificate.
#pragma once

#include <optional>
#include <string>

#include "centre/postgres.h"

namespace iwarpscope::centre {

struct Sensor {
  std::string name;
  // What is not given stays, if the sensor exists.
  std::optional<std::string> site, position;
  std::optional<std::string> api;  ///< HOST:PORT where it answers
};

/// Adds a sensor, or allows one again that was removed. Gives its number.
[[nodiscard]] Asked<std::int64_t> add_sensor(Connection& database, const Sensor& sensor);
/// It cannot log in from now on, and its connections are closed. Its data stay.
[[nodiscard]] Asked<void> remove_sensor(Connection& database, const std::string& name);

}  // namespace iwarpscope::centre
