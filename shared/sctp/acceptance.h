// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Which packets of an association a receiver drops although their addresses, ports and tag are right.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "base/ids.h"
#include "net/sctp_packet.h"
#include "sctp/causal_order.h"
#include "sctp/context.h"

namespace iwarpscope::sctp {

/// What is wrong with a packet in its receiver's view; none: the receiver takes it.
enum class Doubt : std::uint8_t {
  none,
  wrong_ip_checksum,     ///< RFC 1122 §3.2.1.2
  beyond_window,         ///< TSNs that no receiver has room for. RFC 9260 §6.2
  wrong_acknowledgment,  ///< of TSNs that were never sent, or by a SHUTDOWN far too old. RFC 9260 §6.2.1, §9.2
};
inline constexpr std::array<std::string_view, 4> kDoubtWords = {"", "a wrong IP header checksum",
                                                                "TSNs beyond the window", "a wrong cumulative TSN ack"};

/// Judges the numbers of packets. A packet whose numbers lie too far ahead is set aside until others show that the
/// capture missed what is between: those of the other end, or many of the same one. Bounded: kMostAside packets, paid
/// from the association's room. Not thread-safe.
class Acceptance {
 public:
  /// How many TSNs a receiver follows after the last one that it acknowledged: Linux 4096 (SCTP_TSN_MAP_SIZE), FreeBSD
  /// as many (SCTP_MAPPING_ARRAY). RFC 9260 counts octets instead.
  static constexpr Tsn kReach = 4096;
  static constexpr std::size_t kMostAside = 32;
  /// So many packets of one end that fit each other are believed: with DATA, and with nothing but SACKs. Ours.
  static constexpr std::size_t kDataRun = 16, kSackRun = 3;

  /// `context` must outlive this.
  explicit Acceptance(Context& context) noexcept : context_(context) {}
  ~Acceptance();
  Acceptance(const Acceptance&) = delete;
  Acceptance& operator=(const Acceptance&) = delete;

  /// Why the receiver drops it. A line of TSNs of which nothing was seen doubts nothing.
  [[nodiscard]] Doubt judge(Direction d, const Claims& claims) const noexcept {
    const bool is_plain = !claims.abandoned && !claims.shuts_down &&
                          !(claims.first_tsn && is_too_far(d, *claims.first_tsn)) &&
                          !(claims.received && is_too_far(opposite(d), *claims.received));
    return is_plain ? Doubt::none : why(d, claims).doubt;
  }
  /// It lies beyond all that a receiver of direction `of` follows.
  [[nodiscard]] bool is_too_far(Direction of, std::uint32_t tsn) const noexcept {
    const TsnLine& line = context_.line(of);
    return line.has_begun() && line.unwrapped(tsn) > line.highest_known() + kReach;
  }
  /// Keeps a copy of a doubted packet.
  void set_aside(Direction d, const net::SctpPacket& packet, const Claims& claims);
  /// The next of those set aside that its receiver took after all, with the reason for which it was doubted.
  struct Released {
    Doubt doubt{};
    CausalOrder::Released packet;
  };
  [[nodiscard]] std::optional<Released> release();
  [[nodiscard]] bool is_empty() const noexcept { return aside_.empty(); }

 private:
  /// The number that lies too far ahead, in the line of `of`.
  struct Why {
    Doubt doubt{};
    Direction of{};
    Tsn tsn = 0;
  };
  struct Aside {
    Direction direction{};
    Why why;
    net::SctpPacket packet;
    std::vector<std::byte> octets;
    bool believed = false;

    [[nodiscard]] std::size_t cost() const noexcept { return octets.size() + kOverhead; }
    static constexpr std::size_t kOverhead = 256;  ///< ours
  };

  [[nodiscard]] Why why(Direction d, const Claims& claims) const noexcept;
  [[nodiscard]] Why judge(Doubt doubt, Direction of, const std::optional<std::uint32_t>& tsn,
                          bool is_last = false) const noexcept;
  [[nodiscard]] Aside take_out(std::size_t at) noexcept;
  void believe_near(const Why& why);

  Context& context_;
  std::vector<Aside> aside_;  ///< in the order in which they came
};

}  // namespace iwarpscope::sctp
