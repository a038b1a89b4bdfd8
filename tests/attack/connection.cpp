// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "attack/connection.h"

namespace iwarpscope::attack {

namespace wire = synth::wire;
using wire::Opcode;

namespace {

Buffer tagged(Opcode opcode, STag stag, std::uint64_t to, const Buffer& payload, bool last) {
  const wire::DdpTagged header{.control = wire::ddp_control(true, last),
                               .rdmap_control = wire::rdmap_control(opcode),
                               .stag = stag,
                               .to = TaggedOffset{to}};
  return wire::write(wire::FpduForm{}, wire::write(header, payload));
}

}  // namespace

Connection::Connection(Load& load, std::uint32_t number, std::uint16_t port)
    : load_(load),
      address_{Address::v4(0x0A000001U + (number >> 14U)), Address::v4(0x0B000001U)},
      port_{static_cast<std::uint16_t>(1024 + (number & 0x3FFFU)), port},
      sequence_{static_cast<std::uint32_t>(load.random.next()), static_cast<std::uint32_t>(load.random.next())} {}

void Connection::emit(Direction d, std::uint32_t sequence, std::uint8_t flags, Octets payload,
                      std::optional<std::size_t> captured) {
  const std::size_t from = index(d);
  const std::size_t to = index(opposite(d));
  const bool acknowledges = (flags & wire::kAck) != 0;
  const wire::Tcp header{.source_port = port_[from],
                         .destination_port = port_[to],
                         .sequence = sequence,
                         .acknowledgment = acknowledges ? sequence_[to] : 0,
                         .flags = flags};
  load_.ip({.source = address_[from], .destination = address_[to]},
           wire::write(header, payload, address_[from], address_[to]), captured);
}

void Connection::segment(Direction d, Octets payload, std::uint8_t flags) {
  emit(d, sequence_[index(d)], flags, payload, {});
  const bool takes_one = (flags & (wire::kSyn | wire::kFin)) != 0;
  sequence_[index(d)] += static_cast<std::uint32_t>(payload.size()) + (takes_one ? 1U : 0U);
}

void Connection::segment_ahead(Direction d, std::int64_t ahead, Octets payload, std::optional<std::size_t> captured) {
  emit(d, sequence_[index(d)] + static_cast<std::uint32_t>(ahead), wire::kPsh | wire::kAck, payload, captured);
}

void Connection::handshake() {
  segment(kThere, {}, wire::kSyn);
  segment(kBack, {}, wire::kSyn | wire::kAck);
  segment(kThere, {}, wire::kAck);
}

void Connection::start(const Buffer& private_data) {
  handshake();
  segment(kThere, wire::write(wire::StartupFrame{.private_data = private_data}));
  segment(kBack,
          wire::write(wire::StartupFrame{.kind = wire::StartupFrame::Kind::reply, .private_data = private_data}));
}

void Connection::push(Direction d, const Buffer& octets, std::size_t size) {
  Buffer& pending = pending_[index(d)];
  pending.insert(pending.end(), octets.begin(), octets.end());
  std::size_t sent = 0;
  for (; pending.size() - sent >= size; sent += size) segment(d, Octets{pending}.subspan(sent, size));
  pending.erase(pending.begin(), pending.begin() + static_cast<std::ptrdiff_t>(sent));
}

void Connection::flush(Direction d) {
  Buffer& pending = pending_[index(d)];
  if (!pending.empty()) segment(d, pending);
  pending.clear();
}

Buffer Connection::untagged(Opcode opcode, std::uint32_t queue, std::uint32_t msn, const Buffer& payload, bool last) {
  const wire::DdpUntagged header{.control = wire::ddp_control(false, last),
                                 .rdmap_control = wire::rdmap_control(opcode),
                                 .qn = QueueNumber{queue},
                                 .msn = MessageSequence{msn}};
  return wire::write(wire::FpduForm{}, wire::write(header, payload));
}

Buffer Connection::send(Direction d, const Buffer& payload, bool last) {
  return untagged(Opcode::send, 0, next_msn(d, 0), payload, last);
}

Buffer Connection::send_invalidate(Direction d, STag stag) {
  const wire::DdpUntagged header{.rdmap_control = wire::rdmap_control(Opcode::send_invalidate),
                                 .invalidate_stag = stag.value,
                                 .msn = MessageSequence{next_msn(d, 0)}};
  return wire::write(wire::FpduForm{}, wire::write(header, filled(1)));
}

Buffer Connection::read_request(Direction d, const wire::ReadRequest& request) {
  return untagged(Opcode::rdma_read_request, 1, next_msn(d, 1), wire::write(request));
}

Buffer Connection::atomic_request(Direction d, const wire::AtomicRequest& request) {
  return untagged(Opcode::atomic_request, 1, next_msn(d, 1), wire::write(request));
}

Buffer Connection::atomic_response(Direction d, const wire::AtomicResponse& response) {
  return untagged(Opcode::atomic_response, 3, next_msn(d, 3), wire::write(response));
}

Buffer Connection::terminate(Direction d, STag stag, TaggedOffset to) {
  const Buffer quoted = wire::write(wire::DdpTagged{.stag = stag, .to = to});
  const wire::Terminate header{.layer = 1, .ddp_length = 22, .ddp_header = quoted};
  return untagged(Opcode::terminate, 2, next_msn(d, 2), wire::write(header));
}

Buffer Connection::write(STag stag, std::uint64_t to, const Buffer& payload, bool last) {
  return tagged(Opcode::rdma_write, stag, to, payload, last);
}

Buffer Connection::read_response(STag stag, std::uint64_t to, const Buffer& payload) {
  return tagged(Opcode::rdma_read_response, stag, to, payload, true);
}

}  // namespace iwarpscope::attack
