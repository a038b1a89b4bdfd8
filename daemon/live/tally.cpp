// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "live/tally.h"

namespace iwarpscope::live {
namespace {

Traffic traffic_of(const qp::QpRecord& record) noexcept {
  Traffic t;
  for (const qp::DirectionRecord& d : record.directions) {
    t.tcp_segments += d.tcp_segments;
    t.stream_octets += d.stream_octets;
    t.retransmitted_octets += d.retransmitted_octets;
    t.gap_octets += d.capture_gap_octets;
    t.gap_messages += d.capture_gap_messages;
    t.retransmitted_segments += d.retransmitted_segments;
    t.fpdus += d.fpdus;
    t.fpdu_octets += d.fpdu_octets;
    t.crc_ok += d.crc_ok;
    t.crc_bad += d.crc_bad;
    t.crc_unjudged += d.crc_unjudged;
    for (const std::uint64_t octets : d.payload_octets) t.payload_octets += octets;
  }
  return t;
}

/// Counts of a queue pair only grow; should one not, nothing is added.
std::uint64_t growth(std::uint64_t before, std::uint64_t now) noexcept {
  return now > before ? now - before : 0;
}

/// One that was counted as `was` counts as `is` from now on.
void move_count(std::map<std::string_view, std::uint64_t>& counts, std::optional<std::string_view>& was,
                std::optional<std::string_view> is) {
  if (was == is) return;
  if (was) --counts[*was];
  if (is) ++counts[*is];
  was = is;
}

}  // namespace

void Tally::message(const qp::MessageRecord& record) {
  ++totals_.operations[static_cast<std::size_t>(record.opcode)];
  if (rdmap::traits(record.opcode).has_payload) {
    totals_.payload_octets[static_cast<std::size_t>(record.opcode)] += record.length;
  }
  if (const auto* t = std::get_if<qp::TerminateDetail>(&record.detail)) {
    ++totals_.terminates[{t->layer, t->error_code}];
  }
  latency(record);
}

void Tally::latency(const qp::MessageRecord& record) {
  if (const auto* read = std::get_if<qp::ReadRequestDetail>(&record.detail)) {
    if (read->response) reads_.add(read->response->last_octet_ns);
  } else if (const auto* atomic = std::get_if<qp::AtomicRequestDetail>(&record.detail)) {
    if (atomic->response) atomics_.add(atomic->response->last_octet_ns);
  }
}

void Tally::traffic(Book::Page& page, const qp::QpRecord& record) {
  const Traffic before = page.traffic;
  const Traffic now = traffic_of(record);
  totals_.tcp_segments += growth(before.tcp_segments, now.tcp_segments);
  totals_.stream_octets += growth(before.stream_octets, now.stream_octets);
  totals_.retransmitted_octets += growth(before.retransmitted_octets, now.retransmitted_octets);
  totals_.losses.gap_octets += growth(before.gap_octets, now.gap_octets);
  totals_.losses.gap_messages += growth(before.gap_messages, now.gap_messages);
  totals_.retransmitted_segments += growth(before.retransmitted_segments, now.retransmitted_segments);
  totals_.fpdus += growth(before.fpdus, now.fpdus);
  totals_.fpdu_octets += growth(before.fpdu_octets, now.fpdu_octets);
  totals_.crc_checked += growth(before.crc_ok + before.crc_bad, now.crc_ok + now.crc_bad);
  totals_.crc_errors += growth(before.crc_bad, now.crc_bad);
  totals_.crc_unjudged += growth(before.crc_unjudged, now.crc_unjudged);
  page.traffic = now;
  page.ends = {record.a, record.b};
  if (!page.handshake_counted && record.startup && record.startup->request && record.startup->reply) {
    page.handshake_counted = true;
    handshakes_.add(elapsed_ns(record.startup->request->time, record.startup->reply->time));
  }
}

void Tally::looked(Book::Page& page, const qp::QpRecord& record) {
  traffic(page, record);
  move_count(totals_.qps_by_state, page.state, qp::name(record.state));
  std::optional<std::string_view> outcome;
  if (record.verdict) outcome = name(record.verdict->outcome);
  move_count(totals_.qps_by_outcome, page.outcome, outcome);
}

void Tally::ended(Book::Page& page, const qp::QpRecord& record) {
  traffic(page, record);
  move_count(totals_.qps_by_state, page.state, std::nullopt);
  move_count(totals_.qps_by_outcome, page.outcome, std::nullopt);
  const qp::Outcome outcome = record.verdict ? record.verdict->outcome : qp::Outcome::unknown;
  ++totals_.qps_closed[name(outcome)];
  page.failed = qp::ended_badly(outcome);
  const bool started = record.directions[0].fpdus + record.directions[1].fpdus != 0;
  if (page.failed && !started) ++totals_.handshake_failures[name(outcome)];
}

}  // namespace iwarpscope::live
