// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The inside of a Framer.
#pragma once

#include <cstring>
#include <string>
#include <vector>

#include "mpa/framer.h"
#include "mpa/marker.h"
#include "mpa/ulpdu_header.h"

namespace iwarpscope::mpa {

/// Octets held for later, paid for from a budget that others share.
class HeldOctets {
 public:
  explicit HeldOctets(BufferBudget& budget) noexcept : budget_(&budget) {}
  ~HeldOctets() { release(); }
  HeldOctets(const HeldOctets&) = delete;
  HeldOctets& operator=(const HeldOctets&) = delete;

  /// Fails (false, nothing appended) when the budget is used up. `expected`: how many there will be in all.
  bool append(Octets octets, std::size_t expected);
  void clear() noexcept { octets_.clear(); }
  void truncate(std::size_t size) { octets_.resize(size); }
  void release() noexcept;
  [[nodiscard]] bool empty() const noexcept { return octets_.empty(); }
  [[nodiscard]] std::size_t size() const noexcept { return octets_.size(); }
  [[nodiscard]] Octets view() const noexcept { return octets_; }
  [[nodiscard]] std::byte* data() noexcept { return octets_.data(); }
  /// Drops the first `count` octets.
  void drop_front(std::size_t count);
  template <class A>
  void archive(A& a) {
    a(octets_);
    if (a.is_reading()) a.check(budget_->take(octets_.capacity()));
  }
  void swap(HeldOctets& other) noexcept { octets_.swap(other.octets_), std::swap(budget_, other.budget_); }

 private:
  [[nodiscard]] bool grow(std::size_t capacity);
  BufferBudget* budget_;
  std::vector<std::byte> octets_;
};

/// Chunks that are remembered while octets are searched; later ones are taken for parts of the last.
inline constexpr std::size_t kMaxPieces = 256;
/// After so many FPDUs that nothing spoke against framing is sure again.
inline constexpr std::uint8_t kSureOfFraming = 8;

/// What a sender does wrong when it builds an FPDU.
enum class FramingFault : std::uint8_t {
  none,
  no_pad,    ///< PAD is left out
  counts_2,  ///< ULPDU_Length counts itself
  counts_4,  ///< it counts the CRC
  counts_6,  ///< it counts both
};

/// What is known of the FPDU being collected, beside its octets.
struct Collected {
  std::uint32_t have = 0;       ///< octets of it that passed, missing ones counted; 0: none is being collected
  std::uint32_t cut = 0;        ///< with `incomplete`: octets before the first missing one
  std::uint32_t raw = 0;        ///< its size, 0 while ULPDU_Length is unknown
  std::uint32_t ulpdu = 0;      ///< ULPDU_Length, with `raw`
  std::uint32_t unaligned = 0;  ///< octets of it before the first TCP segment that starts inside it; 0: none does
  FramingFault fault = FramingFault::none;  ///< with `raw`
  bool incomplete = false;
  bool starts_tcp_segment = false;
  bool in_one_tcp_segment = true;
  bool retransmitted = false;  ///< some octets came in a frame that repeated others
  bool has_acknowledged = false;
  StreamOffset start;
  FrameNumber first_frame;
  FrameNumber last_frame;
  TimePoint first_time;
  TimePoint placed_time;
  StreamOffset acknowledged;
};

/// The octets among which FPDUs are searched for, and the chunks they came in.
struct SearchSpace {
  explicit SearchSpace(BufferBudget& budget) noexcept : octets(budget) {}

  struct Piece {
    std::uint32_t begin = 0;  ///< index into `octets`
    tcp::Chunk chunk;         ///< without its octets
  };
  /// Octets where an FPDU is expected, whose header breaks rules: what follows their claimed end decides if they are
  /// one.
  struct Doubt {
    StreamOffset start;
    FpduLayout layout;
    bool loose = false;     ///< the header may be one all the same
    bool too_long = false;  ///< ULPDU_Length is above 64768, which was reported already
  };
  HeldOctets octets;
  StreamOffset offset;  ///< of octets[0]
  std::vector<Piece> pieces;
  std::optional<Doubt> doubt;
  std::size_t searched_at = 0;  ///< size when it was last searched

