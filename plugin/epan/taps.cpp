// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "epan/taps.h"

namespace iwarpscope::plugin {
namespace {

int frames_tap = -1;

/// Null: the item's connection was not a queue pair after all.
Tapped* make(packet_info* pinfo, const Session& session, const Item& item) {
  auto* const tapped = wmem_new(pinfo->pool, Tapped);
  *tapped = {nullptr, &session, item, nullptr, nullptr, nullptr};
  if (item.kind == Item::Kind::finding) return tapped;
  tapped->connection = session.connection(item.connection);
  if (tapped->connection == nullptr) return nullptr;
  if (item.kind == Item::Kind::fpdu) {
    const Half& half = tapped->connection->half(item.direction);
    tapped->fpdu = &half.fpdus[item.index];
    if (tapped->fpdu->message != kNone) tapped->message = &half.messages[tapped->fpdu->message];
  }
  return tapped;
}

}  // namespace

int register_tap_of_frames() {
  frames_tap = register_tap("iwarp");
  return frames_tap;
}

void tap_frame(packet_info* pinfo, const Session& session, const FrameView& view) {
  if (!have_tap_listener(frames_tap)) return;
  const Tapped* first = nullptr;
  Tapped* last = nullptr;
  for (const std::span<const Item> items : {view.items, view.late}) {
    for (const Item& item : items) {
      Tapped* const tapped = make(pinfo, session, item);
      if (tapped == nullptr) continue;
      (last != nullptr ? last->next : first) = tapped;
      last = tapped;
    }
  }
  if (first != nullptr) tap_queue_packet(frames_tap, pinfo, first);
}

}  // namespace iwarpscope::plugin
