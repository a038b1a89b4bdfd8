// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "centre/answers.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>

#include "centre/condition.h"
#include "centre/rows.h"
#include "findings/catalogue.h"
#include "report/human.h"
#include "report/utf8.h"

namespace iwarpscope::centre {
namespace {

using Clock = std::chrono::steady_clock;
template <class T>
using Answer = live::Directory::Answer<T>;

/// Rows of a page that are read at once: the first time, and at most.
constexpr std::size_t kFirstQps = 250, kMostQps = 2000;
constexpr std::chrono::milliseconds kAway{250};           ///< between two attempts to read what a subscriber missed
constexpr std::size_t kDateAndSeconds = 19;               ///< letters of a time to the second
constexpr std::size_t kMostNames = 8, kLongestName = 64;  ///< of sensors, in a sentence

std::int64_t severity_of(findings::Severity severity) noexcept {
  return static_cast<std::int64_t>(severity) + 1;
}
static_assert(static_cast<int>(findings::Severity::note) == 0 && static_cast<int>(findings::Severity::error) == 2);

/// What is said about the steps of the worker while the database does not answer.
std::string unknown_since(const std::optional<std::chrono::system_clock::time_point>& answered) {
  if (!answered) return "not known: the database has not answered yet";
  const auto since = std::chrono::duration_cast<std::chrono::nanoseconds>(answered->time_since_epoch());
  return fmt::format("not known since {} UTC, when the database last answered",
                     report::date_time(TimePoint{since.count()}).substr(0, kDateAndSeconds));
}

/// What `qp q` must be, without the severity of its findings. Of a run that another one followed, queue pairs that had
/// not ended are left out: they are in the other one, or nothing is known of them any more.
Condition condition_of(const live::QpFilter& filter) {
  Condition where;
  where.add("q.kind <> 1").add(fmt::format("q.qp BETWEEN 0 AND {}", live::kQpNumbersOfRun - 1));
  where.add("(q.kind = 2 OR q.run = ANY (ARRAY(SELECT max(number) FROM iwarpscope.run GROUP BY sensor)))");
  if (filter.host && filter.port) {  // of the same end
    const std::string host = where.value(filter.host->text());
    where.add(fmt::format("((q.a = {0}::inet AND q.a_port = ${{0}}) OR (q.b = {0}::inet AND q.b_port = ${{0}}))", host),
              std::int64_t{*filter.port});
  } else if (filter.host) {
    where.add("(q.a = ${0}::inet OR q.b = ${0}::inet)", filter.host->text());
  } else if (filter.port) {
    where.add("(q.a_port = ${0} OR q.b_port = ${0})", std::int64_t{*filter.port});
  }
  if (filter.state) where.add("q.state = ${}", *filter.state);
  if (filter.ulp) where.add("q.ulp = ${}", storable(*filter.ulp));
  if (filter.outcome) where.add("q.outcome = ${}", *filter.outcome);
  if (!filter.with_ended) where.add("q.kind = 4");
  if (filter.sensor)
    where.add("q.sensor = (SELECT number FROM iwarpscope.sensor WHERE role = ${}::name)", storable(*filter.sensor));
  return where;
}

/// The order of a list. Of one host there are few: they are found by its index, and then sorted.
constexpr std::string_view kOrder = "q.run", kOrderOfHost = "q.run + 0";

/// Rows of `qp q`. With `at_least`: those with such a finding of their sensor, which has an index, and those of which
/// the centre alone has one.
std::string some_qps(const Condition& where, std::string_view limit, std::string_view order,
                     std::optional<findings::Severity> at_least) {
  const auto some = [&](std::string_view tables, const std::string& more) {
    return fmt::format("SELECT q.* FROM {} {}{} ORDER BY {}, q.qp LIMIT {}", tables, where.text(), more, order, limit);
  };
  if (!at_least) return some("iwarpscope.qp q", {});
  const std::int64_t least = severity_of(*at_least);
  return fmt::format("SELECT q.* FROM (({}) UNION ALL ({})) q ORDER BY q.run, q.qp LIMIT {}",
                     some("iwarpscope.qp q", fmt::format(" AND q.severity >= {}", least)),
                     some("iwarpscope.centre_finding f JOIN iwarpscope.qp q ON q.run = f.run AND q.qp = f.qp",
                          fmt::format(" AND q.severity < {0} AND f.severity >= {0}", least)),
                     limit);
}

/// `qp q` with its record, and what the centre found about it.
std::string qps_sql(const std::string& some) {
  return fmt::format(R"(
    SELECT {}, {}
      FROM ({}) q
      JOIN iwarpscope.sensor s ON s.number = q.sensor JOIN iwarpscope.run n ON n.number = q.run{}{}
      ORDER BY q.run, q.qp)",
                     kQpColumns, kBodyOfQp, some, kFoundOfQp, kRecordOfQp);
}

/// The last number of arrival up to `through` before that of the next record after `after`. `after`: not known.
std::uint64_t before_next(Pool& pool, std::uint64_t after, std::uint64_t through) {
  const auto next = pool.ask(kNextRecord, Parameters().add(static_cast<std::int64_t>(after)));
  if (!next) return after;
  return next->is_null(0, 0) ? through : std::min(through, count_of(*next, 0, 0) - 1);
}

/// The record that says it last, where an operation was reported again.
constexpr const char* kReportedLast =
    "NOT EXISTS (SELECT FROM iwarpscope.record o WHERE o.kind = 3 AND o.run = r.run AND o.qp = r.qp AND o.id > r.id "
    "AND "
    "o.body -> 'direction' = r.body -> 'direction' AND o.body -> 'index' = r.body -> 'index')";
/// As many numbers of arrival are looked through at once for findings of a severity.
constexpr std::size_t kRareFindings = 25'000;
constexpr int kMostOfTime = 10'000;  ///< states of a page, with all those of its last moment

/// Begins of days. What `findings` lists at a centre: of all the other days a site has millions.
TimePoint yesterday() {
  constexpr std::int64_t kDay_ns = 24 * 3600 * std::int64_t{1'000'000'000};
  const std::int64_t now = std::chrono::system_clock::now().time_since_epoch() / std::chrono::nanoseconds(1);
  return TimePoint{(now / kDay_ns - 1) * kDay_ns};
}

}  // namespace

live::Status Answers::status() {
  live::Status status = arrivals_.status();
  status.version = version_;
  const auto database = std::find_if(status.outputs.begin(), status.outputs.end(),
                                     [](const live::OutputView& one) { return one.name == kDatabaseOutput; });
  const std::string unknown =
      database == status.outputs.end() || database->healthy ? "" : unknown_since(database->done);
  for (live::OutputView& output : worker_.outputs()) {
    if (!unknown.empty()) {
      output.healthy = false;
      output.trouble = unknown;
    }
    status.outputs.push_back(std::move(output));
  }
  status.shared_octets = arrivals_.hub().shared_octets();
  return status;
}

std::string Answers::sensor_trouble(const std::string& name, bool at_once) {
  if (arrivals_.knows_sensor(name)) return {};
  if (!at_once) {
    const auto rows =
        pool_.ask("SELECT FROM iwarpscope.sensor WHERE role::text = $1", Parameters().add(storable(name)));
    if (!rows || rows->rows() != 0) return {};
  }
  std::string sentence =
      fmt::format("the centre has no sensor '{}'", report::to_utf8(std::string_view(name).substr(0, kLongestName)));
  const std::vector<live::SensorView> sensors = arrivals_.status().sensors;
  const std::size_t shown = std::min(sensors.size(), kMostNames);
  for (std::size_t i = 0; i < shown; ++i) sentence += (i == 0 ? "; it has " : ", ") + sensors[i].name;
  if (sensors.size() > shown) sentence += fmt::format(" and {} more", sensors.size() - shown);
  return sentence;
}

std::string Answers::run_trouble(const std::string& run_uuid) {
  const auto rows = pool_.ask(
      "SELECT s.role FROM iwarpscope.run n JOIN iwarpscope.sensor s ON s.number = n.sensor "
      "WHERE n.uuid::text = lower($1) AND n.number <> $2",
      Parameters().add(storable(run_uuid)).add(kCentreRun));
  if (!rows || rows->rows() == 0) return {};
  return fmt::format(
      "after: this is a run of sensor {}, and places here are of the centre: give `place` of a record that the centre "
      "printed, or that of its status; or ask the sensor",
      rows->text(0, 0));
}

Answer<live::QpPage> Answers::qps(const live::QpFilter& filter, std::uint64_t from, std::size_t most,
                                  const live::Caller& caller) {
  const auto begin = Clock::now();
  live::QpPage page;
  for (std::size_t next = kFirstQps; page.qps.size() < most; next = std::min(2 * next, kMostQps)) {
    const std::size_t at_once = std::min(next, most - page.qps.size());
    Condition where = condition_of(filter);
    const QpPlace place = place_of(from);
    const std::string run = where.value(place.run);
    const std::string_view order = filter.host ? kOrderOfHost : kOrder;
    where.add(fmt::format("({}, q.qp) >= ({}, ${{}})", order, run), place.qp);
    const std::string limit = where.value(static_cast<std::int64_t>(at_once) + 1);
    const auto rows = pool_.ask(qps_sql(some_qps(where, limit, order, filter.at_least)), where.values());
    if (!rows) return tl::unexpected(rows.error());
    const auto count = static_cast<std::size_t>(rows->rows());
    const auto number = [&](std::size_t i) {
      return number_of(rows->number(static_cast<int>(i), 0), rows->number(static_cast<int>(i), 1));
    };
    for (std::size_t i = 0; i < std::min(count, at_once); ++i) page.qps.push_back(qp_of(*rows, static_cast<int>(i)));
    page.next.reset();
    if (count <= at_once) return page;
    from = number(at_once);
    page.next = from;
    if (Clock::now() - begin > caller.share || (caller.is_gone && caller.is_gone())) return page;
  }
  return page;
}

Answer<live::QpViewPtr> Answers::qp(std::uint64_t number, const live::Caller& /*caller*/) {
  const QpPlace place = place_of(number);
  Condition where;
  where.add("q.run = ${}", place.run).add("q.qp = ${}", place.qp);
  const auto rows = pool_.ask(qps_sql(some_qps(where, "1", kOrder, {})), where.values());
  if (!rows) return tl::unexpected(rows.error());
  return rows->rows() == 0 ? nullptr : qp_of(*rows, 0);
}

Answer<live::MessagePage> Answers::messages(std::uint64_t qp, std::uint64_t from, std::size_t most,
                                            const live::Caller& /*caller*/) {
  return remote_.messages(qp, from, most);
}

Answer<live::TransportPage> Answers::transport(std::uint64_t qp, std::uint64_t from, std::size_t most,
                                               const live::Caller& /*caller*/) {
  return remote_.transport(qp, from, most);
}

Answer<live::FindingPage> Answers::findings(const live::FindingFilter& filter, std::uint64_t from, std::size_t most,
                                            const live::Caller& /*caller*/) {
  Condition where;
  where.add("r.kind = 1").add("r.arrival >= ${}", static_cast<std::int64_t>(from));
  // What comes later is passed to subscribers, and may come before what can be seen now.
  where.add("r.arrival <= ${}", static_cast<std::int64_t>(arrivals_.through()));
  if (filter.qp) {
    const QpPlace place = place_of(*filter.qp);
    const std::string run = where.value(place.run), number = where.value(static_cast<std::int64_t>(*filter.qp));
    where.add(fmt::format("((r.run = {} AND r.qp = ${{}}) OR (r.run = {} AND r.qp = {}))", run, kCentreRun, number),
              place.qp);
  } else {
    where.add(
        "r.arrival >= (SELECT coalesce(min(m.arrival), 9223372036854775807) FROM iwarpscope.record m WHERE m.kind = 1 "
        "AND m.day >= (now() AT TIME ZONE 'UTC')::date - 1 AND m.day <= (now() AT TIME ZONE 'UTC')::date)");
  }
  if (filter.at_least) where.add("r.severity >= ${}", severity_of(*filter.at_least));
  if (filter.rule) {
    const findings::Rule* const rule = findings::find_rule(*filter.rule);
    where.add("r.key = ${}", rule != nullptr ? std::string(rule->name) : storable(*filter.rule));
  }
  if (filter.host) where.add("(r.a = ${0}::inet OR r.b = ${0}::inet)", filter.host->text());
  if (filter.sensor) where.add("s.role = ${}::name", storable(*filter.sensor));
  const std::string limit = where.value(static_cast<std::int64_t>(most) + 1);
  const auto rows = pool_.ask(fmt::format("SELECT {} FROM {} {} ORDER BY r.arrival LIMIT {}", kRecordColumns,
                                          kRecordTables, where.text(), limit),
                              where.values());
  if (!rows) return tl::unexpected(rows.error());
  live::FindingPage page;
  if (!filter.qp) page.since = yesterday();
  for (int i = 0; i < rows->rows(); ++i) {
    if (static_cast<std::size_t>(i) == most) {
      page.next = static_cast<std::uint64_t>(rows->number(i, kArrivalColumn));
      break;
    }
    if (const auto event = record_event(*rows, i))
      page.findings.push_back(std::get<live::FindingReported>(*event).finding);
  }
  return page;
}

Answer<live::HostPage> Answers::hosts(bool pairs, const live::HostKey& from, std::size_t most,
                                      const live::Caller& /*caller*/) {
  Condition where = condition_of({});
  where.add("q.a IS NOT NULL").add("q.b IS NOT NULL");
  std::string sql =
      fmt::format(R"(
    WITH seen AS (
        SELECT least(q.a, q.b) AS x, greatest(q.a, q.b) AS y, v.connection IS NOT NULL AS joined, count(*) AS qps,
               count(*) FILTER (WHERE q.kind = 4) AS active,
               count(*) FILTER (WHERE q.outcome IN ('refused', 'failed', 'stalled')) AS failed,
               CASE WHEN v.connection IS NULL THEN sum(q.errors) ELSE max(q.errors) END AS errors,
               CASE WHEN v.connection IS NULL THEN sum(q.warnings) ELSE max(q.warnings) END AS warnings,
               CASE WHEN v.connection IS NULL THEN sum(q.notes) ELSE max(q.notes) END AS notes,
               CASE WHEN v.connection IS NULL THEN sum(q.payload_octets) ELSE max(q.payload_octets) END AS octets
          FROM iwarpscope.qp q LEFT JOIN iwarpscope.connection_view v ON v.run = q.run AND v.qp = q.qp {} GROUP BY x, y, v.connection),
      pair AS (
        SELECT x, y, sum(CASE WHEN joined THEN 1 ELSE qps END) AS qps, sum(CASE WHEN joined THEN least(active, 1) ELSE active END) AS active,
               sum(CASE WHEN joined THEN least(failed, 1) ELSE failed END) AS failed, sum(errors) AS errors, sum(warnings) AS warnings,
               sum(notes) AS notes, sum(octets) AS octets FROM seen GROUP BY x, y),
      ends AS (SELECT x AS host, NULL::inet AS peer, p.* FROM pair p UNION ALL SELECT y, NULL, p.* FROM pair p WHERE x <> y),
      row AS ({})
    SELECT host(host), host(peer), qps, active, failed, errors, warnings, notes, octets FROM row)",
                  where.text(),
                  pairs ? "SELECT x AS host, y AS peer, * FROM pair"
                        : "SELECT host, peer, sum(qps) AS qps, sum(active) AS active, sum(failed) AS failed, "
                          "sum(errors) AS errors, sum(warnings) AS warnings, sum(notes) AS notes, "
                          "sum(octets) AS octets FROM ends GROUP BY host, peer");
  if (from.host != net::IpAddress{}) {
    const std::string host = where.value(from.host.text());
    sql += pairs ? fmt::format(" WHERE (host, peer) >= ({}::inet, {}::inet)", host, where.value(from.peer.text()))
                 : fmt::format(" WHERE host >= {}::inet", host);
  }
  sql += fmt::format(" ORDER BY row.host, row.peer LIMIT {}", where.value(static_cast<std::int64_t>(most) + 1));
  const auto rows = pool_.ask(sql, where.values());
  if (!rows) return tl::unexpected(rows.error());
  live::HostPage page;
  for (int i = 0; i < rows->rows(); ++i) {
    if (static_cast<std::size_t>(i) == most) {
      page.next = live::HostKey{address_of(*rows, i, 0), pairs ? address_of(*rows, i, 1) : net::IpAddress{}};
      break;
    }
    live::HostRow row{.host = address_of(*rows, i, 0)};
    if (pairs) row.peer = address_of(*rows, i, 1);
    int column = 2;
    for (auto member : {&live::HostRow::qps, &live::HostRow::active, &live::HostRow::failed, &live::HostRow::errors,
                        &live::HostRow::warnings, &live::HostRow::notes, &live::HostRow::payload_octets})
      row.*member = count_of(*rows, i, column++);
    page.rows.push_back(std::move(row));
  }
  return page;
}

