// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// When the life of an STag is remarkable.
#include "emulation/stag_life_state.h"

namespace iwarpscope::emulation {

namespace {

std::uint64_t end_of(TaggedOffset to, std::uint64_t octets) noexcept {
  return to.value + std::min(octets, std::numeric_limits<std::uint64_t>::max() - to.value);
}

}  // namespace

void Range::add(TaggedOffset to, std::uint64_t octets, const Moment& at) noexcept {
  const std::uint64_t from = to.value;
  const std::uint64_t until = end_of(to, octets);
  if (!last.known) {
    begin = from;
    end = until;
  } else {
    if (from > end || until < begin) scattered = true;
    begin = std::min(begin, from);
    end = std::max(end, until);
  }
  last = at;
}

void StagState::renew() noexcept {
  kinds = granted = Access::none;
  announced_frame = {};
  fact_reported = 0;
  reported = used_since = is_read_answered = false;
  invalidated = {};
  written = read = {};
}

void StagState::reach(TaggedOffset to, std::uint64_t octets) noexcept {
  const std::uint64_t until = end_of(to, octets);
  begin = begin == end ? to.value : std::min(begin, to.value);
  end = std::max(end, until);
}

StagState& StagLife::State::take(Direction owner, STag stag, FrameNumber frame, bool from_start) {
  const bool remembered = stags.evicted() == 0;
  const auto [s, is_new] = stags.take(key(owner, stag));
  if (is_new) {
    s->first_frame = frame;
    s->from_start = from_start && remembered;
  }
  return *s;
}

Moment StagLife::State::moment(const ddp::Carrier& carrier, std::uint64_t message) const noexcept {
  return {.message = message,
          .frame = carrier.last_frame,
          .acknowledged = carrier.acknowledged,
          .gaps = gaps,
          .known = true,
          .has_acknowledged = carrier.has_acknowledged};
}

bool StagLife::State::received_nothing(const Moment& before, const Moment& now) const noexcept {
  return before.known && before.has_acknowledged && now.has_acknowledged && before.acknowledged == now.acknowledged &&
         before.gaps == now.gaps;
}

void StagLife::State::tell_use(Direction owner, STag stag, StagState& s, Access access, const Moment& now) {
  if (s.fact_reported == gaps + 1) return;
  s.fact_reported = gaps + 1;
  facts_hold = true;
  facts.fact({.kind = StagFact::Kind::used,
              .owner = owner,
              .stag = stag,
              .access = access,
              .message = now.message,
              .frame = now.frame});
}

/// The range was accessed, a Send reported to its owner that the work is done, and it is accessed again.
bool StagLife::State::is_again(const Use& use, const StagState& s, const Moment& now) const noexcept {
  const Range& range = use.access == Access::write ? s.written : s.read;
  const Moment& done = sends[index(use.owner)];
  if (s.announced_frame.value == 0 || !range.last.known || range.scattered || !done.known ||
      use.to.value >= range.end || end_of(use.to, use.octets) <= range.begin || done.message <= range.last.message ||
      done.message >= now.message) {
    return false;
  }
  if (use.access == Access::write) return received_nothing(range.last, now);
  return s.is_read_answered && received_nothing(done, now) && done.acknowledged > s.read_answered &&
         range.last.gaps == now.gaps;
}

void StagLife::State::judge_use(const Use& use, StagState& s, const Moment& now) {
  const auto tell = [&](NoteKind kind, const Moment& earlier, FrameNumber other = {}) {
    notes.note({.kind = kind,
                .direction = use.owner,
                .message = now.message,
                .other_message = earlier.message,
                .stag = use.stag,
                .to = use.to,
                .octets = use.octets,
                .frame = now.frame,
                .frames = evidence(earlier.frame, other, now.frame)});
  };
  if (!s.reported && received_nothing(s.invalidated, now)) {
    s.reported = true;
    tell(NoteKind::stag_used_after_invalidate, s.invalidated);
  }
  if (use.access == Access::read) {
    if (s.kinds == Access::write && s.from_start && !has(s.granted, Access::read)) {
      tell(NoteKind::read_of_written_buffer, s.written.last);
    }
    if (is_again(use, s, now)) {
      tell(NoteKind::read_after_completion, sends[index(use.owner)], s.read.last.frame);
    }
  } else if (use.access == Access::write && is_again(use, s, now)) {
    tell(NoteKind::written_after_completion, sends[index(use.owner)], s.written.last.frame);
  }
}

void StagLife::State::used(const Use& use, const Moment& now, bool from_start) {
  StagState& s = take(use.owner, use.stag, now.frame, from_start);
  if (!from_start) s.from_start = false;
  judge_use(use, s, now);
  if (s.invalidated.known && !s.used_since) {
    s.used_since = true;
    s.used_message = now.message;
    s.used_frame = now.frame;
    s.used_to = use.to;
  }
  tell_use(use.owner, use.stag, s, use.access, now);
  s.seen = s.seen | use.access;
  s.kinds = s.kinds | use.access;
  s.reach(use.to, use.octets);
  if (use.access == Access::write) s.written.add(use.to, use.octets, now);
  if (use.access == Access::read) {
    s.read.add(use.to, use.octets, now);
    s.is_read_answered = false;
  }
}

void StagLife::State::named_as_sink(Direction owner, STag stag, const qp::Request& request, const Moment& now,
                                    bool from_start) {
  StagState& s = take(owner, stag, now.frame, from_start);
  // Its owner names it after it had received the invalidation, or may have: it is valid again.
  if (s.invalidated.known && (!now.has_acknowledged || now.acknowledged > s.invalidated_at)) s.renew();
  s.requested = now;
  tell_use(owner, stag, s, Access::sink, now);
  s.seen = s.seen | Access::sink;
  s.kinds = s.kinds | Access::sink;
  s.reach(request.sink_to, request.size);
}

void StagLife::State::response_placed(const Use& use, const Moment& now, bool from_start) {
  StagState& s = take(use.owner, use.stag, now.frame, from_start);
  if (s.invalidated.known && !s.reported && s.requested.known && s.requested.has_acknowledged &&
      s.requested.acknowledged <= s.invalidated_at && s.requested.gaps == now.gaps && s.invalidated.gaps == now.gaps) {
    s.reported = true;
    notes.note({.kind = NoteKind::response_to_invalidated_stag,
                .direction = use.owner,
                .message = now.message,
                .other_message = s.invalidated.message,
                .stag = use.stag,
                .to = use.to,
                .octets = use.octets,
                .frame = now.frame,
                .frames = evidence(s.requested.frame, s.invalidated.frame, now.frame)});
  }
  s.seen = s.seen | use.access;
  s.kinds = s.kinds | use.access;
  s.reach(use.to, use.octets);
}

void StagLife::State::invalidate(Direction owner, STag stag, const Moment& now, StreamOffset at, bool from_start) {
  StagState& s = take(owner, stag, now.frame, from_start);
  if (!s.used_since && received_nothing(s.invalidated, now)) {
    notes.note({.kind = NoteKind::stag_invalidated_twice,
                .direction = owner,
                .message = now.message,
                .other_message = s.invalidated.message,
                .stag = stag,
                .frame = now.frame,
                .frames = evidence(s.invalidated.frame, now.frame)});
  }
  s.renew();
  s.invalidated = now;
  s.invalidated_at = at;
  facts_hold = true;
  facts.fact(
      {.kind = StagFact::Kind::invalidated, .owner = owner, .stag = stag, .message = now.message, .frame = now.frame});
}

}  // namespace iwarpscope::emulation
