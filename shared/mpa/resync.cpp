// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "mpa/resync.h"

#include <algorithm>

#include "base/crc32c.h"
#include "mpa/ulpdu_header.h"

namespace iwarpscope::mpa {
namespace {

// What one piece of evidence in a chain is worth, in bits that chance would have to produce; and how much is enough.
constexpr unsigned kTaggedBits = 12;
constexpr unsigned kUntaggedBits = 40;
constexpr unsigned kContinuityBits = 40;
constexpr unsigned kZeroCrcBits = 16;
constexpr unsigned kMarkerBits = 24;
constexpr unsigned kEdgeBits = 10;
constexpr unsigned kEnoughBits = 100;
constexpr unsigned kLeastChain = 3;
constexpr unsigned kMostChain = 8;
constexpr unsigned kMostToMarker = 32;  ///< so many of the smallest reach over a place where a marker is due

enum class Verdict : std::uint8_t { no, unfinished, yes };

/// Where one FPDU would lie, if it is one.
struct Candidate {
  std::size_t start = 0;
  bool marked = false;
  std::uint32_t residue = 0;  ///< of `start`, after a place where a marker is due; with `marked`
  FpduLayout layout;
  UlpduHeader header;
  std::uint32_t crc_field = 0;

  [[nodiscard]] std::size_t end() const noexcept { return start + layout.raw; }
};

/// True when the DDP segment `b` goes on where `a` left off: within a message, or with the next of the same queue.
bool continues(const UlpduHeader& a, const UlpduHeader& b) noexcept {
  if (a.tagged != b.tagged || a.version != b.version) return false;
  if (a.stag_or_queue != b.stag_or_queue) return false;
  if (a.tagged) return a.payload() != 0 && b.offset == a.offset + a.payload();
  if (a.last) return b.offset == 0 && b.msn == a.msn + 1;
  return b.msn == a.msn && b.opcode == a.opcode && b.offset == a.offset + a.payload();
}

class Search {
 public:
  Search(const SearchWindow& window, const FramingSettings& settings) noexcept
      : window_(window), o_(window.octets), settings_(settings), undecided_(o_.size()) {
    version_ = settings.ddp_version;
    phase_known_ = settings.markers.value_or(false) && settings.sequence_start.has_value();
    if (phase_known_) {
      phase_ = static_cast<std::uint32_t>((window.offset.value - settings.sequence_start->value) % kMarkerPeriod);
    }
  }

  SearchResult run() noexcept {
    const bool unmarked = !settings_.markers.value_or(false);
    const bool marked = settings_.markers.value_or(true) && !phase_known_;
    SearchResult result;
    for (std::size_t i = 0; i < o_.size(); ++i) {
      if ((phase_known_ && test_in_phase(i, result)) || (unmarked && test_unmarked(i, result)) ||
          (marked && test_marker(i, result))) {
        result.outcome = SearchOutcome::found;
        result.crc_spent = spent_;
        return result;
      }
    }
    result = {};
    result.crc_spent = spent_;
    if (window_.at_end) undecided_ = o_.size();
    // A marker that is still to come may point back as far as the longest FPDU reaches.
    if (!window_.at_end && marked) {
      undecided_ = std::min(undecided_, o_.size() > kMostFpduOctets ? o_.size() - kMostFpduOctets : 0);
    }
    result.at = undecided_;
    result.outcome = undecided_ < o_.size() ? SearchOutcome::need_more : SearchOutcome::none;
    return result;
  }

 private:
  bool test_unmarked(std::size_t i, SearchResult& result) noexcept {
    if (is_no_header(i)) return false;
    Candidate c;
    c.start = i;
    return consider(c, result);
  }

  /// The first octets of a header at `i` are here, and are none. Decides for most octets of any stream, so that they
  /// cost little. Source: test_header().
  bool is_no_header(std::size_t i) const noexcept {
    if (i + 4 > o_.size()) return false;
    const auto first = load_be<std::uint32_t>(o_.subspan(i));
    return (first & 0x3C30U) != 0 || (first >> 16U) < kLeastUlpduOctets;
  }

