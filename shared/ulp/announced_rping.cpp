// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// rping: one buffer in each Send of its client.
#include "ulp/announcements.h"

namespace iwarpscope::ulp {

Announcements announced_by_rping(const SendPayload& payload) noexcept {
  constexpr std::size_t kOctets = 16;
  constexpr std::uint32_t kLargest = 64 * 1024;  // what its -S option takes
  Announcements found;
  if (payload.length != kOctets || payload.octets.size() < kOctets) return found;
  const auto message = payload.octets.first<kOctets>();
  const std::uint64_t address = load_be<std::uint64_t, 0>(message);
  const std::uint32_t stag = load_be<std::uint32_t, 8>(message);
  const std::uint32_t octets = load_be<std::uint32_t, 12>(message);
  // The server's Sends have the same shape and say "go on": all zero.
  if (address == 0 || stag == 0 || octets > kLargest) return found;
  found.add(STag{stag}, address, octets, Access::none);
  return found;
}

}  // namespace iwarpscope::ulp
