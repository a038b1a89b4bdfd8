// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "centre/joins.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "centre/bodies.h"
#include "centre/own_findings.h"
#include "centre/rows.h"
#include "findings/catalogue.h"
#include "join/join.h"
#include "join/sentences.h"
#include "report/joined.h"

namespace iwarpscope::centre {
namespace {

constexpr std::int64_t kRecordsAtOnce = 1000;  ///< that are looked at in one transaction; fewer if kMostOfBatch says so
constexpr std::int64_t kMostOfEnds = 32;       ///< queue pairs of one sensor with the same ends, the newest
constexpr std::int64_t kMostOfBatch = 20'000;  ///< queue pairs that are loaded at once
constexpr std::int64_t kMostFindings = 100;    ///< of one queue pair, the first ones

/// The queue pairs whose ends are among those that arrived; $1 and $2: numbers of arrival, $3: of one sensor, $4: of
/// all. Only ends that more than one tap saw. A clock is that of the last heartbeat before the queue pair. The hour and
/// the hosts are those under which summarise_step() counts the record.
std::string candidates() {
  return fmt::format(R"(
  WITH ends AS (SELECT DISTINCT r.community_id FROM iwarpscope.record r
                  WHERE r.kind = 2 AND r.arrival > $1 AND r.arrival <= $2 AND r.community_id IS NOT NULL),
    near AS (SELECT q.*, row_number() OVER (PARTITION BY q.community_id, q.sensor ORDER BY q.arrived DESC, q.run DESC, q.qp DESC) AS n,
                    min(q.sensor || ' ' || coalesce(q.tap_group, '')) OVER (PARTITION BY q.community_id)
                      <> max(q.sensor || ' ' || coalesce(q.tap_group, '')) OVER (PARTITION BY q.community_id) AS several
               FROM iwarpscope.qp q JOIN ends USING (community_id)
               WHERE q.kind IN (2, 4) AND q.qp BETWEEN 0 AND 9999999999),
    those AS (SELECT * FROM near q WHERE q.several AND q.n <= $3 LIMIT $4)
  SELECT q.run, q.qp, q.sensor, s.role, s.position, coalesce(q.tap_group, ''),
         coalesce((SELECT h.body -> 'clock' FROM iwarpscope.record h
                     WHERE (h.day, h.sensor, h.run, h.kind) = (q.day, q.sensor, q.run, 5) AND h.stored <= q.stored
                     ORDER BY h.id DESC LIMIT 1), s.heartbeat -> 'clock'),
         (extract(epoch FROM q.stored) * 1000000)::bigint,
         CASE WHEN r.a IS NOT NULL AND r.b IS NOT NULL THEN
           (extract(epoch FROM date_trunc('hour', least(r.stored, r.arrived), 'UTC')) * 1000000)::bigint END,
         least(r.a, r.b)::text, greatest(r.a, r.b)::text, coalesce(r.key IN ('refused', 'failed', 'stalled'), false)::int, {}
    FROM those q JOIN iwarpscope.sensor s ON s.number = q.sensor{}
    ORDER BY q.sensor, q.run, q.qp)",
                     kBodyOfQp, kRecordOfQp);
}

/// As above: queue pairs that arrived and were not among the candidates.
constexpr const char* kLeftOut = R"(
  SELECT coalesce(sum(e.count - $3), 0)::bigint
    FROM (SELECT r.community_id, r.sensor, count(*) FROM iwarpscope.record r
            WHERE r.kind = 2 AND r.arrival > $1 AND r.arrival <= $2 AND r.community_id IS NOT NULL GROUP BY 1, 2) e
    WHERE e.count > $3 AND EXISTS (SELECT FROM iwarpscope.qp o WHERE o.community_id = e.community_id AND o.sensor <> e.sensor))";

/// Findings of queue pairs: $1 and $2 are their runs and numbers.
constexpr const char* kFindings = R"(
  SELECT q.run, q.qp, f.body::text FROM unnest($1::bigint[], $2::bigint[]) AS q(run, qp), LATERAL (
    SELECT r.body FROM iwarpscope.record r WHERE r.run = q.run::integer AND r.qp = q.qp AND r.kind = 1 ORDER BY r.id LIMIT $3) f)";

/// What is joined at once.
struct Loaded {
  /// Where sums by hour have a queue pair that ended.
  struct Counted {
    std::int64_t hour_us = 0;
    std::string a, b;  ///< between these hosts
    bool failed = false;
  };
  struct Place {
    std::int64_t run = 0, qp = 0, sensor = 0, stored_us = 0;
    std::string community_id;
    std::optional<Counted> counted{};
  };
  std::vector<join::Tap> taps;
  std::vector<join::View> views;
  std::map<std::pair<std::size_t, std::uint64_t>, Place> places;  ///< by tap and the number that the view has
};

