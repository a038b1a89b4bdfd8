// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// pcapng files.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "capture/parser.h"

namespace iwarpscope::capture {

/// pcapng: several sections, each in its byte order, with several interfaces of any link types; packets from Enhanced,
/// Simple and the old Packet Blocks; interface statistics. Other blocks are skipped by their length.
/// Source: draft-ietf-opsawg-pcapng §3, §4.
class PcapngParser final : public Parser {
 public:
  [[nodiscard]] Progress parse(Octets octets, std::vector<net::Frame>& out, std::size_t most,
                               CaptureInfo& info) override;

 private:
  /// How an interface counts time: ticks become ticks * scale / divisor + offset nanoseconds.
  struct Clock {
    std::uint64_t scale = 1000;  ///< microseconds unless if_tsresol says otherwise
    std::uint64_t divisor = 1;
    std::int64_t offset_seconds = 0;
  };
  /// A packet block's own fields, whichever of the three kinds it is.
  struct Packet {
    std::uint32_t interface = 0;
    std::uint64_t ticks = 0;
    std::uint32_t captured = 0;
    std::uint32_t original = 0;
    std::size_t data = 0;  ///< where the octets start in the block's body
  };

  [[nodiscard]] std::uint16_t load16(Octets octets, std::size_t at) const noexcept;
  [[nodiscard]] std::uint32_t load32(Octets octets, std::size_t at) const noexcept;
  [[nodiscard]] std::uint64_t load64(Octets octets, std::size_t at) const noexcept;
  template <class Visit>
  void each_option(Octets options, Visit&& visit) const;

  // Each takes a block's body, between the two lengths, and returns what is wrong with it, or nothing.
  [[nodiscard]] std::string block(std::uint32_t type, Octets body, std::vector<net::Frame>& out, CaptureInfo& info);
  [[nodiscard]] std::string section(Octets body, CaptureInfo& info);
  [[nodiscard]] std::string description(Octets body, CaptureInfo& info);
  [[nodiscard]] std::string statistics(Octets body, CaptureInfo& info) const;
  [[nodiscard]] std::string enhanced_packet(Octets body, std::vector<net::Frame>& out, CaptureInfo& info);
  [[nodiscard]] std::string old_packet(Octets body, std::vector<net::Frame>& out, CaptureInfo& info);
  [[nodiscard]] std::string simple_packet(Octets body, std::vector<net::Frame>& out, CaptureInfo& info);
  [[nodiscard]] std::string packet(const Packet& packet, Octets body, TimePoint time, std::vector<net::Frame>& out,
                                   CaptureInfo& info);
  [[nodiscard]] bool knows(std::uint32_t interface, const CaptureInfo& info) const noexcept {
    return interface < info.interfaces.size() - first_interface_;
  }
  [[nodiscard]] TimePoint time_of(const Packet& packet) const noexcept;

  bool swapped_ = false;
  std::size_t first_interface_ = 0;  ///< number over all sections of this section's interface 0
  std::vector<Clock> clocks_;        ///< of all interfaces of all sections
  TimePoint last_time_;              ///< of the last packet that had one: Simple Packet Blocks have none
};

}  // namespace iwarpscope::capture
