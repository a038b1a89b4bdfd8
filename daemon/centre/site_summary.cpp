// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "centre/site_summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <utility>

#include "centre/rows.h"

namespace iwarpscope::centre {
namespace {

constexpr std::int64_t kSecond = 1'000'000'000, kDay = 86'400 * kSecond;

/// Names of sensors that a statement joined with line feeds: names have no control characters.
std::vector<std::string> names(std::string_view text) {
  std::vector<std::string> all;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    all.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return all;
}

/// $1: days, $2: name of a sensor or NULL, $3: rows. A connection that was joined counts once. Hours without a failure
/// are read only of the pairs that are listed. An error that several taps saw is in no more hours than one that one
/// saw.
constexpr const char* kPairs = R"(
  WITH first AS MATERIALIZED (
      SELECT date_trunc('day', now() AT TIME ZONE 'UTC') AT TIME ZONE 'UTC' - ($1 - 1) * interval '1 day' AS t),
    those AS MATERIALIZED (SELECT s.number, s.role FROM iwarpscope.sensor s WHERE $2::text IS NULL OR s.role = $2::name),
    counted AS MATERIALIZED (SELECT CASE WHEN $2::text IS NULL THEN 0 ELSE (SELECT nullif(number, 0) FROM those) END AS sensor),
    failures AS MATERIALIZED (
      SELECT c.a, c.b, c.hour, sum(c.failed) AS failed FROM iwarpscope.pair_counted c
        WHERE c.failed <> 0 AND c.hour >= (SELECT t FROM first) AND c.sensor = (SELECT sensor FROM counted)
        GROUP BY 1, 2, 3 HAVING sum(c.failed) > 0),
    pair AS MATERIALIZED (
      SELECT a, b, sum(failed) AS failed, count(DISTINCT (hour AT TIME ZONE 'UTC')::date) AS days,
             (extract(epoch FROM max(hour)) * 1000000)::bigint AS last,
             string_agg(extract(epoch FROM hour)::bigint || ' ' || failed, ',') AS hours
        FROM failures GROUP BY a, b ORDER BY days DESC, failed DESC, a, b LIMIT $3)
  SELECT host(p.a), host(p.b),
         (SELECT greatest(sum(c.qps), p.failed) FROM iwarpscope.pair_counted c
            WHERE c.a = p.a AND c.b = p.b AND c.hour >= (SELECT t FROM first) AND c.sensor = (SELECT sensor FROM counted)),
         p.failed, p.days, p.last,
         (SELECT string_agg(DISTINCT n.role::text, E'\n') FROM iwarpscope.pair_hour q JOIN those n ON n.number = q.sensor
            WHERE q.a = p.a AND q.b = p.b AND q.hour >= (SELECT t FROM first) AND q.failed > 0),
         p.hours,
         (SELECT r.rule FROM iwarpscope.rule_hour r
            WHERE r.hour >= (SELECT t FROM first) AND r.a = p.a AND r.b = p.b AND r.severity = 3 AND r.sensor IN (SELECT number FROM those)
            GROUP BY r.rule ORDER BY count(DISTINCT r.hour) DESC, max(r.count) DESC, r.rule LIMIT 1)
    FROM pair p ORDER BY p.days DESC, p.failed DESC, p.a, p.b)";

constexpr const char* kFirst =
    "SELECT (extract(epoch FROM date_trunc('day', now() AT TIME ZONE 'UTC') - ($1 - 1) * interval '1 day') * "
    "1000000)::bigint";

/// As kPairs. New: not on the days before yesterday, a week at least.
constexpr const char* kNews =
    "WITH day AS (SELECT date_trunc('day', now() AT TIME ZONE 'UTC') AT TIME ZONE 'UTC' AS t), "
    "late AS (SELECT r.*, s.role FROM iwarpscope.rule_hour r JOIN iwarpscope.sensor s ON s.number = r.sensor "
    "WHERE r.hour >= (SELECT t FROM day) - interval '1 day' AND ($2::text IS NULL OR s.role = $2::name) AND NOT EXISTS "
    "("
    "SELECT FROM iwarpscope.rule_hour o JOIN iwarpscope.sensor u ON u.number = o.sensor WHERE o.rule = r.rule "
    "AND o.hour < (SELECT t FROM day) - interval '1 day' AND o.hour >= (SELECT t FROM day) - greatest($1 - 1, 8) * "
    "interval '1 day' "
    "AND ($2::text IS NULL OR u.role = $2::name))) "
    "SELECT l.rule, max(l.severity), sum(l.count), (extract(epoch FROM min(l.hour)) * 1000000)::bigint, "
    "string_agg(DISTINCT l.role::text, E'\\n'), "
    "(SELECT host(m.a) || ' ' || host(m.b) FROM late m WHERE m.rule = l.rule AND m.a IS NOT NULL GROUP BY m.a, m.b "
    "ORDER BY sum(m.count) DESC, m.a, m.b LIMIT 1) FROM late l GROUP BY l.rule ORDER BY 2 DESC, 3 DESC, 1 LIMIT $3";

Parameters values_of(const live::SiteQuery& query) {
  return Parameters()
      .add(std::int64_t{query.days})
      .add(query.sensor ? std::optional(storable(*query.sensor)) : std::nullopt)
      .add(static_cast<std::int64_t>(query.most));
}

/// "1795996800 3,1796000400 1": hours in seconds, and how many failed.
void add_hours(std::string_view hours, const live::SiteView& view, live::SitePair& pair) {
  while (!hours.empty()) {
    const std::size_t end = std::min(hours.find(','), hours.size());
    const std::string one(hours.substr(0, end));
    hours.remove_prefix(std::min(end + 1, hours.size()));
    char* rest = nullptr;
    const long long hour = std::strtoll(one.c_str(), &rest, 10);
    const unsigned long long failed = std::strtoull(rest, nullptr, 10);
    const std::int64_t at = (hour * kSecond - view.first.ns) / view.bucket_ns;
    if (at < 0 || at >= static_cast<std::int64_t>(pair.by_bucket.size())) continue;
    std::uint32_t& bucket = pair.by_bucket[static_cast<std::size_t>(at)];
    bucket =
        static_cast<std::uint32_t>(std::min<std::uint64_t>(bucket + failed, std::numeric_limits<std::uint32_t>::max()));
  }
}

/// What a statement selects of `connection c` for connection_of(); views as "sensor\ttap\tqp" in lines.
std::string connection_columns() {
  return fmt::format(
      "c.basis, c.clock_bound_ns, c.has_place, c.body::text, (extract(epoch FROM c.last) * 1000000)::bigint, "
      "array_to_string(c.sentences, E'\n'), (SELECT string_agg(s.role || E'\t' || v.tap || E'\t' || v.run * {} + v.qp, "
      "E'\n' ORDER BY v.place) FROM iwarpscope.connection_view v JOIN iwarpscope.sensor s ON s.number = v.sensor WHERE "
      "v.connection = c.number)",
      live::kQpNumbersOfRun);
}

live::SiteConnection connection_of(const Result& rows, int row) {
  live::SiteConnection out;
  out.basis = rows.text(row, 0);
  if (!rows.is_null(row, 1)) out.clock_bound_ns = rows.number(row, 1);
  out.has_place = rows.text(row, 2) == "t";
  out.json = rows.text(row, 3);
  out.last = time_of(rows, row, 4).value_or(TimePoint{});
  out.sentences = names(rows.text(row, 5));
  for (const std::string& line : names(rows.text(row, 6))) {
    const std::size_t first = line.find('\t'), second = line.find('\t', first + 1);
    if (first == std::string::npos || second == std::string::npos) continue;
    out.views.push_back({line.substr(0, first), line.substr(first + 1, second - first - 1),
                         std::strtoull(line.c_str() + second + 1, nullptr, 10)});
  }
  return out;
}

}  // namespace

