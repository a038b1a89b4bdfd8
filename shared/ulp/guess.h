// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Which upper layer a queue pair serves, as far as ports and private data tell.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "base/octets.h"

namespace iwarpscope::ulp {

/// A guess from the private data of the startup frames (certain where it has a magic number) and from the port that the
/// Responder listens on. `other_port`: of the other end, where it is not known which of the two listened. Static
/// storage; empty: neither is known. Sources: RFC 8797 §4 (NFS/RDMA), NVMe over Fabrics' connect request, the
/// assigned ports of NVMe-oF (4420, 8009), NFS/RDMA (20049), SMB Direct (5445, 445), iSER (3260), rping (7174),
/// librdmacm examples (7471), perftest (18515).
[[nodiscard]] std::optional<std::string_view> guess(Octets request_private_data, Octets reply_private_data,
                                                    std::uint16_t responder_port,
                                                    std::optional<std::uint16_t> other_port) noexcept;

}  // namespace iwarpscope::ulp
