// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Packets for tests of recordings, and what is in a capture file.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "capture/file_reader.h"
#include "net/decoder.h"
#include "outputs/packet_ring.h"

namespace iwarpscope::outputs {

/// A frame of its own octets.
struct OwnedFrame {
  net::Frame frame;
  std::vector<std::byte> octets;
};
inline OwnedFrame owned_frame(std::uint64_t number, std::size_t octets, std::int64_t ns = 0) {
  OwnedFrame own;
  own.octets.assign(octets, static_cast<std::byte>(number));
  own.frame.number = FrameNumber{number};
  own.frame.time = TimePoint{ns != 0 ? ns : static_cast<std::int64_t>(1'700'000'000'000'000'000 + number)};
  own.frame.link = net::LinkType::ethernet;
  own.frame.original_length = static_cast<std::uint32_t>(octets);
  own.frame.octets = own.octets;
  return own;
}

/// Frames of a file, copied.
inline std::vector<OwnedFrame> frames_of(const std::string& path, bool* truncated = nullptr) {
  std::vector<OwnedFrame> all;
  auto reader = capture::FileReader::open(path);
  EXPECT_TRUE(reader) << reader.error().text();
  while (reader) {
    const auto frame = reader->next();
    EXPECT_TRUE(frame) << frame.error().text();
    if (!frame || *frame == nullptr) break;
    OwnedFrame own{**frame, {(*frame)->octets.begin(), (*frame)->octets.end()}};
    own.frame.octets = own.octets;
    all.push_back(std::move(own));
  }
  if (reader && truncated != nullptr) *truncated = reader->info().truncated;
  return all;
}

/// Flow and ends of a frame; flow 0: it carries no TCP segment.
struct FlowOf {
  std::uint64_t flow = 0;
  net::Endpoint source, destination;
};
inline FlowOf flow_of(net::Decoder& decoder, const net::Frame& frame) {
  const net::Decoding decoding = decoder.decode(frame);
  const auto* packet = std::get_if<net::TcpPacket>(&decoding);
  if (packet == nullptr) return {};
  return {net::stable_hash(packet->flow()), packet->source, packet->destination};
}

/// Everything that is in a ring: frame numbers and whether the octets are those of owned_frame().
inline std::vector<std::uint64_t> numbers_in(const PacketRing& ring, std::uint64_t from = 0,
                                             std::uint64_t* missed = nullptr) {
  std::vector<std::uint64_t> all;
  (void)ring.read(
      from,
      [&](std::uint64_t, std::span<const RingEntry> entries) {
        for (const RingEntry& entry : entries) {
          for (const std::byte octet : entry.frame.octets) {
            if (octet != static_cast<std::byte>(entry.frame.number.value)) {
              ADD_FAILURE() << "other octets in frame " << entry.frame.number.value;
              return false;
            }
          }
          all.push_back(entry.frame.number.value);
        }
        return true;
      },
      missed);
  return all;
}

}  // namespace iwarpscope::outputs
