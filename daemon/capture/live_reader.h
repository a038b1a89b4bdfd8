// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The thread of one capture socket.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "capture/buffer_pool.h"
#include "capture/capture_socket.h"
#include "capture/handover.h"
#include "capture/link.h"
#include "capture/live_interface.h"
#include "capture/ring_socket.h"

namespace iwarpscope::capture {

/// Copies frames from a socket's ring into batches and hands them over, also while the analysis is late. When the
/// interface goes away it waits for it to come back. Then it opens a new socket, or, when that is no longer permitted,
/// moves the one that it has kept: its own, or, because a member of a group cannot be moved, a spare one, which is then
/// alone to capture from the interface. Not for several threads.
class LiveReader {
 public:
  /// Where its batches go.
  struct Lane {
    Handover& handover;
    std::size_t number;
  };
  /// `is_first` of the interface's readers: the one that looks after the interface itself.
  LiveReader(LiveInterface& interface, bool is_first, Lane lane, std::unique_ptr<CaptureSocket> socket, LinkQuery link);

  /// Keeps a socket that was parked, for the time after the privileges are gone.
  void keep(RingSocket spare) { kept_ = std::move(spare); }
  /// Captures from here on.
  void accept();
  /// Until `stop` is readable; then gives what the ring still holds.
  void run(int stop);

 private:
  void capture(int stop);
  void wait_for_interface(int stop);
  [[nodiscard]] bool reopen(const std::optional<LinkState>& state);
  [[nodiscard]] bool move_kept(const LinkState& state);
  void begin_with(RingSocket socket, const std::optional<LinkState>& state);
  void lost(const std::string& cause);
  void take(const CaptureSocket::Captured& frame);
  [[nodiscard]] bool read_some();
  void read_rest();
  void next_buffer(std::size_t octets);
  void hand_over();
  void look_after(SteadyTime now);
  void look_for_filter();
  void count();
  /// The ring holds so many frames now.
  void see_ring(std::uint64_t holds);

  LiveInterface& interface_;
  const std::size_t lane_;
  Handover& handover_;
  std::unique_ptr<CaptureSocket> socket_;
  std::optional<RingSocket> kept_;  ///< captures nothing, and can be moved to the interface that comes back
  LinkQuery link_;
  const bool is_first_;
  unsigned link_index_ = 0;
  unsigned filters_ = 0;  ///< LiveInterface::filters() when it was looked at last
  SteadyTime next_look_{};
  SteadyTime next_look_at_offloads_{};
  CaptureSocket::Counts counted_;
  std::uint64_t read_ = 0;     ///< frames, from this socket
  std::uint64_t in_ring_ = 0;  ///< as far as was counted: LiveInterface::captured holds them already
  bool drained_ = true;        ///< when the ring was read last, it held no more
  std::string gone_;           ///< why reading ended

  std::shared_ptr<BufferPool> pool_;
  std::shared_ptr<BufferPool::Buffer> buffer_;
  std::size_t used_ = 0;    ///< octets of it
  std::size_t handed_ = 0;  ///< that were handed over
  std::vector<net::Frame> frames_;
};

}  // namespace iwarpscope::capture
