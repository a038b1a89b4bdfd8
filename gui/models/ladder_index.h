// Where the messages of one queue pair lie among its places, and how much there is where: what the ladder has to know
// of messages that are not at hand.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <limits>
#include <optional>

#include "session/session.h"

namespace iwarpscope::gui {

/// Fed once with each message, in order of place. About 24 octets a message; of more than kMost the oldest are given
/// up.
class LadderIndex {
 public:
  static constexpr std::uint64_t kMost = 4'000'000;
  /// Messages that lie next to each other, added up.
  static constexpr std::uint64_t kBin = 16;
  struct Bin {
    std::array<std::uint32_t, 2> messages{};  ///< by direction
    std::array<std::uint64_t, 2> octets{};    ///< by direction
    std::uint32_t incomplete = 0;
    std::uint64_t last_frame = 0;  ///< the highest so far, not only of this bin
    TimePoint from{std::numeric_limits<std::int64_t>::max()}, to{std::numeric_limits<std::int64_t>::min()};
  };

  void clear();
  void add(const MessageRows& page);
  /// The daemon has forgotten the messages before this place.
  void forget_before(std::uint64_t place);

  /// Places it knows: [begin(), end()).
  [[nodiscard]] std::uint64_t begin() const noexcept { return begin_; }
  [[nodiscard]] std::uint64_t end() const noexcept { return begin_ + frames_.size(); }
  /// Nothing: it is not known (yet).
  [[nodiscard]] std::optional<std::uint64_t> place_of(Direction direction, std::uint64_t message) const;
  /// The first place at which all up to `frame` was decided. Nothing: what is known ends before that frame.
  [[nodiscard]] std::optional<std::uint64_t> place_of_frame(FrameNumber frame) const;
  /// The first place whose message, or one before it, is not older than that.
  [[nodiscard]] std::uint64_t place_of_time(TimePoint time) const;
  /// The highest frame up to and with this place; 0 where nothing is known.
  [[nodiscard]] std::uint64_t frame_at(std::uint64_t place) const;
  /// The bin that holds this place. Null: nothing is known.
  [[nodiscard]] const Bin* bin_at(std::uint64_t place) const;

 private:
  struct Of {
    std::uint64_t first = 0;           ///< index of the first message in `places`
    std::deque<std::uint64_t> places;  ///< kNone: not decided, or given up
  };
  static constexpr std::uint64_t kNone = std::numeric_limits<std::uint64_t>::max();
  void add(std::uint64_t place, const qp::MessageRecord& message);
  void note_place(Of& of, std::uint64_t message, std::uint64_t place);

  std::uint64_t begin_ = 0;
  std::deque<std::uint64_t> frames_;  ///< by place: the highest so far
  std::uint64_t first_bin_ = 0;       ///< number of bins_.front()
  std::deque<Bin> bins_;
  std::array<Of, 2> of_;
};

}  // namespace iwarpscope::gui
