// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The MPA half of a Connection.
#include "synth/connection.h"

namespace iwarpscope::synth {

wire::StartupFrame request_frame(const Startup& s) {
  const bool enhanced = s.request_enhanced.has_value();
  return {.kind = wire::StartupFrame::Kind::request,
          .markers = s.request_markers.value_or(s.markers),
          .crc = s.request_crc.value_or(s.crc),
          .revision = static_cast<std::uint8_t>(enhanced && s.revision == 1 ? 2 : s.revision),
          .enhanced = s.request_enhanced,
          .private_data = s.request_private_data};
}

wire::StartupFrame reply_frame(const Startup& s) {
  const bool enhanced = s.reply_enhanced.has_value();
  return {.kind = wire::StartupFrame::Kind::reply,
          .markers = s.reply_markers.value_or(s.markers),
          .crc = s.reply_crc.value_or(s.crc),
          .reject = s.reject,
          .revision = static_cast<std::uint8_t>(enhanced && s.revision == 1 ? 2 : s.revision),
          .enhanced = s.reply_enhanced,
          .private_data = s.reply_private_data};
}

Connection::Connection(ConnectionOptions options) : DdpStream(options.seed), Conversation(std::move(options)) {
  ends_[0].endpoint = options_.initiator;
  ends_[1].endpoint = options_.responder;
  for (End& e : ends_) e.sent = e.received = 1;  // as after a handshake that was not captured
}

// ---- startup ----

void Connection::startup(const Startup& startup) {
  this->startup(request_frame(startup), reply_frame(startup));
  rtr(startup.rtr);
}

void Connection::startup(const wire::StartupFrame& request, const wire::StartupFrame& reply) {
  this->request(request);
  this->reply(reply);
}

void Connection::request(const wire::StartupFrame& frame, Side side) {
  startup_frame(side, frame);
}
void Connection::reply(const wire::StartupFrame& frame, Side side) {
  startup_frame(side, frame);
}

void Connection::startup_frame(Side side, const wire::StartupFrame& frame) {
  settle(peer(side));
  flush(side);
  in_pieces(side, wire::write(frame), tcp_payload(side));
  end(side).startup = frame;
  begin_full_operation(side);
  negotiate();
}

void Connection::begin_full_operation(Side side) {
  flush(side);
  end(side).position = 0;
}

// Markers are inserted if the peer requested them; both ends use CRCs if one requested them. Source: RFC 5044 §7.1.1.
void Connection::negotiate() {
  if (ends_[0].startup && ends_[1].startup) {
    const wire::StartupFrame& a = *ends_[0].startup;
    const wire::StartupFrame& b = *ends_[1].startup;
    ends_[0].markers = b.markers;
    ends_[1].markers = a.markers;
    ends_[0].crc = ends_[1].crc = a.crc || b.crc;
    if (a.revision == 0 || b.revision == 0) {  // RDMAC mode, RFC 5044 App. C.1
      use_version(0);
      ends_[0].markers = ends_[1].markers = ends_[0].crc = ends_[1].crc = true;
    }
  }
  for (std::size_t i = 0; i < 2; ++i) {
    ends_[i].markers = markers_override_[i].value_or(ends_[i].markers);
    ends_[i].crc = crc_override_[i].value_or(ends_[i].crc);
  }
}

void Connection::use_markers(Side side, bool on) {
  markers_override_[index(side)] = on;
  negotiate();
}

void Connection::use_crc(Side side, bool on) {
  crc_override_[index(side)] = on;
  negotiate();
}

void Connection::use_crc(bool on) {
  use_crc(Side::initiator, on);
  use_crc(Side::responder, on);
}

// ---- FPDUs ----

std::size_t Connection::usual_mulpdu(Side side) const {
  return wire::mulpdu(tcp_payload(side), end(side).markers);
}

Octets Connection::owner(Side side) const {
  return end(side).endpoint.address.octets();
}

void Connection::put_segment(Side side, Octets segment, const Alter& alter) {
  wire::FpduForm form = alter.fpdu;
  form.markers = alter.markers.value_or(end(side).markers);
  form.crc = end(side).crc;
  raw_ulpdu(side, segment, form);
}

void Connection::raw_ulpdu(Side side, Octets ulpdu, const wire::FpduForm& form) {
  Buffer octets = wire::write(form, ulpdu, end(side).position);
  end(side).position += octets.size();
  put(side, std::move(octets), true);
}

void Connection::raw_octets(Side side, Octets octets) {
  end(side).position += octets.size();
  put(side, Buffer(octets.begin(), octets.end()), false);
}

}  // namespace iwarpscope::synth
