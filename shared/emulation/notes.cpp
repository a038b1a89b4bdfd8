// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "emulation/notes.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/wording.h"

namespace iwarpscope::emulation {

using findings::FindingId;

FindingId rule_of(NoteKind kind) noexcept {
  switch (kind) {
    case NoteKind::stag_used_after_invalidate: return FindingId::rdmap_stag_used_after_invalidate;
    case NoteKind::stag_invalidated_twice: return FindingId::rdmap_stag_invalidated_twice;
    case NoteKind::response_to_invalidated_stag: return FindingId::rdmap_response_to_invalidated_stag;
    case NoteKind::read_contradicts_write: return FindingId::rdmap_read_contradicts_write;
    case NoteKind::overlapping_placement: return FindingId::rdmap_overlapping_placement;
    case NoteKind::stag_from_another_stream: return FindingId::stag_other_stream;
    case NoteKind::written_after_completion: return FindingId::stag_written_after_completion;
    case NoteKind::read_after_completion: return FindingId::stag_read_after_completion;
    case NoteKind::read_of_written_buffer: return FindingId::stag_read_of_written_buffer;
    case NoteKind::invalidated_while_in_use: return FindingId::stag_invalidated_while_in_use;
    case NoteKind::predictable_stags: break;
  }
  return FindingId::stag_predictable;
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
      return fmt::format("{} at {} {} written again; message {} wrote there, and nothing was delivered since.",
                         counted(n.octets, "octet"), buffer(n), n.octets == 1 ? "is" : "are", n.other_message);
    case NoteKind::stag_from_another_stream:
      return fmt::format("STag 0x{:08x} is used from queue pair {}; queue pair {}, with another peer, used it first.",
                         stag, n.qp, n.other_qp);
    case NoteKind::written_after_completion:
      return fmt::format("{} is written again after a Send had reported to its owner that the data is there.",
                         buffer(n));
    case NoteKind::read_after_completion:
      return fmt::format("{} is read again after a Send had reported to its owner that the transfer is complete.",
                         buffer(n));
    case NoteKind::read_of_written_buffer:
      return fmt::format("STag 0x{:08x} is read for the first time; until now it was only written.", stag);
    case NoteKind::invalidated_while_in_use:
      return fmt::format("Queue pair {} invalidates STag 0x{:08x}, which queue pair {} uses.", n.qp, stag, n.other_qp);
    case NoteKind::predictable_stags: break;
  }
  return fmt::format("The STags of this host follow each other in steps of 0x{:x}; the latest is 0x{:08x}.", n.step,
                     stag);
}

findings::Finding finding_of(const Note& n) {
  findings::Finding f;
  f.id = rule_of(n.kind);
  f.direction = n.direction;
  f.message = n.message;
  f.frame = n.frame;
  f.broken_in = n.frame;
  for (const FrameNumber frame : n.frames) {
    if (frame.value != 0) f.frames.push_back(frame);
  }
  f.seen = n.seen.empty() ? fmt::format("0x{:08x}", n.stag.value) : n.seen;
  f.expected = n.due;
  f.text = sentence(n);
  return f;
}

}  // namespace iwarpscope::emulation
