// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "qp/requests/outstanding.h"

#include <algorithm>

namespace iwarpscope::qp {

namespace {

bool is_certain_read(const Request& request) noexcept {
  return !request.atomic && !request.before_gap;
}

}  // namespace

bool Request::holds(STag stag, TaggedOffset to, std::uint32_t octets) const noexcept {
  if (atomic || sink_stag != stag || to.value < sink_to.value) return false;
  const std::uint64_t before = to.value - sink_to.value;
  return before <= size && size - before >= octets;
}

std::optional<Request> Outstanding::add(Request request, std::size_t most) {
  std::optional<Request> discarded;
  if (size() >= most && !empty()) discarded = take(at(0).message);
  if (is_certain_read(request)) ++certain_reads_;
  if (!request.before_gap) ++certain_;
  if (first_ > 32 && first_ * 2 > requests_.size()) {
    requests_.erase(requests_.begin(), requests_.begin() + static_cast<std::ptrdiff_t>(first_));
    first_ = 0;
  }
  // One that began before others may be whole after them, where messages are mixed against the rules.
  const auto at = std::upper_bound(requests_.begin() + static_cast<std::ptrdiff_t>(first_), requests_.end(),
                                   request.message, [](std::uint64_t m, const Request& r) { return m < r.message; });
  requests_.insert(at, std::move(request));
  return discarded;
}

const Request* Outstanding::find(std::uint64_t message) const noexcept {
  // Indices ascend.
  const auto from = requests_.begin() + static_cast<std::ptrdiff_t>(first_);
  const auto it =
      std::lower_bound(from, requests_.end(), message, [](const Request& r, std::uint64_t m) { return r.message < m; });
  return it != requests_.end() && it->message == message ? &*it : nullptr;
}

std::optional<Request> Outstanding::take(std::uint64_t message) {
  const Request* const found = find(message);
  if (found == nullptr) return std::nullopt;
  const std::ptrdiff_t place = found - requests_.data();
  std::optional<Request> taken{std::move(requests_[static_cast<std::size_t>(place)])};
  if (is_certain_read(*taken)) --certain_reads_;
  if (!taken->before_gap) --certain_;
  if (place == static_cast<std::ptrdiff_t>(first_)) {
    ++first_;
  } else {
    requests_.erase(requests_.begin() + place);
  }
  if (first_ == requests_.size()) {
    requests_.clear();
    first_ = 0;
    doubtful_ = false;
  }
  return taken;
}

template <class Fits>
std::optional<Fit> Outstanding::choose(Fits fits) const noexcept {
  std::optional<std::size_t> passed;
  for (std::size_t k = 0; k < size(); ++k) {
    const Request& r = at(k);
    if (r.response_begun || !fits(r)) continue;
    if (!r.passed_over) return Fit{k, passed.has_value()};
    if (!passed) passed = k;
  }
  if (!passed) return std::nullopt;
  return Fit{*passed, false};
}

std::optional<Fit> Outstanding::find_read(STag stag, TaggedOffset to, bool zero_length) const noexcept {
  return choose([=](const Request& r) {
    if (r.atomic) return false;
    return zero_length ? r.size == 0 : r.size != 0 && r.sink_stag == stag && r.sink_to == to;
  });
}

std::optional<Fit> Outstanding::find_read_around(STag stag, TaggedOffset to, std::uint32_t octets) const noexcept {
  const std::optional<std::size_t> first = oldest(false);
  if (!first || !at(*first).holds(stag, to, octets)) return std::nullopt;
  return Fit{*first, false};
}

bool Outstanding::any_read_holds(STag stag, TaggedOffset to, std::uint32_t octets) const noexcept {
  return std::any_of(requests_.begin() + static_cast<std::ptrdiff_t>(first_), requests_.end(),
                     [=](const Request& r) { return r.holds(stag, to, octets); });
}

std::optional<Fit> Outstanding::find_atomic(std::uint32_t request_id) const noexcept {
  return choose([=](const Request& r) { return r.atomic && r.request_id == request_id; });
}

std::optional<std::size_t> Outstanding::oldest(bool atomic) const noexcept {
  const std::optional<Fit> fit = choose([=](const Request& r) { return r.atomic == atomic; });
  return fit ? std::optional(fit->position) : std::nullopt;
}

std::optional<std::size_t> Outstanding::passed_by(std::size_t position) const noexcept {
  for (std::size_t k = 0; k < position; ++k) {
    if (!at(k).response_begun && !at(k).passed_over) return k;
  }
  return std::nullopt;
}

void Outstanding::pass_over(std::size_t position) noexcept {
  for (std::size_t k = 0; k < position; ++k) at(k).passed_over = at(k).passed_over || !at(k).response_begun;
}

bool Outstanding::is_gap_before(std::size_t position) const noexcept {
  for (std::size_t k = 0; k <= position && k < size(); ++k) {
    if (at(k).before_gap) return true;
  }
  return false;
}

bool Outstanding::has_twin_after(std::size_t position) const noexcept {
  const Request& one = at(position);
  for (std::size_t k = position + 1; k < size(); ++k) {
    const Request& other = at(k);
    if (other.atomic != one.atomic) continue;
    if (one.atomic ? other.request_id == one.request_id
                   : (other.size == 0) == (one.size == 0) &&
                         (one.size == 0 || (other.sink_stag == one.sink_stag && other.sink_to == one.sink_to))) {
      return true;
    }
  }
  return false;
}

void Outstanding::trim() {
  if (empty()) requests_.shrink_to_fit();
}

void Outstanding::mark_gap() noexcept {
  if (certain_ == 0) return;  // all are marked
  for (std::size_t k = 0; k < size(); ++k) at(k).before_gap = true;
  certain_reads_ = 0;
  certain_ = 0;
}

}  // namespace iwarpscope::qp
