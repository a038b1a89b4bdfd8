// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The markers of one FPDU: compared, judged and removed. Source: RFC 5044 §4.2, §4.3.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "base/crc32c.h"
#include "base/wording.h"
#include "mpa/framer_state.h"

namespace iwarpscope::mpa {

using enum findings::FindingId;

bool Framer::State::markers_right(Octets raw, const FpduLayout& shape) const noexcept {
  if (shape.lead != 0 && load_be<std::uint32_t>(raw) != 0) return false;
  std::uint32_t distance = shape.first;
  for (std::uint32_t k = 0; k < shape.interior; ++k, distance += kMarkerPeriod) {
    if (load_be<std::uint32_t>(raw.subspan(shape.lead + distance)) != distance) return false;
  }
  return true;
}

/// With a marker that comes late, octets of the header are where the marker is due: even a right CRC does not show
/// which. True also where `raw` ends before it.
bool Framer::State::is_header_marker_right(Octets raw, const FpduLayout& shape) noexcept {
  const std::size_t at = shape.lead + shape.first;
  if (shape.interior == 0 || shape.first >= kHeaderProbeOctets || raw.size() < at + kMarkerOctets) return true;
  return load_be<std::uint32_t>(raw.subspan(at)) == shape.first;
}

/// One finding for one fault: a pointer of zero is MF-12; other wrong ones are MF-13 when the markers of the FPDU
/// contradict each other, and MF-11 when they agree.
void Framer::State::judge_markers(Octets raw, const FpduLayout& shape, const Fpdu& fpdu) {
  struct Wrong {
    StreamOffset offset;
    std::uint32_t pointer, distance;
  };
  std::optional<Wrong> wrong;           // the first whose pointer is wrong, and not zero
  std::optional<std::int64_t> pointed;  // where the markers inside say that the FPDU starts
  bool disagree = false;
  const auto judge_one = [&](std::uint32_t at, std::uint32_t distance) {
    const std::uint32_t value = load_be<std::uint32_t>(raw.subspan(at));
    const std::uint32_t pointer = value & 0xFFFCU;
    const StreamOffset offset = fpdu.start + at;
    judge_reserved(value, fpdu, offset);
    if (distance != 0 && pointer != 0) {
      const std::int64_t target = std::int64_t{distance} - std::int64_t{pointer};
      disagree = disagree || (pointed && *pointed != target);
      pointed = target;
    }
    if (pointer == distance) return;
    if (at == 0 && settings.sequence_start && fpdu.start == *settings.sequence_start) {
      // The first marker of the connection was judged when it was met.
    } else if (pointer == 0 || distance == 0) {
      raise(fpdu, {.id = mpa_marker_pointer_zero,
                   .offset = offset,
                   .seen = std::to_string(pointer),
                   .expected = std::to_string(distance),
                   .text = distance == 0 ? fmt::format("FPDUPTR is {} in a marker between two FPDUs.", pointer)
                                         : fmt::format("FPDUPTR is 0 in a marker {} inside an FPDU.",
                                                       counted(distance, "octet"))});
    } else if (!wrong) {
      wrong = Wrong{offset, pointer, distance};
    }
  };
  if (shape.lead != 0) judge_one(0, 0);
  for (std::uint32_t k = 0; k < shape.interior; ++k) {
    const std::uint32_t distance = shape.first + k * kMarkerPeriod;
    judge_one(shape.lead + distance, distance);
  }
  if (!wrong) return;
  raise(fpdu,
        {.id = disagree ? mpa_markers_disagree : mpa_marker_pointer_wrong,
         .offset = wrong->offset,
         .seen = std::to_string(wrong->pointer),
         .expected = std::to_string(wrong->distance),
         .text = disagree ? fmt::format(
                                "The markers inside this FPDU point to different octets; FPDUPTR is {} where the FPDU "
                                "starts {} octets before the marker.",
                                wrong->pointer, wrong->distance)
                          : fmt::format("FPDUPTR is {}; this FPDU starts {} octets before the marker.", wrong->pointer,
                                        wrong->distance)});
}

/// What must be zero in any marker. Source: RFC 5044 §4.2.
void Framer::State::judge_reserved(std::uint32_t value, const Fpdu& fpdu, StreamOffset offset) {
  if ((value >> 16) != 0) {
    raise(fpdu, {.id = mpa_marker_reserved_bits,
                 .offset = offset,
                 .seen = fmt::format("0x{:04x}", value >> 16),
                 .expected = "0x0000",
                 .text = fmt::format("The reserved field of a marker holds 0x{:04x}.", value >> 16)});
  }
  if ((value & 3U) != 0) {
    raise(fpdu, {.id = mpa_marker_pointer_low_bits,
                 .offset = offset,
                 .seen = fmt::format("0x{:04x}", value & 0xFFFFU),
                 .expected = fmt::format("0x{:04x}", value & 0xFFFCU),
                 .text = fmt::format("FPDUPTR is 0x{:04x}; its low two bits must be zero.", value & 0xFFFFU)});
  }
}

/// Tries whether the CRC is right when the places of wrong markers hold data: then markers were left out. Either all of
/// this FPDU's, or the first wrong one.
bool Framer::State::try_without_markers(Octets raw, FpduLayout& shape, Fpdu& fpdu) {
  const auto fits = [&](const FpduLayout& l) {
    return l.raw <= raw.size() && crc32c(raw.first(l.raw - 4)) == load_le<std::uint32_t>(raw.subspan(l.raw - 4));
  };
  std::uint32_t length = shape.ulpdu;
  std::uint32_t place = shape.first;  // of the marker that is not there
  FpduLayout one;
  if (shape.lead != 0 && load_be<std::uint32_t>(raw) != 0) {
    // What was read as the marker is ULPDU_Length and two octets more.
    length = load_be<std::uint16_t>(raw);
    if (length == 0) return false;
    place = 0;
    one = unmarked_layout(length);
    one.first = kMarkerPeriod;
    const std::uint32_t body = one.raw - 4;
    if (body >= one.first) one.interior = 1 + (body - one.first) / (kMarkerPeriod - kMarkerOctets);
    one.raw += kMarkerOctets * one.interior;
  } else {
    std::uint32_t wrong = 0;
    while (wrong + 1 < shape.interior &&
           load_be<std::uint32_t>(raw.subspan(shape.lead + shape.first + wrong * kMarkerPeriod)) ==
               shape.first + wrong * kMarkerPeriod) {
      ++wrong;
    }
    place = shape.lead + shape.first + wrong * kMarkerPeriod;
    one = layout_without(length, residue(fpdu.start), wrong);
  }
  const FpduLayout none = unmarked_layout(length);
  if (!fits(one) && !fits(none)) return false;
  const std::uint32_t due = shape.markers();
  shape = fits(one) ? one : none;
  const std::uint32_t missing = std::max(due, shape.markers() + 1) - shape.markers();
  raise(fpdu, {.id = mpa_marker_missing,
               .offset = fpdu.start + place,
               .seen = std::to_string(shape.markers()),
               .expected = std::to_string(due),
               .text = fmt::format("{} of the {} markers due in this FPDU {} left out; without {} its CRC is right.",
                                   missing, due, missing == 1 ? "is" : "are", missing == 1 ? "it" : "them")});
  fpdu.ulpdu_length = shape.ulpdu;
  fpdu.crc_seen = load_le<std::uint32_t>(raw.subspan(shape.raw - 4));
  fpdu.crc = CrcVerdict::good;
  --statistics.crc_bad;
  ++statistics.crc_good;
  return true;
}

void Framer::State::tell_markers(Octets raw, const FpduLayout& shape, StreamOffset start) {
  statistics.markers += shape.markers();
  const auto tell = [&](std::size_t place) {
    if (place + kMarkerOctets <= raw.size()) sink.marker(start + place, load_be<std::uint32_t>(raw.subspan(place)));
  };
  if (shape.lead != 0) tell(0);
  std::size_t place = shape.lead + shape.first;
  std::uint32_t left = shape.interior;
  for (std::uint32_t k = 0; left != 0; ++k, place += kMarkerPeriod) {
    if (k == shape.absent) continue;
    tell(place);
    --left;
  }
}

Octets Framer::State::remove_markers(Octets raw, const FpduLayout& shape) {
  const std::uint32_t from = shape.lead + 2;
  if (raw.size() <= from) return {};
  const std::uint32_t marker = shape.lead + shape.first;  // the first one inside
  const std::size_t available = raw.size() - from;
  if (shape.interior == 0 || marker >= from + shape.ulpdu || raw.size() <= marker) {
    return raw.subspan(from, std::min<std::size_t>(shape.ulpdu, available));
  }
  const bool in_place = raw.data() == scratch.view().data();
  if (!in_place) {
    scratch.clear();
    // All at once: pieces may not make the buffer move under what was copied.
    if (!scratch.append(raw, raw.size())) return raw.subspan(from, marker - from);
  }
  std::byte* const base = scratch.data();
  std::size_t write = marker;
  const std::size_t end = std::size_t{from} + shape.ulpdu;  // in octets without the markers inside
  std::size_t place = marker;
  for (std::uint32_t k = 0; write < end && place < raw.size(); ++k, place += kMarkerPeriod) {
    const std::size_t skip = k == shape.absent ? 0 : kMarkerOctets;
    if (place + skip >= raw.size()) break;
    const std::size_t count = std::min({kMarkerPeriod - skip, end - write, raw.size() - place - skip});
    std::memmove(base + write, base + place + skip, count);
    write += count;
  }
  return Octets{base + from, std::min(write, end) - from};
}

}  // namespace iwarpscope::mpa
