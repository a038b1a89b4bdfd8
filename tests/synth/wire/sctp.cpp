// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "synth/wire/sctp.h"

#include <algorithm>

#include "synth/wire/checksum.h"

namespace iwarpscope::synth::wire {

namespace {

constexpr std::uint16_t kIpv4Parameter = 5;
constexpr std::uint16_t kIpv6Parameter = 6;
constexpr std::uint16_t kCookieParameter = 7;
constexpr std::uint16_t kAdaptationParameter = 0xC006;
constexpr std::uint16_t kHeartbeatInfoParameter = 1;

std::size_t pad_of(std::size_t octets) {
  return (4 - octets % 4) % 4;
}

}  // namespace

Buffer write(const Sctp& header, Octets chunks) {
  Writer w;
  w.reserve(12 + chunks.size());
  w.u16(header.source_port).u16(header.destination_port).u32(header.verification_tag).u32(0).octets(chunks);
  Buffer packet = w.take();
  std::uint32_t crc = 0;
  switch (header.checksum) {
    case Checksum::right: crc = crc32c(packet); break;
    case Checksum::wrong: crc = crc32c(packet) ^ 0x00204000; break;
    case Checksum::pseudo_header_only:
    case Checksum::zero: break;
  }
  const Buffer field = Writer().le(crc, 4).take();
  std::copy(field.begin(), field.end(), packet.begin() + 8);
  return packet;
}

Buffer write(const Chunk& chunk) {
  const std::size_t octets = 4 + chunk.value.size();
  Writer w;
  w.reserve(octets + 3);
  w.u8(static_cast<std::uint8_t>(chunk.type)).u8(chunk.flags);
  w.u16(chunk.length.value_or(static_cast<std::uint16_t>(octets))).octets(chunk.value);
  return w.fill(pad_of(octets)).take();
}

Buffer write(const Data& chunk) {
  const std::size_t octets = 16 + chunk.user_data.size();
  Writer w;
  w.reserve(octets + 3);
  w.u8(static_cast<std::uint8_t>(ChunkType::data));
  w.u8((chunk.immediate ? 8U : 0U) | (chunk.unordered ? 4U : 0U) | (chunk.begin ? 2U : 0U) | (chunk.end ? 1U : 0U));
  w.u16(chunk.length.value_or(static_cast<std::uint16_t>(octets)));
  w.u32(chunk.tsn).u16(chunk.stream).u16(chunk.ssn).u32(chunk.ppid).octets(chunk.user_data);
  return w.fill(pad_of(octets)).take();
}

Buffer write_parameter(std::uint16_t type, Octets value) {
  Writer w;
  w.u16(type).u16(4 + value.size()).octets(value);
  return w.fill(pad_of(value.size())).take();
}

// The length of a chunk counts the pad between parameters, but not that of the last. Source: RFC 9260 §3.2.
Buffer write(const Init& chunk) {
  Writer w;
  std::size_t last_pad = 0;
  w.u32(chunk.initiate_tag).u32(chunk.window).u16(chunk.outbound_streams).u16(chunk.inbound_streams);
  w.u32(chunk.initial_tsn);
  const auto parameter = [&](std::uint16_t type, Octets value) {
    w.octets(write_parameter(type, value));
    last_pad = pad_of(value.size());
  };
  for (const Address& a : chunk.addresses) parameter(a.is_v6() ? kIpv6Parameter : kIpv4Parameter, a.octets());
  if (chunk.cookie) parameter(kCookieParameter, *chunk.cookie);
  if (chunk.adaptation) parameter(kAdaptationParameter, Writer().u32(*chunk.adaptation).view());
  if (!chunk.parameters.empty()) last_pad = 0;
  w.octets(chunk.parameters);
  const auto length = static_cast<std::uint16_t>(4 + w.size() - last_pad);
  return write(Chunk{chunk.ack ? ChunkType::init_ack : ChunkType::init, 0, w.take(), length});
}

Buffer write(const Sack& chunk) {
  Writer w;
  w.u32(chunk.cumulative_tsn).u32(chunk.window).u16(chunk.gaps.size()).u16(chunk.duplicates.size());
  for (const auto& [first, last] : chunk.gaps) w.u16(first).u16(last);
  for (const std::uint32_t tsn : chunk.duplicates) w.u32(tsn);
  return write(Chunk{ChunkType::sack, 0, w.take()});
}

Buffer write(const Heartbeat& chunk) {
  const auto length = static_cast<std::uint16_t>(8 + chunk.info.size());
  return write(Chunk{chunk.ack ? ChunkType::heartbeat_ack : ChunkType::heartbeat, 0,
                     write_parameter(kHeartbeatInfoParameter, chunk.info), length});
}

Buffer write(const Abort& chunk) {
  const std::uint8_t flags = chunk.reflected ? 1 : 0;
  if (!chunk.cause) return write(Chunk{ChunkType::abort, flags});
  const auto length = static_cast<std::uint16_t>(8 + chunk.cause_info.size());
  return write(Chunk{ChunkType::abort, flags, write_parameter(*chunk.cause, chunk.cause_info), length});
}

Buffer write(const Shutdown& chunk) {
  return write(Chunk{ChunkType::shutdown, 0, Writer().u32(chunk.cumulative_tsn).take()});
}

Buffer write_ddp_segment(std::uint16_t ddp_ssn, Octets segment) {
  Writer w;
  w.reserve(2 + segment.size());
  return w.u16(ddp_ssn).octets(segment).take();
}

Buffer write(const SessionControl& control, std::uint16_t ddp_ssn) {
  Writer w;
  w.u16(ddp_ssn).u16(static_cast<std::uint16_t>(control.function));
  if (control.enhanced) w.octets(write(*control.enhanced));
  return w.octets(control.private_data).take();
}

}  // namespace iwarpscope::synth::wire
