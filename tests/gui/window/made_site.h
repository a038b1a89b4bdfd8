// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// A centre that is made by hand: three sensors, two pairs of hosts that failed, a rule that is new, and a connection
// that two of the sensors saw.
#pragma once

#include <memory>
#include <string>

#include "daemon/api/kit.h"
#include "live/record_name.h"
#include "session/source.h"

namespace iwarpscope::gui::made {

inline constexpr std::int64_t kSecondNs = 1'000'000'000, kHourNs = 3600 * kSecondNs, kDayNs = 24 * kHourNs;
inline constexpr TimePoint kFirstDay{1'795'305'600 * kSecondNs};  // 2026-11-22
inline constexpr std::uint64_t kRun = live::kQpNumbersOfRun;

inline net::IpAddress host(std::uint32_t number) {
  return net::IpAddress::v4(0x0A000000 + number);
}

/// As the centre numbers it: of the first run of that sensor.
inline std::shared_ptr<live::QpView> qp_of(const std::string& sensor, std::uint64_t run, std::uint64_t number,
                                           std::uint32_t host_number) {
  auto view = api::testing::qp_view(run * kRun + number);
  view->record.a.address = host(host_number);
  view->record.b.address = host(host_number + 1);
  view->record.verdict->outcome = qp::Outcome::failed;
  view->name.origin =
      std::make_shared<const live::Origin>(live::Origin{sensor, "uuid-" + sensor, "run-of-" + sensor, 0, true});
  return view;
}

inline live::SensorView sensor(const std::string& name, const std::string& version) {
  live::SensorView view;
  view.name = name;
  view.position = "port of " + name;
  view.version = version;
  view.uuid = "uuid-" + name;
  view.delivered = view.heartbeat = TimePoint{kFirstDay.ns + 6 * kDayNs};
  view.configuration.emplace();
  view.configuration->hash = 0xC0FFEE;
  view.configuration->reloaded = true;
  view.clock = {.is_known = true, .is_synchronized = true};
  return view;
}

inline live::SitePair pair(std::uint32_t first_host, std::vector<std::uint32_t> failed) {
  live::SitePair pair;
  pair.a = host(first_host);
  pair.b = host(first_host + 1);
  for (const std::uint32_t count : failed) {
    pair.failed += count;
    pair.days += count == 0 ? 0 : 1;
  }
  pair.qps = 100 + pair.failed;
  pair.by_bucket = std::move(failed);
  pair.sensors = {"leaf1", "rack7"};
  pair.rule = "mpa.crc-mismatch";
  pair.last = TimePoint{kFirstDay.ns + 6 * kDayNs + 13 * kHourNs};
  return pair;
}

/// What it answers about seven days.
inline live::SiteView site() {
  live::SiteView view;
  view.first = kFirstDay;
  view.bucket_ns = kDayNs;
  view.pairs = {pair(1, {1, 0, 3, 0, 12, 2, 40}), pair(3, {0, 0, 0, 0, 0, 0, 2})};
  view.news = {{.rule = "mpa.crc-mismatch",
                .severity = findings::Severity::error,
                .count = 42,
                .first = TimePoint{kFirstDay.ns + 6 * kDayNs + 9 * kHourNs},
                .sensors = {"rack7"},
                .ends = std::pair{host(1), host(2)}}};
  live::SiteConnection joined;
  joined.views = {{"leaf1", "port of leaf1", 2 * kRun}, {"leaf2", "port of leaf2", 3 * kRun}};
  joined.sentences = {"Data from 10.0.0.5 was lost between port of leaf1 and port of leaf2, 3 times."};
  joined.has_place = true;
  joined.clock_bound_ns = 1'000'000;
  joined.last = TimePoint{kFirstDay.ns + 6 * kDayNs + 10 * kHourNs};
  view.connections = {joined};
  return view;
}

/// Not started yet.
inline void make_centre(api::testing::Daemon& daemon) {
  live::SensorView old = sensor("rack7", "0.9.0"), lossy = sensor("leaf2", "1.0.0");
  old.is_silent = true;
  old.trouble = "It has delivered nothing for 5 min.";
  lossy.losses.kernel = 12;
  lossy.waiting = 7;
  daemon.directory.now.is_centre = true;
  daemon.directory.now.capturing = false;
  daemon.directory.now.totals.losses.kernel = lossy.losses.kernel;
  daemon.directory.now.totals.frames = 1234;
  daemon.directory.now.totals.qps_opened = 4;
  daemon.directory.now.sensors = {sensor("leaf1", "1.0.0"), lossy, old};
  daemon.directory.known_qps = {qp_of("rack7", 1, 0, 1), qp_of("rack7", 1, 1, 3), qp_of("leaf1", 2, 0, 5),
                                qp_of("leaf2", 3, 0, 5)};
  findings::Finding crc = report::sample::crc_finding(1 * kRun);
  auto found = std::make_shared<live::FindingView>(*api::testing::finding_view(1, crc));
  found->name.origin = daemon.directory.known_qps[0]->name.origin;
  crc.qp = 2 * kRun;
  auto other = std::make_shared<live::FindingView>(*api::testing::finding_view(2, crc));
  other->name.origin = daemon.directory.known_qps[2]->name.origin;
  daemon.directory.known_findings = {found, other};
  daemon.site.set(site());
}

inline Source source_of(const api::testing::Daemon& daemon) {
  Source source;
  source.place.socket = daemon.options.socket;
  return source;
}

}  // namespace iwarpscope::gui::made
