#include "epan/taps.h"

namespace iwarpscope::plugin {
namespace {

int tap = -1;

void queue(packet_info* pinfo, const Session& session, const Item& item) {
  auto* const tapped = wmem_new(pinfo->pool, Tapped);
  *tapped = {&session, item, nullptr, nullptr, nullptr, false};
  if (item.kind != Item::Kind::finding) {
    tapped->connection = session.connection(item.connection);
    if (tapped->connection == nullptr) return;
  }
  if (item.kind == Item::Kind::fpdu) {
    const Half& half = tapped->connection->half(item.direction);
    tapped->fpdu = &half.fpdus[item.index];
    if (tapped->fpdu->message != kNone) tapped->message = &half.messages[tapped->fpdu->message];
    tapped->ends_message = tapped->fpdu->ends_message;
  }
  tap_queue_packet(tap, pinfo, tapped);
}

}  // namespace

int register_tap_of_frames() {
  tap = register_tap("iwarp");
  return tap;
}

void tap_frame(packet_info* pinfo, const Session& session, const FrameView& view) {
  if (!have_tap_listener(tap)) return;
  for (const Item& item : view.items) queue(pinfo, session, item);
  for (const Item& item : view.late) queue(pinfo, session, item);
}

}  // namespace iwarpscope::plugin
