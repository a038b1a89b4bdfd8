// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// What a capture file says of itself.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "net/frame.h"

namespace iwarpscope::capture {

enum class FileFormat : std::uint8_t { pcap, pcapng };
[[nodiscard]] constexpr const char* name(FileFormat format) noexcept {
  return format == FileFormat::pcapng ? "pcapng" : "pcap";
}
enum class Compression : std::uint8_t { none, gzip, zstd };

/// The longest frame that is believed; a longer captured length is a damaged file. Offload makes frames of a few
/// hundred kibioctets. Units: octets. Source: ours.
inline constexpr std::size_t kMaxFrame = std::size_t{16} << 20;

/// One interface of a capture. A pcap file has one; those of all pcapng sections are numbered through.
struct Interface {
  net::LinkType link{};
  std::string link_name;          ///< as libpcap names it: "EN10MB"; "LINKTYPE_n" where it has no name
  std::uint32_t snap_length = 0;  ///< octets, 0: no limit
  std::string name;               ///< pcapng if_name, or empty

  /// Interface statistics, pcapng only: the last that the file holds. Units: frames.
  std::optional<std::uint64_t> received{};              ///< isb_ifrecv
  std::optional<std::uint64_t> dropped_by_interface{};  ///< isb_ifdrop
  std::optional<std::uint64_t> dropped_by_os{};         ///< isb_osdrop
  /// Sum of what single packet blocks say was lost before them (epb_dropcount and the old Packet Block's drops count).
  std::uint64_t dropped_before_packets = 0;
};

/// Grows while the file is read: pcapng may name interfaces and give statistics anywhere.
struct CaptureInfo {
  FileFormat format{};
  Compression compression{};
  std::vector<Interface> interfaces;
  std::uint64_t frames = 0;        ///< read so far, whether a filter let them through or not
  std::uint64_t octets = 0;        ///< captured in them
  bool truncated = false;          ///< the file ends in the middle of a record
  std::uint64_t truncated_at = 0;  ///< octet (of the decompressed data) where that record starts
  bool filter_failed = false;      ///< reading ended because the filter cannot be applied to what came
  std::string damage;              ///< not empty: why it could not be read further
  std::uint64_t position = 0;      ///< octet (of the decompressed data) up to which it was read
};

}  // namespace iwarpscope::capture
