// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Views of an MPA Request or Reply.
#pragma once

#include <array>
#include <cstdint>

#include "base/octets.h"

namespace iwarpscope::mpa {

inline constexpr std::size_t kKeyOctets = 16;
inline constexpr std::uint16_t kMaxPrivateData = 512;  ///< Source: RFC 5044 §7.1.1

namespace detail {
constexpr std::array<std::byte, kKeyOctets> key(const char (&text)[kKeyOctets + 1]) noexcept {
  std::array<std::byte, kKeyOctets> octets{};
  for (std::size_t i = 0; i < kKeyOctets; ++i) octets[i] = static_cast<std::byte>(text[i]);
  return octets;
}
}  // namespace detail

/// The keys that open a startup frame. They differ in octet 9 alone, counted from 0. Source: RFC 5044 §7.1.1.
inline constexpr auto kRequestKey = detail::key("MPA ID Req Frame");
inline constexpr auto kReplyKey = detail::key("MPA ID Rep Frame");

/// MPA Request or Reply without its Private Data: 20 octets, big-endian. Borrows the octets it was parsed from and must
/// not outlive them. Judges nothing: any 20 octets have a view. Source: RFC 5044 §7.1.1, RFC 6581 §6.
class StartupFrameView {
 public:
  static constexpr std::size_t kOctets = 20;
  [[nodiscard]] static Decoded<StartupFrameView> parse(Octets octets) noexcept {
    if (octets.size() < kOctets) return Short{kOctets, octets.size()};
    return StartupFrameView{octets.first<kOctets>()};
  }
  [[nodiscard]] std::span<const std::byte, kKeyOctets> key() const noexcept { return octets_.first<kKeyOctets>(); }
  [[nodiscard]] bool markers() const noexcept { return (flags() & 0x80) != 0; }        ///< M
  [[nodiscard]] bool crc() const noexcept { return (flags() & 0x40) != 0; }            ///< C
  [[nodiscard]] bool rejected() const noexcept { return (flags() & 0x20) != 0; }       ///< R
  [[nodiscard]] bool enhanced_flag() const noexcept { return (flags() & 0x10) != 0; }  ///< S
  [[nodiscard]] std::uint8_t reserved() const noexcept { return flags() & 0x0F; }
  [[nodiscard]] std::uint8_t revision() const noexcept { return to_u8(octets_[17]); }
  [[nodiscard]] std::uint16_t private_data_length() const noexcept { return load_be<std::uint16_t, 18>(octets_); }
  [[nodiscard]] std::uint8_t flags() const noexcept { return to_u8(octets_[16]); }

 private:
  explicit StartupFrameView(std::span<const std::byte, kOctets> octets) noexcept : octets_(octets) {}
  std::span<const std::byte, kOctets> octets_;
};

/// Enhanced RDMA connection data at the start of the Private Data: 4 octets, big-endian. Source: RFC 6581 §9.
class EnhancedDataView {
 public:
  static constexpr std::size_t kOctets = 4;
  [[nodiscard]] static Decoded<EnhancedDataView> parse(Octets octets) noexcept {
    if (octets.size() < kOctets) return Short{kOctets, octets.size()};
    return EnhancedDataView{octets.first<kOctets>()};
  }
  [[nodiscard]] bool peer_to_peer() const noexcept { return (word0() & 0x8000) != 0; }  ///< A
  [[nodiscard]] bool rtr_send() const noexcept { return (word0() & 0x4000) != 0; }      ///< B
  [[nodiscard]] std::uint16_t ird() const noexcept { return word0() & 0x3FFF; }
  [[nodiscard]] bool rtr_write() const noexcept { return (word1() & 0x8000) != 0; }  ///< C
  [[nodiscard]] bool rtr_read() const noexcept { return (word1() & 0x4000) != 0; }   ///< D
  [[nodiscard]] std::uint16_t ord() const noexcept { return word1() & 0x3FFF; }

 private:
  explicit EnhancedDataView(std::span<const std::byte, kOctets> octets) noexcept : octets_(octets) {}
  [[nodiscard]] std::uint16_t word0() const noexcept { return load_be<std::uint16_t, 0>(octets_); }
  [[nodiscard]] std::uint16_t word1() const noexcept { return load_be<std::uint16_t, 2>(octets_); }
  std::span<const std::byte, kOctets> octets_;
};

}  // namespace iwarpscope::mpa
