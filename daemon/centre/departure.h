// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Judges an hour of many series against the same hour of the weeks before. Pure: values in, values out.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace iwarpscope::centre {

/// As live::Latencies: buckets that end at powers of two nanoseconds from 2^10 on.
inline constexpr std::size_t kLatencyBuckets = 26;
using LatencyCounts = std::array<std::uint64_t, kLatencyBuckets>;
/// The latency in seconds that a part of all do not exceed, between the ends of its bucket by their logarithms. 0
/// without latencies.
[[nodiscard]] double quantile(const LatencyCounts& counts, double part) noexcept;

/// What an hour had of a series. Latencies in seconds.
struct HourOf {
  std::uint64_t messages = 0, octets = 0, failures = 0;
  std::uint64_t answered = 0;  ///< messages with a latency
  double p50 = 0, p99 = 0, mean = 0;
};

/// What is compared. `gone`: less than a fiftieth of the messages; `fewer`: less than a quarter; `more`: four times.
enum class Trial : std::uint8_t { gone, fewer, more, fewer_octets, more_octets, failures, p50, p99 };
inline constexpr std::size_t kTrials = 8;
/// The rules that a trial can raise: 0 site.failures-rose, 1 site.latency-rose, 2 site.rate-changed.
[[nodiscard]] std::size_t rule_of(Trial trial) noexcept;
/// So many hours must depart, one after the other, before it is a departure at all.
[[nodiscard]] unsigned least_hours(Trial trial) noexcept;

/// The numbers of a comparison: this hour, and the weeks before. Failures: of all messages.
struct Compared {
  double now = 0, median = 0, lowest = 0, highest = 0;
  unsigned weeks = 0;
  bool departs = false;
};
/// Empty: it cannot be said, as there are too few weeks or messages.
using Looked = std::array<std::optional<Compared>, kTrials>;
inline constexpr std::size_t kLeastWeeks = 4, kMostWeeks = 12;
/// `before`: the same hour of the weeks before, of which everything is known.
[[nodiscard]] Looked look(const HourOf& now, std::span<const HourOf> before);

inline constexpr std::int64_t kNoHour = std::numeric_limits<std::int64_t>::min();

/// What is known of a trial of a series from its hours so far. Hours are numbered since 1970.
struct Learnt {
  /// Hours that were compared, those that departed, and the longest run of them: in the last four weeks, the four
  /// before and the four before these.
  std::array<std::uint32_t, 3> compared{}, departed{}, longest{};
  std::uint32_t run = 0;             ///< hours that departed one after the other until now
  std::int64_t run_since = kNoHour;  ///< its first hour
  std::int64_t last = kNoHour;       ///< the last hour that was compared
  std::int64_t since = kNoHour;      ///< an episode is reported that began in this hour; kNoHour: none
  std::int64_t last_of = kNoHour;    ///< the last hour of the episode that departed
};
struct LearntSeries {
  std::array<Learnt, kTrials> trials{};
  std::int64_t period = kNoHour;  ///< of four weeks: the one that index 0 counts
};
/// What is known of the whole site. By rule: the last hour in which many pairs departed together.
struct LearntSite {
  std::array<std::int64_t, 3> together{kNoHour, kNoHour, kNoHour};
};

/// An hour of a series.
struct SeriesHour {
  std::uint64_t pair = 0;  ///< series of one pair have the same number: what they depart in together is one finding
  bool is_sum = false;     ///< of the site, not of a pair
  std::optional<HourOf> now{};   ///< empty: not everything was seen
  std::vector<HourOf> before{};  ///< as look()
  LearntSeries* learnt = nullptr;
};

/// What is to be reported.
struct Departure {
  std::size_t series = 0;  ///< index of the series that departs most
  Trial trial{};
  std::int64_t since = 0;  ///< the first hour
  unsigned hours = 0;      ///< that departed
  Compared compared{};     ///< of this hour
  std::size_t alike = 0;   ///< other series of the pair that depart, too
  std::size_t pairs = 0;   ///< so many pairs depart together: it is about the site. 0: it is about this series
  std::size_t of_pairs = 0;
};

/// Judges one hour, in order. See docs/validation.md for what this promises.
[[nodiscard]] std::vector<Departure> judge(std::int64_t hour, std::vector<SeriesHour>& series, LearntSite& site);

/// The lengths that a run needs to be reported: `tests` are made in this hour.
[[nodiscard]] unsigned hours_needed(const Learnt& learnt, Trial trial, std::size_t tests) noexcept;

}  // namespace iwarpscope::centre
