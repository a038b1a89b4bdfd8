// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Frames from interfaces or replayed files, in one order, for as long as the daemon runs.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <tl/expected.hpp>

#include "capture/error.h"
#include "capture/tap_groups.h"
#include "net/frame.h"

namespace iwarpscope::capture {

/// How frames come from the kernel.
enum class Method : std::uint8_t {
  ring,  ///< a ring of the kernel (TPACKET_V3); the host also gets the frames
  xdp,   ///< AF_XDP: for a mirror port, as the host gets no frame of the interface. Where it is not available: ring
};

struct InterfaceOptions {
  std::string name;
  unsigned workers = 1;  ///< capture sockets that share the interface's traffic by a symmetric hash (PACKET_FANOUT)
  bool promiscuous = true;
  std::uint32_t snap_length = 262'144;              ///< octets of a frame that are kept
  std::size_t ring_octets = std::size_t{64} << 20;  ///< of the kernel, for each worker
  std::string filter;  ///< pcap-filter(7); empty: everything. Method::ring: run in the kernel
  Method method = Method::ring;
};

struct ReplayOptions {
  std::vector<std::string> files;  ///< one after another; "-" is standard input
  double speed = 0;                ///< 1: as it was captured, 2: twice as fast; 0: as fast as it can be analysed
  std::string filter;
};

struct IntakeOptions {
  std::vector<InterfaceOptions> interfaces;  ///< or
  std::optional<ReplayOptions> replay{};
  TapGroups tap_groups{};                            ///< of all interfaces, those of replayed files too
  std::size_t queue_octets = std::size_t{64} << 20;  ///< between capture and analysis, for each worker
  std::uint64_t simulate_full_queue_every = 0;       ///< tests: every n-th batch finds the queue full; 0: never
};

/// An interface as the file says that is replayed.
struct ReplayedInterface {
  std::string link_type;
  std::uint32_t snap_length = 0;
  std::optional<std::uint64_t> dropped{};  ///< frames, as the file's statistics say; known at its end
  std::string name{};                      ///< empty: the file has none
};

/// One interface, or the replayed files together, as counted until now.
struct IntakeCounters {
  std::string name;
  std::string link_type;    ///< libpcap's name
  std::string file_format;  ///< of files: that of the last one, "pcap" or "pcapng"
  std::uint32_t snap_length = 0;
  std::uint64_t frames = 0, octets = 0;  ///< handed to the analysis
  std::uint64_t dropped_by_nic = 0;      ///< as the interface's own counters say, since the start
  std::uint64_t dropped_by_kernel = 0;   ///< the ring was full
  std::uint64_t dropped_by_queue = 0;    ///< the analysis was too slow
  std::uint64_t waiting = 0;             ///< captured, and not yet given or dropped by the queue
  std::uint64_t unread_files = 0;        ///< that could not be opened, or not be read to their end
  bool up = true;
  bool cut = false;                           ///< files: stop() was called before all of them was read
  bool capturing = true;                      ///< it is up, and each of its sockets captures
  std::uint64_t outages = 0;                  ///< how often capturing stopped
  std::string time_source;                    ///< "file", "host", "host-ns", "adapter"
  std::string method;                         ///< "ring", "xdp-generic", "xdp-native", "xdp-zero-copy"; of files: empty
  std::vector<std::string> offloads{};        ///< receive offloads that are on, as ethtool names them: "gro", "lro"
  std::vector<std::string> warnings{};        ///< sentences: what is wrong now, and, with its time, what cost frames
  std::vector<std::string> news{};            ///< sentences: what is well again, with its time
  std::vector<ReplayedInterface> replayed{};  ///< of all files, in the order of the files
};

/// Opens everything at once, so that privileges can be dropped before start(). next() and stop() are for one thread.
class Intake {
 public:
  using Storage = std::shared_ptr<const std::vector<std::byte>>;
  enum class State : std::uint8_t { frames, nothing, ended };
  struct Given {
    State state{};
    Storage storage;                     ///< what the frames borrow; hold it to keep them. Let go on next()'s thread
    std::span<const net::Frame> frames;  ///< in the order of their times; valid until next() is called again
  };

  /// Fails when an interface is not there or may not be captured, a filter does not compile, a first file is no
  /// capture.
  [[nodiscard]] static tl::expected<std::unique_ptr<Intake>, Error> open(const IntakeOptions& options);
  virtual ~Intake() = default;

  /// Begins to capture or to read.
  virtual void start() = 0;
  /// The next frames over all interfaces, numbered from 1 on; waits for them at most this long. State::ended: all files
  /// were read, or stop() was called, and all was given. Frames of several sockets are put in order of time; none waits
  /// longer than 50 ms for that.
  [[nodiscard]] virtual Given next(std::chrono::milliseconds wait) = 0;
  /// Ends the wait of next(). Any thread, signal handlers not.
  virtual void wake() noexcept = 0;
  /// Captures no more; what waits can still be taken. Any thread.
  virtual void stop() noexcept = 0;
  /// The filter of an interface from now on. It is applied within some 100 ms and loses no frame that both filters let
  /// through. Has no effect on files. Any thread.
  virtual void set_filter(const std::string& interface, const std::string& filter);
  /// Any thread.
  [[nodiscard]] virtual std::vector<IntakeCounters> counters() const = 0;
  /// Files: how much of them was read, 0..1; 0 when unknown. Any thread.
  [[nodiscard]] virtual double progress() const noexcept { return 0; }
};

}  // namespace iwarpscope::capture
