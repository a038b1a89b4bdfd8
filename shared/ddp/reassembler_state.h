// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The state of a Reassembler. Private to the folder.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "ddp/header.h"
#include "ddp/reassembler.h"

namespace iwarpscope::ddp {

/// Slots: one for each queue 0..3 and one for tagged messages. Each holds at most one message in progress.
///
///             begin(), L clear                 go_on(), L set / displace() / finish()
///   idle ---------------------------> open ------------------------------------------> idle
///                                      | gap(), untagged              ^
///                                      v                              | next DDP segment does not carry it on
///                                  suspended ------------------------------------------+
///                                      +--> open again: it carries the message on
///
/// The peer is blamed only if the expected values are certain. `known` is false after missing octets, until the MSN is
/// learnt again. `doubt` is true from a damaged DDP segment, whose L flag cannot be trusted, to the next intact one.
struct Reassembler::State {
  static constexpr std::size_t kQueues = 4;
  static constexpr std::size_t kSendQueue = 0;  ///< RFC 5040 §3.1
  static constexpr std::size_t kTagged = 4;
  static constexpr std::size_t kSlots = 5;

  struct Slot {
    std::uint64_t message = 0;  ///< index of the message in progress
    std::uint64_t length = 0;   ///< octets of it so far
    std::uint64_t next = 0;     ///< MO or TO of the octet expected next
    std::uint64_t ddp_segments = 0;
    std::uint32_t name = 0;          ///< its MSN or STag
    std::uint32_t reserved_ulp = 0;  ///< RsvdULP[8:39]
    std::uint32_t next_msn = 1;      ///< of the queue
    std::uint8_t rdmap_control = 0;  ///< RsvdULP[0:7]
    bool start_seen : 1 = false;     ///< the message's first DDP segment was seen
    bool flawed : 1 = false;         ///< something of it is missing, damaged or out of place
    bool placed : 1 = false;         ///< `name` and `next` are valid; false while a tagged message has no octets
    bool displacing : 1 = false;     ///< it began before the previous message of its slot had ended
    bool strayed : 1 = false;        ///< a message of this slot did so, and none has begun in order since
    bool used : 1 = false;           ///< the queue had a message before
    bool known : 1 = true;           ///< next_msn is valid
    bool doubt : 1 = false;
    bool last_early : 1 = false;    ///< its last DDP segment came; earlier ones may still come
    bool headless : 1 = false;      ///< DD-10 was raised for the message, or the one before
    bool reported_ulp : 1 = false;  ///< these: the rule was raised for the message, and is not raised again
    bool reported_name : 1 = false;
    bool reported_offset : 1 = false;
    bool reported_order : 1 = false;  ///< DD-12,
    bool reported_last : 1 = false;   ///< and DD-13
    bool reported_zero : 1 = false;
    bool reported_long : 1 = false;
    bool reported_mixed : 1 = false;
    bool reported_unfinished : 1 = false;

    template <class A>
    void archive(A& a) {
      a(message, length, next, ddp_segments, name, reserved_ulp, next_msn, rdmap_control);
      start_seen = a.value(start_seen);
      flawed = a.value(flawed);
      placed = a.value(placed);
      displacing = a.value(displacing);
      strayed = a.value(strayed);
      used = a.value(used);
      known = a.value(known);
      doubt = a.value(doubt);
      last_early = a.value(last_early);
      headless = a.value(headless);
      reported_ulp = a.value(reported_ulp);
      reported_name = a.value(reported_name);
      reported_offset = a.value(reported_offset);
      reported_order = a.value(reported_order);
      reported_last = a.value(reported_last);
      reported_zero = a.value(reported_zero);
      reported_long = a.value(reported_long);
      reported_mixed = a.value(reported_mixed);
      reported_unfinished = a.value(reported_unfinished);
    }
  };

  /// Data of a slot that is rarely needed.
  struct Aside {
    Carrier last;             ///< its last DDP segment, while `latest` is of another slot
    Carrier jump;             ///< the DDP segment that skipped octets
    std::uint64_t begin = 0;  ///< octets that came after the skipped ones: [begin, end); equal: none
    std::uint64_t end = 0;
    std::uint64_t seen = 0, due = 0;  ///< tagged: the offset of that DDP segment, and the expected one
  };

  State(Direction d, SegmentSink& s, findings::Reporter& r) : sink(s), reporter(r), direction(d) {}

