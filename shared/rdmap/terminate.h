// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The Terminate header, in the forms that implementations really send.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "base/octets.h"
#include "ddp/segment.h"

namespace iwarpscope::rdmap {

/// How a Terminate header was laid out.
/// rfc5040: as RFC 5040 §4.8 draws it. irdma keeps to it, though it attaches headers to LLP errors too.
/// siw_le: Linux siw on a little-endian host. Its C bit-fields put Layer into the low and EType into the high nibble of
///   octet 0, and M, D, R into bits 0, 1, 2 of octet 2.
/// cxgb4: the layout of the RFC, but four octets only where the RFC wants the DDP header of the message meant.
enum class TerminateDialect : std::uint8_t { rfc5040, siw_le, cxgb4 };

/// As reports print it: "rfc5040", "siw-le", "cxgb4".
[[nodiscard]] std::string_view name(TerminateDialect dialect) noexcept;

/// What is known beside the header itself. It only matters for a few values that mean something in both layouts.
struct TerminateContext {
  /// The other end had sent an RDMA message before: the errors of MPA startup (2/0/5..7) are then unlikely, and without
  /// one the errors about a message are. Empty: not known.
  std::optional<bool> peer_has_sent = std::nullopt;
  /// The Initiator sent no RTR of a type that both startup frames offer: 2/0/7 is then likely, whatever was sent
  /// before.
  bool is_rtr_type_missing = false;
  /// The sender is known to be Linux siw on a little-endian host.
  bool siw_le = false;
};

/// How well a Terminate's length fits its header control bits.
enum class TerminateFit : std::uint8_t {
  exact,
  trailing_zeros,       ///< nothing but zero octets too many
  without_rdma_header,  ///< exact but for the RDMA header, which R announces and which is not there
  too_long,
  too_short,
};

/// Terminate header: 4 octets, then what M, D and R announce. Borrows the octets it was parsed from. Source: RFC 5040
/// §4.8.
struct Terminate {
  static constexpr std::size_t kOctets = 4;  ///< that are always there

  std::uint8_t layer = 0;       ///< 0 RDMA, 1 DDP, 2 LLP; 4 bits
  std::uint8_t error_type = 0;  ///< 4 bits
  std::uint8_t error_code = 0;
  bool m = false;              ///< DDP Segment Length valid
  bool d = false;              ///< DDP header included
  bool r = false;              ///< RDMA header included
  std::uint16_t reserved = 0;  ///< the 13 reserved bits of the layout chosen
  TerminateDialect dialect = TerminateDialect::rfc5040;
  TerminateFit fit = TerminateFit::exact;
  std::optional<std::uint16_t> ddp_segment_length;  ///< if there is room for it and M is set
  Octets ddp_header;    ///< Terminated DDP header, 14 or 18 octets by its own T flag; empty: not there or not whole
  Octets rdmap_header;  ///< Terminated RDMA header, 28 octets; empty: not there or not whole

  /// Reads the octets after the DDP header. `octets`: as captured; `length`: as sent, at least octets.size().
  /// Total: fails only with Short, when fewer than four octets are there.
  ///
  /// Both layouts are tried. Octet 2 decides where a header follows: siw sets only its low three bits, the RFC only the
  /// high three, and what they announce must fit the length. Without a header the nibbles decide: the layout whose
  /// layer, type and code are registered. 2/0/5..7 and 0/2/5..7 are registered both ways round; the first are errors of
  /// MPA startup, before any message of the peer, the second need such a message, and siw sends 0/2/5 and 0/2/6 without
  /// headers: so `context.peer_has_sent` decides, for code 7 `context.is_rtr_type_missing` before it, and when both are
  /// unknown the second is taken.
  /// 1/0/0 and 0/1/0 are read as the RFC has them, since siw attaches headers to both.
  [[nodiscard]] static Decoded<Terminate> parse(Octets octets, std::uint32_t length,
                                                const TerminateContext& context = {}) noexcept;
};

/// Whether layer, type and code are in the registry. Source: RFC 6580 §3.1 to §3.3, RFC 6581 §8.
[[nodiscard]] bool is_registered(std::uint8_t layer, std::uint8_t error_type, std::uint8_t error_code) noexcept;

/// The error in words, such as "Remote Protection Error: Invalid STag"; "unregistered error" for others.
/// Source: RFC 5040 §4.8, RFC 5041 §7.2, RFC 5044 §8, RFC 6580 §3, RFC 6581 §8.
[[nodiscard]] std::string_view error_name(std::uint8_t layer, std::uint8_t error_type,
                                          std::uint8_t error_code) noexcept;

/// How a terminated DDP header compares with the header of a DDP segment that was sent.
enum class TerminatedMatch : std::uint8_t {
  none,
  same,              ///< octet for octet
  siw_read_request,  ///< a Read Request as Linux siw rebuilds it: the read size in place of the MSN, MO not compared
};

/// Compares the terminated DDP header with `segment`; `none` when the Terminate carries no DDP header.
[[nodiscard]] TerminatedMatch match(const Terminate& terminate, const ddp::Segment& segment) noexcept;

/// True when the DDP Segment Length can mean `segment`: its whole ULPDU (irdma), what follows its DDP header, or that
/// without the RDMAP header (Linux siw). The RFC leaves it open. True when there is no length.
[[nodiscard]] bool length_matches(const Terminate& terminate, const ddp::Segment& segment) noexcept;

}  // namespace iwarpscope::rdmap
