// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "capture/type_handlers.h"

#include <arpa/inet.h>
#include <linux/filter.h>
#include <linux/if_ether.h>
#include <linux/if_packet.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <exception>
#include <system_error>
#include <thread>
#include <utility>

namespace iwarpscope::capture {
namespace {

// What linux/if_ether.h has no name of. Source: Wireshark's epan/etypes.h, but for the first: RFC 6325 §4.1.
constexpr std::uint16_t kTrill = 0x22F3;
constexpr std::uint16_t kFabricPath = 0x8903;
constexpr std::uint16_t kCiscoMetadata = 0x8909;
constexpr std::uint16_t kVmwareBeacon = 0x8922;
constexpr std::uint16_t kNlbHeartbeat = 0x886F;

/// The EtherTypes that follow a tag on the trunks of data centres, or, because a remote mirror port adds a tag,
/// anywhere. Where the kernel keeps a list instead of a hash (see README.md) each costs every frame a look, so no more
/// are here.
constexpr auto kTypes = std::to_array<std::uint16_t>({
    // Further tags and labels, which the analysis takes off.
    ETH_P_8021Q,
    ETH_P_8021AD,
    ETH_P_QINQ1,
    ETH_P_MPLS_UC,
    ETH_P_MPLS_MC,
    // LLC and SNAP: spanning trees of each VLAN, CDP.
    ETH_P_802_2,
    // Protocols between bridges and switches.
    ETH_P_LLDP,
    ETH_P_SLOW,
    ETH_P_PAE,
    ETH_P_CFM,
    ETH_P_1588,
    ETH_P_LOOPBACK,
    // Storage and RDMA beside IP.
    ETH_P_IBOE,
    ETH_P_FCOE,
    ETH_P_FIP,
    ETH_P_AOE,
    // Protocols of hosts for migration and monitoring.
    ETH_P_RARP,
    kVmwareBeacon,
    kNlbHeartbeat,
    // What other traffic is put into.
    ETH_P_PPP_DISC,
    ETH_P_PPP_SES,
    ETH_P_MACSEC,
    kTrill,
    kFabricPath,
    kCiscoMetadata,
});

/// -1: errno says why.
[[nodiscard]] int handler_of(std::uint16_t type) noexcept {
  const int descriptor = ::socket(AF_PACKET, SOCK_DGRAM | SOCK_CLOEXEC, 0);  // of no type yet: it is given nothing
  if (descriptor < 0) return -1;
  sock_filter nothing{BPF_RET | BPF_K, 0, 0, 0};
  const sock_fprog program{1, &nothing};
  sockaddr_ll address{};
  address.sll_family = AF_PACKET;
  address.sll_protocol = htons(type);
  if (::setsockopt(descriptor, SOL_SOCKET, SO_ATTACH_FILTER, &program, sizeof program) == 0 &&
      ::bind(descriptor, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0) {
    return descriptor;
  }
  const int error = errno;
  ::close(descriptor);
  errno = error;
  return -1;
}

}  // namespace

tl::expected<TypeHandlers, std::string> TypeHandlers::open() {
  TypeHandlers handlers;
  const auto add = [&](std::uint16_t type) {
    const int descriptor = handler_of(type);
    if (descriptor >= 0) handlers.descriptors_.push_back(descriptor);
    return descriptor >= 0;
  };
  bool complete = true;
  for (const std::uint16_t type : kTypes) complete = complete && add(type);
  // A kernel started with ipv6.disable=1 has no handler of it.
  if (complete && ::access("/proc/net/if_inet6", F_OK) != 0) complete = add(ETH_P_IPV6);
  if (!complete) {
    return tl::unexpected("the kernel would count frames with VLAN tags as lost: " +
                          std::generic_category().message(errno));
  }
  return handlers;
}

TypeHandlers::TypeHandlers(TypeHandlers&& other) noexcept : descriptors_(std::exchange(other.descriptors_, {})) {}

TypeHandlers& TypeHandlers::operator=(TypeHandlers&& other) noexcept {
  std::swap(descriptors_, other.descriptors_);
  return *this;
}

TypeHandlers::~TypeHandlers() {
  // close() waits until no processor can look at the socket any more, on a busy machine for long: all wait at once.
  std::vector<std::thread> closing;
  for (const int descriptor : descriptors_) {
    try {
      closing.emplace_back([descriptor] { ::close(descriptor); });
    } catch (const std::exception&) {  // there is no further thread to be had
      ::close(descriptor);
    }
  }
  for (std::thread& thread : closing) thread.join();
}

}  // namespace iwarpscope::capture