tl::expected<void, std::string> SiteSummary::read_connections(const live::SiteQuery& query, live::SiteView& view) {
  const auto rows = pool_.ask(
      fmt::format(
          "SELECT {} FROM iwarpscope.connection c WHERE c.has_place AND c.last >= now() - $1 * interval '1 day' "
          "AND ($2::text IS NULL OR EXISTS (SELECT FROM iwarpscope.connection_view v JOIN iwarpscope.sensor s "
          "ON s.number = v.sensor WHERE v.connection = c.number AND s.role = $2::name)) "
          "ORDER BY c.last DESC, c.number DESC LIMIT $3",
          connection_columns()),
      values_of(query));
  if (!rows) return tl::unexpected(rows.error());
  for (int i = 0; i < rows->rows(); ++i) view.connections.push_back(connection_of(*rows, i));
  return {};
}

tl::expected<std::optional<live::SiteConnection>, std::string> SiteSummary::connection(std::uint64_t qp) {
  const QpPlace place = place_of(qp);
  const auto rows = pool_.ask(
      fmt::format("SELECT {} FROM iwarpscope.connection_view w JOIN iwarpscope.connection c ON c.number = w.connection "
                  "WHERE w.run = $1 AND w.qp = $2",
                  connection_columns()),
      Parameters().add(place.run).add(place.qp));
  if (!rows) return tl::unexpected(rows.error());
  if (rows->rows() == 0) return std::optional<live::SiteConnection>{};
  return connection_of(*rows, 0);
}

