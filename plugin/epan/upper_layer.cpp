// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Payload for the dissectors of upper layers that registered for iWARP.
#include <cstring>

#include "epan/capture.h"
#include "epan/fields.h"
#include "epan/preferences.h"
#include "epan/trees.h"
#include "rdmap/headers.h"
#include "rdmap/opcode.h"

// After Wireshark's own types, which they need and do not include; the last one does not declare itself as C.
#include <epan/dissectors/packet-iwarp-ddp-rdmap.h>
#include <epan/exceptions.h>
extern "C" {
#include <epan/show_exception.h>
}

namespace iwarpscope::plugin {
namespace {

/// A message in several DDP segments, reassembled. Null: it was not kept.
tvbuff_t* whole_message(const Showing& showing, const MessageEntry& message) {
  if (message.octets.size == 0) return nullptr;
  return tvb_new_child_real_data(showing.frame, reinterpret_cast<const std::uint8_t*>(message.octets.data),
                                 message.octets.size, static_cast<int>(message.octets.size));
}

void show_whole(const Showing& showing, const MessageEntry& message, tvbuff_t* tvb) {
  add_new_data_source(showing.pinfo, tvb, "DDP message");
  if (showing.tree == nullptr || !rdmap::is_send(message.opcode)) return;
  const int length = static_cast<int>(message.octets.size);
  add_hidden(showing.tree, Field::built_in_fragments, tvb, 0, length);
  add_hidden_number(showing.tree, Field::built_in_fragment, tvb, 0, length, showing.pinfo->num);
  add_hidden(showing.tree, Field::built_in_reassembled, tvb, 0, length);
}

/// The last item of the frame's tree.
const proto_node* end_of(const proto_tree* root) noexcept {
  return root != nullptr ? root->last_child : nullptr;
}

/// Dissectors that get payload of another protocol may read beyond its end; this is not an error of the frame. If a
/// dissector accepted the payload and then failed, its error is shown.
bool try_list(const Showing& showing, heur_dissector_list_t list, tvbuff_t* payload, rdmap_info_t& rdmap) {
  const proto_node* volatile before = end_of(showing.root);
  heur_dtbl_entry_t* entry = nullptr;
  volatile bool taken = false;
  TRY {
    taken = dissector_try_heuristic(list, payload, showing.pinfo, showing.root, &entry, &rdmap);
  }
  CATCH_BOUNDS_AND_DISSECTOR_ERRORS {
    taken = end_of(showing.root) != before;
    if (taken) {
      show_exception(payload, showing.pinfo, showing.root, EXCEPT_CODE, GET_MESSAGE);
    }
  }
  ENDTRY;
  return taken;
}

std::size_t info_length(packet_info* pinfo) {
  const char* const text = col_get_text(pinfo->cinfo, COL_INFO);
  return text != nullptr ? std::strlen(text) : 0;
}

/// Puts a separator between this plugin's part of the Info column, which ends at `ours`, and the upper layer's part.
void part_info(packet_info* pinfo, std::size_t ours) {
  if (ours == 0 || info_length(pinfo) <= ours) return;
  const char* const theirs = wmem_strdup(pinfo->pool, col_get_text(pinfo->cinfo, COL_INFO) + ours);
  col_clear(pinfo->cinfo, COL_INFO);  // up to the fence
  if (info_length(pinfo) == ours) col_append_fstr(pinfo->cinfo, COL_INFO, " | %s", theirs);
}

/// False: no dissector accepted it.
bool call(const Showing& showing, tvbuff_t* payload, rdmap_info_t& rdmap) {
  static const heur_dissector_list_t list = find_heur_dissector_list("iwarp_ddp_rdmap");
  if (list == nullptr || !preferences().upper_layers) return false;
  col_set_fence(showing.pinfo->cinfo, COL_INFO);
  const auto port_type = showing.pinfo->ptype;
  showing.pinfo->ptype = PT_IWARP_MPA;
  const std::size_t ours = info_length(showing.pinfo);
  const bool taken = try_list(showing, list, payload, rdmap);
  showing.pinfo->ptype = port_type;
  part_info(showing.pinfo, ours);
  return taken;
}

/// Tagged messages and Read Requests: upper layers get them one DDP segment at a time.
void call_with_segment(const Showing& showing, const MessageEntry& message, tvbuff_t* ulpdu, tvbuff_t* payload,
                       rdmap_info_t& rdmap) {
  const int need = static_cast<int>(rdmap::ReadRequestHeader::kOctets);
  rdmap_request_t request{};
  if (message.tagged) {
    rdmap.steering_tag = tvb_get_ntohl(ulpdu, 2);
    rdmap.tagged_offset = tvb_get_ntoh64(ulpdu, 6);
    const bool carries =
        message.opcode == rdmap::Opcode::rdma_write || message.opcode == rdmap::Opcode::rdma_read_response;
    if (carries && tvb_captured_length(payload) != 0) call(showing, payload, rdmap);
  } else if (static_cast<int>(tvb_captured_length(payload)) >= need) {
    request = {tvb_get_ntohl(payload, 0), tvb_get_ntoh64(payload, 4), tvb_get_ntohl(payload, 16),
               tvb_get_ntoh64(payload, 20), tvb_get_ntohl(payload, 12)};
    rdmap.read_request = &request;
    call(showing, tvb_new_subset_remaining(payload, need), rdmap);
  }
}

}  // namespace

void call_upper_layer(const Showing& showing, const Segment& segment) {
  const FpduEntry& fpdu = segment.fpdu;
  const MessageEntry& message = *segment.message;
  tvbuff_t* const ulpdu = segment.ulpdu;
  rdmap_info_t rdmap{};
  rdmap.opcode = octet_at(ulpdu, 1) & 0x0F;
  rdmap.last_flag = fpdu.ends_message;
  rdmap.is_tagged = message.tagged;
  tvbuff_t* payload = tvb_new_subset_remaining(ulpdu, segment.header);
  tvbuff_t* const whole = fpdu.ends_message && message.complete ? whole_message(showing, message) : nullptr;
  if (!message.tagged) {
    rdmap.queue_number = tvb_get_ntohl(ulpdu, 6);
    rdmap.message_seq_num = tvb_get_ntohl(ulpdu, 10);
  }
  bool taken = false;
  if (message.tagged || message.opcode == rdmap::Opcode::rdma_read_request) {
    call_with_segment(showing, message, ulpdu, payload, rdmap);
  } else if (rdmap::is_send(message.opcode) && fpdu.ends_message && message.complete) {
    if (message.ddp_segments > 1) payload = whole;  // a Send in several DDP segments: only the complete message
    if (payload != nullptr && tvb_reported_length(payload) != 0) taken = call(showing, payload, rdmap);
  }
  if (whole == nullptr) return;
  if (!taken) none_took(showing.connection->id, segment.direction, fpdu.message);
  if (message.octets.size != 0) show_whole(showing, message, whole);
}

}  // namespace iwarpscope::plugin