  /// The places of markers are known: the layout of an FPDU at `i` is, too. FPDUs start at multiples of four octets.
  bool test_in_phase(std::size_t i, SearchResult& result) noexcept {
    Candidate c;
    c.marked = true;
    c.start = i;
    c.residue = static_cast<std::uint32_t>((i + phase_) % kMarkerPeriod);
    return c.residue % 4 == 0 && consider(c, result);
  }

  /// Takes the octets at `m` for a marker and tests the FPDU it points to.
  bool test_marker(std::size_t m, SearchResult& result) noexcept {
    if (m + kMarkerOctets > o_.size()) return false;
    const std::uint32_t value = load_be<std::uint32_t>(o_.subspan(m));
    if ((value & 0xFFFF0003U) != 0) return false;
    const std::uint32_t pointer = value;
    if (pointer > m) return false;
    Candidate c;
    c.marked = true;
    c.start = m - pointer;
    if (pointer != 0) {
      c.residue = (kMarkerPeriod - pointer % kMarkerPeriod) % kMarkerPeriod;
      if (c.residue == 0) return false;
      if (c.residue == kMarkerOctets) {  // a marker is before ULPDU_Length
        if (c.start < kMarkerOctets) return false;
        c.start -= kMarkerOctets;
        c.residue = 0;
      }
    }
    // The next marker is four octets away or more.
    if (is_no_header(c.start + (c.residue == 0 ? kMarkerOctets : 0))) return false;
    return consider(c, result);
  }

  /// Reads the candidate's header and layout.
  Verdict locate(Candidate& c) const noexcept {
    const std::uint32_t lead = c.marked && c.residue == 0 ? kMarkerOctets : 0;
    const std::uint32_t first = c.marked ? kMarkerPeriod - (c.residue + lead) : 0;
    const std::size_t header = c.start + lead;
    if (header > o_.size()) return Verdict::unfinished;
    HeaderRoom room;
    const Octets view = header_octets(o_.subspan(header), first, room);
    if (lead != 0 && !marker_right(c.start, 0)) return Verdict::no;
    // Version 0 goes with markers (RFC 5044, Appendix C): without any hint of them it is not looked for.
    const auto version = version_ ? version_ : c.marked ? std::nullopt : std::optional<std::uint8_t>{1};
    switch (test_header(view, version, c.header)) {
      case HeaderLikelihood::no: return Verdict::no;
      case HeaderLikelihood::unfinished: return Verdict::unfinished;
      case HeaderLikelihood::plausible: break;
    }
    c.layout = c.marked ? marked_layout(c.header.ulpdu_length, c.residue) : unmarked_layout(c.header.ulpdu_length);
    if (c.layout.raw > o_.size() - c.start) return Verdict::unfinished;
    for (std::uint32_t k = 0; k < c.layout.interior; ++k) {
      const std::uint32_t distance = c.layout.first + k * kMarkerPeriod;
      if (!marker_right(header + distance, distance)) return Verdict::no;
    }
    c.crc_field = load_le<std::uint32_t>(o_.subspan(c.end() - 4));
    return Verdict::yes;
  }

  bool marker_right(std::size_t at, std::uint32_t distance) const noexcept {
    return at + kMarkerOctets > o_.size() || (load_be<std::uint32_t>(o_.subspan(at)) & ~3U) == distance;
  }

  bool consider(Candidate& c, SearchResult& result) noexcept {
    switch (locate(c)) {
      case Verdict::no: return false;
      case Verdict::unfinished: undecided_ = std::min(undecided_, c.start); return false;
      case Verdict::yes: break;
    }
    if (settings_.crc.value_or(true) && crc_right(c)) {
      fill(c, result);
      result.crc = true;
      return true;
    }
    if (settings_.crc.value_or(false)) return false;
    bool zero_crc = false;
    switch (chain(c, zero_crc)) {
      case Verdict::no: return false;
      case Verdict::unfinished: undecided_ = std::min(undecided_, c.start); return false;
      case Verdict::yes: break;
    }
    fill(c, result);
    if (zero_crc) result.crc = false;
    return true;
  }

  bool crc_right(const Candidate& c) noexcept {
    if (spent_ + c.layout.raw > window_.crc_allowance) return false;
    spent_ += c.layout.raw;
    return crc32c(o_.subspan(c.start, c.layout.raw - 4)) == c.crc_field;
  }

