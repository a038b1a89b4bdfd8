// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// One row of the table of queue pairs: only what it shows.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>

#include "api/records.h"
#include "qp/severity_order.h"

namespace iwarpscope::gui {

/// The columns. Each has a row in qp_columns.cpp.
enum class QpColumn : std::uint8_t {
  number,
  ends,
  state,
  verdict,
  worst,
  ulp,
  rate,
  activity,
  outstanding,
  depth,
  crc,
  markers,
  messages,
  octets,
  retransmitted,
  gaps,
  lost_frames,
  began,
  lasted,
  sensor,
  // A new column is the last one. Layouts that users have saved know columns by their position here.
  count_of_columns,
};
inline constexpr int kQpColumns = static_cast<int>(QpColumn::count_of_columns);

/// A queue pair, or the sum of those between two hosts. About 600 octets; a live::QpView needs several times that.
struct QpRow {
  std::uint64_t number = 0;       ///< for a sum: number of its first queue pair
  std::uint64_t queue_pairs = 0;  ///< 0: this is one queue pair. Otherwise the number of queue pairs in the sum
  net::Endpoint a, b;             ///< for a sum: ports are 0
  std::optional<std::uint16_t> sctp_stream{};  ///< over SCTP
  qp::State state{};
  std::string_view closed_by{}, ulp{};  ///< static storage; empty: not known
  std::optional<qp::Outcome> outcome{};
  qp::Blame blame = qp::Blame::unknown;
  qp::Confidence confidence = qp::Confidence::limited;
  std::string verdict_code{}, verdict_id{};  ///< "V-30", "end.closed"; empty: not known
  bool repaired = false;                     ///< losses, damage or waits; for a sum: of one of them
  bool ended = false;                        ///< for a sum: all of them
  bool continued = false;                    ///< from the run before; of no sum
  std::optional<bool> crc{};
  std::array<std::optional<bool>, 2> markers{};  ///< in the octets sent by A, by B
  bool crc_inferred = false, markers_inferred = false;
  std::array<std::optional<std::uint16_t>, 2> depth{};             ///< limits of outstanding RDMA Reads of A, of B
  double rate = 0;                                                 ///< ULP payload octets per second, now
  double rate_then = 0;                                            ///< at the time of the last update
  std::array<std::uint32_t, live::Activity::kSeconds> activity{};  ///< octets per second, oldest first
  std::int64_t last_second = 0;                                    ///< of the newest entry of `activity`
  std::array<std::uint64_t, 2> waiting{};                          ///< requests without their response, of A, of B
  std::array<std::uint64_t, 2> messages{}, octets{};               ///< A to B, B to A
  bool at_least = false;                      ///< there may be more messages and octets: some octets were skipped
  std::uint64_t retransmitted = 0, gaps = 0;  ///< octets
  std::uint64_t gap_messages = 0;             ///< gaps over SCTP
  std::uint64_t lost_frames = 0;              ///< losses of the capture during its lifetime
  std::uint64_t errors = 0, warnings = 0, notes = 0;
  std::optional<findings::FindingId> worst{};
  TimePoint began, last;
  std::string sensor{};  ///< its name, at a centre; empty: not known, or of a sum, several

  [[nodiscard]] bool is_sum() const noexcept { return queue_pairs != 0; }
  [[nodiscard]] std::optional<findings::Severity> severity() const noexcept;
};

[[nodiscard]] QpRow row_of(const live::QpView& view);
/// Sorts queue pairs, the worst first, then by number.
[[nodiscard]] std::tuple<int, int, std::uint64_t> badness(const live::QpView& view);
/// The rate at `capture_time_ns`, the time of the last frame: a rate older than two seconds is zero. 0: the time is not
/// known.
[[nodiscard]] double rate_at(const QpRow& row, std::int64_t capture_time_ns) noexcept;

using qp::severity_order;

}  // namespace iwarpscope::gui
