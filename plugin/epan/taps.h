// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The input of statistics: one entry for each item that a frame shows.
#pragma once

#include "epan/wireshark.h"
#include "session/session.h"

namespace iwarpscope::plugin {

/// Data of the tap "iwarp": the first item of the frame. Lives as long as the packet. The item's kind determines which
/// members are valid.
struct Tapped {
  const Tapped* next =
      nullptr;  ///< next one of the same frame: epan accepts at most 5000 per frame, and drops the rest
  const Session* session = nullptr;
  Item item;
  const Connection* connection = nullptr;  ///< startup, fpdu; null for a finding
  const FpduEntry* fpdu = nullptr;
  const MessageEntry* message = nullptr;  ///< of the FPDU; null: no message
};

/// A listener's packet callback that calls `Packet` for each of them.
template <auto Packet, class Data = void>
tap_packet_status each(Data* data, packet_info* pinfo, epan_dissect_t* dissection, const void* tap, tap_flags_t flags) {
  tap_packet_status all = TAP_PACKET_DONT_REDRAW;
  for (auto* tapped = static_cast<const Tapped*>(tap); tapped != nullptr; tapped = tapped->next) {
    const tap_packet_status one = Packet(data, pinfo, dissection, tapped, flags);
    if (one == TAP_PACKET_FAILED) return one;
    if (one == TAP_PACKET_REDRAW) all = one;
  }
  return all;
}

/// Registers the tap and returns its number.
int register_tap_of_frames();
/// Queues all items of the frame. Does nothing without a listener.
void tap_frame(packet_info* pinfo, const Session& session, const FrameView& view);

}  // namespace iwarpscope::plugin
