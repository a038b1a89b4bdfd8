// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// One queue pair, whatever carries its DDP segments.
#pragma once

#include <array>
#include <cstdint>
#include <memory>

#include "base/capture_outages.h"
#include "ddp/segment.h"
#include "findings/finding.h"
#include "mpa/framer.h"
#include "qp/records.h"
#include "tcp/connection.h"

namespace iwarpscope::qp {

struct OpenMessage;
struct TransportEvent;
class Observation;

/// What all queue pairs of one analyser share. Must outlive them.
struct Environment {
  explicit Environment(std::size_t buffer_octets);
  ~Environment();

  tcp::Limits tcp;
  mpa::FramerLimits mpa;
  BufferBudget budget;
  bool messages = false;
  bool atomic_results = false;  ///< make records of Atomic Responses even without `messages`
  bool requests = false;        ///< and of Read and Atomic Requests
  bool digest = false;
  bool transport = false;                   ///< report TransportEvents
  const CaptureOutages* outages = nullptr;  ///< when frames may be missing; null: not known
  std::size_t max_outstanding_requests = 4096;
  std::uint64_t requests_discarded = 0;  ///< to stay within it
  std::uint64_t findings_per_rule = 100;
  std::vector<std::unique_ptr<OpenMessage>> spare_messages;  ///< pool; bounded by what was open at one time
};

/// Receives what a queue pair reports. The first call is confirmed(); findings made before follow it at once.
class Events {
 public:
  /// The connection is iWARP. Called once, before anything else.
  virtual void confirmed(FrameNumber frame) = 0;
  virtual void message(MessageRecord record) = 0;
  virtual void finding(findings::Finding finding) = 0;
  virtual void transport(const TransportEvent&) {}

 protected:
  ~Events() = default;
};

/// One queue pair. An idle one uses less than 4 KiB. Not thread-safe; throws on no input. The constructor's arguments
/// must outlive it.
class QueuePair {
 public:
  virtual ~QueuePair();

  /// The capture ends at this frame: everything still pending is reported.
  void finish(FrameNumber frame, TimePoint time);

  [[nodiscard]] bool is_confirmed() const noexcept;
  [[nodiscard]] bool is_closed() const noexcept;
  [[nodiscard]] const net::Endpoint& end_a() const noexcept;
  [[nodiscard]] const net::Endpoint& end_b() const noexcept;
  [[nodiscard]] FrameNumber first_frame() const noexcept;
  [[nodiscard]] TimePoint last_time() const noexcept;
  /// The capture has all TCP segments of its handshake. Over SCTP always true.
  [[nodiscard]] bool was_begin_seen() const noexcept;
  /// When it was closed, by the first sign of it: a FIN, an RST, or octets that were acknowledged after the last that
  /// were seen, as a FIN may be among them. Frame 0: none.
  [[nodiscard]] Moment first_close() const noexcept;
  /// When the latest message of this direction began; frame 0: none did.
  [[nodiscard]] Moment last_message(Direction direction) const noexcept;
  [[nodiscard]] std::uint64_t mirror_duplicates() const noexcept;
  [[nodiscard]] std::uint64_t suppressed_findings() const noexcept;
  [[nodiscard]] std::uint64_t messages() const noexcept;
  /// The upper layer, as QpRecord::ulp.
  [[nodiscard]] std::optional<std::string_view> ulp() const;
  [[nodiscard]] QpRecord record() const;
  /// Every FPDU of `direction` was seen that the other end may have received when it sent `at`.
  [[nodiscard]] bool was_known_before(Direction direction, const ddp::Carrier& at) const noexcept;
  /// Reports a finding of the Observation as one of this queue pair. Precondition: is_confirmed().
  void report(findings::Finding finding);
  /// Gives back memory that an idle queue pair does not need.
  void trim();

 protected:
  class Impl;
  explicit QueuePair(std::unique_ptr<Impl> impl);
  const std::unique_ptr<Impl> impl_;
};

}  // namespace iwarpscope::qp
