// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// One socket that captures from an interface.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include <tl/expected.hpp>

#include "base/octets.h"
#include "base/time_point.h"
#include "capture/intake.h"
#include "net/frame.h"

struct pcap;

namespace iwarpscope::capture {

/// How long a block of the kernel's ring is filled when there is little traffic: it is given within twice that.
inline constexpr std::chrono::milliseconds kBlockTime{5};
/// libpcap's longest frame. Units: octets. Source: libpcap's MAXIMUM_SNAPLEN.
inline constexpr std::uint32_t kLongestSnap = 262'144;

/// A TPACKET_V3 socket by libpcap. It captures nothing until accept(). For one thread at a time.
class CaptureSocket {
 public:
  enum class Why : std::uint8_t { no_such_interface, not_permitted, down, other };
  struct Failure {
    Why why{};
    std::string cause;  ///< a sentence without the interface's name
  };
  struct Captured {
    TimePoint time;
    std::uint32_t original_length = 0;
    Octets octets;  ///< in the kernel's ring: for the duration of the call
  };
  /// All since accept(). Every frame that the filter lets through is in one of the two. Units: frames.
  struct Counts {
    std::uint64_t received = 0;  ///< put into the ring
    std::uint64_t dropped = 0;   ///< there was no room in the ring
  };

  /// Opens, in promiscuous mode if wanted, and compiles the filter. Takes up to 4 * kBlockTime.
  [[nodiscard]] static tl::expected<CaptureSocket, Failure> open(const InterfaceOptions& options);
  CaptureSocket(CaptureSocket&&) noexcept;
  CaptureSocket& operator=(CaptureSocket&&) noexcept;
  ~CaptureSocket();

  /// Shares the interface's traffic with the other members of a group. No group yet: makes a new one, whose number,
  /// which the kernel chooses and no other process has, is put there. Source: packet(7), PACKET_FANOUT.
  [[nodiscard]] tl::expected<void, std::string> join(std::optional<std::uint16_t>& group);
  /// From here on frames are captured that the filter lets through. Needs no privileges. Resets the counters.
  [[nodiscard]] tl::expected<void, std::string> accept();
  /// From here on this filter decides, in place of the one it was opened with: the kernel changes from the one to the
  /// other between two frames. Needs no privileges. Fails when it does not compile; then the old one stays.
  [[nodiscard]] tl::expected<void, std::string> change_filter(const std::string& filter);
  /// The same for a socket that captures nothing: accept() puts it in force.
  [[nodiscard]] tl::expected<void, std::string> keep_filter(const std::string& filter) { return compile(filter); }
  /// Captures no more frames; those in the ring can still be read.
  void refuse() noexcept;
  /// Costs nothing from here on, until move_to(): it is given no frames, not even to refuse them. Needs no privileges.
  void park() noexcept;
  /// Takes the interface of this kernel index, which has the same name, for the one it was opened for and that is no
  /// more, as park() takes it back; counts and ring stay. accept() has it capture. Needs no privileges. Not for a
  /// member of a group: the kernel does not let it go.
  [[nodiscard]] tl::expected<void, std::string> move_to(unsigned link_index);
  /// Gives what is in the ring, at most about `most` frames, and does not wait. Returns how many. Fails when the
  /// interface is gone.
  [[nodiscard]] tl::expected<unsigned, std::string> read(unsigned most,
                                                         const std::function<void(const Captured&)>& take);
  [[nodiscard]] Counts counts() noexcept;

  /// Readable when there is something to read.
  [[nodiscard]] int descriptor() const noexcept { return descriptor_; }
  [[nodiscard]] bool is_in_group() const noexcept { return in_group_; }
  [[nodiscard]] net::LinkType link() const noexcept { return link_; }
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
  CaptureSocket();
  [[nodiscard]] static tl::expected<CaptureSocket, Failure> activate(const InterfaceOptions& options, bool adapter);
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
  Counts counts_;
};

}  // namespace iwarpscope::capture
