// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// A site by hours, with seeds: unchanged traffic of several kinds, and changes that are asked for.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <random>
#include <vector>

#include "centre/departure.h"

namespace iwarpscope::centre {

/// How the traffic of a pair goes over the weeks.
enum class Habit : std::uint8_t {
  office,   ///< much by day, little at night, least at weekends and on holidays
  steady,   ///< the same all the time
  backup,   ///< four hours each night, which begin up to an hour early or late
  bursts,   ///< on and off for hours, with sizes that differ very much
  sparse,   ///< a few messages an hour
  growing,  ///< office, three percent more each week
  monthly,  ///< steady, and a long job once in about four weeks
};
inline constexpr std::size_t kHabits = 7;

/// A pair of hosts with a series of reads and one of connections.
class SimulatedPair {
 public:
  SimulatedPair(Habit habit, std::uint64_t seed) : habit_(habit), random_(seed) {
    scale_ = std::exp(uniform(std::log(2'000.0), std::log(2e6)));
    if (habit == Habit::sparse) scale_ = uniform(3, 60);
    failing_ = std::exp(uniform(std::log(1e-6), std::log(5e-3)));
    latency_ = std::exp(uniform(std::log(30e-6), std::log(5e-3)));
    width_ = uniform(0.2, 1.5);
    loaded_ = uniform(0, 1);
    begin_ = uniform(0, 24);
  }

  HourOf hour(std::int64_t hour, bool is_holiday) {
    level_ = 0.8 * level_ + 0.15 * normal();
    slow_ = 0.9 * slow_ + 0.06 * normal();
    const double expected = scale_ * shape(hour, is_holiday) * std::exp(level_);
    HourOf its;
    its.messages = poisson(expected);
    its.octets = static_cast<std::uint64_t>(static_cast<double>(its.messages) * 16'384 * std::exp(0.2 * normal()));
    // Failures come in groups.
    const double failing = static_cast<double>(its.messages) * failing_ * gamma(0.7);
    its.failures = std::min(poisson(failing), its.messages);
    const double spike = uniform(0, 1) < 0.004 ? std::exp(uniform(0, 2.5)) : 1;
    const double typical = latency_ * std::exp(slow_) * spike * (1 + loaded_ * shape(hour, is_holiday));
    set_latency(its, typical);
    return its;
  }
  /// Its latencies are log-normal around `typical`, and counted in buckets.
  void set_latency(HourOf& its, double typical) {
    its.answered = its.messages;
    if (its.answered == 0) return;
    const auto n = static_cast<double>(its.answered);
    its.p50 = bucketed(typical * std::exp(width_ * 1.25 * normal() / std::sqrt(n)), typical);
    its.p99 = bucketed(typical * std::exp(width_ * (2.33 + 3.7 * normal() / std::sqrt(n))), typical);
    its.mean = typical * std::exp(width_ * width_ / 2) * (1 + width_ * normal() / std::sqrt(n));
    typical_ = typical;
  }
  [[nodiscard]] double typical() const noexcept { return typical_; }
  [[nodiscard]] std::uint64_t poisson(double mean) {
    if (mean <= 0) return 0;
    if (mean > 1e3) return static_cast<std::uint64_t>(std::max(0.0, std::round(mean + std::sqrt(mean) * normal())));
    return static_cast<std::uint64_t>(std::poisson_distribution<std::int64_t>(mean)(random_));
  }

 private:
  double shape(std::int64_t hour, bool is_holiday) {
    const auto of_day = static_cast<double>(hour % 24);
    const bool is_weekend = (hour / 24) % 7 >= 5;
    const double day = std::exp(-std::pow((of_day - 13) / 5, 2) * 1.5);
    switch (habit_) {
      case Habit::growing:
      case Habit::office: {
        const double weeks = habit_ == Habit::growing ? std::pow(1.03, static_cast<double>(hour) / 168.0) : 1;
        return weeks * (0.02 + day * (is_holiday || is_weekend ? 0.06 : 1));
      }
      case Habit::backup: {
        if (hour % 24 == 0) late_ = uniform(-1, 1);
        const double since = std::fmod(of_day - begin_ - late_ + 48, 24);
        return since < 4 ? 1 : 0.001;
      }
      case Habit::bursts:
        if (uniform(0, 1) < 0.15) burst_ = uniform(0, 1) < 0.3 ? 0.002 : 0.05 * std::pow(uniform(0.001, 1), -1 / 1.3);
        return std::min(burst_, 20.0);
      case Habit::monthly:
        if (job_ > 0) --job_;
        if (job_ == 0 && uniform(0, 1) < 1.0 / (4 * 168)) job_ = static_cast<int>(uniform(6, 14));
        return job_ > 0 ? 15 : 0.3;
      default: return 1;
    }
  }
  /// As quantile() gives it: within the bucket by how much of it is below.
  double bucketed(double value, double typical) const {
    const double power = std::floor(std::log2(value * 1e9));
    const auto below = [&](double ns) {
      return 0.5 * std::erfc(-std::log(ns * 1e-9 / typical) / width_ / std::sqrt(2.0));
    };
    const double low = below(std::exp2(power)), high = below(std::exp2(power + 1)), at = below(value * 1e9);
    return 1e-9 * std::exp2(power + (high > low ? (at - low) / (high - low) : 0.5));
  }
  double uniform(double from, double to) { return std::uniform_real_distribution<double>(from, to)(random_); }
  double normal() { return normal_(random_); }
  double gamma(double shape) { return std::gamma_distribution<double>(shape, 1 / shape)(random_); }

  const Habit habit_;
  std::mt19937_64 random_;
  std::normal_distribution<double> normal_;
  double scale_ = 0, failing_ = 0, latency_ = 0, width_ = 0, loaded_ = 0, begin_ = 0;
  double level_ = 0, slow_ = 0, burst_ = 0.1, late_ = 0, typical_ = 0;
  int job_ = 0;
};

/// Pairs of all habits, and their sum. Judges hour by hour.
class SimulatedSite {
 public:
  /// Changes an hour of a pair, after it was made.
  using Change = std::function<void(std::size_t pair, std::int64_t hour, SimulatedPair& its, HourOf& made)>;

  SimulatedSite(std::size_t pairs, std::uint64_t seed) : learnt_(pairs + 1), past_(pairs + 1) {
    for (std::size_t i = 0; i < pairs; ++i) pairs_.emplace_back(static_cast<Habit>(i % kHabits), seed * 1'000'003 + i);
    std::mt19937_64 random(seed);
    // Some holidays, each one a day in which offices are closed.
    for (std::int64_t day = 0; day < 800; ++day) {
      if (random() % 40 == 0) holidays_.push_back(day);
    }
    for (auto& hours : past_) hours.resize(kMostWeeks * 168);
  }

  std::vector<Departure> pass(const Change& change = {}) {
    const bool is_holiday = std::binary_search(holidays_.begin(), holidays_.end(), hour_ / 24);
    std::vector<SeriesHour> all(pairs_.size() + 1);
    HourOf total;
    for (std::size_t i = 0; i < pairs_.size(); ++i) {
      HourOf made = pairs_[i].hour(hour_, is_holiday);
      if (change) change(i, hour_, pairs_[i], made);
      total.messages += made.messages;
      total.octets += made.octets;
      total.failures += made.failures;
      fill(all[i], i, made);
    }
    fill(all.back(), pairs_.size(), total);
    all.back().is_sum = true;
    std::vector<Departure> found = judge(hour_, all, site_);
    ++hour_;
    return found;
  }
  [[nodiscard]] std::int64_t hour() const noexcept { return hour_; }
  [[nodiscard]] Habit habit(std::size_t pair) const { return static_cast<Habit>(pair % kHabits); }

 private:
  void fill(SeriesHour& to, std::size_t index, const HourOf& made) {
    auto& hours = past_[index];
    to.pair = index;
    to.now = made;
    to.learnt = &learnt_[index];
    const auto size = static_cast<std::int64_t>(hours.size());
    for (std::int64_t week = 1; week <= static_cast<std::int64_t>(kMostWeeks); ++week) {
      if (hour_ - week * 168 >= 0) to.before.push_back(hours[static_cast<std::size_t>((hour_ - week * 168) % size)]);
    }
    hours[static_cast<std::size_t>(hour_ % size)] = made;
  }

  std::vector<SimulatedPair> pairs_;
  std::vector<LearntSeries> learnt_;
  std::vector<std::vector<HourOf>> past_;
  LearntSite site_;
  std::vector<std::int64_t> holidays_;
  std::int64_t hour_ = 0;
};

}  // namespace iwarpscope::centre
