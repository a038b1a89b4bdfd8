// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "emulation/stag_registry.h"

namespace iwarpscope::emulation {

StagRegistry::StagRegistry(Notes& notes, const StagRegistryLimits& limits)
    : notes_(notes), stags_(limits.stags), owners_(limits.owners), most_streams_(limits.streams) {}

std::uint32_t StagRegistry::epoch_of(std::uint64_t qp) {
  const auto it = streams_.find(qp);
  if (it != streams_.end()) return it->second;
  if (streams_.size() >= most_streams_) {
    ++refused_;
    return 0;
  }
  streams_.emplace(qp, ++epoch_);
  return epoch_;
}

bool StagRegistry::is_open(const User& user) const {
  if (user.epoch == 0) return false;
  const auto it = streams_.find(user.qp);
  return it != streams_.end() && it->second == user.epoch;
}

void StagRegistry::fact(std::uint64_t qp, const StagOwner& owner, const net::IpAddress& peer, const StagFact& fact) {
  using enum StagFact::Kind;
  if (fact.kind == gap) {
    streams_.erase(qp);  // a new epoch begins with its next fact
    return;
  }
  const Key key{owner, fact.stag};
  if (fact.kind == invalidated) {
    if (Shared* const s = stags_.find(key)) invalidated_by(*s, qp, fact);
    return;
  }
  const auto is_in_use = [this](const Shared& old) { return is_open(old.first) || is_open(old.other); };
  const auto [s, is_new] = stags_.take(key, is_in_use);
  if (is_new) named(owner, qp, fact);
  if (fact.kind == used) {
    used_by(*s, qp, peer, fact);
  } else {
    announced_to(*s, qp, peer, fact);
  }
  if (is_new) owners_.find(owner)->latest_user = s->first;
}

/// SX-11.
void StagRegistry::named(const StagOwner& owner, std::uint64_t qp, const StagFact& fact) {
  const auto is_in_use = [this](const Sequence& old) { return is_open(old.latest_user); };
  Sequence& sequence = *owners_.take(owner, is_in_use).first;
  const std::uint32_t step = fact.stag.value - sequence.latest;
  if (sequence.begun) sequence.steps = step != 0 && step == sequence.step ? sequence.steps + 1 : 1;
  sequence.begun = true;
  sequence.step = step;
  sequence.latest = fact.stag.value;
  if (sequence.steps < kSteps || sequence.reported) return;
  sequence.reported = true;
  notes_.note({.kind = NoteKind::predictable_stags,
               .direction = fact.owner,
               .message = fact.message,
               .stag = fact.stag,
               .frame = fact.frame,
               .frames = evidence(fact.frame, {}),
               .step = step,
               .qp = qp});
}

/// `user` is the first of a life of this STag.
void StagRegistry::begin(Shared& s, const User& user, const net::IpAddress& peer) {
  s = Shared{.first = user, .first_peer = peer, .is_shared = s.is_shared};
}

/// SX-01.
void StagRegistry::used_by(Shared& s, std::uint64_t qp, const net::IpAddress& peer, const StagFact& fact) {
  const User user{.qp = qp, .epoch = epoch_of(qp), .message = fact.message, .frame = fact.frame, .used = true};
  if (s.first.epoch != 0 && s.first.qp != qp) s.is_shared = true;
  if (!is_open(s.first)) return begin(s, user, peer);
  if (s.first.qp == qp) {
    s.first = user;
    return;
  }
  s.other = user;
  if (s.first_peer == peer || s.announced || s.reported_user) return;
  s.reported_user = true;
  notes_.note({.kind = NoteKind::stag_from_another_stream,
               .direction = fact.owner,
               .message = fact.message,
               .other_message = s.first.message,
               .stag = fact.stag,
               .frame = fact.frame,
               .frames = evidence(s.first.frame, fact.frame),
               .qp = qp,
               .other_qp = s.first.qp});
}

void StagRegistry::announced_to(Shared& s, std::uint64_t qp, const net::IpAddress& peer, const StagFact& fact) {
  const User user{.qp = qp, .epoch = epoch_of(qp), .message = fact.message, .frame = fact.frame};
  if (s.first.epoch != 0 && s.first.qp != qp) s.is_shared = true;
  // To another open stream: its owner means it for both, or now for that one alone.
  if (is_open(s.first) && s.first.qp != qp) {
    s.announced = true;
  } else {
    begin(s, user, peer);
  }
}

/// SX-09.
void StagRegistry::invalidated_by(Shared& s, std::uint64_t qp, const StagFact& fact) {
  const bool first_open = is_open(s.first);
  const bool other_open = is_open(s.other);
  const User* victim = nullptr;
  if (first_open && s.first.qp == qp) {
    if (other_open && s.first.used && s.first.frame <= s.other.frame) victim = &s.other;
  } else if (first_open && !(other_open && s.other.qp == qp)) {
    victim = &s.first;
  }
  if (victim != nullptr && victim->used && !s.announced) {
    notes_.note({.kind = NoteKind::invalidated_while_in_use,
                 .direction = fact.owner,
                 .message = fact.message,
                 .other_message = victim->message,
                 .stag = fact.stag,
                 .frame = fact.frame,
                 .frames = evidence(victim->frame, fact.frame),
                 .qp = qp,
                 .other_qp = victim->qp});
  }
  s = Shared{.is_shared = s.is_shared};
}

void StagRegistry::ended(std::uint64_t qp) {
  streams_.erase(qp);
}

bool StagRegistry::is_shared(const StagOwner& owner, STag stag) const {
  const Shared* const s = stags_.peek(Key{owner, stag});
  return s != nullptr && s->is_shared;
}

std::size_t StagRegistry::held() const noexcept {
  return stags_.held() + owners_.held() + streams_.capacity() * (sizeof(std::pair<std::uint64_t, std::uint32_t>) + 1);
}

}  // namespace iwarpscope::emulation
