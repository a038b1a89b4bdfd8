// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The fields of each layer. Total on any octets.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "base/ids.h"
#include "fields/field.h"
#include "mpa/fpdu.h"
#include "net/address.h"
#include "net/frame.h"

namespace iwarpscope::fields {

/// The transport packet of a frame. Units: octets of the frame.
struct Transport {
  enum class Kind : std::uint8_t { none, tcp, sctp };
  Kind kind = Kind::none;
  net::Endpoint source;
  std::uint32_t payload = 0;      ///< position of the TCP payload, or of the first SCTP chunk
  std::uint32_t length = 0;       ///< of it, as captured
  std::uint32_t wire_length = 0;  ///< of it, as sent
  std::string_view why{};         ///< kind none: a sentence
};
/// From the link layer to the TCP header or the SCTP common header.
Transport put_link(const net::Frame& frame, FieldList& to);

/// One FPDU, kept: the octets of its headers, and its place in the stream.
struct KeptFpdu {
  static constexpr std::size_t kHead = 160;  ///< octets: the largest DDP and RDMAP headers, Terminate included

  StreamOffset start, header, end;
  std::uint32_t ulpdu_length = 0;            ///< as it was read
  std::optional<std::uint32_t> wire_length;  ///< as the frame's octets say; nothing: they are in another frame
  std::uint32_t captured = 0;                ///< of the ULPDU
  std::vector<std::byte> head;               ///< its first octets, at most kHead
  std::uint32_t crc_seen = 0;
  mpa::CrcVerdict crc{};
  FrameNumber first_frame, last_frame;
  struct Marker {
    StreamOffset at;
    std::uint32_t value = 0;
  };
  std::vector<Marker> markers;
};
/// `placing.at`: of the FPDU's first octet.
void put_fpdu(const KeptFpdu& fpdu, FrameNumber frame, Placing placing, FieldList& to);

/// An MPA Request or Reply at the start of `octets`, which are those of the whole frame as far as they are known.
void put_startup(Octets octets, bool has_enhanced_data, Writer& to);
/// The enhanced data (RFC 6581 §9) at octet `at` of the unit; nothing if it is not all there.
void put_enhanced(Octets octets, std::size_t at, Writer& to);

/// DDP and RDMAP headers and the payload. `octets`: the DDP segment, as far as known. `length`: of it as sent. `at`:
/// its first octet in the unit.
void put_ddp(Octets octets, std::size_t length, std::size_t at, Writer& to);

/// The chunks of an SCTP packet. `frame`: all its octets.
void put_chunks(Octets frame, const Transport& transport, FieldList& to);

}  // namespace iwarpscope::fields
