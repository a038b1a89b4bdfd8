// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// A new connection on the addresses and ports of an old one.
#include <algorithm>
#include <array>

#include "mpa/startup_frame_view.h"
#include "qp/transport/tcp_queue_pair_state.h"

namespace iwarpscope::qp {

namespace {

/// Its first octets are a whole MPA startup frame of a known revision, with this key.
bool begins_with(const net::TcpPacket& packet, const std::array<std::byte, mpa::kKeyOctets>& key) noexcept {
  constexpr std::uint8_t kNewestRevision = 2;  // RFC 6581 §6
  const auto parsed = mpa::StartupFrameView::parse(packet.payload);
  const auto* const view = std::get_if<mpa::StartupFrameView>(&parsed);
  if (view == nullptr || !std::equal(key.begin(), key.end(), view->key().begin())) return false;
  return view->revision() <= kNewestRevision && view->private_data_length() <= mpa::kMaxPrivateData &&
         mpa::StartupFrameView::kOctets + view->private_data_length() <= packet.payload_length;
}

}  // namespace

bool begins_with_request(const net::TcpPacket& packet) noexcept {
  return begins_with(packet, mpa::kRequestKey);
}

bool TcpQueuePair::Impl::is_reused_by(Direction d, const net::TcpPacket& packet) const noexcept {
  if (connection_.is_reused_by(d, packet)) return true;
  const bool asks = begins_with_request(packet);
  if (!asks && !begins_with(packet, mpa::kReplyKey)) return false;
  if (asks && follows_end(d, packet)) return true;
  const auto offset = connection_.far_off(d, packet);
  if (!offset) return false;
  // That of this connection once more, as in a capture that holds everything twice. Offsets may be off by 2^32.
  const mpa::StartupFrame* const own = asks ? request() : reply();
  return own == nullptr || static_cast<std::uint32_t>(own->start.value) != static_cast<std::uint32_t>(offset->value);
}

bool TcpQueuePair::Impl::is_other_syn(Direction d, const net::TcpPacket& packet) const noexcept {
  return packet.has(net::tcp_flag::syn) && connection_.has_origin(d) &&
         connection_.offset_of(d, packet) != kStreamOrigin;
}

/// The connection had its Request and has ended, and this one lies after everything that its sender sent on it.
bool TcpQueuePair::Impl::follows_end(Direction d, const net::TcpPacket& packet) const noexcept {
  if (request() == nullptr || !is_closed()) return false;
  const auto offset = connection_.offset_of(d, packet);
  return offset && *offset > connection_.next_offset(d) + 1;
}

bool TcpQueuePair::Impl::ignores_syn(Direction d, const net::TcpPacket& packet) const noexcept {
  if (!packet.has(net::tcp_flag::syn) || connection_.closed_by() != tcp::ClosedBy::open) return false;
  for (const Direction either : kDirections) {
    // An RST that nothing followed may have ended it.
    if (connection_.last_reset(either) || connection_.fin_offset(either)) return false;
  }
  return connection_.judge(d, packet) != tcp::Doubt::none;
}

bool TcpQueuePair::Impl::fits(Direction d, const net::TcpPacket& packet) const noexcept {
  return connection_.is_near(d, packet);
}

bool TcpQueuePair::Impl::is_stray(Direction d, const net::TcpPacket& packet) const noexcept {
  namespace flag = net::tcp_flag;
  return packet.payload_length == 0 && !packet.has(flag::syn | flag::fin | flag::rst) &&
         connection_.far_off(d, packet).has_value() && !connection_.answers_refused(d, packet);
}

const mpa::StartupFrame* TcpQueuePair::Impl::request() const noexcept {
  if (startup_ != nullptr) return startup_->request();
  return kept_ != nullptr && kept_->request ? &*kept_->request : nullptr;
}

const mpa::StartupFrame* TcpQueuePair::Impl::reply() const noexcept {
  if (startup_ != nullptr) return startup_->reply();
  return kept_ != nullptr && kept_->reply ? &*kept_->reply : nullptr;
}

}  // namespace iwarpscope::qp
