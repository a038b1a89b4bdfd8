// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Packets of one association in an order in which they can have been sent: what acknowledges a TSN waits for it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/ids.h"
#include "base/time_point.h"
#include "net/sctp_packet.h"
#include "sctp/context.h"

namespace iwarpscope::sctp {

/// What a packet says of what was sent before it. Borrows the packet.
struct Claims {
  std::optional<std::uint32_t> received;   ///< cumulative TSN of its SACK or SHUTDOWN: of the other direction
  Octets blocks;                           ///< Gap Ack Blocks, as captured
  std::optional<std::uint32_t> first_tsn;  ///< of its DATA
  std::optional<std::uint32_t> abandoned;  ///< cumulative TSN of its FORWARD TSN: of its sender
  bool opens = false;                      ///< INIT or INIT ACK
  bool shuts_down = false;                 ///< SHUTDOWN
  bool acknowledges_shutdown = false;      ///< SHUTDOWN ACK
  bool ends = false;                       ///< nothing of its sender follows: ABORT, SHUTDOWN ACK, SHUTDOWN COMPLETE
  bool completes = false;                  ///< SHUTDOWN COMPLETE
};
[[nodiscard]] Claims claims_of(const net::SctpPacket& packet) noexcept;

/// A mirror with several ports, or a capture with several queues, shows packets in another order than the wire. A
/// packet whose SACK acknowledges a TSN of the other direction that was not seen yet was sent after that TSN was
/// received: it waits here for it, and so does all that comes after it, but for what it waits for. The same where only
/// one of INIT and INIT ACK was seen: the other was sent before all else. No network can cause this, so a loss on the
/// path is never waited for. What does not come within kOrderPatienceNs,
/// within a tenth of it while kEnough packets came, or while kMaxPackets or kMaxOctets wait, was lost by the capture.
/// Deterministic; bounded. Not thread-safe. How long and how much is ours.
class CausalOrder {
 public:
  static constexpr std::size_t kMaxPackets = 256;
  static constexpr std::uint64_t kEnough = 16;
  static constexpr std::size_t kMaxOctets = 256u << 10;

  /// `context` must outlive this.
  explicit CausalOrder(Context& context) noexcept : context_(context) {}
  ~CausalOrder() { clear(); }
  CausalOrder(const CausalOrder&) = delete;
  CausalOrder& operator=(const CausalOrder&) = delete;

  /// A packet that waited, with its octets.
  struct Released {
    Direction direction{};
    net::SctpPacket packet;  ///< borrows `octets`
    std::vector<std::byte> octets;
  };

  /// Nothing waits, and nothing that was sent before the packet is awaited: it need not wait.
  [[nodiscard]] bool may_pass(Direction d, const Claims& claims) const noexcept {
    return is_empty() && is_due(d, claims);
  }
  /// Call it for each packet, also for a mirror's copies. An INIT or INIT ACK after its sender's end: another
  /// association may begin with the same tags and TSNs, as in a replay. Nothing is put before that end any more.
  void note_opening(Direction d, const Claims& claims) noexcept;
  /// Keeps a copy. Fails (false) when there is no room: then release_oldest() makes some.
  [[nodiscard]] bool hold(Direction d, const net::SctpPacket& packet);
  /// The next packet for which nothing is awaited any more, or for which it was awaited long enough at `now`. Call it
  /// again once the packet was taken.
  [[nodiscard]] std::optional<Released> release(TimePoint now);
  /// The next packet for which nothing is awaited any more.
  [[nodiscard]] std::optional<Released> release_due();
  /// The one that waited longest, with what had to come before it given up. Nothing: none waits.
  [[nodiscard]] std::optional<Released> release_oldest();
  [[nodiscard]] bool is_empty() const noexcept { return held_[0].empty() && held_[1].empty(); }
  /// A packet that waits has DATA with this TSN.
  [[nodiscard]] bool holds(Direction d, std::uint32_t tsn) const noexcept;
  /// Packets that had to go on early because kMaxPackets, kMaxOctets or the budget was reached.
  [[nodiscard]] std::uint64_t cut_short() const noexcept { return cut_short_; }

  template <class A>
  void archive(A& a);

 private:
  struct Held {
    net::SctpPacket packet;
    std::vector<std::byte> octets;
    Claims claims;
    std::vector<std::uint32_t> tsns;
    std::uint64_t number = 0;  ///< of all that waited
    bool waits = false;        ///< for others, and not only for its turn

    [[nodiscard]] std::size_t cost() const noexcept { return octets.size() + 4 * tsns.size() + kOverhead; }
    static constexpr std::size_t kOverhead = 256;  ///< ours
  };
  using Queue = std::vector<Held>;  ///< costs next to nothing while nothing waits

  /// A copy of a packet, with its octets, claims and TSNs.
  [[nodiscard]] static Held copy_of(const net::SctpPacket& packet);
  /// False: there is no room.
  [[nodiscard]] bool pay_for(Direction d, const Held& one) noexcept;
  /// Queues are not empty at their ends: which of them holds what came first. Precondition: something waits.
  [[nodiscard]] Direction first_to_come() const noexcept;
  /// What waits at the other direction's front waits for this one of `d`.
  [[nodiscard]] bool is_awaited(Direction d, const Claims& claims) const noexcept;
  [[nodiscard]] Tsn end_of(const TsnLine& line, const Claims& claims) const noexcept;
  /// Everything that the claims rest on was seen, or is given up.
  [[nodiscard]] bool is_due(Direction d, const Claims& claims) const noexcept;
  /// The sender of `from` sent what they say was received, and it was taken.
  [[nodiscard]] bool has_received(Direction from, const Claims& claims) const noexcept;
  /// The first DATA of `from` that is here is newer than all that the claims rest on.
  [[nodiscard]] bool begins_after(Direction from, const Claims& claims) const noexcept;
  /// Something of `d` waits here that the other direction's front waits for.
  [[nodiscard]] bool holds_awaited(Direction d) const noexcept;
  /// The sender sent `held` before `than`. Nothing: they do not say so.
  [[nodiscard]] std::optional<bool> surely_precedes(const Held& held, const Held& than, Direction d) const noexcept;
  /// Its place among those of its sender that wait.
  [[nodiscard]] Queue::iterator place_of(const Held& one, Direction d) noexcept;
  [[nodiscard]] Released take_first(Direction d);
  void note_skew(Direction d, const Held& one) noexcept;
  void waive(Direction d, const Claims& claims) noexcept;
  void clear() noexcept;

  /// The one that came first. Precondition: something waits.
  [[nodiscard]] const Held& first() const noexcept;
  [[nodiscard]] bool is_over(const Held& one, TimePoint now) const noexcept;

  Context& context_;
  std::uint64_t count_ = 0;
  std::array<Queue, 2> held_;            ///< by direction, in the order in which they were sent
  std::array<Tsn, 2> waived_{};          ///< by direction: TSNs up to it are awaited no more
  std::array<bool, 2> unseen_waived_{};  ///< DATA of a direction of which none was seen is awaited no more
  bool opening_waived_ = false;          ///< INIT and INIT ACK are
  bool opens_again_ = false;             ///< one of them came after the end of its sender
  bool shutdown_waived_ = false;         ///< SHUTDOWN and what it rests on are awaited no more
  std::size_t octets_ = 0;
  std::uint64_t cut_short_ = 0;
};

}  // namespace iwarpscope::sctp
