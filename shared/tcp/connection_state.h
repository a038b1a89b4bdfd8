// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The inside of a Connection.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "tcp/acceptance.h"
#include "tcp/connection.h"
#include "tcp/half.h"

namespace iwarpscope::tcp {

[[nodiscard]] inline bool has_ended(const Half& half) noexcept {
  return half.state() == HalfState::closed || half.state() == HalfState::reset;
}

struct Connection::State {
  State(const Limits& l, BufferBudget& b) noexcept : limits(l), budget(b) {}

  std::array<Half, 2> halves;
  const Limits& limits;
  BufferBudget& budget;
  Acceptance acceptance;
  ConnectionTraces traces;
  std::optional<Direction> reset_by;
  bool finished = false;

  template <class A>
  void archive(A& a) {
    for (Half& half : halves) half.archive(a, limits, budget);
    acceptance.archive(a, budget);
    a(reset_by, finished, traces);
  }

  [[nodiscard]] Half& half(Direction d) noexcept { return halves[index(d)]; }
  [[nodiscard]] bool closed_by_fin() const noexcept {
    return !reset_by && halves[0].state() == HalfState::closed && halves[1].state() == HalfState::closed;
  }

  [[nodiscard]] Doubt judge(Direction d, const net::TcpPacket& packet) const noexcept;
  [[nodiscard]] bool sets_aside(Doubt doubt, const net::TcpPacket& packet, Half& half, Half& other, Call& call);

  // connection_resets.cpp
  [[nodiscard]] bool is_reset_believable(const net::TcpPacket& packet, const Half& half,
                                         const Half& other) const noexcept;
  [[nodiscard]] bool is_reset_doubted(const net::TcpPacket& packet, const Half& half, const Half& other) const noexcept;
  void take_reset(const net::TcpPacket& packet, Side own, Side other);
  void end_by_reset(const ControlSeen& reset, Side own, Side other);
  void take_late_resets(const std::array<Call*, 2>& calls);

  // connection_segments.cpp
  /// What the checksum proves.
  struct Checked {
    bool comparable = false;  ///< as in Arrival
    std::uint16_t payload_sum = 0;
  };
  [[nodiscard]] static bool check(const net::TcpPacket& packet, Half& half, const Half& other, Checked& checked,
                                  Call& call);
  [[nodiscard]] bool begin(const net::TcpPacket& packet, Half& half);
  [[nodiscard]] static std::uint64_t place(const net::TcpPacket& packet, Half& half, Call& call);
  [[nodiscard]] static bool is_keep_alive(const net::TcpPacket& packet, const Half& half,
                                          std::uint64_t offset) noexcept;
  void take_acknowledgment(const net::TcpPacket& packet, Half& other, Arrival& arrival, Call& other_call);
  [[nodiscard]] static bool is_empty_copy(const net::TcpPacket& packet, Half& half);
  [[nodiscard]] static bool is_copy(const net::TcpPacket& packet, Half& half, Arrival& arrival,
                                    std::uint16_t payload_sum, Call& call);
  static void take_contents(const net::TcpPacket& packet, const Arrival& arrival, Side own, const Half& other);
  void take_segment(const net::TcpPacket& packet, Side own, Side other);
};

}  // namespace iwarpscope::tcp
