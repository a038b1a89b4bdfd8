// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// A TCP connection with iWARP whose sender chooses every octet.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "attack/load.h"
#include "base/ids.h"
#include "synth/wire/ddp.h"
#include "synth/wire/mpa.h"
#include "synth/wire/rdmap.h"
#include "synth/wire/tcp.h"

namespace iwarpscope::attack {

inline constexpr Direction kThere = Direction::a_to_b;
inline constexpr Direction kBack = Direction::b_to_a;
inline constexpr std::size_t kSegmentOctets = 1460;

/// Payload of `count` octets that are all the same.
[[nodiscard]] inline Buffer filled(std::size_t count, std::uint8_t value = 'x') {
  return Buffer(count, std::byte{value});
}

/// Writes its frames to a Load, which must outlive it.
class Connection {
 public:
  /// Connections with different numbers have different ends.
  Connection(Load& load, std::uint32_t number, std::uint16_t port = 9999);

  void handshake();
  /// The handshake, MPA Request and MPA Reply.
  void start(const Buffer& private_data = {});

  /// A TCP segment with the next sequence number.
  void segment(Direction d, Octets payload, std::uint8_t flags = synth::wire::kPsh | synth::wire::kAck);
  /// A TCP segment `ahead` octets after the next sequence number, which stays. `captured`: octets of its frame.
  void segment_ahead(Direction d, std::int64_t ahead, Octets payload, std::optional<std::size_t> captured = {});
  /// The next sequence number is so many octets later.
  void skip(Direction d, std::int64_t octets) noexcept { sequence_[index(d)] += static_cast<std::uint32_t>(octets); }
  /// Packs octets into TCP segments of `size`. What remains is sent by flush().
  void push(Direction d, const Buffer& octets, std::size_t size = kSegmentOctets);
  void flush(Direction d);

  // FPDUs with the next message sequence number of their queue.
  [[nodiscard]] Buffer send(Direction d, const Buffer& payload, bool last = true);
  [[nodiscard]] Buffer send_invalidate(Direction d, STag stag);
  [[nodiscard]] Buffer read_request(Direction d, const synth::wire::ReadRequest& request);
  [[nodiscard]] Buffer atomic_request(Direction d, const synth::wire::AtomicRequest& request);
  [[nodiscard]] Buffer atomic_response(Direction d, const synth::wire::AtomicResponse& response);
  [[nodiscard]] Buffer terminate(Direction d, STag stag, TaggedOffset to);
  /// An untagged FPDU with any numbers.
  [[nodiscard]] static Buffer untagged(synth::wire::Opcode opcode, std::uint32_t queue, std::uint32_t msn,
                                       const Buffer& payload, bool last = true);
  [[nodiscard]] static Buffer write(STag stag, std::uint64_t to, const Buffer& payload, bool last = true);
  [[nodiscard]] static Buffer read_response(STag stag, std::uint64_t to, const Buffer& payload);

 private:
  [[nodiscard]] std::uint32_t next_msn(Direction d, std::uint32_t queue) noexcept { return ++msn_[index(d)][queue]; }
  void emit(Direction d, std::uint32_t sequence, std::uint8_t flags, Octets payload,
            std::optional<std::size_t> captured);

  Load& load_;
  std::array<Address, 2> address_;
  std::array<std::uint16_t, 2> port_;
  std::array<std::uint32_t, 2> sequence_;
  std::array<Buffer, 2> pending_;
  std::array<std::array<std::uint32_t, 4>, 2> msn_{};
};

}  // namespace iwarpscope::attack
