// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The counters of each direction of a queue pair: one row each, which reports, the daemon's API and its metrics read.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "qp/records.h"

namespace iwarpscope::qp {

struct DirectionCounter {
  using Member = std::uint64_t DirectionRecord::*;
  enum class Unit : std::uint8_t { count, octets };
  /// Where the counter has a meaning. As text, others leave it out. In JSON, those of TCP are always there.
  enum class Transport : std::uint8_t { any, tcp, sctp };
  /// The lines of the report as text that it belongs to, in this order; between them are lines with several values.
  enum class Part : std::uint8_t { none, transport, missing, dropped, framing, markers, segments, messages };

  Member member;
  std::string_view name{};  ///< in JSON, and of the field in v1::DirectionCounters; permanent. Empty: only a metric
  std::string_view name_over_sctp{};  ///< in JSON, beside the name; permanent. Empty: the name fits
  Unit unit = Unit::count;
  Transport transport = Transport::any;
  Part part = Part::none;
  std::string_view label{};            ///< as text
  std::string_view label_over_sctp{};  ///< empty: the same
  std::string_view metric{};           ///< total of all queue pairs, without "iwarp_"; permanent. Empty: it has none
  std::string_view help{};             ///< of the metric
};

/// In the order of the fields in JSON.
// More than 60 lines: a table with a row for each counter.
inline constexpr auto kDirectionCounters = [] {
  using D = DirectionRecord;
  using Unit = DirectionCounter::Unit;
  using Transport = DirectionCounter::Transport;
  using Part = DirectionCounter::Part;
  return std::to_array<DirectionCounter>({
      {.member = &D::tcp_segments,
       .name = "tcp_segments",
       .name_over_sctp = "data_chunks",
       .part = Part::transport,
       .label = "TCP segments",
       .label_over_sctp = "DATA chunks",
       .metric = "tcp_segments_total",
       .help = "TCP segments of queue pairs; over SCTP, DATA chunks."},
      {.member = &D::stream_octets,
       .name = "stream_octets",
       .unit = Unit::octets,
       .part = Part::transport,
       .label = "stream",
       .label_over_sctp = "user data",
       .metric = "stream_bytes_total",
       .help = "Octets of the TCP streams, or over SCTP of the DATA chunks, that carry queue pairs."},
      {.member = &D::retransmitted_segments,
       .metric = "tcp_retransmits_total",
       .help = "TCP segments, or over SCTP DATA chunks, with retransmitted octets."},
      {.member = &D::retransmitted_octets,
       .name = "retransmitted_octets",
       .unit = Unit::octets,
       .part = Part::transport,
       .label = "retransmitted",
       .metric = "tcp_retransmitted_bytes_total",
       .help = "Octets retransmitted by TCP or SCTP."},
      {.member = &D::out_of_order_segments,
       .name = "out_of_order_segments",
       .name_over_sctp = "out_of_order_chunks",
       .part = Part::transport,
       .label = "out of order"},
      {.member = &D::capture_gap_octets,
       .name = "capture_gap_octets",
       .unit = Unit::octets,
       .metric = "capture_gap_bytes_total",
       .help = "Octets that TCP acknowledged and the capture missed."},
      {.member = &D::capture_gap_messages,
       .name = "capture_gap_messages",
       .transport = Transport::sctp,
       .metric = "capture_gap_messages_total",
       .help = "Messages that SCTP acknowledged and the capture missed."},
      {.member = &D::fpdus,
       .name = "fpdus",
       .transport = Transport::tcp,
       .part = Part::framing,
       .label = "FPDUs",
       .metric = "fpdu_total",
       .help = "FPDUs; over SCTP, DDP segments."},
      {.member = &D::fpdu_octets,
       .unit = Unit::octets,
       .metric = "fpdu_bytes_total",
       .help = "Octets of FPDUs, by their length fields, with markers, pads and CRCs."},
      {.member = &D::markers,
       .name = "markers",
       .transport = Transport::tcp,
       .part = Part::markers,
       .label = "markers"},
      {.member = &D::crc_ok, .name = "crc_ok", .transport = Transport::tcp},
      {.member = &D::crc_bad,
       .name = "crc_bad",
       .transport = Transport::tcp,
       .metric = "mpa_crc_errors_total",
       .help = "FPDUs whose CRC did not match."},
      {.member = &D::crc_unjudged,
       .name = "crc_unjudged",
       .transport = Transport::tcp,
       .metric = "mpa_crc_unjudged_total",
       .help = "FPDUs whose CRC could not be checked, because octets are missing."},
      {.member = &D::ddp_segments, .name = "ddp_segments", .part = Part::segments, .label = "DDP segments"},
      {.member = &D::max_outstanding_reads, .name = "max_outstanding_reads"},
      {.member = &D::incomplete_messages,
       .name = "incomplete_messages",
       .part = Part::messages,
       .label = "incomplete messages"},
      {.member = &D::cut_octets,
       .name = "cut_octets",
       .unit = Unit::octets,
       .part = Part::missing,
       .label = "cut by the snap length"},
      {.member = &D::unframed_octets,
       .name = "unframed_octets",
       .unit = Unit::octets,
       .transport = Transport::tcp,
       .part = Part::missing,
       .label = "not read"},
      {.member = &D::dropped_wrong_checksum,
       .name = "dropped_wrong_checksum",
       .transport = Transport::tcp,
       .part = Part::dropped,
       .label = "dropped, wrong checksum",
       .metric = "tcp_dropped_wrong_checksum_total",
       .help = "TCP segments ignored for a wrong TCP or IP header checksum."},
      {.member = &D::dropped_no_ack_flag,
       .name = "dropped_no_ack_flag",
       .transport = Transport::tcp,
       .part = Part::dropped,
       .label = "dropped, no ACK flag",
       .metric = "tcp_dropped_no_ack_flag_total",
       .help = "TCP segments ignored because they lack the ACK flag."},
      {.member = &D::dropped_wrong_acknowledgment,
       .name = "dropped_wrong_acknowledgment",
       .transport = Transport::tcp,
       .part = Part::dropped,
       .label = "dropped, wrong ACK number",
       .metric = "tcp_dropped_wrong_acknowledgment_total",
       .help = "TCP segments ignored because they acknowledge octets never sent, or far too old ones."},
      {.member = &D::dropped_beyond_window,
       .name = "dropped_beyond_window",
       .transport = Transport::tcp,
       .part = Part::dropped,
       .label = "dropped, beyond the window",
       .metric = "tcp_dropped_beyond_window_total",
       .help = "TCP segments ignored because they lie beyond the window."},
      {.member = &D::dropped_old_timestamp,
       .name = "dropped_old_timestamp",
       .transport = Transport::tcp,
       .part = Part::dropped,
       .label = "dropped, old timestamp",
       .metric = "tcp_dropped_old_timestamp_total",
       .help = "TCP segments ignored for an old timestamp (PAWS)."},
      {.member = &D::dropped_cut_short,
       .name = "dropped_cut_short",
       .transport = Transport::tcp,
       .part = Part::dropped,
       .label = "dropped, cut short",
       .metric = "tcp_dropped_cut_short_total",
       .help = "TCP segments ignored because the frame ends before its IP length."},
      {.member = &D::dropped_control,
       .name = "dropped_control",
       .transport = Transport::tcp,
       .part = Part::dropped,
       .label = "dropped, RST or SYN",
       .metric = "tcp_dropped_control_total",
       .help = "RSTs and SYNs ignored because they do not fit their connection."},
      {.member = &D::dropped_doubtful,
       .name = "dropped_doubtful",
       .transport = Transport::tcp,
       .part = Part::dropped,
       .label = "dropped, doubtful",
       .metric = "tcp_dropped_doubtful_total",
       .help = "TCP segments ignored because they took another path than the rest, or may be keep-alives."},
  });
}();

/// One value for each row, zero at first.
class DirectionTotals {
 public:
  /// Precondition: the member has a row.
  [[nodiscard]] std::uint64_t& operator[](DirectionCounter::Member member) noexcept { return values_[row_of(member)]; }
  [[nodiscard]] std::uint64_t operator[](DirectionCounter::Member member) const noexcept {
    return values_[row_of(member)];
  }
  void add(const DirectionRecord& record) noexcept {
    for (std::size_t i = 0; i < values_.size(); ++i) values_[i] += record.*kDirectionCounters[i].member;
  }
  /// Adds what grew between two states of a queue pair. What should not shrink, but did, adds nothing.
  void add_growth(const DirectionTotals& before, const DirectionTotals& now) noexcept {
    for (std::size_t i = 0; i < values_.size(); ++i) {
      if (now.values_[i] > before.values_[i]) values_[i] += now.values_[i] - before.values_[i];
    }
  }

 private:
  [[nodiscard]] static constexpr std::size_t row_of(DirectionCounter::Member member) noexcept {
    std::size_t i = 0;
    while (kDirectionCounters[i].member != member) ++i;
    return i;
  }
  std::array<std::uint64_t, kDirectionCounters.size()> values_{};
};

}  // namespace iwarpscope::qp
