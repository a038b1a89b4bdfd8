// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Classic pcap files.
#pragma once

#include <cstdint>

#include "capture/parser.h"

namespace iwarpscope::capture {

/// pcap in both byte orders, with microseconds or nanoseconds, and the modified form whose records have 8 octets more
/// (magic 0xa1b2cd34). Source: draft-ietf-opsawg-pcap §4, §5.
class PcapParser final : public Parser {
 public:
  /// Shape of the file by its magic number.
  struct Shape {
    bool swapped = false;
    bool nanoseconds = false;
    std::uint8_t record_header = 16;  ///< octets
  };
  explicit PcapParser(const Shape& shape) noexcept : shape_(shape) {}

  [[nodiscard]] Progress parse(Octets octets, std::vector<net::Frame>& out, std::size_t most,
                               CaptureInfo& info) override;

 private:
  template <bool Swapped>
  [[nodiscard]] Progress parse_records(Octets octets, std::vector<net::Frame>& out, std::size_t most,
                                       CaptureInfo& info) const;
  [[nodiscard]] Progress parse_header(Octets octets, CaptureInfo& info);

  Shape shape_;
  bool has_header_ = false;
  bool old_lengths_ = false;  ///< before version 2.4 some wrote the two lengths in the other order
};

}  // namespace iwarpscope::capture