  template <class A>
  void archive(A& a) {
    a(asides, messages, slots, latest, latest_slot, open, suspended, negotiated, version, begun_at_terminate);
    reported_after_terminate = a.value(reported_after_terminate);
    judged = a.value(judged);
    trusted = a.value(trusted);
    odd = a.value(odd);
    a.check(latest_slot <= kSlots && open < 1u << kSlots && suspended < 1u << kSlots);
  }
  void ulpdu(const Carrier& carrier, Octets octets, std::uint32_t ulpdu_length);
  void gap();
  void refused();
  void finish(bool orderly, FrameNumber frame, TimePoint time);

  // reassembler.cpp: one DDP segment, tagged or untagged
  void take(Segment& segment, Octets octets, std::uint32_t ulpdu_length);
  void unreadable(const Carrier& carrier, Octets octets, std::uint32_t ulpdu_length);
  [[nodiscard]] bool is_plausible(const Segment& segment) const noexcept;
  void resume_or_end(const Segment& segment);
  void look_at_control(Control control);
  void judge_control(const Segment& segment);
  void judge_mixture(const Segment& segment);
  void judge_unfinished(std::size_t slot, const Carrier& carrier, const char* then);

  // placement.cpp: its place in its message
  void untagged(Segment& segment);
  void tagged(Segment& segment);
  void foreign_queue(Segment& segment);
  void judge_first(std::size_t slot, const Segment& segment);
  [[nodiscard]] bool comes_ahead(std::size_t slot, const Segment& segment) const noexcept;
  void begin(std::size_t slot, Segment& segment, bool chained = false);
  void displace(std::size_t slot, Segment& segment);
  void go_on(std::size_t slot, Segment& segment);
  [[nodiscard]] bool judge_going_on(std::size_t slot, const Segment& segment);
  [[nodiscard]] bool judge_offset(std::size_t slot, const Segment& segment);
  void fill_jump(std::size_t slot, const Segment& segment, Aside& jump);
  void leave_out(std::size_t slot, const Segment& segment);
  [[nodiscard]] bool extend_jump(std::size_t slot, const Segment& segment, Aside& jump);
  [[nodiscard]] bool take_lower(std::size_t slot, const Segment& segment);
  void tell_order(std::size_t slot, const Segment& segment, std::uint64_t highest);
  void settle_jump(std::size_t slot);
  void excuse_jump(std::size_t slot);
  void judge_extent(std::size_t slot, const Segment& segment);
  void place(std::size_t slot, Segment& segment, bool advance);
  void hand_up(const Segment& segment);
  void keep(std::size_t slot, const Carrier& carrier);
  void end(std::size_t slot, bool last_seen, const Carrier& carrier);
  [[nodiscard]] std::size_t strayed_from(const Segment& segment) const noexcept;
  [[nodiscard]] const Carrier& last_of(std::size_t slot);

  [[nodiscard]] bool is_open(std::size_t slot) const noexcept { return (open >> slot & 1) != 0; }
  [[nodiscard]] bool may_judge(const Slot& slot) const noexcept { return judged && !slot.doubt; }
  [[nodiscard]] Aside& aside(std::size_t slot);
  [[nodiscard]] Aside* jump_of(std::size_t slot) const noexcept;
  /// About the DDP segment in `carrier`; fills in all but id, message and words.
  void raise(const Carrier& carrier, findings::Finding finding);

  SegmentSink& sink;
  findings::Reporter& reporter;
  std::unique_ptr<std::array<Aside, kSlots>> asides;
  std::uint64_t messages = 0;
  std::array<Slot, kSlots> slots{};
  Carrier latest;  ///< of the last DDP segment of latest_slot's message in progress
  // Small members together: each idle queue pair has two of these objects.
  std::uint8_t latest_slot = kSlots;
  std::uint8_t open = 0;       ///< bit for each slot with a message in progress
  std::uint8_t suspended = 0;  ///< bit for each of those after a gap
  Direction direction : 1;
  bool reported_after_terminate : 1 = false;
  // The DDP segment being processed:
  bool judged : 1 = false;   ///< it may be judged
  bool trusted : 1 = false;  ///< its header is what was sent
  bool odd : 1 = false;      ///< its control octet breaks a rule, or it comes after a Terminate
  std::optional<std::uint8_t> negotiated, version;
  std::uint64_t begun_at_terminate = 0;  ///< messages begun before this direction's Terminate; 0: no Terminate
};

}  // namespace iwarpscope::ddp
