// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The latest messages of one direction: a Terminate of the other side refers to one of these.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/time_point.h"
#include "ddp/segment.h"

namespace iwarpscope::qp {

/// A bounded record of the latest messages of one direction. Grows to kMost entries while the direction is busy; trim()
/// shrinks it when the queue pair is idle.
class History {
 public:
  static constexpr std::size_t kMost = 512;
  static constexpr std::size_t kIdle = 4;

  /// One message, by what its DDP headers said.
  struct Entry {
    std::uint64_t message = 0;
    std::uint64_t position = 0;  ///< tagged: TO of its first octet; untagged: QN << 32 | MSN
    FrameNumber frame;           ///< of its first DDP segment
    std::uint64_t length = 0;    ///< octets after the DDP headers so far
    std::uint32_t stag = 0;      ///< tagged
    std::uint8_t rdmap_control = 0;
    bool tagged : 1 = false;
    bool is_judged : 1 = false;      ///< its first DDP segment was captured whole, so that broken rules show
    std::uint16_t first_octets = 0;  ///< of its first DDP segment, after the DDP header

    template <class A>
    void archive(A& a) {
      a(message, position, frame, length, stag, rdmap_control, first_octets);
      tagged = a.value(tagged);
      is_judged = a.value(is_judged);
    }
  };

  void add(const ddp::Segment& segment);
  /// A terminated DDP header (14 or 18 octets): the newest message it fits. A Read Request with a wrong MSN, as Linux
  /// siw quotes it, fits by its opcode when it is the only one its MSN can mean; see the caller.
  [[nodiscard]] std::optional<std::uint64_t> find(Octets terminated_ddp) const noexcept;
  /// The frame of a message's first DDP segment, if the message is still known.
  [[nodiscard]] std::optional<FrameNumber> frame_of(std::uint64_t message) const noexcept;
  /// The message with this index, if it is still known; null otherwise. Valid until the next add() or trim().
  [[nodiscard]] const Entry* entry_of(std::uint64_t message) const noexcept;
  /// Nothing was discarded: what is not here was never added.
  [[nodiscard]] bool is_whole() const noexcept { return !forgot_; }
  /// An untagged message of the same queue is known, and the terminated DDP header names a later one than the newest of
  /// them.
  [[nodiscard]] bool is_after_newest(Octets terminated_ddp) const noexcept;
  /// Known messages of the queue of `e`, which is untagged, that were sent before it and are at least as long.
  [[nodiscard]] std::uint64_t as_long_before(const Entry& e) const noexcept;
  /// A message of the queue of `e`, which is untagged, is known that was sent before it.
  [[nodiscard]] bool has_before(const Entry& e) const noexcept;
  void trim();

  template <class A>
  void archive(A& a) {
    a(ring_, next_, forgot_);
    a.check(ring_.size() <= kMost && (next_ == 0 || next_ < ring_.size()));
  }

 private:
  std::vector<Entry> ring_;
  std::uint32_t next_ = 0;  ///< where the next entry goes once the ring is full
  bool forgot_ = false;
};

}  // namespace iwarpscope::qp
