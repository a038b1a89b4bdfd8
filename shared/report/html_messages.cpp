// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/html_messages.h"

#include <algorithm>
#include <iterator>

namespace iwarpscope::report {

HtmlMessages::Entry& HtmlMessages::entry_of(std::uint64_t qp) {
  const auto [it, is_new] = entries_.try_emplace(qp);
  Entry& entry = it->second;
  if (is_new) {
    entry.place = by_use_.insert(by_use_.end(), qp);
  } else if (!entry.is_pinned) {
    by_use_.splice(by_use_.end(), by_use_, entry.place);
  }
  return entry;
}

void HtmlMessages::make_room() {
  if (held_ < kMost || by_use_.empty()) return;
  const auto it = entries_.find(by_use_.front());
  held_ -= it->second.problem.size() + it->second.last.size();
  by_use_.pop_front();
  entries_.erase(it);
}

void HtmlMessages::add(const qp::MessageRecord& record) {
  make_room();
  Entry& entry = entry_of(record.qp);
  if (entry.last.size() < kEach) {
    entry.last.push_back(record);
    ++held_;
  } else {
    entry.last[entry.oldest] = record;
    entry.oldest = (entry.oldest + 1) % kEach;
  }
  if (record.first_frame <= entry.problem_frame) return;
  if (entry.until_problem_is_over == 0 || --entry.until_problem_is_over != 0) return;
  entry.problem = in_order(entry);
  held_ += entry.problem.size();
}

void HtmlMessages::problem(std::uint64_t qp, FrameNumber frame) {
  Entry& entry = entry_of(qp);
  if (entry.has_problem) return;
  entry.has_problem = true;
  entry.problem_frame = frame;
  entry.until_problem_is_over = kAfterProblem;
  if (pinned_ >= kPinned) return;
  ++pinned_;
  entry.is_pinned = true;
  by_use_.erase(entry.place);
}

std::vector<qp::MessageRecord> HtmlMessages::in_order(const Entry& entry) {
  std::vector<qp::MessageRecord> messages = entry.last;
  std::rotate(messages.begin(), messages.begin() + static_cast<std::ptrdiff_t>(entry.oldest), messages.end());
  return messages;
}

std::vector<qp::MessageRecord> HtmlMessages::of(std::uint64_t qp) const {
  const auto it = entries_.find(qp);
  if (it == entries_.end()) return {};
  std::vector<qp::MessageRecord> messages = it->second.problem;
  const std::size_t around = messages.size();
  for (qp::MessageRecord& message : in_order(it->second)) {
    const auto end = messages.begin() + static_cast<std::ptrdiff_t>(around);
    const bool is_known = std::any_of(messages.begin(), end, [&](const qp::MessageRecord& other) {
      return other.direction == message.direction && other.index == message.index;
    });
    if (!is_known) messages.push_back(std::move(message));
  }
  return messages;
}

}  // namespace iwarpscope::report
