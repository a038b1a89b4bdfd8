// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// What an upper layer advertises of its memory to the peer: STags in the payload of a Send.
//
// Read only where it is certain: the upper layer is known, and all octets that lead to an STag are as its specification
// has them. Decoders are pure and total; a payload that is anything else announces nothing.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "base/ids.h"
#include "base/octets.h"
#include "rdmap/access.h"

namespace iwarpscope::ulp {

using rdmap::Access;

/// The upper layers whose announcements can be read.
enum class Ulp : std::uint8_t { none, rping, smb_direct, nvme, nfs };

/// By its name in ulp/guess.h. none: unknown, or one whose Sends announce nothing that can be read.
[[nodiscard]] Ulp ulp_named(std::optional<std::string_view> name) noexcept;

/// The sender of the payload lets the peer use [to, to + octets) of `stag`. Never empty, never beyond 2^64.
struct Announcement {
  STag stag;
  TaggedOffset to;
  std::uint64_t octets = 0;
  Access granted{};  ///< write: the peer may write it; none: not known
  friend bool operator==(const Announcement&, const Announcement&) = default;
};

/// What one payload announces, in its order; what is more than kMost is counted only.
class Announcements {
 public:
  static constexpr std::size_t kMost = 64;

  [[nodiscard]] const Announcement* begin() const noexcept { return all_.data(); }
  [[nodiscard]] const Announcement* end() const noexcept { return all_.data() + size_; }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] bool empty() const noexcept { return size_ == 0; }
  [[nodiscard]] const Announcement& operator[](std::size_t k) const noexcept { return all_[k]; }
  [[nodiscard]] std::uint64_t left_out() const noexcept { return left_out_; }

  /// Takes it, if it is not empty. False: it would reach beyond 2^64, which no buffer does.
  bool add(STag stag, std::uint64_t to, std::uint64_t octets, Access granted) noexcept;

 private:
  std::array<Announcement, kMost> all_{};
  std::size_t size_ = 0;
  std::uint64_t left_out_ = 0;
};

/// The payload of a Send, of which perhaps only the first octets are available. Borrows them.
struct SendPayload {
  Octets octets;             ///< its first
  std::uint64_t length = 0;  ///< octets that were sent; at least octets.size()
};

/// rping of librdmacm and its kin: 16 octets, big-endian: address (8), STag (4), length (4, at most 64 KiB). Whether
/// the peer will read or write it, it does not say. Source: the rping program of rdma-core; no RFC.
[[nodiscard]] Announcements announced_by_rping(const SendPayload& payload) noexcept;

/// An NVMe over Fabrics command capsule whose one SGL descriptor is a Keyed SGL Data Block. The peer writes it, reads
/// it or both, as the last two bits of the opcode say (of a Fabrics command those of its type). Not read: a list of
/// descriptors after the command. Source: NVM Express Base Specification, "Common Command Format" and "Keyed SGL Data
/// Block descriptor"; checked on real traffic.
[[nodiscard]] Announcements announced_by_nvme(const SendPayload& payload) noexcept;

/// An RPC-over-RDMA version 1 call: Read list (the peer reads it), Write list and Reply chunk (the peer writes them).
/// The lists of a reply name memory of the peer and announce nothing. Source: RFC 8166 §4.
[[nodiscard]] Announcements announced_by_nfs(const SendPayload& payload) noexcept;

/// An SMB Direct Data Transfer message. Source: [MS-SMBD] §2.2.3.
struct SmbDirectTransfer {
  std::uint32_t remaining = 0;    ///< octets of the SMB2 message that follow in further messages
  std::uint32_t data_length = 0;  ///< octets of the SMB2 message in this one; 0: only credits
  Octets data;                    ///< as far as they are available
};
[[nodiscard]] std::optional<SmbDirectTransfer> smb_direct_transfer(const SendPayload& payload) noexcept;

/// SMB2 READ (the peer writes) and WRITE (the peer reads) requests that name memory by SMB_DIRECT_BUFFER_DESCRIPTOR_V1,
/// alone or in a chain. `payload` must be where an SMB2 message begins: what continues one may look like anything.
/// Source: [MS-SMB2] §2.2.1, §2.2.19, §2.2.21; [MS-SMBD] §2.2.3.1.
[[nodiscard]] Announcements announced_by_smb_direct(const SendPayload& payload) noexcept;

/// By the one of `ulp`; none: nothing.
[[nodiscard]] Announcements announced(Ulp ulp, const SendPayload& payload) noexcept;

/// How many of the first octets of a payload contain all information. At most 4096.
[[nodiscard]] std::size_t octets_needed(Ulp ulp) noexcept;

}  // namespace iwarpscope::ulp
