// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "synth/ddp_stream.h"

#include <algorithm>
#include <stdexcept>

namespace iwarpscope::synth {

namespace {

constexpr std::size_t kPoolOctets = 128 * 1024;

// Octets from which payloads are taken: random, so that they do not resemble a protocol by chance, and the same in
// every run.
const Buffer& pool() {
  static const Buffer octets = Random(0x69574152).octets(kPoolOctets);
  return octets;
}

std::uint8_t with_bits(std::uint8_t octet, std::uint8_t mask, unsigned value) {
  return static_cast<std::uint8_t>((octet & ~mask) | (value & mask));
}

void alter_controls(const Alter& a, std::uint8_t& ddp, std::uint8_t& rdmap) {
  if (a.tagged) ddp = with_bits(ddp, 0x80, *a.tagged ? 0x80 : 0);
  if (a.last) ddp = with_bits(ddp, 0x40, *a.last ? 0x40 : 0);
  if (a.ddp_reserved) ddp = with_bits(ddp, 0x3C, *a.ddp_reserved * 4U);
  if (a.ddp_version) ddp = with_bits(ddp, 0x03, *a.ddp_version);
  if (a.rdmap_version) rdmap = with_bits(rdmap, 0xC0, *a.rdmap_version * 64U);
  if (a.rdmap_reserved) rdmap = with_bits(rdmap, 0x30, *a.rdmap_reserved * 16U);
  if (a.opcode) rdmap = with_bits(rdmap, 0x0F, *a.opcode);
  ddp = a.ddp_control.value_or(ddp);
  rdmap = a.rdmap_control.value_or(rdmap);
}

}  // namespace

Buffer DdpStream::octets_of(const Payload& payload) {
  if (payload.given()) return *payload.given();
  if (fill_ != Fill::random) {
    Buffer out(payload.count());
    if (fill_ == Fill::counting) {
      for (std::size_t k = 0; k < out.size(); ++k) out[k] = static_cast<std::byte>(k);
    }
    return out;
  }
  Buffer out;
  out.reserve(payload.count());
  while (out.size() < payload.count()) {
    const std::size_t from = random_.below(kPoolOctets / 2);
    const std::size_t count = std::min(payload.count() - out.size(), kPoolOctets / 2);
    const auto begin = pool().begin() + static_cast<std::ptrdiff_t>(from);
    out.insert(out.end(), begin, begin + static_cast<std::ptrdiff_t>(count));
  }
  return out;
}

// ---- messages ----

void DdpStream::tagged_message(Side side, wire::Opcode opcode, STag stag, TaggedOffset to, const Payload& payload) {
  const Buffer octets = octets_of(payload);
  const std::size_t room = std::max<std::size_t>(mulpdu(side), 15) - 14;
  std::size_t at = 0;
  do {
    const std::size_t count = std::min(room, octets.size() - at);
    const bool last = at + count == octets.size();
    ddp_segment(side,
                wire::DdpTagged{wire::ddp_control(true, last, version_), wire::rdmap_control(opcode, version_), stag,
                                TaggedOffset{to.value + at}},
                Octets(octets).subspan(at, count));
    at += count;
  } while (at < octets.size());
  end_message(side);
}

void DdpStream::untagged_message(Side side, wire::Opcode opcode, QueueNumber qn, std::uint32_t invalidate_stag,
                                 const Payload& payload) {
  const Buffer octets = octets_of(payload);
  const std::size_t room = std::max<std::size_t>(mulpdu(side), 19) - 18;
  const std::uint32_t msn = ddp(side).msn.try_emplace(qn.value, 1).first->second++;
  std::size_t at = 0;
  do {
    const std::size_t count = std::min(room, octets.size() - at);
    const bool last = at + count == octets.size();
    ddp_segment(
        side,
        wire::DdpUntagged{wire::ddp_control(false, last, version_), wire::rdmap_control(opcode, version_),
                          invalidate_stag, qn, MessageSequence{msn}, MessageOffset{static_cast<std::uint32_t>(at)}},
        Octets(octets).subspan(at, count));
    at += count;
  } while (at < octets.size());
  end_message(side);
}

void DdpStream::send(Side side, const Payload& payload) {
  untagged_message(side, wire::Opcode::send, QueueNumber{0}, 0, payload);
}
void DdpStream::send_se(Side side, const Payload& payload) {
  untagged_message(side, wire::Opcode::send_se, QueueNumber{0}, 0, payload);
}
void DdpStream::send_invalidate(Side side, STag stag, const Payload& payload) {
  untagged_message(side, wire::Opcode::send_invalidate, QueueNumber{0}, stag.value, payload);
}
void DdpStream::send_se_invalidate(Side side, STag stag, const Payload& payload) {
  untagged_message(side, wire::Opcode::send_se_invalidate, QueueNumber{0}, stag.value, payload);
}
void DdpStream::write(Side side, STag stag, TaggedOffset to, const Payload& payload) {
  tagged_message(side, wire::Opcode::rdma_write, stag, to, payload);
}

void DdpStream::read(Side side, const wire::ReadRequest& request) {
  read_request(side, request);
  read_response(peer(side));
}

void DdpStream::read_request(Side side, const wire::ReadRequest& request) {
  untagged_message(side, wire::Opcode::rdma_read_request, QueueNumber{1}, 0, wire::write(request));
  ddp(side).reads.push_back(request);
}

void DdpStream::read_response(Side side, const std::optional<Payload>& payload) {
  std::deque<wire::ReadRequest>& reads = ddp(peer(side)).reads;
  if (reads.empty()) throw std::invalid_argument("read_response: no Read Request is outstanding");
  settle(peer(side));
  const wire::ReadRequest request = reads.front();
  reads.pop_front();
  tagged_message(side, wire::Opcode::rdma_read_response, request.sink_stag, request.sink_to,
                 payload.value_or(Payload(request.size)));
}

void DdpStream::immediate(Side side, std::uint64_t value, bool solicited_event) {
  untagged_message(side, solicited_event ? wire::Opcode::immediate_se : wire::Opcode::immediate, QueueNumber{0}, 0,
                   wire::write_immediate(value));
}

std::uint64_t DdpStream::atomic(Side side, wire::AtomicRequest request) {
  atomic_request(side, request);
  return atomic_response(peer(side));
}

void DdpStream::atomic_request(Side side, wire::AtomicRequest request) {
  if (request.request_id == 0) request.request_id = ++ddp(side).request_id;
  untagged_message(side, wire::Opcode::atomic_request, QueueNumber{1}, 0, wire::write(request));
  ddp(side).atomics.push_back(request);
}

std::uint64_t DdpStream::atomic_response(Side side, std::optional<std::uint64_t> original) {
  std::deque<wire::AtomicRequest>& atomics = ddp(peer(side)).atomics;
  if (atomics.empty()) throw std::invalid_argument("atomic_response: no Atomic Request is outstanding");
  settle(peer(side));
  const wire::AtomicRequest request = atomics.front();
  atomics.pop_front();
  const Octets of = owner(side);
  std::uint64_t& word = (*memory_)[{Buffer(of.begin(), of.end()), request.remote_stag.value, request.remote_to.value}];
  const std::uint64_t reported = original.value_or(word);
  word = wire::apply(request, word);
  untagged_message(side, wire::Opcode::atomic_response, QueueNumber{3}, 0,
                   wire::write(wire::AtomicResponse{request.request_id, reported}));
  return reported;
}

void DdpStream::terminate(Side side, const wire::Terminate& terminate) {
  settle(peer(side));
  untagged_message(side, wire::Opcode::terminate, QueueNumber{2}, 0, wire::write(terminate));
}

void DdpStream::terminate_last(Side side, std::uint8_t layer, std::uint8_t error_type, std::uint8_t error_code,
                               wire::TerminateDialect dialect) {
  const DdpEnd& sender = ddp(peer(side));
  const Named& other = sender.kept ? *sender.kept : sender.last;
  wire::Terminate t{.layer = layer, .error_type = error_type, .error_code = error_code, .dialect = dialect};
  const bool names = layer == 1 || (layer == 0 && error_type != 0);  // RFC 5040 Figure 10
  if (names && dialect != wire::TerminateDialect::bare) {
    const bool siw = dialect == wire::TerminateDialect::siw_little_endian;
    t.ddp_length = siw ? other.payload_octets : other.ulpdu_octets;
    t.ddp_header = other.ddp_header;
    if (layer == 0 && error_type == 1) t.rdmap_header = other.rdmap_header;
  }
  terminate(side, t);
}

void DdpStream::tagged(Side side, const wire::DdpTagged& header, const Payload& payload) {
  ddp_segment(side, header, octets_of(payload));
}
void DdpStream::untagged(Side side, const wire::DdpUntagged& header, const Payload& payload) {
  ddp_segment(side, header, octets_of(payload));
}

void DdpStream::rtr(Rtr kind) {
  switch (kind) {
    case Rtr::none: return;
    case Rtr::send: send(Side::initiator); return;
    case Rtr::write: write(Side::initiator, STag{0}, TaggedOffset{0}); return;
    case Rtr::read: read(Side::initiator, {STag{0}, TaggedOffset{0}, 0, STag{0}, TaggedOffset{0}}); return;
  }
}

// ---- DDP segments ----

void DdpStream::alter(Side side, Alter alter, unsigned skip) {
  ddp(side).alters.push_back({skip, std::move(alter)});
}
void DdpStream::fault(Side side, std::string_view name, unsigned skip) {
  alter(side, synth::fault(name), skip);
}
void DdpStream::fault(std::string_view name) {
  any_alter_ = synth::fault(name);
}

Alter DdpStream::next_alter(Side side) {
  std::optional<Alter> found = std::exchange(any_alter_, std::nullopt);
  std::deque<PlannedAlter>& alters = ddp(side).alters;
  for (auto it = alters.begin(); it != alters.end();) {
    if (it->skip == 0 && !found) {
      found = std::move(it->alter);
      it = alters.erase(it);
    } else {
      if (it->skip > 0) --it->skip;
      ++it;
    }
  }
  return found.value_or(Alter{});
}

void DdpStream::ddp_segment(Side side, wire::DdpTagged header, Octets payload) {
  const Alter a = next_alter(side);
  alter_controls(a, header.control, header.rdmap_control);
  header.stag = STag{a.stag.value_or(header.stag.value)};
  header.to = TaggedOffset{a.to.value_or(header.to.value) + static_cast<std::uint64_t>(a.to_delta)};
  altered(side, wire::write(header, a.payload ? Octets(*a.payload) : payload), 14, a);
}

void DdpStream::ddp_segment(Side side, wire::DdpUntagged header, Octets payload) {
  const Alter a = next_alter(side);
  alter_controls(a, header.control, header.rdmap_control);
  header.invalidate_stag = a.invalidate_stag.value_or(header.invalidate_stag);
  header.qn = QueueNumber{a.qn.value_or(header.qn.value)};
  header.msn = MessageSequence{a.msn.value_or(header.msn.value) + static_cast<std::uint32_t>(a.msn_delta)};
  header.mo = MessageOffset{a.mo.value_or(header.mo.value) + static_cast<std::uint32_t>(a.mo_delta)};
  altered(side, wire::write(header, a.payload ? Octets(*a.payload) : payload), 18, a);
}

void DdpStream::altered(Side side, Buffer segment, std::size_t header_octets, const Alter& a) {
  if (a.omit) return;
  if (a.ulpdu_octets) segment.resize(*a.ulpdu_octets);
  Named& e = ddp(side).last;
  header_octets = std::min(header_octets, segment.size());
  const auto body = segment.begin() + static_cast<std::ptrdiff_t>(header_octets);
  e.ddp_header.assign(segment.begin(), body);
  e.ulpdu_octets = static_cast<std::uint16_t>(segment.size());
  const bool read_request =
      segment.size() >= 46 && segment[1] == std::byte{wire::rdmap_control(wire::Opcode::rdma_read_request, version_)};
  e.rdmap_header.clear();
  if (read_request) e.rdmap_header.assign(body, segment.end());
  e.payload_octets = static_cast<std::uint16_t>(read_request ? 0 : segment.size() - header_octets);
  for (unsigned i = 0; i <= a.repeats; ++i) put_segment(side, segment, a);
}

}  // namespace iwarpscope::synth
