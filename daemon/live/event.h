// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The events that outputs and subscribers receive.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <variant>
#include <vector>

#include "live/failed_operation.h"
#include "live/views.h"

namespace iwarpscope::live {

struct QpOpened {
  QpViewPtr qp;
};
/// Reported at most four times a second for one queue pair.
struct QpChanged {
  QpViewPtr qp;
};
/// Its last record and verdict.
struct QpEnded {
  QpViewPtr qp;
  std::vector<FailedOperation> failed{};  ///< of the messages that are remembered; empty if not wanted
};
struct MessageReported {
  MessagePtr message;
};
struct FindingReported {
  FindingPtr finding;
  /// For rdmap.terminate-sent: the Terminates of the queue pair so far and what they name. Empty if not wanted.
  std::vector<FailedOperation> failed{};
};
using Event = std::variant<QpOpened, QpChanged, QpEnded, MessageReported, FindingReported>;

/// The events that a subscriber wants.
struct Wanted {
  bool qps = false;         ///< opened, changed, ended
  bool ended_only = false;  ///< of queue pairs: only that they ended
  bool messages = false;
  bool findings = false;
  bool failed_operations = false;                ///< with ended queue pairs and findings: what failed
  std::optional<std::uint64_t> qp{};             ///< of this one only
  std::optional<findings::Severity> at_least{};  ///< of findings
  std::optional<std::string> sensor{};           ///< of this one only
  std::size_t queue = 8192;  ///< events that wait at most; events that find it full are lost, and counted
  /// The events wait in one memory with those of other subscribers, within WatchOptions::shared_octets. What is lost
  /// for want of room are the oldest.
  bool shared = false;
  /// When files are read and at the end, the analysis waits for room in a full queue for findings and ended queue
  /// pairs, unless the subscriber has taken nothing for some seconds.
  bool patient = false;
};

/// The event is for a subscriber who wants this.
[[nodiscard]] bool is_wanted(const Event& event, const Wanted& wanted);
/// The name of the record, or of the queue pair; of a message: an empty one.
[[nodiscard]] const RecordName& name_of(const Event& event) noexcept;

/// Records of a run in order, from a place on.
struct RecordPage {
  std::vector<Event> events{};  ///< FindingReported and QpEnded, without what failed
  std::uint64_t through = 0;    ///< every record up to this sequence was looked at, or is missing
  std::uint64_t missing = 0;    ///< records that are no longer remembered, whether they were wanted or not
};

/// A bounded queue of events. wait() and take() are for one thread; everything else for any.
class Subscription {
 public:
  virtual ~Subscription() = default;
  /// Those that came, oldest first; waits for the first at most this long. Empty: none came, or it was closed.
  [[nodiscard]] virtual std::vector<Event> wait(std::chrono::milliseconds most) = 0;
  /// Those that came, oldest first, at most so many of them.
  [[nodiscard]] virtual std::vector<Event> take(std::size_t most) = 0;
  /// Events for which there was no room.
  [[nodiscard]] virtual std::uint64_t lost() const noexcept = 0;
  [[nodiscard]] virtual std::size_t waiting() const noexcept = 0;
  /// Nothing more will come: the daemon stops, or records have other numbers now. What waits may still be taken.
  [[nodiscard]] virtual bool is_closed() const noexcept = 0;
  /// It is closed because records have other numbers now: what was listed has to be listed again.
  [[nodiscard]] virtual bool is_superseded() const noexcept = 0;
  /// Ends a wait() of another thread.
  virtual void cancel() noexcept = 0;
};

}  // namespace iwarpscope::live
