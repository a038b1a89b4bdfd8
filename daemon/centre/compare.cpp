// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "centre/compare.h"

#include <charconv>
#include <map>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "centre/departure.h"
#include "centre/departure_text.h"
#include "centre/own_findings.h"
#include "findings/catalogue.h"

namespace iwarpscope::centre {
namespace {

constexpr std::int64_t kHour = 3600, kWeekHours = 168;
/// Records arrive within a minute; a sensor that was away for longer is not waited for.
constexpr std::int64_t kGrace = 900;
constexpr int kSummariesAtOnce = 2000;
/// A sum over fewer pairs says no more than they do.
constexpr std::size_t kPairsOfASum = 3;
/// Members of Learnt as numbers.
constexpr std::size_t kNumbers = 14;
constexpr std::int64_t kKeptFor = 12 * kWeekHours;

constexpr std::array<findings::FindingId, 3> kRules{findings::FindingId::site_failures_rose,
                                                    findings::FindingId::site_latency_rose,
                                                    findings::FindingId::site_rate_changed};

/// "{1,2,3}"; what is no number is left out.
std::vector<std::int64_t> numbers_of(std::string_view array) {
  std::vector<std::int64_t> numbers;
  const char* at = array.data();
  const char* const end = at + array.size();
  while (at != end) {
    std::int64_t value = 0;
    const auto [next, error] = std::from_chars(at, end, value);
    if (error == std::errc{}) numbers.push_back(value);
    at = error == std::errc{} ? next : at + 1;
  }
  return numbers;
}

std::string array_of(const std::vector<std::int64_t>& numbers) {
  std::string text = "{";
  for (const std::int64_t number : numbers) text += fmt::format("{}{}", text.size() == 1 ? "" : ",", number);
  return text + "}";
}

/// Every member, in one order for reading and writing.
template <class Series, class Visit>
void visit(Series& series, Visit&& each) {
  each(series.period);
  for (auto& its : series.trials) {
    for (auto* part : {&its.compared, &its.departed, &its.longest}) {
      for (auto& value : *part) each(value);
    }
    each(its.run);
    each(its.run_since);
    each(its.last);
    each(its.since);
    each(its.last_of);
  }
}

LearntSeries learnt_of(std::string_view array) {
  const std::vector<std::int64_t> numbers = numbers_of(array);
  LearntSeries series;
  if (numbers.size() != 1 + kTrials * kNumbers) return series;  // of another version: it learns again
  std::size_t at = 0;
  visit(series, [&](auto& value) { value = static_cast<std::remove_reference_t<decltype(value)>>(numbers[at++]); });
  return series;
}

std::string array_of(const LearntSeries& series) {
  std::vector<std::int64_t> numbers;
  visit(series, [&](const auto& value) { numbers.push_back(static_cast<std::int64_t>(value)); });
  return array_of(numbers);
}

/// Counts of one hour, before their latencies become quantiles.
struct Counted {
  HourOf hour;
  LatencyCounts latency{};
  double seconds = 0;

  void add(const Counted& other) {
    hour.messages += other.hour.messages;
    hour.octets += other.hour.octets;
    hour.failures += other.hour.failures;
    for (std::size_t i = 0; i < latency.size(); ++i) latency.at(i) += other.latency.at(i);
    seconds += other.seconds;
  }
  [[nodiscard]] HourOf finished() const {
    HourOf all = hour;
    for (const std::uint64_t count : latency) all.answered += count;
    all.p50 = quantile(latency, 0.5);
    all.p99 = quantile(latency, 0.99);
    all.mean = all.answered == 0 ? 0 : seconds / static_cast<double>(all.answered);
    return all;
  }
};

using Pair = std::pair<std::string, std::string>;

/// The hours that are compared, as the database has them. Hours are numbered since 1970.
class Site {
 public:
  explicit Site(std::int64_t hour) : hour_(hour) {
    for (std::int64_t week = 0; week <= static_cast<std::int64_t>(kMostWeeks); ++week)
      hours_.push_back(hour - week * kWeekHours);
  }

  Asked<void> read(Connection& database) {
    std::vector<std::int64_t> seconds;
    for (const std::int64_t hour : hours_) seconds.push_back(hour * kHour);
    const std::string array = array_of(seconds);
    Parameters hours;
    hours.add(std::string_view{array});
    constexpr const char* kHours = "((SELECT array_agg(to_timestamp(h)) FROM unnest($1::bigint[]) h)::timestamptz[])";
    const auto watched = database.run(
        fmt::format("SELECT (extract(epoch FROM hour) / 3600)::bigint, sensor, seconds >= 3600 AND lost = 0 FROM "
                    "iwarpscope.summary_hour WHERE hour = ANY {}",
                    kHours),
        hours);
    if (!watched) return tl::unexpected(watched.error());
    for (int row = 0; row < watched->rows(); ++row)
      watched_[{watched->number(row, 0), watched->number(row, 1)}] = watched->text(row, 2) == "t";
    const auto rows = database.run(
        fmt::format("SELECT host(a), host(b), ulp, opcode, size, (extract(epoch FROM hour) / 3600)::bigint, sensor, "
                    "known, messages, octets, failures, latency_seconds, latency FROM iwarpscope.summaries_at({})",
                    kHours),
        hours);
    if (!rows) return tl::unexpected(rows.error());
    for (int row = 0; row < rows->rows(); ++row) take(*rows, row);
    return {};
  }

