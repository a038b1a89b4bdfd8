// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Addresses and flows.
#pragma once

#include <array>
#include <bit>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "base/octets.h"

namespace iwarpscope::net {

/// An IPv4 or IPv6 address. IPv4 is held in its IPv4-mapped IPv6 form (RFC 4291 §2.5.5.2), network order.
struct IpAddress {
  std::array<std::uint8_t, 16> octets{};

  [[nodiscard]] static constexpr IpAddress v4(std::uint32_t host_order) noexcept {
    // In one piece: what is written octet by octet and read at once is read late.
    const std::uint64_t low = std::uint64_t{0xFFFF} << 32 | host_order;
    const std::array<std::uint64_t, 2> words{0, std::endian::native == std::endian::little ? swap_octets(low) : low};
    return IpAddress{std::bit_cast<std::array<std::uint8_t, 16>>(words)};
  }
  /// Nothing: the text is neither an IPv4 nor an IPv6 address.
  [[nodiscard]] static std::optional<IpAddress> parse(const std::string& text) noexcept;
  [[nodiscard]] bool is_v4() const noexcept;
  /// Eight octets as a number, the first one weighing most. `half` is 0 or 1.
  [[nodiscard]] constexpr std::uint64_t word(std::size_t half) const noexcept {
    const std::uint64_t word = std::bit_cast<std::array<std::uint64_t, 2>>(octets)[half];
    return std::endian::native == std::endian::little ? swap_octets(word) : word;
  }
  /// "10.0.0.1" or the canonical IPv6 text of RFC 5952.
  [[nodiscard]] std::string text() const;

  friend constexpr bool operator==(const IpAddress& a, const IpAddress& b) noexcept {
    return a.word(0) == b.word(0) && a.word(1) == b.word(1);
  }
  /// By octets, the first one weighing most.
  friend constexpr std::strong_ordering operator<=>(const IpAddress& a, const IpAddress& b) noexcept {
    return a.word(0) != b.word(0) ? a.word(0) <=> b.word(0) : a.word(1) <=> b.word(1);
  }
  template <class H>
  friend H AbslHashValue(H h, const IpAddress& a) {
    return H::combine_contiguous(std::move(h), a.octets.data(), a.octets.size());
  }
};

struct Endpoint {
  IpAddress address;
  std::uint16_t port = 0;

  /// "10.0.0.1:4420", "[fd00::1]:4420".
  [[nodiscard]] std::string text() const;

  friend constexpr auto operator<=>(const Endpoint&, const Endpoint&) = default;
  template <class H>
  friend H AbslHashValue(H h, const Endpoint& e) {
    return H::combine(std::move(h), e.address, e.port);
  }
};

/// Both directions of one connection: `low` < `high`. Tenants may use the same addresses; what separates them on the
/// path is `overlay`. Over TCP: everything that a packet's frame showed (VLANs, MPLS label, GRE key, VXLAN or GENEVE
/// network), mixed into one number, 0 for none of it. It may differ by direction, so equal ones belong together and
/// different ones may. Elsewhere: the VXLAN or GENEVE network identifier plus one, 0 without such a tunnel.
/// `tap_group`: the interfaces of one group see one network, and nothing of one group belongs to another.
struct FlowKey {
  Endpoint low;
  Endpoint high;
  std::uint32_t overlay = 0;
  std::uint32_t tap_group = 0;

  friend constexpr auto operator<=>(const FlowKey&, const FlowKey&) = default;
  template <class H>
  friend H AbslHashValue(H h, const FlowKey& k) {
    return H::combine(std::move(h), k.low, k.high, k.overlay, k.tap_group);
  }
};

/// A hash of the addresses, ports and tap group that is the same in every run and on every machine: reports must not
/// depend on it being random. `overlay` is no part of it: both directions have the same hash.
[[nodiscard]] std::uint64_t stable_hash(const FlowKey& key) noexcept;

}  // namespace iwarpscope::net
