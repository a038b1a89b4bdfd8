// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "ddp/reassembler.h"

#include <fmt/format.h>

#include <string>
#include <utility>
#include <variant>

#include "base/archive.h"
#include "base/wording.h"
#include "ddp/header.h"
#include "ddp/reassembler_state.h"
#include "ddp/rules.h"

namespace iwarpscope::ddp {

using findings::FindingId;

namespace {

// Every field is named, so that no octet is written twice: this runs for each FPDU.
Segment segment_of(const Carrier& carrier, const DdpTaggedHeader& header, Octets octets,
                   std::uint32_t ulpdu_length) noexcept {
  constexpr std::size_t kHeader = DdpTaggedHeader::kOctets;
  return {.carrier = carrier,
          .tagged = true,
          .last = header.control().last(),
          .first_of_message = false,
          .starts_message = false,
          .ddp_control = header.control().octet,
          .rdmap_control = header.rdmap_control(),
          .reserved_ulp = 0,
          .stag = header.stag(),
          .to = header.to(),
          .qn = {},
          .msn = {},
          .mo = {},
          .header = octets.first(kHeader),
          .payload = octets.subspan(kHeader),
          .payload_length = ulpdu_length - static_cast<std::uint32_t>(kHeader),
          .message = 0,
          .expected_msn = {}};
}

Segment segment_of(const Carrier& carrier, const DdpUntaggedHeader& header, Octets octets,
                   std::uint32_t ulpdu_length) noexcept {
  constexpr std::size_t kHeader = DdpUntaggedHeader::kOctets;
  return {.carrier = carrier,
          .tagged = false,
          .last = header.control().last(),
          .first_of_message = false,
          .starts_message = false,
          .ddp_control = header.control().octet,
          .rdmap_control = header.rdmap_control(),
          .reserved_ulp = header.reserved_ulp(),
          .stag = {},
          .to = {},
          .qn = header.qn(),
          .msn = header.msn(),
          .mo = header.mo(),
          .header = octets.first(kHeader),
          .payload = octets.subspan(kHeader),
          .payload_length = ulpdu_length - static_cast<std::uint32_t>(kHeader),
          .message = 0,
          .expected_msn = {}};
}

}  // namespace

void Reassembler::State::raise(const Carrier& carrier, findings::Finding finding) {
  finding.direction = Direction{direction};
  reporter.raise(about(carrier, std::move(finding)));
}

void Reassembler::State::ulpdu(const Carrier& carrier, Octets octets, std::uint32_t ulpdu_length) {
  if (carrier.after_gap) gap();
  if (octets.size() > ulpdu_length) octets = octets.first(ulpdu_length);
  const bool whole = octets.size() == ulpdu_length;
  judged = carrier.intact && whole;
  trusted = judged || (!whole && !carrier.doubtful);
  odd = false;
  if (!octets.empty() && Control{to_u8(octets[0])}.tagged()) {
    const auto parsed = DdpTaggedHeader::parse(octets);
    const auto* const header = std::get_if<DdpTaggedHeader>(&parsed);
    if (header == nullptr) return unreadable(carrier, octets, ulpdu_length);
    Segment segment = segment_of(carrier, *header, octets, ulpdu_length);
    take(segment, octets, ulpdu_length);
  } else {
    const auto parsed = DdpUntaggedHeader::parse(octets);
    const auto* const header = std::get_if<DdpUntaggedHeader>(&parsed);
    if (header == nullptr) return unreadable(carrier, octets, ulpdu_length);
    Segment segment = segment_of(carrier, *header, octets, ulpdu_length);
    take(segment, octets, ulpdu_length);
  }
}

/// A DDP segment whose header was read.
void Reassembler::State::take(Segment& segment, Octets octets, std::uint32_t ulpdu_length) {
  segment.carrier.intact = judged;
  // A header with all its octets but a bad CRC may be anything: it counts only where it is what had to come. So may one
  // whose CRC was cut off, where it names a queue that does not exist.
  const bool is_foreign = !segment.tagged && segment.qn.value >= kQueues;
  if ((!trusted && !is_plausible(segment)) || (!judged && is_foreign))
    return unreadable(segment.carrier, octets, ulpdu_length);

  if (suspended != 0) resume_or_end(segment);
  const Control control{segment.ddp_control};
  if (judged) look_at_control(control);
  if (open != 0) judge_mixture(segment);
  if (segment.tagged) {
    tagged(segment);
  } else {
    untagged(segment);
  }
  if (trusted && control.version() <= 1) version = control.version();
}

/// DD-01, if the sender is to blame.
void Reassembler::State::unreadable(const Carrier& carrier, Octets octets, std::uint32_t ulpdu_length) {
  if (judged) {
    const Control control{octets.empty() ? std::uint8_t{0} : to_u8(octets[0])};
    const std::size_t need = header_octets(control);
    raise(carrier,
          {.id = FindingId::ddp_header_short,
           .seen = fmt::format("{}", ulpdu_length),
           .expected = fmt::format("{}", need),
           .text = fmt::format("The ULPDU has {}; the DDP header of a{} DDP segment has {}.",
                               counted(ulpdu_length, "octet"), control.tagged() ? " tagged" : "n untagged", need)});
  }
  gap();
  sink.undecodable(carrier, octets);
}

/// Whether the header of a damaged DDP segment is one that could have come here: it carries a message on, or begins the
/// next one.
bool Reassembler::State::is_plausible(const Segment& segment) const noexcept {
  const Control control{segment.ddp_control};
  if (control.version() > 1 || control.reserved() != 0 || (version && control.version() != *version)) return false;
  if (segment.tagged) {
    const Slot& slot = slots[kTagged];
    if (!is_open(kTagged) || !slot.placed) return true;
    return slot.rdmap_control == segment.rdmap_control && slot.name == segment.stag.value &&
           slot.next == segment.to.value;
  }
  if (segment.qn.value >= kQueues) return false;
  const Slot& slot = slots[segment.qn.value];
  if (is_open(segment.qn.value)) {
    return slot.rdmap_control == segment.rdmap_control && slot.reserved_ulp == segment.reserved_ulp &&
           slot.name == segment.msn.value && slot.next == segment.mo.value;
  }
  return segment.mo.value == 0 && (!slot.known || slot.next_msn == segment.msn.value);
}

/// What was left out may be among octets that are missing, or that were to come.
void Reassembler::State::excuse_jump(std::size_t slot) {
  Aside* const jump = jump_of(slot);
  if (jump == nullptr) return;
  slots[slot].next = jump->end;
  slots[slot].flawed = true;
  jump->end = jump->begin;
}

void Reassembler::State::gap() {
  for (std::size_t i = 0; i < kSlots; ++i) {
    excuse_jump(i);
    slots[i].known = false;
    slots[i].used = true;
  }
  if (is_open(kTagged)) end(kTagged, false, last_of(kTagged));
  suspended = open;
}

/// Octets are missing before this DDP segment: it carries a suspended message on, or all of them are over.
void Reassembler::State::resume_or_end(const Segment& segment) {
  for (std::size_t q = 0; q < kQueues; ++q) {
    if ((suspended >> q & 1) == 0) continue;
    Slot& slot = slots[q];
    const bool carries_on = !segment.tagged && segment.qn.value == q && segment.msn.value == slot.name &&
                            segment.mo.value >= slot.next && segment.rdmap_control == slot.rdmap_control &&
                            segment.reserved_ulp == slot.reserved_ulp;
    if (!carries_on) {
      end(q, false, last_of(q));
      continue;
    }
    if (segment.mo.value > slot.next) slot.flawed = true;
    slot.length += segment.mo.value - slot.next;
    slot.next = segment.mo.value;
    slot.known = true;  // next_msn is this message's and one
  }
  suspended = 0;
}

/// Takes note of what judge_control() has to say once the message is known.
void Reassembler::State::look_at_control(Control control) {
  const std::uint8_t dv = control.version();
  const bool wrong = negotiated ? dv != *negotiated : dv > 1 || (version && dv != *version);
  odd = wrong || control.reserved() != 0 || (begun_at_terminate != 0 && !reported_after_terminate);
  // The header is read as if the version were a known one, but it is unknown what else an undefined version means.
  if (dv > 1) judged = trusted = false;
}

/// DD-02, DD-03, DD-04, DD-22. Precondition: odd.
void Reassembler::State::judge_control(const Segment& segment) {
  const Control control{segment.ddp_control};
  const std::uint8_t dv = control.version();
  if (negotiated ? dv != *negotiated : dv > 1) {
    const std::string expected = negotiated ? fmt::format("{}", *negotiated) : std::string{"0 or 1"};
    raise(segment.carrier, {.id = FindingId::ddp_version_wrong,
                            .message = segment.message,
                            .seen = fmt::format("{}", dv),
                            .expected = expected,
                            .text = fmt::format("The DDP version of the DDP segment {} is {}; it must be {}.",
                                                describe(segment), dv, expected)});
  } else if (!negotiated && version && dv != *version) {
    raise(segment.carrier, {.id = FindingId::ddp_version_changed,
                            .message = segment.message,
                            .seen = fmt::format("{}", dv),
                            .expected = fmt::format("{}", *version),
                            .text = fmt::format("The DDP version of the DDP segment {} is {}; it was {} before.",
                                                describe(segment), dv, *version)});
  }
  if (control.reserved() != 0) {
    raise(segment.carrier, {.id = FindingId::ddp_reserved_bits,
                            .message = segment.message,
                            .seen = fmt::format("{}", control.reserved()),
                            .expected = "0",
                            .text = fmt::format("The four reserved bits of the DDP control octet 0x{:02x} hold {}.",
                                                control.octet, control.reserved())});
  }
  // A new message after the Terminate is for RDMAP to report (RM-19); here it is one that goes on.
  if (segment.message < begun_at_terminate && !reported_after_terminate) {
    reported_after_terminate = true;
    raise(segment.carrier,
          {.id = FindingId::ddp_segment_after_terminate,
           .message = segment.message,
           .seen = describe(segment),
           .text = fmt::format("The DDP segment {} continues a message after this direction's Terminate.",
                               describe(segment))});
  }
}

/// DD-20. A Terminate may come at any time.
void Reassembler::State::judge_mixture(const Segment& segment) {
  constexpr std::uint8_t kTaggedBit = 1U << kTagged;
  const std::uint8_t other = segment.tagged ? open & static_cast<std::uint8_t>(~kTaggedBit) : open & kTaggedBit;
  if (other == 0 || !judged || (!segment.tagged && segment.qn.value == 2)) return;
  for (std::size_t i = 0; i < kSlots; ++i) {
    Slot& slot = slots[i];
    if ((other >> i & 1) == 0 || slot.reported_mixed || slot.doubt || slot.last_early) continue;
    slot.reported_mixed = true;
    raise(segment.carrier,
          {.id = FindingId::ddp_models_interleaved,
           .message = slot.message,
           .seen = describe(segment),
           .text = fmt::format("The DDP segment {} comes while {} message {} is unfinished.", describe(segment),
                               segment.tagged ? "the untagged" : "the tagged", slot.message)});
  }
}

/// DD-21.
void Reassembler::State::judge_unfinished(std::size_t slot, const Carrier& carrier, const char* then) {
  Slot& s = slots[slot];
  if (!is_open(slot) || (suspended >> slot & 1) != 0 || s.doubt || s.last_early || s.reported_unfinished) return;
  s.reported_unfinished = true;
  raise(carrier, {.id = FindingId::ddp_message_unfinished,
                  .message = s.message,
                  .seen = fmt::format("{} octets", s.length),
                  .text = fmt::format("Message {} is unfinished, after {} in {}, when {}.", s.message,
                                      counted(s.length, "octet"), counted(s.ddp_segments, "DDP segment"), then)});
}

void Reassembler::State::refused() {
  for (std::size_t i = 0; i < kSlots; ++i) {
    if (is_open(i) && slots[i].last_early) end(i, true, last_of(i));
  }
  suspended &= open;
}

void Reassembler::State::finish(bool orderly, FrameNumber frame, TimePoint time) {
  for (std::size_t i = 0; i < kSlots; ++i) {
    if (!is_open(i)) continue;
    if (orderly) {
      Carrier at = last_of(i);
      at.first_frame = at.last_frame = at.delivery_frame = frame;
      at.delivered_time = time;
      judge_unfinished(i, at, "its sender closes this direction");
    } else if (!slots[i].last_early) {
      excuse_jump(i);
    }
    end(i, false, last_of(i));
  }
  suspended = 0;
}

Reassembler::Reassembler(Direction direction, SegmentSink& sink, findings::Reporter& reporter)
    : state_(std::make_unique<State>(direction, sink, reporter)) {
  static_assert(sizeof(State) <= 400);
}
Reassembler::~Reassembler() = default;
template <class A>
void Reassembler::archive(A& a) {
  state_->archive(a);
}
template void Reassembler::archive(Archive& a);
Reassembler::Reassembler(Reassembler&&) noexcept = default;
Reassembler& Reassembler::operator=(Reassembler&&) noexcept = default;

void Reassembler::ulpdu(const Carrier& carrier, Octets ulpdu, std::uint32_t ulpdu_length) {
  state_->ulpdu(carrier, ulpdu, ulpdu_length);
}
void Reassembler::gap() {
  state_->gap();
}
void Reassembler::refused() {
  state_->refused();
}
void Reassembler::finish(bool orderly, FrameNumber frame, TimePoint time) {
  state_->finish(orderly, frame, time);
}
void Reassembler::set_version(std::uint8_t version) {
  state_->negotiated = version;
}
std::uint64_t Reassembler::messages() const noexcept {
  return state_->messages;
}
std::optional<std::uint8_t> Reassembler::version() const noexcept {
  return state_->version;
}

Carrier carrier_of(const mpa::Fpdu& fpdu) noexcept {
  const bool intact =
      fpdu.whole() && !fpdu.doubtful && (fpdu.crc == mpa::CrcVerdict::good || fpdu.crc == mpa::CrcVerdict::not_in_use);
  return {.offset = fpdu.start,
          .first_frame = fpdu.first_frame,
          .last_frame = fpdu.last_frame,
          .delivery_frame = fpdu.delivery_frame,
          .first_time = fpdu.first_time,
          .placed_time = fpdu.placed_time,
          .delivered_time = fpdu.delivered_time,
          .acknowledged = fpdu.acknowledged,
          .has_acknowledged = fpdu.has_acknowledged,
          .after_gap = fpdu.after_gap,
          .intact = intact,
          .doubtful = fpdu.doubtful};
}

}  // namespace iwarpscope::ddp
