// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The UUID of the sensor, kept in a file over restarts.
#pragma once

#include <string>

namespace iwarpscope::service {

struct SensorUuid {
  std::string uuid;
  std::string trouble{};  ///< sentences for the log; empty: it is the one that was kept, or a first one
};

/// The UUID in the file at `path`; without a file, a new one, which is then in the file, whole or not at all. Of two
/// daemons that make one at the same time, both have the same. A damaged file is replaced. What cannot be kept is new
/// with each start. `path` empty: nothing is kept.
[[nodiscard]] SensorUuid keep_sensor_uuid(const std::string& path);

}  // namespace iwarpscope::service
