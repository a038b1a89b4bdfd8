// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The contents of memory, as far as tagged messages show them: for each STag, the message that last placed each octet.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "api/records.h"
#include "base/ids.h"
#include "models/ladder/stream_end.h"

namespace iwarpscope::gui {

/// A message that placed octets.
struct Placement {
  Direction direction{};
  std::uint64_t index = 0;  ///< index among the messages of its direction
  rdmap::Opcode opcode{};
  FrameNumber first_frame;
  TimePoint time;  ///< its last octet
  friend bool operator==(const Placement& a, const Placement& b) noexcept {
    return a.direction == b.direction && a.index == b.index;
  }
};

/// Octets [begin, end) that were last placed by one message or, in a crowded map, by several.
struct Extent {
  std::uint64_t begin = 0, end = 0;  ///< TO
  Placement last;                    ///< the latest of them
  std::uint32_t messages = 1;        ///< more than one: neighbours that were merged
  bool rewritten = false;            ///< overwritten before the owner's upper layer was notified of the previous data
  bool after_invalidation = false;
  std::uint64_t turn = 0;  ///< notifications that the owner had received when it was placed
  bool refused =
      false;  ///< nothing was placed here: `last` would have placed it, but the receiver had ended the stream
};

/// An STag and its owner: octets of direction `owner` go to the owner, as in qp::StagUse.
struct BufferKey {
  Direction owner{};
  STag stag;
  friend auto operator<=>(const BufferKey&, const BufferKey&) = default;
};

struct Invalidation {
  FrameNumber frame;
  TimePoint time;
  std::uint64_t message = 0;  ///< index, in direction `owner`
};

/// A tagged message that its receiver refused.
struct Refusal {
  Placement by;
  std::uint64_t begin = 0, end = 0;  ///< TO
};

/// The accesses of messages to one STag.
struct Buffer {
  static constexpr std::size_t kMostExtents = 20'000;
  static constexpr std::size_t kMostInvalidations = 64;
  static constexpr std::size_t kMostRefusals = 64;

  FrameNumber first_frame;
  std::map<std::uint64_t, Extent> extents;  ///< by `begin`; they do not overlap
  std::vector<Invalidation> invalidations;
  std::vector<Refusal> refusals;                            ///< the first of them
  std::uint64_t refused = 0;                                ///< messages
  std::uint64_t writes = 0, read_responses = 0;             ///< messages that placed octets here
  std::uint64_t read_requests = 0, sinks = 0, atomics = 0;  ///< requests that named it
  std::uint64_t placed_octets = 0, rewritten_octets = 0;
  std::uint64_t incomplete = 0;       ///< messages that were not captured completely: their octets are not in the map
  std::uint64_t left_out_octets = 0;  ///< octets placed, but left out of the map to limit memory
  std::uint64_t begin = 0, end = 0;   ///< placed octets are in [begin, end); begin == end: no octets

  /// The extent that contains an octet; null: no message placed it.
  [[nodiscard]] const Extent* at(std::uint64_t to) const;
  /// Places octets in [from, to). Returns the previous contents.
  std::vector<Extent> place(std::uint64_t from, std::uint64_t to, const Placement& by, std::uint64_t turn);
  /// The octets would have been placed, but were refused: the previous contents stay.
  void refuse(std::uint64_t from, std::uint64_t to, const Placement& by);
  /// Undoes the preceding place(), or an earlier one if all later ones were undone.
  void take_back(std::uint64_t from, std::uint64_t to, const Placement& by, const std::vector<Extent>& before);

 private:
  void cut(std::uint64_t from, std::uint64_t to);
  void crowd();
};

/// Takes all messages of a queue pair in the order of MessageStore::passed. Keeps at most kMostBuffers STags.
class BufferMap {
 public:
  static constexpr std::size_t kMostBuffers = 4096;
  /// Number of messages before a Terminate that can still be undone, per direction.
  static constexpr std::size_t kMostTakenBack = 256;

  void add(std::span<const qp::MessageRecord> messages);
  [[nodiscard]] const std::map<BufferKey, Buffer>& buffers() const noexcept { return buffers_; }
  /// Messages with STags beyond kMostBuffers.
  [[nodiscard]] std::uint64_t left_out() const noexcept { return left_out_; }
  /// The first Terminate that refuses messages of this direction; null: none was seen.
  [[nodiscard]] const StreamEnd* end_of(Direction direction) const noexcept {
    const auto& end = ends_[index(direction)];
    return end ? &*end : nullptr;
  }

 private:
  /// The access of a tagged message.
  struct Placed {
    BufferKey key;
    Placement by;
    std::uint64_t begin = 0, end = 0;
    std::vector<Extent> before;
  };
  void add(const qp::MessageRecord& message);
  void add_tagged(const qp::MessageRecord& message);
  void end_stream(Direction direction, StreamEnd end);
  [[nodiscard]] Buffer* buffer(const BufferKey& key, FrameNumber frame);

  std::map<BufferKey, Buffer> buffers_;
  /// Per direction: grows with each message that notifies the upper layer at the receiving end of placed octets.
  std::array<std::uint64_t, 2> turns_{};
  std::array<std::deque<Placed>, 2> placed_;  ///< per direction, the latest ones
  std::array<std::optional<StreamEnd>, 2> ends_;
  std::uint64_t left_out_ = 0;
};

}  // namespace iwarpscope::gui
