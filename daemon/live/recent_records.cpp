// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "live/recent_records.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace iwarpscope::live {
namespace {

template <class N>
void add_saturating(std::uint32_t& to, N count) noexcept {
  to = static_cast<std::uint32_t>(
      std::min<std::uint64_t>(std::uint64_t{to} + count, std::numeric_limits<std::uint32_t>::max()));
}

void note(Activity& activity, TimePoint time, std::uint64_t octets) noexcept {
  const std::int64_t second = time.ns / 1'000'000'000;
  const std::int64_t steps = second - activity.last_second;
  if (steps >= static_cast<std::int64_t>(Activity::kSeconds)) {
    activity = {};
  } else if (steps > 0) {
    for (auto* row : {&activity.octets, &activity.messages}) {
      std::move(row->begin() + steps, row->end(), row->begin());
      std::fill(row->end() - steps, row->end(), 0u);
    }
  }
  if (steps > 0) activity.last_second = second;
  if (steps <= -static_cast<std::int64_t>(Activity::kSeconds)) return;
  const std::size_t at = Activity::kSeconds - 1 - static_cast<std::size_t>(steps < 0 ? -steps : 0);
  add_saturating(activity.octets[at], octets);
  add_saturating(activity.messages[at], 1u);
}

void add_to(FindingCounts& counts, findings::FindingId id) {
  const findings::Severity severity = findings::rule(id).severity;
  switch (severity) {
    case findings::Severity::error: ++counts.errors; break;
    case findings::Severity::warning: ++counts.warnings; break;
    case findings::Severity::note: ++counts.notes; break;
  }
  if (!counts.worst || findings::rule(*counts.worst).severity < severity) counts.worst = id;
}

/// Copies a entry of what is remembered from `from` on. Returns where the next entry begins.
template <class T>
std::optional<std::uint64_t> copy_page(const Kept<T>& kept, std::uint64_t from, std::size_t most, std::vector<T>& to) {
  if (kept.items == nullptr) return std::nullopt;
  std::uint64_t at = std::max(from, kept.discarded);
  for (; at - kept.discarded < kept.items->size() && to.size() < most; ++at) {
    to.push_back((*kept.items)[at - kept.discarded]);
  }
  return at - kept.discarded < kept.items->size() ? std::optional(at) : std::nullopt;
}

}  // namespace

RecentRecords::QpEntry& RecentRecords::open(std::uint64_t qp, const Losses& losses) {
  QpEntry& entry = qps_[qp];
  entry.losses = losses;
  return entry;
}

RecentRecords::QpEntry* RecentRecords::find(std::uint64_t qp) {
  const auto it = qps_.find(qp);
  return it != qps_.end() ? &it->second : nullptr;
}

void RecentRecords::ended(QpViewPtr view) {
  const std::uint64_t number = view->record.qp;
  QpEntry& entry = qps_[number];
  entry.ended = std::move(view);
  changed(entry);
  ended_order_.push_back(number);
  shorten_ended();
}

void RecentRecords::shorten_ended() {
  while (ended_order_.size() > memory_.ended_qps) {
    // Its messages are passed over when their turn to be discarded comes.
    const auto oldest = qps_.find(ended_order_.front());
    const QpEntry& entry = oldest->second;
    if (entry.ends) change_hosts(entry, entry.share, {});
    if (entry.messages.items != nullptr) messages_.records -= entry.messages.items->size();
    if (entry.transport.items != nullptr) transport_.records -= entry.transport.items->size();
    qps_.erase(oldest);
    ended_order_.pop_front();
    ++ended_discarded_;
  }
}

void RecentRecords::shorten_findings() {
  while (findings_.size() > memory_.findings) {
    findings_.pop_front();
    ++findings_discarded_;
  }
}

void RecentRecords::change(const Memory& memory) {
  memory_ = memory;
  messages_.most = memory.messages;
  transport_.most = memory.transport_events;
  shorten(&QpEntry::messages, messages_);
  shorten(&QpEntry::transport, transport_);
  shorten_findings();
  shorten_ended();
}

void RecentRecords::changed(QpEntry& entry) {
  if (!entry.ends) return;
  const auto narrow = [](std::uint64_t count) {
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(count, std::numeric_limits<std::uint32_t>::max()));
  };
  const HostShare is{.counted = true,
                     .active = entry.ended == nullptr,
                     .failed = entry.failed,
                     .errors = narrow(entry.findings.errors),
                     .warnings = narrow(entry.findings.warnings),
                     .notes = narrow(entry.findings.notes),
                     .payload_octets = entry.traffic.payload_octets};
  if (is == entry.share) return;
  change_hosts(entry, std::exchange(entry.share, is), is);
}

/// Precondition: its ends are known.
void RecentRecords::change_hosts(const QpEntry& entry, const HostShare& was, const HostShare& is) {
  hosts_.change({entry.ends->first.address, entry.ends->second.address, entry.tap_group}, was, is);
}

MessagePtr RecentRecords::message(const qp::MessageRecord& record) {
  auto message = std::make_shared<const qp::MessageRecord>(record);
  QpEntry* const entry = find(record.qp);
  if (entry == nullptr) return message;
  if (entry->activity == nullptr) {
    entry->activity = std::make_unique<Activity>();
    entry->activity->last_second = record.placed_time.ns / 1'000'000'000;
  }
  note(*entry->activity, record.placed_time, record.length);
  keep(record.qp, *entry, &QpEntry::messages, messages_, message);
  return message;
}

