// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// A directory that holds what a test puts into it, and sends the events that a test gives it.
#pragma once

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <iterator>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "live/directory.h"

namespace iwarpscope::live {

/// Both ends of a bounded queue; the directory sends, the subscriber waits.
struct FakeChannel {
  explicit FakeChannel(Wanted its_wanted) : wanted(std::move(its_wanted)) {}
  const Wanted wanted;
  std::mutex mutex;
  std::condition_variable came;
  std::deque<Event> queue;
  std::uint64_t lost = 0;
  bool closed = false, superseded = false, cancelled = false;

  void tell(const Event& event) {
    const std::lock_guard lock(mutex);
    if (queue.size() >= wanted.queue) {
      ++lost;
      return;
    }
    queue.push_back(event);
    came.notify_all();
  }
  void close() {
    const std::lock_guard lock(mutex);
    closed = true;
    came.notify_all();
  }
  void supersede() {
    const std::lock_guard lock(mutex);
    closed = superseded = true;
    came.notify_all();
  }
};

class FakeSubscription final : public Subscription {
 public:
  explicit FakeSubscription(std::shared_ptr<FakeChannel> channel) : channel_(std::move(channel)) {}
  std::vector<Event> wait(std::chrono::milliseconds most) override {
    std::unique_lock lock(channel_->mutex);
    channel_->came.wait_for(lock, most,
                            [&] { return !channel_->queue.empty() || channel_->closed || channel_->cancelled; });
    channel_->cancelled = false;
    std::vector<Event> all(channel_->queue.begin(), channel_->queue.end());
    channel_->queue.clear();
    return all;
  }
  std::vector<Event> take(std::size_t most) override {
    const std::lock_guard lock(channel_->mutex);
    const auto end = channel_->queue.begin() + static_cast<std::ptrdiff_t>(std::min(most, channel_->queue.size()));
    std::vector<Event> some(channel_->queue.begin(), end);
    channel_->queue.erase(channel_->queue.begin(), end);
    return some;
  }
  std::uint64_t lost() const noexcept override {
    const std::lock_guard lock(channel_->mutex);
    return channel_->lost;
  }
  std::size_t waiting() const noexcept override {
    const std::lock_guard lock(channel_->mutex);
    return channel_->queue.size();
  }
  bool is_closed() const noexcept override {
    const std::lock_guard lock(channel_->mutex);
    return channel_->closed;
  }
  bool is_superseded() const noexcept override {
    const std::lock_guard lock(channel_->mutex);
    return channel_->superseded;
  }
  void cancel() noexcept override {
    const std::lock_guard lock(channel_->mutex);
    channel_->cancelled = true;
    channel_->came.notify_all();
  }

 private:
  std::shared_ptr<FakeChannel> channel_;
};

/// Answers from its members, which a test fills before it asks; `trouble` makes every question fail.
class FakeDirectory final : public Directory {
 public:
  Status now;                                    ///< while a daemon runs, only by change()
  std::vector<QpViewPtr> known_qps;              ///< by number; while a daemon runs, only in change()
  std::vector<MessagePtr> known_messages;        ///< of all queue pairs, in the order in which they were decided
  std::vector<qp::TransportEvent> known_events;  ///< likewise
  std::vector<FindingPtr> known_findings;        ///< by sequence
  std::vector<HostRow> known_hosts, known_pairs;
  std::string trouble;
  RecordPlace last;  ///< record

  /// To every subscriber, whatever it wanted.
  void tell(const Event& event) {
    for (const auto& channel : channels()) channel->tell(event);
  }
  void close() {
    for (const auto& channel : channels()) channel->close();
  }

