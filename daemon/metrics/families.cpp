// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "metrics/families.h"

#include <array>
#include <string_view>

#include "findings/catalogue.h"
#include "metrics/builder.h"

namespace iwarpscope::metrics {
namespace {

void add_capture(Builder& b, const live::Status& s) {
  b.counter("capture_packets_total", "Frames handed to the analysis.");
  for (const auto& i : s.interfaces) b.add(i.frames, {{"iface", i.name}});
  b.counter("capture_bytes_total", "Octets of frames handed to the analysis.");
  for (const auto& i : s.interfaces) b.add(i.octets, {{"iface", i.name}});
  b.counter(
      "capture_drops_total",
      "Frames lost before the analysis: by the interface (nic), in the capture ring (kernel) or in the queue after the "
      "ring (queue).");
  for (const auto& i : s.interfaces) {
    b.add(i.losses.nic, {{"iface", i.name}, {"where", "nic"}});
    b.add(i.losses.kernel, {{"iface", i.name}, {"where", "kernel"}});
    b.add(i.losses.queue, {{"iface", i.name}, {"where", "queue"}});
  }
  b.gauge("capture_interface_up", "1: the interface is capturing.");
  for (const auto& i : s.interfaces) b.add(i.up ? 1 : 0, {{"iface", i.name}});
  b.gauge("capture_offloads", "Receive offloads that are on; they change frames before the capture.");
  for (const auto& i : s.interfaces) b.add(i.offloads.size(), {{"iface", i.name}});
  b.one_gauge("capturing",
              "1: frames are being captured or replayed; 0: no interface is up, or the replay has finished.",
              s.capturing ? 1 : 0);
  if (s.capture_time) {
    b.one_gauge("capture_last_packet_timestamp_seconds", "Time of the last frame.", seconds(*s.capture_time));
  }
  b.one_gauge("analysis_lag_seconds", "Age of the last frame when it was analysed; 0 for files.",
              s.analysis_lag_seconds);
}

using findings::FindingId;

/// Markers at a wrong position, or with a wrong pointer.
constexpr std::array kMarkerErrors{FindingId::mpa_marker_missing,      FindingId::mpa_marker_unexpected,
                                   FindingId::mpa_first_marker_wrong,  FindingId::mpa_marker_pointer_wrong,
                                   FindingId::mpa_marker_pointer_zero, FindingId::mpa_markers_disagree};
/// DDP Segments out of order.
constexpr std::array kOrderErrors{FindingId::ddp_first_msn_wrong,      FindingId::ddp_msn_out_of_sequence,
                                  FindingId::ddp_first_mo_not_zero,    FindingId::ddp_mo_wrong,
                                  FindingId::ddp_offset_decreases,     FindingId::ddp_to_not_contiguous,
                                  FindingId::ddp_messages_interleaved, FindingId::ddp_models_interleaved};

std::uint64_t reported(const live::Totals& t, FindingId id) {
  const auto its = t.findings.find(findings::rule(id).name);
  return its != t.findings.end() ? its->second : 0;
}

void add_violations(Builder& b, const live::Totals& t) {
  std::uint64_t markers = 0;
  for (const FindingId id : kMarkerErrors) markers += reported(t, id);
  b.one_counter("mpa_marker_errors_total",
                "Markers that are missing, unexpected or wrong, counted by their findings. Findings above the limit of "
                "a queue pair are only in findings_suppressed_total.",
                markers);
  b.counter("ddp_order_errors_total", "DDP Segments out of order, by rule; counted like marker errors.");
  for (const FindingId id : kOrderErrors) {
    std::string_view kind = findings::rule(id).name;
    kind.remove_prefix(kind.find('.') + 1);
    b.add(reported(t, id), {{"kind", kind}});
  }
}

void add_protocol(Builder& b, const live::Totals& t) {
  for (const qp::DirectionCounter& counter : qp::kDirectionCounters) {
    if (!counter.metric.empty()) b.one_counter(counter.metric, counter.help, t.traffic[counter.member]);
  }
  b.one_counter("mpa_crc_checked_total", "FPDUs whose CRC was checked.", t.crc_checked());
  b.counter("rdmap_ops_total", "RDMA messages by opcode.");
  for (std::size_t i = 0; i < rdmap::kOpcodes; ++i) {
    b.add(t.operations[i], {{"op", rdmap::name(static_cast<rdmap::Opcode>(i))}});
  }
  b.counter("rdmap_payload_bytes_total", "ULP payload of RDMA messages by opcode.");
  for (std::size_t i = 0; i < rdmap::kOpcodes; ++i) {
    const auto opcode = static_cast<rdmap::Opcode>(i);
    if (rdmap::traits(opcode).has_payload) b.add(t.payload_octets[i], {{"op", rdmap::name(opcode)}});
  }
  b.counter("terminates_total", "Terminate messages by layer and error code.");
  for (const auto& [which, count] : t.terminates) {
    b.add(count, {{"layer", std::to_string(which.first)}, {"code", std::to_string(which.second)}});
  }
}

using qp::Outcome;
constexpr std::array kOutcomes{Outcome::completed, Outcome::refused, Outcome::failed,
                               Outcome::stalled,   Outcome::running, Outcome::unknown};
constexpr std::array kBadOutcomes{Outcome::refused, Outcome::failed, Outcome::stalled};

/// Exports all outcomes from the start: Prometheus sees an increase only after an earlier value.
template <std::size_t N>
void add_outcomes(Builder& b, const std::map<std::string_view, std::uint64_t>& counts,
                  const std::array<Outcome, N>& outcomes) {
  for (const Outcome outcome : outcomes) {
    const auto its = counts.find(name(outcome));
    b.add(its != counts.end() ? its->second : 0, {{"outcome", name(outcome)}});
  }
}

void add_queue_pairs(Builder& b, const live::Totals& t) {
  b.gauge("qp_active",
          "Active queue pairs, by state. Closed and rejected ones are included until after_end "
          "([limits] of the configuration) has passed.");
  for (const auto& [state, count] : t.qps_by_state) b.add(count, {{"state", state}});
  b.one_counter("qp_opened_total", "Queue pairs seen since the start.", t.qps_opened);
  b.gauge("qp_verdicts", "Active queue pairs, by the outcome of their current verdict: stalled, running...");
  add_outcomes(b, t.qps_by_outcome, kOutcomes);
  b.counter("qp_closed_total", "Queue pairs that ended, by the outcome of their verdict.");
  add_outcomes(b, t.qps_closed, kOutcomes);
  b.counter("mpa_handshake_failures_total",
            "Queue pairs that ended before their first FPDU or DDP segment, by outcome.");
  add_outcomes(b, t.handshake_failures, kBadOutcomes);
  b.counter("findings_total", "Findings by rule.");
  for (const auto& [id, count] : t.findings) {
    const findings::Rule* const rule = findings::find_rule(id);
    b.add(count, {{"id", id}, {"severity", rule != nullptr ? findings::name(rule->severity) : std::string_view{}}});
  }
  b.one_counter("findings_suppressed_total", "Findings above limits.findings_per_rule: counted, but not reported.",
                t.findings_suppressed);
  b.one_counter("findings_withheld_total", "Findings that findings.thresholds holds back: counted, but not reported.",
                t.findings_withheld);
}

void add_limits(Builder& b, const live::Status& s) {
  b.gauge("table_entries",
          "Current use of a bounded table or buffer. Limits for each connection or frame are not included.");
  for (const auto& l : s.limits) {
    if (!l.each) b.add(l.entries, {{"table", l.table}});
  }
  b.gauge("table_limit", "Limit of a table or buffer; some limits apply to each connection or frame.");
  for (const auto& l : s.limits) b.add(l.limit, {{"table", l.table}});
  b.counter("evictions_total", "Entries discarded or refused at the limit, or the number of times this happened.");
  for (const auto& l : s.limits) b.add(l.evicted, {{"table", l.table}});
}

void add_outputs(Builder& b, const live::Status& s) {
  b.gauge("output_healthy", "1: the output works.");
  for (const auto& o : s.outputs) b.add(o.healthy ? 1 : 0, {{"kind", o.name}});
  b.counter("output_taken_total", "Records accepted by the output.");
  for (const auto& o : s.outputs) b.add(o.taken, {{"kind", o.name}});
  b.counter("output_lost_total", "Records lost by the output: its queue was full, or it could not store them.");
  for (const auto& o : s.outputs) b.add(o.lost, {{"kind", o.name}});
  b.counter(
      "output_not_begun_total",
      "Recordings not started, because recorder.at_once others were being written; included in output_lost_total.");
  for (const auto& o : s.outputs) b.add(o.not_begun, {{"kind", o.name}});
  b.counter("output_withheld_total",
            "Findings left out as configured: journal.thresholds, or the quotas of the recorder. They are not lost.");
  for (const auto& o : s.outputs) b.add(o.withheld, {{"kind", o.name}});
  b.gauge("output_queue_entries", "Records in the queue of the output.");
  for (const auto& o : s.outputs) b.add(o.queued, {{"kind", o.name}});
  b.gauge("output_queue_limit", "Length of the queue of the output.");
  for (const auto& o : s.outputs) b.add(o.queue_limit, {{"kind", o.name}});
  b.gauge("output_lag_seconds", "Age of the oldest record in the queue of the output.");
  for (const auto& o : s.outputs) b.add(o.lag_seconds, {{"kind", o.name}});
  b.gauge("output_fill_ratio",
          "Used part of the room for waiting records, 0 to 1. At 1, records are lost. The room of forward is what the "
          "history may take on its disk, and the part is an estimate.");
  for (const auto& o : s.outputs) {
    if (o.fill) {
      b.add(*o.fill, {{"kind", o.name}});
    } else if (o.queue_limit != 0) {
      b.add(static_cast<double>(o.queued) / static_cast<double>(o.queue_limit), {{"kind", o.name}});
    }
  }
  b.gauge("output_refused", "1: the centre answers and refuses the records, for example because of its schema.");
  for (const auto& o : s.outputs) {
    if (o.name == "forward") b.add(o.refused ? 1 : 0, {{"kind", o.name}});
  }
}

void add_api(Builder& b, const ApiView& api) {
  b.counter("api_calls_total", "Calls of the API that have ended, by method and gRPC status code.");
  for (const ApiView::Method& method : api.methods) {
    for (const auto& [code, count] : method.ended) b.add(count, {{"method", method.name}, {"code", code}});
  }
  b.counter("api_call_seconds_total", "Sum of the durations of the calls; Subscribe lasts as long as its client.");
  for (const ApiView::Method& method : api.methods) b.add(method.seconds, {{"method", method.name}});
  b.one_gauge("api_subscribers", "Subscribers at this time.", static_cast<double>(api.subscribers));
  b.one_gauge("api_subscriber_bytes",
              "Memory for events and replies that subscribers have not read, within api.subscriber_memory.",
              static_cast<double>(api.subscriber_octets));
  b.one_gauge("api_unread_bytes", "Answers that clients have not read; above 32 MiB, calls are refused.",
              static_cast<double>(api.unread_octets));
  b.one_counter("api_events_total", "Events sent to subscribers.", api.reported);
  b.one_counter("api_events_lost_total", "Events lost because subscribers were too slow.", api.lost);
  b.one_counter("api_refused_total", "Calls and connections refused at a limit.", api.refused);
  b.one_counter("api_handshakes_failed_total", "TLS handshakes that failed.", api.handshakes_failed);
  b.gauge("api_certificate_expiry_timestamp_seconds",
          "When the first certificate of a file of [api] ends, or when a revocation list should be replaced.");
  for (const auto& [file, end] : api.ends) b.add(end, {{"file", file}});
}

void add_clock(Builder& b, const live::ClockView& clock) {
  if (!clock.is_known) return;
  b.one_gauge("clock_synchronized", "1: a program keeps the clock of the sensor's machine.",
              clock.is_synchronized ? 1 : 0);
  if (clock.is_synchronized)
    b.one_gauge("clock_error_seconds", "That clock is off by no more than this, as the kernel estimates.",
                static_cast<double>(clock.error_ns) * 1e-9);
}

void add_configuration(Builder& b, const live::ConfigurationView& c) {
  b.one_gauge("config_hash", "A number for the configuration in force, equal for equal values.",
              static_cast<double>(c.hash));
  b.one_gauge("config_last_reload_successful", "0: the last reload found a mistake, and the old configuration is kept.",
              c.reloaded ? 1 : 0);
  b.one_gauge("config_last_reload_success_timestamp_seconds", "Time of the last successful reload, or of the start.",
              static_cast<double>(c.time));
  b.one_gauge("config_keys_waiting", "Changed keys of the file that need a restart.", static_cast<double>(c.waiting));
}

}  // namespace

std::vector<prometheus::MetricFamily> families(const Snapshot& now) {
  const live::Status& status = now.status;
  Builder b("iwarp_", now.sensor);
  b.gauge("build_info", "Always 1.");
  b.add(1, {{"version", status.version}});
  if (status.origin) {
    b.gauge("sensor_info", "Always 1. The label run_uuid changes with each start of the daemon, sensor_uuid does not.");
    b.add(1, {{"sensor_uuid", status.origin->sensor_uuid}, {"run_uuid", status.origin->run_uuid}});
  }
  b.one_counter("records_total", "Findings and queue pairs that ended: the sequence of the last record of the run.",
                status.records);
  b.one_gauge("start_time_seconds", "When the daemon started.", seconds(status.started));
  add_capture(b, status);
  add_protocol(b, status.totals);
  add_violations(b, status.totals);
  add_queue_pairs(b, status.totals);
  b.one_counter("qp_continued_total", "Queue pairs of the run before that this run went on with.", status.continued);
  b.one_counter("qp_not_continued_total",
                "Queue pairs that were open when the run before ended, and that this run met in mid-stream.",
                status.not_continued);
  b.counter("checkpoint_refused_total", "Checkpoints of the run before that this run did not use, by reason.");
  for (const std::string_view why : {"damaged", "layout", "sensor", "settings", "age", "unreadable"})
    b.add(status.resume_refused == why ? std::uint64_t{1} : std::uint64_t{0}, {{"reason", std::string(why)}});
  b.histogram("mpa_handshake_duration_seconds", "Time from the MPA Request Frame or Session Initiate to its answer.",
              status.handshake);
  b.histogram("rdmap_read_latency_seconds", "Time from an RDMA Read Request to the last octet of its Response.",
              status.read_latency);
  b.histogram("rdmap_atomic_latency_seconds", "Time from an Atomic Request to its Response.", status.atomic_latency);
  add_limits(b, status);
  add_outputs(b, status);
  if (now.api) add_api(b, *now.api);
  if (status.configuration) add_configuration(b, *status.configuration);
  add_clock(b, status.clock);
  return b.take();
}

std::string text(const Snapshot& now) {
  return text_of(families(now));
}

}  // namespace iwarpscope::metrics
