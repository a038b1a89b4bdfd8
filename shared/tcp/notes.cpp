// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tcp/notes.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "base/wording.h"

namespace iwarpscope::tcp {
namespace {

using findings::Finding;
using findings::FindingId;

[[nodiscard]] Finding about(const Call& call, FindingId id) {
  Finding finding;
  finding.id = id;
  finding.direction = call.direction;
  finding.frame = call.frame;
  finding.time = call.time;
  return finding;
}

[[nodiscard]] std::string segments(std::uint64_t n) {
  return counted(n, "TCP segment");
}
[[nodiscard]] std::string octets(std::uint64_t n) {
  return counted(n, "octet");
}
[[nodiscard]] const char* was(std::uint64_t n) {
  return n == 1 ? "was" : "were";
}

void raise_count(Call& call, FindingId id, FrameNumber first, std::string seen, std::string text) {
  Finding finding = about(call, id);
  if (first.value != 0) finding.frames = {first};
  finding.seen = std::move(seen);
  finding.text = std::move(text);
  call.reporter.raise(std::move(finding));
}

void raise_conflict(Call& call, FrameNumber earlier, bool is_copy, Finding finding) {
  finding.id = is_copy ? FindingId::capture_copies_differ : FindingId::tcp_retransmission_differs;
  finding.direction = call.direction;
  finding.frame = call.frame;
  finding.frames = {std::min(earlier, call.frame), std::max(earlier, call.frame)};
  finding.time = call.time;
  call.reporter.raise(std::move(finding));
}

}  // namespace

void raise_conflict(Call& call, const Arrival& earlier, const Arrival& later, const OctetConflict& conflict) {
  const auto& [where, second, first] = conflict;
  const bool is_copy = later.is_packet_of(earlier);
  std::string text =
      is_copy ? fmt::format(
                    "Frame {} has the same packet, with other octets: the one at offset {} is 0x{:02x}, not "
                    "0x{:02x}.",
                    earlier.frame.value, relative(where), second, first)
              : fmt::format(
                    "The TCP segment at offset {} overlaps the one at offset {} of frame {} with other octets: "
                    "the one at offset {} is 0x{:02x}, not 0x{:02x}.",
                    relative(StreamOffset{later.begin}), relative(StreamOffset{earlier.begin}), earlier.frame.value,
                    relative(where), second, first);
  raise_conflict(call, earlier.frame, is_copy,
                 {.offset = where,
                  .seen = fmt::format("0x{:02x}", second),
                  .expected = fmt::format("0x{:02x}", first),
                  .text = std::move(text)});
}

void raise_conflict(Call& call, const Arrival& later, const SumConflict& conflict) {
  const auto& [earlier, is_copy, second, first] = conflict;
  const StreamOffset begin{later.begin};
  const std::string sums = fmt::format("their sum is 0x{:04x}, not 0x{:04x}.", second, first);
  const std::int64_t from = relative(begin), to = relative(StreamOffset{later.end});
  std::string text =
      is_copy ? fmt::format("The octets from offset {} to {} differ from those of the same packet in frame {}: {}",
                            from, to, earlier.value, sums)
              : fmt::format("The octets from offset {} to {} were sent again with other content than in frame {}: {}",
                            from, to, earlier.value, sums);
  raise_conflict(call, earlier, is_copy,
                 {.offset = begin,
                  .seen = fmt::format("0x{:04x}", second),
                  .expected = fmt::format("0x{:04x}", first),
                  .text = std::move(text)});
}

void raise_data_after_fin(Call& call, const Arrival& arrival, StreamOffset fin) {
  Finding finding = about(call, FindingId::tcp_data_after_fin);
  finding.offset = StreamOffset{arrival.begin};
  finding.seen = fmt::format("{}", relative(StreamOffset{arrival.begin}));
  finding.expected = fmt::format("{}", relative(fin));
  finding.text = fmt::format("{} were sent at offset {}, but a FIN had ended this direction at offset {}.",
                             octets(arrival.end - arrival.begin), relative(StreamOffset{arrival.begin}), relative(fin));
  call.reporter.raise(std::move(finding));
}

void raise_fragments(Call& call, const net::TcpPacket& packet) {
  Finding finding = about(call, FindingId::mpa_ip_fragmented);
  finding.text =
      packet.fragmented
          ? fmt::format("The TCP segment of {} in this frame came in IP fragments.", octets(packet.payload_length))
          : std::string{"An IP datagram of this direction may be fragmented: Don't Fragment is not set."};
  call.reporter.raise(std::move(finding));
}

void raise_missing(Call& call, StreamOffset from, std::uint64_t length, Missing reason) {
  const auto raise = [&](FindingId id, const char* why) {
    Finding finding = about(call, id);
    finding.offset = from;
    finding.seen = fmt::format("{}", length);
    finding.text = fmt::format("{} from offset {} {} {}.", octets(length), relative(from), was(length), why);
    call.reporter.raise(std::move(finding));
  };
  switch (reason) {
    case Missing::snap_length: return;
    case Missing::capture_gap: raise(FindingId::capture_gap, "acknowledged by the receiver but never seen"); return;
    case Missing::unexplained: raise(FindingId::tcp_hole_never_filled, "never seen, and never acknowledged"); return;
    case Missing::buffer_limit:
      raise(FindingId::capture_buffer_limit, "discarded: the buffer for later octets was full");
      return;
  }
}

void raise_wrong_checksum(Call& call, const net::TcpPacket& packet, std::optional<StreamOffset> offset) {
  Finding finding = about(call, FindingId::tcp_wrong_checksum);
  finding.offset = offset;
  finding.text = offset ? fmt::format("The TCP segment of {} at offset {} has a wrong checksum and was ignored.",
                                      octets(packet.payload_length), relative(*offset))
                        : fmt::format("The TCP segment of {} has a wrong checksum and was ignored.",
                                      octets(packet.payload_length));
  call.reporter.raise(std::move(finding));
}

void raise_reset(Call& call, const ControlSeen& reset) {
  Finding finding = about(call, FindingId::tcp_connection_reset);
  finding.frames = {reset.frame};
  finding.offset = reset.offset;
  finding.text = reset.offset ? fmt::format("The sender of this direction reset the connection at stream offset {}.",
                                            relative(*reset.offset))
                              : std::string{"The sender of this direction reset the connection."};
  call.reporter.raise(std::move(finding));
}

void raise_ignored_control(Call& call, const ControlSeen& control, bool is_reset) {
  Finding finding = about(call, FindingId::tcp_ignored_control);
  finding.frames = {control.frame, call.frame};
  finding.offset = control.offset;
  finding.seen = is_reset ? "RST" : "SYN";
  finding.text = fmt::format("The {} in frame {} does not fit the connection, which goes on in frame {}.",
                             is_reset ? "RST" : "SYN", control.frame.value, call.frame.value);
  call.reporter.raise(std::move(finding));
}

void raise_forged(Call& call, const Dropped& dropped, FrameNumber first) {
  std::uint64_t all = 0;
  std::string signs;
  for (const ForgedSign& sign : kForgedSigns) {
    const std::uint32_t count = dropped[static_cast<std::size_t>(sign.doubt)];
    if (count == 0) continue;
    all += count;
    signs += fmt::format("{}{} had {}", signs.empty() ? "" : ", ", count, sign.words);
  }
  if (all == 0) return;
  raise_count(call, FindingId::tcp_forged_segments, first, fmt::format("{}", all),
              fmt::format("{} {} ignored, as the receiver does: {}.", segments(all), was(all), signs));
}

void raise_counts(Call& call, const Half& half) {
  const DirectionStatistics& n = half.statistics;
  if (n.truncated_segments > 0) {
    raise_count(call, FindingId::capture_truncated_frames, half.first.truncated,
                fmt::format("{}", n.truncated_segments),
                fmt::format("The payload of {} was captured only in part.", segments(n.truncated_segments)));
  }
  if (n.offloaded_checksums > 0 && half.checksums.looks_offloaded()) {
    raise_count(call, FindingId::tcp_checksum_offload, {}, fmt::format("{}", n.offloaded_checksums),
                fmt::format("{} {} taken with a checksum that is not filled in.", segments(n.offloaded_checksums),
                            was(n.offloaded_checksums)));
  }
  if (n.retransmitted_segments > 0) {
    raise_count(call, FindingId::tcp_retransmissions, half.first.retransmission,
                fmt::format("{}", n.retransmitted_segments),
                fmt::format("{} ({}) {} sent again.", segments(n.retransmitted_segments),
                            octets(n.retransmitted_octets), was(n.retransmitted_segments)));
  }
  if (n.out_of_order_segments > 0) {
    raise_count(call, FindingId::tcp_out_of_order, half.first.out_of_order, fmt::format("{}", n.out_of_order_segments),
                fmt::format("{} {} overtaken: octets that follow in the stream arrived first.",
                            segments(n.out_of_order_segments), was(n.out_of_order_segments)));
  }
  if (n.zero_windows > 0) {
    raise_count(call, FindingId::tcp_zero_window, half.first.zero_window, fmt::format("{}", n.zero_windows),
                fmt::format("{} announced a receive window of zero.", segments(n.zero_windows)));
  }
}

void raise_counts(Call& call, const std::array<Half, 2>& halves) {
  const auto& [a, b] = halves;
  if (const std::uint64_t copies = a.statistics.mirror_duplicates + b.statistics.mirror_duplicates; copies > 0) {
    FrameNumber first = a.first.duplicate;
    if (first.value == 0 || (b.first.duplicate.value != 0 && b.first.duplicate < first)) first = b.first.duplicate;
    Finding finding = about(call, FindingId::capture_mirror_duplicates);
    finding.direction.reset();
    finding.frames = {first};
    finding.seen = fmt::format("{}", copies);
    finding.text = fmt::format("{} {} captured twice.", segments(copies), was(copies));
    call.reporter.raise(std::move(finding));
  }
}

}  // namespace iwarpscope::tcp
