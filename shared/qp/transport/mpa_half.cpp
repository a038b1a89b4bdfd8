// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "qp/transport/mpa_half.h"

#include <algorithm>
#include <utility>

#include "base/wording.h"
#include "ddp/header.h"
#include "rdmap/opcode.h"

namespace iwarpscope::qp {

namespace {

/// Two of the largest FPDUs: whatever damage did to one, the next is found among so many octets. Ours.
constexpr std::uint64_t kForeignOctets = 132u << 10;

/// So many right CRCs of one direction prove that CRC is in use in both. One may be right by chance. Ours.
constexpr std::uint64_t kProofOfCrc = 3;

/// Text or another protocol, most likely. Source: RFC 5041 §4.1, RFC 5040 §4.1.
bool is_unlike_rdma(Octets ulpdu) noexcept {
  return ulpdu.size() >= 2 &&
         (ddp::Control{to_u8(ulpdu[0])}.reserved() != 0 || rdmap::Control{to_u8(ulpdu[1])}.reserved() != 0);
}

}  // namespace

void MpaHalf::make_framer(const mpa::FramingSettings& settings) {
  framer_.emplace(half_.direction(), settings, common().env.mpa, common().env.budget,
                  mpa::FramerTakers{*this, common()});
}

void MpaHalf::begin_framing(const mpa::FramingSettings& settings) {
  make_framer(settings);
  // Without it, what was before the first FPDU found is not known.
  half_.begin(settings.ddp_version, settings.sequence_start.has_value());
}

void MpaHalf::passed_over(StreamOffset from, StreamOffset end, FrameNumber frame, TimePoint time) {
  if (end <= from) return;
  half_.delivered(end);
  half_.lost_octets();
  framer_->missing(from, distance(from, end), tcp::Missing::capture_gap, frame, time);
}

void MpaHalf::octets(const tcp::Chunk& chunk) {
  half_.delivered(chunk.offset + chunk.octets.size());
  if (!framer_) {
    if (mpa_.startup() == nullptr) return;
    const std::size_t taken = feed_startup(chunk);
    if (!framer_ || taken >= chunk.octets.size()) return;
    tcp::Chunk rest = chunk;
    rest.offset = chunk.offset + taken;
    rest.octets = chunk.octets.subspan(taken);
    rest.starts_tcp_segment = chunk.starts_tcp_segment && taken == 0;
    framer_->octets(rest);
    return;
  }
  framer_->octets(chunk);
}

std::size_t MpaHalf::feed_startup(const tcp::Chunk& chunk) {
  const auto end_of = [](const mpa::StartupFrame* frame) { return frame != nullptr ? frame->end : StreamOffset{}; };
  const StreamOffset request = end_of(mpa_.startup()->request()), reply = end_of(mpa_.startup()->reply());
  const std::size_t taken = mpa_.startup()->octets(half_.direction(), chunk, !common().one_sided);
  if (common().observation != nullptr) {
    for (const auto& [frame, before] :
         {std::pair(mpa_.startup()->request(), request), {mpa_.startup()->reply(), reply}}) {
      if (frame != nullptr && frame->end != before) common().observation->startup_frame(half_.direction(), *frame);
    }
  }
  mpa_.startup_moved(half_.direction());
  return taken;
}

void MpaHalf::missing(StreamOffset offset, std::uint64_t length, tcp::Missing reason, FrameNumber frame,
                      TimePoint time) {
  half_.missing(offset + length, reason);
  if (framer_.has_value()) {
    const bool framed = is_framed_to_its_end();
    framer_->missing(offset, length, reason, frame, time);
    if (framed && !is_framed_to_its_end() && reason == tcp::Missing::snap_length) {
      cut_framing_ = true;
      if (common().observation != nullptr) common().observation->gap(half_.direction());
    }
  } else if (mpa_.startup() != nullptr) {
    mpa_.startup()->missing(half_.direction(), offset, length);
    mpa_.startup_moved(half_.direction());
  }
}

void MpaHalf::fpdu(const mpa::Fpdu& fpdu) {
  if (fpdu.after_gap) half_.lost_octets();
  const bool first = half_.coverage().framed_end() == StreamOffset{};
  half_.framed(fpdu.end);
  if (first) mpa_.first_fpdus().judge(half_.direction(), fpdu, common());
  last_crc_bad_ = fpdu.crc == mpa::CrcVerdict::bad;
  last_unlike_ = last_crc_bad_ && is_unlike_rdma(fpdu.ulpdu);
  if (last_crc_bad_) half_.bad_crc(fpdu.last_frame, fpdu.start);
  if (common().midstream) {
    common().move(Event::joined);
  } else if (!common().agreement || common().agreement->initiator == half_.direction() || common().one_sided) {
    common().move(Event::fpdu);
  }
  common().confirm();
  if (common().observation != nullptr) common().observation->fpdu(half_.direction(), fpdu);
  half_.ulpdu(ddp::carrier_of(fpdu), fpdu.ulpdu, fpdu.ulpdu_length);
  if (!common().agreement || !common().agreement->crc) {
    compare_crcs(false);
    other().compare_crcs(false);
  }
}

/// Source: RFC 5044 §7.1.1.
void MpaHalf::compare_crcs(bool at_end) {
  const mpa::Framer* const theirs = other().framer();
  if (!framer_ || framer_->settings().crc != false) return;
  const bool unknown = theirs == nullptr || !theirs->settings().crc;
  if (!unknown && *theirs->settings().crc) {
    if (theirs->statistics().crc_good >= kProofOfCrc) framer_->other_uses_crc(theirs->statistics().crc_good);
  } else if (!unknown || at_end) {
    framer_->crc_is_not_in_use();
  }
}

void MpaHalf::marker(StreamOffset at, std::uint32_t value) {
  if (common().observation != nullptr) common().observation->marker(half_.direction(), at, value);
}

void MpaHalf::ended(bool orderly) {
  // What came after the FIN or the RST ends now; which end is to blame for it was reported.
  if (framer_) framer_->settle_changed_length();
  const bool again = !half_.ending();
  if (!framer_) return;
  framer_->finish(orderly && !again, common().frame, common().time);
  half_.finish(orderly && !again && is_framed_to_its_end());
  if (!again) judge_stream_end();
}

/// RM-34: octets that are no FPDUs, in a stream that was framed from its startup on and of which nothing is missing. It
/// must be sure that they begin where an FPDU had to: every FPDU before has a right CRC, and what was read as the next
/// has a wrong one and no header of DDP and RDMAP. After other trouble a wrong length explains as much.
void MpaHalf::judge_stream_end() {
  const mpa::FramerStatistics& s = framer_->statistics();
  if (framer_->state() == mpa::FramerState::framing || !half_.coverage().has_all_octets() || common().midstream) return;
  const bool read_as_one = last_crc_bad_ && last_unlike_ && s.crc_bad == 1;
  if (!read_as_one || s.crc_good == 0 || s.crc_good + 1 != s.fpdus || s.resynchronisations != 0) return;
  const StreamOffset end = half_.coverage().stream_end();
  const std::uint64_t foreign = distance(std::min(end, half_.coverage().framed_end()), end);
  if (foreign < kForeignOctets) return;
  findings::Finding f;
  f.id = findings::FindingId::rdmap_not_rdma;
  f.direction = half_.direction();
  f.seen = std::to_string(foreign);
  f.text = "After " + iwarpscope::counted(s.crc_good, "FPDU") +
           " with right CRCs this direction carries octets that are not FPDUs, and no octet of it is missing.";
  common().raise(std::move(f));
}

bool MpaHalf::is_framing_lost() const noexcept {
  // If startup does not show where FPDUs begin, also without any FPDU: then no octet of this direction could be read.
  const bool never_found = !common().knows_startup() && counted().stream_octets != 0;
  return framer_.has_value() && (framer_->statistics().fpdus != 0 || never_found) && !is_framed_to_its_end();
}

mpa::PendingFpdu MpaHalf::pending() const noexcept {
  return is_framed_to_its_end() ? framer_->pending() : mpa::PendingFpdu{};
}

bool MpaHalf::is_captured() const noexcept {
  return counted().tcp_segments != 0 && !mpa_.connection().is_unseen(half_.direction());
}

std::optional<StreamOffset> MpaHalf::acknowledged() const noexcept {
  return mpa_.connection().acknowledged(half_.direction());
}

bool MpaHalf::was_sent_again() const noexcept {
  return counted().retransmitted_octets != 0;
}

std::uint64_t MpaHalf::right_crcs() const noexcept {
  if (!framer_) return 0;
  const mpa::FramerStatistics& s = framer_->statistics();
  const bool clean = s.crc_good > 0 && s.crc_bad == 0 && s.crc_unjudged == 0 && s.skipped_octets == 0;
  return clean ? s.fpdus : 0;
}

namespace {

std::vector<OctetsRecord> record_of(const tcp::RangeList& list) {
  std::vector<OctetsRecord> all;
  for (const tcp::OctetRange& r : list.ranges()) {
    all.push_back({relative(StreamOffset{r.begin}), r.end - r.begin});
  }
  return all;
}

void fill_numbers(const tcp::Connection& connection, Direction d, DirectionRecord& record) {
  if (const auto numbers = connection.sequence_numbers(d)) {
    record.sequence = SequenceRecord{
        numbers->initial, numbers->first, numbers->octets, numbers->fin, numbers->is_acknowledged_only, std::nullopt};
  }
  const tcp::LossTraces* const traces = connection.loss_traces(d);
  if (traces == nullptr) return;
  record.loss_traces = {record_of(traces->sent_again), record_of(traces->filled_late),
                        traces->sent_again.has_more() || traces->filled_late.has_more()};
}

void fill_dropped(const tcp::Connection& connection, Direction d, DirectionRecord& record) {
  record.dropped_wrong_checksum = connection.statistics(d).wrong_checksums;
  const tcp::Dropped* const dropped = connection.dropped(d);
  if (dropped == nullptr) return;
  using tcp::Doubt;
  const auto count = [&](auto... reasons) { return (... + (*dropped)[static_cast<std::size_t>(reasons)]); };
  record.dropped_wrong_checksum += count(Doubt::wrong_ip_checksum);
  record.dropped_no_ack_flag = count(Doubt::no_ack_flag);
  record.dropped_wrong_acknowledgment = count(Doubt::acknowledges_unsent, Doubt::acknowledges_too_old);
  record.dropped_beyond_window = count(Doubt::beyond_window);
  record.dropped_old_timestamp = count(Doubt::old_timestamp);
  record.dropped_cut_short = count(Doubt::cut_short);
  record.dropped_control = count(Doubt::unfitting_reset, Doubt::unfitting_syn);
  record.dropped_doubtful = count(Doubt::maybe_keep_alive, Doubt::other_hop_limit);
}

}  // namespace

void MpaHalf::fill(DirectionRecord& record) const {
  fill_numbers(mpa_.connection(), half_.direction(), record);
  fill_dropped(mpa_.connection(), half_.direction(), record);
  const tcp::DirectionStatistics& t = counted();
  record.tcp_segments = t.tcp_segments;
  record.stream_octets = t.stream_octets;
  record.retransmitted_octets = t.retransmitted_octets;
  record.retransmitted_segments = t.retransmitted_segments;
  record.out_of_order_segments = t.out_of_order_segments;
  record.capture_gap_octets = t.capture_gap_octets;
  record.cut_octets = t.cut_octets;
  record.cut_framing = cut_framing_;
  if (!framer_) return;
  const mpa::FramerStatistics& f = framer_->statistics();
  record.fpdus = f.fpdus;
  record.fpdu_octets = f.fpdu_octets;
  record.markers = f.markers;
  record.crc_ok = f.crc_good;
  record.crc_bad = f.crc_bad;
  record.crc_unjudged = f.crc_unjudged;
  record.unframed_octets = f.skipped_octets + f.unframed_octets;
}

}  // namespace iwarpscope::qp