  /// Every series, those of pairs and the sums over the site.
  void fill(std::vector<SeriesName>& names, std::vector<SeriesHour>& all) const {
    std::uint64_t pair = 0;
    const Pair* last = nullptr;
    for (const auto& [key, hours] : series_) {
      const auto& [ends, ulp, opcode, size] = key;
      if (last == nullptr || *last != ends) ++pair;
      last = &ends;
      names.push_back({ends.first, ends.second, ulp, opcode, size});
      all.push_back(filled(hours, [&, &of = ends](std::int64_t hour) { return is_known(of, hour); }));
      all.back().pair = pair;
    }
    for (const auto& [ulp, hours] : sums_) {
      if (pairs_.at(ulp).size() < kPairsOfASum) continue;
      names.push_back({"", "", ulp, "", 0});
      all.push_back(filled(hours, [&](std::int64_t hour) { return is_known(hour); }));
      all.back().pair = ++pair;
      all.back().is_sum = true;
    }
  }

 private:
  using Hours = std::map<std::int64_t, Counted>;

  void take(const Result& rows, int row) {
    Counted its;
    its.hour.messages = static_cast<std::uint64_t>(rows.number(row, 8));
    its.hour.octets = static_cast<std::uint64_t>(rows.number(row, 9));
    its.hour.failures = static_cast<std::uint64_t>(rows.number(row, 10));
    const std::string_view seconds = rows.text(row, 11);
    std::from_chars(seconds.data(), seconds.data() + seconds.size(), its.seconds);
    const std::vector<std::int64_t> counts = numbers_of(rows.is_null(row, 12) ? "" : rows.text(row, 12));
    for (std::size_t i = 0; i < std::min(counts.size(), its.latency.size()); ++i)
      its.latency.at(i) = static_cast<std::uint64_t>(counts[i]);
    const Pair ends{rows.text(row, 0), rows.text(row, 1)};
    const std::string ulp{rows.text(row, 2)}, opcode{rows.text(row, 3)};
    const std::int64_t hour = rows.number(row, 5);
    sensors_[ends].insert(rows.number(row, 6));
    known_[{ends, hour}] = rows.text(row, 7) == "t";
    series_[{ends, ulp, opcode, rows.number(row, 4)}][hour] = its;
    if (opcode == "connection" || opcode == "fpdu") return;
    sums_[ulp][hour].add(its);
    pairs_[ulp].insert(ends);
  }

  /// The sensor whose view counts watched it; where no sensor saw the pair, one that sees it in other weeks did.
  [[nodiscard]] bool is_known(const Pair& ends, std::int64_t hour) const {
    if (const auto seen = known_.find({ends, hour}); seen != known_.end()) return seen->second;
    for (const std::int64_t sensor : sensors_.at(ends)) {
      if (const auto its = watched_.find({hour, sensor}); its != watched_.end() && its->second) return true;
    }
    return false;
  }
  /// Every sensor that has seen something in these weeks watched the whole hour.
  [[nodiscard]] bool is_known(std::int64_t hour) const {
    std::set<std::int64_t> all;
    for (const auto& [ends, sensors] : sensors_) all.insert(sensors.begin(), sensors.end());
    for (const std::int64_t sensor : all) {
      const auto its = watched_.find({hour, sensor});
      if (its == watched_.end() || !its->second) return false;
    }
    return true;
  }

  template <class Known>
  [[nodiscard]] SeriesHour filled(const Hours& hours, Known&& is_known_at) const {
    SeriesHour to;
    for (const std::int64_t hour : hours_) {
      if (!is_known_at(hour)) continue;
      const auto counted = hours.find(hour);
      const HourOf its = counted == hours.end() ? HourOf{} : counted->second.finished();
      if (hour == hour_) {
        to.now = its;
      } else {
        to.before.push_back(its);
      }
    }
    return to;
  }

