// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// One interface that is captured from, by one socket or several.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include <tl/expected.hpp>

#include "capture/capture_socket.h"
#include "capture/intake.h"
#include "capture/link.h"
#include "capture/notes.h"
#include "capture/ring_socket.h"

namespace iwarpscope::capture {

/// Shared by the sockets of an interface: its counters, its state and its fanout group. Any thread.
class LiveInterface {
 public:
  LiveInterface(InterfaceOptions options, std::uint32_t index, std::uint32_t tap_group)
      : options_(std::move(options)), index_(index), tap_group_(tap_group) {}

  /// Every socket takes it when it looks for it.
  void set_filter(const std::string& filter);
  [[nodiscard]] std::string filter() const;
  /// Grows with each set_filter().
  [[nodiscard]] unsigned filters() const noexcept { return filters_.load(std::memory_order_acquire); }
  /// A socket for each worker, by AF_XDP if that is wanted and available. They capture nothing yet.
  [[nodiscard]] tl::expected<std::vector<std::unique_ptr<CaptureSocket>>, std::string> open_all(const LinkQuery& link,
                                                                                                unsigned workers);
  /// A ring that captures nothing yet.
  [[nodiscard]] tl::expected<RingSocket, RingSocket::Failure> open();
  /// Makes a ring one of those that share the interface of this kernel index, if there are several.
  [[nodiscard]] tl::expected<void, std::string> join(RingSocket& socket, unsigned link_index);
  /// What a socket that was moved to the interface that came back can do.
  void see_moved(const RingSocket& socket);
  /// From now on rings capture, whatever did before, with times of this source.
  void captured_by_rings(const char* time_source);
  /// The interface as it is now: counters, offloads, up or down; says what has changed.
  void see(const std::optional<LinkState>& link);
  void see_offloads(std::vector<std::string> offloads);
  /// What has to be known from now on.
  void say(const std::string& sentence);
  /// Why nothing is captured; holds until goes_on().
  void trouble(const std::string& sentence);
  void goes_on();
  /// One of its sockets captures no more, or captures again.
  void socket_lost();
  void socket_back();
  /// From now on one socket captures what all of them did.
  void captured_by_one();

  [[nodiscard]] IntakeCounters counters() const;
  [[nodiscard]] const InterfaceOptions& options() const noexcept { return options_; }
  [[nodiscard]] const std::string& name() const noexcept { return options_.name; }
  [[nodiscard]] std::uint32_t index() const noexcept { return index_; }
  [[nodiscard]] std::uint32_t tap_group() const noexcept { return tap_group_; }
  /// "any" means all interfaces and is not an interface itself.
  [[nodiscard]] bool has_link() const noexcept { return options_.name != "any"; }

  std::atomic<std::uint64_t> frames{0}, octets{0}, dropped_by_kernel{0}, dropped_by_queue{0};
  std::atomic<std::uint64_t> captured{0};  ///< frames that came into the rings, as far as was counted

 private:
  using Sockets = std::vector<std::unique_ptr<CaptureSocket>>;
  [[nodiscard]] tl::expected<Sockets, std::string> open_xdp(const ReceivePath& path, unsigned workers);
  [[nodiscard]] tl::expected<Sockets, std::string> open_rings(unsigned workers);
  void count_outages();

  const InterfaceOptions options_;
  const std::uint32_t index_, tap_group_;
  std::atomic<unsigned> filters_{0};
  mutable std::mutex mutex_;
  std::string filter_{options_.filter};  ///< in force; under mutex_
  // What was seen of it last; under mutex_.
  net::LinkType link_type_{};
  std::uint32_t snap_length_ = 0;
  std::string time_source_, method_{"ring"};
  bool counts_full_sockets_ = false;  ///< the interface's own count holds what AF_XDP sockets had no room for
  bool time_reported_ = false;        ///< that it is not the adapter's, though that is offered
  std::vector<std::string> offloads_;
  Notes notes_, troubles_, news_;
  bool up_ = true;
  bool capturing_ = true;
  unsigned sockets_lost_ = 0;
  unsigned sockets_spared_ = 0;  ///< so many may be lost, and the others capture everything
  std::uint64_t outages_ = 0;
  unsigned link_index_ = 0;
  std::optional<std::uint64_t> dropped_before_;  ///< the interface's own count when it was last read
  std::uint64_t dropped_by_nic_ = 0;             ///< as the interface counts
  std::uint64_t counted_a_look_ago_ = 0;         ///< the same, when see() was called before
  std::uint64_t counted_twice_ = 0;              ///< of these, what AF_XDP sockets have counted as well
  std::uint64_t dropped_before_sockets_ = 0;     ///< the same without those that sockets count as well
  // The group of sockets, and the interface it was made for.
  std::optional<std::uint16_t> group_;
  unsigned group_link_ = 0;
};

}  // namespace iwarpscope::capture
