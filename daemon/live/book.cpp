#include "live/book.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace iwarpscope::live {
namespace {

/// Looked through for one answer at most, so that none takes long.
constexpr std::size_t kMostLookedAt = 20'000;

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

void count(FindingCounts& counts, findings::FindingId id) {
  const findings::Severity severity = findings::rule(id).severity;
  switch (severity) {
    case findings::Severity::error: ++counts.errors; break;
    case findings::Severity::warning: ++counts.warnings; break;
    case findings::Severity::note: ++counts.notes; break;
  }
  if (!counts.worst || findings::rule(*counts.worst).severity < severity) counts.worst = id;
}

/// Copies a page of what is remembered from `from` on; the first of them is the `forgotten`th. Returns where the next
/// page begins.
template <class T>
std::optional<std::uint64_t> copy_page(const std::deque<T>& items, std::uint64_t forgotten, std::uint64_t from,
                                       std::size_t most, std::vector<T>& to) {
  std::uint64_t at = std::max(from, forgotten);
  for (; at - forgotten < items.size() && to.size() < most; ++at) to.push_back(items[at - forgotten]);
  return at - forgotten < items.size() ? std::optional(at) : std::nullopt;
}

}  // namespace

Book::Page& Book::open(std::uint64_t qp, const Losses& losses) {
  Page& page = pages_[qp];
  page.losses = losses;
  return page;
}

Book::Page* Book::find(std::uint64_t qp) {
  const auto it = pages_.find(qp);
  return it != pages_.end() ? &it->second : nullptr;
}

void Book::ended(QpViewPtr view) {
  const std::uint64_t number = view->record.qp;
  pages_[number].ended = std::move(view);
  ended_order_.push_back(number);
  if (ended_order_.size() <= memory_.ended_qps) return;
  // Its messages are passed over when their turn to be forgotten comes.
  pages_.erase(ended_order_.front());
  ended_order_.pop_front();
  ++ended_forgotten_;
}

MessagePtr Book::message(const qp::MessageRecord& record) {
  auto message = std::make_shared<const qp::MessageRecord>(record);
  Page* const page = find(record.qp);
  if (page == nullptr) return message;
  if (page->activity == nullptr) {
    page->activity = std::make_unique<Activity>();
    page->activity->last_second = record.placed_time.ns / 1'000'000'000;
  }
  note(*page->activity, record.placed_time, record.length);
  if (memory_.messages == 0) return message;
  if (page->messages == nullptr) page->messages = std::make_unique<std::deque<MessagePtr>>();
  page->messages->push_back(message);
  message_order_.push_back(record.qp);
  if (message_order_.size() > memory_.messages) forget_message();
  return message;
}

void Book::forget_message() {
  Page* const page = find(message_order_.front());
  message_order_.pop_front();
  if (page == nullptr || page->messages == nullptr) return;
  page->messages->pop_front();
  ++page->forgotten;
  ++messages_forgotten_;
  if (page->messages->empty()) page->messages.reset();
}

void Book::transport(const qp::TransportEvent& event) {
  Page* const page = find(event.qp);
  if (page == nullptr || memory_.transport_events == 0) return;
  if (page->transport == nullptr) page->transport = std::make_unique<std::deque<qp::TransportEvent>>();
  page->transport->push_back(event);
  transport_order_.push_back(event.qp);
  if (transport_order_.size() > memory_.transport_events) forget_transport();
}

void Book::forget_transport() {
  Page* const page = find(transport_order_.front());
  transport_order_.pop_front();
  if (page == nullptr || page->transport == nullptr) return;
  page->transport->pop_front();
  ++page->transport_forgotten;
  ++transport_forgotten_;
  if (page->transport->empty()) page->transport.reset();
}

FindingPtr Book::finding(const findings::Finding& finding, Page* whose) {
  auto view = std::make_shared<FindingView>();
  view->sequence = ++finding_count_;
  view->finding = finding;
  if (whose != nullptr) {
    view->ends = whose->ends;
    view->flow = whose->flow;
    count(whose->findings, finding.id);
    ++whose->version;
  }
  if (memory_.findings == 0) return view;
  findings_.push_back(view);
  if (findings_.size() > memory_.findings) {
    findings_.pop_front();
    ++findings_forgotten_;
  }
  return view;
}

MessagePage Book::messages(std::uint64_t qp, std::uint64_t from, std::size_t most) const {
  MessagePage answer;
  const auto it = pages_.find(qp);
  if (it == pages_.end()) return answer;
  const Page& page = it->second;
  answer.forgotten = page.forgotten;
  if (page.messages != nullptr) {
    answer.next = copy_page(*page.messages, page.forgotten, from, most, answer.messages);
  }
  return answer;
}

TransportPage Book::transport(std::uint64_t qp, std::uint64_t from, std::size_t most) const {
  TransportPage answer;
  const auto it = pages_.find(qp);
  if (it == pages_.end()) return answer;
  const Page& page = it->second;
  answer.forgotten = page.transport_forgotten;
  if (page.transport != nullptr) {
    answer.next = copy_page(*page.transport, page.transport_forgotten, from, most, answer.events);
  }
  return answer;
}

FindingPage Book::findings(const FindingFilter& filter, std::uint64_t from, std::size_t most) const {
  FindingPage answer;
  answer.forgotten = findings_forgotten_;
  const std::uint64_t first = findings_.empty() ? finding_count_ + 1 : findings_.front()->sequence;
  std::uint64_t at = std::max(from, first);
  for (std::size_t looked = 0; at - first < findings_.size(); ++at, ++looked) {
    if (answer.findings.size() == most || looked == kMostLookedAt) {
      answer.next = at;
      break;
    }
    const FindingPtr& view = findings_[at - first];
    if (filter.matches(*view)) answer.findings.push_back(view);
  }
  return answer;
}

std::vector<LimitView> Book::limits() const {
  return {{"remembered-messages", message_order_.size(), memory_.messages, messages_forgotten_},
          {"remembered-transport-events", transport_order_.size(), memory_.transport_events, transport_forgotten_},
          {"remembered-findings", findings_.size(), memory_.findings, findings_forgotten_},
          {"remembered-qps", ended_order_.size(), memory_.ended_qps, ended_forgotten_}};
}

}  // namespace iwarpscope::live
