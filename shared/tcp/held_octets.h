// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Octets that came out of order and wait for those before them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "base/buffer_budget.h"
#include "base/ids.h"
#include "base/octets.h"
#include "base/time_point.h"

namespace iwarpscope::tcp {

struct Limits;

/// A TCP segment's payload with its place in the stream. Borrows the octets from the frame. Offsets are StreamOffset
/// values. Invariant: octets.size() <= end - begin.
struct Arrival {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;  ///< as on the wire: beyond the captured octets when a snap length cut the frame
  Octets octets;
  FrameNumber frame;
  TimePoint time;
  StreamOffset acknowledged;
  bool has_acknowledged = false;
  bool comparable = false;  ///< whole, and its checksum is right: its octets are what the sender sent
  bool has_timestamp = false;
  bool may_be_copy = false;  ///< see Signature::may_be_copy_of()
  std::uint16_t ip_id = 0;
  std::uint32_t timestamp = 0;

  /// Where the captured octets end.
  [[nodiscard]] std::uint64_t captured_end() const noexcept { return begin + octets.size(); }
  /// Both are copies of one packet: nothing that a sender changes with each is different.
  /// All but the octets, which it borrows.
  template <class A>
  void archive(A& a) {
    a(begin, end, frame, time, acknowledged, has_acknowledged, comparable, has_timestamp, may_be_copy, ip_id,
      timestamp);
  }
  [[nodiscard]] bool is_packet_of(const Arrival& other) const noexcept;
  /// Whether the sender certainly sent this before `later`, although it came after it. Needs what only grows with
  /// sending: ACK, TSval or IP ID. Source: RFC 9293 §3.4, RFC 7323 §4.
  [[nodiscard]] bool was_sent_before(const Arrival& later) const noexcept;
};

/// One run of octets of one frame, or a run that the snap length cut away (no octets).
struct Held {
  Arrival arrival;  ///< of the carrying frame; `octets` is empty, begin and end are the whole TCP segment's
  std::uint64_t end = 0;
  std::vector<std::byte> octets;
  bool retransmitted = false;

  [[nodiscard]] bool is_cut() const noexcept { return octets.empty(); }
};

/// Runs of octets by offset, none overlapping. Bounded by Limits and by the budget of all connections, which pays for
/// the octets and kRunOverhead for each run. Not copyable. `limits` and `budget` must outlive it.
class HeldOctets {
 public:
  using Runs = std::map<std::uint64_t, Held>;
  using Stretches = std::map<std::uint64_t, std::uint64_t>;
  static constexpr std::size_t kRunOverhead =
      sizeof(Runs::value_type) + sizeof(Stretches::value_type) + 8 * sizeof(void*);

  HeldOctets(const Limits& limits, BufferBudget& budget) noexcept : limits_(limits), budget_(budget) {}
  ~HeldOctets();
  HeldOctets(const HeldOctets&) = delete;
  HeldOctets& operator=(const HeldOctets&) = delete;

  /// Copies [from, to) of the arrival, which is wholly captured or wholly cut away and overlaps no run. False when a
  /// limit is reached; then nothing changed.
  [[nodiscard]] bool hold(const Arrival& arrival, std::uint64_t from, std::uint64_t to, bool retransmitted);

  /// The first run that ends after `offset`.
  [[nodiscard]] Runs::iterator at_or_after(std::uint64_t offset) noexcept;
  /// Where the runs that follow one another without a hole end. Precondition: a run holds `offset`. Cheap, however many
  /// runs there are.
  [[nodiscard]] std::uint64_t held_until(std::uint64_t offset) const noexcept;
  [[nodiscard]] bool is_end(Runs::iterator run) const noexcept { return run == runs_.end(); }

  /// Takes [from, to) out of a cut run, so that octets can be held there. False when a limit forbids the split.
  [[nodiscard]] bool open_cut(Runs::iterator run, std::uint64_t from, std::uint64_t to);

  /// The octets [from, to) of a run become those of a comparable arrival, in a run of their own, unless a limit forbids
  /// the split. Precondition: both hold them all. `run` stays valid and keeps its beginning.
  void correct(Runs::iterator run, const Arrival& arrival, std::uint64_t from, std::uint64_t to);

  [[nodiscard]] bool empty() const noexcept { return runs_.empty(); }
  [[nodiscard]] Runs::iterator front() noexcept { return runs_.begin(); }
  [[nodiscard]] std::uint64_t front_offset() const noexcept { return runs_.begin()->first; }
  /// Precondition: not empty().
  void pop_front();

  [[nodiscard]] std::size_t octets() const noexcept { return octets_; }
  [[nodiscard]] std::size_t runs() const noexcept { return runs_.size(); }

  template <class A>
  void archive(A& a) {
    a(runs_);
    if (a.is_reading()) a.check(is_sound_and_paid());
  }

 private:
  [[nodiscard]] bool pay_for_run(std::size_t octets) noexcept;
  [[nodiscard]] bool is_sound_and_paid() noexcept;
  /// What lies in it from `at` on becomes a run of its own. False: a limit forbids it.
  [[nodiscard]] bool split(Runs::iterator run, std::uint64_t at);
  void join_stretch(std::uint64_t from, std::uint64_t to);
  void part_stretch(std::uint64_t from, std::uint64_t to);

  const Limits& limits_;
  BufferBudget& budget_;
  Runs runs_;
  Stretches stretches_;  ///< begin to end of what runs_ holds without a hole
  std::size_t octets_ = 0;
};

}  // namespace iwarpscope::tcp
