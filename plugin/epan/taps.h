// What statistics are made of: one of these for everything that a frame shows.
#pragma once

#include "epan/wireshark.h"
#include "session/session.h"

namespace iwarpscope::plugin {

/// Data of the tap "iwarp". Lives as long as the packet. Which member says something depends on the item's kind.
struct Tapped {
  const Session* session = nullptr;
  Item item;
  const Connection* connection = nullptr;  ///< startup, fpdu; null for a finding
  const FpduEntry* fpdu = nullptr;
  const MessageEntry* message = nullptr;  ///< of the FPDU; null: it belongs to none
  bool ends_message = false;              ///< the FPDU is the last of its message
};

/// Registers the tap and returns its number.
int register_tap_of_frames();
/// Queues everything the frame shows. Costs nothing when nobody listens.
void tap_frame(packet_info* pinfo, const Session& session, const FrameView& view);

}  // namespace iwarpscope::plugin