std::unique_ptr<live::Subscription> Answers::subscribe(const live::Wanted& wanted) {
  return arrivals_.hub().subscribe(wanted);
}

live::RecordPlace Answers::last_record() {
  const live::Status status = arrivals_.status();
  return {status.origin ? status.origin->run_uuid : std::string{}, arrivals_.through()};
}

Answer<live::Resumed> Answers::resume(const live::Wanted& wanted, std::uint64_t after, std::size_t most,
                                      const live::Caller& /*caller*/) {
  live::Resumed resumed;
  // Before through() is read: what arrives behind it comes by the subscription.
  auto subscription = subscribe(wanted);
  const std::uint64_t through = arrivals_.through();
  const std::uint64_t end = end_of_range(after, through, wanted.at_least ? std::max(most, kRareFindings) : most);
  const auto of_kind = [](int kind, const std::string& more) {
    return fmt::format(R"((
      SELECT {} FROM {} WHERE r.kind = {} AND r.arrival > $1 AND r.arrival <= $2{}
        AND ($4::text IS NULL OR s.role = $4::name) ORDER BY r.arrival LIMIT $3))",
                       kRecordColumns, kRecordTables, kind, more);
  };
  const std::string severe =
      wanted.at_least ? fmt::format(" AND r.severity >= {}", severity_of(*wanted.at_least)) : std::string{};
  const auto rows = pool_.ask(
      of_kind(1, severe) + " UNION ALL " + of_kind(2, wanted.qps ? "" : " AND false") + " ORDER BY arrival LIMIT $3",
      Parameters()
          .add(static_cast<std::int64_t>(after))
          .add(static_cast<std::int64_t>(end))
          .add(static_cast<std::int64_t>(most))
          .add(wanted.sensor ? std::optional(storable(*wanted.sensor)) : std::nullopt));
  if (!rows) {  // the database is away or changes its primary: the caller asks again, and the status says why
    std::this_thread::sleep_for(kAway);
    resumed.page.through = after;
    return resumed;
  }
  for (int i = 0; i < rows->rows(); ++i) {
    auto event = record_event(*rows, i);
    if (event && live::is_wanted(*event, wanted)) resumed.page.events.push_back(std::move(*event));
  }
  const auto count = static_cast<std::size_t>(rows->rows());
  if (count == most) {
    resumed.page.through = static_cast<std::uint64_t>(rows->number(rows->rows() - 1, kArrivalColumn));
  } else {
    resumed.page.through = count == 0 && end < through ? before_next(pool_, end, through) : end;
  }
  if (resumed.page.through == through) resumed.subscription = std::move(subscription);
  return resumed;
}