void RecentRecords::transport(const qp::TransportEvent& event) {
  if (QpEntry* const entry = find(event.qp)) keep(event.qp, *entry, &QpEntry::transport, transport_, event);
}

template <class T>
void RecentRecords::keep(std::uint64_t qp, QpEntry& entry, Kept<T> QpEntry::*where, Order& order, T item) {
  if (order.most == 0) return;
  auto& items = (entry.*where).items;
  if (items == nullptr) items = std::make_unique<std::deque<T>>();
  items->push_back(std::move(item));
  order.qps.push_back(qp);
  ++order.records;
  shorten(where, order);
}

template <class T>
void RecentRecords::shorten(Kept<T> QpEntry::*where, Order& order) {
  while (order.qps.size() > order.most) {
    QpEntry* const oldest = find(order.qps.front());
    order.qps.pop_front();
    if (oldest == nullptr || (oldest->*where).items == nullptr) continue;
    Kept<T>& from = oldest->*where;
    from.items->pop_front();
    ++from.discarded;
    ++order.discarded;
    --order.records;
    if (from.items->empty()) from.items.reset();
  }
}

void RecentRecords::count(findings::FindingId id, QpEntry* whose) {
  if (whose == nullptr) return;
  add_to(whose->findings, id);
  ++whose->version;
  changed(*whose);
}

FindingPtr RecentRecords::finding(const findings::Finding& finding, QpEntry* whose, FindingSource source) {
  auto view = std::make_shared<FindingView>();
  view->sequence = ++finding_count_;
  view->finding = finding;
  view->began = source.began;
  view->name = std::move(source.name);
  view->name.sequence = next_record();
  if (whose != nullptr) {
    view->ends = whose->ends;
    view->flow = whose->flow;
    view->over_sctp = whose->over_sctp;
  }
  count(finding.id, whose);
  if (memory_.findings == 0) return view;
  findings_.push_back(view);
  shorten_findings();
  return view;
}

MessagePage RecentRecords::messages(std::uint64_t qp, std::uint64_t from, std::size_t most) const {
  MessagePage answer;
  const auto it = qps_.find(qp);
  if (it == qps_.end()) return answer;
  const QpEntry& entry = it->second;
  answer.discarded = entry.messages.discarded;
  answer.next = copy_page(entry.messages, from, most, answer.messages);
  return answer;
}

TransportPage RecentRecords::transport(std::uint64_t qp, std::uint64_t from, std::size_t most) const {
  TransportPage answer;
  const auto it = qps_.find(qp);
  if (it == qps_.end()) return answer;
  const QpEntry& entry = it->second;
  answer.discarded = entry.transport.discarded;
  answer.next = copy_page(entry.transport, from, most, answer.events);
  return answer;
}

bool RecentRecords::add_findings(const FindingFilter& filter, std::uint64_t from, std::size_t most, FindingPage& page,
                                 Slice& slice) const {
  page.discarded = findings_discarded_;
  page.next.reset();
  const std::uint64_t first = findings_.empty() ? finding_count_ + 1 : findings_.front()->sequence;
  std::uint64_t at = std::max(from, first);
  for (; at - first < findings_.size(); ++at, slice.spend(1)) {
    if (page.findings.size() == most || slice.is_used_up()) {
      page.next = at;
      return page.findings.size() == most;
    }
    const FindingPtr& view = findings_[at - first];
    if (filter.matches(*view)) page.findings.push_back(view);
  }
  return true;
}

bool RecentRecords::add_records(const Wanted& wanted, std::size_t most, RecordPage& page, Slice& slice) const {
  const auto ended = [this](std::uint64_t qp) -> const QpViewPtr& { return qps_.find(qp)->second.ended; };
  auto finding = std::upper_bound(findings_.begin(), findings_.end(), page.through,
                                  [](std::uint64_t after, const FindingPtr& f) { return after < f->name.sequence; });
  auto qp = std::upper_bound(ended_order_.begin(), ended_order_.end(), page.through,
                             [&](std::uint64_t after, std::uint64_t its) { return after < ended(its)->name.sequence; });
  for (; finding != findings_.end() || qp != ended_order_.end(); slice.spend(1)) {
    if (page.events.size() == most || slice.is_used_up()) return false;
    const bool is_finding = qp == ended_order_.end() ||
                            (finding != findings_.end() && (*finding)->name.sequence < ended(*qp)->name.sequence);
    Event event = is_finding ? Event{FindingReported{*finding++}} : Event{QpEnded{ended(*qp++)}};
    const std::uint64_t sequence = name_of(event).sequence;
    page.missing += sequence - page.through - 1;
    page.through = sequence;
    if (is_wanted(event, wanted)) page.events.push_back(std::move(event));
  }
  page.missing += record_count_ - page.through;
  page.through = record_count_;
  return true;
}

std::vector<LimitView> RecentRecords::limits() const {
  return {{"remembered-messages", messages_.records, messages_.most, messages_.discarded},
          {"remembered-transport-events", transport_.records, transport_.most, transport_.discarded},
          {"remembered-findings", findings_.size(), memory_.findings, findings_discarded_},
          {"remembered-qps", ended_order_.size(), memory_.ended_qps, ended_discarded_}};
}

}  // namespace iwarpscope::live
