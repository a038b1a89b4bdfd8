// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// A Terminate with the headers it quotes, in the layout of its sender. Source: RFC 5040 §4.8.
#include "ddp/header.h"
#include "epan/fields.h"
#include "epan/trees.h"
#include "rdmap/headers.h"
#include "rdmap/terminate.h"

namespace iwarpscope::plugin {
namespace {

void show_quoted(const TerminateEntry& t, tvbuff_t* tvb, int at, proto_tree* tree) {
  if (t.ddp_octets != 0) {
    proto_item* const item = add(tree, Field::terminate_ddp, tvb, at + t.ddp_at, t.ddp_octets);
    show_ddp_header(tvb, at + t.ddp_at, t.ddp_octets, proto_item_add_subtree(item, id_of(Subtree::ddp)));
  }
  if (t.rdmap_octets != 0) {
    proto_item* const item = add(tree, Field::terminate_rdmap, tvb, at + t.rdmap_at, t.rdmap_octets);
    show_read_request(tvb, at + t.rdmap_at, proto_item_add_subtree(item, id_of(Subtree::rdmap)));
  }
}

/// The built-in dissectors have a field for each layer, and one for unknown layers.
void hide_built_in(const TerminateEntry& t, tvbuff_t* tvb, int at, proto_tree* tree) {
  constexpr std::uint8_t kTaggedError = 1, kUntaggedError = 2;  // of DDP, RFC 5041 §7.2
  const Field types[] = {Field::built_in_type_rdma, Field::built_in_type_ddp, Field::built_in_type_llp};
  add_hidden(tree, Field::built_in_header_control, tvb, at + 2, 1);
  if (t.layer >= std::size(types)) return;
  add_hidden_number(tree, types[t.layer], tvb, at, 1, t.error_type);
  Field code = t.layer == 0 ? Field::built_in_code_rdma : Field::built_in_code_llp;
  if (t.layer == 1 && t.error_type == kTaggedError) code = Field::built_in_code_tagged;
  if (t.layer == 1 && t.error_type == kUntaggedError) code = Field::built_in_code_untagged;
  if (t.layer != 1 || t.error_type == kTaggedError || t.error_type == kUntaggedError) {
    add_hidden_number(tree, code, tvb, at + 1, 1, t.error_code);
  }
}

}  // namespace

void show_terminate(const Showing& showing, const Segment& segment, proto_tree* root) {
  const MessageEntry* const message = segment.message;
  tvbuff_t* const tvb = segment.ulpdu;
  const int at = segment.header;
  const TerminateEntry* const found =
      message != nullptr ? showing.connection->half(segment.direction).terminate(segment.fpdu.message) : nullptr;
  if (found == nullptr) {
    info(showing, "Terminate, not decoded");
    return;
  }
  const TerminateEntry& t = *found;
  const char* const error = rdmap::error_name(t.layer, t.error_type, t.error_code).data();
  const MessageEntry* const named = showing.connection->named(segment.direction, *message);
  if (named != nullptr) {
    info(showing, "Terminate: %s (frame %u)", error, named->first);
  } else {
    info(showing, "Terminate: %s", error);
  }
  if (root == nullptr) return;
  const int octets = static_cast<int>(rdmap::Terminate::kOctets);
  proto_item* const item = add(root, Field::terminate, tvb, at, octets);
  proto_item_append_text(item, ": %s", error);
  proto_tree* const tree = proto_item_add_subtree(item, id_of(Subtree::terminate));
  add_number(tree, Field::terminate_layer, tvb, at, 1, t.layer);
  add_number(tree, Field::terminate_type, tvb, at, 1, t.error_type);
  add_number(tree, Field::terminate_code, tvb, at + 1, 1, t.error_code);
  add_text(tree, Field::terminate_error, showing.frame, error);
  add_number(tree, Field::terminate_m, tvb, at + 2, 1, t.m ? 1 : 0);
  add_number(tree, Field::terminate_d, tvb, at + 2, 1, t.d ? 1 : 0);
  add_number(tree, Field::terminate_r, tvb, at + 2, 1, t.r ? 1 : 0);
  add_number(tree, Field::terminate_reserved, tvb, at + 2, 2, t.reserved);
  add_text(tree, Field::terminate_dialect, showing.frame, name(t.dialect).data());
  if (t.has_length) add_number(tree, Field::terminate_length, tvb, at + octets, 2, t.ddp_segment_length);
  hide_built_in(t, tvb, at, tree);
  show_quoted(t, tvb, at, tree);
  if (named != nullptr) add_frame(tree, Field::terminate_names, showing.frame, named->first);
}

}  // namespace iwarpscope::plugin
