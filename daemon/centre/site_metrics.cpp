// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "centre/site_metrics.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <iterator>

#include "centre/arrivals.h"
#include "live/archive.h"
#include "metrics/builder.h"
#include "report/utf8.h"

namespace iwarpscope::centre {
namespace {

using live::OutputView;
using live::SensorView;
using metrics::Builder;

constexpr std::size_t kLongestLabel = 100;  ///< octets of a text that a sensor sends

double seconds(std::chrono::system_clock::time_point time) {
  return std::chrono::duration<double>(time.time_since_epoch()).count();
}

std::string label(const std::string& text) {
  return report::to_utf8(text.substr(0, kLongestLabel));  // the cut may be in the middle of a character
}

void add_service(Builder& b, const SiteNumbers& now) {
  b.gauge("build_info", "Always 1.");
  b.add(1, {{"version", now.status.version}});
  b.one_counter("records_total",
                "Records of all sensors that arrived, but states: the last number of arrival. Numbers of deliveries "
                "that failed count, too.",
                now.status.records);
  b.one_gauge("subscribers", "Subscribers of this service.", static_cast<double>(now.subscribers));
  b.one_counter("events_lost_total", "Events lost because subscribers were too slow.", now.events_lost);
}

void add_database(Builder& b, const OutputView& database) {
  b.one_gauge("database_up", "1: the database answers.", database.healthy ? 1 : 0);
  if (database.done) {
    b.one_gauge("database_answered_timestamp_seconds",
                "When the database last gave the state of the sensors. All metrics of sensors are of that time.",
                seconds(*database.done));
  }
}

/// `known`: of these steps, those whose state is known.
void add_steps(Builder& b, const std::vector<OutputView>& steps, const std::vector<OutputView>& known) {
  b.gauge("step_healthy",
          "1: the step of the service works (sums by hour, joins of taps, alerts to Alertmanager). None while the "
          "database does not answer: it is not known.");
  for (const OutputView& o : known) b.add(o.healthy ? 1 : 0, {{"step", o.name}});
  b.gauge("step_behind_records", "Numbers of arrival that the step has still to look at. None as with step_healthy.");
  for (const OutputView& o : known) b.add(o.queued, {{"step", o.name}});
  b.gauge("step_done_timestamp_seconds", "When the step last had nothing left to do; at first, the service's start.");
  for (const OutputView& o : steps) {
    if (o.done) b.add(seconds(*o.done), {{"step", o.name}});
  }
  b.counter("step_left_out_total", "Queue pairs that were not compared (joins), alerts that were refused (alerts).");
  for (const OutputView& o : steps) b.add(o.lost, {{"step", o.name}});
}

void add_delivery(Builder& b, const std::vector<SensorView>& sensors) {
  b.gauge("sensor_info", "Always 1. Equal labels configuration mean equal configurations.");
  for (const SensorView& s : sensors) {
    b.add(1, {{"sensor", s.name},
              {"site", s.site},
              {"position", s.position},
              {"version", label(s.version)},
              {"configuration", s.configuration ? fmt::format("{:012x}", s.configuration->hash) : std::string{}}});
  }
  b.gauge("sensor_silent", "1: nothing came from the sensor for longer than its heartbeats allow.");
  for (const SensorView& s : sensors) b.add(s.is_silent ? 1 : 0, {{"sensor", s.name}});
  b.gauge("sensor_delivered_timestamp_seconds", "When the sensor last delivered, by the clock of the database.");
  for (const SensorView& s : sensors) {
    if (s.delivered) b.add(metrics::seconds(*s.delivered), {{"sensor", s.name}});
  }
  b.gauge("sensor_heartbeat_timestamp_seconds", "When the sensor wrote its last heartbeat, by its own clock.");
  for (const SensorView& s : sensors) {
    if (s.heartbeat) b.add(metrics::seconds(*s.heartbeat), {{"sensor", s.name}});
  }
}

/// What the last heartbeats say.
void add_outboxes(Builder& b, const std::vector<SensorView>& sensors) {
  b.gauge("sensor_lag_seconds",
          "At the last heartbeat: how long the oldest record at the sensor had waited for delivery to the centre.");
  for (const SensorView& s : sensors) {
    if (s.heartbeat) b.add(s.lag_seconds, {{"sensor", s.name}});
  }
  b.gauge("sensor_outbox_records", "At the last heartbeat: records at the sensor that waited for delivery.");
  for (const SensorView& s : sensors) {
    if (s.heartbeat) b.add(s.waiting, {{"sensor", s.name}});
  }
  b.gauge("sensor_outbox_fill_ratio", "At the last heartbeat: used part of the room for these records, 0 to 1.");
  for (const SensorView& s : sensors) {
    if (s.fill) b.add(*s.fill, {{"sensor", s.name}});
  }
}

void add_losses(Builder& b, const std::vector<SensorView>& sensors) {
  b.counter("sensor_capture_drops_total",
            "Frames the sensor lost since its start: by the interface (nic), in the capture ring (kernel) or in the "
            "queue after the ring (queue).");
  for (const SensorView& s : sensors) {
    if (!s.heartbeat) continue;
    b.add(s.losses.nic, {{"sensor", s.name}, {"where", "nic"}});
    b.add(s.losses.kernel, {{"sensor", s.name}, {"where", "kernel"}});
    b.add(s.losses.queue, {{"sensor", s.name}, {"where", "queue"}});
  }
  b.counter("sensor_capture_gap_bytes_total", "Octets that TCP delivered and the sensor missed, since its start.");
  for (const SensorView& s : sensors) {
    if (s.heartbeat) b.add(s.losses.gap_octets, {{"sensor", s.name}});
  }
  b.counter("sensor_capture_gap_messages_total",
            "Messages that SCTP delivered and the sensor missed, since its start.");
  for (const SensorView& s : sensors) {
    if (s.heartbeat) b.add(s.losses.gap_messages, {{"sensor", s.name}});
  }
  b.counter("sensor_records_dropped_total", "Records that the sensor discarded before they were delivered, by kind.");
  for (const SensorView& s : sensors) {
    for (std::size_t i = 0; i < live::kRecordKinds; ++i)
      b.add(s.expired.at(i), {{"sensor", s.name}, {"kind", live::kRecordKindNames.at(i)}});
  }
}

}  // namespace

std::string site_metrics(const SiteNumbers& now) {
  Builder b("iwarp_centre_");
  add_service(b, now);
  std::vector<OutputView> steps;
  for (const OutputView& output : now.status.outputs) {
    if (output.name == kDatabaseOutput) {
      add_database(b, output);
    } else {
      steps.push_back(output);
    }
  }
  add_steps(b, steps, not_ready(now.status).empty() ? steps : std::vector<OutputView>{});
  const std::vector<SensorView>& sensors = now.status.sensors;
  add_delivery(b, sensors);
  add_outboxes(b, sensors);
  add_losses(b, sensors);
  return metrics::text_of(b.take());
}

std::string not_ready(const live::Status& status) {
  for (const OutputView& output : status.outputs) {
    if (output.name == kDatabaseOutput && !output.healthy)
      return fmt::format("The database does not answer: {}\n", output.trouble);
  }
  return {};
}

}  // namespace iwarpscope::centre
