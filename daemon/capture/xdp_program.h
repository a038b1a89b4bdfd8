// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The program in the driver that takes frames for AF_XDP sockets.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include <tl/expected.hpp>

namespace iwarpscope::capture {

/// What the kernel refused, and why. `needs`: the privileges that EPERM is about.
[[nodiscard]] std::string xdp_refusal(const std::string& what, int error, const char* needs);

/// Runs for each frame of an interface, before the kernel's network stack sees it. It writes the time before the frame
/// and takes the frame for the AF_XDP socket of its receive queue; the host itself does not get it. Frames of queues
/// that do not accept() go to the host. The kernel removes the program when this object, or the process, is gone.
/// Source: linux/bpf.h, xdp_md and BPF_MAP_TYPE_XSKMAP.
class XdpProgram {
 public:
  /// Octets before a frame that hold its time: CLOCK_MONOTONIC, in nanoseconds.
  static constexpr std::size_t kTimeOctets = 8;

  /// Loads and attaches it, in the driver if that can, otherwise behind it. `long_frames`: also those that do not fit
  /// into one page. Needs CAP_NET_ADMIN and CAP_BPF. Fails when they are missing or another program is there.
  [[nodiscard]] static tl::expected<std::shared_ptr<XdpProgram>, std::string> attach(unsigned link_index,
                                                                                     unsigned queues, bool long_frames);
  XdpProgram(const XdpProgram&) = delete;
  XdpProgram& operator=(const XdpProgram&) = delete;
  ~XdpProgram();

  /// This socket takes the frames of the queue. Needs the privileges of attach().
  [[nodiscard]] tl::expected<void, std::string> serve(unsigned queue, int socket) noexcept;
  /// Whether the queue's frames are taken. At once, without a system call. Any thread.
  void accept(unsigned queue, bool accepted) noexcept;
  /// Whether the driver has room for the time before a frame. Any thread.
  [[nodiscard]] bool has_times(unsigned queue) const noexcept;
  /// In the driver.
  [[nodiscard]] bool is_native() const noexcept { return native_; }

 private:
  /// What the program and this process share about a queue; a cache line. It is an element of a map of the kernel.
  struct alignas(64) Queue {
    std::uint32_t accepted;
    std::uint32_t untimed;  ///< a frame came without room for its time
  };
  XdpProgram() = default;

  int sockets_ = -1, state_ = -1, program_ = -1, link_ = -1;  ///< descriptors
  Queue* queues_ = nullptr;
  std::size_t mapped_ = 0;  ///< octets
  bool native_ = false;
};

}  // namespace iwarpscope::capture
