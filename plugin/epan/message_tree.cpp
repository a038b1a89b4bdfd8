// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The RDMA message of an FPDU: its timing and its relations to other messages.
#include "epan/fields.h"
#include "epan/trees.h"

namespace iwarpscope::plugin {
namespace {

const char* words(AtomicVerdict verdict) noexcept {
  switch (verdict) {
    case AtomicVerdict::verified: return "verified";
    case AtomicVerdict::first: return "first";
    case AtomicVerdict::inconsistent: return "inconsistent";
    case AtomicVerdict::undecidable: return "undecidable";
    case AtomicVerdict::none: break;
  }
  return "";
}

void show_links(const Showing& showing, Direction direction, const MessageEntry& message, proto_tree* tree) {
  if (message.is_request()) {
    if (message.outstanding != 0) add_generated(tree, Field::outstanding, showing.frame, message.outstanding);
    if (const auto limit = showing.connection->read_limit(direction)) {
      add_generated(tree, Field::outstanding_limit, showing.frame, *limit);
    }
  }
  const MessageEntry* const peer = showing.connection->peer(direction, message);
  if (peer == nullptr) return;
  const MessageEntry& request = message.is_request() ? message : *peer;
  add_frame(tree, message.is_request() ? Field::response_in : Field::request_in, showing.frame, peer->last);
  add_time(tree, Field::time_first, showing.frame, request.first_octet_ns);
  add_time(tree, Field::time_last, showing.frame, request.last_octet_ns);
}

}  // namespace

void show_message(const Showing& showing, Direction direction, const FpduEntry& fpdu, const MessageEntry& message,
                  proto_tree* root) {
  proto_item* const item = add_generated(root, Field::message_index, showing.frame, fpdu.message);
  proto_tree* const tree = proto_item_add_subtree(item, id_of(Subtree::message));
  add_generated(tree, Field::message_position, showing.frame, fpdu.position);
  if (message.ended) {
    add_generated(tree, Field::message_length, showing.frame, message.length);
    add_generated(tree, Field::message_segments, showing.frame, message.ddp_segments);
    add_generated(tree, Field::message_complete, showing.frame, message.complete ? 1 : 0);
  }
  if (message.first != showing.pinfo->num) add_frame(tree, Field::message_first_frame, showing.frame, message.first);
  if (message.ended && message.shown != showing.pinfo->num) {
    add_frame(tree, Field::message_ends_in, showing.frame, message.shown);
  }
  show_links(showing, direction, message, tree);
  if (message.ended && message.wait_ns() > 0) add_time(tree, Field::head_of_line, showing.frame, message.wait_ns());
  add_frame(tree, Field::stag_first_seen, showing.frame, message.stag_first);
  if (message.verdict != AtomicVerdict::none)
    add_text(tree, Field::atomic_verdict, showing.frame, words(message.verdict));
  if (message.has_result) add_generated(tree, Field::atomic_result, showing.frame, message.result);
}

}  // namespace iwarpscope::plugin
