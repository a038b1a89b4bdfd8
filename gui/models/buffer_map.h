// What memory holds as far as tagged messages show it: for each STag which message last placed which octets.
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
#include "models/stream_end.h"

namespace iwarpscope::gui {

/// A message that placed octets.
struct Placement {
  Direction direction{};
  std::uint64_t index = 0;  ///< among the messages of its direction
  rdmap::Opcode opcode{};
  FrameNumber first_frame;
  TimePoint time;  ///< its last octet
  friend bool operator==(const Placement& a, const Placement& b) noexcept {
    return a.direction == b.direction && a.index == b.index;
  }
};

/// Octets [begin, end) that one message placed last, or, in a crowded map, several.
struct Extent {
  std::uint64_t begin = 0, end = 0;  ///< TO
  Placement last;                    ///< of several the latest
  std::uint32_t messages = 1;        ///< more than one: neighbours that were put together
  bool rewritten = false;            ///< placed again before anything told the owner's upper layer of what was there
  bool after_invalidation = false;
  std::uint64_t turn = 0;  ///< what its owner had been told of when it was placed
  bool refused = false;    ///< nothing was placed here: `last` wanted to, and its receiver had ended the stream
};

/// An STag, named by whose it is: octets of direction `owner` go to its owner, as in qp::StagUse.
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

/// A tagged message that its receiver did not take.
struct Refusal {
  Placement by;
  std::uint64_t begin = 0, end = 0;  ///< TO
};

/// What messages did with one STag.
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
  std::uint64_t incomplete = 0;       ///< messages some of whose octets were not seen: they are not in the map
  std::uint64_t left_out_octets = 0;  ///< placed, and not in the map to stay bounded
  std::uint64_t begin = 0, end = 0;   ///< placed octets lie in [begin, end); equal: there are none

  /// The extent that holds an octet; null: nothing placed it.
  [[nodiscard]] const Extent* at(std::uint64_t to) const;
  /// Octets that are placed in [from, to). Tells what was there.
  std::vector<Extent> place(std::uint64_t from, std::uint64_t to, const Placement& by, std::uint64_t turn);
  /// They would have been placed, and were refused: what was there stays.
  void refuse(std::uint64_t from, std::uint64_t to, const Placement& by);
  /// What place() did just before, or other places have come of which each was taken back.
  void take_back(std::uint64_t from, std::uint64_t to, const Placement& by, const std::vector<Extent>& before);

 private:
  void cut(std::uint64_t from, std::uint64_t to);
  void crowd();
};

/// Told all messages of a queue pair as MessageStore::passed brings them. At most kMostBuffers STags.
class BufferMap {
 public:
  static constexpr std::size_t kMostBuffers = 4096;
  /// Messages before a Terminate that can still be taken back, of each direction.
  static constexpr std::size_t kMostTakenBack = 256;

  void add(std::span<const qp::MessageRecord> messages);
  [[nodiscard]] const std::map<BufferKey, Buffer>& buffers() const noexcept { return buffers_; }
  /// Messages that named STags beyond kMostBuffers.
  [[nodiscard]] std::uint64_t left_out() const noexcept { return left_out_; }
  /// The first Terminate against messages of this direction; null: none was seen.
  [[nodiscard]] const StreamEnd* end_of(Direction direction) const noexcept {
    const auto& end = ends_[index(direction)];
    return end ? &*end : nullptr;
  }

 private:
  /// What a tagged message did.
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
  /// By direction: grows with each message of it that tells the upper layer at its end that octets are there.
  std::array<std::uint64_t, 2> turns_{};
  std::array<std::deque<Placed>, 2> placed_;  ///< by direction, the latest
  std::array<std::optional<StreamEnd>, 2> ends_;
  std::uint64_t left_out_ = 0;
};

}  // namespace iwarpscope::gui
