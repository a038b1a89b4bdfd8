// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Framing that was lost, or never had: octets are held until an FPDU is found among them.
#include <fmt/format.h>

#include <algorithm>

#include "base/wording.h"
#include "mpa/framer_state.h"
#include "mpa/resync.h"

namespace iwarpscope::mpa {

namespace {

/// Up to this much is searched again with every chunk; more only after it has doubled, so that each octet is searched
/// twice in all.
constexpr std::size_t kSearchEagerly = 8192;
constexpr std::uint64_t kCrcPerOctet = 16;
constexpr std::uint64_t kMaxCrcAllowance = 4U << 20;

}  // namespace

/// The boundary at `at` is lost: a search begins there.
void Framer::State::lose_framing(StreamOffset at) {
  state = FramerState::searching;
  rare().lost_at = at;
  rare().skipped_before = statistics.skipped_octets;
  report_loss = true;
  after_gap = true;
  collected = {};
  unmarked_run = 0;
  proof = 0;
  lost_for_sure = sure >= kSureOfFraming;
  sure = 0;
  zero_crcs = 0;
  zero_crc_open = false;
  held.reset();
}

/// As lose_framing(). When the FPDU before had a wrong CRC, its length lied: the search begins with it.
void Framer::State::lose_boundary(StreamOffset at) {
  raise_held_mismatch();
  std::unique_ptr<SearchSpace> before = std::move(held);
  lose_framing(before ? before->offset : at);
  // Within a replay the octets are in the space anyway.
  if (before && !replaying) space = std::move(before);
}

/// As lose_boundary(), where the octets collected so far are to be searched, too.
void Framer::State::begin_search_with_collected() {
  const Collected was = collected;
  lose_boundary(was.start);
  if (replaying || was.incomplete) return;
  if (!space) {
    space = std::make_unique<SearchSpace>(budget);
    space->offset = was.start;
  }
  if (!move_collected_to(*space)) space.reset();
}

/// What is collected goes after what is there. Fails (false) when the budget is used up.
bool Framer::State::move_collected_to(SearchSpace& to) {
  const auto base = static_cast<std::uint32_t>(to.octets.size());
  if (base == 0) {
    to.octets.swap(scratch);
  } else if (!to.octets.append(scratch.view(), base + scratch.size())) {
    return false;
  }
  for (SearchSpace::Piece& piece : rare().collected_pieces) {
    if (to.pieces.size() == kMaxPieces) break;
    piece.begin += base;
    to.pieces.push_back(piece);
  }
  rare().collected_pieces.clear();
  return true;
}

/// What a search may rely on: no CRC of a sender that computes none.
FramingSettings Framer::State::search_settings() const noexcept {
  FramingSettings s = settings;
  if (reported_no_crc) s.crc = false;
  if (holds_mismatch()) s.crc.reset();
  return s;
}

void Framer::State::search(const tcp::Chunk& chunk) {
  if (!space) {
    space = std::make_unique<SearchSpace>(budget);
    space->offset = chunk.offset;
  }
  crc_allowance = std::min(kMaxCrcAllowance, crc_allowance + kCrcPerOctet * chunk.octets.size());
  if (space->octets.size() + chunk.octets.size() > limits.max_search_octets && !space->octets.empty()) {
    search_held(false);
    if (state == FramerState::framing) {  // found: the chunk goes on from there
      const std::size_t at = frame(chunk);
      if (state != FramerState::searching) return;
      if (at < chunk.octets.size()) search(tail(chunk, at));
      if (at == chunk.octets.size() && space) search_held(false);
      return;
    }
    if (state == FramerState::given_up) return;
    if (space->doubt) {  // there is no room to wait for its end
      const StreamOffset start = space->doubt->start;
      space->doubt.reset();
      lose_framing(start);
    }
    const std::size_t size = space->octets.size();
    if (size + chunk.octets.size() > limits.max_search_octets) {
      ++budget.met().search;
      drop_search_octets(std::max(size / 2, size - std::min(size, limits.max_search_octets / 2)));
    }
  }
  SearchSpace& s = *space;
  const std::size_t begin = s.octets.size();
  if (!s.octets.append(chunk.octets, begin + chunk.octets.size())) {
    if (s.doubt) lose_framing(s.doubt->start);
    lost_for_sure = false;
    drop_search_octets(begin);
    statistics.skipped_octets += chunk.octets.size();
    space.reset();
    return;
  }
  if (s.pieces.size() < kMaxPieces) {
    tcp::Chunk piece = chunk;
    piece.octets = {};
    s.pieces.push_back({static_cast<std::uint32_t>(begin), piece});
  }
  const bool worth = s.octets.size() <= kSearchEagerly || s.octets.size() >= 2 * s.searched_at ||
                     (chunk.starts_tcp_segment && plausible_fpdu(chunk.octets).kind == Plausible::Kind::confirmed);
  if (worth || s.doubt) search_held(false, worth);
}

/// Searches what is held. On success the FPDUs in it are framed; when everything held is used up, `space` is gone.
/// `at_end`: nothing comes after what is held. `look_inside`: of a doubtful FPDU, too, the inside is searched.
void Framer::State::search_held(bool at_end, bool look_inside) {
  std::size_t from = 0;
  while (true) {
    SearchSpace& s = *space;
    if (s.doubt) {
      const Doubted settled = settle_doubt(from, look_inside, at_end);
      if (settled == Doubted::undecided) break;
      const SearchSpace::Doubt doubt = *std::exchange(s.doubt, std::nullopt);
      if (settled == Doubted::fpdu) {
        state = FramerState::framing;
        gate = Gate::settled;
        from = replay(from);
        if (state != FramerState::framing) continue;
        space.reset();
        return;
      }
      const tcp::Chunk& chunk = piece_at(doubt.start).chunk;
      raise_no_fpdu(s.octets.view().subspan(from), doubt, chunk.frame, chunk.arrival);
      lose_framing(doubt.start);
      // What is settled is not found again, so that the search comes to an end.
      ++from;
      ++statistics.skipped_octets;
    }
    std::vector<std::uint32_t> starts;
    for (const SearchSpace::Piece& piece : s.pieces) {
      if (piece.begin >= from && piece.chunk.starts_tcp_segment) {
        starts.push_back(piece.begin - static_cast<std::uint32_t>(from));
      }
    }
    const SearchWindow window{s.octets.view().subspan(from), s.offset + from, starts, at_end, crc_allowance};
    const SearchResult result = find_fpdu(window, search_settings());
    crc_allowance -= result.crc_spent;
    from += result.at;
    statistics.skipped_octets += result.at;
    if (result.outcome != SearchOutcome::found) break;
    adopt(result, s.offset + from);
    const std::size_t stopped = replay(from);
    if (state == FramerState::framing) {
      space.reset();
      return;
    }
    from = stopped;
  }
  // What was passed over is counted already.
  statistics.skipped_octets -= from;
  drop_search_octets(from);
  if (look_inside) space->searched_at = space->octets.size();
  if (!confirmed && statistics.skipped_octets > limits.max_searched_octets) give_up();
}

/// An FPDU was found at `at`: what it shows is believed, and framing goes on from there.
void Framer::State::adopt(const SearchResult& found, StreamOffset at) {
  state = FramerState::framing;
  gate = Gate::open;
  confirmed = true;
  after_gap = true;
  unmarked_run = 0;
  ++statistics.resynchronisations;
  if (!settings.crc && found.crc) {
    settings.crc = found.crc;
    settings.crc_inferred = true;
  }
  if (!settings.markers && found.markers) {
    settings.markers = found.markers;
    settings.markers_inferred = true;
  }
  if (!settings.sequence_start && found.marker_phase) settings.sequence_start = found.marker_phase;
  if (!settings.ddp_version) settings.ddp_version = found.ddp_version;
  report_loss ? report_found(at) : report_first(at);
  report_loss = false;
}

/// The boundary was lost and an FPDU is found at `at`. Missing octets were reported already: only
/// those that are there and were passed over are new.
void Framer::State::report_found(StreamOffset at) {
  const StreamOffset lost_at = rare().lost_at;
  const std::uint64_t far = distance(lost_at, at);
  const std::uint64_t passed = statistics.skipped_octets - std::min(statistics.skipped_octets, rare().skipped_before);
  const tcp::Chunk& chunk = piece_at(at).chunk;
  if (fault_reported) {
    raise_at(chunk.frame, chunk.arrival,
             {.id = findings::FindingId::mpa_framing_lost,
              .offset = lost_at,
              .seen = std::to_string(far),
              .text = fmt::format("FPDUs were found again {} after the boundary was lost; no octet between is missing.",
                                  counted(far, "octet"))});
  } else if (passed != 0) {
    raise_at(chunk.frame, chunk.arrival,
             {.id = findings::FindingId::capture_framing_lost,
              .offset = lost_at,
              .seen = std::to_string(passed),
              .text = fmt::format(
                  "FPDUs were found again {} after the boundary was lost; {} of them {} captured and skipped.",
                  counted(far, "octet"), passed, passed == 1 ? "was" : "were")});
  }
}

/// The stream was joined in its middle, and its first FPDU is found at `at`.
void Framer::State::report_first(StreamOffset at) {
  const std::uint64_t passed = statistics.skipped_octets;
  if (passed == 0 || statistics.fpdus != 0) return;
  const tcp::Chunk& chunk = piece_at(at).chunk;
  raise_at(chunk.frame, chunk.arrival,
           {.id = findings::FindingId::capture_framing_lost,
            .offset = at,
            .seen = std::to_string(passed),
            .text = fmt::format("{} captured and skipped before the first FPDU was found in this direction.",
                                counted(passed, "octet") + (passed == 1 ? " was" : " were"))});
}

/// The stream ends, and FPDUs were not found again, or never. Reported once.
void Framer::State::report_not_found(FrameNumber frame, TimePoint time) {
  if (state != FramerState::searching || reported_not_found || (missing_since && cut_last)) return;
  const std::uint64_t before = rare_state == nullptr ? 0 : rare_state->skipped_before;
  const std::uint64_t passed = statistics.skipped_octets - std::min(statistics.skipped_octets, before);
  if (passed == 0) return;
  reported_not_found = true;
  const bool lost = statistics.fpdus != 0;
  const StreamOffset from = lost ? rare().lost_at : next;
  if (lost && proven && lost_for_sure && !missing_since) {
    raise_at(frame, time,
             {.id = findings::FindingId::mpa_boundary_not_found,
              .offset = from,
              .seen = std::to_string(passed),
              .text = fmt::format(
                  "The last {} of this direction could not be read as FPDUs; none of its octets before them is "
                  "missing.",
                  counted(passed, "octet"))});
    return;
  }
  raise_at(frame, time,
           {.id = findings::FindingId::capture_framing_lost,
            .offset = from,
            .seen = std::to_string(passed),
            .text = fmt::format("{} captured and skipped to the end; no FPDU was found {}.",
                                counted(passed, "octet") + (passed == 1 ? " was" : " were"),
                                lost ? "again" : "in this direction")});
}

/// The chunk with the octet at `at`, which is held. Precondition: there are pieces.
const SearchSpace::Piece& Framer::State::piece_at(StreamOffset at) const {
  const auto& pieces = space->pieces;
  const std::uint64_t index = distance(space->offset, at);
  auto piece = std::upper_bound(pieces.begin(), pieces.end(), index,
                                [](std::uint64_t i, const SearchSpace::Piece& p) { return i < p.begin; });
  if (piece != pieces.begin()) --piece;
  return *piece;
}

/// Frames the held octets from index `from` on; returns the index at which framing was lost again, if it was.
std::size_t Framer::State::replay(std::size_t from) {
  SearchSpace& s = *space;
  replaying = true;
  const Octets all = s.octets.view();
  for (std::size_t k = 0; k < s.pieces.size(); ++k) {
    const std::size_t begin = std::max<std::size_t>(s.pieces[k].begin, from);
    const std::size_t end = k + 1 < s.pieces.size() ? s.pieces[k + 1].begin : all.size();
    if (begin >= end) continue;
    tcp::Chunk chunk = s.pieces[k].chunk;
    chunk.octets = all.subspan(begin, end - begin);
    chunk.offset = s.offset + begin;
    chunk.starts_tcp_segment = chunk.starts_tcp_segment && begin == s.pieces[k].begin;
    frame(chunk);
    if (state != FramerState::framing) {
      replaying = false;
      if (s.doubt) return static_cast<std::size_t>(distance(s.offset, s.doubt->start));
      // At least the FPDU that was found is behind us, so that a search from here on comes to an end.
      return static_cast<std::size_t>(std::max<std::uint64_t>(distance(s.offset, rare().lost_at), from + 1));
    }
  }
  replaying = false;
  return all.size();
}

void Framer::State::drop_search_octets(std::size_t count) {
  SearchSpace& s = *space;
  statistics.skipped_octets += count;
  s.octets.drop_front(count);
  s.offset = s.offset + count;
  std::size_t keep = 0;
  while (keep + 1 < s.pieces.size() && s.pieces[keep + 1].begin <= count) ++keep;
  s.pieces.erase(s.pieces.begin(), s.pieces.begin() + static_cast<std::ptrdiff_t>(keep));
  for (SearchSpace::Piece& piece : s.pieces) {
    if (piece.begin < count) piece.chunk.starts_tcp_segment = false;
    piece.begin = piece.begin < count ? 0 : piece.begin - static_cast<std::uint32_t>(count);
  }
  if (s.octets.empty()) s.pieces.clear();
  s.searched_at -= std::min(s.searched_at, count);
}

void Framer::State::give_up() {
  drop_search_octets(space->octets.size());
  space.reset();
  state = FramerState::given_up;
  ++budget.met().searched;
}

}  // namespace iwarpscope::mpa
