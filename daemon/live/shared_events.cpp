// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "live/shared_events.h"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

namespace iwarpscope::live {
namespace {

/// Some microseconds.
constexpr std::size_t kMostLooks = 1000;
/// What an allocation takes beside its octets.
constexpr std::size_t kAllocation = 16;

std::size_t beside(const std::string& text) noexcept {
  return text.capacity() <= std::string{}.capacity() ? 0 : text.capacity() + 1 + kAllocation;
}
template <class T>
std::size_t beside(const std::vector<T>& all) noexcept {
  return all.capacity() == 0 ? 0 : all.capacity() * sizeof(T) + kAllocation;
}
std::size_t beside(const RecordName& name) noexcept {
  return beside(name.interface) + beside(name.tap_group) + beside(name.community_id);
}
std::size_t beside(const qp::VerdictRecord& verdict) noexcept {
  return beside(verdict.text) + beside(verdict.evidence) + beside(verdict.next) + beside(verdict.id) +
         beside(verdict.code) + beside(verdict.cause);
}

/// With the counters of a shared_ptr.
template <class T>
constexpr std::size_t kShared = sizeof(T) + 2 * kAllocation;

std::size_t octets_at(const QpViewPtr& view) noexcept {
  const qp::QpRecord& record = view->record;
  std::size_t all = kShared<QpView> + beside(view->name) + beside(record.stags) + beside(record.summary.findings);
  if (record.verdict) all += beside(*record.verdict);
  if (record.negotiated) all += beside(record.negotiated->sentence);
  if (!record.startup) return all;
  if (record.startup->request) all += beside(record.startup->request->private_data);
  if (record.startup->reply) all += beside(record.startup->reply->private_data);
  return all;
}
std::size_t octets_at(const MessagePtr& message) noexcept {
  const auto* const terminate = std::get_if<qp::TerminateDetail>(&message->detail);
  if (terminate == nullptr) return kShared<qp::MessageRecord>;
  return kShared<qp::MessageRecord> + beside(terminate->name) + beside(terminate->terminated_ddp) +
         beside(terminate->terminated_rdmap);
}
std::size_t octets_at(const FindingPtr& view) noexcept {
  const findings::Finding& finding = view->finding;
  return kShared<FindingView> + beside(view->name) + beside(finding.frames) + beside(finding.seen) +
         beside(finding.expected) + beside(finding.text);
}
/// Messages of failed operations may be remembered nowhere else.
std::size_t octets_at(const std::vector<FailedOperation>& failed) noexcept {
  std::size_t all = beside(failed);
  for (const FailedOperation& operation : failed) all += octets_at(operation.message);
  return all;
}

struct EventOctets {
  std::size_t operator()(const QpOpened& event) const noexcept { return octets_at(event.qp); }
  std::size_t operator()(const QpChanged& event) const noexcept { return octets_at(event.qp); }
  std::size_t operator()(const QpEnded& event) const noexcept { return octets_at(event.qp) + octets_at(event.failed); }
  std::size_t operator()(const MessageReported& event) const noexcept { return octets_at(event.message); }
  std::size_t operator()(const FindingReported& event) const noexcept {
    return octets_at(event.finding) + octets_at(event.failed);
  }
};

}  // namespace

std::size_t octets_of(const Event& event) noexcept {
  return sizeof(Event) + std::visit(EventOctets{}, event);
}

void SharedEvents::add(Reader& reader) {
  reader.next = end();
  readers_.push_back(&reader);
}

template <class Use>
bool SharedEvents::next(Reader& reader, std::size_t& looks, Use&& use) {
  reader.next = std::max(reader.next, first_);  // what was given up before had no reader left
  while (reader.waiting.load(std::memory_order_relaxed) != 0 && looks != 0) {
    --looks;
    Item& its = item(reader.next++);
    if (its.octets == 0 || !is_wanted(its.event, reader.wanted)) continue;
    reader.waiting.fetch_sub(1, std::memory_order_relaxed);
    use(its);
    return true;
  }
  return false;
}

/// One of its readers is done with it.
void SharedEvents::release(Item& item) {
  if (--item.left != 0) return;
  shrink(std::exchange(item.octets, 0));
  item.event = Event{};
}

bool SharedEvents::drop(Reader& reader) {
  reader.is_leaving = true;
  std::size_t looks = kMostLooks;
  while (next(reader, looks, [this](Item& its) { release(its); })) {
  }
  keep_to_budget();
  if (reader.waiting.load(std::memory_order_relaxed) != 0) return false;
  std::erase(readers_, &reader);
  return true;
}

bool SharedEvents::take(Reader& reader, std::size_t most, std::vector<Event>& to) {
  std::size_t looks = kMostLooks;
  const auto give = [&](Item& its) {
    to.push_back(its.left == 1 ? std::move(its.event) : its.event);
    release(its);
  };
  while (to.size() < most && next(reader, looks, give)) {
  }
  keep_to_budget();
  return to.size() >= most || reader.waiting.load(std::memory_order_relaxed) == 0;
}

void SharedEvents::lose_oldest(Reader& reader) {
  std::size_t looks = std::numeric_limits<std::size_t>::max();
  if (next(reader, looks, [this](Item& its) { release(its); })) reader.lost.fetch_add(1, std::memory_order_relaxed);
}

void SharedEvents::keep_to_budget() {
  while (!items_.empty() && (items_.front().left == 0 || octets() > most_octets_)) {
    for (Reader* const reader : readers_) {
      if (items_.front().left == 0) break;
      if (reader->next <= first_ && is_wanted(items_.front().event, reader->wanted)) lose_oldest(*reader);
    }
    shrink(items_.front().octets + sizeof(Item));
    items_.pop_front();
    ++first_;
  }
}

void SharedEvents::tell(const Event& event) {
  std::uint32_t left = 0;
  for (Reader* const reader : readers_) {
    if (reader->is_leaving || !is_wanted(event, reader->wanted)) continue;
    if (reader->waiting.fetch_add(1, std::memory_order_relaxed) == 0) reader->next = end();
    ++left;
  }
  if (left == 0) return;
  const std::size_t octets = octets_of(event);
  items_.push_back({event, octets, left});
  grow(octets + sizeof(Item));
  for (Reader* const reader : readers_) {
    if (reader->waiting.load(std::memory_order_relaxed) > reader->wanted.queue) lose_oldest(*reader);
  }
  keep_to_budget();
}

}  // namespace iwarpscope::live
