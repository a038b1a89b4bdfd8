// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Requests of one direction that have no response yet.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "base/ids.h"
#include "base/time_point.h"
#include "qp/records.h"
#include "rdmap/atomic.h"

namespace iwarpscope::qp {

/// A Read Request or an Atomic Request that was sent and not yet answered.
struct Request {
  std::uint64_t message = 0;
  bool atomic = false;
  MessageSequence msn;  ///< on queue 1
  FrameNumber frame;
  TimePoint time;                  ///< arrival of its last octet at the tap
  StreamOffset end;                ///< after the last octet that its receiver needs
  STag sink_stag;                  ///< read
  TaggedOffset sink_to;            ///< read
  std::uint32_t size = 0;          ///< read
  STag source_stag;                ///< read: source; atomic: remote
  TaggedOffset source_to;          ///< read: source; atomic: remote
  rdmap::AtomicFunction function;  ///< atomic
  std::uint32_t request_id = 0;    ///< atomic
  bool response_begun = false;
  bool before_gap = false;   ///< octets of the other direction were missing after it: its response may be among them
  bool passed_over = false;  ///< a newer request was answered before it, and that was reported
  std::unique_ptr<MessageRecord> record;  ///< waits for the response's link; only when message records are made

  /// A read, and `octets` at (stag, to) lie within its sink.
  [[nodiscard]] bool holds(STag stag, TaggedOffset to, std::uint32_t octets) const noexcept;
};

/// The request that a response answers. Shape: `position` as Outstanding::at() takes it.
struct Fit {
  std::size_t position = 0;
  bool doubtful = false;  ///< a request that was passed over fits as well: its response may come late, or never
};

/// The requests in the order sent. Bounded by the `most` of add(). Source: RFC 5040 §5.2, §5.5 rule 20; RFC 7306 §5.
class Outstanding {
 public:
  /// Keeps the request. Returns the request that was discarded to stay within `most`.
  std::optional<Request> add(Request request, std::size_t most);

  [[nodiscard]] bool empty() const noexcept { return first_ == requests_.size(); }
  [[nodiscard]] std::size_t size() const noexcept { return requests_.size() - first_; }
  /// The k-th oldest. Precondition: k < size().
  [[nodiscard]] Request& at(std::size_t k) noexcept { return requests_[first_ + k]; }
  [[nodiscard]] const Request& at(std::size_t k) const noexcept { return requests_[first_ + k]; }
  /// Null: no request with this message index waits.
  [[nodiscard]] const Request* find(std::uint64_t message) const noexcept;
  /// Removes the request with this message index and returns it.
  std::optional<Request> take(std::uint64_t message);

  /// The oldest read, if a DDP segment of its Response may lie there. Source: RFC 5041 §5.3.
  [[nodiscard]] std::optional<Fit> find_read_around(STag stag, TaggedOffset to, std::uint32_t octets) const noexcept;
  /// A DDP segment of the Response to some read may lie there, whether it has begun or not.
  [[nodiscard]] bool any_read_holds(STag stag, TaggedOffset to, std::uint32_t octets) const noexcept;
  /// The request that a Read Response at (stag, to) answers: the oldest read whose sink it fits. One that was passed
  /// over only if no other does.
  [[nodiscard]] std::optional<Fit> find_read(STag stag, TaggedOffset to, bool zero_length) const noexcept;
  /// The Atomic Request with this identifier which has no response yet, chosen likewise.
  [[nodiscard]] std::optional<Fit> find_atomic(std::uint32_t request_id) const noexcept;
  /// The oldest request of that kind which has no response yet, chosen likewise.
  [[nodiscard]] std::optional<std::size_t> oldest(bool atomic) const noexcept;
  /// The request at `position` is answered now: the oldest before it that has no response and was not passed over yet.
  [[nodiscard]] std::optional<std::size_t> passed_by(std::size_t position) const noexcept;
  /// All requests before `position` that have no response are passed over.
  void pass_over(std::size_t position) noexcept;
  /// The response of a request up to `position` may be among missing octets.
  [[nodiscard]] bool is_gap_before(std::size_t position) const noexcept;
  /// Read Requests whose response cannot be among missing octets.
  [[nodiscard]] std::size_t certain_reads() const noexcept { return certain_reads_; }
  /// Requests of both kinds whose response cannot be among missing octets.
  [[nodiscard]] std::size_t certain() const noexcept { return certain_; }
  /// A later request cannot be distinguished from the one at `position` by its response.
  [[nodiscard]] bool has_twin_after(std::size_t position) const noexcept;
  /// A response fits two equal requests, so it may belong to the other one. The same applies to all following responses
  /// until no request is outstanding.
  void doubt() noexcept { doubtful_ = true; }
  [[nodiscard]] bool is_in_doubt() const noexcept { return doubtful_; }
  void mark_gap() noexcept;
  /// Gives back memory that a queue pair without requests does not need.
  void trim();

  template <class A>
  void archive(A& a) {
    a(requests_, first_, certain_reads_, certain_, doubtful_);
    a.check(first_ <= requests_.size());
  }

 private:
  template <class Fits>
  [[nodiscard]] std::optional<Fit> choose(Fits fits) const noexcept;

  std::vector<Request> requests_;  ///< [first_, end) are outstanding
  std::uint32_t first_ = 0;
  std::uint32_t certain_reads_ = 0;
  std::uint32_t certain_ = 0;
  bool doubtful_ = false;
};

}  // namespace iwarpscope::qp
