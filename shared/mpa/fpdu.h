// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// An FPDU as the framer hands it up.
#pragma once

#include <cstdint>

#include "base/ids.h"
#include "base/octets.h"
#include "base/time_point.h"

namespace iwarpscope::mpa {

/// What is known about an FPDU's CRC. Source: RFC 5044 §4.4.
enum class CrcVerdict : std::uint8_t {
  good,
  bad,
  not_in_use,  ///< CRC off, or not known to be on: never judged
  incomplete,  ///< octets are missing from the capture
};

/// One FPDU, without its markers. Borrows `ulpdu` for the duration of the call.
struct Fpdu {
  StreamOffset start;   ///< first octet: a leading marker if there is one, else ULPDU_Length
  StreamOffset header;  ///< ULPDU_Length
  /// After the CRC, as the length field says. With a wrong CRC the length may be wrong, too: the next FPDU may start
  /// before it.
  StreamOffset end;
  std::uint32_t ulpdu_length = 0;  ///< by which it was read, 1..65535 (above 64768 with a finding)
  std::uint32_t length_field = 0;  ///< ULPDU_Length as it was sent: another one only where a finding says so
  Octets ulpdu;  ///< marker-free; shorter than ulpdu_length when octets are missing (then the part before the first)
  std::uint32_t crc_seen = 0;  ///< the CRC field, as a number; meaningless with CrcVerdict::incomplete
  CrcVerdict crc = CrcVerdict::incomplete;
  std::uint16_t markers = 0;   ///< removed from it
  FrameNumber first_frame;     ///< of its first octet
  FrameNumber last_frame;      ///< highest frame number among those that carried its octets
  FrameNumber delivery_frame;  ///< the frame at which its last octet was next in order
  TimePoint first_time;        ///< arrival of its first octet
  TimePoint placed_time;       ///< latest arrival among its octets
  TimePoint delivered_time;    ///< when its last octet was next in order
  StreamOffset acknowledged;   ///< ACK of the frame that carried its first octet, first transmission
  bool has_acknowledged = false;
  bool starts_tcp_segment = false;
  bool in_one_tcp_segment = false;
  bool doubtful = false;   ///< its markers are wrong, and its header may not be where it seems to be
  bool after_gap = false;  ///< octets before it are missing or were skipped: nothing is known of what came between

  [[nodiscard]] bool whole() const noexcept { return ulpdu.size() == ulpdu_length; }
};

/// An FPDU without its end. Shape: `octets` 0: no FPDU is begun.
struct PendingFpdu {
  FrameNumber frame;               ///< of its first octet
  std::uint32_t octets = 0;        ///< of it up to now, with missing ones; ULPDU_Length and markers are part of it
  std::uint32_t ulpdu_length = 0;  ///< as the length field says; 0: not complete yet
  TimePoint time{};                ///< of `frame`
};

/// Takes the FPDUs of one direction in stream order.
class FpduSink {
 public:
  virtual void fpdu(const Fpdu& fpdu) = 0;
  /// The FPDU before had a CRC of 0, and ended where it seemed to: a header follows.
  virtual void zero_crc_was_sent() {}
  /// A marker of the FPDU that is handed up next: its place, and its four octets as a big-endian number.
  virtual void marker(StreamOffset at, std::uint32_t value) { static_cast<void>(at), static_cast<void>(value); }

 protected:
  ~FpduSink() = default;
};

}  // namespace iwarpscope::mpa
