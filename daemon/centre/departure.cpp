// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "centre/departure.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>
#include <utility>

namespace iwarpscope::centre {
namespace {

constexpr double kLeastDeviations = 5;  ///< of the median absolute deviation, as standard deviations
constexpr double kDeviation = 1.4826;   ///< a standard deviation of a normal distribution has so many of them
constexpr double kLeastSpread = 0.1;    ///< of a logarithm: below it differences mean nothing
constexpr std::int64_t kWeek = 168;
constexpr std::int64_t kPeriod = 4 * kWeek;
constexpr std::int64_t kStale = 24;     ///< a run ends when nothing could be compared for so many hours
constexpr std::int64_t kQuiet = kWeek;  ///< an episode ends when nothing departed for so many hours
/// False findings a week, with a margin for trials that depend on each other.
constexpr double kFalsePerWeek = 0.05;
constexpr std::uint32_t kMostNeeded = 7 * 168;

double median_of(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 == 1) return *middle;
  return (*middle + *std::max_element(values.begin(), middle)) / 2;
}

/// The weeks before, and how far away from them a value is by logarithms.
struct Before {
  double median = 0, lowest = 0, highest = 0, spread = 0;
  unsigned weeks = 0;

  explicit Before(const std::vector<double>& values) : weeks(static_cast<unsigned>(values.size())) {
    median = median_of(values);
    const auto [low, high] = std::minmax_element(values.begin(), values.end());
    lowest = *low;
    highest = *high;
    std::vector<double> away;
    away.reserve(values.size());
    for (const double value : values) away.push_back(std::abs(std::log1p(value) - std::log1p(median)));
    spread = std::max(kDeviation * median_of(std::move(away)), kLeastSpread);
  }
  [[nodiscard]] double deviations(double now) const { return std::abs(std::log1p(now) - std::log1p(median)) / spread; }
  [[nodiscard]] Compared with(double now, bool departs) const {
    return {now, median, lowest, highest, weeks, departs && deviations(now) >= kLeastDeviations};
  }
};

void put(Looked& all, Trial trial, const Compared& one) {
  all.at(static_cast<std::size_t>(trial)) = one;
}

void look_at_rate(Looked& all, const HourOf& now, std::span<const HourOf> before) {
  constexpr double kLeastMessages = 100, kLeastOctets = 100'000;
  std::vector<double> messages, octets;
  for (const HourOf& hour : before) {
    messages.push_back(static_cast<double>(hour.messages));
    octets.push_back(static_cast<double>(hour.octets));
  }
  const Before m(messages), o(octets);
  const auto count = static_cast<double>(now.messages), size = static_cast<double>(now.octets);
  if (m.median >= kLeastMessages) {
    put(all, Trial::gone, m.with(count, count <= m.median / 50 && count <= m.lowest / 10));
    put(all, Trial::fewer, m.with(count, count < m.median / 4 && count < m.lowest / 2));
    put(all, Trial::more, m.with(count, count > m.median * 4 && count > m.highest * 2));
  }
  if (o.median >= kLeastOctets) {
    put(all, Trial::fewer_octets, o.with(size, size < o.median / 4 && size < o.lowest / 2));
    put(all, Trial::more_octets, o.with(size, size > o.median * 4 && size > o.highest * 2));
  }
}

/// Counts of failures are small: what chance adds to the worst hour of the weeks before does not count.
void look_at_failures(Looked& all, const HourOf& now, std::span<const HourOf> before) {
  constexpr std::uint64_t kLeastMessages = 20, kLeastFailures = 5;
  if (now.messages < kLeastMessages) return;
  std::vector<double> rates;
  double failed = 0, messages = 0;
  for (const HourOf& hour : before) {
    if (hour.messages < kLeastMessages) continue;
    rates.push_back(static_cast<double>(hour.failures) / static_cast<double>(hour.messages));
    failed += static_cast<double>(hour.failures);
    messages += static_cast<double>(hour.messages);
  }
  if (rates.size() < kLeastWeeks) return;
  const auto count = static_cast<double>(now.messages), bad = static_cast<double>(now.failures);
  const double median = median_of(rates), highest = *std::max_element(rates.begin(), rates.end());
  std::vector<double> away;
  away.reserve(rates.size());
  for (const double rate : rates) away.push_back(std::abs(rate - median));
  const double chance = std::sqrt(median / count + 1 / (count * count));
  const double spread = std::max(kDeviation * median_of(std::move(away)), chance);
  const double worst = count * std::max(highest, (failed + 1) / (messages + 1));
  const bool departs = now.failures >= kLeastFailures && bad > 3 * count * median &&
                       bad > 2 * worst + 4 * std::sqrt(worst + 1) && bad / count - median >= kLeastDeviations * spread;
  put(all, Trial::failures,
      {bad / count, median, *std::min_element(rates.begin(), rates.end()), highest, static_cast<unsigned>(rates.size()),
       departs});
}

/// More traffic than usual explains that it takes longer: then it is not compared. Buckets are wide: where all
/// latencies are near the end of one, a small change doubles every quantile. The mean, which is exact, must have grown
/// as well, unless the quantile grew by two buckets.
void look_at_latency(Looked& all, const HourOf& now, std::span<const HourOf> before, Trial trial) {
  const bool is_p99 = trial == Trial::p99;
  const std::uint64_t least = is_p99 ? 300 : 20;
  if (now.answered < least) return;
  std::vector<double> loads;
  for (const HourOf& hour : before) loads.push_back(static_cast<double>(hour.messages));
  if (static_cast<double>(now.messages) > 2 * median_of(std::move(loads))) return;
  const auto microseconds = [](double seconds) { return seconds * 1e6; };  // so that 1 is little, for log1p()
  std::vector<double> values, means;
  for (const HourOf& hour : before) {
    if (hour.answered < least) continue;
    values.push_back(microseconds(is_p99 ? hour.p99 : hour.p50));
    means.push_back(hour.mean);
  }
  if (values.size() < kLeastWeeks) return;
  const Before b(values);
  const double value = microseconds(is_p99 ? now.p99 : now.p50);
  const bool is_real = now.mean >= 1.5 * median_of(means) || (is_p99 && value >= 3.9 * b.median);
  Compared one = b.with(value, is_real && value >= 1.9 * b.median && value >= 1.3 * b.highest);
  for (double* number : {&one.now, &one.median, &one.lowest, &one.highest}) *number *= 1e-6;
  put(all, trial, one);
}

template <class T>
std::uint32_t sum(const T& all) {
  return std::accumulate(all.begin(), all.end(), std::uint32_t{0});
}

void forget_old(LearntSeries& series, std::int64_t hour) {
  const std::int64_t period = hour / kPeriod;
  if (series.period == kNoHour) series.period = period;
  for (std::int64_t i = std::min<std::int64_t>(period - series.period, 3); i > 0; --i) {
    for (Learnt& trial : series.trials) {
      for (auto* part : {&trial.compared, &trial.departed, &trial.longest}) *part = {0, (*part)[0], (*part)[1]};
    }
  }
  series.period = std::max(series.period, period);
}

/// A spell that was reported is known from then on; one of more than a week is a new level, and teaches nothing.
void end_episode(Learnt& its) {
  const std::int64_t hours = its.last_of - its.since + 1;
  if (hours < kWeek) {
    const auto count = static_cast<std::uint32_t>(hours);
    its.compared[0] += count;
    its.departed[0] += count;
    its.longest[0] = std::max(its.longest[0], count);
  }
  its.since = kNoHour;
  its.run = 0;
}

void end_run(Learnt& its) {
  if (its.since == kNoHour) its.longest[0] = std::max(its.longest[0], its.run);
  its.run = 0;
}

void learn(Learnt& its, std::int64_t hour, bool departs) {
  if (its.run != 0 && hour - its.last > kStale) end_run(its);
  its.last = hour;
  if (departs) {
    if (its.run++ == 0) its.run_since = hour;
    if (its.since != kNoHour) its.last_of = hour;
  } else if (its.run != 0) {
    end_run(its);
  }
  if (its.since != kNoHour && hour - its.last_of > kQuiet) end_episode(its);
  if (its.since != kNoHour) return;
  ++its.compared[0];
  its.departed[0] += departs ? 1 : 0;
}

/// What is said of the hours until now of an episode is taken back: end_episode() decides what they teach.
void begin_episode(Learnt& its, std::int64_t hour) {
  its.since = its.run_since;
  its.last_of = hour;
  its.compared[0] -= std::min(its.compared[0], its.run);
  its.departed[0] -= std::min(its.departed[0], its.run);
}

/// How much it departs, to compare departures of one pair.
double size_of(const Compared& one) {
  return std::abs(std::log((one.now + 1e-9) / (one.median + 1e-9)));
}

/// A trial of a series that has departed for long enough.
struct Candidate {
  std::size_t series = 0;
  Trial trial{};
  Compared compared{};
};

class Hour {
 public:
  Hour(std::int64_t hour, std::vector<SeriesHour>& series, LearntSite& site)
      : hour_(hour), series_(series), site_(site) {}