  template <class Change>
  void change(Change change) {
    const std::lock_guard lock(now_mutex_);
    change(now);
  }
  Status status() override {
    const std::lock_guard lock(now_mutex_);
    return now;
  }
  /// At a centre, the sensors of its status are there.
  std::string sensor_trouble(const std::string& name, bool /*at_once*/) override {
    const std::lock_guard lock(now_mutex_);
    const bool is_there =
        std::any_of(now.sensors.begin(), now.sensors.end(), [&](const SensorView& one) { return one.name == name; });
    return is_there || !now.is_centre ? std::string{} : "no sensor " + name;
  }
  Answer<QpPage> qps(const QpFilter& filter, std::uint64_t from, std::size_t most, const Caller&) override {
    std::vector<QpViewPtr> its;
    const std::lock_guard lock(now_mutex_);
    std::copy_if(known_qps.begin(), known_qps.end(), std::back_inserter(its),
                 [&](const QpViewPtr& qp) { return filter.matches(*qp); });
    return page<QpPage>(its, &QpPage::qps, from, most, [](const QpViewPtr& qp) { return qp->record.qp; });
  }
  Answer<QpViewPtr> qp(std::uint64_t number, const Caller&) override {
    if (!trouble.empty()) return tl::unexpected(trouble);
    for (const QpViewPtr& qp : known_qps) {
      if (qp->record.qp == number) return qp;
    }
    return QpViewPtr{};
  }
  Answer<MessagePage> messages(std::uint64_t qp, std::uint64_t from, std::size_t most, const Caller&) override {
    std::vector<MessagePtr> its;
    for (const MessagePtr& message : known_messages) {
      if (message->qp == qp) its.push_back(message);
    }
    std::uint64_t place = 0;
    return page<MessagePage>(its, &MessagePage::messages, from, most, [&](const MessagePtr&) { return place++; });
  }
  Answer<TransportPage> transport(std::uint64_t qp, std::uint64_t from, std::size_t most, const Caller&) override {
    std::vector<qp::TransportEvent> its;
    std::copy_if(known_events.begin(), known_events.end(), std::back_inserter(its),
                 [qp](const qp::TransportEvent& event) { return event.qp == qp; });
    std::uint64_t place = 0;
    return page<TransportPage>(its, &TransportPage::events, from, most,
                               [&](const qp::TransportEvent&) { return place++; });
  }
  Answer<FindingPage> findings(const FindingFilter& filter, std::uint64_t from, std::size_t most,
                               const Caller&) override {
    std::vector<FindingPtr> its;
    for (const FindingPtr& finding : known_findings) {
      if (filter.matches(*finding)) its.push_back(finding);
    }
    return page<FindingPage>(its, &FindingPage::findings, from, most,
                             [](const FindingPtr& finding) { return finding->sequence; });
  }
  Answer<HostPage> hosts(bool pairs, const HostKey& from, std::size_t most, const Caller&) override {
    if (!trouble.empty()) return tl::unexpected(trouble);
    HostPage page;
    for (const HostRow& row : pairs ? known_pairs : known_hosts) {
      const HostKey key{row.host, row.peer.value_or(net::IpAddress{})};
      if (key < from) continue;
      if (page.rows.size() == most) {
        page.next = key;
        break;
      }
      page.rows.push_back(row);
    }
    return page;
  }
  std::unique_ptr<Subscription> subscribe(const Wanted& wanted) override {
    const std::lock_guard lock(mutex_);
    return std::make_unique<FakeSubscription>(channels_.emplace_back(std::make_shared<FakeChannel>(wanted)));
  }
  RecordPlace last_record() override { return last; }
  /// Gives known_findings alone.
  Answer<Resumed> resume(const Wanted& wanted, std::uint64_t after, std::size_t most, const Caller&) override {
    if (!trouble.empty()) return tl::unexpected(trouble);
    Resumed resumed;
    resumed.page.through = after;
    for (const FindingPtr& finding : known_findings) {
      const std::uint64_t sequence = finding->name.sequence;
      if (sequence <= after) continue;
      if (resumed.page.events.size() == most) return resumed;
      resumed.page.missing += sequence - resumed.page.through - 1;
      resumed.page.through = sequence;
      resumed.page.events.emplace_back(FindingReported{finding});
    }
    resumed.subscription = subscribe(wanted);
    return resumed;
  }
  /// One for each subscription that was ever made.
  std::vector<std::shared_ptr<FakeChannel>> channels() {
    const std::lock_guard lock(mutex_);
    return channels_;
  }

 private:
  template <class Page, class T, class Place>
  Answer<Page> page(const std::vector<T>& all, std::vector<T> Page::*member, std::uint64_t from, std::size_t most,
                    Place place) {
    if (!trouble.empty()) return tl::unexpected(trouble);
    Page page;
    for (const T& one : all) {
      const std::uint64_t at = place(one);
      if (at < from) continue;
      if ((page.*member).size() == most) {
        page.next = at;
        break;
      }
      (page.*member).push_back(one);
    }
    return page;
  }

  std::mutex now_mutex_;
  std::mutex mutex_;
  std::vector<std::shared_ptr<FakeChannel>> channels_;
};

}  // namespace iwarpscope::live
