// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// -z flow,iwarp,standard: a ladder of startup frames and RDMA messages.
#include <utility>

#include "epan/trees.h"
#include "rdmap/terminate.h"
#include "statistics/payload.h"
#include "statistics/registrations.h"
#include "statistics/sequence.h"

namespace iwarpscope::plugin {
namespace {

// The rows of opcodes are literals, each ended by a zero.
const char* short_name(rdmap::Opcode opcode) noexcept {
  return rdmap::traits(opcode).short_title.data();  // NOLINT(bugprone-suspicious-stringview-data-usage)
}

char* startup_label(packet_info* pinfo, const StartupFrameEntry& entry) {
  if (entry.control) return g_strdup(control_words(pinfo, *entry.control));
  const mpa::StartupFrame& frame = entry.frame;
  if (frame.reply_key && frame.rejected) return g_strdup("MPA Reject");
  return g_strdup(frame.reply_key ? "MPA Reply" : "MPA Request");
}

char* startup_comment(const Connection& connection, const StartupFrameEntry& entry) {
  const mpa::StartupFrame& frame = entry.frame;
  if (entry.control) {
    return g_strdup_printf("QP %" PRIu64 ": stream %u, session %u, DDP-SSN %u, %u octets of Private Data",
                           connection.qp.value_or(0), unsigned{connection.over_sctp->stream},
                           connection.over_sctp->number, unsigned{entry.control->ssn},
                           unsigned{frame.private_data_length});
  }
  return g_strdup_printf("QP %" PRIu64 ": revision %u, CRC %s, markers %s, %u octets of Private Data",
                         connection.qp.value_or(0), unsigned{frame.revision}, frame.crc ? "on" : "off",
                         frame.markers ? "on" : "off", unsigned{frame.private_data_length});
}

char* message_label(const MessageEntry& message) {
  if (!rdmap::traits(message.opcode).has_payload) return g_strdup(short_name(message.opcode));
  return g_strdup_printf("%s %" PRIu64, short_name(message.opcode), message.length);
}

char* terminate_comment(const Tapped& tapped, const TerminateEntry& t) {
  // The name is part of a table of literals, each ended by a zero.
  return g_strdup_printf("QP %" PRIu64 ": Terminate: %s", tapped.connection->qp.value_or(0),
                         rdmap::error_name(t.layer, t.error_type, t.error_code).data());
}

char* message_comment(const Tapped& tapped) {
  const MessageEntry& message = *tapped.message;
  const Half& half = tapped.connection->half(tapped.item.direction);
  if (const TerminateEntry* t = half.terminate(tapped.fpdu->message)) return terminate_comment(tapped, *t);
  // Empty for a request: its response is not known yet when frames are seen for the first time.
  char link[48] = "";
  const MessageEntry* const peer = tapped.connection->peer(tapped.item.direction, message);
  if (peer != nullptr && !message.is_request()) g_snprintf(link, sizeof link, ", request in %u", peer->last);
  return g_strdup_printf("QP %" PRIu64 ": %s, message %u, %" PRIu64 " octets%s%s", tapped.connection->qp.value_or(0),
                         rdmap::title(message.opcode).data(), tapped.fpdu->message, message.length,
                         message.complete ? "" : ", incomplete", link);
}

/// A frame can show contents of an earlier frame of the other direction.
void turn(SequenceItem* item, const Connection& connection, Direction direction) {
  const net::Endpoint& sender = connection.sender(direction);
  const address from = address_of(sender.address);
  if (item->port_src == sender.port && addresses_equal(&item->src_addr, &from)) return;
  std::swap(item->src_addr, item->dst_addr);
  std::swap(item->port_src, item->port_dst);
}

void add(packet_info* pinfo, SequenceInfo* graph, const Tapped& tapped, char* label, char* comment) {
  SequenceItem* const item = sequence_analysis_create_sai_with_addresses(pinfo, graph);
  if (item == nullptr) {
    g_free(label);
    g_free(comment);
    return;
  }
  item->frame_number = pinfo->num;
  item->port_src = static_cast<std::uint16_t>(pinfo->srcport);
  item->port_dst = static_cast<std::uint16_t>(pinfo->destport);
  turn(item, *tapped.connection, tapped.item.direction);
  item->frame_label = label;
  item->comment = comment;
  item->line_style = 1;
  item->conv_num = static_cast<std::uint16_t>(tapped.connection->qp.value_or(0));
  item->display = true;
  g_queue_push_tail(graph->items, item);
}

tap_packet_status add_to_flow(void* data, packet_info* pinfo, epan_dissect_t*, const void* tap, tap_flags_t) {
  auto* const graph = static_cast<SequenceInfo*>(data);
  const Tapped& tapped = *static_cast<const Tapped*>(tap);
  if (tapped.item.kind == Item::Kind::startup) {
    const StartupFrameEntry& entry = tapped.connection->startup[tapped.item.index];
    add(pinfo, graph, tapped, startup_label(pinfo, entry), startup_comment(*tapped.connection, entry));
  } else if (tapped.item.kind == Item::Kind::fpdu && tapped.message != nullptr && tapped.fpdu->ends_message) {
    add(pinfo, graph, tapped, message_label(*tapped.message), message_comment(tapped));
  } else {
    return TAP_PACKET_DONT_REDRAW;
  }
  return TAP_PACKET_REDRAW;
}

}  // namespace

void register_flow(int protocol) {
  register_seq_analysis("iwarp", "iWARP Flows", protocol, "iwarp", 0, &each<&add_to_flow>);
}

}  // namespace iwarpscope::plugin
