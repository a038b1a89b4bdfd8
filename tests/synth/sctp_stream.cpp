#include "synth/sctp_stream.h"

#include "synth/association.h"

namespace iwarpscope::synth {

using wire::SessionControl;
using wire::SessionFunction;

SctpStream::SctpStream(Association& association, std::uint16_t id, std::uint64_t seed)
    : DdpStream(seed), association_(association), id_(id) {}

void SctpStream::startup(const Startup& s) {
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

void SctpStream::control(Side side, const SessionControl& message, const ChunkFaults& faults) {
  begun_ = true;
  put(side,
      {.stream = id_, .ppid = wire::kSessionControlPpid, .user_data = wire::write(message, next_ddp_ssn(side, faults))},
      faults);
}

void SctpStream::close(Side first, bool both) {
  settle(peer(first));
  control(first, {SessionFunction::terminate});
  settle(first);
  if (!both) return;
  control(peer(first), {SessionFunction::terminate});
  settle(peer(first));
}

void SctpStream::new_session(bool in_haste) {
  if (!in_haste) association_.acknowledge_all();
  ddp_ssn_ = {};
  begun_ = false;
  begin_again();
}

std::uint16_t SctpStream::next_ddp_ssn(Side side, const ChunkFaults& faults) {
  const std::uint16_t right = ddp_ssn_[index(side)]++;
  return static_cast<std::uint16_t>(faults.ddp_ssn.value_or(right) + faults.ddp_ssn_delta);
}

void SctpStream::put(Side side, wire::Data chunk, const ChunkFaults& faults) {
  chunk.unordered = faults.unordered.value_or(true);
  chunk.ppid = faults.ppid.value_or(chunk.ppid);
  association_.data(side, std::move(chunk));
}

void SctpStream::put_segment(Side side, Octets segment, const Alter& alter) {
  begun_ = true;
  const std::uint16_t ddp_ssn = next_ddp_ssn(side, alter.chunk);
  put(side, {.stream = id_, .ppid = wire::kDdpSegmentPpid, .user_data = wire::write_ddp_segment(ddp_ssn, segment)},
      alter.chunk);
}

void SctpStream::settle(Side side) {
  association_.settle(side);
}

// The largest that travels unfragmented with a SACK beside it, but what a session control message needs at least.
// Source: RFC 5043 §9.
std::size_t SctpStream::usual_mulpdu(Side) const {
  constexpr std::size_t kLeast = 516;
  return std::max(association_.usual_user_data(), kLeast) - 2;
}

Octets SctpStream::owner(Side side) const {
  const ConnectionOptions& o = association_.options();
  return (side == Side::initiator ? o.initiator : o.responder).address.octets();
}

}  // namespace iwarpscope::synth
