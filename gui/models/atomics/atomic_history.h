// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The words of memory that atomics used, and the operations on each.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "api/records.h"
#include "base/ids.h"
#include "models/atomics/atomic_order.h"
#include "net/address.h"

namespace iwarpscope::gui {

/// A 64-bit word, named as in requests.
struct WordName {
  net::IpAddress responder;
  STag stag;
  TaggedOffset to;
  friend auto operator<=>(const WordName&, const WordName&) = default;
};

/// An Atomic Operation: a request, and its response if it was seen.
struct AtomicUse {
  std::uint64_t qp = 0;
  Direction direction{};       ///< of the request
  std::uint64_t index = 0;     ///< of the request in its direction
  FrameNumber frame;           ///< of the request
  TimePoint invoked;           ///< its last octet
  std::string_view operation;  ///< the operation as in qp::AtomicRequestDetail
  std::uint64_t data = 0, mask = 0, compare = 0, compare_mask = 0;
  std::optional<std::int64_t> first_octet_ns{};  ///< of the response, from `invoked` on; empty: none was seen
  FrameNumber response_frame{};                  ///< 0: not known yet
  std::optional<std::uint64_t> response{};       ///< index of the response in the other direction
  std::optional<std::uint64_t> original{}, result{};
  std::string_view verdict{};  ///< verdict of the analysis; empty: none yet
};

/// The operations on one word.
struct WordHistory {
  std::vector<AtomicUse> uses{};  ///< in the order in which they were added
  [[nodiscard]] std::size_t count(std::string_view verdict) const;
};

/// A possible order in which a word's operations took effect.
struct WordOrder {
  AtomicOrder::Found found = AtomicOrder::Found::yes;
  std::vector<const AtomicUse*> order;  ///< the answered ones, then those without a response
  std::vector<bool> is_break;           ///< same length as `order`: the value found is not what the previous one left
  std::size_t unanswered = 0;
};
[[nodiscard]] WordOrder order_of(const WordHistory& history);

/// Takes the messages of one or several queue pairs, each message once. Keeps at most kMostWords words and kMostUses
/// operations.
class AtomicHistory {
 public:
  static constexpr std::size_t kMostWords = 4096;
  static constexpr std::size_t kMostUses = 100'000;

  /// `a` and `b`: the ends of the queue pair.
  void add(const net::IpAddress& a, const net::IpAddress& b, std::span<const qp::MessageRecord> messages);
  [[nodiscard]] const std::map<WordName, WordHistory>& words() const noexcept { return words_; }
  /// The operation whose request or response is this message. `use` is its index in the word's history.
  struct Place {
    WordName word;
    std::size_t use = 0;
  };
  [[nodiscard]] std::optional<Place> find(std::uint64_t qp, Direction direction, std::uint64_t message) const;
  /// Requests that were left out to limit memory.
  [[nodiscard]] std::uint64_t left_out() const noexcept { return left_out_; }

 private:
  using Name = std::tuple<std::uint64_t, Direction, std::uint64_t>;  // QP, direction and index of a request
  struct Response {
    FrameNumber frame;
    std::uint64_t index = 0;
    qp::AtomicResponseDetail detail;
  };

  void add_request(const net::IpAddress& responder, const qp::MessageRecord& message,
                   const qp::AtomicRequestDetail& detail);
  void add_response(const qp::MessageRecord& message, const qp::AtomicResponseDetail& detail);
  static void answer(AtomicUse& use, const Response& response);

  std::map<WordName, WordHistory> words_;
  std::map<Name, std::pair<WordHistory*, std::size_t>> requests_;  ///< requests without their response yet
  std::map<Name, Response> responses_;                             ///< responses without their request yet
  std::size_t uses_ = 0;
  std::uint64_t left_out_ = 0;
};

}  // namespace iwarpscope::gui
