// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// One direction in Full Operation: ordered octets in, FPDUs out.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "base/buffer_budget.h"
#include "findings/finding.h"
#include "mpa/fpdu.h"
#include "tcp/stream.h"

namespace iwarpscope::mpa {

/// What is agreed, or inferred, about one direction. Unknown is a state, not an error.
struct FramingSettings {
  std::optional<bool> markers;
  std::optional<bool> crc;
  /// Where markers are counted from (RFC 5044 §4.3): the octet after the startup frame. Only its residue modulo 512
  /// matters. Unknown when the stream was joined without startup.
  std::optional<StreamOffset> sequence_start;
  std::optional<std::uint8_t> ddp_version;  ///< 0 or 1 when known
  std::uint16_t mss = 0;                    ///< of the receiver's SYN, 0 unknown: for MULPDU
  bool crc_inferred = false;
  bool markers_inferred = false;
  bool maybe_siw_gso = true;  ///< a startup frame had the bit that Linux siw sets for its GSO option, or was not seen
};

struct FramerStatistics {
  std::uint64_t fpdus = 0;
  std::uint64_t fpdu_octets = 0;  ///< theirs as their length fields say, with markers, pads and CRCs
  std::uint64_t markers = 0;
  std::uint64_t crc_good = 0;
  std::uint64_t crc_bad = 0;
  std::uint64_t crc_unjudged = 0;
  std::uint64_t skipped_octets = 0;   ///< passed over while framing was lost
  std::uint64_t unframed_octets = 0;  ///< missing octets of which no known FPDU was a part
  std::uint64_t resynchronisations = 0;
};

enum class FramerState : std::uint8_t {
  framing,    ///< the next FPDU's start is known
  searching,  ///< joined mid-stream or lost: candidate boundaries are tested
  given_up,   ///< nothing like FPDUs was found within the limits
};

struct FramerLimits {
  std::size_t max_search_octets = 192u << 10;  ///< held while searching
  std::uint64_t max_searched_octets =
      8u << 20;  ///< after this much without success on a stream never confirmed: give up
};

/// Who takes what a framer finds.
struct FramerTakers {
  FpduSink& fpdus;
  findings::Reporter& findings;
};

/// Frames one direction. Feeds FPDUs to the sink in stream order. It keeps framing across missing octets when the
/// FPDU header before them is known, else searches. An FPDU whose header breaks rules while no CRC speaks for it is
/// handed up when a TCP segment or another header shows that it ended; octets that are no FPDU are MF-01. Bounded:
/// holds at most one FPDU (66 064 octets) or the search window. An idle framer between FPDUs holds no buffer and is
/// below 400 octets.
class Framer final : public tcp::StreamSink {
 public:
  /// Starts at `start` (settings.sequence_start) in state framing, or searching when settings.sequence_start is
  /// unknown. `budget` is shared by all framers of an analyser; all references must outlive the framer.
  Framer(Direction direction, const FramingSettings& settings, const FramerLimits& limits, BufferBudget& budget,
         const FramerTakers& takers);
  ~Framer();

  void octets(const tcp::Chunk& chunk) override;
  void missing(StreamOffset offset, std::uint64_t length, tcp::Missing reason, FrameNumber frame,
               TimePoint time) override;
  /// Nothing more comes for an FPDU that is not complete: it may be so, with a ULPDU_Length that changed on the way.
  void settle_changed_length();
  /// The half connection ended: FIN in order at this offset, or the capture's end (`fin` false).
  void finish(bool fin, FrameNumber frame, TimePoint time);
  /// The upper layer found that what was framed cannot be iWARP, or settings became known.
  void set_settings(const FramingSettings& settings);
  /// Right CRCs of the other direction prove that CRC is in use in both: MF-25, once, when this sender computes none.
  /// `right`: how many there are. Source: RFC 5044 §7.1.1.
  void other_uses_crc(std::uint64_t right);
  /// No CRC of the other direction is right: MF-05, if it waits for that.
  void crc_is_not_in_use();

  [[nodiscard]] const FramingSettings& settings() const noexcept;
  [[nodiscard]] const FramerStatistics& statistics() const noexcept;
  [[nodiscard]] FramerState state() const noexcept;
  /// Settings and boundaries are known: from the startup, by a right CRC, or because so many FPDUs bear out the guess.
  /// Until then a guess may be wrong, so the sender must not be blamed for what was read by it.
  [[nodiscard]] bool is_proven() const noexcept;
  /// The unfinished FPDU begins with no header of DDP and RDMAP: it may be none. Its end would show that.
  [[nodiscard]] bool is_pending_doubtful() const noexcept;
  /// The FPDU of which the end has not come.
  [[nodiscard]] PendingFpdu pending() const noexcept;

  template <class A>
  void archive(A& a);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace iwarpscope::mpa
