// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The place of a DDP segment in its message. Source: RFC 5041 §4, §5.
#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "base/wording.h"
#include "ddp/placement_offset.h"
#include "ddp/reassembler_state.h"
#include "ddp/rules.h"

namespace iwarpscope::ddp {

using findings::FindingId;

namespace {

constexpr std::uint64_t kLongest = 0xFFFFFFFF;  // octets of a DDP message
constexpr std::uint8_t kTerminateQueue = 2;     // RFC 5040 §3.1
constexpr std::uint8_t kTerminateOpcode = 7;    // RFC 5040 §4.1
constexpr std::uint8_t kAtomicQueue = 3;        // RFC 7306 §4.1
constexpr std::uint8_t kAtomicOpcode = 11;      // RFC 7306 §4.1: Atomic Response

std::uint32_t name_of(const Segment& s) noexcept {
  return s.tagged ? s.stag.value : s.msn.value;
}

QueueNumber queue_of(std::size_t slot) noexcept {
  return QueueNumber{static_cast<std::uint32_t>(slot)};
}

template <class Slot>
bool same_ulp(const Slot& slot, const Segment& s) noexcept {
  return slot.rdmap_control == s.rdmap_control && slot.reserved_ulp == s.reserved_ulp;
}

}  // namespace

Reassembler::State::Aside& Reassembler::State::aside(std::size_t slot) {
  if (asides == nullptr) asides = std::make_unique<std::array<Aside, kSlots>>();
  return (*asides)[slot];
}

Reassembler::State::Aside* Reassembler::State::jump_of(std::size_t slot) const noexcept {
  if (asides == nullptr) return nullptr;
  Aside& a = (*asides)[slot];
  return a.begin == a.end ? nullptr : &a;
}

const Carrier& Reassembler::State::last_of(std::size_t slot) {
  return slot == latest_slot ? latest : aside(slot).last;
}

void Reassembler::State::keep(std::size_t slot, const Carrier& carrier) {
  if (latest_slot != slot) {
    if (latest_slot < kSlots && is_open(latest_slot)) aside(latest_slot).last = latest;
    latest_slot = static_cast<std::uint8_t>(slot);
  }
  latest = carrier;
}

void Reassembler::State::untagged(Segment& s) {
  if (s.qn.value >= kQueues) return foreign_queue(s);
  const std::size_t queue = s.qn.value;
  if (is_open(queue)) {
    const Slot& slot = slots[queue];
    const bool other_msn_only =
        !slot.doubt && !slot.displacing && s.mo.value != 0 && s.mo.value == slot.next && same_ulp(slot, s);
    return slot.name == s.msn.value || other_msn_only ? go_on(queue, s) : displace(queue, s);
  }
  const std::size_t other = strayed_from(s);
  return other < kSlots ? go_on(other, s) : begin(queue, s);
}

/// The slot whose message `s` carries on but for its QN; kSlots: none.
std::size_t Reassembler::State::strayed_from(const Segment& s) const noexcept {
  constexpr std::uint8_t kQueueBits = (1U << kQueues) - 1;
  if (!judged || s.mo.value == 0 || (open & kQueueBits) == 0) return kSlots;
  for (std::size_t q = 0; q < kQueues; ++q) {
    const Slot& slot = slots[q];
    if (is_open(q) && !slot.doubt && slot.name == s.msn.value && slot.next == s.mo.value && same_ulp(slot, s)) return q;
  }
  return kSlots;
}

/// A queue that no RFC assigns: DD-05. Nothing is known of its numbers, so each DDP segment stands for itself.
void Reassembler::State::foreign_queue(Segment& s) {
  const std::size_t other = strayed_from(s);
  s.message = other < kSlots ? slots[other].message : messages;
  if (judged) {
    raise(s.carrier, {.id = FindingId::ddp_queue_unknown,
                      .message = s.message,
                      .seen = fmt::format("{}", s.qn.value),
                      .expected = "0 to 3",
                      .text = fmt::format("The DDP segment {} is on a queue that no RFC assigns.", describe(s))});
  }
  if (other < kSlots) {
    slots[other].reported_name = true;
    return go_on(other, s);
  }
  ++messages;
  s.first_of_message = s.starts_message = true;
  hand_up(s);
  const bool whole = s.last && s.mo.value == 0;
  sink.message_ended({.message = s.message,
                      .length = s.payload_length,
                      .ddp_segments = 1,
                      .complete = whole && s.carrier.intact,
                      .length_certain = whole,
                      .complete_if_first = whole && s.carrier.intact,
                      .last = s.carrier});
}

void Reassembler::State::tagged(Segment& s) {
  if (!is_open(kTagged)) return begin(kTagged, s);
  const Slot& slot = slots[kTagged];
  const bool ulp = same_ulp(slot, s);
  // STag and TO of a DDP segment without octets say nothing. Source: RFC 5041 §5.2.
  if (s.payload_length == 0 || !slot.placed) return ulp ? go_on(kTagged, s) : displace(kTagged, s);
  const bool same_stag = slot.name == s.stag.value;
  const bool contiguous = slot.next == s.to.value;
  const bool goes_on = (same_stag && contiguous) || (ulp && !slot.doubt && (same_stag || contiguous));
  return goes_on ? go_on(kTagged, s) : displace(kTagged, s);
}

/// Whether the DDP segments before `s`, the first of its message to come, may come later: the order within a message is
/// free but for the Last flag. Those on the other queues are alone in their messages. Source: RFC 5041 §4.1, §5.3.
bool Reassembler::State::comes_ahead(std::size_t index, const Segment& s) const noexcept {
  return !s.tagged && s.mo.value != 0 && judged && s.payload_length != 0 && (!s.last || index == kSendQueue);
}

/// DD-06, DD-07, DD-13, and DD-10 where it is certain at once, of the first DDP segment of an untagged message.
void Reassembler::State::judge_first(std::size_t index, const Segment& s) {
  const Slot& slot = slots[index];
  if (index == kTagged || !slot.known || !may_judge(slot)) return;
  if (s.msn.value == slot.next_msn && (s.mo.value == 0 || !s.last || comes_ahead(index, s))) return;  // settle_jump()
  // The MSNs of these two are rules of RDMAP: RM-18, AT-10.
  const std::uint8_t opcode = s.rdmap_control & 0x0F;
  const bool rdmap_reports = (index == kTerminateQueue && opcode == kTerminateOpcode && !slot.used) ||
                             (index == kAtomicQueue && opcode == kAtomicOpcode);
  if (rdmap_reports && s.msn.value != slot.next_msn) return;
  const std::string seen = fmt::format("{}", s.msn.value);
  if (s.msn.value == slot.next_msn) {  // with the Last flag
    raise(s.carrier, {.id = FindingId::ddp_first_mo_not_zero,
                      .message = messages,
                      .seen = fmt::format("{}", s.mo.value),
                      .expected = "0",
                      .text = fmt::format("The first DDP segment of the message {} MSN {} has MO {}.", queue_text(s.qn),
                                          s.msn.value, s.mo.value)});
  } else if (slot.used && (s.mo.value != 0 || slot.headless) && s.msn.value + 1 == slot.next_msn) {
    raise(s.carrier,
          {.id = FindingId::ddp_last_misplaced,
           .message = messages,
           .seen = fmt::format("MO {}", s.mo.value),
           .text = fmt::format("The DDP segment {} follows the one with the Last flag of its message.", describe(s))});
  } else if (!slot.used) {
    raise(s.carrier, {.id = FindingId::ddp_first_msn_wrong,
                      .message = messages,
                      .seen = seen,
                      .expected = "1",
                      .text = fmt::format("The first message on {} has MSN {}.", queue_text(s.qn), s.msn.value)});
  } else {
    raise(s.carrier, {.id = FindingId::ddp_msn_out_of_sequence,
                      .message = messages,
                      .seen = seen,
                      .expected = fmt::format("{}", slot.next_msn),
                      .text = fmt::format("The message on {} has MSN {}; {} comes next.", queue_text(s.qn), s.msn.value,
                                          slot.next_msn)});
  }
}

/// `chained`: it takes the place of a message that took another's place itself, and may carry on that one.
void Reassembler::State::begin(std::size_t index, Segment& s, bool chained) {
  Slot& slot = slots[index];
  // The rest of a message that was interrupted: DD-19 was reported.
  const bool straggler = !s.tagged && s.mo.value != 0 && (chained || slot.strayed);
  if (!slot.displacing && !straggler) judge_first(index, s);
  if (!slot.displacing && s.mo.value == 0) slot.strayed = false;
  if (index != kTagged && slot.known && may_judge(slot)) s.expected_msn = MessageSequence{slot.next_msn};
  const bool in_view = slot.known && !slot.doubt && !chained;
  const bool starts = s.tagged ? in_view : s.mo.value == 0 || (in_view && s.msn.value == slot.next_msn);
  const bool ahead = starts && !straggler && comes_ahead(index, s);
  slot.message = messages++;
  slot.length = s.tagged || slot.known ? 0 : s.mo.value;  // after a gap: octets that were missed
  slot.next = ahead ? 0 : offset_of(s);
  slot.ddp_segments = 0;
  slot.name = name_of(s);
  slot.reserved_ulp = s.reserved_ulp;
  slot.rdmap_control = s.rdmap_control;
  slot.start_seen = starts;
  slot.last_early = false;
  slot.headless = false;
  slot.flawed = !s.tagged && s.mo.value != 0 && !ahead;
  slot.placed = !s.tagged || s.payload_length != 0;
  slot.reported_ulp = slot.reported_name = slot.reported_offset = slot.reported_order = slot.reported_last = false;
  slot.reported_zero = slot.reported_long = slot.reported_mixed = slot.reported_unfinished = false;
  const std::uint32_t next_msn = s.msn.value + 1;
  const bool older = static_cast<std::int32_t>(next_msn - slot.next_msn) < 0;
  if (!straggler || !older) slot.next_msn = next_msn;
  slot.used = slot.known = true;
  s.first_of_message = true;
  s.starts_message = starts;
  if (s.payload_length == 0 && !s.last && judged) {
    slot.reported_zero = true;
    raise(s.carrier,
          {.id = FindingId::ddp_zero_length_not_alone,
           .message = slot.message,
           .seen = "Last flag clear",
           .expected = "Last flag set",
           .text = fmt::format("The DDP segment {} has no octets and is not the last of its message.", describe(s))});
  }
  if (ahead) leave_out(index, s);
  place(index, s, !ahead);
}

/// `s` begins a message while another one of its slot is unfinished: DD-19.
void Reassembler::State::displace(std::size_t index, Segment& s) {
  Slot& slot = slots[index];
  const bool doubt = slot.doubt;
  const bool chained = slot.displacing;
  const bool unfinished = !slot.last_early;
  if (judged && !doubt && !chained && unfinished) {
    const std::string which = s.tagged ? fmt::format("the tagged message to STag 0x{:08x}", slot.name)
                                       : fmt::format("the message {} MSN {}", queue_text(queue_of(index)), slot.name);
    raise(s.carrier,
          {.id = FindingId::ddp_messages_interleaved,
           .message = slot.message,
           .seen = describe(s),
           .text = fmt::format("The DDP segment {} begins a message while {} is unfinished.", describe(s), which)});
  }
  end(index, false, last_of(index));
  slot.displacing = slot.strayed = !doubt && unfinished;
  begin(index, s, chained);
}

void Reassembler::State::go_on(std::size_t index, Segment& s) {
  const Slot& slot = slots[index];
  const bool smooth = offset_of(s) == slot.next && name_of(s) == slot.name && s.payload_length != 0 &&
                      same_ulp(slot, s) && (s.tagged || s.qn.value == index) && jump_of(index) == nullptr;
  place(index, s, smooth || judge_going_on(index, s));
}

/// DD-08, DD-09, DD-15, DD-16, and the offset. True when the octets expected next move with this DDP segment.
bool Reassembler::State::judge_going_on(std::size_t index, const Segment& s) {
  Slot& slot = slots[index];
  const bool may = may_judge(slot);
  if (may && !same_ulp(slot, s) && !slot.reported_ulp) {
    slot.reported_ulp = true;
    raise(s.carrier,
          {.id = FindingId::ddp_rsvdulp_changed,
           .message = slot.message,
           .seen = fmt::format("0x{:02x}/0x{:08x}", s.rdmap_control, s.reserved_ulp),
           .expected = fmt::format("0x{:02x}/0x{:08x}", slot.rdmap_control, slot.reserved_ulp),
           .text = fmt::format(
               "The RsvdULP field of the DDP segment {} differs from that of the first DDP segment of its message.",
               describe(s))});
  }
  if (s.payload_length == 0) {
    if (may && !slot.reported_zero) {
      slot.reported_zero = true;
      raise(s.carrier,
            {.id = FindingId::ddp_zero_length_not_alone,
             .message = slot.message,
             .seen = fmt::format("{} before", slot.ddp_segments),
             .expected = "alone",
             .text = fmt::format("The DDP segment {} has no octets and is not alone in its message.", describe(s))});
    }
    return false;
  }
  if (!slot.placed) {
    slot.placed = true;
    slot.name = name_of(s);
    slot.next = offset_of(s);
    return true;
  }
  const bool same_queue = s.tagged || s.qn.value == index;
  if (may && !slot.reported_name && (slot.name != name_of(s) || !same_queue)) {
    slot.reported_name = true;
    const std::string expected = s.tagged ? fmt::format("STag 0x{:08x}", slot.name)
                                          : fmt::format("{} MSN {}", queue_text(queue_of(index)), slot.name);
    raise(s.carrier, {.id = s.tagged ? FindingId::ddp_stag_changed : FindingId::ddp_message_changed,
                      .message = slot.message,
                      .seen = s.tagged ? fmt::format("STag 0x{:08x}", s.stag.value)
                                       : fmt::format("{} MSN {}", queue_text(s.qn), s.msn.value),
                      .expected = expected,
                      .text = fmt::format("The DDP segment {} continues the message {}.", describe(s), expected)});
  }
  return judge_offset(index, s);
}

/// DD-11, DD-12, DD-13, DD-17. Octets that are left out may come with the next DDP segment, which is then out of order
/// and no more than that; so a jump forward is judged when that is there. True as for judge_going_on().
bool Reassembler::State::judge_offset(std::size_t index, const Segment& s) {
  Slot& slot = slots[index];
  const std::uint64_t at = offset_of(s);
  if (Aside* const jump = jump_of(index)) {
    if (at == slot.next) {
      fill_jump(index, s, *jump);
      return false;
    }
    if (extend_jump(index, s, *jump) || take_lower(index, s)) return false;
    settle_jump(index);
  }
  if (at == slot.next) return true;
  if (at < slot.next && take_lower(index, s)) return false;
  // The order is free: what is missing of the message may be what is left out here.
  const bool whole = slot.start_seen && !slot.flawed;
  const bool may = may_judge(slot) && whole && !slot.reported_offset;
  if (may && at > slot.next && (!s.last || index == kSendQueue)) {
    leave_out(index, s);
    return false;
  }
  if (may) {
    slot.reported_offset = true;
    const bool low = !s.tagged && s.last && at + s.payload_length <= slot.next;
    const FindingId id =
        low ? FindingId::ddp_last_misplaced : (s.tagged ? FindingId::ddp_to_not_contiguous : FindingId::ddp_mo_wrong);
    raise(s.carrier,
          {.id = id,
           .message = slot.message,
           .seen = print_offset(s, at),
           .expected = print_offset(s, slot.next),
           .text = fmt::format("The DDP segment {} does not continue at {}, where the one before it ended{}.",
                               describe(s), print_offset(s, slot.next), low ? ", and it carries the Last flag" : "")});
  }
  if (!judged) slot.reported_offset = true;  // nor can what follows be measured by it
  slot.flawed = true;
  slot.next = at;
  return true;
}

/// DD-14, DD-18.
void Reassembler::State::judge_extent(std::size_t index, const Segment& s) {
  Slot& slot = slots[index];
  const std::uint64_t reach = s.tagged ? slot.length : std::uint64_t{s.mo.value} + s.payload_length;
  if (reach > kLongest && !slot.reported_long) {
    slot.reported_long = true;
    raise(s.carrier,
          {.id = FindingId::ddp_message_too_long,
           .message = slot.message,
           .seen = fmt::format("{} octets", reach),
           .expected = fmt::format("{} octets at most", kLongest),
           .text = fmt::format("With the DDP segment {} the message has {}.", describe(s), counted(reach, "octet"))});
  }
  if (s.tagged && s.payload_length != 0 && s.to.value + (s.payload_length - 1) < s.to.value) {
    raise(s.carrier, {.id = FindingId::ddp_to_wraps,
                      .message = slot.message,
                      .seen = fmt::format("0x{:016x}", s.to.value),
                      .text = fmt::format("The DDP segment {} has {}; its TO plus its length exceeds 64 bits.",
                                          describe(s), counted(s.payload_length, "octet"))});
  }
}

/// `s` belongs to the message of the slot. `advance`: it ends where the next one has to begin.
void Reassembler::State::place(std::size_t index, Segment& s, bool advance) {
  Slot& slot = slots[index];
  ++slot.ddp_segments;
  slot.length += s.payload_length;
  if (advance) slot.next += s.payload_length;
  if (!s.carrier.intact) slot.flawed = true;
  s.message = slot.message;
  if (judged) judge_extent(index, s);
  slot.doubt = !trusted;
  open = static_cast<std::uint8_t>(open | 1U << index);
  hand_up(s);
  const bool left_out = jump_of(index) != nullptr;
  if (s.last && left_out && index == kSendQueue && judged) slot.last_early = true;
  const bool waits = slot.last_early && left_out;
  if (waits || (!s.last && !slot.last_early)) return keep(index, s.carrier);

  const bool is_terminate = index == kTerminateQueue && judged && (s.rdmap_control & 0x0F) == kTerminateOpcode;
  end(index, true, s.carrier);
  if (!is_terminate) return;
  begun_at_terminate = messages;
  for (std::size_t i = 0; i < kSlots; ++i) judge_unfinished(i, s.carrier, "this direction ends by Terminate");
}

void Reassembler::State::hand_up(const Segment& s) {
  if (odd) judge_control(s);
  sink.segment(s);
}

void Reassembler::State::end(std::size_t index, bool last_seen, const Carrier& carrier) {
  if (jump_of(index) != nullptr) settle_jump(index);
  open = static_cast<std::uint8_t>(open & ~(1U << index));
  Slot& slot = slots[index];
  slot.displacing = false;
  last_seen = last_seen || slot.last_early;
  slot.last_early = false;
  const bool certain = slot.start_seen && last_seen;
  sink.message_ended({.message = slot.message,
                      .length = slot.length,
                      .ddp_segments = slot.ddp_segments,
                      .complete = certain && !slot.flawed,
                      .length_certain = certain,
                      .complete_if_first = last_seen && !slot.flawed,
                      .last = carrier});
}

}  // namespace iwarpscope::ddp
