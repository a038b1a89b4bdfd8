// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// What captures the frames of an interface, or of a share of its queues or connections.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>

#include <tl/expected.hpp>

#include "base/octets.h"
#include "base/time_point.h"
#include "net/frame.h"

namespace iwarpscope::capture {

/// Captures nothing until accept(). For one thread at a time.
class CaptureSocket {
 public:
  struct Captured {
    TimePoint time;
    std::uint32_t original_length = 0;
    Octets octets;  ///< memory that is shared with the kernel: for the duration of the call
  };
  /// All since accept(). Units: frames.
  struct Counts {
    std::uint64_t received = 0;  ///< read, or waiting to be read
    std::uint64_t dropped = 0;   ///< there was no room for them
  };

  CaptureSocket() = default;
  CaptureSocket(CaptureSocket&&) noexcept = default;
  CaptureSocket& operator=(CaptureSocket&&) noexcept = default;
  virtual ~CaptureSocket() = default;

  /// From here on frames are captured that the filter lets through. Needs no privileges. Resets the counters.
  [[nodiscard]] virtual tl::expected<void, std::string> accept() = 0;
  /// From here on this filter decides, in place of the one it was opened with: the one takes the place of the other
  /// between two frames. Needs no privileges. Fails when it does not compile; then the old one stays.
  [[nodiscard]] virtual tl::expected<void, std::string> change_filter(const std::string& filter) = 0;
  /// Captures no more frames; those that wait can still be read.
  virtual void refuse() noexcept = 0;
  /// Gives what waits, at most about `most` frames, and does not wait itself. Returns how many. Fails when the
  /// interface is gone.
  [[nodiscard]] virtual tl::expected<unsigned, std::string> read(unsigned most,
                                                                 const std::function<void(const Captured&)>& take) = 0;
  [[nodiscard]] virtual Counts counts() noexcept = 0;
  /// Readable when there is something to read.
  [[nodiscard]] virtual int descriptor() const noexcept = 0;
  [[nodiscard]] virtual net::LinkType link() const noexcept = 0;
  /// How long it may be left unread now that it was read to its end: frames then fill three quarters of it at most.
  [[nodiscard]] virtual std::chrono::milliseconds longest_nap() noexcept = 0;
};

}  // namespace iwarpscope::capture
