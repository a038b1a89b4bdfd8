// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// A whole FPDU: its CRC, PAD and size, and what is handed up.
#include <fmt/format.h>

#include <algorithm>

#include "base/crc32c.h"
#include "base/wording.h"
#include "mpa/crc_error.h"
#include "mpa/framer_state.h"

namespace iwarpscope::mpa {

using enum findings::FindingId;

namespace {

/// After this many FPDUs without a right CRC nothing more is tried to find out whether CRC is in use.
constexpr std::uint8_t kCrcTrials = 64;

/// Octets that have to bear out a guess about markers: four places that have one or not.
constexpr std::uint32_t kProof = 4 * kMarkerPeriod;

/// How much is wrong, as far as the CRC shows: the end of a sentence, and perhaps one more.
[[nodiscard]] std::string damage_text(std::size_t covered, std::uint32_t seen, std::uint32_t computed) {
  const auto bit = one_wrong_bit(covered, seen, computed);
  if (!bit) return "; more than one bit differs";
  return fmt::format(". One wrong bit, in octet {} (counted from 0{}), would explain it", bit->octet,
                     bit->in_crc ? ", in the CRC itself" : "");
}

}  // namespace

bool Framer::State::judge(Octets raw, FpduLayout& shape, Fpdu& fpdu, bool ends_tcp_segment, bool retransmitted) {
  const std::uint32_t collected_raw = shape.raw;
  fpdu.ulpdu_length = shape.ulpdu;
  fpdu.crc_seen = load_le<std::uint32_t>(raw.last(4));
  if (!proven && !start_given && shape.markers() != 0 && !markers_right(raw, shape)) {
    // The place of markers was a wrong guess.
    settings.sequence_start.reset();
    if (settings.markers_inferred) settings.markers.reset();
    return false;
  }
  judge_crc(raw, fpdu);
  if (fpdu.crc == CrcVerdict::bad) {
    if (!crc_mismatch(raw, shape, fpdu, ends_tcp_segment)) return false;
    raw = raw.first(shape.raw);
  } else {
    if (first_doubtful && fpdu.crc != CrcVerdict::good && !ends_tcp_segment &&
        !(settings.crc == false && fpdu.crc_seen == 0)) {
      return first_is_unreadable(raw, fpdu.start, fpdu.last_frame, fpdu.placed_time) != Examined::lost;
    }
    // That there are markers may be a wrong guess, unless the CRC says that this is an FPDU with them.
    const bool sure_of_markers = !settings.markers_inferred || fpdu.crc == CrcVerdict::good;
    if (shape.markers() != 0 && sure_of_markers && !markers_right(raw, shape)) {
      fpdu.doubtful = fpdu.crc != CrcVerdict::good || !is_header_marker_right(raw, shape);
      judge_markers(raw, shape, fpdu);
    }
    // Before it is known whether it has markers, its end may be a wrong guess.
    if (shape.pad != 0 && (settings.markers || fpdu.crc == CrcVerdict::good)) judge_pad(raw, shape, fpdu);
    if (holds_mismatch()) raise_held_mismatch();
    fault_reported = false;
    sure = fpdu.crc == CrcVerdict::good ? kSureOfFraming : std::min<std::uint8_t>(kSureOfFraming, sure + 1);
  }
  if (!proven) prove(raw, shape, fpdu);
  first_doubtful = false;
  if (!settings.markers) {
    unmarked_run += shape.raw;
    if (fpdu.crc == CrcVerdict::good) settle_unmarked();
  }
  fpdu.length_field = load_be<std::uint16_t>(raw.subspan(shape.lead));
  fpdu.header = fpdu.start + shape.lead;
  fpdu.end = fpdu.start + shape.raw;
  fpdu.markers = static_cast<std::uint16_t>(shape.markers());
  if (shape.markers() != 0) tell_markers(raw, shape, fpdu.start);
  if (fpdu.crc != CrcVerdict::bad) {
    if (shape.ulpdu > largest_ulpdu || shape.ulpdu < small_below) judge_size(shape, fpdu, raw);
    if (!reported_split && !fpdu.in_one_tcp_segment && !retransmitted && shape.raw == collected_raw)
      judge_split(shape, fpdu);
  }
  fpdu.ulpdu = remove_markers(raw, shape);
  hand_up(fpdu);
  return true;
}

/// Were settings and boundary guessed right? Markers at the expected positions show it, or FPDUs that follow each
/// other over places where a marker would have shifted them: one such place with right CRCs, more without CRC. One
/// marker alone may be a header field that looks like one. At
/// SeqStart the first octets tell: it is a marker or an FPDU.
void Framer::State::prove(Octets raw, const FpduLayout& shape, const Fpdu& fpdu) noexcept {
  if (!marked()) {
    proof += shape.raw;
  } else if (shape.markers() != 0) {
    proof = markers_right(raw, shape) ? proof + kMarkerPeriod * shape.markers() : 0;
  }
  const bool good = fpdu.crc == CrcVerdict::good;
  const std::uint32_t enough = good ? (marked() ? 2 * kMarkerPeriod : kMarkerPeriod) : kProof;
  proven = proof >= enough || (good && settings.markers && (start_given || !settings.markers_inferred));
}

void Framer::State::hand_up(const Fpdu& given) {
  ++statistics.fpdus;
  missing_since = false;
  statistics.fpdu_octets += distance(given.start, given.end);
  if (!after_gap) {
    sink.fpdu(given);
    return;
  }
  Fpdu fpdu = given;
  fpdu.after_gap = true;
  after_gap = false;
  sink.fpdu(fpdu);
}

void Framer::State::judge_crc(Octets raw, Fpdu& fpdu) {
  if (settings.crc.value_or(false)) [[likely]] {
    const bool good = crc32c(raw.first(raw.size() - 4)) == fpdu.crc_seen;
    fpdu.crc = good ? CrcVerdict::good : CrcVerdict::bad;
    ++(good ? statistics.crc_good : statistics.crc_bad);
    return;
  }
  fpdu.crc = CrcVerdict::not_in_use;
  if (!settings.crc && crc_trials < kCrcTrials) infer_crc(raw, fpdu);
  if (settings.crc == false && !reported_crc_field) note_crc_field(raw, fpdu);
  ++(fpdu.crc == CrcVerdict::good ? statistics.crc_good : statistics.crc_unjudged);
}

/// One right CRC proves that CRC is in use; two that are zero and wrong say that it is not.
void Framer::State::infer_crc(Octets raw, Fpdu& fpdu) {
  ++crc_trials;
  if (crc32c(raw.first(raw.size() - 4)) == fpdu.crc_seen) {
    fpdu.crc = CrcVerdict::good;
    settings.crc = true;
    settings.crc_inferred = true;
    confirmed = true;
  } else if (fpdu.crc_seen != 0) {
    zero_crcs = 0;
  } else if (++zero_crcs == 2) {
    settings.crc = false;
    settings.crc_inferred = true;
  }
}

/// Says once what the unused field holds. Where only FPDUs show that it is unused, those of the other direction may
/// still show that it is not. Source: RFC 5044 §4.4.
void Framer::State::note_crc_field(Octets raw, const Fpdu& fpdu) {
  reported_crc_field = true;
  const std::uint32_t computed = crc32c(raw.first(raw.size() - 4));
  const char* what = fpdu.crc_seen == computed ? "a right CRC all the same"
                     : fpdu.crc_seen == 0      ? "zero"
                                               : "another value";
  findings::Finding note =
      about(fpdu, {.id = mpa_crc_not_judged,
                   .offset = fpdu.start + (raw.size() - 4),
                   .seen = fmt::format("0x{:08x}", fpdu.crc_seen),
                   .text = fmt::format("CRC is not in use{}; the field of the first FPDU holds {}.",
                                       settings.crc_inferred ? ", as far as known" : "", what)});
  if (!settings.crc_inferred) return reporter.raise(std::move(note));
  rare().unused_crc = std::make_unique<UnusedCrc>(UnusedCrc{std::move(note), fpdu.crc_seen, computed});
}

void Framer::State::crc_is_not_in_use() {
  if (rare_state == nullptr || rare_state->unused_crc == nullptr) return;
  const std::unique_ptr<UnusedCrc> unused = std::move(rare_state->unused_crc);
  reporter.raise(std::move(unused->note));
}

/// As long as the boundaries may be a wrong guess, nothing is said: the field may be none.
void Framer::State::other_uses_crc(std::uint64_t right) {
  if (rare_state == nullptr || rare_state->unused_crc == nullptr) return;
  if (!proven && !(confirmed && sure >= kSureOfFraming)) return;
  const std::unique_ptr<UnusedCrc> unused = std::move(rare_state->unused_crc);
  if (unused->seen != 0 || unused->computed == 0) return;
  reported_no_crc = true;
  findings::Finding finding = std::move(unused->note);
  finding.id = mpa_crc_not_computed;
  finding.expected = fmt::format("0x{:08x}", unused->computed);
  finding.text = fmt::format(
      "CRC is in use, as {} of the other direction with a right CRC show{}. But the CRC field of the FPDUs of this "
      "direction is 0. The octets of this FPDU give {}.",
      counted(right, "FPDU"), right == 1 ? "s" : "", finding.expected);
  reporter.raise(std::move(finding));
}

/// The CRC is wrong: because markers are absent, because these octets are no FPDU at all, or because octets changed.
bool Framer::State::crc_mismatch(Octets raw, FpduLayout& shape, Fpdu& fpdu, bool ends_tcp_segment) {
  if (shape.markers() != 0 && !markers_right(raw, shape) && try_without_markers(raw, shape, fpdu)) return true;
  if (!settings.markers) {  // markers may be in use after all, or the boundary is a wrong guess
    --statistics.crc_bad;
    return false;
  }
  if (first_doubtful && !ends_tcp_segment) {
    --statistics.crc_bad;
    return first_is_unreadable(raw, fpdu.start, fpdu.last_frame, fpdu.placed_time) != Examined::lost;
  }
  if (is_framed_otherwise(raw, shape, fpdu)) return true;
  const auto length = length_before_damage(raw, fpdu.start);
  if (length) {
    shape = layout(fpdu.start, *length);
    raw = raw.first(shape.raw);
    fpdu.ulpdu_length = shape.ulpdu;
    fpdu.crc_seen = load_le<std::uint32_t>(raw.last(4));
  }
  const std::uint32_t computed = crc32c(raw.first(raw.size() - 4));
  const bool is_swapped = swap_octets(fpdu.crc_seen) == computed;
  findings::Finding mismatch =
      about(fpdu, {.id = mpa_crc_mismatch,
                   .offset = fpdu.start,
                   .seen = fmt::format("0x{:08x}", fpdu.crc_seen),
                   .expected = fmt::format("0x{:08x}", computed),
                   .text = fmt::format("The CRC of this FPDU of {} octets is 0x{:08x}; its octets give 0x{:08x}{}.",
                                       raw.size(), fpdu.crc_seen, computed,
                                       is_swapped ? ", which is the same in the other octet order"
                                                  : damage_text(raw.size() - 4, fpdu.crc_seen, computed))});
  // With ULPDU_Length changed on the way, a CRC of 0 may have been read out of a payload of zeros. Where a header
  // follows the FPDU, or it ends with the TCP segment of a sender that cuts none, its length is right.
  const bool is_alone = ends_tcp_segment && fpdu.in_one_tcp_segment && !reported_alignment && !reported_split;
  zero_crc_open = fpdu.crc_seen == 0 && !length && !is_alone;
  using enum findings::SenderCrc;
  mismatch.sender_crc = is_swapped ? swapped : zero_crc_open ? maybe : fpdu.crc_seen == 0 ? zero : no;
  raise_crc_mismatch(fpdu, std::move(mismatch));
  // With the octets in the wrong order the FPDU itself is right, and so is its length; or its length is known.
  if (!is_swapped && !length) {
    gate = Gate::suspect;
    hold(raw, fpdu);
  }
  return true;
}

/// A CRC field of 0 is hardly ever the work of damage. Two of them, and no other CRC before or between, show that the
/// sender computes none (MF-25); the MF-04 of the first waits for that. The second one begins with a header, where the
/// first ends: the length of the first was right.
void Framer::State::raise_crc_mismatch(const Fpdu& fpdu, findings::Finding mismatch) {
  const bool all_zero = fpdu.crc_seen == 0 && statistics.crc_good == 0;
  if (all_zero && reported_no_crc) return;
  if (all_zero && statistics.crc_bad == 1) {
    mismatch.text.insert(mismatch.text.size() - 1, "; a CRC field of 0 can also mean that the sender computes no CRC");
    rare().held_mismatch = std::make_unique<findings::Finding>(std::move(mismatch));
    return;
  }
  if (!all_zero || !holds_mismatch()) {
    raise_held_mismatch();
    reporter.raise(std::move(mismatch));
    return;
  }
  reported_no_crc = true;
  const std::unique_ptr<findings::Finding> first = std::move(rare().held_mismatch);
  findings::Finding finding = about(
      fpdu,
      {.id = mpa_crc_not_computed,
       .offset = first->offset.value_or(fpdu.start),
       .seen = mismatch.seen,
       .expected = first->expected,
       .text = fmt::format(
           "CRC is in use, but the CRC field of the first two FPDUs that were read is 0; their octets give {} and {}.",
           first->expected, mismatch.expected)});
  finding.frames = first->frames;
  if (finding.frames.empty()) finding.frames = {first->frame};
  finding.frames.push_back(fpdu.last_frame);
  reporter.raise(std::move(finding));
}

/// No second FPDU showed that its sender computes no CRC.
void Framer::State::raise_held_mismatch() {
  if (!holds_mismatch()) return;
  const std::unique_ptr<findings::Finding> held_back = std::move(rare().held_mismatch);
  reporter.raise(std::move(*held_back));
}

void Framer::State::judge_pad(Octets raw, const FpduLayout& shape, const Fpdu& fpdu) {
  std::size_t end = raw.size() - 4;
  const bool marker_after_pad =
      shape.interior != 0 &&
      shape.lead + shape.first + (shape.interior - 1) * kMarkerPeriod + kMarkerOctets == raw.size() - 4;
  if (marker_after_pad) end -= kMarkerOctets;
  const Octets pad = raw.subspan(end - shape.pad, shape.pad);
  if (std::all_of(pad.begin(), pad.end(), [](std::byte b) { return b == std::byte{0}; })) return;
  std::string seen = "0x";
  for (const std::byte b : pad) fmt::format_to(std::back_inserter(seen), "{:02x}", to_u8(b));
  raise(fpdu, {.id = mpa_pad_not_zero,
               .offset = fpdu.start + (end - shape.pad),
               .seen = seen,
               .expected = "zero",
               .text = fmt::format("The {} after the ULPDU {} {}.", counted(shape.pad, "PAD octet"),
                                   shape.pad == 1 ? "is" : "are", seen)});
}

/// ULPDU_Length against MULPDU, and against what this sender could have sent. Called for a new largest and for small
/// ones.
void Framer::State::judge_size(const FpduLayout& shape, const Fpdu& fpdu, Octets raw) {
  const std::uint32_t most = settings.mss == 0 ? 0 : mulpdu(settings.mss, settings.markers.value_or(false));
  if (shape.ulpdu > largest_ulpdu) {
    largest_ulpdu = shape.ulpdu;
    // Far below both what the path carries and what this sender has sent.
    if (most != 0) small_below = std::max(small_below, std::min(largest_ulpdu, most) / 2);
    if (most != 0 && shape.ulpdu > most && !reported_mulpdu) {
      reported_mulpdu = true;
      raise(fpdu,
            {.id = mpa_ulpdu_above_mulpdu,
             .offset = fpdu.start,
             .seen = std::to_string(shape.ulpdu),
             .expected = std::to_string(most),
             .text = fmt::format("ULPDU_Length is {}; the MSS of {} leaves room for {}.{}", shape.ulpdu, settings.mss,
                                 most, settings.maybe_siw_gso ? " Linux siw does this with its GSO option." : "")});
    }
    return;
  }
  const bool last = (to_u8(raw[shape.lead + 2]) & 0x40) != 0 || shape.ulpdu < 14;
  if (last || reported_small) return;
  reported_small = true;
  small_below = 0;
  raise(fpdu,
        {.id = mpa_fpdu_small,
         .offset = fpdu.start,
         .seen = std::to_string(shape.ulpdu),
         .expected = std::to_string(most),
         .text = fmt::format("An FPDU inside a message carries {}, while up to {} have been sent at once and {} fit.",
                             counted(shape.ulpdu, "octet"), std::max(largest_ulpdu, largest_tcp_segment), most)});
}

void Framer::State::judge_split(const FpduLayout& shape, const Fpdu& fpdu) {
  if (shape.raw > largest_tcp_segment) return;
  reported_split = true;
  raise(fpdu,
        {.id = mpa_fpdu_split,
         .offset = fpdu.start,
         .text = fmt::format(
             "This FPDU of {} octets lies in more than one TCP segment although a TCP segment of {} octets was sent.",
             shape.raw, largest_tcp_segment)});
}

void Framer::State::judge_alignment(const Collected& was, const Fpdu& fpdu) {
  if (reported_alignment) return;
  reported_alignment = true;
  raise(fpdu, {.id = mpa_fpdu_not_aligned,
               .offset = fpdu.start + was.unaligned,
               .text = fmt::format("A TCP segment starts {} inside an FPDU.", counted(was.unaligned, "octet"))});
}

findings::Finding Framer::State::about(const Fpdu& fpdu, findings::Finding finding) {
  if (findings::rule(finding.id).severity == findings::Severity::error) fault_reported = true;
  finding.direction = direction;
  finding.frame = fpdu.last_frame;
  if (fpdu.first_frame != fpdu.last_frame) {
    finding.frames = {std::min(fpdu.first_frame, fpdu.last_frame), std::max(fpdu.first_frame, fpdu.last_frame)};
  }
  finding.time = fpdu.placed_time;
  return finding;
}

void Framer::State::raise(const Fpdu& fpdu, findings::Finding finding) {
  reporter.raise(about(fpdu, std::move(finding)));
}

void Framer::State::raise_at(FrameNumber frame, TimePoint time, findings::Finding finding) {
  Fpdu place;
  place.first_frame = place.last_frame = frame;
  place.placed_time = time;
  raise(place, std::move(finding));
}

/// Source: RFC 5044 §7.2, §4.3.
void Framer::State::finish(bool fin, FrameNumber frame, TimePoint time) {
  doubt_cut_fpdu();
  if (state == FramerState::searching && space) search_held(true);
  raise_held_mismatch();
  if (space && space->doubt) leave_doubt_at_end(fin, frame, time);
  held.reset();
  presume_length();
  const bool certain =
      state == FramerState::framing && gate != Gate::suspect && sure >= kSureOfFraming && !collected.incomplete;
  if (fin && certain && collected.have != 0 && !first_doubtful) {
    const bool marker_alone = marked() && residue(collected.start) == 0 && collected.have == kMarkerOctets;
    if (marker_alone) {
      raise_at(frame, time,
               {.id = mpa_marker_at_end,
                .offset = collected.start,
                .text = "The sender closed after a marker that no FPDU follows."});
    } else {
      Fpdu cut;
      cut.first_frame = collected.first_frame;
      cut.last_frame = frame;
      cut.placed_time = time;
      raise(cut, {.id = mpa_closed_inside_fpdu,
                  .offset = collected.start,
                  .seen = std::to_string(collected.have),
                  .expected = collected.raw != 0 ? std::to_string(collected.raw) : "",
                  .text = fmt::format("The sender closed after {} of an FPDU{}.", counted(collected.have, "octet"),
                                      collected.raw != 0 ? " of " + counted(collected.raw, "octet") : "")});
    }
  }
  if (space) {
    drop_search_octets(space->octets.size());
    space.reset();
  }
  report_not_found(frame, time);
  collected = {};
  release_collected();
}

}  // namespace iwarpscope::mpa
