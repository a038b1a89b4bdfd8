// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// What is done to one 64-bit word, and what is said about it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "base/ids.h"
#include "base/time_point.h"
#include "rdmap/atomic.h"

namespace iwarpscope::emulation {

/// Octets of what an Atomic Operation changes. Source: RFC 7306 §5
inline constexpr std::uint64_t kWordOctets = 8;

/// When an octet passed the tap.
struct TapPoint {
  FrameNumber frame;
  TimePoint time;
};

/// Surely earlier: by frame number and by time. Frames of two interfaces may be out of order, clocks may jump.
[[nodiscard]] constexpr bool is_before(TapPoint a, TapPoint b) noexcept {
  return a.frame < b.frame && a.time < b.time;
}

/// How a responder's memory orders the octets of a word. Atomics carry numbers, Writes and Reads carry memory.
/// Source: RFC 7306 §5.1 (the operation is done in the responder's own format).
enum class OctetOrder : std::uint8_t { unknown, big_endian, little_endian };

using rdmap::AtomicFunction;

enum class WordOperationKind : std::uint8_t {
  atomic,     ///< answered: it took effect once, on `original`. Not answered: once or never
  write,      ///< put all eight octets there, once
  overwrite,  ///< put something unknown there, once
  unseen,     ///< requests of this QP are missing: anything, any number of times, until its next atomic took effect
};

struct WordOperation {
  std::uint64_t id = 0;      ///< in the order reported; of one QP that is its order in the stream
  std::uint64_t cookie = 0;  ///< the caller's, of an atomic
  std::uint64_t qp = 0;
  WordOperationKind kind = WordOperationKind::atomic;
  bool waits = false;     ///< an atomic whose response may still come
  bool answered = false;  ///< an atomic whose response was seen
  bool late = false;      ///< it may belong before operations that were decided already
  TapPoint invoked;       ///< last octet of the request, or of a Write
  TapPoint response;      ///< first octet of the response, if answered
  AtomicFunction function;
  std::uint64_t original = 0;  ///< answered: what the response carried. Write: its octets as a big-endian number
  std::optional<std::uint64_t> result;  ///< answered: what it left, unless the operation is unknown
  std::optional<TapPoint> next;         ///< atomic: when the next one of its QP was invoked
  std::uint64_t previous = 0;           ///< atomic: id of the one before of its QP; 0: not known

  [[nodiscard]] bool is_atomic() const noexcept { return kind == WordOperationKind::atomic; }
  /// It may never take effect, or any number of times: nothing waits for it.
  [[nodiscard]] bool is_optional() const noexcept {
    return kind == WordOperationKind::unseen || (is_atomic() && !answered);
  }
  [[nodiscard]] bool changes_word() const noexcept { return !answered || result != original; }
};

/// Whether `a` surely took effect before `b`, if both did. An atomic starts only after everything before it in its
/// stream was Delivered, so Writes before it are Placed; a Write may overtake atomics. Source: RFC 7306 §5.4 rules 3-5.
[[nodiscard]] constexpr bool precedes(const WordOperation& a, const WordOperation& b) noexcept {
  if (a.answered && is_before(a.response, b.invoked)) return true;
  return b.kind == WordOperationKind::atomic && a.qp == b.qp && a.id < b.id;
}

/// What is known of the original value that an Atomic Response carried.
enum class WordVerdict : std::uint8_t {
  first,         ///< the first thing known of the word: nothing to compare with
  verified,      ///< there is an order of all operations in which the operation before left this value
  inconsistent,  ///< no order exists
  undecidable,   ///< not known; see UndecidableCause
};

enum class UndecidableCause : std::uint8_t {
  none,
  unknown_value,    ///< a gap, an unknown Write or an operation without a response may have come between
  crowded,          ///< more operations pending at once than are distinguished
  too_many_orders,  ///< the search for an order was given up
  given_up,         ///< others waited too long for its response, or the caller had given it up
  octet_order,      ///< the word fits the other order of octets than the one learnt
  overlap,          ///< atomics were used on another word that shares octets with this one
};

/// Why no order exists.
struct WordConflict {
  static constexpr std::size_t kMost = 2;
  /// The operation that returned what it could not, and the operations that left what it should have returned.
  struct Due {
    std::uint64_t value = 0;
    std::optional<WordOperation> left_by;  ///< empty: known by other means
  };
  WordOperation operation;
  std::array<Due, kMost> due;
  std::size_t due_shown = 0;      ///< entries of `due`
  bool more_due = false;          ///< other values than those were possible as well
  bool proved_by_one_qp = false;  ///< both operations are one QP's, and no other writer was seen in between (AT-14)
  bool crossed = false;       ///< and one of another QP passed the tap so soon after that it may have been in between
  bool unseen_writer = true;  ///< a writer that the tap does not see, as the responder's own CPU, would explain it
  bool repeated_original = false;  ///< the operation that left the due value had returned the same original: one of the
                                   ///< two updates was lost, or another writer restored the value
};

/// One operation decided.
struct WordDecision {
  std::uint64_t cookie = 0;
  std::uint64_t qp = 0;
  WordVerdict verdict = WordVerdict::undecidable;
  UndecidableCause cause = UndecidableCause::none;
  std::unique_ptr<WordConflict> conflict;  ///< of an inconsistent one only
};

}  // namespace iwarpscope::emulation
