// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// What the two file formats have in common.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "base/octets.h"
#include "capture/capture_info.h"
#include "net/frame.h"

namespace iwarpscope::capture {

/// How far a parser came.
struct Progress {
  std::size_t consumed = 0;  ///< octets that are done with
  std::size_t need = 0;      ///< octets from there on that the next record takes, as far as known; 0: call again
  std::string cause;         ///< not empty: the octets from there on break the format
};

/// Takes capture records from octets in memory. Pure: no file, no clock. The longest `need` is kMaxRecord.
class Parser {
 public:
  static constexpr std::size_t kMaxRecord = kMaxFrame + (std::size_t{64} << 10);
  virtual ~Parser() = default;

  /// Appends frames until `out` has `most` of them or a record is not complete. Frames borrow `octets`.
  [[nodiscard]] virtual Progress parse(Octets octets, std::vector<net::Frame>& out, std::size_t most,
                                       CaptureInfo& info) = 0;
};

/// The octets of a file that identify its format.
inline constexpr std::size_t kMagicOctets = 4;
/// The parser for a file that starts with these octets, or null when they are neither pcap's nor pcapng's.
[[nodiscard]] std::unique_ptr<Parser> make_parser(Octets start);

/// libpcap's name of a link type. Source: pcap_datalink_val_to_name(3PCAP).
[[nodiscard]] std::string link_name(net::LinkType link);
/// A link type from a file as LINKTYPE_* number; values of DLT_RAW that old files hold become LINKTYPE_RAW, numbers
/// beyond 16 bits 0xFFFF.
[[nodiscard]] net::LinkType link_of(std::uint32_t number) noexcept;

}  // namespace iwarpscope::capture