tl::expected<std::vector<live::ArchivedRow>, std::string> SiteArchive::query(const live::ArchiveQuery& query,
                                                                             const live::Caller& /*caller*/) {
  if (std::string mistake = live::mistake_in(query); !mistake.empty()) return tl::unexpected(std::move(mistake));
  const bool states = query.kind == live::RecordKind::states;
  Condition where;
  where.add("r.kind = ${}", static_cast<std::int64_t>(query.kind) + 1);
  const auto micro = [](TimePoint time) { return time.ns / 1000; };
  constexpr const char* kTime = "(timestamptz '1970-01-01 00:00:00+00' + ${} * interval '1 microsecond')";
  if (query.from) where.add(fmt::format("r.at >= {}", kTime), micro(*query.from));
  if (query.to) where.add(fmt::format("r.at <= {}", kTime), micro(*query.to));
  if (query.host) where.add("(r.a = ${0}::inet OR r.b = ${0}::inet)", *query.host);
  if (query.rule) where.add("r.key = ${}", std::string(findings::find_rule(*query.rule)->name));
  if (query.outcome) where.add("r.key = ${}", *query.outcome);
  if (query.at_least) where.add("r.severity >= ${}", severity_of(*query.at_least));
  if (query.community_id) where.add("r.community_id = ${}", storable(*query.community_id));
  if (query.sensor) where.add("s.role = ${}::name", storable(*query.sensor));
  if (query.kind == live::RecordKind::operations) where.add(kReportedLast);
  if (query.before != 0)
    where.add(states ? fmt::format("r.at < {}", kTime) : "r.arrival < ${}", static_cast<std::int64_t>(query.before));
  const std::string limit = where.value(static_cast<std::int64_t>(query.most));
  // States have no number of arrival: their time is the place of a page, which has all of the same time.
  const auto rows = pool_.ask(
      fmt::format("SELECT * FROM (SELECT {0}, (extract(epoch FROM r.at) * 1000000)::bigint, s.role, n.uuid, "
                  "coalesce(r.sequence, 0), iwarpscope.shown(r.body, s.role, r.run, r.qp), "
                  "to_char(n.first_seen AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS') "
                  "FROM iwarpscope.{1} r JOIN iwarpscope.sensor s ON s.number = r.sensor JOIN iwarpscope.run n ON "
                  "n.number = r.run {2} ORDER BY {3} DESC FETCH FIRST {4} ROWS WITH TIES) p LIMIT {5}",
                  states ? "greatest((extract(epoch FROM r.at) * 1000000)::bigint, 0)" : "r.arrival",
                  states ? "state" : "record", where.text(), states ? "r.at" : "r.arrival", limit, kMostOfTime),
      where.values());
  if (!rows) return tl::unexpected(rows.error());
  std::vector<live::ArchivedRow> all;
  for (int i = 0; i < rows->rows(); ++i) {
    live::ArchivedRow row;
    row.id = static_cast<std::uint64_t>(rows->number(i, 0));
    row.time = time_of(*rows, i, 1).value_or(TimePoint{});
    row.sensor = rows->text(i, 2);
    row.run_uuid = rows->text(i, 3);
    row.sequence = static_cast<std::uint64_t>(rows->number(i, 4));
    row.json = rows->text(i, 5);
    row.run = rows->text(i, 6);
    all.push_back(std::move(row));
  }
  return all;
}

std::unique_ptr<live::ArchiveTail> SiteArchive::tail(std::vector<live::ArchivePlace> /*after*/) {
  return nullptr;
}

}  // namespace iwarpscope::centre
