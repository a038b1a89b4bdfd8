// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "ulp/guess.h"

#include <algorithm>
#include <array>

namespace iwarpscope::ulp {
namespace {

struct PortName {
  std::uint16_t port;
  std::string_view ulp;
};
constexpr auto kPorts = std::to_array<PortName>({
    {4420, "nvme"},
    {8009, "nvme"},
    {20049, "nfs"},
    {5445, "smb-direct"},
    {445, "smb-direct"},
    {3260, "iser"},
    {7174, "rping"},
    {7471, "rdma-cm-example"},
    {18515, "perftest"},
});

constexpr std::uint32_t kNfsMagic = 0xF6AB0E18;  // RFC 8797 §4.1

bool is_nfs(Octets private_data) noexcept {
  return private_data.size() >= 8 && load_be<std::uint32_t>(private_data) == kNfsMagic;
}

/// NVMe over Fabrics names queue sizes in 32 octets, little-endian: record format 0, queue, receive queue size, send
/// queue size, controller, then zeros. Source: NVM Express over Fabrics, RDMA transport, private data of the connect
/// request.
bool is_nvme(Octets request) noexcept {
  constexpr std::size_t kOctets = 32, kFormat = 0, kReceiveQueue = 4, kReserved = 10;
  return request.size() == kOctets && load_le<std::uint16_t>(request.subspan(kFormat)) == 0 &&
         load_le<std::uint16_t>(request.subspan(kReceiveQueue)) != 0 &&
         std::all_of(request.begin() + kReserved, request.end(), [](std::byte o) { return o == std::byte{0}; });
}

std::optional<std::string_view> by_port(std::uint16_t port) noexcept {
  for (const PortName& p : kPorts) {
    if (p.port == port) return p.ulp;
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string_view> guess(Octets request_private_data, Octets reply_private_data,
                                      std::uint16_t responder_port, std::optional<std::uint16_t> other_port) noexcept {
  if (is_nfs(request_private_data) || is_nfs(reply_private_data)) return "nfs";
  if (const auto ulp = by_port(responder_port)) return ulp;
  if (is_nvme(request_private_data)) return "nvme";
  return other_port ? by_port(*other_port) : std::nullopt;
}

}  // namespace iwarpscope::ulp
