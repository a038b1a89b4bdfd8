#include "analysis/merger.h"

#include <algorithm>
#include <limits>
#include <tuple>

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

Merger::Merger(Observer& observer) : observer_(observer), numbers_(kShards) {}

void Merger::take(std::vector<Event>& events) {
  if (events.empty()) return;
  const auto by_frame = [](const Event& x, const Event& y) { return x.frame < y.frame; };
  if (!std::is_sorted(events.begin(), events.end(), by_frame)) {
    std::stable_sort(events.begin(), events.end(), by_frame);
  }
  auto from = events.begin();
  while (from != events.end()) {
    auto to = std::find_if(from, events.end(), [&](const Event& e) { return e.frame != from->frame; });
    for (auto it = from; it != to; ++it) {
      if (!std::holds_alternative<Event::Confirmed>(it->body)) continue;
      numbers_[it->qp->shard].push_back(places_.size());
      places_.push_back(*it->qp);
    }
    if (to - from > 1) {
      std::stable_sort(from, to, [this](const Event& x, const Event& y) {
        const auto nx = number_of(x), ny = number_of(y);
        return nx != ny ? nx < ny : order_in_qp(x) < order_in_qp(y);
      });
    }
    for (auto it = from; it != to; ++it) emit(*it);
    from = to;
  }
  events.clear();
}

std::int64_t Merger::number_of(const Event& event) const noexcept {
  return event.qp ? static_cast<std::int64_t>(numbers_[event.qp->shard][event.qp->index]) : -1;
}

void Merger::emit(Event& event) {
  if (auto* m = std::get_if<qp::MessageRecord>(&event.body)) {
    m->qp = static_cast<std::uint64_t>(number_of(event));
    observer_.message(*m);
  } else if (auto* f = std::get_if<findings::Finding>(&event.body)) {
    if (event.qp) f->qp = static_cast<std::uint64_t>(number_of(event));
    finding(*f);
  }
}

void Merger::finding(const findings::Finding& finding) {
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