  std::vector<Departure> judge() {
    std::vector<Looked> looked(series_.size());
    for (std::size_t i = 0; i < series_.size(); ++i) {
      SeriesHour& one = series_[i];
      forget_old(*one.learnt, hour_);
      if (!one.now || one.before.size() < kLeastWeeks) continue;
      looked[i] = look(*one.now, one.before);
      tests_ += static_cast<std::size_t>(
          std::count_if(looked[i].begin(), looked[i].end(), [](const auto& trial) { return trial.has_value(); }));
    }
    for (std::size_t i = 0; i < series_.size(); ++i) take(i, looked[i]);
    report_together();
    report_pairs();
    return std::move(departures_);
  }

 private:
  void take(std::size_t index, const Looked& looked) {
    for (std::size_t t = 0; t < kTrials; ++t) {
      if (!looked.at(t)) continue;
      const auto trial = static_cast<Trial>(t);
      Learnt& its = series_[index].learnt->trials.at(t);
      learn(its, hour_, looked.at(t)->departs);
      const bool is_sum = series_[index].is_sum;
      if (!is_sum) compared_.at(t).insert(series_[index].pair);
      if (its.since != kNoHour) reported_.insert({series_[index].pair, rule_of(trial)});
      if (!looked.at(t)->departs) continue;
      if (!is_sum && its.run >= least_hours(trial) / 2 + 1) departing_.at(t).insert(series_[index].pair);
      if (its.since == kNoHour && its.run >= hours_needed(its, trial, tests_))
        candidates_.push_back({index, trial, *looked.at(t)});
    }
  }

