// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The name of a record, the same in all outputs: which sensor made it, in which run, and where its frames came from.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace iwarpscope::live {

/// Who makes records. A reload may change the name of the sensor, nothing else.
struct Origin {
  std::string sensor;                   ///< name, as configured
  std::string sensor_uuid;              ///< kept over restarts
  std::string run_uuid;                 ///< another one with each start
  std::uint16_t community_id_seed = 0;  ///< as net::community_id() takes it
  bool one_of_many = false;             ///< a centre has the record: each row of a table names its sensor
};
using OriginPtr = std::shared_ptr<const Origin>;

/// (run UUID, sequence) names a record for ever. Records are findings and queue pairs that ended.
struct RecordName {
  OriginPtr origin{};          ///< null: unknown, the daemon is of an earlier version
  std::uint64_t sequence = 0;  ///< of all records of the run, from 1, without holes; 0: it is no record, but a state
  std::string interface {};    ///< of the frame that decided it; empty: not known, or it has no name
  std::string tap_group{};     ///< of that interface; empty: none
  std::string community_id{};  ///< of its connection; empty: it has none, or named() was not called
  std::uint64_t arrival = 0;   ///< at a centre: its number in the order of arrival from all sensors; else 0

  /// Where the record is in the order in which subscribers get records.
  [[nodiscard]] std::uint64_t order() const noexcept { return arrival != 0 ? arrival : sequence; }
  /// Is it from this sensor? Empty: any.
  [[nodiscard]] bool is_from(const std::optional<std::string>& its_sensor) const {
    return !its_sensor || (origin && origin->sensor == *its_sensor);
  }
  /// Each part that is known, by its name in JSON: "sensor_uuid", "run_uuid", "sequence", "community_id", "interface",
  /// "tap_group", "sensor".
  [[nodiscard]] std::vector<std::pair<std::string_view, std::string>> parts() const;
  /// The same in one line: "sensor_uuid=... run_uuid=... sequence=17 ... sensor=rack 7".
  [[nodiscard]] std::string line() const;
};

/// Members of a JSON object, null where something is not known: what names the run, and the sequence.
void append_run_members(std::string& out, const RecordName& name);
/// The same, and interface and tap group.
void append_members(std::string& out, const RecordName& name);

/// At a centre, a queue pair has the number of its run there, and then its number at the sensor in ten digits.
inline constexpr std::uint64_t kQpNumbersOfRun = 10'000'000'000;

/// A place between the records of a run: after this one.
struct RecordPlace {
  std::string run_uuid;
  std::uint64_t sequence = 0;
};

}  // namespace iwarpscope::live
