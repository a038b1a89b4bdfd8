// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "synth/wire/ip.h"

#include <algorithm>

#include "synth/wire/checksum.h"

namespace iwarpscope::synth::wire {

namespace {

std::uint16_t length_or_zero(std::size_t octets) {
  return static_cast<std::uint16_t>(octets <= 0xFFFF ? octets : 0);
}

Buffer padded(Buffer options) {
  options.resize((options.size() + 3) / 4 * 4);
  return options;
}

}  // namespace

Buffer write(const Ipv4& header, Octets payload) {
  const Buffer options = padded(header.options);
  const std::size_t header_octets = 20 + options.size();
  Writer w;
  w.reserve(header_octets + payload.size());
  w.u8(0x40 | header_octets / 4).u8(header.traffic_class);
  w.u16(header.total_length.value_or(length_or_zero(header_octets + payload.size()))).u16(header.identification);
  w.u16((header.dont_fragment ? 0x4000U : 0U) | (header.more_fragments ? 0x2000U : 0U) | header.fragment_offset / 8U);
  w.u8(header.ttl).u8(header.protocol).u16(0);
  w.octets(header.source.octets()).octets(header.destination.octets()).octets(options);
  const std::uint16_t checksum = InternetSum().add(w.view()).checksum();
  w.octets(payload);
  Buffer packet = w.take();
  poke16(packet, 10, header.checksum.value_or(checksum));
  return packet;
}

Buffer write(const Ipv6& header, Octets payload) {
  Writer extensions;
  std::uint8_t first = header.next_header;
  for (std::size_t i = 0; i < header.extensions.size(); ++i) {
    const Ipv6Extension& extension = header.extensions[i];
    if (i == 0) first = extension.type;
    const bool last = i + 1 == header.extensions.size();
    const std::uint8_t next = last ? header.next_header : header.extensions[i + 1].type;
    // The Authentication Header counts in units of 4 octets less 2 (RFC 4302 §2.2), the others in 8 less 1.
    const std::size_t octets = (2 + extension.body.size() + 7) / 8 * 8;
    extensions.u8(next).u8(extension.type == 51 ? octets / 4 - 2 : octets / 8 - 1);
    extensions.octets(extension.body).fill(octets - 2 - extension.body.size());
  }
  const std::size_t length = extensions.size() + payload.size();
  Writer w;
  w.reserve(40 + length);
  w.u32(6U << 28 | std::uint32_t{header.traffic_class} << 20 | (header.flow_label & 0xFFFFFU));
  w.u16(header.payload_length.value_or(length_or_zero(length))).u8(first).u8(header.hop_limit);
  w.octets(header.source.octets()).octets(header.destination.octets()).octets(extensions.view()).octets(payload);
  return w.take();
}

std::vector<Buffer> fragments(const Ipv4& header, Octets payload, std::size_t payload_octets) {
  const std::size_t step = std::max<std::size_t>(payload_octets / 8 * 8, 8);
  if (payload.size() <= step) return {write(header, payload)};
  std::vector<Buffer> out;
  for (std::size_t at = 0; at < payload.size(); at += step) {
    Ipv4 fragment = header;
    fragment.dont_fragment = false;
    fragment.fragment_offset = static_cast<std::uint16_t>(at);
    fragment.more_fragments = at + step < payload.size();
    out.push_back(write(fragment, payload.subspan(at, std::min(step, payload.size() - at))));
  }
  return out;
}

std::vector<Buffer> fragments(const Ipv6& header, Octets payload, std::size_t payload_octets,
                              std::uint32_t identification) {
  const std::size_t step = std::max<std::size_t>(payload_octets / 8 * 8, 8);
  if (payload.size() <= step) return {write(header, payload)};
  std::vector<Buffer> out;
  for (std::size_t at = 0; at < payload.size(); at += step) {
    Ipv6 fragment = header;
    const bool more = at + step < payload.size();
    Writer body;
    body.u16(at | (more ? 1U : 0U)).u32(identification);
    fragment.extensions.push_back({44, body.take()});
    out.push_back(write(fragment, payload.subspan(at, std::min(step, payload.size() - at))));
  }
  return out;
}

}  // namespace iwarpscope::synth::wire
