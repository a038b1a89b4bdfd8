// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Every TCP connection of a shard, in few octets each.
#pragma once

#include <absl/container/flat_hash_set.h>

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "base/ids.h"
#include "base/time_point.h"
#include "net/address.h"
#include "net/tcp_packet.h"
#include "qp/summary.h"
#include "tcp/connection.h"

namespace iwarpscope::analysis {

/// What is kept of a connection as long as it is not a queue pair. Direction 0 is from key.low to key.high.
struct Flow {
  static constexpr std::uint32_t kNoQp = 0xFFFFFFFF;

  static constexpr std::uint32_t kNone = 0xFFFFFFFF;

  net::FlowKey key;  ///< its overlay: of the first packet
  /// FlowKey::overlay of each direction's first packet, where `has_overlay`: they may differ.
  std::array<std::uint32_t, 2> overlays{};
  std::uint32_t sibling = kNone;  ///< another flow with the same addresses and ports: another tenant's
  std::array<tcp::Origin, 2> origins;
  FrameNumber first_frame;
  TimePoint first_time;
  std::uint32_t qp = kNoQp;    ///< the shard's index of its queue pair
  std::uint16_t payloads = 0;  ///< TCP segments with payload looked at
  std::uint8_t attempts = 0;   ///< times it was tried as a queue pair and was none
  std::uint8_t plausible = 0;  ///< TCP segments that began like an FPDU
  std::uint8_t noted = 0;      ///< TCP segments in the shard's Beginnings
  std::uint8_t older = 0;      ///< TCP segments that were taken for an older connection's
  bool used : 1 = false;
  bool recent : 1 = false;         ///< seen since the eviction hand passed
  bool opened_by_low : 1 = false;  ///< key.low sent the SYN
  bool opened_by_high : 1 = false;
  bool fin_low : 1 = false;
  bool fin_high : 1 = false;
  bool ended : 1 = false;         ///< its queue pair was closed and is gone: what still comes is no new connection
  bool begun : 1 = false;         ///< its SYN or octets were seen
  std::uint8_t looks : 4 = 0;     ///< of FlowTable::age() since it was seen
  bool follows_pair : 1 = false;  ///< its addresses and ports were those of a queue pair before
  bool holds_early : 1 = false;   ///< the shard holds TCP segments of it that came before its first octets
  bool has_overlay_low : 1 = false;
  bool has_overlay_high : 1 = false;
  bool was_double : 1 = false;           ///< that a second network shows it was decided
  bool first_is_syn_of_low : 1 = false;  ///< first_frame has key.low's SYN
  bool first_is_syn_of_high : 1 = false;
  bool answer_of_low : 1 = false;        ///< who sent the SYN of answer_frames
  std::uint32_t answer_frames : 11 = 0;  ///< from first_frame to the other end's SYN; 0: not seen, or too far
  std::uint32_t answer_ns = 0;           ///< the same in time

  /// What its packets of this direction had; nothing before the first.
  [[nodiscard]] std::optional<std::uint32_t> overlay(bool from_low) const noexcept {
    const bool known = from_low ? has_overlay_low : has_overlay_high;
    return known ? std::optional(overlays[from_low ? 0 : 1]) : std::nullopt;
  }
  void set_overlay(bool from_low, std::uint32_t overlay) noexcept;
  /// The packet has its addresses and ports, and what separates tenants as others of its direction had. At most one
  /// flow of a table has it.
  [[nodiscard]] bool has(const net::TcpPacket& packet) const noexcept {
    if (!used) return false;
    if (packet.source == key.low) {
      return has_overlay_low && overlays[0] == packet.overlay && packet.destination == key.high &&
             packet.tap_group == key.tap_group;
    }
    return has_overlay_high && overlays[1] == packet.overlay && packet.source == key.high &&
           packet.destination == key.low && packet.tap_group == key.tap_group;
  }
  /// One number for both directions: what separates its hosts from others with the same addresses.
  [[nodiscard]] std::uint32_t tenant() const noexcept;
  /// By its numbers alone, the packet is one of this flow. For one that no queue pair follows.
  [[nodiscard]] bool fits(const net::TcpPacket& packet, bool from_low) const noexcept;

