// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The activity of a queue pair over time, summed in buckets.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <queue>
#include <span>
#include <vector>

#include "api/records.h"
#include "base/ids.h"
#include "models/plots/latency_counts.h"
#include "models/plots/time_buckets.h"
#include "models/selection.h"

namespace iwarpscope::gui {

/// Requests that have a response: RDMA Reads, Atomic Operations.
enum class RequestKind : std::uint8_t { read, atomic };
inline constexpr std::size_t kRequestKinds = 2;

struct TimelineBucket {
  using ByOpcode = std::array<std::uint64_t, rdmap::kOpcodes>;
  using ByEvent = std::array<std::uint64_t, qp::kTransportEventKinds>;
  std::array<ByOpcode, 2> octets{};    ///< ULP payload by direction; for a long message, the part in this bucket
  std::array<ByOpcode, 2> messages{};  ///< messages that were complete in this bucket
  std::array<std::uint64_t, 2> outstanding{};  ///< maximum of outstanding requests, by the direction of the requests
  std::array<std::uint64_t, 2> unanswered{};   ///< requests whose response was not seen, by their direction
  std::array<LatencyCounts, kRequestKinds> latency;  ///< by the time of the response's last octet
  std::array<ByEvent, 2> events{}, event_octets{};

  void add(const TimelineBucket& other);
};

/// ULP payload of a message.
[[nodiscard]] std::uint64_t payload_of(const qp::MessageRecord& message);
/// The end of the time in which a message was received.
[[nodiscard]] std::int64_t end_of(const qp::MessageRecord& message) noexcept;

/// In bounded memory for every capture: it also keeps the ends of at most kMostOpen requests outstanding at once.
class TimelineData : public TimeBuckets<TimelineBucket> {
 public:
  static constexpr std::size_t kMostOpen = 65'536;

  /// Messages in the order of MessageStore::passed: requests of one direction in the order of their time, or nearly so.
  void add(std::span<const qp::MessageRecord> messages);
  void add(const qp::TransportEvent& event);

  /// Maximum of outstanding requests in each bucket, including those still outstanding.
  [[nodiscard]] std::vector<std::uint64_t> outstanding(Direction direction) const;
  /// Buckets [first, last) merged in groups of `group`, for drawing; includes requests still outstanding. Precondition:
  /// first <= last <= buckets().size(), group > 0.
  [[nodiscard]] std::vector<TimelineBucket> grouped(std::size_t first, std::size_t last, std::size_t group) const;
  /// The sum over a time span or over the whole time; a bucket counts if it begins in the span.
  [[nodiscard]] TimelineBucket sum(const std::optional<TimeRange>& range) const;
  /// Answered requests above kMostOpen: then the outstanding counts are lower bounds.
  [[nodiscard]] std::uint64_t left_out() const noexcept { return left_out_; }

 private:
  struct Request {
    std::int64_t begin;
    std::optional<std::int64_t> end;  ///< empty: no response was seen
    friend bool operator<(const Request& a, const Request& b) noexcept { return a.begin < b.begin; }
  };
  /// A sweep over the requests of one direction.
  struct Sweep {
    /// For those outstanding at `now` that have a response.
    std::priority_queue<std::int64_t, std::vector<std::int64_t>, std::greater<>> ends;
    std::uint64_t unanswered = 0;
    [[nodiscard]] std::uint64_t level() const noexcept { return ends.size() + unanswered; }
    std::int64_t now = 0;
  };

  void add(const qp::MessageRecord& message, std::array<std::vector<Request>, 2>& requests);
  void begin(Direction direction, const Request& request);
  template <class Raise>
  static void advance(Sweep& sweep, std::int64_t to, Raise raise);

  std::array<Sweep, 2> sweeps_;
  std::uint64_t left_out_ = 0;
};

}  // namespace iwarpscope::gui