/// "leaf 1", "leaf 1 (eth0,eth1)".
std::string position_of(std::string_view role, std::string_view position, std::string_view tap_group) {
  std::string name(position.empty() ? role : position);
  if (!tap_group.empty()) name += fmt::format(" ({})", tap_group);
  return name;
}

Loaded loaded(const Result& rows) {
  Loaded all;
  std::map<std::pair<std::int64_t, std::string>, std::size_t> taps;
  std::set<std::string> names;
  for (int i = 0; i < rows.rows(); ++i) {
    auto view = read_qp(rows.text(i, 12));
    if (!view) continue;
    const std::string group(rows.text(i, 5));
    const auto [tap, is_new] = taps.try_emplace({rows.number(i, 2), group}, all.taps.size());
    if (is_new) {
      std::string name = position_of(rows.text(i, 3), rows.text(i, 4), group);
      if (!names.insert(name).second) name += fmt::format(" of {}", rows.text(i, 3));  // two sensors at one position
      all.taps.push_back({std::move(name), clock_bound_ns(rows.text(i, 6)), false});
    }
    all.taps[tap->second].has_drops |= view->losses.frames() != 0;
    const QpPlace place{rows.number(i, 0), rows.number(i, 1)};
    view->record.qp = number_of(place.run, place.qp);
    std::optional<Loaded::Counted> counted;
    if (!rows.is_null(i, 8)) {
      counted = {rows.number(i, 8), std::string(rows.text(i, 9)), std::string(rows.text(i, 10)),
                 rows.number(i, 11) != 0};
    }
    all.places[{tap->second, view->record.qp}] = {
        place.run, place.qp, rows.number(i, 2), rows.number(i, 7), view->name.community_id, std::move(counted)};
    all.views.push_back({tap->second, std::move(view->record), {}});
  }
  return all;
}

Asked<void> load_findings(Connection& database, Loaded& all) {
  Array runs(Array::Of::int64), qps(Array::Of::int64);
  std::map<std::uint64_t, join::View*> by_number;
  for (join::View& view : all.views) {
    const QpPlace place = place_of(view.record.qp);
    runs.add(place.run);
    qps.add(place.qp);
    by_number[view.record.qp] = &view;
  }
  const auto rows = database.run(kFindings, Parameters().add(runs).add(qps).add(kMostFindings));
  if (!rows) return tl::unexpected(rows.error());
  for (int i = 0; i < rows->rows(); ++i) {
    auto finding = read_finding(rows->text(i, 2));
    const auto whose = by_number.find(number_of(rows->number(i, 0), rows->number(i, 1)));
    if (finding && whose != by_number.end()) whose->second->findings.push_back(std::move(finding->finding));
  }
  return {};
}

/// What the centre finds about a connection: one finding for each rule.
std::map<findings::FindingId, std::string> found(const join::JoinedConnection& joined, const Loaded& all) {
  std::map<findings::FindingId, std::string> texts;
  for (const join::Place& place : joined.places) {
    if (!place.is_between_taps() || place.confidence == qp::Confidence::limited) continue;
    texts.try_emplace(place.kind == join::Place::Kind::loss ? findings::FindingId::site_loss_between_taps
                                                            : findings::FindingId::site_damage_between_taps,
                      join::place_sentence(joined, place, all.taps));
  }
  return texts;
}

/// Stores findings that were not stored of this connection before, as `known` says: an array of names.
Asked<void> report(Connection& database, const Loaded& all, const join::JoinedConnection& joined,
                   std::string_view known) {
  const join::JoinedView& first = joined.views.front();
  const Loaded::Place& place = all.places.at({first.tap, first.qp});
  for (const auto& [rule, text] : found(joined, all)) {
    if (known.find(findings::rule(rule).name) != std::string_view::npos) continue;
    OwnFinding finding{.rule = rule, .seconds = place.stored_us / 1'000'000, .text = text};
    finding.qp = static_cast<std::int64_t>(first.qp);
    finding.a = {joined.a.address.text(), joined.a.port};
    finding.b = {joined.b.address.text(), joined.b.port};
    finding.community_id = place.community_id;
    if (auto stored = store(database, finding); !stored) return stored;
  }
  return {};
}

