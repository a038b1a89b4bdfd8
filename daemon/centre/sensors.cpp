// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "centre/sensors.h"

namespace iwarpscope::centre {

Asked<std::int64_t> add_sensor(Connection& database, const Sensor& sensor) {
  Parameters values;
  values.add(std::string_view{sensor.name}).add(sensor.site).add(sensor.position).add(sensor.api);
  const auto number = database.run("SELECT iwarpscope.add_sensor($1, $2, $3, $4)", values);
  if (!number) return tl::unexpected(number.error());
  return number->number(0, 0);
}

Asked<void> remove_sensor(Connection& database, const std::string& name) {
  const Parameters values = Parameters().add(std::string_view{name});
  if (auto removed = database.run("SELECT iwarpscope.remove_sensor($1)", values); !removed) {
    return tl::unexpected(removed.error());
  }
  // After the role was committed: a connection that is made in between would be missed otherwise.
  const auto ended = database.run("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = $1", values);
  if (!ended) return tl::unexpected(ended.error());
  return {};
}

}  // namespace iwarpscope::centre
