// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// One connection as the plugin stores it: the results of the core on its octets.
#pragma once

#include <absl/container/flat_hash_map.h>

#include <array>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "analysis/trace.h"
#include "mpa/startup.h"
#include "qp/records.h"
#include "session/entries.h"

namespace iwarpscope::plugin {

class Session;

/// One direction of a connection.
struct Half {
  std::deque<FpduEntry> fpdus;             ///< in stream order
  std::deque<MessageEntry> messages;       ///< by index
  std::deque<MarkerEntry> markers;         ///< in stream order
  std::vector<TerminateEntry> terminates;  ///< by message
  std::uint32_t reads = 0;                 ///< Read Requests of this direction without a response, as seen at the tap
  std::uint32_t atomics = 0;

  /// A message in several DDP segments whose octets are collected.
  struct Collected {
    std::uint32_t message = 0;
    std::vector<std::byte> octets;
    bool dropped = false;  ///< it is too large, or octets are missing
  };
  std::vector<Collected> collected;  ///< at most one per queue, and one tagged

  /// The Terminate with this index; null: it could not be decoded.
  [[nodiscard]] const TerminateEntry* terminate(std::uint32_t message) const noexcept;
  /// The FPDU that contains the octet at `offset`; null: none is known.
  [[nodiscard]] const FpduEntry* fpdu_at(StreamOffset offset) const noexcept;
};

struct StartupFrameEntry {
  Direction direction{};
  mpa::StartupFrame frame;  ///< of a control message without a startup frame (Session Terminate, unknown codes): empty
  std::optional<ControlEntry> control;  ///< over SCTP
};

/// A DDP stream session over SCTP.
struct SessionPlace {
  std::uint32_t association = 0;  ///< index of Chunks
  std::uint16_t stream = 0;
  std::uint32_t number = 0;  ///< number of the session on its stream, from 0
  Direction active{};        ///< the association's direction that corresponds to the session's a_to_b
  /// Converts the session's direction to the association's.
  [[nodiscard]] Direction of_association(Direction d) const noexcept {
    return active == Direction::a_to_b ? d : opposite(d);
  }
};

/// A connection that is, or may be, a queue pair. The core fills it while frames are fed.
class Connection final : public analysis::Watcher {
 public:
  Connection(Session& session, std::uint32_t id, const qp::Beginning& beginning);
  Connection(Session& session, std::uint32_t id, std::uint32_t association, const sctp::SessionStart& start);

  const std::uint32_t id;
  const net::Endpoint a, b;  ///< octets sent by a are direction a_to_b
  const std::optional<SessionPlace> over_sctp;
  std::optional<std::uint64_t> qp;  ///< its number, after it was recognised as a queue pair
  std::array<Half, 2> halves;
  std::vector<StartupFrameEntry> startup;

  [[nodiscard]] const Half& half(Direction d) const noexcept { return halves[index(d)]; }
  [[nodiscard]] const net::Endpoint& sender(Direction d) const noexcept { return d == Direction::a_to_b ? a : b; }
  [[nodiscard]] const net::Endpoint& receiver(Direction d) const noexcept { return d == Direction::a_to_b ? b : a; }
  /// The response of a request, or the request of a response; null: none is known. `d`: of `message`.
  [[nodiscard]] const MessageEntry* peer(Direction d, const MessageEntry& message) const noexcept {
    return message.peer != kNone ? &half(opposite(d)).messages[message.peer] : nullptr;
  }
  /// The message of the other direction that a Terminate refers to; null: none is known.
  [[nodiscard]] const MessageEntry* named(Direction d, const MessageEntry& terminate) const noexcept {
    return terminate.named != kNone ? &half(opposite(d)).messages[terminate.named] : nullptr;
  }
  /// RDMA Reads that the sender of direction `d` may have outstanding, as negotiated in the startup; empty: unknown.
  [[nodiscard]] std::optional<std::uint16_t> read_limit(Direction d) const noexcept;

  // analysis::Watcher
  void confirmed(analysis::QpPlace place) override;
  void available() override;
  void dropped() override;
  void tcp_segment(Direction d, const net::TcpPacket& packet, std::optional<StreamOffset> offset) override;
  void startup_frame(Direction d, const mpa::StartupFrame& frame) override;
  void marker(Direction d, StreamOffset at, std::uint32_t value) override;
  void fpdu(Direction d, const mpa::Fpdu& fpdu) override;
  void control(Direction d, const sctp::ControlMessage& message) override;
  void session_segment(Direction d, const sctp::Message& message) override;
  void segment(const qp::MessageFacts& facts, const ddp::Segment& segment) override;
  void message_ended(const qp::MessageFacts& facts, const ddp::MessageEnd& end) override;
  void requested(Direction sender, const qp::Request& request) override;
  void answered(const qp::Request& request, const qp::MessageFacts& response, const ddp::MessageEnd& end, bool certain,
                std::optional<std::uint64_t> original) override;
  void terminated(const qp::MessageFacts& facts, const rdmap::Terminate& terminate,
                  std::optional<std::uint64_t> names) override;
  void gap(Direction d) override;

  /// Adds data from a record that was not known while frames were fed. Call it for messages of this queue pair.
  void complete(const qp::MessageRecord& record);

 private:
  [[nodiscard]] MessageEntry* message(Direction d, std::uint64_t index) noexcept;
  void link_answer(std::uint32_t answer) noexcept;
  void collect(Half& half, std::uint32_t message, const ddp::Segment& segment);
  void note_stag(MessageEntry& entry, Direction owner, STag stag, FrameNumber frame);

  Session& session_;
  std::array<std::uint32_t, 2> pending_markers_{};  ///< by direction: number of FPDUs processed, and of the next one
  std::array<absl::flat_hash_map<std::uint32_t, Frame>, 2> stags_;  ///< by owner: first frame that named them
};

}  // namespace iwarpscope::plugin