  template <class A>
  void archive(A& a) {
    a(octets, offset, pieces, doubt, searched_at);
    a.check(searched_at <= octets.size() && pieces.size() <= kMaxPieces && (octets.empty() || !pieces.empty()));
    a.check(pieces.empty() || pieces.front().begin == 0);
    for (std::size_t k = 1; k < pieces.size(); ++k) a.check(pieces[k - 1].begin <= pieces[k].begin);
    a.check(pieces.empty() || pieces.back().begin <= octets.size());
  }
};

/// The test that the next FPDU's header must pass before it is trusted.
enum class Gate : std::uint8_t {
  open,     ///< framing is sure: only ULPDU_Length is tested
  first,    ///< the first FPDU: markers and PD_Length may be other than agreed
  suspect,  ///< the FPDU before had a wrong CRC or missing octets: its length may be wrong
  settled,  ///< as open, and of the next FPDU it is settled that it is one, whatever its header
};

/// The CRC field of an FPDU that was taken for unused.
struct UnusedCrc {
  findings::Finding note;      ///< MF-05
  std::uint32_t seen = 0;      ///< the field
  std::uint32_t computed = 0;  ///< what the octets give
};

struct SearchResult;

/// The chunk from index `at` on.
[[nodiscard]] inline tcp::Chunk tail(const tcp::Chunk& chunk, std::size_t at) {
  tcp::Chunk rest = chunk;
  rest.offset = chunk.offset + at;
  rest.octets = chunk.octets.subspan(at);
  rest.starts_tcp_segment = chunk.starts_tcp_segment && at == 0;
  return rest;
}

struct Framer::State {
  /// What most streams never need.
  struct Rare {
    std::vector<SearchSpace::Piece> collected_pieces;  ///< of what is being collected
    StreamOffset lost_at;
    std::uint64_t skipped_before = 0;  ///< FramerStatistics::skipped_octets when framing was lost
    /// MF-04 of the only FPDU so far whose CRC could be judged: the CRC field is 0, and the next FPDU shows whether all
    /// are.
    std::unique_ptr<findings::Finding> held_mismatch;
    /// MF-05 of a direction whose CRC field is 0, without a startup: the other direction may show that CRC is in use.
    std::unique_ptr<UnusedCrc> unused_crc;
  };
  /// Made on first use.
  [[nodiscard]] Rare& rare() {
    if (rare_state == nullptr) rare_state = std::make_unique<Rare>();
    return *rare_state;
  }
  [[nodiscard]] bool holds_mismatch() const noexcept {
    return rare_state != nullptr && rare_state->held_mismatch != nullptr;
  }
  State(Direction d, const FramingSettings& s, const FramerLimits& l, BufferBudget& b, const FramerTakers& t);

