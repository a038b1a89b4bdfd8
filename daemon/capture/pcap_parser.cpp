// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "capture/pcap_parser.h"

#include <bit>
#include <cstring>
#include <utility>

#include <fmt/format.h>

namespace iwarpscope::capture {
namespace {

constexpr std::size_t kFileHeader = 24;

template <bool Swapped, class T>
[[nodiscard]] T load(Octets octets, std::size_t at) noexcept {
  T value;
  std::memcpy(&value, octets.data() + at, sizeof value);
  return Swapped ? swap_octets(value) : value;
}

}  // namespace

Progress PcapParser::parse_header(Octets octets, CaptureInfo& info) {
  if (octets.size() < kFileHeader) return {0, kFileHeader, {}};
  const auto load16 = [&](std::size_t at) {
    return shape_.swapped ? load<true, std::uint16_t>(octets, at) : load<false, std::uint16_t>(octets, at);
  };
  const auto load32 = [&](std::size_t at) {
    return shape_.swapped ? load<true, std::uint32_t>(octets, at) : load<false, std::uint32_t>(octets, at);
  };
  const unsigned major = load16(4);
  const unsigned minor = load16(6);
  if (major != 2) return {0, 0, fmt::format("pcap version {}.{} is not supported", major, minor)};
  old_lengths_ = minor < 4;
  // The upper bits contain the length of a frame check sequence; IP lengths make it harmless.
  const net::LinkType link = link_of(load32(20) & 0x03FFFFFFu);
  info.format = FileFormat::pcap;
  info.interfaces.push_back({link, link_name(link), load32(16), {}});
  has_header_ = true;
  return {kFileHeader, 0, {}};
}

template <bool Swapped>
Progress PcapParser::parse_records(Octets octets, std::vector<net::Frame>& out, std::size_t most,
                                   CaptureInfo& info) const {
  const std::size_t header = shape_.record_header;
  const std::int64_t unit_ns = shape_.nanoseconds ? 1 : 1000;
  const net::LinkType link = info.interfaces.front().link;
  std::size_t at = 0;
  while (out.size() < most) {
    const std::size_t left = octets.size() - at;
    if (left < header) return {at, header, {}};
    const auto seconds = load<Swapped, std::uint32_t>(octets, at);
    const auto fraction = load<Swapped, std::uint32_t>(octets, at + 4);
    auto captured = load<Swapped, std::uint32_t>(octets, at + 8);
    auto original = load<Swapped, std::uint32_t>(octets, at + 12);
    if (old_lengths_ && captured > original) std::swap(captured, original);
    if (captured > kMaxFrame) {
      return {at, 0, fmt::format("frame {} claims {} captured octets", info.frames + 1, captured)};
    }
    if (left - header < captured) return {at, header + captured, {}};
    net::Frame& frame = out.emplace_back();
    frame.number = FrameNumber{++info.frames};
    frame.time = TimePoint{std::int64_t{seconds} * 1'000'000'000 + std::int64_t{fraction} * unit_ns};
    frame.link = link;
    frame.original_length = original;
    frame.octets = octets.subspan(at + header, captured);
    info.octets += captured;
    at += header + captured;
  }
  return {at, 0, {}};
}

Progress PcapParser::parse(Octets octets, std::vector<net::Frame>& out, std::size_t most, CaptureInfo& info) {
  if (!has_header_) return parse_header(octets, info);
  return shape_.swapped ? parse_records<true>(octets, out, most, info) : parse_records<false>(octets, out, most, info);
}

}  // namespace iwarpscope::capture
