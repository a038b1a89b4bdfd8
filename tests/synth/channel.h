// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Effects on packets with payload between their sender, the tap and their receiver, for any transport.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <optional>
#include <utility>

#include "synth/options.h"
#include "synth/random.h"

namespace iwarpscope::synth {

/// An effect, and how many packets pass before it is applied.
struct PlannedEffect {
  unsigned skip = 0;
  Effect effect = Effect::none;
  EffectOptions options{};
};

/// The probabilities for both directions.
class Dice {
 public:
  void use(const Impairment& impairment) { impairment_ = impairment, random_ = Random(impairment.seed); }
  /// The effect on a packet without a planned effect.
  [[nodiscard]] PlannedEffect roll() {
    if (!impairment_) return {};
    const Impairment& i = *impairment_;
    const std::array<std::pair<unsigned, Effect>, 7> chances{{{i.lose_before_tap, Effect::lose_before_tap},
                                                              {i.lose_after_tap, Effect::lose_after_tap},
                                                              {i.miss, Effect::miss},
                                                              {i.hold_back, Effect::hold_back},
                                                              {i.mirror_duplicate, Effect::mirror_duplicate},
                                                              {i.retransmit, Effect::retransmit},
                                                              {i.corrupt, Effect::corrupt}}};
    std::uint64_t roll = random_.below(1000);
    for (const auto& [permille, effect] : chances) {
      if (roll < permille) return {0, effect, {.delay = static_cast<unsigned>(random_.between(1, 6))}};
      roll -= permille;
    }
    return {};
  }

 private:
  std::optional<Impairment> impairment_;
  Random random_;
};

/// One direction. A packet that is lost, held back or sent twice comes (again) after some later packets.
template <class Packet>
class Channel {
 public:
  /// The transport's handling of packets. None of it may call the same channel again.
  class Transport {
   public:
    virtual ~Transport() = default;
    /// The tap captures it, this number of nanoseconds after its time.
    virtual void show(Packet packet, std::int64_t late_ns) = 0;
    virtual void receive(const Packet& packet) = 0;
    /// It is retransmitted, with the current time and acknowledgment.
    virtual void send_again(Packet& packet) = 0;
    /// It was held back and arrives now, unchanged.
    virtual void release(Packet& packet) = 0;
    /// Its payload changes; the checksum is that of the changed octets or wrong.
    virtual void spoil(Packet& packet, bool checksum_right) = 0;
  };

  void plan(Effect effect, EffectOptions options) { plans_.push_back({options.skip, effect, options}); }

  void carry(Transport& transport, Packet packet, Dice& dice) {
    travel(transport, std::move(packet), next(dice));
    std::deque<Pending> due;
    for (auto it = pending_.begin(); it != pending_.end();) {
      // The count starts after the packet itself, so it reaches zero after `delay` others.
      if (it->countdown-- == 0) {
        due.push_back(std::move(*it));
        it = pending_.erase(it);
      } else {
        ++it;
      }
    }
    for (Pending& p : due) come(transport, std::move(p));
  }

  /// All held packets arrive (again) now.
  void settle(Transport& transport) {
    while (!pending_.empty()) {
      Pending pending = std::move(pending_.front());
      pending_.pop_front();
      come(transport, std::move(pending));
    }
  }

 private:
  struct Pending {
    Packet packet;
    unsigned countdown;
    bool fresh;  // retransmitted; otherwise held back
    bool seen;
  };

  [[nodiscard]] PlannedEffect next(Dice& dice) {
    PlannedEffect found;
    for (auto it = plans_.begin(); it != plans_.end();) {
      if (it->skip == 0 && found.effect == Effect::none) {
        found = *it;
        it = plans_.erase(it);
      } else {
        if (it->skip > 0) --it->skip;
        ++it;
      }
    }
    return found.effect != Effect::none ? found : dice.roll();
  }

  void travel(Transport& transport, Packet packet, const PlannedEffect& plan) {
    const auto later = [&](Packet copy, bool fresh) {
      pending_.push_back({std::move(copy), plan.options.delay, fresh, !plan.options.miss_retransmission});
    };
    switch (plan.effect) {
      case Effect::none: break;
      case Effect::lose_before_tap: later(std::move(packet), true); return;
      case Effect::lose_after_tap:
        transport.show(packet, 0);
        later(std::move(packet), true);
        return;
      case Effect::miss: transport.receive(packet); return;
      case Effect::hold_back: later(std::move(packet), false); return;
      case Effect::mirror_duplicate:
        transport.show(packet, 0);
        transport.show(packet, kMirrorNs);
        transport.receive(packet);
        return;
      case Effect::retransmit: later(packet, true); break;
      case Effect::retransmit_changed: {
        Packet copy = packet;
        transport.spoil(copy, true);
        later(std::move(copy), true);
        break;
      }
      case Effect::corrupt: {
        Packet copy = packet;
        transport.spoil(copy, false);
        transport.show(std::move(copy), 0);
        later(std::move(packet), true);
        return;
      }
    }
    transport.show(packet, 0);
    transport.receive(packet);
  }

  void come(Transport& transport, Pending pending) {
    if (pending.fresh) {
      transport.send_again(pending.packet);
    } else {
      transport.release(pending.packet);
    }
    if (pending.seen) transport.show(pending.packet, 0);
    transport.receive(pending.packet);
  }

  static constexpr std::int64_t kMirrorNs = 1'000;
  std::deque<PlannedEffect> plans_;
  std::deque<Pending> pending_;
};

}  // namespace iwarpscope::synth
