// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "ulp/limits.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "ulp/little_endian.h"

namespace iwarpscope::ulp {
namespace {

constexpr std::uint32_t kNfsUnit = 1024;  // octets. Source: RFC 8797 §4.2

bool all_zero(Octets octets) noexcept {
  return std::all_of(octets.begin(), octets.end(), [](std::byte o) { return o == std::byte{0}; });
}

std::string queue_name(std::uint16_t queue) {
  return queue == 0 ? std::string("the admin queue") : fmt::format("I/O queue {}", queue);
}

/// STS of the reject. Source: NVM Express RDMA Transport, "RDMA_CM_REJECT status".
std::string_view nvme_status(std::uint16_t status) noexcept {
  constexpr auto kTexts = std::to_array<std::string_view>({
      "the length of the private data is invalid",
      "the record format is invalid",
      "the queue number is invalid",
      "the host's send queue size is invalid",
      "the host's receive queue size is invalid",
      "it has no resources",
      "the IRD is invalid",
      "the ORD is invalid",
  });
  return status >= 1 && status <= kTexts.size() ? kTexts[status - 1U] : "for an unknown reason";
}

std::string sizes(std::uint32_t send, std::uint32_t receive, std::uint32_t fragmented) {
  return fmt::format("sends at most {} octets at once, takes {} and {} in fragments", send, receive, fragmented);
}

}  // namespace

std::optional<NvmeRequest> nvme_request(Octets private_data) noexcept {
  constexpr std::size_t kOctets = 32, kReserved = 10;
  if (private_data.size() != kOctets || le16(private_data, 0) != 0) return std::nullopt;
  if (!all_zero(private_data.subspan(kReserved))) return std::nullopt;
  const NvmeRequest request{
      .queue = le16(private_data, 2), .receive_queue = le16(private_data, 4), .send_queue = le16(private_data, 6)};
  if (request.receive_queue == 0 || request.send_queue == 0) return std::nullopt;
  return request;
}

std::optional<NvmeAccept> nvme_accept(Octets private_data) noexcept {
  constexpr std::size_t kOctets = 32, kReserved = 4;
  if (private_data.size() != kOctets || le16(private_data, 0) != 0) return std::nullopt;
  if (!all_zero(private_data.subspan(kReserved)) || le16(private_data, 2) == 0) return std::nullopt;
  return NvmeAccept{.receive_queue = le16(private_data, 2)};
}

std::optional<std::uint16_t> nvme_reject(Octets private_data) noexcept {
  constexpr std::size_t kOctets = 4;
  if (private_data.size() != kOctets || le16(private_data, 0) != 0 || le16(private_data, 2) == 0) return std::nullopt;
  return le16(private_data, 2);
}

std::optional<NfsSizes> nfs_sizes(Octets private_data) noexcept {
  constexpr std::size_t kOctets = 8;
  constexpr std::uint32_t kFormat = 0xF6AB0E18;
  constexpr std::uint8_t kVersion = 1;
  for (Octets rest = private_data; rest.size() >= kOctets; rest = rest.subspan(1)) {
    if (load_be<std::uint32_t>(rest) != kFormat || to_u8(rest[4]) != kVersion) continue;
    return NfsSizes{.send_octets = (to_u8(rest[6]) + 1U) * kNfsUnit,
                    .receive_octets = (to_u8(rest[7]) + 1U) * kNfsUnit,
                    .invalidates = (to_u8(rest[5]) & 0x01) != 0};
  }
  return std::nullopt;
}

std::optional<SmbDirectRequest> smb_direct_request(const SendPayload& send) noexcept {
  constexpr std::size_t kOctets = 20;
  if (send.length != kOctets || send.octets.size() < kOctets) return std::nullopt;
  const Octets o = send.octets;
  const SmbDirectRequest request{.lowest_version = le16(o, 0),
                                 .highest_version = le16(o, 2),
                                 .credits_requested = le16(o, 6),
                                 .preferred_send_octets = le32(o, 8),
                                 .receive_octets = le32(o, 12),
                                 .fragmented_octets = le32(o, 16)};
  const bool is_one = request.lowest_version != 0 && request.lowest_version <= request.highest_version &&
                      le16(o, 4) == 0 && request.receive_octets != 0 && request.fragmented_octets != 0;
  return is_one ? std::optional(request) : std::nullopt;
}

std::optional<SmbDirectResponse> smb_direct_response(const SendPayload& send) noexcept {
  constexpr std::size_t kOctets = 32;
  if (send.length != kOctets || send.octets.size() < kOctets) return std::nullopt;
  const Octets o = send.octets;
  const SmbDirectResponse response{.lowest_version = le16(o, 0),
                                   .highest_version = le16(o, 2),
                                   .version = le16(o, 4),
                                   .credits_requested = le16(o, 8),
                                   .credits_granted = le16(o, 10),
                                   .status = le32(o, 12),
                                   .read_write_octets = le32(o, 16),
                                   .preferred_send_octets = le32(o, 20),
                                   .receive_octets = le32(o, 24),
                                   .fragmented_octets = le32(o, 28)};
  const bool is_one =
      response.lowest_version != 0 && response.lowest_version <= response.highest_version && le16(o, 6) == 0;
  return is_one ? std::optional(response) : std::nullopt;
}

Limits compare(const NvmeRequest& host, const NvmeAccept& controller) {
  // A queue of n entries holds n - 1 commands, and n - 1 is what HSQSIZE says.
  Limits limits{.sentence = fmt::format("For {} the NVMe-oF host asks for a submission queue of {} entries; the "
                                        "controller grants {}.",
                                        queue_name(host.queue), host.send_queue + 1U, controller.receive_queue),
                .compatible = controller.receive_queue >= host.send_queue};
  if (!limits.compatible) limits.sentence += " A host that ignores this limit sends more commands than fit.";
  return limits;
}

Limits nvme_refused(const NvmeRequest& host, std::uint16_t status) {
  return {.sentence = fmt::format("The NVMe-oF host asks for a submission queue of {} entries for {}; the controller "
                                  "refuses with status {}: {}.",
                                  host.send_queue + 1U, queue_name(host.queue), status, nvme_status(status)),
          .compatible = false};
}

Limits compare(const std::optional<NfsSizes>& client, const std::optional<NfsSizes>& server) {
  const auto limits_of = [](const std::optional<NfsSizes>& end) {
    return end ? fmt::format("sends {} octets inline and takes {}", end->send_octets, end->receive_octets)
               : fmt::format("gives no sizes, which means {} octets", kNfsUnit);
  };
  const NfsSizes c = client.value_or(NfsSizes{}), s = server.value_or(NfsSizes{});
  return {
      .sentence = fmt::format("The NFS/RDMA client {}; the server {}: calls of up to {} octets and replies of up to "
                              "{} go inline.",
                              limits_of(client), limits_of(server), std::min(c.send_octets, s.receive_octets),
                              std::min(s.send_octets, c.receive_octets)),
      .compatible = true};
}

Limits compare(const SmbDirectRequest& client, const SmbDirectResponse& server) {
  constexpr std::uint16_t kVersion = 0x0100;
  constexpr std::uint32_t kLeastReceive = 128, kLeastFragmented = 131072;
  std::string sentence = fmt::format(
      "The SMB Direct client {}, and asks for {} credits",
      sizes(client.preferred_send_octets, client.receive_octets, client.fragmented_octets), client.credits_requested);
  if (server.status != 0) {
    return {.sentence = sentence + fmt::format("; the server refuses with status 0x{:08x}.", server.status),
            .compatible = false};
  }
  sentence += fmt::format("; the server {}, and grants {}.",
                          sizes(server.preferred_send_octets, server.receive_octets, server.fragmented_octets),
                          server.credits_granted);
  std::string wrong;
  if (client.lowest_version > kVersion || client.highest_version < kVersion || server.version != kVersion) {
    wrong = " They do not agree on version 1.0.";
  } else if (client.credits_requested == 0 || server.credits_requested == 0 || server.credits_granted == 0) {
    wrong = " Nothing can be sent without a credit.";
  } else if (client.receive_octets < kLeastReceive || server.receive_octets < kLeastReceive) {
    wrong = fmt::format(" Each end must take {} octets at once.", kLeastReceive);
  } else if (client.fragmented_octets < kLeastFragmented || server.fragmented_octets < kLeastFragmented) {
    wrong = fmt::format(" Each end must take {} octets in fragments.", kLeastFragmented);
  } else if (server.preferred_send_octets > client.receive_octets) {
    wrong = " The server sends more at once than the client takes.";
  }
  return {.sentence = sentence + wrong, .compatible = wrong.empty()};
}

std::optional<Limits> compare_private_data(Ulp ulp, Octets request, Octets reply, bool rejected) {
  if (ulp == Ulp::nvme) {
    const std::optional<NvmeRequest> host = nvme_request(request);
    if (!host) return std::nullopt;
    if (rejected) {
      const std::optional<std::uint16_t> status = nvme_reject(reply);
      return status ? std::optional(nvme_refused(*host, *status)) : std::nullopt;
    }
    const std::optional<NvmeAccept> controller = nvme_accept(reply);
    return controller ? std::optional(compare(*host, *controller)) : std::nullopt;
  }
  if (ulp == Ulp::nfs && !rejected) {
    const std::optional<NfsSizes> client = nfs_sizes(request), server = nfs_sizes(reply);
    if (client || server) return compare(client, server);
  }
  return std::nullopt;
}

}  // namespace iwarpscope::ulp
