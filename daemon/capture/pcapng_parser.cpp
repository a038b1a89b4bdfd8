// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "capture/pcapng_parser.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>

#include <fmt/format.h>

namespace iwarpscope::capture {
namespace {

namespace block_type {
constexpr std::uint32_t interface_description = 1;
constexpr std::uint32_t packet = 2;
constexpr std::uint32_t simple_packet = 3;
constexpr std::uint32_t interface_statistics = 5;
constexpr std::uint32_t enhanced_packet = 6;
constexpr std::uint32_t section_header = 0x0A0D0D0A;
}  // namespace block_type

namespace option {
constexpr std::uint16_t end = 0;
constexpr std::uint16_t if_name = 2;
constexpr std::uint16_t if_tsresol = 9;
constexpr std::uint16_t if_tsoffset = 14;
constexpr std::uint16_t isb_ifrecv = 4;
constexpr std::uint16_t isb_ifdrop = 5;
constexpr std::uint16_t isb_osdrop = 7;
constexpr std::uint16_t epb_dropcount = 4;
}  // namespace option

constexpr std::uint32_t kByteOrder = 0x1A2B3C4D;
constexpr std::size_t kBlockHeader = 8;        // type and length
constexpr std::size_t kBlockTrailer = 4;       // length again
constexpr std::size_t kMaxInterfaces = 65536;  // ours

__extension__ using Wide = __int128;

template <class T>
[[nodiscard]] T load(Octets octets, std::size_t at, bool swapped) noexcept {
  T value;
  std::memcpy(&value, octets.data() + at, sizeof value);
  return swapped ? swap_octets(value) : value;
}

[[nodiscard]] constexpr std::uint64_t power_of_ten(unsigned exponent) noexcept {
  std::uint64_t value = 1;
  while (exponent-- > 0) value *= 10;
  return value;
}

[[nodiscard]] std::size_t padded(std::size_t octets) noexcept {
  return (octets + 3) & ~std::size_t{3};
}

}  // namespace

std::uint16_t PcapngParser::load16(Octets octets, std::size_t at) const noexcept {
  return load<std::uint16_t>(octets, at, swapped_);
}
std::uint32_t PcapngParser::load32(Octets octets, std::size_t at) const noexcept {
  return load<std::uint32_t>(octets, at, swapped_);
}
std::uint64_t PcapngParser::load64(Octets octets, std::size_t at) const noexcept {
  return load<std::uint64_t>(octets, at, swapped_);
}

/// Calls visit(code, value) for each option; a length that lies ends them. Source: draft-ietf-opsawg-pcapng §3.5.
template <class Visit>
void PcapngParser::each_option(Octets options, Visit&& visit) const {
  while (options.size() >= 4) {
    const std::uint16_t code = load16(options, 0);
    const std::size_t length = load16(options, 2);
    options = options.subspan(4);
    if (code == option::end || length > options.size()) return;
    visit(code, options.first(length));
    options = options.subspan(std::min(padded(length), options.size()));
  }
}

std::string PcapngParser::section(Octets body, CaptureInfo& info) {
  if (body.size() < 16) return "the section header block is too short";
  if (load16(body, 4) != 1)
    return fmt::format("pcapng version {}.{} is not supported", load16(body, 4), load16(body, 6));
  info.format = FileFormat::pcapng;
  first_interface_ = info.interfaces.size();
  return {};
}

std::string PcapngParser::description(Octets body, CaptureInfo& info) {
  if (body.size() < 8) return "the interface description block is too short";
  if (info.interfaces.size() == kMaxInterfaces) return fmt::format("more than {} interfaces", kMaxInterfaces);
  const net::LinkType link = link_of(load16(body, 0));
  Interface interface {
    link, link_name(link), load32(body, 4), {}
  };
  Clock clock;
  each_option(body.subspan(8), [&](std::uint16_t code, Octets value) {
    if (code == option::if_name) {
      interface.name.assign(reinterpret_cast<const char*>(value.data()), value.size());
    } else if (code == option::if_tsoffset && value.size() == 8) {
      clock.offset_seconds = std::bit_cast<std::int64_t>(load64(value, 0));
    } else if (code == option::if_tsresol && value.size() == 1) {
      const unsigned exponent = to_u8(value[0]) & 0x7Fu;
      const bool is_binary = (to_u8(value[0]) & 0x80u) != 0;
      // A resolution that no 64-bit count of nanoseconds can hold leaves every time at the offset.
      clock = {1'000'000'000, 0, clock.offset_seconds};
      if (is_binary && exponent < 64) clock.divisor = std::uint64_t{1} << exponent;
      if (!is_binary && exponent <= 9) clock = {power_of_ten(9 - exponent), 1, clock.offset_seconds};
      if (!is_binary && exponent > 9 && exponent <= 28) clock = {1, power_of_ten(exponent - 9), clock.offset_seconds};
    }
  });
  info.interfaces.push_back(std::move(interface));
  clocks_.push_back(clock);
  return {};
}

std::string PcapngParser::statistics(Octets body, CaptureInfo& info) const {
  if (body.size() < 12) return "the interface statistics block is too short";
  const std::uint32_t number = load32(body, 0);
  if (!knows(number, info)) return fmt::format("statistics of interface {}, which is not described", number);
  Interface& interface = info.interfaces[first_interface_ + number];
  each_option(body.subspan(12), [&](std::uint16_t code, Octets value) {
    if (value.size() != 8) return;
    if (code == option::isb_ifrecv) interface.received = load64(value, 0);
    if (code == option::isb_ifdrop) interface.dropped_by_interface = load64(value, 0);
    if (code == option::isb_osdrop) interface.dropped_by_os = load64(value, 0);
  });
  return {};
}

TimePoint PcapngParser::time_of(const Packet& packet) const noexcept {
  const Clock& clock = clocks_[first_interface_ + packet.interface];
  if (clock.divisor == 0) return TimePoint{0};
  const Wide ns = static_cast<Wide>(packet.ticks) * clock.scale / clock.divisor +
                  static_cast<Wide>(clock.offset_seconds) * 1'000'000'000;
  // Any two of them have a difference that is no overflow.
  constexpr Wide kLeast = std::numeric_limits<std::int64_t>::min() / 2;
  constexpr Wide kMost = std::numeric_limits<std::int64_t>::max() / 2;
  return TimePoint{static_cast<std::int64_t>(std::clamp(ns, kLeast, kMost))};
}

std::string PcapngParser::packet(const Packet& packet, Octets body, TimePoint time, std::vector<net::Frame>& out,
                                 CaptureInfo& info) {
  if (packet.captured > body.size() - packet.data) {
    return fmt::format("frame {} claims {} captured octets, its block has room for {}", info.frames + 1,
                       packet.captured, body.size() - packet.data);
  }
  const std::size_t interface = first_interface_ + packet.interface;
  net::Frame& frame = out.emplace_back();
  frame.number = FrameNumber{++info.frames};
  frame.time = last_time_ = time;
  frame.link = info.interfaces[interface].link;
  frame.interface = static_cast<std::uint32_t>(interface);
  frame.original_length = packet.original;
  frame.octets = body.subspan(packet.data, packet.captured);
  info.octets += packet.captured;
  return {};
}

std::string PcapngParser::enhanced_packet(Octets body, std::vector<net::Frame>& out, CaptureInfo& info) {
  constexpr std::size_t kFields = 20;
  if (body.size() < kFields) return "the enhanced packet block is too short";
  const Packet fields{load32(body, 0), std::uint64_t{load32(body, 4)} << 32 | load32(body, 8), load32(body, 12),
                      load32(body, 16), kFields};
  if (!knows(fields.interface, info)) {
    return fmt::format("frame {} belongs to interface {}, which is not described", info.frames + 1, fields.interface);
  }
  if (auto cause = packet(fields, body, time_of(fields), out, info); !cause.empty()) return cause;
  const std::size_t options = kFields + padded(fields.captured);
  if (body.size() > options) {
    each_option(body.subspan(options), [&](std::uint16_t code, Octets value) {
      if (code != option::epb_dropcount || value.size() != 8) return;
      info.interfaces[first_interface_ + fields.interface].dropped_before_packets += load64(value, 0);
    });
  }
  return {};
}

std::string PcapngParser::old_packet(Octets body, std::vector<net::Frame>& out, CaptureInfo& info) {
  constexpr std::size_t kFields = 20;
  constexpr std::uint16_t kUnknown = 0xFFFF;
  if (body.size() < kFields) return "the packet block is too short";
  const Packet fields{load16(body, 0), std::uint64_t{load32(body, 4)} << 32 | load32(body, 8), load32(body, 12),
                      load32(body, 16), kFields};
  if (!knows(fields.interface, info)) {
    return fmt::format("frame {} belongs to interface {}, which is not described", info.frames + 1, fields.interface);
  }
  if (auto cause = packet(fields, body, time_of(fields), out, info); !cause.empty()) return cause;
  const std::uint16_t dropped = load16(body, 2);
  if (dropped != kUnknown) info.interfaces[first_interface_ + fields.interface].dropped_before_packets += dropped;
  return {};
}

std::string PcapngParser::simple_packet(Octets body, std::vector<net::Frame>& out, CaptureInfo& info) {
  constexpr std::size_t kFields = 4;
  if (body.size() < kFields) return "the simple packet block is too short";
  if (!knows(0, info)) return fmt::format("frame {} belongs to interface 0, which is not described", info.frames + 1);
  const std::uint32_t original = load32(body, 0);
  const std::uint32_t snap_length = info.interfaces[first_interface_].snap_length;
  const std::uint32_t captured = snap_length != 0 ? std::min(original, snap_length) : original;
  return packet({0, 0, captured, original, kFields}, body, last_time_, out, info);
}

std::string PcapngParser::block(std::uint32_t type, Octets body, std::vector<net::Frame>& out, CaptureInfo& info) {
  switch (type) {
    case block_type::enhanced_packet: return enhanced_packet(body, out, info);
    case block_type::simple_packet: return simple_packet(body, out, info);
    case block_type::packet: return old_packet(body, out, info);
    case block_type::section_header: return section(body, info);
    case block_type::interface_description: return description(body, info);
    case block_type::interface_statistics: return statistics(body, info);
    default: return {};
  }
}

Progress PcapngParser::parse(Octets octets, std::vector<net::Frame>& out, std::size_t most, CaptureInfo& info) {
  std::size_t at = 0;
  while (out.size() < most) {
    const Octets left = octets.subspan(at);
    if (left.size() < kBlockHeader + kBlockTrailer) return {at, kBlockHeader + kBlockTrailer, {}};
    const std::uint32_t type = load32(left, 0);
    if (type == block_type::section_header) {  // reads the same in both orders, and sets the order
      const std::uint32_t order = load<std::uint32_t>(left, kBlockHeader, false);
      if (order != kByteOrder && order != swap_octets(kByteOrder)) return {at, 0, "the byte-order magic is damaged"};
      swapped_ = order != kByteOrder;
    }
    const std::size_t length = load32(left, 4);
    if (length < kBlockHeader + kBlockTrailer || length % 4 != 0 || length > kMaxRecord) {
      return {at, 0, fmt::format("a block of type {:#x} claims a length of {} octets", type, length)};
    }
    if (left.size() < length) return {at, length, {}};
    if (const std::size_t again = load32(left, length - kBlockTrailer); again != length) {
      return {at, 0, fmt::format("a block of type {:#x} has the lengths {} and {}", type, length, again)};
    }
    auto cause = block(type, left.subspan(kBlockHeader, length - kBlockHeader - kBlockTrailer), out, info);
    if (!cause.empty()) return {at, 0, std::move(cause)};
    at += length;
  }
  return {at, 0, {}};
}

}  // namespace iwarpscope::capture
