// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "emulation/stag_life.h"

#include "base/archive.h"
#include "emulation/stag_life_state.h"
#include "emulation/word_operation.h"

namespace iwarpscope::emulation {

using rdmap::Opcode;

namespace {

/// "Invalid STag", as RDMAP and as DDP say it. Source: RFC 5040 §4.8, RFC 5041 §7.2.
constexpr bool says_invalid_stag(const rdmap::Terminate& t) noexcept {
  return (t.layer == 0 || t.layer == 1) && t.error_type == 1 && t.error_code == 0;
}

}  // namespace

StagLife::StagLife(Notes& notes, StagFacts& facts, std::size_t most) noexcept
    : notes_(notes), facts_(facts), most_(static_cast<std::uint32_t>(std::min<std::size_t>(most, 1U << 20))) {}
StagLife::~StagLife() = default;

template <class A>
void StagLife::archive(A& a) {
  a(from_start_);
  a.owned(state_, [this] { return std::make_unique<State>(notes_, facts_, most_); });
}
template void StagLife::archive(Archive& a);

StagLife::State& StagLife::state() {
  if (state_ == nullptr) state_ = std::make_unique<State>(notes_, facts_, most_);
  return *state_;
}

void StagLife::segment(const qp::MessageFacts& facts, const ddp::Segment& segment) {
  if (!segment.carrier.intact || segment.carrier.after_gap) gap(facts.direction);
  if (!segment.first_of_message || !segment.carrier.intact || !facts.intact) return;
  const Direction d = facts.direction;
  if (rdmap::is_request(facts.opcode)) {
    State& s = state();
    s.requests[index(d)] = s.moment(segment.carrier, facts.message);
    return;
  }
  if (!segment.tagged || segment.payload_length == 0) return;
  if (facts.opcode == Opcode::rdma_write) {
    State& s = state();
    s.used({d, segment.stag, segment.to, segment.payload_length, Access::write},
           s.moment(segment.carrier, facts.message), from_start_);
  } else if (facts.opcode == Opcode::rdma_read_response) {
    State& s = state();
    s.response_placed({d, segment.stag, segment.to, segment.payload_length, Access::sink},
                      s.moment(segment.carrier, facts.message), from_start_);
  }
}

void StagLife::message_ended(const qp::MessageFacts& facts, const ddp::MessageEnd& end) {
  if (!end.complete || !facts.intact) return;
  const Direction d = facts.direction;
  if (facts.tagged) {
    if (state_ == nullptr || end.length == 0) return;
    StagState* const s = state_->stags.find(State::key(d, facts.stag));
    if (s == nullptr) return;
    s->reach(facts.to, end.length);
    if (facts.opcode == Opcode::rdma_write) {
      s->written.add(facts.to, end.length, state_->moment(end.last, facts.message));
    }
    return;
  }
  // STag 0 is a rule of its own: RM-40.
  if (facts.invalidates && facts.invalidates->value != 0) {
    State& s = state();
    s.invalidate(d, *facts.invalidates, s.moment(end.last, facts.message), end.last.offset, from_start_);
  }
  if (state_ != nullptr && rdmap::is_received(facts.opcode))
    state_->sends[index(d)] = state_->moment(end.last, facts.message);
}

void StagLife::requested(Direction sender, const qp::Request& request) {
  State& s = state();
  Moment now = s.requests[index(sender)];
  if (now.message != request.message || !now.known) now = {.message = request.message, .frame = request.frame};
  now.gaps = s.gaps;
  if (request.atomic) {
    return s.used({sender, request.source_stag, request.source_to, kWordOctets, Access::atomic}, now, from_start_);
  }
  if (request.size == 0) return;
  s.used({sender, request.source_stag, request.source_to, request.size, Access::read}, now, from_start_);
  s.named_as_sink(opposite(sender), request.sink_stag, request, now, from_start_);
}

void StagLife::answered(const qp::Request& request, const qp::MessageFacts& response, const ddp::MessageEnd& end,
                        bool certain, std::optional<std::uint64_t> /*original*/) {
  if (state_ == nullptr || request.atomic || !certain || !end.complete) return;
  StagState* const s = state_->stags.find(State::key(opposite(response.direction), request.source_stag));
  if (s == nullptr || !s->read.last.known || s->read.last.message != request.message) return;
  s->is_read_answered = true;
  s->read_answered = end.last.offset;
}

void StagLife::terminated(const qp::MessageFacts& facts, const rdmap::Terminate& terminate,
                          std::optional<std::uint64_t> names) {
  if (state_ == nullptr || !names || !says_invalid_stag(terminate)) return;
  const Direction d = opposite(facts.direction);
  state_->stags.for_each([&](std::uint64_t key, StagState& s) {
    const STag stag{static_cast<std::uint32_t>(key >> 1)};
    if (key != State::key(d, stag) || !s.invalidated.known || !s.used_since || s.used_message != *names || s.reported)
      return;
    s.reported = true;
    notes_.note({.kind = NoteKind::stag_used_after_invalidate,
                 .direction = d,
                 .message = *names,
                 .other_message = s.invalidated.message,
                 .stag = stag,
                 .to = s.used_to,
                 .frame = s.used_frame,
                 .frames = evidence(s.invalidated.frame, s.used_frame, facts.last_frame),
                 .certain = true});
  });
}

void StagLife::gap(Direction /*direction*/) {
  from_start_ = false;
  if (state_ == nullptr) return;
  ++state_->gaps;
  if (!state_->facts_hold) return;
  state_->facts_hold = false;
  facts_.fact({.kind = StagFact::Kind::gap, .frame = {}});
}

void StagLife::announced(Direction owner, const ulp::Announcement& what, FrameNumber frame) {
  State& st = state();
  StagState& s = st.take(owner, what.stag, frame, from_start_);
  s.renew();
  s.announced_frame = frame;
  s.granted = what.granted;
  s.announced_begin = what.to.value;
  s.announced_end = what.to.value + std::min(what.octets, std::numeric_limits<std::uint64_t>::max() - what.to.value);
  st.facts_hold = true;
  facts_.fact({.kind = StagFact::Kind::announced, .owner = owner, .stag = what.stag, .frame = frame});
}

namespace {

StagRecord record_of(Direction owner, STag stag, const StagState& s) {
  return {.owner = owner,
          .stag = stag,
          .first_frame = s.first_frame,
          .announced_frame = s.announced_frame,
          .invalidated_frame = s.invalidated.known && !s.used_since ? s.invalidated.frame : FrameNumber{},
          .announced_begin = s.announced_begin,
          .announced_end = s.announced_end,
          .seen = s.seen,
          .begin = s.begin,
          .end = s.end};
}

}  // namespace

std::optional<StagRecord> StagLife::find(Direction owner, STag stag) const {
  if (state_ == nullptr) return std::nullopt;
  const StagState* const s = state_->stags.peek(State::key(owner, stag));
  return s != nullptr ? std::optional{record_of(owner, stag, *s)} : std::nullopt;
}

std::vector<StagRecord> StagLife::list() const {
  std::vector<StagRecord> all;
  if (state_ == nullptr) return all;
  state_->stags.for_each([&](std::uint64_t key, const StagState& s) {
    all.push_back(record_of((key & 1) == 0 ? Direction::a_to_b : Direction::b_to_a,
                            STag{static_cast<std::uint32_t>(key >> 1)}, s));
  });
  std::sort(all.begin(), all.end(), [](const StagRecord& x, const StagRecord& y) {
    return std::tuple(x.first_frame, x.owner, x.stag) < std::tuple(y.first_frame, y.owner, y.stag);
  });
  return all;
}

std::size_t StagLife::size() const noexcept {
  return state_ == nullptr ? 0 : state_->stags.size();
}
std::uint64_t StagLife::evicted() const noexcept {
  return state_ == nullptr ? 0 : state_->stags.evicted();
}
std::size_t StagLife::held() const noexcept {
  return state_ == nullptr ? 0 : sizeof(State) + state_->stags.held();
}
void StagLife::trim() noexcept {
  if (state_ != nullptr && state_->stags.size() != 0) {
    from_start_ = false;
    // What others know of this stream's STags can no longer be called back.
    if (state_->facts_hold) facts_.fact({.kind = StagFact::Kind::gap, .frame = {}});
  }
  state_.reset();
}

}  // namespace iwarpscope::emulation
