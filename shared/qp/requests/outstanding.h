// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Requests of one direction that have no response yet.
#pragma once

#include <algorithm>
#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include <absl/container/btree_set.h>

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

/// The request that a response answers.
struct Fit {
  std::uint64_t message = 0;
  bool doubtful = false;  ///< a request that was passed over fits as well: its response may come late, or never
};

/// The requests in the order sent, named by their message index. Bounded by the `most` of add(). A peer decides in
/// which order they are answered, so that no question costs more than a logarithm of their number, except where it says
/// so. Source: RFC 5040 §5.2, §5.5 rule 20; RFC 7306 §5.
class Outstanding {
 public:
  /// any_read_holds() looks at so many reads of the STag, those with the next lower TO first. Ours.
  static constexpr std::size_t kMostLookedAt = 64;

  /// Keeps the request. Returns the request that was discarded to stay within `most`.
  std::optional<Request> add(Request request, std::size_t most);

  [[nodiscard]] bool empty() const noexcept { return requests_.empty(); }
  [[nodiscard]] std::size_t size() const noexcept { return requests_.size(); }
  /// The oldest. Precondition: not empty().
  [[nodiscard]] const Request& front() const noexcept { return requests_.begin()->second; }
  /// Precondition: a request with this message index waits.
  [[nodiscard]] const Request& at(std::uint64_t message) const noexcept { return requests_.find(message)->second; }
  /// Null: no request with this message index waits.
  [[nodiscard]] const Request* find(std::uint64_t message) const noexcept;
  /// The oldest for which `is` holds, among the `most` oldest; or null. Looks at each.
  template <class Is>
  [[nodiscard]] const Request* find_if(Is is, std::size_t most) const {
    auto it = requests_.begin();
    for (std::size_t looked = 0; looked < most && it != requests_.end(); ++looked, ++it) {
      if (is(it->second)) return &it->second;
    }
    return nullptr;
  }
  /// Removes the request with this message index and returns it.
  std::optional<Request> take(std::uint64_t message);
  /// Removes the oldest. Precondition: not empty().
  Request take_front() { return *take(front().message); }
  /// Its response begins. Precondition: as at().
  void begin_response(std::uint64_t message);

  /// The oldest read, if a DDP segment of its Response may lie there. Source: RFC 5041 §5.3.
  [[nodiscard]] std::optional<Fit> find_read_around(STag stag, TaggedOffset to, std::uint32_t octets) const noexcept;
  /// A DDP segment of the Response to some read may lie there, whether it has begun or not. Looks at kMostLookedAt
  /// reads: false is not certain beyond that.
  [[nodiscard]] bool any_read_holds(STag stag, TaggedOffset to, std::uint32_t octets) const noexcept;
  /// The request that a Read Response at (stag, to) answers: the oldest read whose sink it fits. One that was passed
  /// over only if no other does.
  [[nodiscard]] std::optional<Fit> find_read(STag stag, TaggedOffset to, bool zero_length) const noexcept;
  /// The Atomic Request with this identifier which has no response yet, chosen likewise.
  [[nodiscard]] std::optional<Fit> find_atomic(std::uint32_t request_id) const noexcept;
  /// The oldest Atomic Request with this identifier whose response cannot be among missing octets, or null.
  [[nodiscard]] const Request* find_certain_atomic(std::uint32_t request_id) const noexcept;
  /// The oldest request of that kind which has no response yet, chosen likewise.
  [[nodiscard]] std::optional<std::uint64_t> oldest(bool atomic) const noexcept;
  /// The request `message` is answered now: the oldest before it that has no response and was not passed over yet.
  [[nodiscard]] std::optional<std::uint64_t> passed_by(std::uint64_t message) const noexcept;
  /// All requests before `message` that have no response are passed over.
  void pass_over(std::uint64_t message);
  /// The response of a request up to `message` may be among missing octets.
  [[nodiscard]] bool is_gap_before(std::uint64_t message) const noexcept;
  /// Read Requests whose response cannot be among missing octets.
  [[nodiscard]] std::size_t certain_reads() const noexcept { return certain_reads_; }
  /// Requests of both kinds whose response cannot be among missing octets.
  [[nodiscard]] std::size_t certain() const noexcept { return certain_.size(); }
  /// A later request cannot be distinguished from this one by its response. Precondition: as at().
  [[nodiscard]] bool has_twin_after(std::uint64_t message) const noexcept;
  /// A response fits two equal requests, so it may belong to the other one. The same applies to all following responses
  /// until no request is outstanding.
  void doubt() noexcept { doubtful_ = true; }
  [[nodiscard]] bool is_in_doubt() const noexcept { return doubtful_; }
  void mark_gap();

  /// As a list, of which the requests before `first` are answered, and what of them is certain.
  template <class A>
  void archive(A& a) {
    std::vector<Request> requests = take_all();
    std::uint32_t first = 0;
    auto certain_reads = static_cast<std::uint32_t>(
        std::ranges::count_if(requests, [](const Request& r) { return !r.atomic && !r.before_gap; }));
    auto certain =
        static_cast<std::uint32_t>(std::ranges::count_if(requests, [](const Request& r) { return !r.before_gap; }));
    a(requests, first, certain_reads, certain, doubtful_);
    a.check(first <= requests.size());
    for (std::size_t k = first; k < requests.size(); ++k) put_back(std::move(requests[k]));
  }

 private:
  enum class Kind : std::uint8_t { read, read_of_nothing, atomic };
  enum class Stage : std::uint8_t { waiting, passed_over, answered };
  /// What a response shows of its request: the sink of a read, the identifier of an atomic, nothing of a read of
  /// nothing.
  struct Key {
    Kind kind{};
    std::uint32_t stag_or_identifier = 0;
    std::uint64_t to = 0;
    friend constexpr auto operator<=>(const Key&, const Key&) = default;
  };
  struct Entry {
    Key key;
    Stage stage{};
    std::uint64_t message = 0;
    friend constexpr auto operator<=>(const Entry&, const Entry&) = default;
  };
  struct Identified {
    std::uint32_t request_id = 0;
    std::uint64_t message = 0;
    friend constexpr auto operator<=>(const Identified&, const Identified&) = default;
  };
  using Messages = absl::btree_set<std::uint64_t>;

  [[nodiscard]] static Key key_of(const Request& request) noexcept;
  [[nodiscard]] static Entry entry_of(const Request& request) noexcept;
  [[nodiscard]] std::vector<Request> take_all();
  void put_back(Request request);
  void enter(const Request& request);
  void leave(const Request& request);
  [[nodiscard]] Messages* unanswered(const Request& request) noexcept;
  [[nodiscard]] std::optional<std::uint64_t> first_after(const Entry& least) const noexcept;
  [[nodiscard]] std::optional<Fit> choose(const Key& key) const noexcept;

  std::map<std::uint64_t, Request> requests_;  ///< by message index
  absl::btree_set<Entry> by_key_;
  std::array<Messages, 2> waiting_;      ///< by Request::atomic: those with Stage::waiting
  std::array<Messages, 2> passed_over_;  ///< likewise with Stage::passed_over
  Messages certain_;                     ///< without Request::before_gap
  Messages before_gap_;                  ///< with it
  absl::btree_set<Identified> certain_atomics_;
  std::uint32_t certain_reads_ = 0;
  bool doubtful_ = false;
};

}  // namespace iwarpscope::qp
