// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// One socket that captures from an interface by a ring of the kernel.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include <tl/expected.hpp>

#include "base/octets.h"
#include "base/time_point.h"
#include "capture/capture_socket.h"
#include "capture/intake.h"
#include "net/frame.h"

struct pcap;

namespace iwarpscope::capture {

/// How long a block of the kernel's ring is filled when there is little traffic: it is given within twice that.
inline constexpr std::chrono::milliseconds kBlockTime{5};
/// libpcap's longest frame. Units: octets. Source: libpcap's MAXIMUM_SNAPLEN.
inline constexpr std::uint32_t kLongestSnap = 262'144;

/// A TPACKET_V3 socket by libpcap. The kernel filters: every frame that the filter lets through is received or dropped.
class RingSocket final : public CaptureSocket {
 public:
  enum class Why : std::uint8_t { no_such_interface, not_permitted, down, other };
  struct Failure {
    Why why{};
    std::string cause;  ///< a sentence without the interface's name
  };
  /// Opens, in promiscuous mode if wanted, and compiles the filter. Takes up to 4 * kBlockTime.
  [[nodiscard]] static tl::expected<RingSocket, Failure> open(const InterfaceOptions& options);
  RingSocket(RingSocket&&) noexcept;
  RingSocket& operator=(RingSocket&&) noexcept;
  ~RingSocket() override;

  /// Shares the interface's traffic with the other members of a group. No group yet: makes a new one, whose number,
  /// which the kernel chooses and no other process has, is put there. Source: packet(7), PACKET_FANOUT.
  [[nodiscard]] tl::expected<void, std::string> join(std::optional<std::uint16_t>& group);
  [[nodiscard]] tl::expected<void, std::string> accept() override;
  [[nodiscard]] tl::expected<void, std::string> change_filter(const std::string& filter) override;
  /// The filter that accept() puts in force.
  [[nodiscard]] tl::expected<void, std::string> keep_filter(const std::string& filter) { return compile(filter); }
  void refuse() noexcept override;
  /// Costs nothing from here on, until move_to(): it is given no frames, not even to refuse them. Needs no privileges.
  void park() noexcept;
  /// Takes the interface of this kernel index, which has the same name, for the one it was opened for and that is no
  /// more, as park() takes it back; counts and ring stay. accept() has it capture. Needs no privileges. Not for a
  /// member of a group: the kernel does not let it go.
  [[nodiscard]] tl::expected<void, std::string> move_to(unsigned link_index);
  [[nodiscard]] tl::expected<unsigned, std::string> read(unsigned most,
                                                         const std::function<void(const Captured&)>& take) override;
  [[nodiscard]] Counts counts() noexcept override;
  [[nodiscard]] int descriptor() const noexcept override { return descriptor_; }
  [[nodiscard]] net::LinkType link() const noexcept override { return link_; }
  [[nodiscard]] std::chrono::milliseconds longest_nap() noexcept override { return longest_nap_; }

  [[nodiscard]] bool is_in_group() const noexcept { return in_group_; }
  [[nodiscard]] std::uint32_t snap_length() const noexcept { return snap_length_; }
  [[nodiscard]] const char* time_source() const noexcept { return time_source_; }
  /// A sentence, or empty: what could not be had, though capturing works.
  [[nodiscard]] const std::string& warning() const noexcept { return warning_; }
  /// A sentence, or empty: why the times are not the adapter's, though its driver offered them.
  [[nodiscard]] const std::string& time_refused() const noexcept { return time_refused_; }

 private:
  struct Close {
    void operator()(pcap* handle) const noexcept;
  };
  struct Program;
  RingSocket();
  [[nodiscard]] static tl::expected<RingSocket, Failure> activate(const InterfaceOptions& options, bool adapter);
  void tell_time_refused(const Failure& refused);
  [[nodiscard]] tl::expected<void, std::string> compile(const std::string& filter);
  [[nodiscard]] bool bind(unsigned link_index, std::uint16_t protocol) noexcept;
  [[nodiscard]] std::optional<std::uint16_t> hardware() const noexcept;
  void empty_ring();

  std::unique_ptr<pcap, Close> handle_;
  std::unique_ptr<Program> program_;
  int descriptor_ = -1;
  std::string name_;
  bool promiscuous_ = false;
  bool in_group_ = false;
  std::uint16_t hardware_ = 0;  ///< kind of the interface: the kernel's ARPHRD_
  net::LinkType link_{};
  std::uint32_t snap_length_ = 0;
  const char* time_source_ = "host";
  std::int64_t fraction_ns_ = 1000;  ///< of a unit of libpcap's time stamps
  std::string warning_, time_refused_;
  std::chrono::milliseconds longest_nap_{};
  Counts counts_;
};

}  // namespace iwarpscope::capture
