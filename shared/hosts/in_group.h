// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Hosts and listeners by the network that they are in.
#pragma once

#include <compare>
#include <cstdint>
#include <utility>

#include "net/address.h"

namespace iwarpscope::hosts {

/// The same address in two tap groups is two hosts: each group is a network of its own.
template <class T>
struct InGroup {
  T its{};
  std::uint32_t tap_group = 0;  ///< as in net::FlowKey

  friend constexpr auto operator<=>(const InGroup&, const InGroup&) = default;
  template <class H>
  friend H AbslHashValue(H h, const InGroup& i) {
    return H::combine(std::move(h), i.its, i.tap_group);
  }
};
using Host = InGroup<net::IpAddress>;
using Listener = InGroup<net::Endpoint>;

}  // namespace iwarpscope::hosts
