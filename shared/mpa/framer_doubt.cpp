// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Octets that may not be an FPDU. The header breaks rules and no right CRC confirms it: the octets at its claimed end
// decide. Or its CRC is wrong, and its length perhaps, too: its octets are held until a header after it shows that it
// ended there.
#include <fmt/format.h>

#include <algorithm>

#include "base/crc32c.h"
#include "base/wording.h"
#include "mpa/framer_state.h"
#include "mpa/resync.h"

namespace iwarpscope::mpa {

using enum findings::FindingId;

namespace {

constexpr std::size_t kReachBehind = 1024;
/// More than an FPDU in one TCP segment of any usual size.
constexpr std::size_t kMuchInDoubt = 9216;

}  // namespace

/// The octets from ULPDU_Length on of an FPDU that starts there, without markers: as many as a header test looks at.
Octets Framer::State::header_at(Octets from_start, StreamOffset start, HeaderRoom& room) const noexcept {
  const std::uint32_t at = marked() ? residue(start) : 1;
  const std::uint32_t lead = at == 0 ? kMarkerOctets : 0;
  if (from_start.size() < lead) return {};
  const std::uint32_t first = marked() ? kMarkerPeriod - (at + lead) : 0;
  return header_octets(from_start.subspan(lead), first, room);
}

HeaderLikelihood Framer::State::likelihood_at(Octets from_start, StreamOffset start) const noexcept {
  HeaderRoom room;
  UlpduHeader ignored;
  return test_header(header_at(from_start, start, room), settings.ddp_version, ignored);
}

/// Framing is sure, but no CRC will say that this is an FPDU: a header as it should be says so. With another one it is
/// an FPDU of a sender that errs, when a TCP segment or another header shows that it ends where it says; else it is
/// none.
Framer::State::Examined Framer::State::examine_unvouched(Octets o, StreamOffset start, const tcp::Chunk& chunk,
                                                         const FpduLayout& shape) {
  HeaderRoom room;
  const Octets header = header_at(o, start, room);
  const bool too_long = shape.ulpdu > kMaxUlpduOctets;
  const HeaderLikelihood likelihood = likelihood_at(o, start);
  if (header.size() < 4 || likelihood == HeaderLikelihood::unfinished) return Examined::need_more;
  if (likelihood == HeaderLikelihood::plausible && !too_long) return Examined::fpdu;
  const SearchSpace::Doubt doubt{start, shape, loosely_plausible(header), too_long};
  const bool at_chunk_end = start + o.size() == chunk.offset + chunk.octets.size();
  switch (weigh(o, doubt, at_chunk_end && chunk.ends_tcp_segment)) {
    case Doubted::fpdu: return Examined::fpdu;
    case Doubted::none: raise_no_fpdu(o, doubt, chunk.frame, chunk.arrival); return Examined::lost;
    case Doubted::undecided:
    case Doubted::likely: break;
  }
  begin_doubt(doubt);
  return Examined::doubtful;
}

/// Weighs the octets from the start of a doubtful FPDU on. `ends_tcp_segment`: a TCP segment ends with the last of
/// them.
Framer::State::Doubted Framer::State::weigh(Octets o, const SearchSpace::Doubt& doubt,
                                            bool ends_tcp_segment) const noexcept {
  const std::uint32_t raw = doubt.layout.raw;
  if (o.size() < raw) return Doubted::undecided;
  if (ends_tcp_segment && o.size() == raw) return Doubted::fpdu;
  if (crc32c(o.first(raw - 4)) == load_le<std::uint32_t>(o.subspan(raw - 4))) return Doubted::fpdu;
  const Octets behind = o.subspan(raw);
  const StreamOffset end = doubt.start + raw;
  HeaderRoom room;
  const Octets header = header_at(behind, end, room);
  switch (likelihood_at(behind, end)) {
    case HeaderLikelihood::plausible: return Doubted::fpdu;
    case HeaderLikelihood::unfinished: return Doubted::undecided;
    case HeaderLikelihood::no: break;
  }
  if (!doubt.loose || doubt.too_long) return Doubted::none;
  if (header.size() < 4) return Doubted::undecided;
  return loosely_plausible(header) ? Doubted::likely : Doubted::none;
}

/// From here on octets are held; search_held() settles the doubt.
void Framer::State::begin_doubt(const SearchSpace::Doubt& doubt) {
  state = FramerState::searching;
  if (!space) {
    space = std::make_unique<SearchSpace>(budget);
    space->offset = doubt.start;
  }
  space->doubt = doubt;
}

/// The header that is collected gave rise to a doubt: what is collected goes where the rest is to be held.
void Framer::State::collected_is_doubtful() {
  collected = {};
  if (replaying || move_collected_to(*space)) return;
  const StreamOffset start = space->doubt->start;
  space.reset();
  lose_framing(start);
}

/// No more octets come for the FPDU that is being collected. Its header was not examined yet, because its CRC was to
/// decide: a header that breaks rules is as doubtful as one without CRC.
void Framer::State::doubt_cut_fpdu() {
  if (state != FramerState::framing || collected.raw == 0 || collected.incomplete || first_doubtful) return;
  HeaderRoom room;
  const Octets header = header_at(scratch.view(), collected.start, room);
  if (header.size() < 4 || likelihood_at(scratch.view(), collected.start) != HeaderLikelihood::no) return;
  begin_doubt({collected.start, layout(collected.start, collected.ulpdu), loosely_plausible(header),
               collected.ulpdu > kMaxUlpduOctets});
  collected_is_doubtful();
}

/// What is collected is unlike any FPDU. One whose header only breaks a rule is not.
bool Framer::State::is_collected_doubtful() const noexcept {
  if (state != FramerState::framing || collected.raw == 0 || collected.incomplete || first_doubtful) return false;
  HeaderRoom room;
  const Octets header = header_at(scratch.view(), collected.start, room);
  if (header.size() < 4 || loosely_plausible(header)) return false;
  return likelihood_at(scratch.view(), collected.start) == HeaderLikelihood::no;
}

/// Without CRC a header is read whole before anything is made of it. When the rest does not come, its length is
/// believed as far as nothing speaks against it.
void Framer::State::presume_length() noexcept {
  if (collected.have == 0 || collected.raw != 0 || collected.incomplete || gate != Gate::open || !settings.markers) {
    return;
  }
  HeaderRoom room;
  const Octets header = header_at(scratch.view(), collected.start, room);
  if (header.size() < 2 || likelihood_at(scratch.view(), collected.start) == HeaderLikelihood::no) return;
  const FpduLayout shape = layout(collected.start, load_be<std::uint16_t>(header));
  if (shape.ulpdu > kMaxUlpduOctets || shape.raw <= collected.have) return;
  collected.raw = shape.raw;
  collected.ulpdu = shape.ulpdu;
}

/// Asks what the held octets from index `from` on, where the doubt is, say by now. `look_inside`: whether FPDUs before
/// its claimed end are worth a search. `at_end`: nothing comes after what is held.
Framer::State::Doubted Framer::State::settle_doubt(std::size_t from, bool look_inside, bool at_end) {
  const SearchSpace& s = *space;
  const SearchSpace::Doubt& doubt = *s.doubt;
  const Octets o = s.octets.view().subspan(from);
  const std::size_t end = from + doubt.layout.raw;
  bool ends = false;
  std::vector<std::uint32_t> starts;
  for (std::size_t k = 0; k < s.pieces.size(); ++k) {
    const SearchSpace::Piece& piece = s.pieces[k];
    const bool last = k + 1 == s.pieces.size();
    // The chunks after the last piece that there was room for are not known.
    const std::size_t piece_end = last ? s.octets.size() : s.pieces[k + 1].begin;
    ends = ends || (piece_end == end && piece.chunk.ends_tcp_segment && !(last && k + 1 >= kMaxPieces));
    if (piece.begin > from && piece.chunk.starts_tcp_segment) {
      starts.push_back(piece.begin - static_cast<std::uint32_t>(from + 1));
    }
  }
  if (ends && o.size() >= doubt.layout.raw) return Doubted::fpdu;
  const Doubted weighed = weigh(o, doubt, false);
  if (weighed == Doubted::fpdu || weighed == Doubted::none) return weighed;
  const bool ended = at_end && doubt.loose && o.size() >= doubt.layout.raw;
  const Doubted otherwise = weighed == Doubted::likely || ended ? Doubted::fpdu : Doubted::undecided;
  if (!look_inside && otherwise == Doubted::undecided) return otherwise;
  // Far enough after the claimed end for what begins inside to show itself.
  const Octets inside = o.subspan(1, std::min(o.size() - 1, 2 * std::size_t{doubt.layout.raw} + kReachBehind));
  const SearchWindow window{inside, doubt.start + 1, starts, at_end, crc_allowance};
  const SearchResult result = find_fpdu(window, search_settings());
  crc_allowance -= result.crc_spent;
  const bool found = result.outcome == SearchOutcome::found && 1 + result.at < doubt.layout.raw;
  return found ? Doubted::none : otherwise;
}

/// Octets are missing before the doubt could be settled. Its length is kept to, and what is missing explains the rest.
void Framer::State::leave_doubt_at_gap() {
  const SearchSpace::Doubt doubt = *space->doubt;
  space->doubt.reset();
  if (space->octets.size() >= doubt.layout.raw) {
    lose_framing(next);
    return;
  }
  state = FramerState::framing;
  gate = Gate::settled;
  (void)replay(0);
  if (state != FramerState::framing) return;
  space.reset();
  // Nothing in a header like this is believed but the length.
  if (!doubt.loose && collected.have != 0) {
    collected.incomplete = true;
    collected.cut = 0;
  }
}

/// The stream ends before the doubt could be settled. That it ends too early is all that can be said.
void Framer::State::leave_doubt_at_end(bool fin, FrameNumber frame, TimePoint time) {
  const SearchSpace::Doubt doubt = *space->doubt;
  const std::size_t have = space->octets.size();
  // It is unknown what they were, and whether they are one FPDU.
  const std::uint8_t was_sure = sure;
  const bool much = have >= kMuchInDoubt;
  lose_framing(doubt.start);
  drop_search_octets(have);
  space.reset();
  if (!much) lost_for_sure = false;  // the rest of an FPDU may have been on its way
  if (!fin || was_sure < kSureOfFraming) return;
  if (!much) reported_not_found = true;
  raise_at(frame, time,
           {.id = mpa_closed_inside_fpdu,
            .offset = doubt.start,
            .seen = std::to_string(have),
            .expected = std::to_string(doubt.layout.raw),
            .text = fmt::format("The sender closed after {} of an expected FPDU. By its ULPDU_Length it would have {} "
                                "octets; its header {}.",
                                counted(have, "octet"), doubt.layout.raw,
                                doubt.loose ? "breaks a rule of DDP or RDMAP" : "is not a DDP or RDMAP header")});
}

/// An FPDU is expected here, but the octets are not one. As with other lengths: without knowing about markers, or soon
/// after framing was found again by guesswork, the mistake may be ours.
void Framer::State::raise_no_fpdu(Octets from_start, const SearchSpace::Doubt& doubt, FrameNumber frame,
                                  TimePoint time) {
  if (doubt.too_long || !settings.markers || sure < kSureOfFraming) return;
  std::string seen;
  for (const std::byte octet : from_start.first(std::min<std::size_t>(from_start.size(), 8))) {
    fmt::format_to(std::back_inserter(seen), "{:02x}", to_u8(octet));
  }
  const char* const why =
      doubt.loose ? "as a header they break a rule of DDP or RDMAP" : "no DDP or RDMAP header begins like this";
  raise_at(frame, time,
           {.id = mpa_ulpdu_length_invalid,
            .offset = doubt.start,
            .seen = std::move(seen),
            .expected = "an FPDU",
            .text = fmt::format(
                "An FPDU was expected here, but these octets are not an FPDU: {}. The octets that follow show "
                "that there is no ULPDU_Length of {}.",
                why, doubt.layout.ulpdu)});
}

/// An FPDU with a wrong CRC is handed up; its octets are kept as they came, in case its length is wrong, too.
void Framer::State::hold(Octets raw, const Fpdu& fpdu) {
  held = std::make_unique<SearchSpace>(budget);
  held->offset = fpdu.start;
  if (!held->octets.append(raw, raw.size())) {
    held.reset();
    return;
  }
  if (collected.have != 0) {
    held->pieces = rare().collected_pieces;
    return;
  }
  tcp::Chunk chunk;
  chunk.offset = fpdu.start;
  chunk.frame = fpdu.first_frame;
  chunk.arrival = fpdu.first_time;
  chunk.delivery = fpdu.delivered_time;
  chunk.delivery_frame = fpdu.delivery_frame;
  chunk.acknowledged = fpdu.acknowledged;
  chunk.has_acknowledged = fpdu.has_acknowledged;
  chunk.starts_tcp_segment = fpdu.starts_tcp_segment;
  held->pieces.push_back({0, chunk});
}

}  // namespace iwarpscope::mpa