  // framer.cpp
  template <class A>
  void archive(A& a) {
    a(state, gate, settings, statistics, next, collected, scratch, unmarked_run, proof, largest_ulpdu);
    a(largest_tcp_segment, small_below, crc_allowance, rare_state, crc_trials, zero_crcs, sure);
    const auto make_space = [this] { return std::make_unique<SearchSpace>(budget); };
    a.owned(space, make_space);
    a.owned(held, make_space);
    started = a.value(started);
    start_given = a.value(start_given);
    proven = a.value(proven);
    confirmed = a.value(confirmed);
    after_gap = a.value(after_gap);
    first_doubtful = a.value(first_doubtful);
    reported_crc_field = a.value(reported_crc_field);
    reported_no_crc = a.value(reported_no_crc);
    reported_framing_fault = a.value(reported_framing_fault);
    zero_crc_open = a.value(zero_crc_open);
    reported_mulpdu = a.value(reported_mulpdu);
    reported_alignment = a.value(reported_alignment);
    reported_split = a.value(reported_split);
    reported_small = a.value(reported_small);
    reported_not_found = a.value(reported_not_found);
    report_loss = a.value(report_loss);
    lost_for_sure = a.value(lost_for_sure);
    cut_last = a.value(cut_last);
    missing_since = a.value(missing_since);
    fault_reported = a.value(fault_reported);
    replaying = a.value(replaying);
    if (a.is_reading()) a.check(is_sound());
  }
  /// For what was read: the octets of the FPDU that is collected are there.
  [[nodiscard]] bool is_sound() const noexcept;
  void take(const tcp::Chunk& chunk);
  std::size_t frame(const tcp::Chunk& chunk);
  std::size_t collect(const tcp::Chunk& chunk, std::size_t at);
  std::size_t start_collecting(const tcp::Chunk& chunk, std::size_t at, const FpduLayout& shape);
  void finish_collected(const tcp::Chunk& chunk, bool at_chunk_end);
  [[nodiscard]] Fpdu collected_fpdu(FrameNumber frame, TimePoint time) const;
  void release_collected() noexcept;
  void skip_missing(std::uint64_t length, FrameNumber frame, TimePoint time);
  void emit_incomplete(FrameNumber frame, TimePoint time);
  [[nodiscard]] std::uint32_t residue(StreamOffset start) const noexcept {
    return static_cast<std::uint32_t>((start.value - settings.sequence_start->value) % kMarkerPeriod);
  }
  [[nodiscard]] bool marked() const noexcept { return settings.markers.value_or(false) && settings.sequence_start; }
  [[nodiscard]] FpduLayout layout(StreamOffset start, std::uint32_t ulpdu_length) const noexcept {
    return marked() ? marked_layout(ulpdu_length, residue(start)) : unmarked_layout(ulpdu_length);
  }

  // framer_otherwise.cpp: an FPDU that ends elsewhere than its header says
  [[nodiscard]] FpduLayout layout_with(FramingFault fault, StreamOffset start, std::uint32_t length) const noexcept;
  [[nodiscard]] std::optional<FramingFault> fault_that_fits(Octets raw, StreamOffset start,
                                                            bool exactly) const noexcept;
  [[nodiscard]] bool is_framed_otherwise(Octets raw, FpduLayout& layout, Fpdu& fpdu);
  void settle_early_end(const tcp::Chunk& chunk, std::size_t until);
  void raise_framing_fault(FramingFault fault, const Fpdu& fpdu);
  [[nodiscard]] std::optional<std::uint32_t> length_before_damage(Octets raw, StreamOffset start) const;
  void settle_changed_length();

  // framer_examine.cpp: may the octets at an FPDU's start be taken for one?
  enum class Examined : std::uint8_t {
    need_more,
    fpdu,
    lost,
    doubtful,  ///< `space` has a doubt now: the octets from there on are to be held
  };
  [[nodiscard]] Examined examine(Octets from_start, StreamOffset start, const tcp::Chunk& chunk, FpduLayout& layout);
  Examined examine_closely(Octets from_start, StreamOffset start, const tcp::Chunk& chunk, FpduLayout& layout);
  Examined examine_first(Octets from_start, StreamOffset start, const tcp::Chunk& chunk);
  Examined examine_first_header(Octets from_header, Octets from_start, StreamOffset start, const tcp::Chunk& chunk);
  Examined examine_suspect(Octets from_start, StreamOffset start);
  Examined first_is_unreadable(Octets from_start, StreamOffset start, FrameNumber frame, TimePoint time);
  void settle_unmarked() noexcept;
  void confirm_zero_crc();
  [[nodiscard]] Examined length_is_invalid(Octets from_header, StreamOffset start, const tcp::Chunk& chunk);

