// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// One end of an SCTP association of the kernel, set up as RFC 5043 requires: the adaptation layer indication of DDP,
// equal numbers of outbound and inbound streams, unordered user messages.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "synth/wire/octets.h"

namespace iwarpscope::sctp_vm {

/// A received user message.
struct Arrival {
  std::uint16_t stream = 0;
  std::uint32_t ppid = 0;
  synth::Buffer user_data{};
};

/// Errors of system calls and a timeout of two minutes throw std::runtime_error with the operation.
class SctpSocket {
 public:
  struct Settings {
    std::vector<std::string> own, peers;  ///< addresses of one IP version; connects to the peer's first one
    std::uint16_t own_port = 0, peer_port = 0;
    std::uint16_t streams = 16;  ///< each way
    bool nagle = false;          ///< small user messages are bundled while data is unacknowledged
  };
  /// Waits for one association.
  [[nodiscard]] static SctpSocket passive(const Settings& settings);
  [[nodiscard]] static SctpSocket active(const Settings& settings);
  SctpSocket(SctpSocket&& other) noexcept;
  SctpSocket(const SctpSocket&) = delete;
  SctpSocket& operator=(const SctpSocket&) = delete;
  SctpSocket& operator=(SctpSocket&&) = delete;
  ~SctpSocket();

  void send(std::uint16_t stream, std::uint32_t ppid, Octets user_data) const;
  /// The next user message; empty after the end of the association.
  [[nodiscard]] std::optional<Arrival> receive();
  /// Waits until all sent data is acknowledged. receive() returns user messages that arrive meanwhile.
  void wait_acknowledged();
  /// User data of later DATA chunks has at most this number of octets; 0: limited by the path MTU.
  void fragment_at(std::uint32_t octets) const;
  /// SHUTDOWN after all is acknowledged; then this end only receives.
  void shutdown() const;
  /// ABORT.
  void abort();

  /// Values of the peer's INIT or INIT ACK (0: none): adaptation indication; streams in each direction; octets of a
  /// DATA chunk's user data.
  [[nodiscard]] std::uint32_t adaptation() const { return adaptation_; }
  struct Status {
    std::uint16_t inbound_streams, outbound_streams;
    std::uint32_t fragmentation_point;
  };
  [[nodiscard]] Status status() const;
  /// Changes of association and paths that the kernel reported, in order.
  [[nodiscard]] const std::vector<std::string>& events() const { return events_; }

 private:
  explicit SctpSocket(int descriptor) : descriptor_(descriptor) {}
  void prepare(const Settings& settings) const;
  void bind(const Settings& settings) const;
  void subscribe(bool dry) const;
  /// Reads once: a user message, or a notification (returns empty).
  [[nodiscard]] std::optional<Arrival> read_once();
  void notification(Octets octets);

  int descriptor_;
  bool ended_ = false, dry_ = false;
  std::uint32_t adaptation_ = 0;
  std::vector<Arrival> waiting_;
  std::vector<std::string> events_;
};

}  // namespace iwarpscope::sctp_vm
