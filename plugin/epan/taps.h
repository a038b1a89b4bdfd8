// What statistics are made of: one of these for everything that a frame shows.
#pragma once

#include "epan/wireshark.h"
#include "session/session.h"

namespace iwarpscope::plugin {

/// Data of the tap "iwarp": the first of what the frame shows. Lives as long as the packet. Which member says something
/// depends on the item's kind.
struct Tapped {
  const Tapped* next = nullptr;  ///< of the same frame: epan takes no more than 5000 from a frame, and drops the rest
  const Session* session = nullptr;
  Item item;
  const Connection* connection = nullptr;  ///< startup, fpdu; null for a finding
  const FpduEntry* fpdu = nullptr;
  const MessageEntry* message = nullptr;  ///< of the FPDU; null: it belongs to none
};

/// A listener's packet callback that has `Packet` called for each of them.
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
/// Queues everything the frame shows. Costs nothing when nobody listens.
void tap_frame(packet_info* pinfo, const Session& session, const FrameView& view);

}  // namespace iwarpscope::plugin
