// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "mpa/framer.h"

#include <algorithm>

#include "base/archive.h"
#include "mpa/framer_state.h"
#include "mpa/ulpdu_header.h"

namespace iwarpscope::mpa {

namespace {
/// Enough for the largest FPDU in TCP segments of the usual size; of smaller ones the last are taken for one.
constexpr std::size_t kMaxCollectedPieces = 64;
}  // namespace

bool HeldOctets::append(Octets octets, std::size_t expected) {
  const std::size_t need = octets_.size() + octets.size();
  if (need > octets_.capacity() && !grow(std::max({need, std::min(expected, 2 * need), std::size_t{64}})) &&
      !grow(need)) {
    ++budget_->met().all_octets;
    return false;
  }
  octets_.insert(octets_.end(), octets.begin(), octets.end());
  return true;
}

bool HeldOctets::grow(std::size_t capacity) {
  const std::size_t before = octets_.capacity();
  // The new room is there before the old one is given up.
  if (!budget_->take(capacity)) return false;
  octets_.reserve(capacity);
  budget_->give_back(before + (capacity - octets_.capacity()));
  return true;
}

void HeldOctets::release() noexcept {
  budget_->give_back(octets_.capacity());
  std::vector<std::byte>().swap(octets_);
}

void HeldOctets::drop_front(std::size_t count) {
  octets_.erase(octets_.begin(), octets_.begin() + static_cast<std::ptrdiff_t>(count));
}

Framer::State::State(Direction d, const FramingSettings& s, const FramerLimits& l, BufferBudget& b,
                     const FramerTakers& t)
    : direction(d),
      settings(s),
      limits(l),
      budget(b),
      sink(t.fpdus),
      reporter(t.findings),
      scratch(b),
      started(false),
      start_given(s.sequence_start.has_value()),
      proven(s.sequence_start && s.markers && s.crc),
      confirmed(false),
      after_gap(false),
      first_doubtful(false),
      reported_crc_field(false),
      reported_no_crc(false),
      reported_framing_fault(false),
      zero_crc_open(false),
      reported_mulpdu(false),
      reported_alignment(false),
      reported_split(false),
      reported_small(false),
      reported_not_found(false),
      report_loss(false),
      lost_for_sure(false),
      cut_last(false),
      missing_since(false),
      fault_reported(false),
      replaying(false) {
  if (settings.sequence_start) {
    state = FramerState::framing;
    next = *settings.sequence_start;
    started = true;
    confirmed = true;
    sure = kSureOfFraming;
  } else {
    gate = Gate::open;
    after_gap = true;
  }
}

void Framer::State::take(const tcp::Chunk& given) {
  if (given.octets.empty()) return;
  tcp::Chunk chunk = given;
  if (!started) {
    started = true;
    next = chunk.offset;
  }
  if (chunk.offset > next) {
    skip_missing(distance(next, chunk.offset), chunk.delivery_frame, chunk.delivery);
  } else if (chunk.offset < next) {
    const std::uint64_t old = distance(chunk.offset, next);
    if (old >= chunk.octets.size()) return;
    chunk = tail(chunk, old);
  }
  const std::size_t size = chunk.octets.size();
  if (chunk.starts_tcp_segment && chunk.ends_tcp_segment && size > largest_tcp_segment && size <= settings.mss) {
    largest_tcp_segment = static_cast<std::uint32_t>(size);
    if (!reported_small) small_below = std::max(small_below, mulpdu(largest_tcp_segment, marked()) / 2);
  }
  next = chunk.offset + size;
  std::size_t at = 0;
  if (state == FramerState::framing) at = frame(chunk);
  if (at < size && state == FramerState::searching) {
    search(tail(chunk, at));
  } else if (at < size) {
    statistics.skipped_octets += size - at;
  } else if (state == FramerState::searching && space) {
    search_held(false);
  }
  if (collected.have == 0) release_collected();
}

void Framer::State::release_collected() noexcept {
  scratch.release();
  if (rare_state != nullptr) std::vector<SearchSpace::Piece>().swap(rare_state->collected_pieces);
}

/// Takes FPDUs off the chunk until it is used up or framing is lost; returns how many octets that were.
std::size_t Framer::State::frame(const tcp::Chunk& chunk) {
  const std::size_t size = chunk.octets.size();
  std::size_t at = 0;
  while (at < size && state == FramerState::framing) {
    if (collected.have != 0) {
      at += collect(chunk, at);
      continue;
    }
    const Octets rest = chunk.octets.subspan(at);
    const StreamOffset start = chunk.offset + at;
    FpduLayout shape;
    switch (examine(rest, start, chunk, shape)) {
      case Examined::fpdu: break;
      case Examined::need_more: at += start_collecting(chunk, at, {}); continue;
      case Examined::lost: lose_boundary(start); return at;
      case Examined::doubtful: return at;
    }
    if (shape.raw > rest.size()) {
      at += start_collecting(chunk, at, shape);
      continue;
    }
    Fpdu fpdu;
    fpdu.start = start;
    fpdu.first_frame = fpdu.last_frame = chunk.frame;
    fpdu.delivery_frame = chunk.delivery_frame;
    fpdu.first_time = fpdu.placed_time = chunk.arrival;
    fpdu.delivered_time = chunk.delivery;
    fpdu.acknowledged = chunk.acknowledged;
    fpdu.has_acknowledged = chunk.has_acknowledged && !chunk.retransmitted;
    fpdu.starts_tcp_segment = chunk.starts_tcp_segment && at == 0;
    fpdu.in_one_tcp_segment = true;
    const bool ends = shape.raw == rest.size() && chunk.ends_tcp_segment;
    if (!judge(rest.first(shape.raw), shape, fpdu, ends, chunk.retransmitted)) {
      lose_framing(start);
      return at;
    }
    at += shape.raw;
  }
  return at;
}

bool Framer::State::is_sound() const noexcept {
  if (replaying || (collected.have == 0 && collected.raw != 0)) return false;
  if (collected.have == 0) return true;
  const bool has_octets = collected.incomplete ? scratch.size() >= collected.cut && collected.cut <= collected.have
                                               : scratch.size() == collected.have;
  const std::uint32_t wanted = collected.raw != 0 ? collected.raw : kHeaderProbeOctets + 2 * kMarkerOctets;
  const bool is_laid_out = collected.raw != 0
                               ? collected.raw == layout_with(collected.fault, collected.start, collected.ulpdu).raw
                               : !collected.incomplete;
  return has_octets && is_laid_out && collected.have < wanted && rare_state != nullptr &&
         !rare_state->collected_pieces.empty() && rare_state->collected_pieces.size() <= kMaxCollectedPieces;
}

/// Begins an FPDU of that layout (raw 0: not known yet) at index `at`; returns how many octets of the chunk it took.
std::size_t Framer::State::start_collecting(const tcp::Chunk& chunk, std::size_t at, const FpduLayout& shape) {
  scratch.clear();
  if (rare_state != nullptr) rare_state->collected_pieces.clear();
  collected = {};
  collected.raw = shape.raw;
  collected.ulpdu = shape.ulpdu;
  collected.start = chunk.offset + at;
  collected.starts_tcp_segment = chunk.starts_tcp_segment && at == 0;
  collected.first_frame = chunk.frame;
  collected.first_time = chunk.arrival;
  collected.placed_time = chunk.arrival;
  collected.acknowledged = chunk.acknowledged;
  collected.has_acknowledged = chunk.has_acknowledged && !chunk.retransmitted;
  return collect(chunk, at);
}

/// Adds octets of the chunk from `at` on to the FPDU being collected; returns how many.
std::size_t Framer::State::collect(const tcp::Chunk& chunk, std::size_t at) {
  const Octets rest = chunk.octets.subspan(at);
  const bool header_known = collected.raw != 0;
  const std::uint32_t wanted = header_known ? collected.raw : kHeaderProbeOctets + 2 * kMarkerOctets;
  std::uint32_t take = static_cast<std::uint32_t>(std::min<std::size_t>(rest.size(), wanted - collected.have));
  if (collected.have != 0) {
    if (chunk.starts_tcp_segment && at == 0 && !chunk.retransmitted && collected.unaligned == 0) {
      collected.unaligned = collected.have;
    }
    if (chunk.frame != collected.last_frame || (chunk.starts_tcp_segment && at == 0)) {
      collected.in_one_tcp_segment = false;
    }
  }
  collected.retransmitted = collected.retransmitted || chunk.retransmitted;
  collected.last_frame = std::max(collected.last_frame, chunk.frame);
  collected.placed_time = std::max(collected.placed_time, chunk.arrival);
  if (!collected.incomplete && !scratch.append(rest.first(take), wanted)) {
    collected.incomplete = true;
    collected.cut = collected.have;
  }
  if (std::vector<SearchSpace::Piece>& pieces = rare().collected_pieces; pieces.size() < kMaxCollectedPieces) {
    pieces.push_back({collected.have, tail(chunk, at)});
    tcp::Chunk& piece = pieces.back().chunk;
    piece.octets = {};
    piece.ends_tcp_segment = chunk.ends_tcp_segment && take == rest.size();
  }
  collected.have += take;
  if (!header_known) {
    if (collected.incomplete) {  // no room for a header: nothing can be framed now
      lose_framing(collected.start);
      return take;
    }
    FpduLayout shape;
    switch (examine(scratch.view(), collected.start, chunk, shape)) {
      case Examined::need_more: return take;
      case Examined::lost: begin_search_with_collected(); return take;
      case Examined::doubtful: collected_is_doubtful(); return take;
      case Examined::fpdu: break;
    }
    collected.raw = shape.raw;
    collected.ulpdu = shape.ulpdu;
    if (collected.have > collected.raw) {  // what is too much came with this chunk
      take -= collected.have - collected.raw;
      collected.have = collected.raw;
      scratch.truncate(collected.raw);
    }
  }
  if (collected.have < collected.raw) settle_early_end(chunk, at + take);
  if (collected.have == collected.raw) finish_collected(chunk, at + take == chunk.octets.size());
  return take;
}

void Framer::State::finish_collected(const tcp::Chunk& chunk, bool at_chunk_end) {
  if (collected.incomplete) {
    emit_incomplete(chunk.delivery_frame, chunk.delivery);
    return;
  }
  Fpdu fpdu = collected_fpdu(chunk.delivery_frame, chunk.delivery);
  FpduLayout shape = layout_with(collected.fault, collected.start, collected.ulpdu);
  const bool retransmitted = collected.retransmitted;
  // The FPDU is out of the way before it is handed up; its octets stay in scratch until then.
  const Collected was = collected;
  if (!judge(scratch.view(), shape, fpdu, at_chunk_end && chunk.ends_tcp_segment, retransmitted)) {
    begin_search_with_collected();
    return;
  }
  collected = {};
  if (was.unaligned != 0 && shape.raw == was.raw && fpdu.crc != CrcVerdict::bad) judge_alignment(was, fpdu);
  if (shape.raw < was.raw) {  // it had fewer markers than were due: the rest belongs to the next FPDU
    const std::vector<std::byte> left(scratch.view().begin() + shape.raw, scratch.view().end());
    tcp::Chunk rest = chunk;
    rest.offset = was.start + shape.raw;
    rest.octets = left;
    rest.starts_tcp_segment = false;
    const std::size_t used = frame(rest);
    // Within a replay the octets are in the space anyway.
    if (used < left.size() && !replaying) search(tail(rest, used));
  }
}

Fpdu Framer::State::collected_fpdu(FrameNumber frame, TimePoint time) const {
  Fpdu fpdu;
  fpdu.start = collected.start;
  fpdu.first_frame = collected.first_frame;
  fpdu.last_frame = collected.last_frame;
  fpdu.delivery_frame = frame;
  fpdu.first_time = collected.first_time;
  fpdu.placed_time = collected.placed_time;
  fpdu.delivered_time = time;
  fpdu.acknowledged = collected.acknowledged;
  fpdu.has_acknowledged = collected.has_acknowledged;
  fpdu.starts_tcp_segment = collected.starts_tcp_segment;
  fpdu.in_one_tcp_segment = collected.in_one_tcp_segment;
  return fpdu;
}

/// The end of an FPDU passed of which octets are missing.
void Framer::State::emit_incomplete(FrameNumber frame, TimePoint time) {
  Fpdu fpdu = collected_fpdu(frame, time);
  const FpduLayout shape = layout(collected.start, collected.ulpdu);
  fpdu.in_one_tcp_segment = false;
  fpdu.ulpdu_length = shape.ulpdu;
  fpdu.length_field = shape.ulpdu;
  fpdu.header = fpdu.start + shape.lead;
  fpdu.end = fpdu.start + shape.raw;
  fpdu.markers = static_cast<std::uint16_t>(shape.markers());
  fpdu.doubtful = !is_header_marker_right(scratch.view().first(collected.cut), shape);
  if (shape.markers() != 0) tell_markers(scratch.view().first(collected.cut), shape, fpdu.start);
  fpdu.ulpdu = remove_markers(scratch.view().first(collected.cut), shape);
  fpdu.crc = CrcVerdict::incomplete;
  ++statistics.crc_unjudged;
  collected = {};
  first_doubtful = false;
  fault_reported = false;
  gate = Gate::suspect;
  hand_up(fpdu);
}

void Framer::State::skip_missing(std::uint64_t length, FrameNumber frame, TimePoint time) {
  zero_crc_open = false;
  doubt_cut_fpdu();
  if (state == FramerState::searching && space) {
    search_held(true);
    if (space && space->doubt) leave_doubt_at_gap();
    if (space) drop_search_octets(space->octets.size());
    space.reset();
  }
  held.reset();
  if (state == FramerState::framing) {
    presume_length();
    if (collected.raw != 0) {
      if (!collected.incomplete) {
        collected.incomplete = true;
        collected.cut = collected.have;
      }
      const std::uint32_t left = collected.raw - collected.have;
      if (length < left) {
        collected.have += static_cast<std::uint32_t>(length);
        next = next + length;
        return;
      }
      emit_incomplete(frame, time);
      next = next + left;
      length -= left;
    }
    if (length != 0 || collected.have != 0) lose_framing(next);
  }
  if (length != 0) {
    after_gap = true;
    missing_since = true;
    fault_reported = false;
  }
  next = next + length;
  if (collected.have == 0) release_collected();
  statistics.unframed_octets += length;
}

Framer::Framer(Direction direction, const FramingSettings& settings, const FramerLimits& limits, BufferBudget& budget,
               const FramerTakers& takers)
    : state_(std::make_unique<State>(direction, settings, limits, budget, takers)) {}
Framer::~Framer() = default;
template <class A>
void Framer::archive(A& a) {
  state_->archive(a);
}
template void Framer::archive(Archive& a);

void Framer::octets(const tcp::Chunk& chunk) {
  static_assert(sizeof(State) + sizeof(Framer) < 400, "an idle framer is small");
  state_->take(chunk);
}

void Framer::missing(StreamOffset offset, std::uint64_t length, tcp::Missing reason, FrameNumber frame,
                     TimePoint time) {
  State& s = *state_;
  s.cut_last = reason == tcp::Missing::snap_length;
  if (!s.started) {
    s.started = true;
    s.next = offset;
  }
  const StreamOffset end = offset + length;
  if (end > s.next) s.skip_missing(distance(s.next, end), frame, time);
}

void Framer::finish(bool fin, FrameNumber frame, TimePoint time) {
  state_->finish(fin, frame, time);
}

void Framer::other_uses_crc(std::uint64_t right) {
  state_->other_uses_crc(right);
}

void Framer::crc_is_not_in_use() {
  state_->crc_is_not_in_use();
}

void Framer::set_settings(const FramingSettings& settings) {
  state_->settings = settings;
  if (state_->state == FramerState::given_up) state_->state = FramerState::searching;
}

const FramingSettings& Framer::settings() const noexcept {
  return state_->settings;
}
const FramerStatistics& Framer::statistics() const noexcept {
  return state_->statistics;
}
bool Framer::is_proven() const noexcept {
  return state_->proven;
}
FramerState Framer::state() const noexcept {
  return state_->state;
}
bool Framer::is_pending_doubtful() const noexcept {
  return state_->is_collected_doubtful();
}

PendingFpdu Framer::pending() const noexcept {
  const Collected& c = state_->collected;
  return {c.first_frame, c.have, c.raw != 0 ? c.ulpdu : 0, c.first_time};
}

}  // namespace iwarpscope::mpa
