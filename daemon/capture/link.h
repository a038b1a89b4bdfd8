// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// What the kernel says of a network interface.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <tl/expected.hpp>

namespace iwarpscope::capture {

struct LinkState {
  unsigned index = 0;
  bool up = false;            ///< by its administrator, and there is something at the other end of the cable
  std::uint64_t dropped = 0;  ///< frames, since the interface exists: rx_dropped and rx_missed_errors
};

/// What AF_XDP needs to know of an interface.
struct ReceivePath {
  std::string driver;           ///< empty: not known
  unsigned queues = 1;          ///< receive queues
  std::size_t mtu = 0;          ///< octets; 0: not known
  bool takes_tags_off = false;  ///< VLAN tags, before a program in the driver could see them
};

/// Asks by rtnetlink, which sees the network namespace it was opened in and needs no privileges and no /sys. For one
/// thread. Source: rtnetlink(7).
class LinkQuery {
 public:
  /// Fails when no socket can be had.
  [[nodiscard]] static tl::expected<LinkQuery, std::string> open();
  LinkQuery(LinkQuery&& other) noexcept;
  LinkQuery& operator=(LinkQuery&& other) noexcept;
  ~LinkQuery();

  /// None: the interface does not exist, or nothing can be learnt of it.
  [[nodiscard]] std::optional<LinkState> ask(const std::string& name);
  /// Receive offloads that are on and join TCP segments, as ethtool names them: "gro", "lro", "rx-gro-hw". Those that
  /// cannot be asked for are not named. Source: linux/ethtool.h, ETHTOOL_GFEATURES.
  [[nodiscard]] std::vector<std::string> offloads(const std::string& name) const;
  [[nodiscard]] ReceivePath receive_path(const std::string& name) const;

 private:
  explicit LinkQuery(int descriptor) noexcept : descriptor_(descriptor) {}
  int descriptor_;
  std::uint32_t sequence_ = 0;
};

}  // namespace iwarpscope::capture
