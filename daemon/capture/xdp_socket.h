// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Captures from receive queues of an interface by AF_XDP: the driver writes frames into memory of this process.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <tl/expected.hpp>

#include "capture/capture_socket.h"
#include "capture/filter.h"
#include "capture/intake.h"
#include "capture/xdp_program.h"

namespace iwarpscope::capture {

/// AF_XDP sockets, one for each of some receive queues. They filter here, after the frame was received: `dropped` also
/// holds frames that the filter would not have let through. Source: Linux, Documentation/networking/af_xdp.rst.
class XdpSocket final : public CaptureSocket {
 public:
  /// The longest frame that fits into one page, with what the kernel keeps before it. Units: octets.
  static constexpr std::size_t kLongestInAPage = 4096 - 256;

  struct Share {
    std::shared_ptr<XdpProgram> program;  ///< of the interface
    std::vector<unsigned> queues;         ///< at least one
    std::size_t longest_frame = 0;        ///< octets
  };
  /// Opens the sockets, with the ring's memory divided among them, and compiles the filter. Needs CAP_NET_RAW, and
  /// CAP_IPC_LOCK or a limit of locked memory above the ring's. Fails with a sentence.
  [[nodiscard]] static tl::expected<std::unique_ptr<XdpSocket>, std::string> open(const InterfaceOptions& options,
                                                                                  Share share);
  ~XdpSocket() override;

  [[nodiscard]] tl::expected<void, std::string> accept() override;
  [[nodiscard]] tl::expected<void, std::string> change_filter(const std::string& filter) override;
  void refuse() noexcept override;
  [[nodiscard]] tl::expected<unsigned, std::string> read(unsigned most,
                                                         const std::function<void(const Captured&)>& take) override;
  [[nodiscard]] Counts counts() noexcept override;
  [[nodiscard]] int descriptor() const noexcept override;
  [[nodiscard]] net::LinkType link() const noexcept override { return net::LinkType::ethernet; }
  [[nodiscard]] std::chrono::milliseconds longest_nap() noexcept override;

  /// The adapter itself writes into this process' memory; otherwise the kernel copies each frame.
  [[nodiscard]] bool is_zero_copy() const noexcept;

 private:
  class Queue;
  XdpSocket(const InterfaceOptions& options, Share share);
  [[nodiscard]] unsigned read_queue(Queue& queue, unsigned most, const std::function<void(const Captured&)>& take);
  [[nodiscard]] bool give(const Captured& frame, const std::function<void(const Captured&)>& take);

  Share share_;
  const std::uint32_t snap_length_;
  Filter filter_;
  std::vector<std::unique_ptr<Queue>> queues_;
  int all_ = -1;             ///< an epoll descriptor of several queues
  std::size_t next_ = 0;     ///< the queue to be read first
  std::uint64_t given_ = 0;  ///< frames
  std::size_t most_ = 0;     ///< pieces of frames that waited in a queue since longest_nap() was asked
};

}  // namespace iwarpscope::capture
