// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Packets of one connection in, the fields of one of them out.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/ids.h"
#include "base/time_point.h"
#include "fields/field.h"
#include "net/address.h"
#include "net/frame.h"

namespace iwarpscope::fields {

/// One frame, decoded.
struct FrameFields {
  FrameNumber number;
  TimePoint time;
  net::LinkType link{};
  std::uint32_t original_length = 0;  ///< octets on the wire
  std::vector<std::byte> octets;      ///< as captured
  /// Who sent the transport packet; empty: none was found.
  std::optional<net::Endpoint> source{};
  /// The place of the first octet of the TCP payload in its direction; empty: no payload, or its place is not known.
  std::optional<StreamOffset> offset{};
  /// The first packet that was analysed. Offsets are those of an analysis that began with this packet.
  FrameNumber first_analysed;
  FieldList fields;  ///< in the order of their octets
  std::string note;  ///< what could not be decoded, as a sentence; empty: nothing
};

/// Finds FPDU boundaries by analysing the packets before and after the frame, as an analysis of the capture does.
/// Total on any packets; bounded. Not thread-safe.
class FrameReader {
 public:
  /// Packets after the frame that are looked at for the end of its last FPDU.
  static constexpr std::uint32_t kMostAfter = 512;
  /// Longer frames are cut as if the capture had.
  static constexpr std::size_t kMostOctets = std::size_t{256} << 10;

  explicit FrameReader(FrameNumber wanted);
  ~FrameReader();
  FrameReader(const FrameReader&) = delete;
  FrameReader& operator=(const FrameReader&) = delete;

  /// Takes the next packet of the connection, in the order of the capture. False: the frame is complete.
  [[nodiscard]] bool take(const net::Frame& packet);
  /// Call once, last. Empty: the frame was not among the packets.
  [[nodiscard]] std::optional<FrameFields> finish();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace iwarpscope::fields