  // framer_doubt.cpp: an FPDU that may be none, because of its header or its CRC
  enum class Doubted : std::uint8_t {
    undecided,
    fpdu,
    likely,  ///< an FPDU, unless others begin inside it: its sender errs, and does so again after it
    none,
  };
  [[nodiscard]] Octets header_at(Octets from_start, StreamOffset start, HeaderRoom& room) const noexcept;
  [[nodiscard]] HeaderLikelihood likelihood_at(Octets from_start, StreamOffset start) const noexcept;
  Examined examine_unvouched(Octets from_start, StreamOffset start, const tcp::Chunk& chunk, const FpduLayout& layout);
  [[nodiscard]] Doubted weigh(Octets from_start, const SearchSpace::Doubt& doubt, bool ends_tcp_segment) const noexcept;
  void begin_doubt(const SearchSpace::Doubt& doubt);
  void collected_is_doubtful();
  void doubt_cut_fpdu();
  [[nodiscard]] bool is_collected_doubtful() const noexcept;
  [[nodiscard]] Doubted settle_doubt(std::size_t from, bool look_inside, bool at_end);
  void presume_length() noexcept;
  void leave_doubt_at_gap();
  void leave_doubt_at_end(bool fin, FrameNumber frame, TimePoint time);
  void raise_no_fpdu(Octets from_start, const SearchSpace::Doubt& doubt, FrameNumber frame, TimePoint time);
  void hold(Octets raw, const Fpdu& fpdu);

  // framer_judge.cpp: a whole FPDU
  /// Fails (false) when these octets turn out to be no FPDU, as a first one may. `layout` changes when markers are
  /// absent.
  [[nodiscard]] bool judge(Octets raw, FpduLayout& layout, Fpdu& fpdu, bool ends_tcp_segment, bool retransmitted);
  void prove(Octets raw, const FpduLayout& layout, const Fpdu& fpdu) noexcept;
  void judge_crc(Octets raw, Fpdu& fpdu);
  void infer_crc(Octets raw, Fpdu& fpdu);
  [[nodiscard]] bool crc_mismatch(Octets raw, FpduLayout& layout, Fpdu& fpdu, bool ends_tcp_segment);
  void note_crc_field(Octets raw, const Fpdu& fpdu);
  void raise_crc_mismatch(const Fpdu& fpdu, findings::Finding mismatch);
  void raise_held_mismatch();
  void other_uses_crc(std::uint64_t right);
  void crc_is_not_in_use();
  void judge_pad(Octets raw, const FpduLayout& layout, const Fpdu& fpdu);
  void judge_size(const FpduLayout& layout, const Fpdu& fpdu, Octets raw);
  void judge_split(const FpduLayout& layout, const Fpdu& fpdu);
  void judge_alignment(const Collected& was, const Fpdu& fpdu);
  void hand_up(const Fpdu& fpdu);
  void finish(bool fin, FrameNumber frame, TimePoint time);
  // About an FPDU, or what one frame shows; they fill in all but id, offset and words.
  [[nodiscard]] findings::Finding about(const Fpdu& fpdu, findings::Finding finding);
  void raise(const Fpdu& fpdu, findings::Finding finding);
  void raise_at(FrameNumber frame, TimePoint time, findings::Finding finding);

  // framer_markers.cpp
  [[nodiscard]] bool markers_right(Octets raw, const FpduLayout& layout) const noexcept;
  [[nodiscard]] static bool is_header_marker_right(Octets raw, const FpduLayout& layout) noexcept;
  void judge_markers(Octets raw, const FpduLayout& layout, const Fpdu& fpdu);
  void judge_reserved(std::uint32_t marker, const Fpdu& fpdu, StreamOffset offset);
  [[nodiscard]] bool try_without_markers(Octets raw, FpduLayout& layout, Fpdu& fpdu);
  /// The ULPDU without its markers, as far as `raw` reaches; in `raw` itself where no marker is between, else in
  /// scratch.
  [[nodiscard]] Octets remove_markers(Octets raw, const FpduLayout& layout);
  /// Counts the markers of the FPDU whose octets are `raw`, as far as they were captured, and hands them up.
  void tell_markers(Octets raw, const FpduLayout& layout, StreamOffset start);

