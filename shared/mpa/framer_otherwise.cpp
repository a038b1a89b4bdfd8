// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// An FPDU that ends elsewhere than its header says, as a right CRC there shows: its sender builds FPDUs wrongly, or
// ULPDU_Length changed on the way.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/crc32c.h"
#include "base/wording.h"
#include "mpa/framer_state.h"

namespace iwarpscope::mpa {

namespace {

constexpr auto kFaults = std::to_array<FramingFault>(
    {FramingFault::none, FramingFault::no_pad, FramingFault::counts_2, FramingFault::counts_4, FramingFault::counts_6});

std::uint32_t counted_too_much(FramingFault fault) noexcept {
  switch (fault) {
    case FramingFault::none:
    case FramingFault::no_pad: break;
    case FramingFault::counts_2: return 2;
    case FramingFault::counts_4: return 4;
    case FramingFault::counts_6: return 6;
  }
  return 0;
}

bool is_crc_right(Octets fpdu) noexcept {
  return crc32c(fpdu.first(fpdu.size() - 4)) == load_le<std::uint32_t>(fpdu.last(4));
}

}  // namespace

/// Without PAD, markers would no longer be at multiples of four: that fault is known without markers only.
FpduLayout Framer::State::layout_with(FramingFault fault, StreamOffset start, std::uint32_t length) const noexcept {
  const std::uint32_t more = counted_too_much(fault);
  const std::uint32_t ulpdu = length > more ? length - more : length;
  FpduLayout shape = marked() ? marked_layout(ulpdu, residue(start)) : unmarked_layout(ulpdu);
  if (fault == FramingFault::no_pad && !marked()) {
    shape.raw -= shape.pad;
    shape.pad = 0;
  }
  return shape;
}

/// `exactly`: the FPDU has all of these octets, else it may be a part of them. The CRC covers ULPDU_Length as it is: if
/// it is right, nothing changed on the way.
std::optional<FramingFault> Framer::State::fault_that_fits(Octets raw, StreamOffset start,
                                                           bool exactly) const noexcept {
  const std::size_t lead = marked() && residue(start) == 0 ? kMarkerOctets : 0;
  const std::uint32_t length = load_be<std::uint16_t>(raw.subspan(lead));
  for (const FramingFault each : kFaults) {
    const FpduLayout shape = layout_with(each, start, length);
    const bool may_be = exactly ? shape.raw == raw.size() : shape.raw <= raw.size();
    if (may_be && is_crc_right(raw.first(shape.raw))) return each;
  }
  return std::nullopt;
}

/// The CRC of `raw` is wrong. If another end makes it right, that is where it ends.
bool Framer::State::is_framed_otherwise(Octets raw, FpduLayout& shape, Fpdu& fpdu) {
  const auto fault = fault_that_fits(raw, fpdu.start, false);
  if (!fault) return false;
  shape = layout_with(*fault, fpdu.start, load_be<std::uint16_t>(raw.subspan(shape.lead)));
  fpdu.ulpdu_length = shape.ulpdu;
  fpdu.crc_seen = load_le<std::uint32_t>(raw.first(shape.raw).last(4));
  fpdu.crc = CrcVerdict::good;
  --statistics.crc_bad;
  ++statistics.crc_good;
  raise_framing_fault(*fault, fpdu);
  return true;
}

/// The chunk was used up to index `until`. If its TCP segment ends there, the FPDU that is collected may end there,
/// too.
void Framer::State::settle_early_end(const tcp::Chunk& chunk, std::size_t until) {
  if (until != chunk.octets.size() || !chunk.ends_tcp_segment) return;
  if (collected.incomplete || !settings.crc.value_or(false) || !settings.markers) return;
  const auto fault = fault_that_fits(scratch.view(), collected.start, true);
  if (!fault) return;
  collected.fault = *fault;
  raise_framing_fault(*fault, collected_fpdu(chunk.delivery_frame, chunk.delivery));
  collected.raw = collected.have;
}

void Framer::State::raise_framing_fault(FramingFault fault, const Fpdu& fpdu) {
  if (reported_framing_fault) return;
  reported_framing_fault = true;
  const std::uint32_t more = counted_too_much(fault);
  raise(fpdu, {.id = findings::FindingId::mpa_fpdu_ends_elsewhere,
               .offset = fpdu.start,
               .seen = more == 0 ? "no PAD" : fmt::format("+{}", more),
               .text = more == 0 ? "The CRC of this FPDU is right where it would be without PAD."
                                 : fmt::format("The CRC of this FPDU is right if ULPDU_Length is {} less.",
                                               counted(more, "octet"))});
}

/// The ULPDU_Length that makes the CRC right, if it differs from that of these octets by one bit: that bit changed on
/// the way. The FPDU may have all of `raw` or a part of it.
std::optional<std::uint32_t> Framer::State::length_before_damage(Octets raw, StreamOffset start) const {
  const std::size_t lead = marked() && residue(start) == 0 ? kMarkerOctets : 0;
  const std::uint32_t length = load_be<std::uint16_t>(raw.subspan(lead));
  std::vector<std::byte> octets;
  for (std::uint32_t bit = 1; bit < 0x10000; bit <<= 1) {
    const std::uint32_t other = length ^ bit;
    const std::size_t end = layout(start, other).raw;
    if (other == 0 || end > raw.size()) continue;
    if (octets.empty()) octets.assign(raw.begin(), raw.end());
    octets[lead] = static_cast<std::byte>(other >> 8);
    octets[lead + 1] = static_cast<std::byte>(other & 0xFF);
    if (is_crc_right(Octets(octets).first(end))) return other;
  }
  return std::nullopt;
}

/// Nothing more comes for the FPDU that is collected. With the ULPDU_Length that its sender gave it, it may be
/// complete.
void Framer::State::settle_changed_length() {
  if (state != FramerState::framing || collected.raw == 0 || collected.incomplete || first_doubtful) return;
  if (!settings.crc.value_or(false) || !settings.markers) return;
  const auto length = length_before_damage(scratch.view(), collected.start);
  if (!length) return;
  const std::size_t end = layout(collected.start, *length).raw;
  tcp::Chunk rest = rare().collected_pieces.back().chunk;
  const std::vector<std::byte> left(scratch.view().begin() + static_cast<std::ptrdiff_t>(end), scratch.view().end());
  rest.offset = collected.start + end;
  rest.octets = left;
  rest.starts_tcp_segment = true;
  scratch.truncate(end);
  collected.have = collected.raw = static_cast<std::uint32_t>(end);
  collected.ulpdu = *length;
  finish_collected(rest, left.empty());
  if (!left.empty() && state == FramerState::framing) frame(rest);
}

void Framer::settle_changed_length() {
  state_->settle_changed_length();
}

}  // namespace iwarpscope::mpa