  [[nodiscard]] bool is_together(std::size_t trial) const {
    const std::size_t pairs = departing_.at(trial).size();
    return pairs >= 3 && pairs * 20 >= compared_.at(trial).size();
  }

  /// A holiday, or a fault that many feel: one finding for all.
  void report_together() {
    for (std::size_t t = 0; t < kTrials; ++t) {
      std::int64_t& last = site_.together.at(rule_of(static_cast<Trial>(t)));
      const bool is_open = last != kNoHour && hour_ - last <= kStale;
      if (!is_together(t)) continue;
      last = is_open ? hour_ : last;
      const Candidate* worst = nullptr;
      for (const Candidate& one : candidates_) {
        if (static_cast<std::size_t>(one.trial) != t) continue;
        begin_episode(learnt_of(one), hour_);
        if (series_[one.series].is_sum) continue;
        if (worst == nullptr || size_of(one.compared) > size_of(worst->compared)) worst = &one;
      }
      if (worst == nullptr) continue;
      last = hour_;
      if (is_open) continue;
      Departure departure = departure_of(*worst);
      departure.pairs = departing_.at(t).size();
      departure.of_pairs = compared_.at(t).size();
      departures_.push_back(departure);
    }
  }

  /// One finding for each pair and rule that is left, unless one is open.
  void report_pairs() {
    std::map<std::pair<std::uint64_t, std::size_t>, Departure> by_pair;
    for (const Candidate& one : candidates_) {
      Learnt& its = learnt_of(one);
      if (its.since != kNoHour) continue;
      const Departure departure = departure_of(one);
      begin_episode(its, hour_);
      const std::pair key{series_[one.series].pair, rule_of(one.trial)};
      if (reported_.contains(key)) continue;
      const auto [there, is_new] = by_pair.try_emplace(key, departure);
      if (is_new) continue;
      const std::size_t alike = there->second.alike + (there->second.series == one.series ? 0 : 1);
      if (size_of(one.compared) > size_of(there->second.compared)) there->second = departure;
      there->second.alike = alike;
    }
    for (const auto& [key, departure] : by_pair) departures_.push_back(departure);
  }

