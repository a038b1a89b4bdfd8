// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Interface for requests to a running analysis.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <tl/expected.hpp>

#include "live/caller.h"
#include "live/event.h"
#include "live/views.h"

namespace iwarpscope::live {

struct Resumed {
  RecordPage page;
  std::unique_ptr<Subscription> subscription{};  ///< null: more records are remembered
};

/// Answers questions about the traffic. For any thread. What takes long is answered in parts between the rounds of
/// frames: no question holds up the capture for longer than some milliseconds. Questions that cannot be answered in
/// time, whose caller is gone, or that come when the analysis has ended, fail with a sentence.
class Directory {
 public:
  template <class T>
  using Answer = tl::expected<T, std::string>;
  virtual ~Directory() = default;

  [[nodiscard]] virtual Status status() = 0;
  /// For one that answers for many sensors: why no question can be about the sensor of this name, as a sentence; empty:
  /// one can, or nothing is known now. `at_once`: waits for nothing; a sensor that was added a moment ago is then
  /// unknown.
  [[nodiscard]] virtual std::string sensor_trouble(const std::string& /*name*/, bool /*at_once*/) { return {}; }
  /// For one that answers for many sensors: why records cannot be sent after a place of this run, which is not that of
  /// last_record(), as a sentence; empty: all records follow.
  [[nodiscard]] virtual std::string run_trouble(const std::string& /*run_uuid*/) { return {}; }
  /// Queue pairs with a number of at least `from`, at most `most` of them.
  [[nodiscard]] virtual Answer<QpPage> qps(const QpFilter& filter, std::uint64_t from, std::size_t most,
                                           const Caller& caller = {}) = 0;
  /// Null: no queue pair has this number, or it was discarded.
  [[nodiscard]] virtual Answer<QpViewPtr> qp(std::uint64_t number, const Caller& caller = {}) = 0;
  /// Messages of a queue pair that are still remembered, from the `from`th that was ever decided on.
  [[nodiscard]] virtual Answer<MessagePage> messages(std::uint64_t qp, std::uint64_t from, std::size_t most,
                                                     const Caller& caller = {}) = 0;
  /// Its remembered transport events, starting with the event number `from`.
  [[nodiscard]] virtual Answer<TransportPage> transport(std::uint64_t qp, std::uint64_t from, std::size_t most,
                                                        const Caller& caller = {}) = 0;
  [[nodiscard]] virtual Answer<FindingPage> findings(const FindingFilter& filter, std::uint64_t from, std::size_t most,
                                                     const Caller& caller = {}) = 0;
  /// Covers all queue pairs that are remembered; with `pairs` by two hosts. At most `most` rows, from `from` on.
  [[nodiscard]] virtual Answer<HostPage> hosts(bool pairs, const HostKey& from, std::size_t most,
                                               const Caller& caller = {}) = 0;
  [[nodiscard]] virtual std::unique_ptr<Subscription> subscribe(const Wanted& wanted) = 0;
  /// This run, and the sequence of its last record.
  [[nodiscard]] virtual RecordPlace last_record() = 0;
  /// Records after the sequence `after`, at most `most` of them; and, once nothing else is remembered, a subscription
  /// to all that comes later. A record may be in both: its sequence is then not above `page.through`.
  [[nodiscard]] virtual Answer<Resumed> resume(const Wanted& wanted, std::uint64_t after, std::size_t most,
                                               const Caller& caller = {}) = 0;
};

}  // namespace iwarpscope::live
