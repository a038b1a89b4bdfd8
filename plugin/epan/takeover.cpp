// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "epan/takeover.h"

#include <epan/dissectors/packet-tcp.h>

#include <absl/container/flat_hash_map.h>

#include <algorithm>
#include <cstring>

#include "epan/capture.h"
#include "epan/preferences.h"
#include "mpa/startup_frame_view.h"
#include "sctp/chunk.h"

namespace iwarpscope::plugin {
namespace {

dissector_handle_t payload_handle;  // for connections that are known to be queue pairs
dissector_handle_t chunk_handle;
dissector_handle_t shim_handle;
int payload_protocol = -1;
std::uint32_t claimed = 0;  // the frame whose payload was taken last

/// Ports that the shim handles first, and their previous dissectors. Null: none.
absl::flat_hash_map<std::uint32_t, dissector_handle_t>& former_owners() {
  static absl::flat_hash_map<std::uint32_t, dissector_handle_t> owners;
  return owners;
}

bool is_queue_pair(packet_info* pinfo) {
  const Session* const session = session_at(pinfo);
  return session != nullptr && session->queue_pair_of(pinfo->num) != nullptr;
}

/// The payload belongs to a queue pair. Its tree is built when the whole frame was dissected; no other dissector gets
/// it.
int claim(tvbuff_t* tvb, packet_info* pinfo) {
  claimed = pinfo->num;
  col_set_str(pinfo->cinfo, COL_PROTOCOL, "iWARP");
  if (preferences().info_column) col_clear(pinfo->cinfo, COL_INFO);
  return static_cast<int>(tvb_captured_length(tvb));
}

/// An MPA Request or Reply begins here, but may be complete only after later TCP segments: checks the key, or a part of
/// it that is long enough to exclude chance.
bool begins_startup(tvbuff_t* tvb) {
  constexpr std::size_t kLeast = 12;
  const std::size_t have = std::min<std::size_t>(tvb_captured_length(tvb), mpa::kKeyOctets);
  if (have < kLeast) return false;
  const void* const octets = tvb_get_ptr(tvb, 0, static_cast<int>(have));
  return std::memcmp(octets, mpa::kRequestKey.data(), have) == 0 ||
         std::memcmp(octets, mpa::kReplyKey.data(), have) == 0;
}

/// No other dissector must get the payload.
bool is_ours(tvbuff_t* tvb, packet_info* pinfo) {
  if (is_queue_pair(pinfo)) return true;
  const Session* const session = current_session();
  return session != nullptr && begins_startup(tvb) && session->is_followed(pinfo->num);
}

/// For connections taken before, and for ports that the user assigned to iWARP.
int dissect_payload(tvbuff_t* tvb, packet_info* pinfo, proto_tree*, void*) {
  return is_ours(tvb, pinfo) ? claim(tvb, pinfo) : 0;
}

/// User data of DATA chunks, from Wireshark's SCTP dissector; the session has already seen the chunks.
int dissect_chunk(tvbuff_t* tvb, packet_info* pinfo, proto_tree*, void*) {
  const Session* const session = session_at(pinfo);
  return session != nullptr && session->carries_ddp(pinfo->num) ? claim(tvb, pinfo) : 0;
}

Claim dissect_heuristic(tvbuff_t* tvb, packet_info* pinfo, proto_tree*, void*) {
  if (is_left_to_owner(pinfo) || !is_ours(tvb, pinfo)) return false;
  take_connection(pinfo, pinfo->num);
  claim(tvb, pinfo);
  return true;
}

int dissect_shim(tvbuff_t* tvb, packet_info* pinfo, proto_tree* tree, void* data) {
  if (proto_is_protocol_enabled(find_protocol_by_id(payload_protocol)) && is_ours(tvb, pinfo)) {
    take_connection(pinfo, pinfo->num);
    return claim(tvb, pinfo);
  }
  const auto owner = former_owners().find(pinfo->match_uint);
  if (owner == former_owners().end() || owner->second == nullptr) return 0;
  pinfo->can_desegment =
      pinfo->saved_can_desegment;  // the call adds one level, and this dissector has added one already
  return call_dissector_only(owner->second, tvb, pinfo, tree, data);
}

void take_shim_away() {
  for (const auto& [port, owner] : former_owners()) {
    if (dissector_get_uint_handle(find_dissector_table("tcp.port"), port) != shim_handle) continue;
    if (owner != nullptr) {
      dissector_add_uint("tcp.port", port, owner);
    } else {
      dissector_delete_uint("tcp.port", port, shim_handle);
    }
  }
  former_owners().clear();
}

}  // namespace

void register_takeover(int id) {
  payload_protocol = id;
  // Named as the protocol is: Wireshark looks by that name for what takes the ports of the preference tcp.port.
  payload_handle = register_dissector("iwarp", dissect_payload, payload_protocol);
  chunk_handle =
      register_dissector_with_description("iwarp_sctp", "iWARP (RDMA over SCTP)", dissect_chunk, payload_protocol);
}

void hand_off_takeover() {
  heur_dissector_add("tcp", dissect_heuristic, "iWARP over TCP", "iwarp_tcp", payload_protocol, HEURISTIC_ENABLE);
  dissector_add_for_decode_as_with_preference("tcp.port", payload_handle);
  for (const std::uint32_t ppid : {sctp::kSegmentPpid, sctp::kControlPpid}) {
    dissector_add_uint("sctp.ppi", ppid, chunk_handle);
  }
  // Without a protocol: if iWARP is disabled, the previous owner must still be called.
  shim_handle =
      create_dissector_handle_with_name_and_description(dissect_shim, -1, "iwarp_shim", "iWARP or the port's owner");
}

bool is_left_to_owner(const packet_info* pinfo) {
  const Preferences& p = preferences();
  // When the frame is dissected, the built-in dissectors have already assigned the TCP ports to MPA.
  if (pinfo->ptype != PT_TCP && pinfo->ptype != PT_IWARP_MPA) return false;
  if (p.port_shim || p.shim_ports == nullptr) return false;
  return value_is_in_range(p.shim_ports, pinfo->srcport) || value_is_in_range(p.shim_ports, pinfo->destport);
}

bool is_claimed(const packet_info* pinfo) noexcept {
  return claimed == pinfo->num;
}

void take_connection(packet_info* pinfo, std::uint32_t first) {
  conversation_t* const conversation = find_or_create_conversation(pinfo);
  if (conversation != nullptr) conversation_set_dissector_from_frame_number(conversation, first, payload_handle);
}

void apply_port_shim() {
  take_shim_away();
  const Preferences& p = preferences();
  if (!p.port_shim || p.shim_ports == nullptr) return;
  for (unsigned i = 0; i < p.shim_ports->nranges; ++i) {
    for (std::uint32_t port = p.shim_ports->ranges[i].low; port <= p.shim_ports->ranges[i].high; ++port) {
      former_owners()[port] = dissector_get_uint_handle(find_dissector_table("tcp.port"), port);
      // Not dissector_change_uint(): "Decode As" would list it as a choice of the user, and save it.
      dissector_add_uint("tcp.port", port, shim_handle);
    }
  }
}

}  // namespace iwarpscope::plugin
