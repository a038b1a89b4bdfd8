// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "models/ladder/message_store.h"

#include <algorithm>
#include <utility>

#include "report/qp_words.h"

namespace iwarpscope::gui {
namespace {

constexpr std::size_t kMostWanted = 16;  // pages; a user who scrolls fast needs the latest one
constexpr std::uint32_t kEventsAtOnce = 5000;

}  // namespace

std::uint64_t messages_of(const live::QpView& qp) noexcept {
  return report::message_count(qp.record.directions[0]) + report::message_count(qp.record.directions[1]);
}

MessageStore::MessageStore(AskMessages ask_messages, AskTransport ask_transport, QObject* parent)
    : MessageStore(std::move(ask_messages), std::move(ask_transport), Limits(), parent) {}

MessageStore::MessageStore(AskMessages ask_messages, AskTransport ask_transport, const Limits& limits, QObject* parent)
    : QObject(parent),
      ask_messages_(std::move(ask_messages)),
      ask_transport_(std::move(ask_transport)),
      limits_(limits) {}

void MessageStore::open(const std::optional<live::QpView>& qp) {
  ++generation_;
  qp_.reset();
  begin_ = end_ = passed_ = 0;
  asking_ = false;
  events_ = Events::unasked;
  wanted_.clear();
  pages_.clear();
  used_.clear();
  transport_.clear();
  next_event_ = transport_left_out_ = 0;
  if (qp) qp_ = qp->record.qp;
  emit reset();
  if (qp) follow(*qp);
}

void MessageStore::follow(const live::QpView& qp) {
  if (!qp_ || qp.record.qp != *qp_) return;
  // A message is counted before it is decided: fewer may be available.
  set_range(begin_, std::max(end_, messages_of(qp)));
  go_on();
  ask_events();
}

double MessageStore::progress() const noexcept {
  const std::uint64_t end = pass_end();
  if (end <= begin_) return 1;
  return static_cast<double>(std::min(std::max(passed_, begin_), end) - begin_) / static_cast<double>(end - begin_);
}

std::uint64_t MessageStore::pass_end() const noexcept {
  return end_ - begin_ > limits_.messages ? begin_ + limits_.messages : end_;
}

const qp::MessageRecord* MessageStore::at(std::uint64_t place) {
  if (place < begin_ || place >= end_) return nullptr;
  const std::uint64_t number = place / kPage;
  const auto page = pages_.find(number);
  const std::size_t within = place % kPage;
  if (page != pages_.end() && within < page->second.messages.size() &&
      page->second.messages[within].first_frame.value != 0) {
    used_.splice(used_.begin(), used_, page->second.use);
    return &page->second.messages[within];
  }
  if (wanted_.size() >= kMostWanted) wanted_.clear();
  wanted_.insert(number);
  go_on();
  return nullptr;
}

void MessageStore::set_range(std::uint64_t begin, std::uint64_t end) {
  if (begin == begin_ && end == end_) return;
  begin_ = begin;
  end_ = std::max(begin, end);
  emit resized();
}

/// Pages that are needed for display come first, then the next page of the pass.
void MessageStore::go_on() {
  if (!qp_ || asking_) return;
  if (!wanted_.empty()) {
    const std::uint64_t page = *wanted_.begin();
    wanted_.erase(wanted_.begin());
    return ask(page * kPage, kPage, false);
  }
  if (passed_ < pass_end()) {
    // Pages begin at multiples of their size, so that pages of the pass can be kept.
    ask(passed_, kPage - static_cast<std::uint32_t>(passed_ % kPage), true);
  }
}

void MessageStore::ask(std::uint64_t from, std::uint32_t most, bool is_pass) {
  asking_ = true;
  ask_messages_(*qp_, from, most, this, [this, from, is_pass, g = generation_](const auto& answer) {
    if (g == generation_) take(from, is_pass, answer);
  });
}

void MessageStore::take(std::uint64_t asked, bool is_pass, const tl::expected<MessageRows, api::Failure>& answer) {
  asking_ = false;
  if (!answer) {
    emit failed(QString::fromStdString(answer.error().sentence));
    return;  // follow() tries again
  }
  const MessageRows& rows = *answer;
  const std::uint64_t behind = rows.from + rows.messages.size();
  set_range(std::max(begin_, rows.discarded), std::max(end_, behind));
  const std::uint64_t generation = generation_;
  if (!rows.messages.empty()) keep(rows.from / kPage, rows);
  if (is_pass) {
    passed_ = std::max(behind, asked);
    if (!rows.messages.empty()) emit passed(rows);
  }
  if (!rows.messages.empty()) emit loaded(rows.from, rows.messages.size());
  // At the end of the decided messages, follow() continues.
  const bool is_at_end = is_pass && rows.messages.empty();
  if (generation == generation_ && (!is_at_end || !wanted_.empty())) go_on();
}

void MessageStore::keep(std::uint64_t number, const MessageRows& rows) {
  const auto [at, is_new] = pages_.try_emplace(number);
  Page& page = at->second;
  if (is_new) {
    used_.push_front(number);
    page.use = used_.begin();
  }
  const std::size_t within = rows.from % kPage;
  const std::size_t count = std::min<std::size_t>(rows.messages.size(), kPage - within);
  page.messages.resize(std::max(page.messages.size(), within + count));
  std::copy_n(rows.messages.begin(), count, page.messages.begin() + static_cast<std::ptrdiff_t>(within));
  while (pages_.size() > limits_.pages) {
    pages_.erase(used_.back());
    used_.pop_back();
  }
}

void MessageStore::ask_events() {
  if (!qp_ || events_ == Events::first || events_ == Events::more) return;
  events_ = events_ == Events::unasked ? Events::first : Events::more;
  ask_transport_(*qp_, next_event_, kEventsAtOnce, this,
                 [this, g = generation_](const tl::expected<TransportRows, api::Failure>& answer) {
                   if (g != generation_) return;
                   const bool is_first = std::exchange(events_, Events::idle) == Events::first;
                   if (!answer || answer->events.empty()) {
                     if (is_first) emit transport_changed();
                     return;
                   }
                   next_event_ = answer->from + answer->events.size();
                   const std::size_t room = limits_.events - std::min(limits_.events, transport_.size());
                   const std::size_t count = std::min(room, answer->events.size());
                   transport_.insert(transport_.end(), answer->events.begin(),
                                     answer->events.begin() + static_cast<std::ptrdiff_t>(count));
                   transport_left_out_ = answer->discarded + (next_event_ - answer->discarded - transport_.size());
                   emit transport_changed();
                   if (g == generation_) ask_events();
                 });
}

}  // namespace iwarpscope::gui
