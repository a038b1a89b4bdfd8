// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "qp/tcp_queue_pair.h"

#include <array>

#include "base/archive.h"
#include "qp/direction/open_message.h"
#include "qp/transport/tcp_queue_pair_state.h"

namespace iwarpscope::qp {
namespace {

using findings::FindingId;

constexpr std::uint32_t kHandshake = 3;  // TCP segments: SYN, SYN and ACK, ACK

}  // namespace

TcpQueuePair::Impl::Impl(Environment& environment, const Beginning& beginning, Events& sink, Observation* observer)
    : QueuePair::Impl(environment,
                      {beginning.a, beginning.b, beginning.roles, beginning.first_frame, beginning.first_time}, sink,
                      observer),
      MpaConnection(beginning.origins, environment, environment.budget),
      llps_{MpaHalf(halves_[0], *this), MpaHalf(halves_[1], *this)} {
  midstream = beginning.midstream;
  shows_tcp_segments_ = observer != nullptr && observer->shows_tcp_segments();
  seen_ = {beginning.origins[0].seen, beginning.origins[1].seen};
  seen_on_ = {beginning.origins[0].interfaces, beginning.origins[1].interfaces};
  if (beginning.banner != nullptr) {
    rare_ = std::make_unique<Rare>();
    rare_->banner = *beginning.banner;
  }
  spoke_before_ = {beginning.origins[0].octets_seen, beginning.origins[1].octets_seen};
  const std::uint32_t before = beginning.origins[0].packets + beginning.origins[1].packets;
  handshake_seen_ = beginning.origins[0].syn_seen && beginning.origins[1].syn_seen && before <= kHandshake;
  begin_seen_ = handshake_seen_ && before == kHandshake;
  if (!midstream) startup_ = std::make_unique<mpa::Startup>(*this);
  for (const Direction d : kDirections) {
    halves_[index(d)].connect(halves_[index(opposite(d))], llps_[index(d)]);
  }
  if (midstream) {
    for (const Direction d : kDirections) {
      mpa::FramingSettings settings;
      settings.mss = connection_.mss(opposite(d));
      llps_[index(d)].begin_framing(settings);
    }
  }
}

void TcpQueuePair::Impl::feed(Direction d, const net::TcpPacket& packet, FrameNumber at_frame, TimePoint at_time) {
  if (waiting_ == nullptr && is_stray(d, packet)) return;
  frame = at_frame;
  time = at_time;
  if (packet.payload_length != 0) note_octets(d);
  bool belongs = true;
  const bool all_seen = waiting_ == nullptr && connection_.shows_unseen(d, packet) == tcp::Unseen::none;
  if (all_seen || (waiting_ == nullptr && !awaited(d, packet))) {
    belongs = take(d, packet);
  } else {
    take_in_turn(d, packet);
  }
  // Also of one that waits: where it will be taken, its octets may not be in the present frame any more.
  observe(d, packet, belongs);
  if (startup_ != nullptr && startup_->phase() == mpa::StartupPhase::full_operation) keep_startup_frames();
}

void TcpQueuePair::Impl::observe(Direction d, const net::TcpPacket& packet, bool belongs) {
  if (!shows_tcp_segments_ || packet.payload_length == 0) return;
  observation->tcp_segment(d, packet, belongs ? connection_.offset_of(d, packet) : std::nullopt);
}

bool TcpQueuePair::Impl::take(Direction d, const net::TcpPacket& packet) {
  taken_ = {packet.frame, packet.time};
  const tcp::Doubt doubt = connection_.judge(d, packet);
  if (doubt != tcp::Doubt::none) {
    connection_.feed(d, packet, doubt, sinks(), *this);
    return false;
  }
  if (packet.frame >= last_frame_) {
    last_frame_ = packet.frame;
    last_time_ = packet.time;
  }
  seen_[index(d)] = true;
  seen_on_[index(d)].add(packet.interface);
  one_sided = !(seen_[0] && seen_[1]);
  follow(d, packet);
  if (env.transport && confirmed) {
    const std::array before{connection_.statistics(Direction::a_to_b), connection_.statistics(Direction::b_to_a)};
    connection_.feed(d, packet, doubt, sinks(), *this);
    tell_transport(d, packet, before);
  } else {
    connection_.feed(d, packet, doubt, sinks(), *this);
  }
  follow_close();
  return true;
}

void TcpQueuePair::Impl::finish_llp() {
  take_all_waiting();
  taken_ = {frame, time};
  connection_.finish(frame, time, sinks(), *this);
  follow_last_resets();
  one_sided = !(coverage[0].is_captured() && coverage[1].is_captured());
  follow_close();
  end_startup();
  for (MpaHalf& llp : llps_) llp.ended(false);
}

Beginning TcpQueuePair::beginning() const {
  const Impl& impl = tcp();
  Beginning beginning;
  beginning.a = impl.a_;
  beginning.b = impl.b_;
  beginning.first_frame = impl.first_frame_;
  beginning.first_time = impl.first_time_;
  return beginning;
}

template <class A>
void TcpQueuePair::archive(A& a) {
  tcp().archive(a);
}
template void TcpQueuePair::archive(Archive& a);

bool TcpQueuePair::Impl::is_given_up() const noexcept {
  if (confirmed) return false;
  if (!midstream) {
    return startup_ != nullptr && startup_->phase() == mpa::StartupPhase::await_request &&
           startup_->request() == nullptr && !startup_->is_collecting();
  }
  bool given_up = false;
  for (const Direction d : kDirections) {
    const mpa::FramerState framing = llps_[index(d)].framer()->state();
    if (framing == mpa::FramerState::given_up) {
      given_up = true;
    } else if (framing == mpa::FramerState::framing || covered(d).has_octets()) {
      return false;
    }
  }
  return given_up;
}

/// It would blame a sender whose octets are framed by a guess that nothing confirms yet.
bool TcpQueuePair::Impl::is_premature(const findings::Finding& finding) const noexcept {
  const findings::Rule& rule = findings::rule(finding.id);
  if (!finding.direction || rule.about != findings::About::peer || rule.severity == findings::Severity::note) {
    return false;
  }
  const mpa::Framer* const framer = llps_[index(*finding.direction)].framer();
  if (framer == nullptr || framer->is_proven()) return false;
  // Its framer has counted enough FPDUs before it raised this.
  if (finding.id == FindingId::mpa_crc_not_computed) return false;
  // One right CRC vouches for what a Terminate says: that is the only FPDU that many ends send in a capture.
  const bool is_of_terminate =
      finding.id == FindingId::rdmap_terminate_sent || finding.id == FindingId::rdmap_terminate_claim_false;
  return !is_of_terminate || framer->statistics().crc_good == 0;
}

std::uint64_t TcpQueuePair::Impl::mirror_duplicates() const noexcept {
  return connection_.statistics(Direction::a_to_b).mirror_duplicates +
         connection_.statistics(Direction::b_to_a).mirror_duplicates;
}

TcpQueuePair::TcpQueuePair(Environment& environment, const Beginning& beginning, Events& events,
                           Observation* observation)
    : QueuePair(std::make_unique<Impl>(environment, beginning, events, observation)) {}

TcpQueuePair::Impl& TcpQueuePair::tcp() const noexcept {
  return static_cast<Impl&>(*impl_);
}
void TcpQueuePair::feed(Direction d, const net::TcpPacket& packet, FrameNumber frame, TimePoint time) {
  tcp().feed(d, packet, frame, time);
}
void TcpQueuePair::pass_time(FrameNumber frame, TimePoint time) {
  tcp().pass_time(frame, time);
}
void TcpQueuePair::stop_waiting(FrameNumber frame, TimePoint time) {
  tcp().stop_waiting(frame, time);
}
bool TcpQueuePair::is_waiting() const noexcept {
  return tcp().is_waiting();
}
bool TcpQueuePair::is_reused_by(Direction d, const net::TcpPacket& packet) const noexcept {
  return tcp().is_reused_by(d, packet);
}
bool TcpQueuePair::ignores_syn(Direction d, const net::TcpPacket& packet) const noexcept {
  return tcp().ignores_syn(d, packet);
}
bool TcpQueuePair::fits(Direction d, const net::TcpPacket& packet) const noexcept {
  return tcp().fits(d, packet);
}
bool TcpQueuePair::is_other_syn(Direction d, const net::TcpPacket& packet) const noexcept {
  return tcp().is_other_syn(d, packet);
}
bool TcpQueuePair::is_given_up() const noexcept {
  return tcp().is_given_up();
}

}  // namespace iwarpscope::qp
