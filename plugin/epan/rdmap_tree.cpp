// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// DDP and RDMAP of one FPDU. Source: RFC 5041 §4, RFC 5040 §4, RFC 7306.
#include "ddp/header.h"
#include "epan/fields.h"
#include "epan/trees.h"
#include "rdmap/headers.h"

namespace iwarpscope::plugin {
namespace {

void show_control(tvbuff_t* tvb, int at, proto_tree* tree) {
  proto_tree* const sub = proto_item_add_subtree(add(tree, Field::ddp_control, tvb, at, 1), id_of(Subtree::control));
  for (const Field f : {Field::ddp_tagged, Field::ddp_last, Field::ddp_reserved, Field::ddp_version}) {
    add(sub, f, tvb, at, 1);
  }
}

void show_rdmap_control(tvbuff_t* tvb, int at, proto_tree* tree) {
  proto_tree* const sub = proto_item_add_subtree(add(tree, Field::rdmap_control, tvb, at, 1), id_of(Subtree::control));
  for (const Field f : {Field::rdmap_version, Field::rdmap_reserved, Field::rdmap_opcode}) add(sub, f, tvb, at, 1);
}

void show_atomic_request(tvbuff_t* tvb, int at, proto_tree* tree) {
  add(tree, Field::atomic_reserved, tvb, at, 4);
  add(tree, Field::atomic_operation, tvb, at, 4);
  add(tree, Field::atomic_request_id, tvb, at + 4, 4);
  add(tree, Field::atomic_stag, tvb, at + 8, 4);
  add(tree, Field::atomic_to, tvb, at + 12, 8);
  add(tree, Field::atomic_data, tvb, at + 20, 8);
  add(tree, Field::atomic_mask, tvb, at + 28, 8);
  const bool adds = (tvb_get_ntohl(tvb, at) & 0x0F) == static_cast<std::uint32_t>(rdmap::AOpCode::fetch_add);
  add_hidden(tree, adds ? Field::built_in_add_data : Field::built_in_swap_data, tvb, at + 20, 8);
  add_hidden(tree, adds ? Field::built_in_add_mask : Field::built_in_swap_mask, tvb, at + 28, 8);
  add(tree, Field::atomic_compare, tvb, at + 36, 8);
  add(tree, Field::atomic_compare_mask, tvb, at + 44, 8);
}

void show_atomic_response(tvbuff_t* tvb, int at, proto_tree* tree) {
  add(tree, Field::atomic_original_id, tvb, at, 4);
  add(tree, Field::atomic_original, tvb, at + 4, 8);
}

/// The kind of an FPDU, for titles and the Info column.
struct Words {
  const char* opcode;
  const char* where;   ///< "STag 0x..., TO 0x..." or "MSN 3"
  const char* length;  ///< ", 64 octets"
  const char* link;    ///< " → response in 42"
};

const char* link_words(const Showing& showing, Direction direction, const MessageEntry& message) {
  const MessageEntry* const peer = showing.connection->peer(direction, message);
  if (peer == nullptr) return "";
  return wmem_strdup_printf(showing.pinfo->pool,
                            message.is_request() ? " \u2192 response in %u" : " \u2190 request in %u", peer->last);
}

Words words_of(const Showing& showing, const Segment& segment) {
  const FpduEntry& fpdu = segment.fpdu;
  tvbuff_t* const ulpdu = segment.ulpdu;
  wmem_allocator_t* const pool = showing.pinfo->pool;
  Words w{"", "", "", ""};
  w.opcode = rdmap::title(rdmap::opcode_of(octet_at(ulpdu, 1))).data();
  w.where = segment.tagged ? wmem_strdup_printf(pool, "STag 0x%08x, TO 0x%016" PRIx64, tvb_get_ntohl(ulpdu, 2),
                                                tvb_get_ntoh64(ulpdu, 6))
                           : wmem_strdup_printf(pool, "MSN %u", tvb_get_ntohl(ulpdu, 10));
  const int payload = static_cast<int>(fpdu.ulpdu_length) - segment.header;
  const bool alone = fpdu.position == 0 && fpdu.ends_message;
  w.length = alone ? wmem_strdup_printf(pool, ", %d octets", payload)
                   : wmem_strdup_printf(pool, ", %d octets at %u%s", payload, fpdu.position,
                                        fpdu.ends_message ? ", last" : "");
  if (segment.message != nullptr) w.link = link_words(showing, segment.direction, *segment.message);
  return w;
}

/// The text on one FPDU in the Info column; `at`: of the RDMAP header.
void show_info(const Showing& showing, const MessageEntry* message, tvbuff_t* ulpdu, int at, const Words& w) {
  const rdmap::Opcode opcode = message != nullptr ? message->opcode : rdmap::Opcode::unknown;
  const int need = static_cast<int>(rdmap::header_octets(opcode));
  const bool whole = static_cast<int>(tvb_captured_length(ulpdu)) >= at + need;
  if (whole && opcode == rdmap::Opcode::rdma_read_request) {
    info(showing, "%s, %s, %u octets of STag 0x%08x%s", w.opcode, w.where, tvb_get_ntohl(ulpdu, at + 12),
         tvb_get_ntohl(ulpdu, at + 16), w.link);
  } else if (whole && opcode == rdmap::Opcode::atomic_request) {
    const auto operation = static_cast<rdmap::AOpCode>(std::min(tvb_get_ntohl(ulpdu, at) & 0x0F, 3u));
    info(showing, "%s, %s, %s at STag 0x%08x, TO 0x%016" PRIx64 "%s", w.opcode, w.where, title(operation).data(),
         tvb_get_ntohl(ulpdu, at + 8), tvb_get_ntoh64(ulpdu, at + 12), w.link);
  } else if (whole && opcode == rdmap::Opcode::atomic_response) {
    info(showing, "%s, %s, original 0x%" PRIx64 "%s%s", w.opcode, w.where, tvb_get_ntoh64(ulpdu, at + 4),
         message->verdict == AtomicVerdict::inconsistent ? " [inconsistent]" : "", w.link);
  } else {
    info(showing, "%s, %s%s%s", w.opcode, w.where, w.length, w.link);
  }
}

}  // namespace

void show_read_request(tvbuff_t* tvb, int at, proto_tree* tree) {
  add(tree, Field::read_sink_stag, tvb, at, 4);
  add(tree, Field::read_sink_to, tvb, at + 4, 8);
  add(tree, Field::read_size, tvb, at + 12, 4);
  add(tree, Field::read_source_stag, tvb, at + 16, 4);
  add(tree, Field::read_source_to, tvb, at + 20, 8);
}

void show_ddp_header(tvbuff_t* tvb, int at, int length, proto_tree* tree) {
  if (length < 2) return;
  const ddp::Control control{octet_at(tvb, at)};
  const bool tagged = control.tagged();
  if (length < static_cast<int>(ddp::header_octets(control))) return;
  show_control(tvb, at, tree);
  add(tree, Field::ddp_ulp_reserved, tvb, at + 1, tagged ? 1 : 5);
  if (tagged) {
    add(tree, Field::ddp_stag, tvb, at + 2, 4);
    add(tree, Field::ddp_to, tvb, at + 6, 8);
  } else {
    add(tree, Field::ddp_qn, tvb, at + 6, 4);
    add(tree, Field::ddp_msn, tvb, at + 10, 4);
    add(tree, Field::ddp_mo, tvb, at + 14, 4);
  }
}

namespace {

/// RDMAP header of the ULPDU, after the DDP header.
void show_rdmap_header(const Showing& showing, const Segment& segment, proto_tree* tree) {
  tvbuff_t* const ulpdu = segment.ulpdu;
  const int at = segment.header;
  const rdmap::Opcode opcode = rdmap::opcode_of(octet_at(ulpdu, 1));
  const int need = static_cast<int>(rdmap::header_octets(opcode));
  if (static_cast<int>(tvb_captured_length(ulpdu)) - at < need) return;
  switch (rdmap::kind(opcode)) {
    case rdmap::Kind::read_request: show_read_request(ulpdu, at, tree); break;
    case rdmap::Kind::atomic_request: show_atomic_request(ulpdu, at, tree); break;
    case rdmap::Kind::atomic_response: show_atomic_response(ulpdu, at, tree); break;
    case rdmap::Kind::immediate: add(tree, Field::immediate_data, ulpdu, at, need); break;
    case rdmap::Kind::terminate: show_terminate(showing, segment, tree); break;
    case rdmap::Kind::write:
    case rdmap::Kind::read_response:
    case rdmap::Kind::send:
    case rdmap::Kind::unknown: break;
  }
}

}  // namespace

void show_ulpdu(const Showing& showing, Direction direction, const FpduEntry& fpdu, tvbuff_t* ulpdu,
                proto_item* title) {
  const int captured = static_cast<int>(tvb_captured_length(ulpdu));
  if (captured < 2) return;
  const ddp::Control control{octet_at(ulpdu, 0)};
  const bool tagged = control.tagged();
  const int header = static_cast<int>(ddp::header_octets(control));
  if (captured < header) {
    info(showing, "%s, DDP header cut", showing.connection->over_sctp ? "DDP segment" : "FPDU");
    return;
  }
  const Half& half = showing.connection->half(direction);
  const MessageEntry* const message = fpdu.message != kNone ? &half.messages[fpdu.message] : nullptr;
  const Segment segment{direction, fpdu, message, ulpdu, tagged, header};
  const rdmap::Opcode opcode = rdmap::opcode_of(octet_at(ulpdu, 1));
  const bool writes = writes_info(showing);
  Words w{"", "", "", ""};
  if (writes || showing.tree != nullptr) w = words_of(showing, segment);
  if (writes && opcode != rdmap::Opcode::terminate) show_info(showing, message, ulpdu, header, w);
  if (showing.tree != nullptr) {
    proto_item_append_text(title, ", %s, %s%s%s", w.opcode, w.where, w.length, w.link);
    proto_item* const ddp_item = add(showing.tree, Field::ddp, ulpdu, 0, header);
    proto_item_append_text(ddp_item, ", %s, %s%s", tagged ? "Tagged" : "Untagged", w.where,
                           control.last() ? ", Last" : "");
    show_ddp_header(ulpdu, 0, header, proto_item_add_subtree(ddp_item, id_of(Subtree::ddp)));
    proto_item* const rdmap_item = add(showing.tree, Field::rdmap, ulpdu, 1, 1);
    proto_item_append_text(rdmap_item, ", %s%s%s", w.opcode, w.length, w.link);
    proto_tree* const tree = proto_item_add_subtree(rdmap_item, id_of(Subtree::rdmap));
    show_rdmap_control(ulpdu, 1, tree);
    if (!tagged && rdmap::traits(opcode).invalidates) {
      add(tree, Field::rdmap_invalidate_stag, ulpdu, 2, 4);
    } else if (!tagged) {
      add_hidden(tree, Field::built_in_reserved, ulpdu, 2, 4);
    }
    show_rdmap_header(showing, segment, tree);
    if (message != nullptr) show_message(showing, direction, fpdu, *message, showing.tree);
  } else if (opcode == rdmap::Opcode::terminate) {
    show_terminate(showing, segment, nullptr);
  }
  if (rdmap::traits(opcode).has_payload && captured > header && showing.tree != nullptr) {
    add(showing.tree, Field::payload, ulpdu, header, captured - header);
  }
  if (message != nullptr && fpdu.crc != mpa::CrcVerdict::bad) {
    call_upper_layer(showing, segment);
  }
}

}  // namespace iwarpscope::plugin