  /// The packet, of another connection with the same addresses and ports, is the first of this flow.
  void restart(const net::TcpPacket& packet);
  /// A SYN, or SYN-ACK, that is no repetition of the one seen: of a new connection with the same addresses and ports,
  /// or from outside.
  [[nodiscard]] bool has_other_syn(const net::TcpPacket& packet, bool from_low) const noexcept;
  /// The same, and it begins one for certain where neither end goes on.
  [[nodiscard]] bool is_reopened_by(const net::TcpPacket& packet, bool from_low) const noexcept;
  /// A SYN-ACK that acknowledges another SYN than the one seen: it belongs to an older connection and came late, and
  /// the end that sent the SYN refuses it. Source: RFC 9293 §3.10.7.3.
  [[nodiscard]] bool answers_other_syn(const net::TcpPacket& packet, bool from_low) const noexcept;
  /// Both ends were seen, and neither has said that it will send no more.
  [[nodiscard]] bool is_live() const noexcept { return origins[0].seen && origins[1].seen && !fin_low && !fin_high; }
  /// Whether it has begun, and who sends the SYN.
  void note_opening(const net::TcpPacket& packet, bool from_low) noexcept;
  /// Nothing is lost with it: its queue pair was closed, or neither its SYN nor an octet was seen. So are the last
  /// packets of a connection that was closed or reset, which is removed at once.
  [[nodiscard]] bool is_over() const noexcept { return ended || !begun; }
  /// The stream of its sender begins with this packet: what was noted further on was forged, or came out of order.
  void begin_at(const net::TcpPacket& packet, bool from_low) noexcept;
  /// Its sequence number is lower than that of the SYN: it belongs to an older connection. Only before the sender's
  /// first octets were seen; for a packet that no queue pair follows.
  [[nodiscard]] bool is_before_start(const net::TcpPacket& packet, bool from_low) const noexcept;
  /// Sequence numbers, TCP options, checksums and FIN of a packet that no queue pair took.
  void note(const net::TcpPacket& packet, bool from_low) noexcept;
  /// Its SYN, or SYN-ACK; frame 0: not seen, or more than 2047 frames or four seconds after the first one.
  [[nodiscard]] qp::Moment syn(bool of_low) const noexcept;

 private:
  void note_syn(const net::TcpPacket& packet, bool from_low) noexcept;
};

/// Flows by tap group, addresses and ports, and among those of the same ones by `overlay`. Bounded: at the limit a flow
/// that carries no queue pair and was not seen lately makes room. In a capture that goes on they age: age().
class FlowTable {
 public:
  static constexpr std::uint32_t kNone = Flow::kNone;
  /// Tenants with the same addresses and ports: more of them are taken for the first. Ours.
  static constexpr std::size_t kMostTenants = 64;

  explicit FlowTable(std::size_t limit);

  /// The flow with this key, a new one if needed; kNone when the table is full of queue pairs. `fresh`: it was made.
  std::uint32_t find_or_add(const net::FlowKey& key, bool& fresh);
  /// The first of the flows with these addresses and ports, whatever the overlay; kNone: no flow has them. The others
  /// follow by Flow::sibling.
  [[nodiscard]] std::uint32_t find(const net::FlowKey& key) const;
  /// Another flow with this key; kNone when there is no room. `first` is what find() gave for it.
  std::uint32_t add(const net::FlowKey& key, std::uint32_t first);
  [[nodiscard]] Flow& at(std::uint32_t index) noexcept { return blocks_[index / kBlock][index % kBlock]; }
  [[nodiscard]] const Flow& at(std::uint32_t index) const noexcept { return blocks_[index / kBlock][index % kBlock]; }
  void remove(std::uint32_t index);
  /// Looks at one of `parts` parts of the table after another. Calls `forget(index)` for each flow there that carries
  /// no queue pair and of which no packet came since the last look, if it is over, or since the last kMostLooks.
  template <class Forget>
  void age(std::uint32_t parts, Forget forget) {
    aged_ = aged_ + 1 < parts ? aged_ + 1 : 0;
    const auto border = [&](std::uint64_t part) { return static_cast<std::uint32_t>(extent_ * part / parts); };
    for (std::uint32_t index = border(aged_); index < border(aged_ + std::uint64_t{1}); ++index) {
      if (is_old(at(index))) forget(index);
    }
  }

  [[nodiscard]] std::size_t size() const noexcept { return used_; }
  /// Slots ever used: indices below it may be passed to at().
  [[nodiscard]] std::uint32_t extent() const noexcept { return extent_; }
  /// Those that made room and were not over.
  [[nodiscard]] std::uint64_t evicted() const noexcept { return evicted_; }

 private:
  static constexpr std::uint8_t kMostLooks = 15;  // ours
  static constexpr std::uint32_t kBlock = 512;

  struct Hash {
    using is_transparent = void;
    const FlowTable* table;
    std::size_t operator()(std::uint32_t i) const noexcept { return net::stable_hash(table->at(i).key); }
    std::size_t operator()(const net::FlowKey& k) const noexcept { return net::stable_hash(k); }
  };
  struct Equal {
    using is_transparent = void;
    const FlowTable* table;
    bool operator()(std::uint32_t a, std::uint32_t b) const noexcept { return a == b; }
    bool operator()(std::uint32_t a, const net::FlowKey& k) const noexcept { return same_ends(table->at(a).key, k); }
    bool operator()(const net::FlowKey& k, std::uint32_t a) const noexcept { return same_ends(table->at(a).key, k); }
    static bool same_ends(const net::FlowKey& a, const net::FlowKey& b) noexcept {
      return a.low == b.low && a.high == b.high && a.tap_group == b.tap_group;
    }
  };

  std::uint32_t take_slot();
  [[nodiscard]] static bool is_old(Flow& flow) noexcept;
  bool evict_one();

  std::size_t limit_;
  std::vector<std::unique_ptr<Flow[]>> blocks_;
  std::vector<std::uint32_t> free_;
  std::uint32_t extent_ = 0;
  std::uint32_t hand_ = 0;
  std::uint32_t aged_ = 0;  ///< the part that age() looked at last
  std::uint64_t evicted_ = 0;
  std::size_t used_ = 0;
  absl::flat_hash_set<std::uint32_t, Hash, Equal> set_;
};

}  // namespace iwarpscope::analysis