  // framer_search.cpp
  void lose_framing(StreamOffset at);
  void lose_boundary(StreamOffset at);
  void begin_search_with_collected();
  [[nodiscard]] bool move_collected_to(SearchSpace& to);
  [[nodiscard]] FramingSettings search_settings() const noexcept;
  void search(const tcp::Chunk& chunk);
  void search_held(bool at_end, bool look_inside = true);
  [[nodiscard]] const SearchSpace::Piece& piece_at(StreamOffset at) const;
  [[nodiscard]] std::size_t replay(std::size_t from);
  void adopt(const SearchResult& found, StreamOffset at);
  void report_found(StreamOffset at);
  void report_first(StreamOffset at);
  void report_not_found(FrameNumber frame, TimePoint time);
  void drop_search_octets(std::size_t count);
  void give_up();

  const Direction direction;
  FramerState state = FramerState::searching;
  Gate gate = Gate::first;
  FramingSettings settings;
  const FramerLimits& limits;
  BufferBudget& budget;
  FpduSink& sink;
  findings::Reporter& reporter;
  FramerStatistics statistics;
  StreamOffset next;  ///< the next octet to come, with `started`
  Collected collected;
  HeldOctets scratch;
  std::unique_ptr<SearchSpace> space;  ///< while searching
  std::uint64_t unmarked_run = 0;      ///< octets framed one after another without a marker while markers are unknown
  std::uint32_t proof = 0;             ///< octets framed one after another that markers, there or not, bear out
  std::uint32_t largest_ulpdu = 0;
  std::uint32_t largest_tcp_segment = 0;  ///< at most the MSS: the largest payload that surely fits one
  std::uint32_t small_below = 0;          ///< ULPDUs that do not end a message and are below this are small
  std::uint64_t crc_allowance = std::uint64_t{256} << 10;
  std::unique_ptr<SearchSpace> held;  ///< with Gate::suspect: the FPDU that had a wrong CRC, as it came
  std::unique_ptr<Rare> rare_state;   ///< see rare()
  std::uint8_t crc_trials = 0;
  std::uint8_t zero_crcs = 0;
  std::uint8_t sure = 0;  ///< FPDUs since framing began that nothing spoke against, at most kSureOfFraming
  bool started : 1;
  bool start_given : 1;  ///< SeqStart was given
  bool proven : 1;       ///< as Framer::is_proven()
  bool confirmed : 1;    ///< the stream is iWARP: startup, or an FPDU that was confirmed
  bool after_gap : 1;    ///< the next FPDU follows octets that are missing or passed over
  bool first_doubtful : 1;
  bool reported_crc_field : 1;
  bool reported_no_crc : 1;         ///< MF-25
  bool reported_framing_fault : 1;  ///< MF-27
  bool zero_crc_open : 1;           ///< the FPDU before had a CRC of 0, and it is not sure that it ended there
  bool reported_mulpdu : 1;
  bool reported_alignment : 1;
  bool reported_split : 1;
  bool reported_small : 1;
  bool reported_not_found : 1;  ///< MF-26, CA-12 at the end
  bool report_loss : 1;         ///< framing was had before: its loss is reported when it is found again
  bool lost_for_sure : 1;       ///< framing was sure when it was lost, and there was room for what came since
  bool cut_last : 1;            ///< what was missing last was cut off by the capture: CA-20 says what that costs
  bool missing_since : 1;       ///< octets are missing since the latest FPDU
  bool fault_reported : 1;  ///< an error was found since the latest FPDU that was right, and no octet is missing since
  bool replaying : 1;       ///< the octets being framed are those of `space`
};

}  // namespace iwarpscope::mpa
