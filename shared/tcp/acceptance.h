// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Which TCP segments a receiver drops although their addresses and ports are those of the connection: forged ones, and
// late copies from an older connection.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "base/ids.h"
#include "net/tcp_packet.h"
#include "tcp/doubt.h"
#include "tcp/half.h"

namespace iwarpscope::tcp {

/// How an RST fits. Source: RFC 5961 §3.2.
enum class ResetFit : std::uint8_t {
  exact,       ///< at the octet that the receiver expects: it ends the connection
  in_window,   ///< elsewhere in the window: a receiver answers it with a challenge ACK, an older one believes it
  impossible,  ///< out of the window
};

/// Judges the TCP segments of one connection as its receivers do. What a receiver would drop is set aside: its octets
/// are used only when the receiver acknowledges them and no other TCP segment carried them. Where too little is known
/// to judge (no window scale, a direction that was not seen), nothing is doubted. Bounded: kMostAside TCP segments of
/// each direction, paid from the budget. Not thread-safe.
class Acceptance {
 public:
  static constexpr std::size_t kMostAside = 32;
  /// As many doubted TCP segments in sequence are believed: then what was known of the connection is too old.
  static constexpr std::uint8_t kDoubtedRun = 16;

  Acceptance() = default;
  ~Acceptance();
  Acceptance(const Acceptance&) = delete;
  Acceptance& operator=(const Acceptance&) = delete;

  /// From what the flow table saw.
  void start(Direction d, const Origin& origin) noexcept {
    of(d).ack_flag = origin.ack_flag;
    of(d).ip_checksum_good = origin.ip_checksum_good;
  }

  /// Why the receiver drops this one. None for an RST: see fit().
  [[nodiscard]] Doubt judge(Direction d, const net::TcpPacket& packet, const Half& half,
                            const Half& other) const noexcept;
  /// Takes a doubted TCP segment: counts it, and sets its octets aside. The call is of its direction. True once so many
  /// of them followed one another that they are to be believed: feed this one as any other.
  [[nodiscard]] bool set_aside(Doubt doubt, const net::TcpPacket& packet, Half& half, bool other_ended, Call& call);
  /// A TCP segment that the receiver takes, at `offset`: what later ones are compared with. Raises TC-09 where it shows
  /// that an RST or SYN was ignored.
  void take(const net::TcpPacket& packet, std::uint64_t offset, Side own, Side other);
  /// The octets of this call's half below `acknowledged` were received: what was set aside of them is used.
  void release(std::uint64_t acknowledged, Half& half, bool other_ended, Call& call);

  /// The packet of `d` answers what was set aside of the other direction: its numbers and those of a TCP segment set
  /// aside fit each other. The capture missed much of both directions.
  [[nodiscard]] bool is_answer(Direction d, const net::TcpPacket& packet, const Half& other) const noexcept;
  /// The capture ends: octets never acknowledged are used if a receiver may have accepted them.
  void finish(Half& half, bool other_ended, Call& call);

  /// Precondition: `believable` says that it lies in the window. Without an origin every believable one is exact.
  [[nodiscard]] static ResetFit fit(const net::TcpPacket& packet, const Half& half, bool believable) noexcept;
  /// An RST that is not exact, or a SYN that does not fit: whether the connection goes on decides.
  void wait_for_more(const net::TcpPacket& packet, ResetFit fit, const Half& half, const Half& other, Call& call);
  /// Those that were dropped until now and that the receiver did not take after all. Null: none.
  [[nodiscard]] const Dropped* dropped(Direction d) const noexcept {
    return doubts_ != nullptr ? &doubts_->of[index(d)].dropped : nullptr;
  }
  /// At the end: TC-10.
  void report_dropped(Call& call) const;
  /// The RST that ended the connection, for reset_at().
  void keep_reset(const ControlSeen& reset, const Call& call);
  [[nodiscard]] ControlSeen reset_at() const noexcept { return doubts_ != nullptr ? doubts_->reset_at : ControlSeen{}; }
  /// An RST in the window after which its sender sent nothing: it was one, in this frame. Nothing otherwise.
  [[nodiscard]] std::optional<ControlSeen> unanswered_reset(Direction d) const noexcept;
  /// The last RST of `d` after which its sender sent nothing, whether it fits or not.
  [[nodiscard]] std::optional<ControlSeen> last_reset(Direction d) const noexcept;

  template <class A>
  void archive(A& a, BufferBudget& budget) {
    a(shown_);
    if (!a.has(doubts_ != nullptr)) return;
    if (a.is_reading()) doubts_ = std::make_unique<Doubts>(budget);
    a(doubts_->of, doubts_->reset_at);
    if (a.is_reading()) a.check(pay_for_aside());
  }

