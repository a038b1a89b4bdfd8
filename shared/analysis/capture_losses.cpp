// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "analysis/capture_losses.h"

#include <fmt/format.h>

#include <string>
#include <string_view>

#include "base/wording.h"

namespace iwarpscope::analysis {
namespace {

using findings::FindingId;

std::string_view was(std::uint64_t n) noexcept {
  return n == 1 ? "was" : "were";
}
std::string_view is(std::uint64_t n) noexcept {
  return n == 1 ? "is" : "are";
}

std::string cut_frames(const net::Statistics& net) {
  const std::string frames =
      fmt::format("{} of {} {} cut by", net.truncated_frames, counted(net.frames, "frame"), was(net.truncated_frames));
  if (net.mirror_cut_frames == 0) return frames + " the snap length.";
  if (net.mirror_cut_frames == net.truncated_frames) {
    return frames + " the mirror: the IP length says that more octets were sent.";
  }
  return fmt::format("{} the snap length, or by the mirror ({}).", frames, net.mirror_cut_frames);
}

std::string malformed_frames(const net::Statistics& net) {
  const std::string frames = counted(net.malformed, "frame") + " with headers that contradict their lengths";
  if (net.beyond_frame == 0) return frames + ".";
  return fmt::format("{}; {} of them {} shorter than the IP length.", frames, net.beyond_frame, is(net.beyond_frame));
}

}  // namespace

void tell_about_capture(findings::CaptureFindings& to, const net::Statistics& net, const CaptureInfo& info,
                        const ShardStatistics& all, std::uint64_t discarded) {
  to.tell(FindingId::capture_truncated_frames, net.truncated_frames, cut_frames(net));
  for (std::size_t i = 0; i < info.interfaces.size(); ++i) {
    const std::uint64_t dropped = info.interfaces[i].dropped.value_or(0);
    to.tell(FindingId::capture_interface_drops, dropped,
            fmt::format("The capture file reports that interface {} dropped {}.", i, counted(dropped, "packet")));
  }
  to.tell(FindingId::capture_truncated_file, info.truncated_file ? 1 : 0,
          fmt::format("The file ends in the middle of a record after {}.", counted(net.frames, "frame")));
  if (info.stopped && info.stopped->why == ReadingStopped::Why::damaged) {
    to.tell(FindingId::capture_damaged_file, 1,
            fmt::format("The file is damaged at octet {} after {} ({}). Nothing after it was read.", info.stopped->at,
                        counted(net.frames, "frame"), info.stopped->cause));
  }
  const std::uint64_t evicted = all.flows_evicted + all.associations_evicted;
  std::string table_limit = fmt::format("{} {} discarded and {} not followed to keep the tables within their limits",
                                        counted(evicted, "connection"), was(evicted), all.qps_refused);
  if (all.streams_refused != 0)
    table_limit += fmt::format("; {} of SCTP streams beyond the limit {} not read",
                               counted(all.streams_refused, "DATA chunk"), was(all.streams_refused));
  if (discarded != 0)
    table_limit += fmt::format("; {} about hosts, listeners and the port mapper as well", counted(discarded, "fact"));
  to.tell(FindingId::capture_table_limit, evicted + all.qps_refused + all.streams_refused + discarded,
          table_limit + ".");
  const std::uint64_t incomplete = net.fragments_dropped - net.fragments_over_limit + net.fragments_waiting;
  to.tell(
      FindingId::capture_fragments_incomplete, incomplete,
      fmt::format("{} of {} never formed a complete datagram.", incomplete, counted(net.ip_fragments, "IP fragment")));
  to.tell(
      FindingId::capture_fragments_limit, net.fragments_over_limit,
      fmt::format("{} of {} {} discarded because too many datagrams were incomplete at once.", net.fragments_over_limit,
                  counted(net.ip_fragments, "IP fragment"), was(net.fragments_over_limit)));
  to.tell(FindingId::capture_undecodable_link, net.unsupported_link,
          fmt::format("{} with a link type that is not decoded.", counted(net.unsupported_link, "frame")));
  to.tell(FindingId::capture_malformed_frames, net.malformed, malformed_frames(net));
  to.tell(FindingId::capture_interleaved, all.interleaved_chunks,
          fmt::format("{} of associations that announce DDP, or carry it, {} not read.",
                      counted(all.interleaved_chunks, "I-DATA chunk"), was(all.interleaved_chunks)));
  to.tell(FindingId::capture_iwarp_unconfirmed, all.unconfirmed,
          fmt::format("{} began like MPA, or had TCP segments that begin like FPDUs, but could not be confirmed to be "
                      "iWARP.",
                      counted(all.unconfirmed, "connection")));
}

}  // namespace iwarpscope::analysis
