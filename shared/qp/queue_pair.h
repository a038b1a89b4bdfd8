// One queue pair: a TCP connection that carries iWARP, or may.
#pragma once

#include <array>
#include <cstdint>
#include <memory>

#include "base/deaf_time.h"
#include "ddp/segment.h"
#include "findings/finding.h"
#include "mpa/framer.h"
#include "net/tcp_packet.h"
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
  tcp::BufferBudget budget;
  bool messages = false;
  bool atomic_results = false;  ///< records of Atomic Responses, if of nothing else
  bool digest = false;
  bool transport = false;          ///< tell TransportEvents
  const DeafTime* deaf = nullptr;  ///< when the capture could not hear; null: it never says
  std::size_t max_outstanding_requests = 4096;
  std::uint64_t requests_forgotten = 0;  ///< to stay within it
  std::uint64_t findings_per_rule = 100;
  std::vector<std::unique_ptr<OpenMessage>> spare_messages;  ///< pool; bounded by what was open at one time
};

/// Takes what a queue pair tells. Nothing is told before confirmed(); what was found until then follows it at once.
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

/// What was known of the connection when it began to look like iWARP.
struct Beginning {
  net::Endpoint a, b;  ///< a's octets are direction a_to_b
  Roles roles{};
  std::array<tcp::Origin, 2> origins;  ///< by direction
  FrameNumber first_frame;
  TimePoint first_time;
  bool midstream = false;  ///< recognised by its FPDUs, not by a startup frame
};

/// The TCP segment begins with a whole MPA Request: the exact key, a revision there is, and all its private data,
/// though the capture may have cut them. Source: RFC 5044 §7.1.1.
[[nodiscard]] bool begins_with_request(const net::TcpPacket& packet) noexcept;

/// One queue pair. Idle it costs below 4 KiB. Not thread-safe; never throws on any input.
class QueuePair {
 public:
  /// `environment`, `events` and `observation` must outlive the queue pair. `observation` may be null: nobody listens.
  QueuePair(Environment& environment, const Beginning& beginning, Events& events, Observation* observation = nullptr);
  ~QueuePair();

  void feed(Direction d, const net::TcpPacket& packet);
  /// The capture ends at this frame: everything that waits is told.
  void finish(FrameNumber frame, TimePoint time);

  /// A new connection has the addresses and ports of this one: it begins with this SYN, or with this MPA Request far
  /// from where this one's octets are, when the capture lacks the SYN.
  [[nodiscard]] bool is_reused_by(Direction d, const net::TcpPacket& packet) const noexcept;
  [[nodiscard]] bool is_confirmed() const noexcept;
  /// Nothing like iWARP was found within the limits and never will be: the connection is ordinary TCP.
  [[nodiscard]] bool is_given_up() const noexcept;
  [[nodiscard]] bool is_closed() const noexcept;
  [[nodiscard]] const net::Endpoint& end_a() const noexcept;
  [[nodiscard]] const net::Endpoint& end_b() const noexcept;
  [[nodiscard]] FrameNumber first_frame() const noexcept;
  [[nodiscard]] TimePoint last_time() const noexcept;
  [[nodiscard]] std::uint64_t mirror_duplicates() const noexcept;
  [[nodiscard]] std::uint64_t suppressed_findings() const noexcept;
  [[nodiscard]] std::uint64_t messages() const noexcept;
  /// The upper layer, as QpRecord::ulp.
  [[nodiscard]] std::optional<std::string_view> ulp() const;
  [[nodiscard]] QpRecord record() const;
  /// Every FPDU of `direction` was told that the other end may have had when it sent `at`, which is its own.
  [[nodiscard]] bool was_told_before(Direction direction, const ddp::Carrier& at) const noexcept;
  /// Takes a finding of who observes this queue pair, as if its own. Once it is confirmed.
  void report(findings::Finding finding);
  /// Gives back memory that an idle queue pair does not need.
  void trim();

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace iwarpscope::qp
