// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// MPA Request and Reply. Source: RFC 5044 §7.1.1, RFC 6581 §6, §9.
#include <algorithm>

#include "epan/fields.h"
#include "epan/trees.h"
#include "mpa/startup_frame_view.h"
#include "ulp/private_data.h"

namespace iwarpscope::plugin {
namespace {

constexpr int kKey = static_cast<int>(mpa::kKeyOctets);
constexpr int kFixed = static_cast<int>(mpa::StartupFrameView::kOctets);
constexpr std::uint16_t kNvmePort = 4420;  // IANA: nvme

void show_flags(const Part& o, proto_tree* tree) {
  for (const Field f : {Field::mpa_flag_markers, Field::mpa_flag_crc, Field::mpa_flag_reject, Field::mpa_flag_enhanced,
                        Field::mpa_reserved}) {
    add(tree, f, o.tvb, o.at + kKey, 1);
  }
}

void show_enhanced(const Part& o, proto_tree* tree) {
  if (o.have < 4) return;
  proto_tree* const sub = proto_item_add_subtree(add(tree, Field::mpa_enhanced, o.tvb, o.at, 4), id_of(Subtree::flags));
  for (const Field f : {Field::mpa_peer_to_peer, Field::mpa_rtr_send, Field::mpa_ird}) add(sub, f, o.tvb, o.at, 2);
  for (const Field f : {Field::mpa_rtr_write, Field::mpa_rtr_read, Field::mpa_ord}) add(sub, f, o.tvb, o.at + 2, 2);
}

void show_legacy(const Part& o, proto_tree* tree) {
  if (o.have < 8) return;
  proto_tree* const sub = proto_item_add_subtree(add(tree, Field::mpa_legacy, o.tvb, o.at, 8), id_of(Subtree::flags));
  add(sub, Field::mpa_legacy_ird, o.tvb, o.at, 4);
  add(sub, Field::mpa_legacy_ord, o.tvb, o.at + 4, 4);
}

/// RDMA_CM_REQUEST Private Data; that of the Accept begins the same way. Source: NVMe RDMA Transport Specification
/// §3.3.
void show_nvme(tvbuff_t* tvb, int at, int length, proto_tree* tree) {
  constexpr int kNvme = 32;
  if (length < kNvme) return;
  proto_tree* const sub = proto_item_add_subtree(add(tree, Field::private_nvme, tvb, at, kNvme), id_of(Subtree::flags));
  const Field fields[] = {Field::private_nvme_format, Field::private_nvme_qid, Field::private_nvme_hrqsize,
                          Field::private_nvme_hsqsize};
  for (int i = 0; i < 4; ++i) {
    add_number(sub, fields[i], tvb, at + 2 * i, 2, tvb_get_letohs(tvb, at + 2 * i));
  }
}

/// Private Data of RPC over RDMA. Source: RFC 8797 §4.
void show_rpc(tvbuff_t* tvb, int at, int length, proto_tree* tree) {
  constexpr std::uint32_t kIdentifier = 0xF6AB0E18;
  constexpr int kRpc = 8;
  constexpr std::uint32_t kUnit = 1024;  // sizes are in units of it, minus one
  if (length < kRpc || tvb_get_ntohl(tvb, at) != kIdentifier) return;
  proto_tree* const sub = proto_item_add_subtree(add(tree, Field::private_rpc, tvb, at, kRpc), id_of(Subtree::flags));
  add(sub, Field::private_rpc_version, tvb, at + 4, 1);
  add(sub, Field::private_rpc_invalidate, tvb, at + 5, 1);
  add_number(sub, Field::private_rpc_send_size, tvb, at + 6, 1, (octet_at(tvb, at + 6) + 1u) * kUnit);
  add_number(sub, Field::private_rpc_receive_size, tvb, at + 7, 1, (octet_at(tvb, at + 7) + 1u) * kUnit);
}

/// As text; the string is copied before a function can longjmp.
const char* words(packet_info* pinfo, const mpa::StartupFrame& frame) {
  const std::string text = ulp::private_data_words(frame.private_data);
  return wmem_strdup(pinfo->pool, text.c_str());
}

/// `o`: octets that may begin with enhanced data.
void show_private_data(const Showing& showing, const mpa::StartupFrame& frame, const Part& o, proto_tree* tree) {
  const int enhanced = frame.enhanced ? static_cast<int>(mpa::EnhancedDataView::kOctets) : 0;
  const int size = static_cast<int>(frame.private_data.size());
  const int at = o.at + enhanced;
  if (size == 0) return;
  const bool here = o.have >= enhanced + size;
  if (here) add(tree, Field::mpa_private_data, o.tvb, at, size);
  add_text(tree, Field::private_data_words, showing.frame, words(showing.pinfo, frame));
  if (!here) return;
  if (frame.legacy && !frame.enhanced) show_legacy(o, tree);
  show_rpc(o.tvb, at, size, tree);
  if (showing.connection->b.port == kNvmePort && !frame.reply_key) show_nvme(o.tvb, at, size, tree);
}

const char* flag_words(packet_info* pinfo, const mpa::StartupFrame& frame) {
  return wmem_strdup_printf(pinfo->pool, "%s%s%s%s", frame.markers ? " M" : "", frame.crc ? " C" : "",
                            frame.rejected ? " R" : "", frame.enhanced_flag ? " S" : "");
}

}  // namespace

void show_startup_data(const Showing& showing, const mpa::StartupFrame& frame, const Part& data, proto_tree* tree) {
  if (frame.enhanced) show_enhanced(data, tree);
  show_private_data(showing, frame, data, tree);
}

void show_startup(const Showing& showing, const StartupFrameEntry& entry) {
  const mpa::StartupFrame& frame = entry.frame;
  const char* const title = frame.reply_key ? "MPA Reply" : "MPA Request";
  const char* const flags = flag_words(showing.pinfo, frame);
  info(showing, "%s, revision %u%s%s%s", title, frame.revision, *flags != '\0' ? "," : "", flags,
       frame.reply_key && frame.rejected ? " (rejected)" : "");
  if (showing.tree == nullptr) return;
  const Place place = place_of(showing, entry.direction, frame.start, frame.end);
  const bool from_start = place.length != 0 && showing.payload->offset <= frame.start;
  const Part o{place.tvb, place.at, from_start ? place.length : 0};
  const Part data{o.tvb, o.at + kFixed, std::max(o.have - kFixed, 0)};
  proto_item* const item = add(showing.tree, frame.reply_key ? Field::mpa_reply : Field::mpa_request, place.tvb,
                               place.at, std::min(place.length, kKey));
  proto_item_set_len(item, place.length);
  proto_item_append_text(item, ", revision %u%s%s", frame.revision, *flags != '\0' ? "," : "", flags);
  proto_tree* const tree = proto_item_add_subtree(item, id_of(Subtree::startup));
  if (o.have < kFixed) {
    // The frame arrived in several parts: shows its values without the octets.
    add_number(tree, Field::mpa_revision, showing.frame, 0, 0, frame.revision);
    add_number(tree, Field::mpa_pd_length, showing.frame, 0, 0, frame.private_data_length);
    show_private_data(showing, frame, data, tree);
    return;
  }
  add(tree, Field::mpa_key, o.tvb, o.at, kKey);
  show_flags(o, tree);
  add(tree, Field::mpa_revision, o.tvb, o.at + kKey + 1, 1);
  add(tree, Field::mpa_pd_length, o.tvb, o.at + kKey + 2, 2);
  show_startup_data(showing, frame, data, tree);
}

}  // namespace iwarpscope::plugin
