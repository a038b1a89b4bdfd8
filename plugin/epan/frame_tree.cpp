// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "epan/frame_tree.h"

#include <epan/column-info.h>

#include <algorithm>

#include "epan/capture.h"
#include "epan/fields.h"
#include "epan/preferences.h"
#include "epan/takeover.h"
#include "epan/taps.h"
#include "epan/trees.h"

namespace iwarpscope::plugin {
namespace {

int tree_protocol = -1;
int built_in_mpa = -1, built_in_ddp = -1;  // so that filters for the built-in dissectors' protocols still match

Direction direction_of(const FrameView& view, const Item& item) noexcept {
  return view.payload != nullptr ? view.payload->direction : item.direction;
}

/// The tree of iWARP, with the data common to all its octets: those at `at`.
proto_tree* begin_tree(const Showing& showing, int at, int length) {
  proto_item* const item = proto_tree_add_item(showing.root, tree_protocol, showing.frame, at, length, ENC_NA);
  proto_tree* const tree = proto_item_add_subtree(item, id_of(Subtree::iwarp));
  for (const int built_in : {showing.pinfo->ptype == PT_SCTP ? -1 : built_in_mpa, built_in_ddp}) {
    if (built_in > 0) proto_item_set_hidden(proto_tree_add_item(tree, built_in, showing.frame, at, length, ENC_NA));
  }
  if (showing.connection != nullptr && showing.connection->qp) {
    proto_item_append_text(item, ", QP %" PRIu64 ", %s", *showing.connection->qp,
                           showing.direction == Direction::a_to_b ? "A to B" : "B to A");
  }
  return tree;
}

/// Octets of the connection that another dissector got, in this frame or before they were recognised. From now on, and
/// when the frames are dissected again, this plugin gets them. `says_all`: their contents will be reported.
void take_over(packet_info* pinfo, const PayloadEntry& payload, const Connection& connection, bool says_all) {
  col_set_str(pinfo->cinfo, COL_PROTOCOL, "iWARP");
  if (says_all && !is_claimed(pinfo) && preferences().info_column) col_clear(pinfo->cinfo, COL_INFO);
  if (pinfo->fd->visited || is_claimed(pinfo)) return;
  const auto& fpdus = connection.half(payload.direction).fpdus;
  take_connection(pinfo, fpdus.empty() ? pinfo->num : std::min(fpdus.front().first, pinfo->num));
}

/// Payload that is part of an FPDU shown in another frame.
void show_where(const Showing& showing) {
  const PayloadEntry* const payload = showing.payload;
  if (payload == nullptr || !payload->has_offset) return;
  const Half& half = showing.connection->half(payload->direction);
  std::uint32_t reported = 0;
  for (StreamOffset at = payload->offset; at < payload->offset + payload->size;) {
    const FpduEntry* const fpdu = half.fpdu_at(at);
    if (fpdu == nullptr) break;
    if (fpdu->shown != showing.pinfo->num && fpdu->shown != reported) {
      add_frame(showing.tree, Field::shown_in, showing.frame, fpdu->shown);
      reported = fpdu->shown;
    }
    at = fpdu->end;
  }
  if (showing.has_items || !is_claimed(showing.pinfo)) return;
  if (reported != 0) {
    info(showing, "Octets of an FPDU shown in frame %u", reported);
  } else if (half.fpdus.empty() || payload->offset < half.fpdus.front().start) {
    info(showing, "Octets before the first FPDU");
  } else {
    info(showing, "Octets of an FPDU");
  }
}

/// Maximum number of FPDUs that one frame shows in full. A filled hole can make tens of thousands deliverable, and epan
/// rejects a frame with a million fields.
constexpr std::size_t kMostShown = 5000;

void show_item(const Showing& showing, const Item& item) {
  Showing one = showing;
  switch (item.kind) {
    case Item::Kind::finding:
      show_finding(showing.pinfo, showing.frame, showing.tree, showing.session->finding(item.index));
      return;
    case Item::Kind::startup:
    case Item::Kind::fpdu: break;
  }
  one.connection = showing.session->connection(item.connection);
  if (one.connection == nullptr) return;
  if (one.connection != showing.connection) one.payload = nullptr;
  if (one.connection->over_sctp) {
    if (item.kind == Item::Kind::fpdu) {
      show_session_segment(one, item.direction, item.index);
    } else {
      show_control(one, one.connection->startup[item.index]);
    }
  } else if (item.kind == Item::Kind::startup) {
    show_startup(one, one.connection->startup[item.index]);
  } else {
    show_fpdu(one, item.direction, item.index);
  }
}

/// Over SCTP, a packet can refer to several queue pairs: one of them, and its items.
struct QueuePairGroup {
  const std::uint32_t* connections = nullptr;  ///< all of them; kNone: chunks without a known connection
  std::size_t count = 0;
  std::size_t at = 0;  ///< number of this one
  /// Items that belong to none of them are shown with the first one.
  [[nodiscard]] bool has(std::uint32_t connection) const noexcept {
    const auto* const found = std::find(connections, connections + count, connection);
    return at == (found != connections + count ? static_cast<std::size_t>(found - connections) : 0);
  }
};

std::uint32_t owner_of(const Session& session, const Item& item) {
  if (item.kind != Item::Kind::finding) return item.connection;
  const auto& qp = session.finding(item.index).qp;
  const Connection* const connection = qp ? session.queue_pair(*qp) : nullptr;
  return connection != nullptr ? connection->id : kNone;
}

std::uint32_t owner_of(const Session& session, const ChunkEntry& chunk) {
  const std::uint32_t owner = chunk.repeats != kNone ? session.chunk(chunk.repeats).connection : chunk.connection;
  return owner != kNone && session.connection(owner) != nullptr ? owner : kNone;
}

/// `group`: null if the frame refers to one queue pair.
void show_items(const Showing& showing, std::span<const Item> items, const QueuePairGroup* group) {
  if (items.empty()) return;
  // Upper layers also get the rest: they keep state on the data that they saw.
  Showing unseen = showing;
  unseen.root = unseen.tree = nullptr;
  Showing plain = showing;
  if (!is_looked_at(showing.tree)) plain.tree = nullptr;
  std::size_t fpdus = 0;
  for (const Item& item : items) {
    if (group != nullptr && !group->has(owner_of(*showing.session, item))) continue;
    const bool counts = item.kind == Item::Kind::fpdu;
    if (counts) ++fpdus;
    const bool is_finding = item.kind == Item::Kind::finding;
    show_item(is_finding ? showing : fpdus > kMostShown ? unseen : plain, item);
  }
  if (fpdus > kMostShown && showing.tree != nullptr) {
    add_generated(showing.tree, Field::fpdus_not_shown, showing.frame, fpdus - kMostShown);
  }
}

bool has_more_than_findings(const FrameView& view) {
  const auto is_more = [](const Item& item) { return item.kind != Item::Kind::finding; };
  return std::any_of(view.items.begin(), view.items.end(), is_more) ||
         std::any_of(view.late.begin(), view.late.end(), is_more);
}

/// The connection of the frame's items: that of its payload, or of the octets that an ACK in it made deliverable.
const Connection* connection_of(const Session& session, const FrameView& view) {
  if (view.payload != nullptr) return session.connection(view.payload->connection);
  for (const std::span<const Item> items : {view.items, view.late}) {
    for (const Item& item : items) {
      if (item.kind != Item::Kind::finding) return session.connection(item.connection);
      const auto& qp = session.finding(item.index).qp;
      if (qp) return session.queue_pair(*qp);
    }
  }
  return nullptr;
}

/// The user disabled the heuristic, or leaves the port to its owner.
bool is_turned_off(const packet_info* pinfo) {
  if (is_claimed(pinfo) || pinfo->ptype == PT_SCTP) return false;
  static const heur_dtbl_entry_t* const heuristic = find_heur_dissector_by_unique_short_name("iwarp_tcp");
  if (heuristic != nullptr && !heuristic->enabled) return true;
  return is_left_to_owner(pinfo);
}

/// From 4.2 on, the columns are also fields, which are set before post-dissectors run: updates these fields from the
/// columns. Does nothing in 4.0, which has no such fields.
template <class Columns>
void refresh_columns(const Columns* columns, proto_tree* root) {
  static_assert(
      requires { sizeof(Columns); }, "of a type that is declared only, it could not tell");
  if constexpr (requires { columns->columns->hf_id; }) {
    if (columns == nullptr || root == nullptr) return;
    for (int i = 0; i < columns->num_cols; ++i) {
      const auto& column = columns->columns[i];
      if (column.hf_id <= 0 || (column.col_fmt != COL_INFO && column.col_fmt != COL_PROTOCOL)) continue;
      const GPtrArray* const shown = proto_get_finfo_ptr_array(root, column.hf_id);
      for (guint at = 0; shown != nullptr && at < shown->len; ++at) {
        fvalue_set_string(static_cast<field_info*>(g_ptr_array_index(shown, at))->value, column.col_data);
      }
    }
  }
}

// ---- over SCTP ----

bool is_over_sctp(const Session& session, const FrameView& view) {
  if (view.chunks != 0) return true;
  const auto is_message = [&session](const Item& item) {
    const Connection* const c = item.kind != Item::Kind::finding ? session.connection(item.connection) : nullptr;
    return c != nullptr && c->over_sctp;
  };
  return std::any_of(view.items.begin(), view.items.end(), is_message) ||
         std::any_of(view.late.begin(), view.late.end(), is_message);
}

/// Each connection to which the frame's chunks and messages belong, once.
QueuePairGroup groups_of(packet_info* pinfo, const Session& session, const FrameView& view) {
  const std::size_t most = view.chunks + view.items.size() + view.late.size();
  auto* const connections = wmem_alloc_array(pinfo->pool, std::uint32_t, most);
  QueuePairGroup group{connections, 0, 0};
  const auto note = [&](std::uint32_t connection) {
    if (std::find(connections, connections + group.count, connection) == connections + group.count) {
      connections[group.count++] = connection;
    }
  };
  for (std::uint32_t i = 0; i < view.chunks; ++i) note(owner_of(session, session.chunk(view.first_chunk + i)));
  for (const std::span<const Item> items : {view.items, view.late}) {
    for (const Item& item : items) {
      if (item.kind != Item::Kind::finding) note(item.connection);
    }
  }
  return group;
}

/// The chunks of a group: their first and last octet in the frame, and the direction of the first chunk.
struct Extent {
  std::uint32_t from = 0, to = 0;
  bool known = false;
  Direction direction{};
};

Extent extent_of(const Session& session, const FrameView& view, const QueuePairGroup& group) {
  Extent extent;
  for (std::uint32_t i = view.first_chunk; i < view.first_chunk + view.chunks; ++i) {
    const ChunkEntry& chunk = session.chunk(i);
    if (!group.has(owner_of(session, chunk))) continue;
    if (!extent.known) extent.direction = (chunk.repeats != kNone ? session.chunk(chunk.repeats) : chunk).direction;
    extent.known = true;
    if (chunk.at == kNone) continue;
    if (extent.to == 0) extent.from = chunk.at;
    extent.to = chunk.at + chunk.captured;
  }
  for (const std::span<const Item> items : {view.items, view.late}) {
    for (const Item& item : items) {
      if (extent.known || item.kind == Item::Kind::finding || !group.has(item.connection)) continue;
      extent.known = true;
      extent.direction = item.direction;
    }
  }
  return extent;
}

/// Chunks whose messages are not shown in this frame.
void show_chunks(const Showing& showing, const FrameView& view, const QueuePairGroup& group) {
  Showing plain = showing;
  if (!is_looked_at(showing.tree)) plain.tree = nullptr;
  for (std::uint32_t i = view.first_chunk; i < view.first_chunk + view.chunks; ++i) {
    const ChunkEntry& chunk = showing.session->chunk(i);
    if (!group.has(owner_of(*showing.session, chunk))) continue;
    if (chunk.is_repeated() || showing.session->shown_in(chunk) != showing.pinfo->num) show_chunk(plain, chunk);
  }
}

void show_over_sctp(Showing& showing, const FrameView& view) {
  if (view.chunks != 0) {
    col_set_str(showing.pinfo->cinfo, COL_PROTOCOL, "iWARP");
    if (preferences().info_column) col_clear(showing.pinfo->cinfo, COL_INFO);
  }
  QueuePairGroup group = groups_of(showing.pinfo, *showing.session, view);
  for (; group.at < group.count; ++group.at) {
    const std::uint32_t id = group.connections[group.at];
    const Extent extent = extent_of(*showing.session, view, group);
    showing.connection = id != kNone ? showing.session->connection(id) : nullptr;
    showing.direction = extent.direction;
    showing.tree =
        begin_tree(showing, static_cast<int>(extent.from), static_cast<int>(extent.to) - static_cast<int>(extent.from));
    if (showing.connection != nullptr) show_queue_pair(showing, showing.direction);
    show_items(showing, view.items, &group);
    show_items(showing, view.late, &group);
    show_chunks(showing, view, group);
  }
}

// ---- every frame ----

void show_over_tcp(Showing& showing, const FrameView& view) {
  if (view.payload != nullptr && showing.has_items) {
    take_over(showing.pinfo, *view.payload, *showing.connection, has_more_than_findings(view));
  }
  showing.direction = direction_of(view, !view.items.empty()  ? view.items.front()
                                         : !view.late.empty() ? view.late.front()
                                                              : Item{});
  const bool placed = view.payload != nullptr && view.payload->at != kNone;
  showing.tree = begin_tree(showing, placed ? static_cast<int>(view.payload->at) : 0,
                            placed ? static_cast<int>(view.payload->size) : 0);
  if (showing.connection != nullptr) show_queue_pair(showing, showing.direction);
  show_items(showing, view.items, nullptr);
  show_items(showing, view.late, nullptr);
  show_where(showing);
}

int dissect_frame(tvbuff_t* tvb, packet_info* pinfo, proto_tree* root, void*) {
  const Session* const session = session_at(pinfo);
  if (session == nullptr || is_turned_off(pinfo)) return 0;
  const FrameView view = session->frame(pinfo->num);
  if (view.payload == nullptr && view.chunks == 0 && view.items.empty() && view.late.empty()) return 0;
  Showing showing;
  showing.frame = tvb;
  showing.pinfo = pinfo;
  showing.root = root;
  showing.session = session;
  showing.payload = view.payload;
  showing.connection = connection_of(*session, view);
  showing.has_items = !view.items.empty() || !view.late.empty();
  if (is_over_sctp(*session, view)) {
    show_over_sctp(showing, view);
  } else {
    show_over_tcp(showing, view);
  }
  refresh_columns(pinfo->cinfo, root);
  tap_frame(pinfo, *session, view);
  return static_cast<int>(tvb_captured_length(tvb));
}

}  // namespace

void register_frame_tree(int id) {
  tree_protocol = id;
  built_in_mpa = proto_get_id_by_filter_name("iwarp_mpa");
  built_in_ddp = proto_get_id_by_filter_name("iwarp_ddp_rdmap");
  register_postdissector(create_dissector_handle(dissect_frame, tree_protocol));
}

}  // namespace iwarpscope::plugin