tl::expected<void, std::string> SiteSummary::read_pairs(const live::SiteQuery& query, live::SiteView& view) {
  const auto rows = pool_.ask(kPairs, values_of(query));
  if (!rows) return tl::unexpected(rows.error());
  for (int i = 0; i < rows->rows(); ++i) {
    live::SitePair pair;
    pair.a = address_of(*rows, i, 0);
    pair.b = address_of(*rows, i, 1);
    pair.qps = count_of(*rows, i, 2);
    pair.failed = count_of(*rows, i, 3);
    pair.days = static_cast<std::uint32_t>(rows->number(i, 4));
    pair.last = time_of(*rows, i, 5).value_or(TimePoint{});
    pair.sensors = names(rows->text(i, 6));
    pair.by_bucket.resize(query.buckets);
    add_hours(rows->text(i, 7), view, pair);
    pair.rule = rows->text(i, 8);
    view.pairs.push_back(std::move(pair));
  }
  return {};
}

tl::expected<void, std::string> SiteSummary::read_news(const live::SiteQuery& query, live::SiteView& view) {
  const auto rows = pool_.ask(kNews, values_of(query));
  if (!rows) return tl::unexpected(rows.error());
  for (int i = 0; i < rows->rows(); ++i) {
    live::SiteNews news;
    news.rule = rows->text(i, 0);
    news.severity = static_cast<findings::Severity>(std::clamp<std::int64_t>(rows->number(i, 1) - 1, 0, 2));
    news.count = count_of(*rows, i, 2);
    news.first = time_of(*rows, i, 3).value_or(TimePoint{});
    news.sensors = names(rows->text(i, 4));
    const std::string ends(rows->text(i, 5));
    if (const std::size_t between = ends.find(' '); between != std::string::npos) {
      const auto a = net::IpAddress::parse(ends.substr(0, between)),
                 b = net::IpAddress::parse(ends.substr(between + 1));
      if (a && b) news.ends = std::pair{*a, *b};
    }
    view.news.push_back(std::move(news));
  }
  return {};
}

tl::expected<live::SiteView, std::string> SiteSummary::site(const live::SiteQuery& query) {
  const auto first = pool_.ask(kFirst, Parameters().add(std::int64_t{query.days}));
  if (!first) return tl::unexpected(first.error());
  live::SiteView view;
  view.first = time_of(*first, 0, 0).value_or(TimePoint{});
  view.bucket_ns = kDay * query.days / static_cast<std::int64_t>(query.buckets);
  if (auto read = read_pairs(query, view); !read) return tl::unexpected(read.error());
  if (auto read = read_news(query, view); !read) return tl::unexpected(read.error());
  if (auto read = read_connections(query, view); !read) return tl::unexpected(read.error());
  return view;
}

}  // namespace iwarpscope::centre
