// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// DDP segments of one message that come in another order than that of their offsets. Source: RFC 5041 §5.3.
#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "ddp/placement_offset.h"
#include "ddp/reassembler_state.h"
#include "ddp/rules.h"

namespace iwarpscope::ddp {

using findings::FindingId;

/// The octets before `s` are left out, so far.
void Reassembler::State::leave_out(std::size_t index, const Segment& s) {
  Aside& a = aside(index);
  a.jump = s.carrier;
  a.begin = offset_of(s);
  a.end = a.begin + s.payload_length;
  a.seen = a.begin;
  a.due = slots[index].next;
}

/// A tagged message may begin with any of its DDP segments, as nothing but their offsets shows where it begins. `s`
/// lies below all that came: DD-12, if it lies next to them; else the octets between are left out, so far.
bool Reassembler::State::take_lower(std::size_t index, const Segment& s) {
  Slot& slot = slots[index];
  if (!s.tagged || slot.reported_offset || !may_judge(slot)) return false;
  const Aside* const jump = jump_of(index);
  const std::uint64_t apart = jump == nullptr ? 0 : jump->end - jump->begin;
  const std::uint64_t begin = slot.next - (slot.length - apart);
  const std::uint64_t at = offset_of(s);
  if (at >= begin || begin - at < s.payload_length) return false;
  if (begin - at == s.payload_length) {
    tell_order(index, s, slot.next);
    return true;
  }
  if (jump != nullptr || s.last) return false;
  Aside& a = aside(index);
  a.jump = s.carrier;
  a.begin = begin;
  a.seen = at;
  a.end = a.due = slot.next;
  slot.next = at + s.payload_length;
  return true;
}

/// `s` lies next to the octets that came after those left out: they are still left out. DD-12, if it comes before them.
bool Reassembler::State::extend_jump(std::size_t index, const Segment& s, Aside& jump) {
  const std::uint64_t at = offset_of(s);
  if ((s.last && index != kSendQueue) || !may_judge(slots[index])) return false;
  if (at == jump.end && !slots[index].last_early) {
    jump.end += s.payload_length;
    return true;
  }
  if (at <= slots[index].next || at + s.payload_length != jump.begin) return false;
  tell_order(index, s, jump.end);
  jump.begin = at;
  return true;
}

/// DD-12, and DD-13 when it has the Last flag or comes after that.
void Reassembler::State::tell_order(std::size_t index, const Segment& s, std::uint64_t highest) {
  Slot& slot = slots[index];
  const bool misplaced = !s.tagged && (s.last || slot.last_early);
  if (!may_judge(slot) || (misplaced ? slot.reported_last : slot.reported_order)) return;
  if (misplaced) {
    slot.reported_last = true;
  } else {
    slot.reported_order = true;
  }
  if (slot.last_early) {
    raise(s.carrier,
          {.id = FindingId::ddp_last_misplaced,
           .message = slot.message,
           .seen = fmt::format("MO {}", s.mo.value),
           .text = fmt::format("The DDP segment {} follows the one with the Last flag of its message.", describe(s))});
    return;
  }
  raise(s.carrier, {.id = misplaced ? FindingId::ddp_last_misplaced : FindingId::ddp_offset_decreases,
                    .message = slot.message,
                    .seen = print_offset(s, offset_of(s)),
                    .expected = print_offset(s, highest),
                    .text = fmt::format("The DDP segment {} comes after octets with a higher offset{}.", describe(s),
                                        misplaced ? ", and it carries the Last flag" : "")});
}

/// `s` has octets that a jump had left out: DD-12, and DD-13 when it has the Last flag.
void Reassembler::State::fill_jump(std::size_t index, const Segment& s, Aside& jump) {
  Slot& slot = slots[index];
  tell_order(index, s, jump.end);
  slot.next += s.payload_length;
  if (slot.next > jump.begin && !slot.reported_offset) settle_jump(index);
  if (slot.next < jump.begin) return;
  slot.next = std::max(slot.next, jump.end);
  jump.end = jump.begin;
}

/// The octets that were left out did not come, or more than those came: DD-10, DD-11, DD-17.
void Reassembler::State::settle_jump(std::size_t index) {
  Slot& slot = slots[index];
  const Aside& a = aside(index);
  if (!slot.reported_offset) {
    slot.reported_offset = true;
    const bool tagged = index == kTagged;
    const auto print = [tagged](std::uint64_t v) {
      return tagged ? fmt::format("0x{:016x}", v) : fmt::format("{}", v);
    };
    const FindingId id = tagged           ? FindingId::ddp_to_not_contiguous
                         : slot.next == 0 ? FindingId::ddp_first_mo_not_zero
                                          : FindingId::ddp_mo_wrong;
    slot.headless = id == FindingId::ddp_first_mo_not_zero;
    const std::uint64_t seen = tagged ? a.seen : a.begin, due = tagged ? a.due : slot.next;
    raise(a.jump, {.id = id,
                   .message = slot.message,
                   .seen = print(seen),
                   .expected = print(due),
                   .text = fmt::format("A DDP segment of message {} has {} {}, where {} comes next.", slot.message,
                                       tagged ? "TO" : "MO", print(seen), print(due))});
  }
  excuse_jump(index);
}

}  // namespace iwarpscope::ddp
