// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Stored records on their way into the centre: batches, and where its cursor is after each.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "centre/postgres.h"
#include "iwarpscope/v1/observer.pb.h"

namespace iwarpscope::forward {

/// By v1::QueryHistoryRequest::Kind; [0] is not used.
inline constexpr std::size_t kKinds = 7;

/// The last record of each kind that the centre has; empty: none.
struct Places {
  struct Place {
    std::string run_uuid;
    std::int64_t id = 0;
    friend bool operator==(const Place&, const Place&) = default;
  };
  std::array<std::optional<Place>, kKinds> of{};

  void put(google::protobuf::RepeatedPtrField<v1::HistoryPlace>& to) const;
  friend bool operator==(const Places&, const Places&) = default;
};

/// What becomes one transaction at the centre.
struct Batch {
  std::vector<v1::StoredRecord> records;
  std::array<std::int64_t, kKinds> expired{};  ///< of kinds that have a record here
  Places after;                                ///< the cursor, once it is stored
};

/// Makes batches from what comes. Expired records are counted with the next record of their kind: only then the
/// cursor is behind them.
class Batcher {
 public:
  Batcher(Places at, std::size_t most) : at_(std::move(at)), most_(most) {}

  void take(v1::TailHistoryReply& reply);
  [[nodiscard]] std::size_t waiting() const noexcept { return waiting_.size(); }
  /// As many records as fit. Precondition: some wait.
  [[nodiscard]] Batch next();

 private:
  Places at_;
  const std::size_t most_;
  std::deque<v1::StoredRecord> waiting_;
  std::array<std::int64_t, kKinds> expired_{};
};

/// Whether a batch is sent now: a full one at once; another one when its oldest record has waited, and no batch is on
/// its way. So a centre that is slow gets larger batches, not more of them.
[[nodiscard]] constexpr bool is_due(std::size_t waiting, std::size_t most, bool has_waited,
                                    std::size_t in_flight) noexcept {
  return waiting >= most || (waiting != 0 && has_waited && in_flight == 0);
}

/// What the centre has of this sensor.
[[nodiscard]] centre::Asked<Places> read_cursor(centre::Connection& centre, const std::string& sensor_uuid,
                                                std::chrono::milliseconds patience);

/// Sends a batch that begins at the cursor `from`, in a pipeline. It is stored whole or not at all.
[[nodiscard]] centre::Asked<void> send(centre::Connection& centre, const std::string& sensor_uuid, const Places& from,
                                       const Batch& batch);

}  // namespace iwarpscope::forward