/// $1 and $2: runs and numbers of views. Deletes the connections that have one of them, with what they take off the
/// sums of hours, and begins another one.
constexpr const char* kReplace = R"(
  WITH gone AS (DELETE FROM iwarpscope.connection c USING iwarpscope.connection_view v, unnest($1::bigint[], $2::bigint[]) AS o(run, qp)
                  WHERE v.run = o.run AND v.qp = o.qp AND c.number = v.connection RETURNING c.number, c.found),
    known AS (SELECT DISTINCT f.rule FROM gone, unnest(gone.found) AS f(rule)),
    taken AS (
      SELECT t.sensor, v.hour, v.a, v.b, count(*) AS qps, count(*) FILTER (WHERE v.failed) AS failed
        FROM gone JOIN iwarpscope.connection_view v ON v.connection = gone.number,
          LATERAL (VALUES (0, v.again), (v.sensor, v.again_here)) AS t(sensor, again) WHERE t.again GROUP BY 1, 2, 3, 4),
    returned AS (
      UPDATE iwarpscope.pair_again g SET qps = g.qps - t.qps, failed = g.failed - t.failed
        FROM taken t WHERE (g.sensor, g.hour, g.a, g.b) = (t.sensor, t.hour, t.a, t.b))
  INSERT INTO iwarpscope.connection (last, basis, has_place, clock_bound_ns, sentences, body, found)
    VALUES (timestamptz '1970-01-01 00:00:00+00' + $3 * interval '1 microsecond', $7::jsonb ->> 'basis', $4::bigint <> 0, $5::bigint, $6, $7::jsonb,
            ARRAY(SELECT rule FROM known UNION SELECT unnest($8)))
    RETURNING number, ARRAY(SELECT rule FROM known))";

/// $1: number of the connection, then an array for each column of its views. Of those between the same hosts the one
/// that counts has failed, if any has, and is the latest: a clock that is slow puts no failure out of sight.
constexpr const char* kViews = R"(
  WITH view AS (
      SELECT v.run, v.qp, v.sensor, v.tap, v.n, v.a::inet AS a, v.b::inet AS b, v.failed <> 0 AS failed,
             timestamptz '1970-01-01 00:00:00+00' + v.hour * interval '1 microsecond' AS hour
        FROM unnest($2::bigint[], $3::bigint[], $4::bigint[], $5::text[], $6::bigint[], $7::text[], $8::text[], $9::bigint[])
          WITH ORDINALITY AS v(run, qp, sensor, tap, hour, a, b, failed, n)),
    ranked AS (
      SELECT v.*, row_number() OVER (PARTITION BY v.a, v.b ORDER BY v.failed DESC, v.hour DESC, v.n) AS nth,
             row_number() OVER (PARTITION BY v.a, v.b, v.sensor ORDER BY v.failed DESC, v.hour DESC, v.n) AS nth_here
        FROM view v WHERE v.hour IS NOT NULL),
    stored AS (
      INSERT INTO iwarpscope.connection_view (run, qp, sensor, connection, place, tap, hour, a, b, failed, again, again_here)
        SELECT v.run, v.qp, v.sensor, $1, v.n, v.tap, v.hour, v.a, v.b, v.failed, coalesce(r.nth > 1, false), coalesce(r.nth_here > 1, false)
          FROM view v LEFT JOIN ranked r ON r.n = v.n
        RETURNING sensor, hour, a, b, failed, again, again_here)
  INSERT INTO iwarpscope.pair_again AS g (sensor, hour, a, b, qps, failed)
    SELECT t.sensor, v.hour, v.a, v.b, count(*), count(*) FILTER (WHERE v.failed)
      FROM stored v, LATERAL (VALUES (0, v.again), (v.sensor, v.again_here)) AS t(sensor, again) WHERE t.again GROUP BY 1, 2, 3, 4
    ON CONFLICT (sensor, hour, a, b) DO UPDATE SET qps = g.qps + excluded.qps, failed = g.failed + excluded.failed)";

Asked<void> store_views(Connection& database, const Loaded& all, const join::JoinedConnection& joined,
                        std::int64_t connection) {
  Array runs(Array::Of::int64), qps(Array::Of::int64), sensors(Array::Of::int64), names(Array::Of::text),
      hours(Array::Of::int64), a(Array::Of::text), b(Array::Of::text), failed(Array::Of::int64);
  for (const join::JoinedView& view : joined.views) {
    const Loaded::Place& place = all.places.at({view.tap, view.qp});
    runs.add(place.run);
    qps.add(place.qp);
    sensors.add(place.sensor);
    names.add(storable(all.taps[view.tap].position));
    failed.add(std::int64_t{place.counted && place.counted->failed});
    if (place.counted) {
      hours.add(place.counted->hour_us);
      a.add(place.counted->a);
      b.add(place.counted->b);
    } else {
      for (Array* const none : {&hours, &a, &b}) none->add_null();
    }
  }
  const auto stored = database.run(
      kViews,
      Parameters().add(connection).add(runs).add(qps).add(sensors).add(names).add(hours).add(a).add(b).add(failed));
  if (!stored) return tl::unexpected(stored.error());
  return {};
}

