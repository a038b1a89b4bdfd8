// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "analysis/merger.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <tuple>
#include <utility>

namespace iwarpscope::analysis {
namespace {

// Messages have an index; a finding without one follows what has.
constexpr std::uint64_t kLast = std::numeric_limits<std::uint64_t>::max();

std::tuple<std::uint64_t, std::uint64_t, int> order_in_qp(const Event& e) noexcept {
  if (const auto* m = std::get_if<qp::MessageRecord>(&e.body)) return {index(m->direction), m->index, 0};
  if (const auto* f = std::get_if<findings::Finding>(&e.body)) {
    return {f->direction ? index(*f->direction) : 2, f->message.value_or(kLast), 1};
  }
  return {0, 0, -1};
}

}  // namespace

Merger::Merger(const Options& options, Observer& observer)
    : observer_(observer), cross_(options.limits.findings_per_rule), emulation_(options.emulation), numbers_(kShards) {}

void Merger::take(Reports& reports) {
  std::vector<Event>& events = reports.events;
  const auto by_frame = [](const Event& x, const Event& y) { return x.frame < y.frame; };
  if (!std::is_sorted(events.begin(), events.end(), by_frame)) {
    std::stable_sort(events.begin(), events.end(), by_frame);
  }
  std::vector<CrossEvent*>& facts = facts_;
  facts.resize(reports.facts.size());
  std::transform(reports.facts.begin(), reports.facts.end(), facts.begin(), [](CrossEvent& e) { return &e; });
  const auto fact_by_frame = [](const CrossEvent* x, const CrossEvent* y) { return x->frame < y->frame; };
  if (!std::is_sorted(facts.begin(), facts.end(), fact_by_frame)) {
    std::stable_sort(facts.begin(), facts.end(), fact_by_frame);
  }
  auto from = events.begin();
  auto fact = facts.begin();
  while (from != events.end() || fact != facts.end()) {
    FrameNumber frame = from != events.end() ? from->frame : (*fact)->frame;
    if (fact != facts.end()) frame = std::min(frame, (*fact)->frame);
    const auto to = std::find_if(from, events.end(), [&](const Event& e) { return e.frame != frame; });
    const auto last = std::find_if(fact, facts.end(), [&](const CrossEvent* e) { return e->frame != frame; });
    take_frame(std::span(from, to), std::span(fact, last));
    from = to;
    fact = last;
  }
  events.clear();
  reports.facts.clear();
}

void Merger::number(std::span<const Event> group) {
  std::vector<const Event*> confirmed;
  for (const Event& e : group) {
    if (std::holds_alternative<Event::Confirmed>(e.body)) confirmed.push_back(&e);
  }
  // One frame may show several, where it shows how late it is: whatever shards they are in.
  std::stable_sort(confirmed.begin(), confirmed.end(), [](const Event* x, const Event* y) {
    return std::get<Event::Confirmed>(x->body).first_frame < std::get<Event::Confirmed>(y->body).first_frame;
  });
  for (const Event* const event : confirmed) {
    const Event& e = *event;
    std::vector<std::uint64_t>& numbers = numbers_[e.qp->shard];
    if (e.qp->index >= numbers.size()) numbers.resize(e.qp->index + 1);
    numbers[e.qp->index] = qps_;
    observer_.numbered(*e.qp, qps_);
    places_.emplace(qps_++, *e.qp);
  }
}

void Merger::take_frame(std::span<Event> group, std::span<CrossEvent*> facts) {
  number(group);
  if (facts.empty()) return emit(group);
  put_in_order(facts);
  for (const CrossEvent* e : facts) cross_.take(number_of(e->qp), e->fact, e->frame, e->time);
  if (cross_.has_reported()) {
    std::vector<Event> all = cross_events(facts.front()->frame);
    std::move(group.begin(), group.end(), std::back_inserter(all));
    emit(all);
  } else {
    emit(group);
  }
  cross_.end_frame();
}

/// Where one frame sets free what several queue pairs did before it, that goes in the order in which it passed the tap,
/// then by queue pair. Of one queue pair the order stays.
void Merger::put_in_order(std::span<CrossEvent*> facts) const {
  const auto number = [this](const CrossEvent* e) { return number_of(e->qp); };
  const std::uint64_t first = number(facts.front());
  if (std::ranges::all_of(facts, [&](const CrossEvent* e) { return number(e) == first; })) return;
  std::ranges::stable_sort(facts, {}, number);
  struct Placed {
    FrameNumber passed;
    CrossEvent* fact;
  };
  std::vector<Placed> placed;
  placed.reserve(facts.size());
  for (CrossEvent* const e : facts) {
    FrameNumber passed = emulation::passed_in(e->fact);
    if (!placed.empty() && number(placed.back().fact) == number(e)) passed = std::max(passed, placed.back().passed);
    placed.push_back({passed, e});
  }
  std::ranges::stable_sort(placed, {}, &Placed::passed);
  std::ranges::transform(placed, facts.begin(), &Placed::fact);
}

std::vector<std::uint64_t> Merger::numbers() const {
  std::vector<std::uint64_t> all;
  all.reserve(places_.size());
  for (const auto& [number, place] : places_) all.push_back(number);
  std::sort(all.begin(), all.end());
  return all;
}

void Merger::forget(std::uint64_t number) {
  places_.erase(number);
  cross_.forget(number);
}

void Merger::finish(FrameNumber frame, TimePoint time) {
  cross_.finish(frame, time);
  std::vector<Event> all = cross_events(frame);
  emit(all);
  cross_.end_frame();
}

std::vector<Event> Merger::cross_events(FrameNumber frame) {
  std::vector<Event> events;
  for (CrossStage::Reported& reported : cross_.reported()) {
    Event& e = events.emplace_back();
    e.frame = frame;
    const auto place = places_.find(reported.qp);
    if (place == places_.end()) {  // it was discarded, and what it waited for came
      events.pop_back();
      continue;
    }
    e.qp = place->second;
    std::visit([&e](auto& body) { e.body = std::move(body); }, reported.body);
  }
  return events;
}

void Merger::emit(std::span<Event> group) {
  if (group.size() > 1) {
    std::stable_sort(group.begin(), group.end(), [this](const Event& x, const Event& y) {
      const auto nx = number_of(x), ny = number_of(y);
      return nx != ny ? nx < ny : order_in_qp(x) < order_in_qp(y);
    });
  }
  for (Event& e : group) emit(e);
}

std::int64_t Merger::number_of(const Event& event) const noexcept {
  return event.qp ? static_cast<std::int64_t>(number_of(*event.qp)) : -1;
}

void Merger::emit(Event& event) {
  if (auto* m = std::get_if<qp::MessageRecord>(&event.body)) {
    m->qp = static_cast<std::uint64_t>(number_of(event));
    if (!emulation_ || !cross_.holds(*m)) observer_.message(*m);
  } else if (auto* f = std::get_if<findings::Finding>(&event.body)) {
    if (event.qp) f->qp = static_cast<std::uint64_t>(number_of(event));
    raise(std::move(*f));
  } else if (auto* t = std::get_if<qp::TransportEvent>(&event.body)) {
    t->qp = static_cast<std::uint64_t>(number_of(event));
    observer_.transport(*t);
  }
}

void Merger::raise(findings::Finding finding) {
  const findings::Rule& rule = findings::rule(finding.id);
  switch (rule.severity) {
    case findings::Severity::error: ++counts_.errors; break;
    case findings::Severity::warning: ++counts_.warnings; break;
    case findings::Severity::note: ++counts_.notes; break;
  }
  ++counts_.findings[rule.name];
  observer_.finding(finding);
}

}  // namespace iwarpscope::analysis