  const std::int64_t hour_;
  std::vector<std::int64_t> hours_;
  std::map<std::pair<std::int64_t, std::int64_t>, bool> watched_;  ///< by hour and sensor
  std::map<Pair, std::set<std::int64_t>> sensors_;                 ///< that saw it in these hours
  std::map<std::pair<Pair, std::int64_t>, bool> known_;
  std::map<std::tuple<Pair, std::string, std::string, std::int64_t>, Hours> series_;
  std::map<std::string, Hours> sums_;            ///< by upper layer
  std::map<std::string, std::set<Pair>> pairs_;  ///< likewise
};

std::string key_of(const SeriesName& name) {
  return fmt::format("{} {} {} {} {}", name.a, name.b, name.size_class, name.opcode, name.ulp);
}

OwnFinding finding_of(const SeriesName& name, const Departure& departure, const std::string& text, std::int64_t hour) {
  OwnFinding finding{.rule = kRules.at(rule_of(departure.trial)), .seconds = (hour + 1) * kHour, .text = text};
  if (departure.pairs == 0) {
    finding.a.address = name.a;
    finding.b.address = name.b;
  }
  return finding;
}

Asked<std::map<std::string, LearntSeries>> learnt(Connection& database) {
  const auto rows = database.run("SELECT series, state FROM iwarpscope.summary_learnt");
  if (!rows) return tl::unexpected(rows.error());
  std::map<std::string, LearntSeries> all;
  for (int row = 0; row < rows->rows(); ++row)
    all.emplace(std::string{rows->text(row, 0)}, learnt_of(rows->text(row, 1)));
  return all;
}

Asked<void> keep(Connection& database, const std::map<std::string, LearntSeries>& all, const LearntSite& site,
                 std::int64_t hour) {
  Array names(Array::Of::text), states(Array::Of::text);
  for (const auto& [name, series] : all) {
    names.add(std::string_view{name});
    states.add(std::string_view{array_of(series)});
  }
  Parameters values;
  values.add(names).add(states).add(hour * kHour);
  auto done = database.run(
      "INSERT INTO iwarpscope.summary_learnt (series, state, hour) SELECT n, s::bigint[], to_timestamp($3) FROM "
      "unnest($1::text[], $2::text[]) AS u(n, s) ON CONFLICT (series) DO UPDATE SET state = excluded.state, hour = "
      "excluded.hour",
      values);
  if (!done) return tl::unexpected(done.error());
  done = database.run("DELETE FROM iwarpscope.summary_learnt WHERE hour < to_timestamp($1)",
                      Parameters().add((hour - kKeptFor) * kHour));
  if (!done) return tl::unexpected(done.error());
  const std::string state = array_of(std::vector<std::int64_t>(site.together.begin(), site.together.end()));
  done = database.run("UPDATE iwarpscope.summary_judged SET hour = to_timestamp($1), state = $2::bigint[]",
                      Parameters().add(hour * kHour).add(std::string_view{state}));
  if (!done) return tl::unexpected(done.error());
  return {};
}

using Print = std::function<void(const std::string&)>;

Asked<void> judge_hour(Connection& database, std::int64_t hour, LearntSite site, const Print& say) {
  Site hours(hour);
  if (auto done = hours.read(database); !done) return done;
  auto known = learnt(database);
  if (!known) return tl::unexpected(known.error());
  std::vector<SeriesName> names;
  std::vector<SeriesHour> all;
  hours.fill(names, all);
  std::map<std::string, LearntSeries> now;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const std::string key = key_of(names[i]);
    LearntSeries& its = now[key];
    if (const auto before = known->find(key); before != known->end()) its = before->second;
    all[i].learnt = &its;
  }
  for (const Departure& departure : judge(hour, all, site)) {
    const SeriesName& name = names[departure.series];
    const std::string text = departure_text(name, departure, hour);
    if (auto done = store(database, finding_of(name, departure, text, hour)); !done) return done;
    say(text);
  }
  return keep(database, now, site, hour);
}

/// The next hour that is due and was not judged, in a transaction. False: no hour is due.
Asked<bool> judge_next(Connection& database, std::optional<std::int64_t> now, const Print& say) {
  if (auto locked = database.run("SELECT pg_advisory_xact_lock(1767330659, 7)"); !locked)
    return tl::unexpected(locked.error());
  const auto at = database.run(
      "SELECT (extract(epoch FROM coalesce(j.hour + interval '1 hour', (SELECT min(hour) FROM "
      "iwarpscope.summary_hour))) / 3600)::bigint, j.state, extract(epoch FROM now())::bigint FROM "
      "iwarpscope.summary_judged j");
  if (!at) return tl::unexpected(at.error());
  const std::int64_t hour = at->number(0, 0);
  if (at->is_null(0, 0) || (hour + 1) * kHour + kGrace > now.value_or(at->number(0, 2))) return false;
  LearntSite site;
  const std::vector<std::int64_t> state = numbers_of(at->text(0, 1));
  if (state.size() == site.together.size()) std::copy(state.begin(), state.end(), site.together.begin());
  if (auto done = judge_hour(database, hour, site, say); !done) return tl::unexpected(done.error());
  return true;
}

}  // namespace

Asked<void> compare(Connection& database, std::optional<std::int64_t> now, const Print& say) {
  while (true) {
    const auto taken =
        database.run("SELECT iwarpscope.summarize_step($1::integer)", Parameters().add(std::int64_t{kSummariesAtOnce}));
    if (!taken) return tl::unexpected(taken.error());
    if (taken->number(0, 0) == 0) break;
  }
  std::vector<std::string> found;
  while (true) {
    found.clear();
    const auto more = in_transaction(
        database, [&] { return judge_next(database, now, [&](const std::string& text) { found.push_back(text); }); });
    if (!more) return tl::unexpected(more.error());
    for (const std::string& text : found) say(text);
    if (!*more) return {};
  }
}

}  // namespace iwarpscope::centre
