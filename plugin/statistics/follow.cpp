// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// -z follow,iwarp,<mode>,<queue pair>: the upper layer's octets of both directions, in the order of their delivery.
#include <cstdio>
#include <cstring>

#include "epan/capture.h"
#include "statistics/payload.h"
#include "statistics/registrations.h"

// After Wireshark's own types.
#include <epan/addr_resolv.h>
#include <epan/follow.h>
#include <epan/to_str.h>

namespace iwarpscope::plugin {
namespace {

/// Length 0: nothing is added.
void add(follow_info_t* follow, const packet_info* pinfo, Direction direction, Octets octets) {
  if (octets.empty()) return;
  auto* const record = g_new0(follow_record_t, 1);
  record->is_server = direction == Direction::b_to_a;
  record->packet_num = pinfo->num;
  record->abs_ts = pinfo->abs_ts;
  record->data =
      g_byte_array_append(g_byte_array_sized_new(static_cast<unsigned>(octets.size())),
                          reinterpret_cast<const std::uint8_t*>(octets.data()), static_cast<unsigned>(octets.size()));
  follow->bytes_written[index(direction)] += static_cast<unsigned>(octets.size());
  follow->payload = g_list_prepend(follow->payload, record);
}

/// Marks the position of unknown octets, as Wireshark does when it follows TCP.
void add_missing(follow_info_t* follow, const packet_info* pinfo, Direction direction, const char* why) {
  char text[128];
  std::snprintf(text, sizeof text, "[%s]", why);
  add(follow, pinfo, direction, {reinterpret_cast<const std::byte*>(text), std::strlen(text)});
}

/// The queue pair that the user chose last; sessions of one association have the same ends, and may share a packet.
std::uint64_t chosen_qp = 0;

/// Whether it is the chosen one of the sessions of one association. tshark keeps the filter from filter_of_index().
bool is_session(const follow_info_t* follow, const Connection& connection) {
  unsigned qp = static_cast<unsigned>(chosen_qp);
  if (follow->filter_out_filter != nullptr) std::sscanf(follow->filter_out_filter, "iwarp.qp == %u", &qp);
  return connection.qp == qp;
}

/// The first queue pair is followed. Returns whether this is it, as far as its ends are known.
bool begin(follow_info_t* follow, const Connection& connection) {
  if (connection.over_sctp && !is_session(follow, connection)) return false;
  const address a = address_of(connection.a.address), b = address_of(connection.b.address);
  if (follow->client_ip.len != 0) {
    return follow->client_port == connection.a.port && follow->server_port == connection.b.port &&
           addresses_equal(&follow->client_ip, &a) && addresses_equal(&follow->server_ip, &b);
  }
  copy_address(&follow->client_ip, &a);
  copy_address(&follow->server_ip, &b);
  follow->client_port = connection.a.port;
  follow->server_port = connection.b.port;
  return true;
}

/// Adds a complete message, after it has ended.
void add_whole(follow_info_t* follow, packet_info* pinfo, const Tapped& tapped, Octets segment) {
  const MessageEntry& message = *tapped.message;
  const Direction d = tapped.item.direction;
  if (message.ddp_segments == 1 && message.complete) {
    if (segment.size() < message.length) add_missing(follow, pinfo, d, "the rest of these octets was not captured");
    add(follow, pinfo, d, segment);
  } else if (message.octets.size != 0) {
    add(follow, pinfo, d, message.octets.view());
  } else if (message.complete) {
    add_missing(follow, pinfo, d, "a Send with octets that were not captured or not kept");
  } else {
    add_missing(follow, pinfo, d, "a Send with octets missing in the capture");
  }
}

tap_packet_status follow_packet(void* data, packet_info* pinfo, epan_dissect_t* edt, const void* tap, tap_flags_t) {
  auto* const follow = static_cast<follow_info_t*>(data);
  const Tapped& tapped = *static_cast<const Tapped*>(tap);
  if (tapped.item.kind != Item::Kind::fpdu || tapped.message == nullptr) return TAP_PACKET_DONT_REDRAW;
  if (!begin(follow, *tapped.connection) || payload_octets(tapped) == 0) return TAP_PACKET_DONT_REDRAW;
  const Octets segment = payload(tapped, edt);
  if (!tapped.message->tagged) {
    if (tapped.fpdu->ends_message) add_whole(follow, pinfo, tapped, segment);
  } else if (segment.empty()) {
    add_missing(follow, pinfo, tapped.item.direction, "a DDP segment with octets that were not captured or not kept");
  } else {
    add(follow, pinfo, tapped.item.direction, segment);
  }
  return TAP_PACKET_DONT_REDRAW;
}

char* filter_of_frame(epan_dissect_t*, packet_info* pinfo, unsigned* stream, unsigned* sub_stream) {
  const Session* const session = current_session();
  const Connection* const connection = session != nullptr ? session->queue_pair_of(pinfo->num) : nullptr;
  if (connection == nullptr || !connection->qp) return nullptr;
  chosen_qp = *connection->qp;
  *stream = static_cast<unsigned>(chosen_qp);
  *sub_stream = 0;
  return g_strdup_printf("iwarp.qp == %u", *stream);
}

char* filter_of_index(unsigned stream, unsigned) {
  chosen_qp = stream;
  return g_strdup_printf("iwarp.qp == %u", stream);
}

char* filter_of_ends(address* source, address* destination, int source_port, int destination_port) {
  const char* const ip = source->type == AT_IPv6 ? "ipv6" : "ip";
  char* const a = address_to_str(nullptr, source);
  char* const b = address_to_str(nullptr, destination);
  char* const filter = g_strdup_printf(
      "iwarp and ((%s.src == %s and %s.dst == %s and ((tcp.srcport == %d and tcp.dstport == %d) or "
      "(sctp.srcport == %d and sctp.dstport == %d))) or (%s.src == %s and %s.dst == %s and "
      "((tcp.srcport == %d and tcp.dstport == %d) or (sctp.srcport == %d and sctp.dstport == %d))))",
      ip, a, ip, b, source_port, destination_port, source_port, destination_port, ip, b, ip, a, destination_port,
      source_port, destination_port, source_port);
  wmem_free(nullptr, a);
  wmem_free(nullptr, b);
  return filter;
}

/// Used from 4.4 on.
[[maybe_unused]] std::uint32_t count() {
  const Session* const session = current_session();
  return session != nullptr ? static_cast<std::uint32_t>(session->queue_pairs()) : 0;
}

/// 4.4 added the number of streams, and sub-streams, which queue pairs do not have.
template <class Register>
void register_with(Register* function, int protocol) {
  if constexpr (std::is_invocable_v<Register*, int, const char*, follow_conv_filter_func, follow_index_filter_func,
                                    follow_address_filter_func, follow_port_to_display_func, tap_packet_cb>) {
    function(protocol, "iwarp", &filter_of_frame, &filter_of_index, &filter_of_ends, &tcp_port_to_display,
             &each<&follow_packet>);
  } else {
    function(protocol, "iwarp", &filter_of_frame, &filter_of_index, &filter_of_ends, &tcp_port_to_display,
             &each<&follow_packet>, &count, nullptr);
  }
}

}  // namespace

void register_follow(int protocol) {
  register_with(&register_follow_stream, protocol);
}

}  // namespace iwarpscope::plugin
