// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// -z iwarp,srt: from a request's last octet to its response's last octet, as seen at the tap.
#include <cstdio>

#include "epan/taps.h"
#include "statistics/registrations.h"

// After Wireshark's own types.
#include <epan/srt_table.h>

namespace iwarpscope::plugin {
namespace {

enum Table : unsigned { kAll, kReads, kAtomics, kTables };
enum Row : int { kReadRow, kAtomicRow, kRequestRows };

void init_response_tables(register_srt*, GArray* tables) {
  srt_stat_table* const all =
      init_srt_table("iWARP requests", "Requests", tables, kRequestRows, "Request", nullptr, nullptr);
  init_srt_table_row(all, kReadRow, "RDMA Read");
  init_srt_table_row(all, kAtomicRow, "Atomic");
  init_srt_table("iWARP RDMA Reads by queue pair", "Reads by QP", tables, 0, "Reads of queue pair", "iwarp.qp",
                 nullptr);
  init_srt_table("iWARP atomic operations by queue pair", "Atomics by QP", tables, 0, "Atomics of queue pair",
                 "iwarp.qp", nullptr);
}

/// Adds to the row of the queue pair; creates the row if necessary.
void add_by_qp(srt_stat_table* table, int qp, const nstime_t* requested, packet_info* pinfo) {
  if (qp >= table->num_procs || table->procedures[qp].procedure == nullptr) {
    char name[32];
    std::snprintf(name, sizeof name, "QP %d", qp);
    init_srt_table_row(table, qp, name);
  }
  add_srt_table_data(table, qp, requested, pinfo);
}

srt_stat_table* table_at(void* data, Table table) noexcept {
  return g_array_index(static_cast<srt_data_t*>(data)->srt_array, srt_stat_table*, table);
}

/// The time stamp `ns` nanoseconds before `time`.
nstime_t before(const nstime_t& time, std::int64_t ns) noexcept {
  nstime_t past = time;
  past.secs -= static_cast<decltype(past.secs)>(ns / 1'000'000'000);
  past.nsecs -= static_cast<int>(ns % 1'000'000'000);
  if (past.nsecs < 0) {
    past.nsecs += 1'000'000'000;
    --past.secs;
  } else if (past.nsecs >= 1'000'000'000) {
    past.nsecs -= 1'000'000'000;
    ++past.secs;
  }
  return past;
}

tap_packet_status measure_packet(void* data, packet_info* pinfo, epan_dissect_t*, const void* tap, tap_flags_t) {
  const Tapped& tapped = *static_cast<const Tapped*>(tap);
  if (tapped.item.kind != Item::Kind::fpdu || tapped.message == nullptr || !tapped.fpdu->ends_message) {
    return TAP_PACKET_DONT_REDRAW;
  }
  const MessageEntry* const request = tapped.connection->peer(tapped.item.direction, *tapped.message);
  if (request == nullptr || !tapped.connection->qp) return TAP_PACKET_DONT_REDRAW;
  const bool read = tapped.message->opcode == rdmap::Opcode::rdma_read_response;
  if (!rdmap::is_response(tapped.message->opcode)) return TAP_PACKET_DONT_REDRAW;
  // The last octet may be in another frame; the table measures from this frame's time.
  const nstime_t requested = before(pinfo->abs_ts, request->last_octet_ns);
  add_srt_table_data(table_at(data, kAll), read ? kReadRow : kAtomicRow, &requested, pinfo);
  add_by_qp(table_at(data, read ? kReads : kAtomics), static_cast<int>(*tapped.connection->qp), &requested, pinfo);
  return TAP_PACKET_REDRAW;
}

}  // namespace

void register_response_times(int protocol) {
  register_srt_table(protocol, "iwarp", kTables, &each<&measure_packet>, &init_response_tables, nullptr);
}

}  // namespace iwarpscope::plugin
