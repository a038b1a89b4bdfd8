// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The memory of one end of a queue pair, as the messages that come to it write it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "emulation/extents.h"
#include "emulation/notes.h"
#include "qp/observation.h"

namespace iwarpscope::emulation {

/// Bounds of one Data Sink. With the defaults it holds at most 24 KiB of extents and 24 KiB of written octets, and a
/// little for reads; vectors grow by doubling.
struct DataSinkLimits {
  std::size_t extents = 512;
  std::size_t samples = 256;  ///< of written octets, rounded down to a power of two
  std::size_t reads = 32;     ///< RDMA Reads that are compared at a time
};

/// The Data Sink at the end that the direction `inward` goes to: what RDMA Writes and RDMA Read Responses of that
/// direction place there (RFC 5040 §5.5), and what the peer's RDMA Reads take out again. Takes everything that happens
/// on the queue pair, both directions. Holds nothing before the first placement.
///
/// RM-39, overlapping_placement: a message places octets where an RDMA Write of the same direction did, and nothing
///   delivered that Write: no Send, Immediate Data or answered request came after it, and no octet is missing since. At
///   most once for each message. What a Read Response placed was delivered with it; Atomic Operations do not count.
///   Source: RFC 5040 §5.5 rules 3 to 6.
/// RM-38, read_contradicts_write: a Read Response differs from what an RDMA Write before its Request put there. Only
///   when the owner's software had no occasion that the wire shows to change the memory: no message of either direction
///   but RDMA Writes, requests of the peer and their responses since that Write; no gap; and nothing that the peer
///   wrote later, or that it may have written unseen, lies there. Source: RFC 5040 §5.5 rule 12.
class DataSink final : public qp::Observation {
 public:
  /// `sight`, `notes` and `limits` must outlive it.
  DataSink(Direction inward, const Sight& sight, Notes& notes, const DataSinkLimits& limits = kDefaultLimits);
  ~DataSink();

  void segment(const qp::MessageFacts& facts, const ddp::Segment& segment) override;
  void message_ended(const qp::MessageFacts& facts, const ddp::MessageEnd& end) override;
  void requested(Direction sender, const qp::Request& request) override;
  void answered(const qp::Request& request, const qp::MessageFacts& response, const ddp::MessageEnd& end, bool certain,
                std::optional<std::uint64_t> original) override;
  void terminated(const qp::MessageFacts& facts, const rdmap::Terminate& terminate,
                  std::optional<std::uint64_t> names) override;
  void gap(Direction direction) override;

  /// Who wrote what last, sorted by STag and TO. Valid until the next call that is not const.
  [[nodiscard]] std::span<const Extent> extents() const noexcept;
  /// Extents given up to stay within the bound.
  [[nodiscard]] std::uint64_t evicted() const noexcept;
  /// Octets of memory held beside this object.
  [[nodiscard]] std::size_t held() const noexcept;
  /// Forgets what the memory holds and gives back all that was allocated. It raises no finding because of that.
  void trim() noexcept;

  static constexpr DataSinkLimits kDefaultLimits{};

  template <class A>
  void archive(A& a);

 private:
  struct State;

  void place(const qp::MessageFacts& facts, const ddp::Segment& segment, PlacedBy by);
  void compare(const qp::MessageFacts& facts, const ddp::Segment& segment);
  void forget_samples() noexcept;

  const Sight& sight_;
  Notes& notes_;
  const DataSinkLimits& limits_;
  std::unique_ptr<State> state_;
  const Direction inward_;
};

}  // namespace iwarpscope::emulation