 private:
  /// A TCP segment set aside.
  struct Aside {
    Arrival arrival;
    std::vector<std::byte> octets;
    std::uint32_t sequence = 0;
    std::uint32_t acknowledgment = 0;
    bool fin = false;
    bool by_window = false;
    bool unsure = false;  ///< the receiver may have taken it
    Doubt doubt{};
  };
  /// An RST or SYN that may have been ignored.
  struct Control {
    ControlSeen seen;
    std::uint64_t other_highest = 0;  ///< after the last octet of the other direction at that time
    bool is_reset = false;
    bool in_window = false;
  };
  /// What the TCP segments of one direction showed: small, kept for every connection.
  struct Shown {
    std::uint64_t offered = 0;       ///< after the last octet of it that its receiver ever offered to take; 0: unknown
    std::uint32_t timestamp = 0;     ///< TS.Recent of the receiver, with `timestamps`. RFC 7323 §4.3
    std::uint32_t longest : 12 = 0;  ///< TCP segment with payload in a whole frame, its header included; 16 octets
    std::uint32_t timestamp_day : 9 = 0;  ///< when `timestamp` came, modulo 512
    std::uint32_t hop_limit : 8 = 0;      ///< of the last payload, before it of the first ACK; 0: none yet
    bool timestamps : 1 = false;
    bool ack_flag : 1 = false;          ///< this sender sets ACK with payload, or did before it
    bool ip_checksum_good : 1 = false;  ///< a right one was seen

    template <class A>
    void archive(A& a) {
      a(offered, timestamp);
      longest = a.value(static_cast<std::uint16_t>(longest)) & 0xFFFU;
      timestamp_day = a.value(static_cast<std::uint16_t>(timestamp_day)) & 0x1FFU;
      hop_limit = a.value(static_cast<std::uint8_t>(hop_limit));
      timestamps = a.value(timestamps);
      ack_flag = a.value(ack_flag);
      ip_checksum_good = a.value(ip_checksum_good);
    }
  };
  /// What is kept of one direction once something of it was doubted.
  struct Doubted {
    std::vector<Aside> aside;
    std::optional<Control> control;
    Dropped dropped{};
    FrameNumber first_dropped;   ///< of those that are forged or damaged
    std::uint32_t run_next = 0;  ///< the sequence number after the last one
    std::uint8_t run = 0;
    std::uint8_t unsent_run = 0;
  };

  [[nodiscard]] Shown& of(Direction d) noexcept { return shown_[index(d)]; }
  [[nodiscard]] const Shown& of(Direction d) const noexcept { return shown_[index(d)]; }
  /// Created when first needed.
  [[nodiscard]] Doubted& doubted(const Call& call);
  [[nodiscard]] const Doubted* known(Direction d) const noexcept {
    return doubts_ != nullptr ? &doubts_->of[index(d)] : nullptr;
  }
  [[nodiscard]] bool has_aside(Direction d) const noexcept {
    return doubts_ != nullptr && !doubts_->of[index(d)].aside.empty();
  }
  [[nodiscard]] bool is_plain(Direction d, const net::TcpPacket& packet, const Half& half,
                              const Half& other) const noexcept;
  [[nodiscard]] Doubt doubt(Direction d, const net::TcpPacket& packet, const Half& half,
                            const Half& other) const noexcept;
  [[nodiscard]] Doubt doubt_of_numbers(Direction d, const net::TcpPacket& packet, std::uint64_t offset,
                                       const Half& other) const noexcept;
  [[nodiscard]] Doubt doubt_of_new_octets(Direction d, const net::TcpPacket& packet) const noexcept;
  void learn_window(Direction d, const net::TcpPacket& packet, const Half& half, const Half& other) noexcept;
  [[nodiscard]] bool acknowledges_unoffered(Direction d, const net::TcpPacket& packet,
                                            const Half& other) const noexcept;
  void count_dropped(Doubt doubt, Half& half, const Call& call);
  [[nodiscard]] bool keep(Doubt doubt, const net::TcpPacket& packet, const Half& half, const Call& call);
  [[nodiscard]] bool pay_for_aside() noexcept;
  [[nodiscard]] Aside take_out(Doubted& its, std::size_t at) noexcept;
  void put_all(Half& half, bool other_ended, Call& call);
  void put(Aside aside, Half& half, bool other_ended, Call& call);
  void go_on(const net::TcpPacket& packet, std::uint64_t offset, const Half& half, const Half& other, Call& call);

  std::array<Shown, 2> shown_;
  struct Doubts {
    explicit Doubts(BufferBudget& b) noexcept : budget(b) {}
    BufferBudget& budget;
    std::array<Doubted, 2> of;
    ControlSeen reset_at;
  };
  std::unique_ptr<Doubts> doubts_;
};

}  // namespace iwarpscope::tcp
