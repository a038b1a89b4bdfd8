// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The limits that upper layers tell each other when they connect, and whether they fit.
//
// From the private data of MPA (NVMe over Fabrics, NFS/RDMA) or from the first Send of each end (SMB Direct). All
// decoders are pure and total; empty: it is something else.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/octets.h"
#include "ulp/announcements.h"

namespace iwarpscope::ulp {

/// Private data of an NVMe over Fabrics RDMA connect request: 32 octets, little-endian.
/// Source: NVM Express RDMA Transport, "RDMA_CM_REQUEST Private Data Format"; checked on real traffic.
struct NvmeRequest {
  std::uint16_t queue = 0;          ///< QID; 0: the admin queue
  std::uint16_t receive_queue = 0;  ///< HRQSIZE: completions that the host can take
  std::uint16_t send_queue = 0;     ///< HSQSIZE: entries of its submission queue less one
  friend bool operator==(const NvmeRequest&, const NvmeRequest&) = default;
};
[[nodiscard]] std::optional<NvmeRequest> nvme_request(Octets private_data) noexcept;

/// The same of the accept: 32 octets.
struct NvmeAccept {
  std::uint16_t receive_queue = 0;  ///< CRQSIZE: commands that the controller can take
  friend bool operator==(const NvmeAccept&, const NvmeAccept&) = default;
};
[[nodiscard]] std::optional<NvmeAccept> nvme_accept(Octets private_data) noexcept;

/// The same of the reject: 4 octets. Returns the status, not 0.
[[nodiscard]] std::optional<std::uint16_t> nvme_reject(Octets private_data) noexcept;

/// Private data of RPC-over-RDMA version 1, of either end. Source: RFC 8797 §4.
struct NfsSizes {
  std::uint32_t send_octets = 1024;     ///< sent inline at most: 1024 to 262144
  std::uint32_t receive_octets = 1024;  ///< taken inline at most
  bool invalidates = false;             ///< R: this end copes with Send with Invalidate
  friend bool operator==(const NfsSizes&, const NfsSizes&) = default;
};
/// Found wherever it begins, as RFC 8797 §5.2 has it.
[[nodiscard]] std::optional<NfsSizes> nfs_sizes(Octets private_data) noexcept;

/// SMB Direct's Negotiate Request: all of a Send of 20 octets, little-endian. Source: [MS-SMBD] §2.2.1.
struct SmbDirectRequest {
  std::uint16_t lowest_version = 0, highest_version = 0;
  std::uint16_t credits_requested = 0;
  std::uint32_t preferred_send_octets = 0, receive_octets = 0, fragmented_octets = 0;
  friend bool operator==(const SmbDirectRequest&, const SmbDirectRequest&) = default;
};
/// `send`: the first of its direction; a later one of this size carries credits.
[[nodiscard]] std::optional<SmbDirectRequest> smb_direct_request(const SendPayload& send) noexcept;

/// Its Negotiate Response: all of a Send of 32 octets. Source: [MS-SMBD] §2.2.2.
struct SmbDirectResponse {
  std::uint16_t lowest_version = 0, highest_version = 0, version = 0;
  std::uint16_t credits_requested = 0, credits_granted = 0;
  std::uint32_t status = 0;             ///< NTSTATUS; 0: success
  std::uint32_t read_write_octets = 0;  ///< of one RDMA Read or Write
  std::uint32_t preferred_send_octets = 0, receive_octets = 0, fragmented_octets = 0;
  friend bool operator==(const SmbDirectResponse&, const SmbDirectResponse&) = default;
};
[[nodiscard]] std::optional<SmbDirectResponse> smb_direct_response(const SendPayload& send) noexcept;

/// What both ends advertised.
struct Limits {
  std::string sentence;    ///< one or two plain sentences; the last says what does not fit
  bool compatible = true;  ///< false: one end asks for, or may use, more than the other takes, or it was refused
};
[[nodiscard]] Limits compare(const NvmeRequest& host, const NvmeAccept& controller);
[[nodiscard]] Limits nvme_refused(const NvmeRequest& host, std::uint16_t status);
/// An end that advertises nothing has the default sizes (RFC 8797 §5.1). Always compatible: both take the lower.
[[nodiscard]] Limits compare(const std::optional<NfsSizes>& client, const std::optional<NfsSizes>& server);
/// Source of what must hold: [MS-SMBD] §3.1.5.6, §3.1.5.7.
[[nodiscard]] Limits compare(const SmbDirectRequest& client, const SmbDirectResponse& server);

/// Compares the private data of both ends, without MPA's own enhanced data. The Initiator is host or client. Empty:
/// `ulp` has no limits there, or they cannot be read. `rejected`: the Reply rejects.
[[nodiscard]] std::optional<Limits> compare_private_data(Ulp ulp, Octets request, Octets reply, bool rejected);

}  // namespace iwarpscope::ulp
