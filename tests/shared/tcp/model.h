// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// A slow, obvious model of one direction: a map from offset to octet, in which the first arrival wins that is not cut.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "tcp/stream.h"

namespace iwarpscope::tcp::test {

/// What is at one offset of the result: an octet, or why it is missing.
struct Place {
  std::optional<std::byte> octet;
  Missing reason{};
  friend bool operator==(const Place&, const Place&) = default;
};

/// Offsets are relative to the first octet.
class Model {
 public:
  std::map<std::uint64_t, Place> result;

  void payload(std::uint64_t begin, std::size_t length, const std::byte* octets, std::size_t captured) {
    for (std::size_t i = 0; i < length; ++i) {
      const std::uint64_t at = begin + i;
      if (at < next_ || (fin_ && at >= *fin_)) continue;
      highest_ = std::max(highest_, at + 1);
      const bool known = waiting_.contains(at);
      if (i < captured) {
        const bool whole = captured == length;
        if (known && waiting_[at].octet && (!whole || whole_.contains(at))) continue;
        waiting_[at] = {octets[i], {}};
        if (whole) whole_.insert(at);
      } else if (!known) {
        waiting_[at] = {std::nullopt, Missing::snap_length};
      }
    }
    settle();
  }
  void acknowledge(std::uint64_t upto) {
    acknowledged_ = std::max(acknowledged_, upto);
    settle();
  }
  /// An ACK of a TCP segment with payload: what it answers was sent; one octet more may be an unseen FIN.
  void answer(std::uint64_t upto) {
    acknowledge(upto);
    if (!behind() && !fin_ && upto > next_ + 1) {
      skip(upto, Missing::capture_gap);
      highest_ = std::max(highest_, next_);
    }
  }
  /// A TCP segment without payload: all before `at` was sent; one octet more may be an unseen FIN.
  void empty(std::uint64_t at) {
    const std::uint64_t lost = std::min(at, acknowledged_);
    if (waiting_.empty() && !fin_ && lost > next_ + 1) skip(lost, Missing::capture_gap);
  }
  void fin(std::uint64_t at) {
    if (fin_ || at < highest_) return;
    fin_ = at;
    settle();
  }
  void finish() {
    while (const auto end = behind()) {
      skip(std::min(std::max(acknowledged_, next_), *end), Missing::capture_gap);
      skip(*end, Missing::unexplained);
      settle();
    }
    if (!fin_ && acknowledged_ > next_ + 1) skip(acknowledged_, Missing::capture_gap);
  }

 private:
  /// Where the first hole ends: something is known to lie after it.
  [[nodiscard]] std::optional<std::uint64_t> behind() const {
    if (!waiting_.empty()) return waiting_.begin()->first;
    if (fin_ && next_ < *fin_) return fin_;
    return std::nullopt;
  }
  void skip(std::uint64_t to, Missing reason) {
    for (; next_ < to; ++next_) result[next_] = {std::nullopt, reason};
  }
  void settle() {
    const std::uint64_t limit = fin_ ? std::min(acknowledged_, *fin_) : acknowledged_;
    while (true) {
      while (!waiting_.empty() && waiting_.begin()->first == next_) {
        result[next_++] = waiting_.begin()->second;
        waiting_.erase(waiting_.begin());
      }
      const auto end = behind();
      if (!end || limit <= next_) return;
      skip(std::min(limit, *end), Missing::capture_gap);
    }
  }

  std::map<std::uint64_t, Place> waiting_;
  std::set<std::uint64_t> whole_;  ///< of those, the octets of frames that were not cut
  std::uint64_t next_ = 0;
  std::uint64_t highest_ = 0;
  std::uint64_t acknowledged_ = 0;
  std::optional<std::uint64_t> fin_;
};

}  // namespace iwarpscope::tcp::test