/// Replaces what was stored of these views.
Asked<void> store(Connection& database, const Loaded& all, const join::JoinedConnection& joined) {
  Array runs(Array::Of::int64), qps(Array::Of::int64), sentences(Array::Of::text), rules(Array::Of::text);
  std::int64_t last = 0;
  for (const join::JoinedView& view : joined.views) {
    const Loaded::Place& place = all.places.at({view.tap, view.qp});
    runs.add(place.run);
    qps.add(place.qp);
    last = std::max(last, place.stored_us);
  }
  for (const std::string& sentence : joined.sentences) sentences.add(storable(sentence));
  for (const auto& [rule, text] : found(joined, all)) rules.add(findings::rule(rule).name);
  const bool has_place = std::any_of(joined.places.begin(), joined.places.end(),
                                     [](const join::Place& place) { return place.is_between_taps(); });
  std::string body;
  report::append_json(body, joined, joined.views.front().qp, all.taps);
  const auto stored = database.run(kReplace, Parameters()
                                                 .add(runs)
                                                 .add(qps)
                                                 .add(last)
                                                 .add(std::int64_t{has_place})
                                                 .add(joined.clock_bound_ns)
                                                 .add(sentences)
                                                 .add(std::string_view(storable(body)))
                                                 .add(rules));
  if (!stored) return tl::unexpected(stored.error());
  if (auto views = store_views(database, all, joined, stored->number(0, 0)); !views) return views;
  return report(database, all, joined, stored->text(0, 1));
}

/// In a transaction: joins what arrived behind `done`. False: these are too many at once.
Asked<bool> join_between(Connection& database, std::int64_t done, std::int64_t upto) {
  const auto rows = database.run(candidates(), Parameters().add(done).add(upto).add(kMostOfEnds).add(kMostOfBatch));
  if (!rows) return tl::unexpected(rows.error());
  if (rows->rows() == kMostOfBatch) return false;
  Loaded all = loaded(*rows);
  if (all.views.empty()) return true;
  if (auto found = load_findings(database, all); !found) return tl::unexpected(found.error());
  for (const join::JoinedConnection& joined : join::join({all.taps, all.views, {}})) {
    if (joined.views.size() < 2) continue;
    if (auto stored = store(database, all, joined); !stored) return tl::unexpected(stored.error());
  }
  return true;
}

Advance step(Connection& database, std::int64_t through) {
  for (std::int64_t at_once = kRecordsAtOnce;; at_once = std::max<std::int64_t>(at_once / 8, 1)) {
    const auto place = database.run(
        "SELECT j.arrival, j.left_out, (SELECT max(n.arrival) FROM (SELECT r.arrival FROM iwarpscope.record r WHERE "
        "r.kind = 2 AND r.arrival > j.arrival AND r.arrival <= $1 ORDER BY r.arrival LIMIT $2) n) "
        "FROM iwarpscope.joined j WHERE pg_try_advisory_xact_lock(1767330659, 4)",
        Parameters().add(through).add(at_once));
    if (!place) return tl::unexpected(place.error());
    if (place->rows() == 0) return std::optional<Progress>{};
    if (place->is_null(0, 2)) return Progress{static_cast<std::uint64_t>(through), count_of(*place, 0, 1)};
    const std::int64_t done = place->number(0, 0), upto = place->number(0, 2);
    const auto joined = join_between(database, done, upto);
    if (!joined) return tl::unexpected(joined.error());
    if (!*joined && at_once > 1) continue;  // one record alone has no more than these
    const auto moved = database.run(
        fmt::format("UPDATE iwarpscope.joined SET arrival = $2, left_out = left_out + ({}) RETURNING left_out",
                    kLeftOut),
        Parameters().add(done).add(upto).add(kMostOfEnds));
    if (!moved) return tl::unexpected(moved.error());
    return Progress{static_cast<std::uint64_t>(upto), count_of(*moved, 0, 0)};
  }
}

}  // namespace

Advance join_step(Connection& database, std::uint64_t through) {
  return in_transaction(database, [&] { return step(database, static_cast<std::int64_t>(through)); });
}

}  // namespace iwarpscope::centre
