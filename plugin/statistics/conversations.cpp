// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// -z conv,iwarp and -z endpoints,iwarp: octets of the upper layer between the ends of each queue pair.
#include <fmt/format.h>

#include "report/human.h"
#include "statistics/command_line.h"
#include "statistics/payload.h"
#include "statistics/qp_cells.h"
#include "statistics/registrations.h"
#include "statistics/text_table.h"

// After Wireshark's own types.
#include <epan/conversation_table.h>
#include <epan/dissectors/packet-tcp.h>

namespace iwarpscope::plugin {
namespace {

const char* field(const address& end, const char* v4, const char* v6) noexcept {
  return end.type == AT_IPv6 ? v6 : v4;
}

/// By the ports of TCP or of SCTP.
template <bool sctp>
const char* filter_field(const address& source, const address& destination, conv_filter_type_e type) noexcept {
  switch (type) {
    case CONV_FT_SRC_ADDRESS: return field(source, "ip.src", "ipv6.src");
    case CONV_FT_DST_ADDRESS: return field(destination, "ip.dst", "ipv6.dst");
    case CONV_FT_ANY_ADDRESS: return field(source, "ip.addr", "ipv6.addr");
    case CONV_FT_SRC_PORT: return sctp ? "sctp.srcport" : "tcp.srcport";
    case CONV_FT_DST_PORT: return sctp ? "sctp.dstport" : "tcp.dstport";
    case CONV_FT_ANY_PORT: return sctp ? "sctp.port" : "tcp.port";
  }
  return CONV_FILTER_INVALID;
}

template <bool sctp>
const char* conversation_field(conv_item_t* item, conv_filter_type_e type) {
  return filter_field<sctp>(item->src_address, item->dst_address, type);
}
template <bool sctp>
const char* endpoint_field(endpoint_item_t* item, conv_filter_type_e type) {
  return filter_field<sctp>(item->myaddress, item->myaddress, type);
}

/// Wireshark's number for the packet's TCP connection: it distinguishes rows and is used in their filters.
conv_id_t tcp_stream(packet_info* pinfo) {
  conversation_t* const tcp = find_conversation_pinfo(pinfo, 0);
  const struct tcp_analysis* const known = tcp != nullptr ? get_tcp_conversation_data(tcp, pinfo) : nullptr;
  return known != nullptr ? known->stream : CONV_ID_UNSET;
}

tap_packet_status conversation(void* data, packet_info* pinfo, epan_dissect_t*, const void* tap, tap_flags_t flags) {
  auto* const table = static_cast<conv_hash_t*>(data);
  table->flags = flags;
  const Tapped& tapped = *static_cast<const Tapped*>(tap);
  if (tapped.connection == nullptr || !tapped.connection->qp) return TAP_PACKET_DONT_REDRAW;
  static ct_dissector_info_t of_tcp{&conversation_field<false>}, of_sctp{&conversation_field<true>};
  const bool sctp = tapped.connection->over_sctp.has_value();
  const net::Endpoint& from = tapped.connection->sender(tapped.item.direction);
  const net::Endpoint& to = tapped.connection->receiver(tapped.item.direction);
  const address source = address_of(from.address), destination = address_of(to.address);
  add_conversation_table_data_with_conv_id(
      table, &source, &destination, from.port, to.port, sctp ? CONV_ID_UNSET : tcp_stream(pinfo),
      is_first_in_packet(tapped, pinfo) ? 1 : 0, static_cast<int>(payload_octets(tapped)), &pinfo->rel_ts,
      &pinfo->abs_ts, sctp ? &of_sctp : &of_tcp, sctp ? CONVERSATION_SCTP : CONVERSATION_TCP);
  return TAP_PACKET_REDRAW;
}

tap_packet_status endpoint(void* data, packet_info* pinfo, epan_dissect_t*, const void* tap, tap_flags_t flags) {
  auto* const table = static_cast<conv_hash_t*>(data);
  table->flags = flags;
  const Tapped& tapped = *static_cast<const Tapped*>(tap);
  if (tapped.connection == nullptr || !tapped.connection->qp) return TAP_PACKET_DONT_REDRAW;
  static et_dissector_info_t of_tcp{&endpoint_field<false>}, of_sctp{&endpoint_field<true>};
  const bool sctp = tapped.connection->over_sctp.has_value();
  const net::Endpoint& from = tapped.connection->sender(tapped.item.direction);
  const net::Endpoint& to = tapped.connection->receiver(tapped.item.direction);
  const address source = address_of(from.address), destination = address_of(to.address);
  const int frames = is_first_in_packet(tapped, pinfo) ? 1 : 0;
  add_endpoint_table_data(table, &source, from.port, true, frames, static_cast<int>(payload_octets(tapped)),
                          sctp ? &of_sctp : &of_tcp, sctp ? ENDPOINT_SCTP : ENDPOINT_TCP);
  add_endpoint_table_data(table, &destination, to.port, false, frames, static_cast<int>(payload_octets(tapped)),
                          sctp ? &of_sctp : &of_tcp, sctp ? ENDPOINT_SCTP : ENDPOINT_TCP);
  return TAP_PACKET_REDRAW;
}

// tshark's own lines would have no ports, and so would not distinguish queue pairs of the same hosts.

std::string conversations_text(const Session& session, const Selection& selection) {
  static constexpr std::array<Column, 11> kColumns{{{"QP", true},
                                                    {"A"},
                                                    {"B"},
                                                    {"A>B packets", true},
                                                    {"A>B octets", true},
                                                    {"B>A packets", true},
                                                    {"B>A octets", true},
                                                    {"Packets", true},
                                                    {"Octets", true},
                                                    {"Start, s", true},
                                                    {"Duration, s", true}}};
  std::vector<std::vector<std::string>> rows;
  for (const auto& [qp, t] : selection.traffic) {
    const Connection* const connection = session.queue_pair(qp);
    if (connection == nullptr) continue;
    rows.push_back({fmt::format("{}", qp), connection->a.text(), connection->b.text() + stream_mark(*connection),
                    fmt::format("{}", t.packets[0]), fmt::format("{}", t.octets[0]), fmt::format("{}", t.packets[1]),
                    fmt::format("{}", t.octets[1]), fmt::format("{}", t.packets[0] + t.packets[1]),
                    fmt::format("{}", t.octets[0] + t.octets[1]), fmt::format("{:.9f}", t.first),
                    fmt::format("{:.6f}", t.last - t.first)});
  }
  std::string out = "\niWARP conversations\n\n";
  if (rows.empty()) return out + "None.\n";
  return out + text_table(kColumns, rows) +
         "\nPackets: those with FPDUs or startup frames. Octets: of the upper layer.\n";
}

std::string endpoints_text(const Session& session, const Selection& selection) {
  static constexpr std::array<Column, 8> kColumns{{{"Address"},
                                                   {"QPs", true},
                                                   {"Packets", true},
                                                   {"Octets", true},
                                                   {"Tx packets", true},
                                                   {"Tx octets", true},
                                                   {"Rx packets", true},
                                                   {"Rx octets", true}}};
  struct Sums {
    std::uint64_t qps = 0, sent_packets = 0, sent = 0, received_packets = 0, received = 0;
  };
  std::map<net::Endpoint, Sums> ends;
  for (const auto& [qp, t] : selection.traffic) {
    const Connection* const connection = session.queue_pair(qp);
    if (connection == nullptr) continue;
    for (const Direction d : {Direction::a_to_b, Direction::b_to_a}) {
      Sums& s = ends[connection->sender(d)];
      ++s.qps;
      s.sent_packets += t.packets[index(d)];
      s.sent += t.octets[index(d)];
      s.received_packets += t.packets[index(opposite(d))];
      s.received += t.octets[index(opposite(d))];
    }
  }
  std::vector<std::vector<std::string>> rows;
  rows.reserve(ends.size());
  for (const auto& [end, s] : ends) {
    rows.push_back({end.text(), fmt::format("{}", s.qps), fmt::format("{}", s.sent_packets + s.received_packets),
                    fmt::format("{}", s.sent + s.received), fmt::format("{}", s.sent_packets),
                    fmt::format("{}", s.sent), fmt::format("{}", s.received_packets), fmt::format("{}", s.received)});
  }
  std::string out = "\niWARP endpoints\n\n";
  if (rows.empty()) return out + "None.\n";
  return out + text_table(kColumns, rows);
}

}  // namespace

void register_conversations(int protocol) {
  static const WrittenStatistic conversations{"conv,iwarp", true, &conversations_text};
  static const WrittenStatistic endpoints{"endpoints,iwarp", true, &endpoints_text};
  if (is_tshark()) {
    register_written(conversations);
    register_written(endpoints);
  } else {
    register_conversation_table(protocol, false, &each<&conversation>, &each<&endpoint>);
  }
}

}  // namespace iwarpscope::plugin