  [[nodiscard]] Learnt& learnt_of(const Candidate& one) const {
    return series_[one.series].learnt->trials.at(static_cast<std::size_t>(one.trial));
  }
  [[nodiscard]] Departure departure_of(const Candidate& one) const {
    const Learnt& its = learnt_of(one);
    return {one.series, one.trial, its.run_since, its.run, one.compared};
  }

  const std::int64_t hour_;
  std::vector<SeriesHour>& series_;
  LearntSite& site_;
  std::size_t tests_ = 0;
  std::array<std::set<std::uint64_t>, kTrials> compared_, departing_;  ///< pairs
  std::set<std::pair<std::uint64_t, std::size_t>> reported_;           ///< pair and rule of open episodes
  std::vector<Candidate> candidates_;
  std::vector<Departure> departures_;
};

}  // namespace

double quantile(const LatencyCounts& counts, double part) noexcept {
  constexpr int kFirst = 10;
  const std::uint64_t total = std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
  if (total == 0) return 0;
  double left = part * static_cast<double>(total);
  std::size_t at = 0;
  for (; at + 1 < counts.size() && left > static_cast<double>(counts.at(at)); ++at)
    left -= static_cast<double>(counts.at(at));
  const double within = counts.at(at) == 0 ? 1 : std::clamp(left / static_cast<double>(counts.at(at)), 0.0, 1.0);
  return 1e-9 * std::exp2(kFirst - 1 + static_cast<double>(at) + within);
}

std::size_t rule_of(Trial trial) noexcept {
  if (trial == Trial::failures) return 0;
  return trial == Trial::p50 || trial == Trial::p99 ? 1 : 2;
}

unsigned least_hours(Trial trial) noexcept {
  return trial == Trial::gone || rule_of(trial) != 2 ? 3 : 24;
}

Looked look(const HourOf& now, std::span<const HourOf> before) {
  Looked all{};
  if (before.size() < kLeastWeeks) return all;
  before = before.first(std::min(before.size(), kMostWeeks));
  look_at_rate(all, now, before);
  look_at_failures(all, now, before);
  look_at_latency(all, now, before, Trial::p50);
  look_at_latency(all, now, before, Trial::p99);
  return all;
}

unsigned hours_needed(const Learnt& learnt, Trial trial, std::size_t tests) noexcept {
  const std::uint32_t compared = sum(learnt.compared), departed = sum(learnt.departed);
  const std::uint32_t before = compared - std::min(compared, learnt.run);
  if (before < 4 * kWeek) return kMostNeeded;
  // How often an hour departs, at most: runs of independent hours are as rare as this says.
  const double often = (1.0 + departed - std::min(departed, learnt.run)) / (1.0 + before);
  const double rare =
      kFalsePerWeek / (static_cast<double>(kWeek) * static_cast<double>(std::max<std::size_t>(tests, 1)));
  const double by_chance = often < 1 ? std::ceil(std::log(rare) / std::log(often)) : kMostNeeded;
  // Hours that depend on each other: twice as long as any run that was seen.
  const std::uint32_t longest = *std::max_element(learnt.longest.begin(), learnt.longest.end());
  // Many series: some have spells of a kind that they did not have before. Twice as many series, an hour more.
  constexpr double kFewTests = 3000;
  const double many = std::max(0.0, std::log2(static_cast<double>(std::max<std::size_t>(tests, 1)) / kFewTests));
  return std::max({least_hours(trial) + static_cast<unsigned>(std::lround(many)), 2 * longest + 1,
                   static_cast<unsigned>(std::min<double>(by_chance, kMostNeeded))});
}

std::vector<Departure> judge(std::int64_t hour, std::vector<SeriesHour>& series, LearntSite& site) {
  return Hour(hour, series, site).judge();
}

}  // namespace iwarpscope::centre
