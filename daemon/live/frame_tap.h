// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Interface for outputs that need every analysed frame.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "net/frame.h"

namespace iwarpscope::live {

/// Called on the analysis thread only: has to be quick.
class FrameTap {
 public:
  using Storage = std::shared_ptr<const std::vector<std::byte>>;
  virtual ~FrameTap() = default;
  /// The frames given from here on borrow from `storage`. The tap may hold it for any time and releases it on the
  /// analysis thread. Null: they borrow for the call of frame() only.
  virtual void batch(const Storage& storage) = 0;
  /// `flow`: net::stable_hash() of the TCP connection's net::FlowKey; 0: the frame carries no TCP segment.
  virtual void frame(const net::Frame& frame, std::uint64_t flow) = 0;
};

}  // namespace iwarpscope::live
