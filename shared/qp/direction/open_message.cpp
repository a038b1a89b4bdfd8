// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "qp/direction/open_message.h"

namespace iwarpscope::qp {

MessageFacts OpenMessage::facts(Direction direction) const noexcept {
  MessageFacts f;
  f.direction = direction;
  f.message = message;
  f.opcode = opcode;
  f.first_frame = first.first_frame;
  f.last_frame = last_frame;
  f.first_time = first.first_time;
  f.placed_time = placed_time;
  f.delivered_time = delivered_time;
  f.tagged = tagged;
  f.intact = intact;
  f.stag = stag;
  f.to = to;
  f.qn = qn;
  f.msn = msn;
  if (!tagged && rdmap::traits(opcode).invalidates) f.invalidates = STag{invalidate_stag};
  return f;
}

findings::Finding finding_about(findings::FindingId id, Direction direction, const OpenMessage& open) {
  findings::Finding f;
  f.id = id;
  f.direction = direction;
  f.message = open.message;
  f.frame = open.last_frame;
  f.broken_in = open.last_frame;
  f.offset = open.first.offset;
  if (open.first.first_frame != open.last_frame) f.frames = {open.first.first_frame, open.last_frame};
  return f;
}

std::unique_ptr<MessageRecord> make_record(const OpenMessage& open, Direction direction, const ddp::MessageEnd& end,
                                           bool digest) {
  auto r = std::make_unique<MessageRecord>();
  r->direction = direction;
  r->index = open.message;
  r->opcode = open.opcode;
  r->first_frame = open.first.first_frame;
  r->last_frame = open.last_frame;
  r->first_time = open.first.first_time;
  r->placed_time = open.placed_time;
  r->delivered_time = open.delivered_time;
  r->ddp_segments = end.ddp_segments;
  r->length = end.length;
  r->complete = end.complete;
  if (open.digest != nullptr && digest && end.complete && open.digest_in_order) r->sha256 = open.digest->end();
  r->tagged = open.tagged;
  r->stag = open.stag;
  r->to = open.to;
  r->qn = open.qn;
  r->msn = open.msn;
  if (!open.tagged && rdmap::traits(open.opcode).invalidates) r->invalidate_stag = STag{open.invalidate_stag};
  return r;
}

}  // namespace iwarpscope::qp
