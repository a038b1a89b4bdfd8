// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Messages of a DDP stream session over SCTP, and the DATA chunks that carry them. Source: RFC 5043 §5.2, RFC 9260
// §3.3.1.
#include "epan/fields.h"
#include "epan/trees.h"
#include "sctp/chunk.h"
#include "sctp/control.h"

namespace iwarpscope::plugin {
namespace {

constexpr int kHeader = static_cast<int>(sctp::DataHeader::kOctets);
constexpr int kSsn = static_cast<int>(sctp::UserMessage::kOctets);
constexpr int kCode = static_cast<int>(sctp::ControlHeader::kOctets);

/// The chunk is in the displayed frame.
bool is_here(const Showing& showing, const ChunkEntry& chunk) {
  return chunk.frame == showing.pinfo->num && chunk.at != kNone;
}

/// Begins the tree of a message, or of one of its chunks. Null chunk: none is known.
proto_item* begin(const Showing& showing, const ChunkEntry* chunk) {
  if (chunk == nullptr || !is_here(showing, *chunk)) return add(showing.tree, Field::sctp, showing.frame, 0, 0);
  return add(showing.tree, Field::sctp, showing.frame, static_cast<int>(chunk->at) - kHeader,
             kHeader + static_cast<int>(chunk->captured));
}

/// The fields of the chunk's header. `fragment`: which part of a message it carries.
void show_header(const Showing& showing, const ChunkEntry& chunk, bool fragment, proto_tree* tree) {
  const bool here = is_here(showing, chunk);
  const int at = here ? static_cast<int>(chunk.at) - kHeader : 0;
  add_number(tree, Field::sctp_tsn, showing.frame, here ? at + 4 : 0, here ? 4 : 0, chunk.tsn);
  add_number(tree, Field::sctp_stream, showing.frame, here ? at + 8 : 0, here ? 2 : 0, chunk.stream);
  add_number(tree, Field::sctp_ppid, showing.frame, here ? at + 12 : 0, here ? 4 : 0, chunk.ppid);
  if (!fragment) return;
  const std::uint64_t bits = (chunk.begins ? 2u : 0u) | (chunk.ends ? 1u : 0u);
  add_number(tree, Field::sctp_fragment, showing.frame, here ? at + 1 : 0, here ? 1 : 0, bits);
}

/// The fields of a session's message, common to all contents.
struct Carried {
  std::uint32_t chunk = kNone;
  std::uint16_t ssn = 0;
  std::uint32_t length = 0;
  Frame placed = 0, delivered = 0;
  Direction direction{};
};

/// Its tree, with its chunks. `title`: its item.
proto_tree* show_carried(const Showing& showing, const Carried& carried, proto_item*& title) {
  const ChunkEntry* const first = carried.chunk != kNone ? &showing.session->chunk(carried.chunk) : nullptr;
  title = begin(showing, first);
  proto_item_append_text(title, ", DDP-SSN %u", unsigned{carried.ssn});
  proto_tree* const tree = proto_item_add_subtree(title, id_of(Subtree::session_message));
  if (first != nullptr) show_header(showing, *first, first->next == kNone, tree);
  const bool here = first != nullptr && is_here(showing, *first);
  add_number(tree, Field::sctp_ssn, showing.frame, here ? static_cast<int>(first->at) : 0, here ? kSsn : 0,
             carried.ssn);
  add_generated(tree, Field::sctp_length, showing.frame, carried.length);
  std::uint32_t chunks = 0;
  for (std::uint32_t i = carried.chunk; i != kNone; i = showing.session->chunk(i).next) {
    ++chunks;
    const Frame frame = showing.session->chunk(i).frame;
    if (frame != showing.pinfo->num) add_frame(tree, Field::sctp_chunk_in, showing.frame, frame);
  }
  if (chunks > 1) add_generated(tree, Field::sctp_chunks, showing.frame, chunks);
  add_frame(tree, Field::placed_in, showing.frame, carried.placed);
  add_frame(tree, Field::delivered_in, showing.frame, carried.delivered);
  if (carried.direction != showing.direction) {
    add_generated(tree, Field::direction, showing.frame, index(carried.direction));
  }
  return tree;
}

void show_answers(const Showing& showing, const ControlEntry& control, proto_tree* tree) {
  if (control.peer == kNone) return;
  const ControlEntry& peer = *showing.connection->startup[control.peer].control;
  add_frame(tree, sctp::is_initiate(control.code) ? Field::sctp_answered_in : Field::sctp_answers, showing.frame,
            peer.last);
}

const char* fragment_words(const ChunkEntry& chunk) noexcept {
  if (chunk.begins) return chunk.ends ? "DDP message" : "first fragment of a DDP message";
  return chunk.ends ? "last fragment of a DDP message" : "fragment of a DDP message";
}

}  // namespace

const char* control_words(packet_info* pinfo, const ControlEntry& control) {
  if (control.captured < sctp::ControlHeader::kOctets) return "control message without a function code";
  if (sctp::is_known(control.code)) return sctp::code_text(control.code).data();
  return wmem_strdup_printf(pinfo->pool, "control message of the unknown code %u", unsigned{control.code});
}

void show_control(const Showing& showing, const StartupFrameEntry& entry) {
  const ControlEntry& control = *entry.control;
  const char* const words = control_words(showing.pinfo, control);
  info(showing, "%s, stream %u", words, unsigned{showing.connection->over_sctp->stream});
  if (showing.tree == nullptr) return;
  proto_item* title = nullptr;
  proto_tree* const tree = show_carried(
      showing, {control.chunk, control.ssn, control.length, control.last, control.delivered, entry.direction}, title);
  proto_item_append_text(title, ", %s", words);
  tvbuff_t* const octets =
      octets_of(showing, {control.at, control.octets, control.captured, control.length}, "Session control message");
  if (octets != nullptr && static_cast<int>(control.captured) >= kCode) {
    add(tree, Field::sctp_function_code, octets, 0, kCode);
    const int rest = static_cast<int>(control.captured) - kCode;
    if (entry.frame.function_code != 0) {
      show_startup_data(showing, entry.frame, {octets, kCode, rest}, tree);
    } else if (rest > 0) {
      add(tree, Field::mpa_private_data, octets, kCode, rest);
    }
  }
  add_generated(tree, Field::sctp_phase, showing.frame, static_cast<std::uint64_t>(control.phase));
  show_answers(showing, control, tree);
}

void show_session_segment(const Showing& showing, Direction direction, std::uint32_t index) {
  const FpduEntry& segment = showing.connection->half(direction).fpdus[index];
  proto_item* title = nullptr;
  Showing inside = showing;
  if (showing.tree != nullptr) {
    const auto ssn = static_cast<std::uint16_t>(relative(segment.start));
    inside.tree = show_carried(
        showing, {segment.chunk, ssn, segment.ulpdu_length, segment.last, segment.delivered, direction}, title);
  }
  tvbuff_t* const octets = octets_of(showing, {segment.at, segment.octets, segment.captured, segment.ulpdu_length},
                                     "DDP segment, reassembled");
  if (octets != nullptr) {
    show_ulpdu(inside, direction, segment, octets, title);
  } else if (segment.message != kNone) {
    info(showing, "DDP segment, octets not kept");
  }
  if (segment.captured < segment.ulpdu_length) proto_item_append_text(title, ", octets are missing");
}

void show_chunk(const Showing& showing, const ChunkEntry& chunk) {
  const Frame shown = showing.session->shown_in(chunk);
  const char* const words = fragment_words(chunk);
  const char* const how = chunk.copy ? ", captured twice" : chunk.again ? ", retransmission" : "";
  if (shown != 0) {
    info(showing, "%s%s, shown in frame %u", words, how, shown);
  } else {
    info(showing, "%s%s", words, how);
  }
  if (showing.tree == nullptr) return;
  proto_item* const title = begin(showing, &chunk);
  proto_item_append_text(title, ", TSN %u, %s%s", chunk.tsn, words, how);
  proto_tree* const tree = proto_item_add_subtree(title, id_of(Subtree::session_message));
  show_header(showing, chunk, true, tree);
  if (chunk.begins && is_here(showing, chunk) && static_cast<int>(chunk.captured) >= kSsn) {
    add(tree, Field::sctp_ssn, showing.frame, static_cast<int>(chunk.at), kSsn);
  }
  if (chunk.is_repeated()) add_generated(tree, Field::sctp_repeated, showing.frame, 1);
  if (chunk.repeats != kNone) {
    add_frame(tree, Field::sctp_repeats, showing.frame, showing.session->chunk(chunk.repeats).frame);
  }
  add_frame(tree, Field::sctp_shown_in, showing.frame, shown);
}

}  // namespace iwarpscope::plugin
