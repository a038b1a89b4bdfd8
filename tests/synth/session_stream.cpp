// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "synth/session_stream.h"

namespace iwarpscope::synth {

using wire::SessionControl;
using wire::SessionFunction;

void SessionStream::startup(const Startup& s) {
  if (begun_) new_session();
  const bool enhanced = s.request_enhanced.has_value();
  control(Side::initiator, {enhanced ? SessionFunction::enhanced_initiate : SessionFunction::initiate,
                            s.request_enhanced, s.request_private_data});
  settle(Side::initiator);
  const bool answer_enhanced = s.reply_enhanced.has_value() || (enhanced && s.reject);
  const SessionFunction accept = answer_enhanced ? SessionFunction::enhanced_accept : SessionFunction::accept;
  const SessionFunction reject = answer_enhanced ? SessionFunction::enhanced_reject : SessionFunction::reject;
  control(Side::responder, {s.reject ? reject : accept, s.reply_enhanced, s.reply_private_data});
  settle(Side::responder);
  rtr(s.rtr);
}

void SessionStream::control(Side side, const SessionControl& message, const ChunkFaults& faults) {
  begun_ = true;
  put(side,
      {.stream = id_, .ppid = wire::kSessionControlPpid, .user_data = wire::write(message, next_ddp_ssn(side, faults))},
      faults);
}

void SessionStream::close(Side first, bool both) {
  settle(peer(first));
  control(first, {SessionFunction::terminate});
  settle(first);
  if (!both) return;
  control(peer(first), {SessionFunction::terminate});
  settle(peer(first));
}

void SessionStream::new_session(bool in_haste) {
  if (!in_haste) acknowledge_all();
  ddp_ssn_ = {};
  begun_ = false;
  begin_again();
}

std::uint16_t SessionStream::next_ddp_ssn(Side side, const ChunkFaults& faults) {
  const std::uint16_t right = ddp_ssn_[index(side)]++;
  return static_cast<std::uint16_t>(faults.ddp_ssn.value_or(right) + faults.ddp_ssn_delta);
}

void SessionStream::put(Side side, wire::Data chunk, const ChunkFaults& faults) {
  chunk.unordered = faults.unordered.value_or(true);
  chunk.ppid = faults.ppid.value_or(chunk.ppid);
  put_chunk(side, std::move(chunk));
}

void SessionStream::put_segment(Side side, Octets segment, const Alter& alter) {
  begun_ = true;
  const std::uint16_t ddp_ssn = next_ddp_ssn(side, alter.chunk);
  put(side, {.stream = id_, .ppid = wire::kDdpSegmentPpid, .user_data = wire::write_ddp_segment(ddp_ssn, segment)},
      alter.chunk);
}

}  // namespace iwarpscope::synth
