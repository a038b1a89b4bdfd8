// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The order and density of the messages of one queue pair: what the ladder must know of messages that are not loaded.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <deque>
#include <limits>
#include <optional>
#include <vector>

#include "models/ladder/ladder_life.h"
#include "models/ladder/stream_end.h"
#include "session/session.h"

namespace iwarpscope::gui {

/// The store has messages in the order in which they were decided: an unanswered request comes after all messages that
/// followed it. The ladder's rows are in the order in which their first octets were captured. Takes each message once,
/// in order of place. Some rows are no messages: see LadderLife. Needs about 36 octets per message. Above kMost
/// messages, the oldest are dropped.
class LadderIndex {
 public:
  static constexpr std::uint64_t kMost = 4'000'000;
  /// Adjacent messages, summed. A late message can make the count wrong by one.
  static constexpr std::uint64_t kBin = 16;
  struct Bin {
    std::array<std::uint32_t, 2> messages{};  ///< by direction
    std::array<std::uint64_t, 2> octets{};    ///< by direction
    std::uint32_t incomplete = 0;
    TimePoint from{std::numeric_limits<std::int64_t>::max()}, to{std::numeric_limits<std::int64_t>::min()};
  };
  /// The sort key of rows; it does not change when other rows are inserted.
  struct Key {
    std::uint64_t first_frame = 0;
    std::uint8_t order = kOfMessage;  ///< of rows with the same first frame
    std::uint32_t index = 0;          ///< low bits of the message's place
    static constexpr std::uint8_t kBefore = 0, kOfMessage = 1, kAfter = 2;
    friend auto operator<=>(const Key&, const Key&) = default;
  };

  void clear();
  void add(const MessageRows& page);
  /// All rows that are no messages.
  void set_life(std::vector<LadderLife> life);
  /// The daemon has discarded the messages before this place.
  void forget_before(std::uint64_t place);

  /// Known rows: [begin(), end()), as many as places of messages and rows that are no messages.
  [[nodiscard]] std::uint64_t begin() const noexcept { return begin_; }
  [[nodiscard]] std::uint64_t end() const noexcept { return begin_ + rows_.size(); }
  /// Number of rows that are no messages.
  [[nodiscard]] std::uint64_t life_rows() const noexcept { return life_.size(); }
  /// Null: the row is a message, or not known.
  [[nodiscard]] const LadderLife* life_at(std::uint64_t row) const;
  /// Grows when rows change: a message is inserted before others, or some are discarded.
  [[nodiscard]] std::uint64_t generation() const noexcept { return generation_; }
  /// The store's place of the message in a row. Rows that are not known yet follow in order of place. Precondition: the
  /// row is a message, or not known.
  [[nodiscard]] std::uint64_t place(std::uint64_t row) const;
  /// Empty: the row is not known.
  [[nodiscard]] std::optional<Key> key_of(std::uint64_t row) const;
  [[nodiscard]] std::optional<std::uint64_t> row_of(const Key& key) const;
  /// Empty: not known (yet).
  [[nodiscard]] std::optional<std::uint64_t> row_of(Direction direction, std::uint64_t message) const;
  /// The row whose message has this frame, or the first row after it. Empty: the known rows end before this frame.
  [[nodiscard]] std::optional<std::uint64_t> row_of_frame(FrameNumber frame) const;
  /// Whether the row's message has this frame.
  [[nodiscard]] bool holds(std::uint64_t row, FrameNumber frame) const;
  /// The first frame of the row's message; 0: not known.
  [[nodiscard]] std::uint64_t frame_at(std::uint64_t row) const;
  /// The bin that contains this row. Null: not known.
  [[nodiscard]] const Bin* bin_at(std::uint64_t row) const;
  /// The usual distance between messages, to a factor of two: all but one of eight distances, or of two, are below it.
  /// 0: too few messages.
  [[nodiscard]] std::int64_t usual_distance_ns() const noexcept;
  /// The first Terminate that refuses messages of this direction; null: none was seen.
  [[nodiscard]] const StreamEnd* end_of(Direction direction) const;

 private:
  struct Row {
    std::uint64_t first_frame = 0;
    std::uint64_t place = 0;
    std::uint32_t index = 0;
    std::uint32_t frames = 0;  ///< from its first frame to its last; saturates
    [[nodiscard]] bool is_life() const noexcept { return (place & kLife) != 0; }
    [[nodiscard]] Key key() const noexcept {
      const std::uint8_t order = !is_life() ? Key::kOfMessage : (place & kAfter) != 0 ? Key::kAfter : Key::kBefore;
      return {first_frame, order, index};
    }
  };
  /// Of Row::place: no message; `index` is that of life_.
  static constexpr std::uint64_t kLife = std::uint64_t{1} << 63, kAfter = std::uint64_t{1} << 62;
  struct Of {
    std::uint64_t first = 0;           ///< index of the first message in `frames`
    std::deque<std::uint64_t> frames;  ///< the first frame of each message; kNone: not decided, or dropped
  };
  static constexpr std::uint64_t kNone = std::numeric_limits<std::uint64_t>::max();
  void add(std::uint64_t place, const qp::MessageRecord& message);
  /// Known messages have the places [begin_, messages_end()).
  [[nodiscard]] std::uint64_t messages_end() const noexcept { return end() - life_.size(); }
  void put_life();
  static void note_frame(Of& of, const qp::MessageRecord& message);
  void note_distance(const qp::MessageRecord& message);

  std::uint64_t begin_ = 0, generation_ = 0;
  std::deque<Row> rows_;          ///< by key
  std::vector<LadderLife> life_;  ///< all of them are in rows_
  std::uint64_t first_bin_ = 0;   ///< number of bins_.front()
  std::deque<Bin> bins_;
  std::array<Of, 2> of_;
  std::array<std::optional<StreamEnd>, 2> ends_;
  std::optional<TimePoint> latest_;            ///< of any message
  std::array<std::uint64_t, 64> distances_{};  ///< number of distances between messages, by their width in bits
};

}  // namespace iwarpscope::gui
