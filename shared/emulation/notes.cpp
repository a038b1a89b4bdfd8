#include "emulation/notes.h"

#include <fmt/format.h>

#include <algorithm>

namespace iwarpscope::emulation {

std::string_view code(NoteKind kind) noexcept {
  switch (kind) {
    case NoteKind::stag_used_after_invalidate: return "RM-35";
    case NoteKind::stag_invalidated_twice: return "RM-36";
    case NoteKind::response_to_invalidated_stag: return "RM-37";
    case NoteKind::read_contradicts_write: return "RM-38";
    case NoteKind::overlapping_placement: return "RM-39";
    case NoteKind::stag_from_another_stream: return "SX-01";
    case NoteKind::written_after_completion: return "SX-04";
    case NoteKind::read_after_completion: return "SX-05";
    case NoteKind::read_of_written_buffer: return "SX-06";
    case NoteKind::invalidated_while_in_use: return "SX-09";
    case NoteKind::predictable_stags: return "SX-11";
    case NoteKind::stag_zero: break;
  }
  return {};
}

std::array<FrameNumber, 3> evidence(FrameNumber a, FrameNumber b, FrameNumber c) noexcept {
  std::array<FrameNumber, 3> frames{a, b, c};
  // Empty ones sort last: 0 - 1 is the highest number.
  std::sort(frames.begin(), frames.end(), [](FrameNumber x, FrameNumber y) { return x.value - 1 < y.value - 1; });
  if (frames[1] == frames[2]) frames[2] = {};
  if (frames[0] == frames[1]) {
    frames[1] = frames[2];
    frames[2] = {};
  }
  return frames;
}

namespace {

std::string buffer(const Note& n) {
  return fmt::format("STag 0x{:08x}, TO 0x{:016x}", n.stag.value, n.to.value);
}

}  // namespace

std::string sentence(const Note& n) {
  const std::uint32_t stag = n.stag.value;
  switch (n.kind) {
    case NoteKind::stag_used_after_invalidate:
      return fmt::format("STag 0x{:08x} is used although message {} of the same sender had invalidated it{}.", stag,
                         n.other_message, n.certain ? "; its owner refused it" : "");
    case NoteKind::stag_invalidated_twice:
      return fmt::format(
          "STag 0x{:08x} is invalidated again; message {} had done so, and nothing came from its owner "
          "in between.",
          stag, n.other_message);
    case NoteKind::response_to_invalidated_stag:
      return fmt::format("A Read Response goes to STag 0x{:08x}, which message {} of the same sender had invalidated.",
                         stag, n.other_message);
    case NoteKind::read_contradicts_write:
      return fmt::format("The RDMA Read returns {} at {}, where message {} had written {}.", n.seen, buffer(n),
                         n.other_message, n.due);
    case NoteKind::overlapping_placement:
      return fmt::format("{} octets at {} are written again; message {} wrote there, and nothing was delivered since.",
                         n.octets, buffer(n), n.other_message);
    case NoteKind::stag_from_another_stream:
      return fmt::format("STag 0x{:08x} is used from queue pair {}; queue pair {}, with another peer, used it first.",
                         stag, n.qp, n.other_qp);
    case NoteKind::written_after_completion:
      return fmt::format("{} is written again after a Send had told its owner that the data is there.", buffer(n));
    case NoteKind::read_after_completion:
      return fmt::format("{} is read again after a Send had told its owner that the transfer is over.", buffer(n));
    case NoteKind::read_of_written_buffer:
      return fmt::format("STag 0x{:08x} is read for the first time; until now it was only written.", stag);
    case NoteKind::invalidated_while_in_use:
      return fmt::format("Queue pair {} invalidates STag 0x{:08x}, which queue pair {} uses.", n.qp, stag, n.other_qp);
    case NoteKind::predictable_stags:
      return fmt::format("The STags of this host follow each other in steps of 0x{:x}; the latest is 0x{:08x}.", n.step,
                         stag);
    case NoteKind::stag_zero: break;
  }
  return fmt::format("An access goes to STag 0, TO 0x{:016x}.", n.to.value);
}

}  // namespace iwarpscope::emulation
