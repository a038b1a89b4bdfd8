// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "qp/queue_pair.h"

#include <algorithm>
#include <utility>

#include "qp/direction/digest.h"
#include "qp/direction/terminate_rules.h"
#include "qp/queue_pair_state.h"

namespace iwarpscope::qp {
namespace {

using findings::FindingId;

constexpr std::size_t kMostPendingFindings = 64;  // held until the queue pair is known to be iWARP

/// LLP, MPA: marker and ULPDU_Length disagree. Source: RFC 5044 §8.
constexpr findings::TerminateCode kMarkerError{2, 0, 3};

}  // namespace

Environment::Environment(std::size_t buffer_octets) : budget(buffer_octets) {}
Environment::~Environment() = default;

QueuePair::Impl::Impl(Environment& environment, const Identity& identity, Events& sink, Observation* observer)
    : Common(environment, sink),
      a_(identity.a),
      b_(identity.b),
      first_frame_(identity.first_frame),
      first_time_(identity.first_time),
      exchange_(*this),
      halves_{Half(Direction::a_to_b, *this, exchange_), Half(Direction::b_to_a, *this, exchange_)} {
  observation = observer;
  roles = identity.roles;
}
QueuePair::Impl::~Impl() = default;

void QueuePair::Impl::finish(FrameNumber at_frame, TimePoint at_time) {
  frame = at_frame;
  time = at_time;
  finish_llp();
  for (const Direction d : kDirections) exchange_.settle_early(d);
  for (Half& half : halves_) half.settle(false);
  if (confirmed) conclude();
}

void QueuePair::Impl::raise(findings::Finding finding) {
  if (is_premature(finding)) return;
  if (finding.id == FindingId::mpa_crc_not_computed && finding.direction) no_crcs[index(*finding.direction)] = true;
  if (finding.direction && findings::rule(finding.id).refused_with.contains(kMarkerError)) {
    marker_errors[index(*finding.direction)] = true;
  }
  if (finding.frames.empty()) finding.frames = {finding.frame.value != 0 ? finding.frame : frame};
  std::sort(finding.frames.begin(), finding.frames.end());
  finding.frames.erase(std::unique(finding.frames.begin(), finding.frames.end()), finding.frames.end());
  faults.note(finding);
  if (confirmed) {
    deliver(std::move(finding));
  } else {
    if (pending_ == nullptr) pending_ = std::make_unique<std::vector<findings::Finding>>();
    if (pending_->size() < kMostPendingFindings) pending_->push_back(std::move(finding));
  }
}

void QueuePair::Impl::confirm() {
  if (confirmed) return;
  confirmed = true;
  events.confirmed(frame);
  if (const auto held = std::move(pending_); held != nullptr) {
    for (findings::Finding& finding : *held) deliver(std::move(finding));
  }
  if (midstream) {
    findings::Finding f;
    f.id = FindingId::capture_joined_midstream;
    f.frames = {first_frame_, frame};
    f.text = midstream_text();
    deliver(std::move(f));
  }
}

void QueuePair::Impl::deliver(findings::Finding finding) {
  if (found_ == nullptr) found_ = std::make_unique<Found>();
  note(finding);
  switch (found_->filter.ask(finding.id, finding.direction, env.findings_per_rule)) {
    case FindingFilter::Answer::repeated:
    case FindingFilter::Answer::over_limit: return;
    case FindingFilter::Answer::first_over_limit: finding = limit_reached(finding, env.findings_per_rule); break;
    case FindingFilter::Answer::report: break;
  }
  finding.frame = frame;
  finding.time = time;
  events.finding(std::move(finding));
}

void QueuePair::Impl::conclude() {
  for (const Direction d : kDirections) judge_ignored_error(*this, d);
}

void QueuePair::Impl::raise_one_sided(std::string text) {
  findings::Finding f;
  f.id = FindingId::capture_one_sided;
  f.direction = coverage[0].is_captured() ? Direction::a_to_b : Direction::b_to_a;
  f.frames = {first_frame_, last_frame_};
  f.text = std::move(text);
  raise(std::move(f));
}

QueuePair::QueuePair(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
QueuePair::~QueuePair() = default;

void QueuePair::finish(FrameNumber frame, TimePoint time) {
  impl_->finish(frame, time);
}
bool QueuePair::is_confirmed() const noexcept {
  return impl_->confirmed;
}
bool QueuePair::is_closed() const noexcept {
  return impl_->is_closed();
}
const net::Endpoint& QueuePair::end_a() const noexcept {
  return impl_->a_;
}
const net::Endpoint& QueuePair::end_b() const noexcept {
  return impl_->b_;
}
FrameNumber QueuePair::first_frame() const noexcept {
  return impl_->first_frame_;
}
TimePoint QueuePair::last_time() const noexcept {
  return impl_->last_time_;
}
bool QueuePair::was_begin_seen() const noexcept {
  return impl_->was_begin_seen();
}
Moment QueuePair::first_close() const noexcept {
  return impl_->first_close();
}
Moment QueuePair::last_message(Direction direction) const noexcept {
  return impl_->halves_[index(direction)].messages().last_message();
}
std::uint64_t QueuePair::mirror_duplicates() const noexcept {
  return impl_->mirror_duplicates();
}
std::uint64_t QueuePair::suppressed_findings() const noexcept {
  return impl_->found_ != nullptr ? impl_->found_->filter.suppressed() : 0;
}
std::uint64_t QueuePair::messages() const noexcept {
  return impl_->halves_[0].messages().messages() + impl_->halves_[1].messages().messages();
}
std::optional<std::string_view> QueuePair::ulp() const {
  return impl_->ulp();
}
QpRecord QueuePair::record() const {
  return impl_->record();
}
bool QueuePair::was_known_before(Direction direction, const ddp::Carrier& at) const noexcept {
  return impl_->was_known_before(direction, at);
}
void QueuePair::report(findings::Finding finding) {
  impl_->raise(std::move(finding));
}
void QueuePair::trim() {
  impl_->trim();
}

}  // namespace iwarpscope::qp
