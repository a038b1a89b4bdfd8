// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Handlers of EtherTypes, for the interfaces' own count of what they dropped.
#pragma once

#include <string>
#include <vector>

#include <tl/expected.hpp>

namespace iwarpscope::capture {

/// After the capture the kernel counts a frame with a VLAN tag as dropped by its interface (rx_dropped) when nothing
/// handles the EtherType after the tag, although it was captured. This handles those that switches send with tags, by
/// sockets that are given nothing. Source: Linux net/core/dev.c, __netif_receive_skb_core.
class TypeHandlers {
 public:
  TypeHandlers() = default;
  TypeHandlers(TypeHandlers&& other) noexcept;
  TypeHandlers& operator=(TypeHandlers&& other) noexcept;
  ~TypeHandlers();

  /// For all interfaces of the network namespace, those that come later too, for as long as it lives. Takes
  /// CAP_NET_RAW. Fails when a socket cannot be had.
  [[nodiscard]] static tl::expected<TypeHandlers, std::string> open();

 private:
  std::vector<int> descriptors_;
};

}  // namespace iwarpscope::capture
