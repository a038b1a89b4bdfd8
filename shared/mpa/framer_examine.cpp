// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// May the octets at the start of an FPDU be taken for one?
#include <fmt/format.h>

#include <algorithm>

#include "mpa/framer_state.h"
#include "mpa/startup.h"
#include "mpa/ulpdu_header.h"

namespace iwarpscope::mpa {

using enum findings::FindingId;

Framer::State::Examined Framer::State::examine(Octets o, StreamOffset start, const tcp::Chunk& chunk,
                                               FpduLayout& shape) {
  // Nothing is in question: the CRC will tell. All else takes the long way.
  if (gate != Gate::open || !settings.markers || !settings.crc.value_or(false)) {
    return examine_closely(o, start, chunk, shape);
  }
  const bool with_markers = marked();
  const std::uint32_t at = with_markers ? residue(start) : 1;
  const std::size_t lead = at == 0 ? kMarkerOctets : 0;
  if (o.size() < lead + 2) return Examined::need_more;
  const std::uint32_t length = load_be<std::uint16_t>(o.subspan(lead));
  if (length - 1 >= kMaxUlpduOctets) return examine_closely(o, start, chunk, shape);
  shape = with_markers ? marked_layout(length, at) : unmarked_layout(length);
  return Examined::fpdu;
}

Framer::State::Examined Framer::State::examine_closely(Octets o, StreamOffset start, const tcp::Chunk& chunk,
                                                       FpduLayout& shape) {
  const bool settled = gate == Gate::settled;
  bool vouched = settled || settings.crc.value_or(false);
  if (gate == Gate::first || gate == Gate::suspect) {
    const Examined e = gate == Gate::first ? examine_first(o, start, chunk) : examine_suspect(o, start);
    if (e != Examined::fpdu) return e;
    gate = Gate::open;
    held.reset();
    if (zero_crc_open) confirm_zero_crc();
    vouched = true;
  } else if (!settings.markers && !settled) {
    // The FPDU before may have been read across a marker: only a header here shows that it ended here.
    if (const Examined e = examine_suspect(o, start); e != Examined::fpdu) return e;
    settle_unmarked();
  }
  const bool with_markers = marked();
  const std::uint32_t at = with_markers ? residue(start) : 1;
  const std::size_t lead = at == 0 ? kMarkerOctets : 0;
  if (o.size() < lead + 2) return Examined::need_more;
  const std::uint32_t length = load_be<std::uint16_t>(o.subspan(lead));
  const bool is_invalid = length - 1 >= kMaxUlpduOctets && !settled;
  const auto sent = is_invalid && settings.crc.value_or(false) ? length_before_damage(o, start) : std::nullopt;
  if (sent) {
    shape = layout(start, *sent);  // its CRC is wrong, and says the rest
    return Examined::fpdu;
  }
  if (is_invalid) {
    const Examined e = length_is_invalid(o.subspan(lead), start, chunk);
    if (e != Examined::fpdu) return e;
    vouched = settings.crc.value_or(false);
  }
  shape = with_markers ? marked_layout(length, at) : unmarked_layout(length);
  if (!vouched) return examine_unvouched(o, start, chunk, shape);
  gate = Gate::open;
  return Examined::fpdu;
}

/// A header follows the FPDU whose CRC was 0: its length was right.
void Framer::State::confirm_zero_crc() {
  zero_crc_open = false;
  if (!holds_mismatch()) return sink.zero_crc_was_sent();
  rare().held_mismatch->sender_crc = findings::SenderCrc::zero;
}

/// The octets at SeqStart: are markers where they were agreed, and does an FPDU follow? Source: RFC 5044 §7.1.2 rule 7.
Framer::State::Examined Framer::State::examine_first(Octets o, StreamOffset start, const tcp::Chunk& chunk) {
  if (o.size() < kMarkerOctets) return Examined::need_more;
  const std::uint32_t first = load_be<std::uint32_t>(o);
  UlpduHeader header;
  if (!settings.markers) {  // ULPDU_Length 0 does not exist, so zeros are a marker
    settings.markers = first == 0;
    settings.markers_inferred = true;
  }
  if (*settings.markers) {
    if (first == 0) return examine_first_header(o.subspan(kMarkerOctets), o, start, chunk);
    switch (test_header(o, settings.ddp_version, header)) {
      case HeaderLikelihood::unfinished: return Examined::need_more;
      case HeaderLikelihood::plausible:
        raise_at(chunk.frame, chunk.arrival,
                 {.id = mpa_marker_missing,
                  .offset = start,
                  .seen = fmt::format("0x{:08x}", first),
                  .expected = "0x00000000",
                  .text = "The first marker was expected here, but an FPDU is here. The peer asked for markers and "
                          "receives none."});
        settings.markers = false;
        settings.markers_inferred = true;
        return Examined::fpdu;
      case HeaderLikelihood::no: break;
    }
    switch (test_header(o.subspan(kMarkerOctets), settings.ddp_version, header)) {
      case HeaderLikelihood::unfinished: return Examined::need_more;
      case HeaderLikelihood::plausible:
        raise_at(chunk.frame, chunk.arrival,
                 {.id = mpa_first_marker_wrong,
                  .offset = start,
                  .seen = fmt::format("0x{:08x}", first),
                  .expected = "0x00000000",
                  .text = fmt::format("The first marker is 0x{:08x} instead of zero.", first)});
        return Examined::fpdu;
      case HeaderLikelihood::no: break;
    }
    return first_is_unreadable(o, start, chunk.frame, chunk.arrival);
  }
  if (first == 0) {
    switch (test_header(o.subspan(kMarkerOctets), settings.ddp_version, header)) {
      case HeaderLikelihood::unfinished: return Examined::need_more;
      case HeaderLikelihood::plausible:
        raise_at(chunk.frame, chunk.arrival,
                 {.id = mpa_marker_unexpected,
                  .offset = start,
                  .seen = "0x00000000",
                  .text = "A marker is before the first FPDU although the peer did not ask for markers."});
        settings.markers = true;
        settings.markers_inferred = true;
        return Examined::fpdu;
      case HeaderLikelihood::no: break;
    }
    return first_is_unreadable(o, start, chunk.frame, chunk.arrival);
  }
  return examine_first_header(o, o, start, chunk);
}

Framer::State::Examined Framer::State::examine_first_header(Octets header, Octets o, StreamOffset start,
                                                            const tcp::Chunk& chunk) {
  UlpduHeader ignored;
  if (header.size() < 4) return Examined::need_more;
  switch (test_header(header, std::nullopt, ignored)) {
    case HeaderLikelihood::unfinished: return Examined::need_more;
    case HeaderLikelihood::plausible: return Examined::fpdu;
    case HeaderLikelihood::no: break;
  }
  // A header that breaks a rule of DDP or RDMAP may still head an FPDU; the whole FPDU will tell.
  if (!loosely_plausible(header)) return first_is_unreadable(o, start, chunk.frame, chunk.arrival);
  first_doubtful = true;
  return Examined::fpdu;
}

Framer::State::Examined Framer::State::first_is_unreadable(Octets o, StreamOffset start, FrameNumber frame,
                                                           TimePoint time) {
  gate = Gate::open;
  first_doubtful = false;
  // What was agreed is not what is sent: only what the search finds is believed from here on.
  const FramingSettings agreed = settings;
  settings.markers.reset();
  settings.crc.reset();
  settings.sequence_start.reset();
  // One of the frames that agree on it may have been missed: then it is unknown what should follow here. The same holds
  // if a startup frame follows, as in a connection that is tried again: the Reply that refused it was missed.
  const bool is_known = !after_gap && agreed.crc && agreed.markers && !agreed.markers_inferred;
  if (is_known && !may_be_startup_frame(o)) {
    std::string seen;
    for (const std::byte octet : o.first(std::min<std::size_t>(o.size(), 8))) {
      fmt::format_to(std::back_inserter(seen), "{:02x}", to_u8(octet));
    }
    raise_at(frame, time,
             {.id = mpa_first_fpdu_unreadable,
              .offset = start,
              .seen = std::move(seen),
              .expected = agreed.markers.value_or(false) ? "a marker of zero, then an FPDU" : "an FPDU",
              .text = fmt::format("The octets after the startup frame are not an FPDU with markers {} and CRC {}.",
                                  agreed.markers.value_or(false) ? "on" : "off",
                                  agreed.crc ? (*agreed.crc ? "on" : "off") : "unknown")});
  }
  return Examined::lost;
}

/// After an FPDU that may have had a wrong length, a plausible header must follow; else the boundary is lost. The
/// sender is not blamed here, but for what came before.
Framer::State::Examined Framer::State::examine_suspect(Octets o, StreamOffset start) {
  switch (likelihood_at(o, start)) {
    case HeaderLikelihood::unfinished: return Examined::need_more;
    case HeaderLikelihood::plausible: return Examined::fpdu;
    case HeaderLikelihood::no: break;
  }
  gate = Gate::open;
  return Examined::lost;
}

/// A run of FPDUs that is longer than the distance of two markers and holds none proves that markers are off. The end
/// of the latest FPDU is known to be right.
void Framer::State::settle_unmarked() noexcept {
  constexpr std::uint64_t kUnmarkedRun = kMarkerPeriod + kMarkerOctets;
  if (settings.markers || unmarked_run < kUnmarkedRun) return;
  settings.markers = false;
  settings.markers_inferred = true;
}

/// ULPDU_Length is 0 or above 64768. With headers that are as they should be it is an FPDU all the same: Linux siw
/// makes FPDUs of up to 64 KiB with its GSO option.
Framer::State::Examined Framer::State::length_is_invalid(Octets from_header, StreamOffset start,
                                                         const tcp::Chunk& chunk) {
  const std::uint32_t length = load_be<std::uint16_t>(from_header);
  UlpduHeader header;
  HeaderRoom room;
  const std::uint32_t at = marked() ? residue(start) : 0;
  const std::uint32_t first = marked() ? kMarkerPeriod - std::max(at, kMarkerOctets) : 0;
  const HeaderLikelihood likelihood =
      test_header(header_octets(from_header, first, room), settings.ddp_version, header);
  if (likelihood == HeaderLikelihood::unfinished) return Examined::need_more;
  // Without knowing about markers, or soon after framing was found again by guesswork, the mistake may be ours.
  if (settings.markers && sure >= kSureOfFraming) {
    raise_at(chunk.frame, chunk.arrival,
             {.id = mpa_ulpdu_length_invalid,
              .offset = start,
              .seen = std::to_string(length),
              .expected = "1..64768",
              .text = fmt::format(
                  "ULPDU_Length is {}; an FPDU carries 1 to 64768 octets.{}", length,
                  length != 0 && settings.maybe_siw_gso ? " Linux siw exceeds this with its GSO option." : "")});
  }
  return likelihood == HeaderLikelihood::plausible ? Examined::fpdu : Examined::lost;
}

}  // namespace iwarpscope::mpa
