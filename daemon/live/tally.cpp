// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "live/tally.h"

namespace iwarpscope::live {
namespace {

Traffic traffic_of(const qp::QpRecord& record) noexcept {
  Traffic t;
  for (const qp::DirectionRecord& d : record.directions) {
    t.counters.add(d);
    for (const std::uint64_t octets : d.payload_octets) t.payload_octets += octets;
  }
  return t;
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

void Tally::traffic(RecentRecords::QpEntry& entry, const qp::QpRecord& record) {
  const Traffic now = traffic_of(record);
  totals_.traffic.add_growth(entry.traffic.counters, now.counters);
  totals_.losses.gap_octets = totals_.traffic[&qp::DirectionRecord::capture_gap_octets];
  totals_.losses.gap_messages = totals_.traffic[&qp::DirectionRecord::capture_gap_messages];
  entry.traffic = now;
  entry.ends = {record.a, record.b};
  entry.tap_group = record.tap_group;
  if (!entry.handshake_counted && record.startup && record.startup->request && record.startup->reply) {
    entry.handshake_counted = true;
    handshakes_.add(elapsed_ns(record.startup->request->time, record.startup->reply->time));
  }
}

void Tally::continued(RecentRecords::QpEntry& entry, const qp::QpRecord& record) {
  entry.continued = true;
  entry.traffic = traffic_of(record);
  entry.handshake_counted = record.startup && record.startup->request && record.startup->reply;
}

void Tally::update(RecentRecords::QpEntry& entry, const qp::QpRecord& record) {
  traffic(entry, record);
  move_count(totals_.qps_by_state, entry.state, qp::name(record.state));
  std::optional<std::string_view> outcome;
  if (record.verdict) outcome = name(record.verdict->outcome);
  move_count(totals_.qps_by_outcome, entry.outcome, outcome);
}

void Tally::ended(RecentRecords::QpEntry& entry, const qp::QpRecord& record) {
  traffic(entry, record);
  move_count(totals_.qps_by_state, entry.state, std::nullopt);
  move_count(totals_.qps_by_outcome, entry.outcome, std::nullopt);
  const qp::Outcome outcome = record.verdict ? record.verdict->outcome : qp::Outcome::unknown;
  ++totals_.qps_closed[name(outcome)];
  entry.failed = qp::ended_badly(outcome);
  const bool started = record.directions[0].fpdus + record.directions[1].fpdus != 0;
  if (entry.failed && !started) ++totals_.handshake_failures[name(outcome)];
}

}  // namespace iwarpscope::live