  /// Follows the FPDUs from `c` on and weighs what hangs together.
  Verdict chain(Candidate c, bool& zero_crc) const noexcept {
    unsigned bits = at_edge(c.start) ? kEdgeBits : 0;
    zero_crc = true;
    // A CRC field of zero looks like a marker before an FPDU: only one inside an FPDU is evidence, unless the places of
    // markers are known. Then a payload that quotes FPDUs has the markers of the FPDU around it, which point elsewhere.
    bool knows_layout = !c.marked;
    const unsigned most = phase_known_ ? kMostToMarker : kMostChain;
    for (unsigned links = 1;; ++links) {
      const bool zero_padded = pad_zero(c);
      if (!zero_padded) return Verdict::no;
      bits += c.header.tagged ? kTaggedBits : kUntaggedBits;
      bits += kMarkerBits * c.layout.interior;
      zero_crc = zero_crc && c.crc_field == 0;
      if (c.crc_field == 0) bits += kZeroCrcBits;
      if (at_edge(c.end())) bits += kEdgeBits;
      knows_layout = knows_layout || c.layout.interior != 0 || (phase_known_ && c.layout.lead != 0);
      if (links >= kLeastChain && bits >= kEnoughBits && knows_layout) return Verdict::yes;
      if (links == most) return Verdict::no;
      Candidate next = c;
      next.start = c.end();
      if (c.marked) next.residue = (c.residue + c.layout.raw) % kMarkerPeriod;
      const Verdict verdict = locate(next);
      if (verdict != Verdict::yes) return verdict;
      if (next.header.version != c.header.version) return Verdict::no;
      if (continues(c.header, next.header)) bits += kContinuityBits;
      c = next;
    }
  }

  bool at_edge(std::size_t at) const noexcept {
    return std::binary_search(window_.tcp_segment_starts.begin(), window_.tcp_segment_starts.end(),
                              static_cast<std::uint32_t>(at));
  }

  bool pad_zero(const Candidate& c) const noexcept {
    std::size_t at = c.end() - 4;
    // A marker may be between PAD and CRC.
    const std::uint32_t body = c.layout.raw - 4 - c.layout.lead;
    if (c.layout.interior != 0 && body == c.layout.first + (c.layout.interior - 1) * kMarkerPeriod + kMarkerOctets) {
      at -= kMarkerOctets;
    }
    for (std::uint32_t k = 1; k <= c.layout.pad; ++k) {
      if (o_[at - k] != std::byte{0}) return false;
    }
    return true;
  }

  void fill(const Candidate& c, SearchResult& result) const noexcept {
    result.at = c.start;
    result.layout = c.layout;
    result.ddp_version = c.header.version;
    if (c.marked) {
      result.markers = true;
      result.marker_phase =
          StreamOffset{window_.offset.value + c.start + (c.residue == 0 ? 0 : kMarkerPeriod - c.residue)};
    } else if (settings_.markers) {
      result.markers = false;
    } else if (c.layout.raw >= kMarkerPeriod) {  // it would have had a marker
      result.markers = false;
    }
  }

  SearchWindow window_;
  Octets o_;
  const FramingSettings& settings_;
  std::optional<std::uint8_t> version_;
  bool phase_known_ = false;
  std::uint32_t phase_ = 0;  ///< of window index 0, after a place where a marker is due
  std::size_t undecided_;
  std::uint64_t spent_ = 0;
};

}  // namespace

SearchResult find_fpdu(const SearchWindow& window, const FramingSettings& settings) noexcept {
  return Search(window, settings).run();
}

Plausible plausible_fpdu(Octets octets) noexcept {
  UlpduHeader header;
  std::uint32_t lead = 0;
  if (octets.size() >= kMarkerOctets && load_be<std::uint32_t>(octets) == 0) lead = kMarkerOctets;
  const auto version = lead != 0 ? std::nullopt : std::optional<std::uint8_t>{1};
  if (test_header(octets.subspan(lead), version, header) != HeaderLikelihood::plausible) return {};
  const std::uint32_t raw = lead + unmarked_layout(header.ulpdu_length).raw;
  if (raw <= octets.size() && crc32c(octets.first(raw - 4)) == load_le<std::uint32_t>(octets.subspan(raw - 4))) {
    return {Plausible::Kind::confirmed, raw};
  }
  return {Plausible::Kind::header, raw};
}

}  // namespace iwarpscope::mpa
