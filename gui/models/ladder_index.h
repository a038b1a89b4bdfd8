// The order of the messages of one queue pair, and how much there is where: what the ladder has to know of messages
// that are not at hand.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <deque>
#include <limits>
#include <optional>

#include "models/stream_end.h"
#include "session/session.h"

namespace iwarpscope::gui {

/// The store has messages in the order in which they were decided: an unanswered request after all that followed it.
/// The ladder's rows are in the order in which their first octets were captured. Fed once with each message, in order
/// of place. About 36 octets a message; of more than kMost the oldest are given up.
class LadderIndex {
 public:
  static constexpr std::uint64_t kMost = 4'000'000;
  /// Messages that lie next to each other, added up. One that came late may make it one more or less.
  static constexpr std::uint64_t kBin = 16;
  struct Bin {
    std::array<std::uint32_t, 2> messages{};  ///< by direction
    std::array<std::uint64_t, 2> octets{};    ///< by direction
    std::uint32_t incomplete = 0;
    TimePoint from{std::numeric_limits<std::int64_t>::max()}, to{std::numeric_limits<std::int64_t>::min()};
  };
  /// What rows are ordered by; it stays when others come between.
  struct Key {
    std::uint64_t first_frame = 0;
    std::uint32_t index = 0;  ///< of the message, its low bits
    friend auto operator<=>(const Key&, const Key&) = default;
  };

  void clear();
  void add(const MessageRows& page);
  /// The daemon has forgotten the messages before this place.
  void forget_before(std::uint64_t place);

  /// Rows it knows: [begin(), end()), as many as places.
  [[nodiscard]] std::uint64_t begin() const noexcept { return begin_; }
  [[nodiscard]] std::uint64_t end() const noexcept { return begin_ + rows_.size(); }
  /// Grows when rows became others: a message came that belongs before them, or some were forgotten.
  [[nodiscard]] std::uint64_t generation() const noexcept { return generation_; }
  /// Where the store has the message of a row. A row that is not known yet is its own place.
  [[nodiscard]] std::uint64_t place(std::uint64_t row) const;
  /// Nothing: the row is not known.
  [[nodiscard]] std::optional<Key> key_of(std::uint64_t row) const;
  [[nodiscard]] std::optional<std::uint64_t> row_of(const Key& key) const;
  /// Nothing: it is not known (yet).
  [[nodiscard]] std::optional<std::uint64_t> row_of(Direction direction, std::uint64_t message) const;
  /// The row whose message has this frame, else the first one behind it. Nothing: what is known ends before that frame.
  [[nodiscard]] std::optional<std::uint64_t> row_of_frame(FrameNumber frame) const;
  /// The first frame of the row's message; 0 where nothing is known.
  [[nodiscard]] std::uint64_t frame_at(std::uint64_t row) const;
  /// The bin that holds this row. Null: nothing is known.
  [[nodiscard]] const Bin* bin_at(std::uint64_t row) const;
  /// How far apart messages lie as a rule, to a factor of two: all but one of eight, or two, have less than that
  /// between them. 0: there are too few to have a rule.
  [[nodiscard]] std::int64_t usual_distance_ns() const noexcept;
  /// The first Terminate against messages of this direction; null: none was seen.
  [[nodiscard]] const StreamEnd* end_of(Direction direction) const;

 private:
  struct Row {
    std::uint64_t first_frame = 0;
    std::uint64_t place = 0;
    std::uint32_t index = 0;
    std::uint32_t frames = 0;  ///< from its first frame to its last; saturates
    [[nodiscard]] Key key() const noexcept { return {first_frame, index}; }
  };
  struct Of {
    std::uint64_t first = 0;           ///< index of the first message in `frames`
    std::deque<std::uint64_t> frames;  ///< the first of each message; kNone: not decided, or given up
  };
  static constexpr std::uint64_t kNone = std::numeric_limits<std::uint64_t>::max();
  void add(std::uint64_t place, const qp::MessageRecord& message);
  static void note_frame(Of& of, const qp::MessageRecord& message);
  void note_distance(const qp::MessageRecord& message);

  std::uint64_t begin_ = 0, generation_ = 0;
  std::deque<Row> rows_;         ///< by key
  std::uint64_t first_bin_ = 0;  ///< number of bins_.front()
  std::deque<Bin> bins_;
  std::array<Of, 2> of_;
  std::array<std::optional<StreamEnd>, 2> ends_;
  std::optional<TimePoint> latest_;            ///< of any message
  std::array<std::uint64_t, 64> distances_{};  ///< how many from one message to the next, by their width in bits
};

}  // namespace iwarpscope::gui
