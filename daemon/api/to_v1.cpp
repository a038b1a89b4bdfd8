// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Queue pairs, status and hosts as messages of iwarpscope.v1.
#include <numeric>
#include <string>
#include <variant>

#include "analysis/first_trouble.h"
#include "api/direction_counters.h"
#include "api/endpoint.h"
#include "api/enums.h"
#include "api/records.h"
#include "emulation/advertised_limits.h"
#include "iwarpscope/v1/control.pb.h"
#include "iwarpscope/v1/observer.pb.h"
#include "report/incidents.h"
#include "report/utf8.h"
#include "ulp/private_data.h"

namespace iwarpscope::api {
namespace {

void put(const live::Losses& in, v1::Losses& out) {
  out.set_nic_frames(in.nic);
  out.set_kernel_frames(in.kernel);
  out.set_queue_frames(in.queue);
  out.set_gap_octets(in.gap_octets);
  out.set_gap_messages(in.gap_messages);
}

void put(const mpa::EnhancedData& in, v1::EnhancedData& out) {
  out.set_ird(in.ird);
  out.set_ord(in.ord);
  out.set_peer_to_peer(in.peer_to_peer);
  out.set_rtr_send(in.rtr_send);
  out.set_rtr_write(in.rtr_write);
  out.set_rtr_read(in.rtr_read);
}

void put(const mpa::StartupFrame& in, v1::StartupFrame& out) {
  out.set_frame(in.frame.value);
  out.set_time_ns(in.time.ns);
  out.set_revision(in.revision);
  out.set_function_code(in.function_code);
  out.set_markers(in.markers);
  out.set_crc(in.crc);
  out.set_rejected(in.rejected);
  out.set_enhanced(in.enhanced_flag);
  out.set_reserved(in.reserved);
  out.set_key(in.key.data(), in.key.size());
  out.set_private_data_length(in.private_data_length);
  out.set_private_data(in.private_data.data(), in.private_data.size());
  out.set_private_data_text(ulp::private_data_words(in.private_data));
  if (in.enhanced) put(*in.enhanced, *out.mutable_enhanced_data());
  if (in.legacy) put(*in.legacy, *out.mutable_legacy_data());
}

void put(const qp::StartupRecord& in, v1::Startup& out) {
  if (in.request) put(*in.request, *out.mutable_request());
  if (in.reply) put(*in.reply, *out.mutable_reply());
  if (in.rtr) {
    out.mutable_rtr()->set_kind(std::string{in.rtr->kind});
    out.mutable_rtr()->set_frame(in.rtr->frame.value);
  }
  if (in.request && in.reply) out.set_reply_after_ns(elapsed_ns(in.request->time, in.reply->time));
}

void put_settings(const qp::QpRecord& in, v1::Settings& out) {
  if (in.crc_in_use) out.set_crc(*in.crc_in_use);
  out.set_crc_inferred(in.crc_inferred);
  if (in.markers[0]) out.set_markers_a_to_b(*in.markers[0]);
  if (in.markers[1]) out.set_markers_b_to_a(*in.markers[1]);
  out.set_markers_inferred(in.markers_inferred);
  if (in.read_depth[0]) out.set_read_depth_a_to_b(*in.read_depth[0]);
  if (in.read_depth[1]) out.set_read_depth_b_to_a(*in.read_depth[1]);
  if (in.rdmap_version) out.set_rdmap_version(*in.rdmap_version);
  if (in.ddp_version) out.set_ddp_version(*in.ddp_version);
}

void put(const qp::CreditUse& in, v1::CreditUse& out) {
  out.set_peak(in.peak);
  out.set_times_at_limit(in.times_at_limit);
  out.set_at_limit_ns(in.at_limit_ns);
  out.set_over_limit(in.over_limit);
}

void put(const qp::SequenceRecord& in, v1::Sequence& out) {
  if (in.initial) out.set_initial(*in.initial);
  out.set_first(in.first);
  out.set_octets(in.octets);
  if (in.fin) out.set_fin(*in.fin);
  out.set_acknowledged_only(in.acknowledged_only);
  if (in.tag) out.set_tag(*in.tag);
}

void put(const qp::OctetsRecord& in, v1::OctetRange& out) {
  out.set_offset(in.offset);
  out.set_octets(in.octets);
}

void put_more(const qp::DirectionRecord& in, v1::DirectionCounters& out) {
  if (in.read_credit) {
    v1::ReadCredit& credit = *out.mutable_read_credit();
    if (in.read_credit->limit) credit.set_limit(*in.read_credit->limit);
    put(in.read_credit->reads, *credit.mutable_reads());
    put(in.read_credit->all, *credit.mutable_reads_and_atomics());
  }
  if (in.head_of_line.messages != 0) {
    v1::HeadOfLine& waited = *out.mutable_head_of_line();
    waited.set_messages(in.head_of_line.messages);
    waited.set_total_ns(in.head_of_line.total_ns);
    waited.set_largest_ns(in.head_of_line.largest_ns);
    waited.set_largest_message(in.head_of_line.largest_message);
  }
}

void put(const qp::UnansweredRequests& in, v1::Unanswered& out) {
  out.set_count(in.count);
  out.set_oldest_is_atomic(in.atomic);
  out.set_oldest_msn(in.msn.value);
  out.set_oldest_frame(in.oldest.frame.value);
  out.set_oldest_time_ns(in.oldest.time.ns);
}

void put(const qp::DirectionRecord& in, const qp::DirectionSummary& summary, v1::DirectionCounters& out) {
  put_counters(in, out);
  for (std::size_t i = 0; i < rdmap::kOpcodes; ++i) {
    if (in.messages[i] == 0 && in.payload_octets[i] == 0) continue;
    v1::OpcodeCounter& counter = *out.add_opcodes();
    counter.set_opcode(enum_to_v1(static_cast<rdmap::Opcode>(i)));
    counter.set_messages(in.messages[i]);
    counter.set_payload_octets(in.payload_octets[i]);
  }
  put_more(in, out);
  out.set_not_captured(!in.captured);
  out.set_cut_framing(in.cut_framing);
  if (summary.waiting) put(*summary.waiting, *out.mutable_unanswered());
  out.set_unacknowledged_octets(summary.unacknowledged);
}

void put(const qp::StagUse& in, v1::StagUse& out) {
  out.set_owner_is_b(in.owner == Direction::a_to_b);
  out.set_stag(in.stag.value);
  out.set_first_frame(in.first_frame.value);
  if (in.announced_frame) out.set_announced_frame(in.announced_frame->value);
  if (in.invalidated_frame) out.set_invalidated_frame(in.invalidated_frame->value);
  out.set_written(in.written);
  out.set_read(in.read);
  out.set_atomic(in.atomic);
  out.set_read_sink(in.read_sink);
  out.set_begin(in.begin);
  out.set_end(in.end);
}

void put_verdict(const qp::QpRecord& record, Detail detail, v1::Verdict& out) {
  const qp::VerdictRecord& in = *record.verdict;
  out.set_outcome(enum_to_v1(in.outcome));
  out.set_blame(enum_to_v1(in.blame));
  out.set_confidence(enum_to_v1(in.confidence));
  out.set_code(in.code);
  out.set_id(in.id);
  out.set_cause(in.cause);
  if (const auto error = report::first_error(record)) out.set_error_rule(std::string{findings::rule(*error).name});
  out.set_repaired(report::flaw(record) == report::Flaw::repaired);
  if (const auto since = analysis::first_trouble(record)) out.set_since_frame(since->value);
  if (detail != Detail::full) return;
  out.set_text(report::to_utf8(in.text));
  for (const FrameNumber frame : in.evidence) out.add_evidence(frame.value);
  out.set_next(report::to_utf8(in.next));
}

void put(const live::FindingCounts& in, v1::FindingCounts& out) {
  out.set_errors(in.errors);
  out.set_warnings(in.warnings);
  out.set_notes(in.notes);
  if (!in.worst) return;
  const findings::Rule& rule = findings::rule(*in.worst);
  out.set_worst_rule(std::string{rule.name});
  out.set_worst_severity(enum_to_v1(rule.severity));
}

void put(const live::Activity& in, Detail detail, v1::Activity& out) {
  out.set_last_second(in.last_second);
  out.set_octets_per_second(in.octets_per_second());
  if (detail == Detail::row) return;
  out.mutable_octets()->Add(in.octets.begin(), in.octets.end());
  out.mutable_messages()->Add(in.messages.begin(), in.messages.end());
}

void put_ends(const qp::DirectionSummary& in, v1::DirectionCounters& out) {
  const auto put_moment = [](const qp::Moment& at, v1::Moment& moment) {
    moment.set_frame(at.frame.value);
    moment.set_time_ns(at.time.ns);
  };
  if (in.syn.happened()) put_moment(in.syn, *out.mutable_syn());
  out.set_init_ack(in.init_ack);
  if (in.fin.happened()) put_moment(in.fin, *out.mutable_fin());
  if (in.rst.happened()) put_moment(in.rst, *out.mutable_rst());
  if (!in.inside_fpdu) return;
  v1::PendingFpdu& fpdu = *out.mutable_pending_fpdu();
  put_moment({in.inside_fpdu->frame, in.inside_fpdu->time}, *fpdu.mutable_begin());
  fpdu.set_octets(in.inside_fpdu->octets);
  fpdu.set_ulpdu_length(in.inside_fpdu->ulpdu_length);
}

void put_traces(const qp::DirectionRecord& in, v1::DirectionCounters& out) {
  if (in.sequence) put(*in.sequence, *out.mutable_sequence());
  for (const qp::OctetsRecord& r : in.loss_traces.sent_again) put(r, *out.add_sent_again());
  for (const qp::OctetsRecord& r : in.loss_traces.filled_late) put(r, *out.add_filled_late());
  out.set_more_loss_traces(in.loss_traces.more);
}

void put_whole(const qp::QpRecord& in, v1::QueuePair& out) {
  put_traces(in.directions[0], *out.mutable_a_to_b());
  put_traces(in.directions[1], *out.mutable_b_to_a());
  put_ends(in.summary.directions[0], *out.mutable_a_to_b());
  put_ends(in.summary.directions[1], *out.mutable_b_to_a());
  if (in.summary.banner) {
    out.mutable_banner()->mutable_at()->set_frame(in.summary.banner->at.frame.value);
    out.mutable_banner()->mutable_at()->set_time_ns(in.summary.banner->at.time.ns);
    out.mutable_banner()->set_octets(in.summary.banner->octets);
  }
  if (in.startup) put(*in.startup, *out.mutable_startup());
  if (const auto limits = emulation::advertised_limits(in)) {
    out.mutable_ulp_limits()->set_text(report::to_utf8(limits->sentence));
    out.mutable_ulp_limits()->set_compatible(limits->compatible);
  }
  for (const qp::StagUse& use : in.stags) put(use, *out.add_stags());
}

void put(const live::Latencies& in, v1::Latencies& out) {
  out.mutable_counts()->Add(in.counts.begin(), in.counts.end());
  out.set_total(in.total);
  out.set_sum_seconds(in.sum_seconds);
}

template <class From, class To>
void put_map(const From& in, To& out) {
  for (const auto& [key, value] : in) out[std::string{key}] = value;
}

void put(const hosts::FailedOpenings& in, v1::FailedOpenings& out) {
  out.set_count(in.count);
  if (in.listener) api::put(*in.listener, *out.mutable_listener());
  out.set_frame(in.frame.value);
}

void put(const live::Totals& in, v1::Totals& out) {
  out.set_frames(in.frames);
  out.set_octets(in.octets);
  out.set_cut_frames(in.cut_frames);
  out.set_undecoded_frames(in.undecoded_frames);
  if (in.refused.count != 0) put(in.refused, *out.mutable_refused());
  if (in.unanswered.count != 0) put(in.unanswered, *out.mutable_unanswered());
  using D = qp::DirectionRecord;
  out.set_tcp_segments(in.traffic[&D::tcp_segments]);
  out.set_retransmitted_octets(in.traffic[&D::retransmitted_octets]);
  put(in.losses, *out.mutable_losses());
  put_map(in.qps_by_state, *out.mutable_qps_by_state());
  put_map(in.qps_by_outcome, *out.mutable_qps_by_outcome());
  out.set_qps_opened(in.qps_opened);
  put_map(in.qps_closed, *out.mutable_qps_closed());
  out.set_fpdus(in.traffic[&D::fpdus]);
  out.set_stream_octets(in.traffic[&D::stream_octets]);
  out.set_crc_checked(in.crc_checked());
  out.set_crc_errors(in.traffic[&D::crc_bad]);
  out.set_crc_unjudged(in.traffic[&D::crc_unjudged]);
  for (std::size_t i = 0; i < rdmap::kOpcodes; ++i) {
    if (in.operations[i] == 0 && in.payload_octets[i] == 0) continue;
    v1::OpcodeTotal& total = *out.add_opcodes();
    total.set_opcode(enum_to_v1(static_cast<rdmap::Opcode>(i)));
    total.set_messages(in.operations[i]);
    total.set_payload_octets(in.payload_octets[i]);
  }
  put_map(in.findings, *out.mutable_findings());
  out.set_findings_suppressed(in.findings_suppressed);
  out.set_findings_withheld(in.findings_withheld);
  for (const auto& [what, count] : in.terminates) {
    v1::TerminateTotal& total = *out.add_terminates();
    total.set_layer(what.first);
    total.set_error_code(what.second);
    total.set_count(count);
  }
  put_map(in.handshake_failures, *out.mutable_handshake_failures());
}

void put(const live::ConfigurationView& in, v1::Configuration& out) {
  constexpr int kDigits = 12;
  std::string hash(kDigits, '0');
  std::uint64_t rest = in.hash;
  for (auto digit = hash.rbegin(); digit != hash.rend(); ++digit, rest /= 16) *digit = "0123456789abcdef"[rest % 16];
  out.set_hash(hash);
  out.set_reload_failed(!in.reloaded);
  out.set_mistakes(report::to_utf8(in.mistakes));
  out.set_changed_time_s(in.time);
  out.set_keys_waiting(in.waiting);
}

void put(const live::ClockView& in, v1::ClockState& out) {
  out.set_synchronized(in.is_synchronized);
  if (in.is_synchronized) out.set_error_ns(in.error_ns);
  out.set_offset_ns(in.offset_ns);
}

void put(const live::SensorView& in, v1::SensorStatus& out) {
  out.set_name(report::to_utf8(in.name));
  out.set_site(report::to_utf8(in.site));
  out.set_position(report::to_utf8(in.position));
  if (in.delivered) out.set_delivered_time_ns(in.delivered->ns);
  out.set_silent(in.is_silent);
  out.set_trouble(report::to_utf8(in.trouble));
  out.set_expired(std::accumulate(in.expired.begin(), in.expired.end(), std::uint64_t{0}));
  if (!in.heartbeat) return;
  out.set_heartbeat_time_ns(in.heartbeat->ns);
  out.set_version(report::to_utf8(in.version));
  out.set_sensor_uuid(report::to_utf8(in.uuid));
  if (in.configuration) put(*in.configuration, *out.mutable_configuration());
  if (in.clock.is_known) put(in.clock, *out.mutable_clock());
  put(in.losses, *out.mutable_losses());
  out.set_qps(in.qps);
  out.set_findings(in.findings);
  out.set_waiting(in.waiting);
}

void put(const live::InterfaceView& in, v1::Interface& out) {
  out.set_name(in.name);
  out.set_link_type(in.link_type);
  out.set_file_format(in.file_format);
  out.set_frames(in.frames);
  out.set_octets(in.octets);
  put(in.losses, *out.mutable_losses());
  out.set_up(in.up);
  out.set_time_source(in.time_source);
  out.set_method(in.method);
  for (const std::string& offload : in.offloads) out.add_offloads(offload);
  for (const std::string& warning : in.warnings) out.add_warnings(report::to_utf8(warning));
  out.set_tap_group(report::to_utf8(in.tap_group));
}

void put(const live::OutputView& in, v1::Output& out) {
  out.set_name(in.name);
  out.set_healthy(in.healthy);
  out.set_trouble(report::to_utf8(in.trouble));
  out.set_taken(in.taken);
  out.set_lost(in.lost);
  out.set_not_begun(in.not_begun);
  out.set_withheld(in.withheld);
  out.set_queued(in.queued);
  out.set_queue_limit(in.queue_limit);
  out.set_lag_seconds(in.lag_seconds);
}

}  // namespace

void to_v1(const live::RecordName& name, v1::RecordName& out) {
  if (name.origin) {
    out.set_sensor(report::to_utf8(name.origin->sensor));
    out.set_sensor_uuid(name.origin->sensor_uuid);
    out.set_run_uuid(name.origin->run_uuid);
  }
  out.set_sequence(name.sequence);
  out.set_interface(report::to_utf8(name.interface));
  out.set_tap_group(report::to_utf8(name.tap_group));
  out.set_community_id(name.community_id);
  out.set_arrival(name.arrival);
}

void to_v1(const live::QpView& view, Detail detail, v1::QueuePair& out) {
  const qp::QpRecord& in = view.record;
  out.set_qp(in.qp);
  out.set_version(view.version);
  out.set_ended(view.ended);
  out.set_continued(view.continued);
  put(in.a, *out.mutable_a());
  put(in.b, *out.mutable_b());
  out.set_roles(enum_to_v1(in.roles));
  out.set_joined_midstream(in.joined_midstream);
  out.set_state(enum_to_v1(in.state));
  if (in.closed_by) out.set_closed_by(std::string{*in.closed_by});
  if (in.sctp_stream) out.set_sctp_stream(*in.sctp_stream);
  out.set_first_frame(in.first_frame.value);
  out.set_last_frame(in.last_frame.value);
  out.set_first_time_ns(in.first_time.ns);
  out.set_last_time_ns(in.last_time.ns);
  put_settings(in, *out.mutable_settings());
  if (in.ulp) out.set_ulp(std::string{*in.ulp});
  put(in.directions[0], in.summary.directions[0], *out.mutable_a_to_b());
  put(in.directions[1], in.summary.directions[1], *out.mutable_b_to_a());
  out.set_stags_known(in.stags_known);
  if (in.verdict) put_verdict(in, detail, *out.mutable_verdict());
  put(view.findings, *out.mutable_findings());
  put(view.activity, detail, *out.mutable_activity());
  put(view.losses, *out.mutable_losses());
  // A state that is shown as a row changes often: it is no record, and a Community ID takes a microsecond.
  live::RecordName name = detail == Detail::full || view.ended ? live::named(view) : view.name;
  if (detail != Detail::full && !(name.origin && name.origin->one_of_many)) name.origin = nullptr;
  to_v1(name, *out.mutable_name());
  if (detail == Detail::full) put_whole(in, out);
}

void to_v1(const live::Status& in, v1::Status& out) {
  out.set_version(in.version);
  live::RecordName last;
  last.origin = in.origin;
  last.sequence = in.records;
  to_v1(last, *out.mutable_name());
  out.set_started_time_ns(in.started.ns);
  if (in.capture_time) out.set_capture_time_ns(in.capture_time->ns);
  out.set_capturing(in.capturing);
  out.set_replay(in.replay);
  out.set_replay_progress(in.replay_progress);
  out.set_replay_cut(in.replay_cut);
  out.set_continued(in.continued);
  out.set_not_continued(in.not_continued);
  out.set_checkpoint_refused(in.resume_refused);
  if (in.configuration) put(*in.configuration, *out.mutable_configuration());
  if (in.clock.is_known) put(in.clock, *out.mutable_clock());
  out.set_centre(in.is_centre);
  for (const live::SensorView& view : in.sensors) put(view, *out.add_sensors());
  for (const live::InterfaceView& view : in.interfaces) put(view, *out.add_interfaces());
  for (const live::LimitView& view : in.limits) {
    v1::Limit& limit = *out.add_limits();
    limit.set_table(view.table);
    limit.set_entries(view.entries);
    limit.set_limit(view.limit);
    limit.set_evicted(view.evicted);
    limit.set_each(view.each);
  }
  for (const live::OutputView& view : in.outputs) put(view, *out.add_outputs());
  put(in.totals, *out.mutable_totals());
  put(in.read_latency, *out.mutable_read_latency());
  put(in.atomic_latency, *out.mutable_atomic_latency());
  put(in.handshake, *out.mutable_handshake());
  out.set_analysis_lag_seconds(in.analysis_lag_seconds);
  v1::Effort& effort = *out.mutable_effort();
  effort.set_rounds(in.effort.rounds);
  effort.set_parts(in.effort.parts);
  effort.set_units(in.effort.units);
  effort.set_longest_part(in.effort.longest_part);
  effort.set_longest_round(in.effort.longest_round);
  out.mutable_throughput()->set_first_time_ns(in.throughput.first.ns);
  out.mutable_throughput()->set_bucket_ns(in.throughput.width_ns);
  out.mutable_throughput()->mutable_octets()->Assign(in.throughput.octets.begin(), in.throughput.octets.end());
}

void to_v1(const live::HostRow& in, v1::HostRow& out) {
  out.set_host(in.host.text());
  if (in.peer) out.set_peer(in.peer->text());
  out.set_qps(in.qps);
  out.set_active(in.active);
  out.set_failed(in.failed);
  out.set_errors(in.errors);
  out.set_warnings(in.warnings);
  out.set_notes(in.notes);
  out.set_payload_octets(in.payload_octets);
  out.set_tap_group(report::to_utf8(in.tap_group));
}

std::string to_v1(const live::HostKey& in, bool pairs) {
  std::string text = in.host.text();
  if (pairs) text += " " + in.peer.text();
  if (in.tap_group != 0) text += "@" + std::to_string(in.tap_group);
  return text;
}

void to_v1(const live::Recording& in, v1::Recording& out) {
  out.set_file(report::to_utf8(in.file));
  out.set_qp(in.qp);
  out.set_reason(report::to_utf8(in.reason));
  out.set_started_time_ns(in.started.ns);
  out.set_frames(in.frames);
  out.set_octets(in.octets);
  out.set_complete(in.complete);
}

void to_v1(const live::Event& event, Detail detail, v1::Event& out) {
  struct Visitor {
    Detail detail;
    v1::Event& out;
    void operator()(const live::QpOpened& h) const { to_v1(*h.qp, detail, *out.mutable_qp_opened()); }
    void operator()(const live::QpChanged& h) const { to_v1(*h.qp, detail, *out.mutable_qp_changed()); }
    void operator()(const live::QpEnded& h) const { to_v1(*h.qp, detail, *out.mutable_qp_ended()); }
    void operator()(const live::MessageReported& h) const { to_v1(*h.message, *out.mutable_message()); }
    void operator()(const live::FindingReported& h) const { to_v1(*h.finding, *out.mutable_finding()); }
  };
  std::visit(Visitor{detail, out}, event);
}

void to_v1(const live::SiteConnection& in, v1::JoinedConnection& out) {
  for (const live::SiteConnection::View& view : in.views) {
    v1::JoinedConnection::View& put = *out.add_views();
    put.set_sensor(report::to_utf8(view.sensor));
    put.set_tap(report::to_utf8(view.tap));
    put.set_qp(view.qp);
  }
  out.set_basis(in.basis);
  for (const std::string& sentence : in.sentences) out.add_sentences(report::to_utf8(sentence));
  if (in.clock_bound_ns) out.set_clock_bound_ns(*in.clock_bound_ns);
  out.set_has_place(in.has_place);
  out.set_json(report::to_utf8(in.json));
  out.set_last_time_ns(in.last.ns);
}

void to_v1(const live::SiteView& view, v1::Site& out) {
  for (const live::SiteConnection& connection : view.connections) to_v1(connection, *out.add_connections());
  out.set_first_time_ns(view.first.ns);
  out.set_bucket_ns(view.bucket_ns);
  for (const live::SitePair& in : view.pairs) {
    v1::SitePair& pair = *out.add_pairs();
    pair.set_a(in.a.text());
    pair.set_b(in.b.text());
    pair.set_qps(in.qps);
    pair.set_failed(in.failed);
    pair.set_days(in.days);
    pair.mutable_failed_by_bucket()->Add(in.by_bucket.begin(), in.by_bucket.end());
    for (const std::string& sensor : in.sensors) pair.add_sensors(report::to_utf8(sensor));
    pair.set_rule(report::to_utf8(in.rule));
    pair.set_last_time_ns(in.last.ns);
  }
  for (const live::SiteNews& in : view.news) {
    v1::SiteNews& news = *out.add_news();
    news.set_rule(report::to_utf8(in.rule));
    news.set_severity(enum_to_v1(in.severity));
    news.set_count(in.count);
    news.set_first_time_ns(in.first.ns);
    for (const std::string& sensor : in.sensors) news.add_sensors(report::to_utf8(sensor));
    if (!in.ends) continue;
    news.set_a(in.ends->first.text());
    news.set_b(in.ends->second.text());
  }
}

}  // namespace iwarpscope::api
