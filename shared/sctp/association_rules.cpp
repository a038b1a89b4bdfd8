// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Rules that speak of an association rather than of one of its sessions.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/wording.h"
#include "sctp/association_state.h"

namespace iwarpscope::sctp {

using enum findings::FindingId;

/// DDP on this association cannot be doubted.
bool Association::State::is_surely_ddp() const noexcept {
  return both_announced() || confirmed;
}

bool Association::State::both_announced() const noexcept {
  return openings[0] && openings[1] && openings[0]->adaptation.is_ddp() && openings[1]->adaptation.is_ddp();
}

/// Whether this message settles that the association carries DDP.
void Association::State::confirm(const Arrival& arrival) {
  constexpr unsigned kEnough = 3;  // ours: chance does not make three plausible headers
  if (!looks_like_ddp(arrival)) return;
  plausible += arrival.control ? kEnough : 1;
  if (plausible < kEnough) return;
  confirmed = true;
  if (!openings[0] || !openings[1]) return;
  for (const Direction d : {Direction::a_to_b, Direction::b_to_a}) {
    const Adaptation& adaptation = openings[index(d)]->adaptation;
    if (adaptation.is_ddp() || !adaptation.complete) continue;
    raise(context.sink.reporter(), here(),
          {.id = sctp_adaptation_missing,
           .direction = d,
           .seen = adaptation.indication ? fmt::format("0x{:08x}", *adaptation.indication) : "none",
           .expected = "0x00000001",
           .text =
               fmt::format("{} announced {}, and DDP is used.", sender(d),
                           adaptation.indication ? fmt::format("the adaptation layer 0x{:08x}", *adaptation.indication)
                                                 : "no adaptation layer")});
  }
}

void Association::State::other_payload(Direction d, const DataHeader& data) {
  if (!is_surely_ddp() || reported_other[index(d)]) return;
  reported_other[index(d)] = true;
  // It concerns the session on its stream, where there is one: that end may refuse it there.
  const auto at = streams.find(data.stream());
  const Stream* const stream = at != streams.end() ? at->second.get() : nullptr;
  const bool of_session = stream != nullptr && stream->session() != nullptr;
  raise(of_session ? stream->reporter() : context.sink.reporter(), here(),
        {.id = sctp_other_payload,
         .direction = of_session ? stream->reported(d) : d,
         .seen = std::to_string(data.ppid()),
         .expected = "16 or 17",
         .text = fmt::format("The DATA chunk of {} with TSN {} on stream {} has the Payload Protocol Identifier {}.",
                             sender(d), data.tsn(), data.stream(), data.ppid())});
}

/// SC-18: the last thing on every stream was an RDMAP Terminate of one end.
void Association::State::check_terminates() {
  for (const Direction d : {Direction::a_to_b, Direction::b_to_a}) {
    std::optional<TimePoint> first;
    for (const auto& [id, stream] : streams) {
      const Session* session = stream->session();
      const auto at = session != nullptr ? session->rdmap_terminate[index(d)] : std::nullopt;
      if (at && elapsed_ns(*at, context.time) <= context.limits.hole_timeout_ns && (!first || *at < *first)) first = at;
    }
    if (!first) continue;
    // Sessions that were over before the first of these do not count.
    std::size_t with = 0, without = 0;
    for (const auto& [id, stream] : streams) {
      const Session* session = stream->session();
      if (session == nullptr || (session->whole && session->last_time < *first)) continue;
      const auto at = session->rdmap_terminate[index(d)];
      ++(at && *at >= *first ? with : without);
    }
    if (with < 2 || without > 0) continue;
    raise(context.sink.reporter(), here(),
          {.id = sctp_terminate_on_every_stream,
           .direction = d,
           .seen = std::to_string(with),
           .text = fmt::format("{} sent an RDMAP Terminate on each of {} before the association ended.", sender(d),
                               counted(with, "stream"))});
  }
}

/// SC-15. Each asks for as many outbound streams as it likes; the other side allows as many as it takes.
void Association::State::judge_stream_counts(Direction d, const Opening& opening, const Spot& spot) {
  const auto& other = openings[index(opposite(d))];
  if (!other || !both_announced()) return;
  const unsigned there = std::min(opening.outbound_streams, other->inbound_streams);
  const unsigned back = std::min(other->outbound_streams, opening.inbound_streams);
  if (there == back) return;
  raise(context.sink.reporter(), spot,
        {.id = sctp_stream_counts_differ,
         .direction = d,
         .seen = std::to_string(there),
         .expected = std::to_string(back),
         .text = fmt::format("INIT and INIT ACK agree on {} from {}, and on {} from {}.", counted(there, "stream"),
                             sender(d), counted(back, "stream"), sender(opposite(d)))});
}

void Association::State::judge_split(Direction d, const Joined& joined) {
  // All is split for the path that takes least, of those that may be used. Source: RFC 9260 §7.3.
  const bool is_multihomed = context.several_paths || context.announced[0] > 1 || context.announced[1] > 1;
  if (is_multihomed) return;
  constexpr std::uint32_t kHeaders = 12 + static_cast<std::uint32_t>(DataHeader::kOctets);
  Split split;
  split.stream = joined.stream;
  split.length = joined.length;
  split.chunks = joined.last_tsn - joined.first_tsn + 1;
  split.needed = joined.length + kHeaders;
  split.spot = here();
  // Every path of IPv6 takes 1280 octets: its header, UDP's, and an AUTH chunk leave so many. Source: RFC 8200 §5.
  constexpr std::uint32_t kAlways = 1280 - 40 - 8 - 64;
  if (!context.ends[index(d)].address.is_v4() && split.needed <= kAlways) return tell_split(d, split);
  tell_split(d, sizes[index(d)].split(split, joined));
}

/// SC-14.
void Association::State::tell_split(Direction d, const std::optional<Split>& split) {
  if (!split) return;
  const auto found = streams.find(split->stream);
  if (found != streams.end()) found->second->tell_split(d, *split);
}

namespace {

/// Source: RFC 9260 §3.3.10.
[[nodiscard]] std::string_view cause_text(std::uint16_t code) noexcept {
  static constexpr std::array<std::string_view, 14> kNames = {
      "unknown cause",
      "Invalid Stream Identifier",
      "Missing Mandatory Parameter",
      "Stale Cookie",
      "Out of Resource",
      "Unresolvable Address",
      "Unrecognized Chunk Type",
      "Invalid Mandatory Parameter",
      "Unrecognized Parameters",
      "No User Data",
      "Cookie Received While Shutting Down",
      "Restart of an Association with New Addresses",
      "User-Initiated Abort",
      "Protocol Violation",
  };
  return code < kNames.size() ? kNames[code] : kNames[0];
}

}  // namespace

/// SC-25.
void Association::State::tell_abort(Direction d, const Chunk& chunk) {
  if (!is_surely_ddp()) return;
  std::string why = "without a cause";
  std::string seen;
  if (chunk.length > ChunkHeader::kOctets) {
    const auto parsed = ErrorCause::parse(chunk.octets.subspan(ChunkHeader::kOctets));
    const auto* cause = std::get_if<ErrorCause>(&parsed);
    why = cause != nullptr ? fmt::format("for cause {}, {}", cause->code(), cause_text(cause->code()))
                           : "for a cause that is cut off in the capture";
    if (cause != nullptr) seen = std::to_string(cause->code());
  }
  raise(context.sink.reporter(), here(),
        {.id = sctp_association_aborted,
         .direction = d,
         .seen = seen,
         .text = fmt::format("{} aborted the association, {}.", sender(d), why)});
}

/// SC-26.
void Association::State::tell_forged(Direction d) {
  std::uint64_t all = 0;
  std::string signs;
  Spot first;
  for (std::size_t i = 0; i < kDoubtWords.size(); ++i) {
    const Count& its = dropped[index(d)][i];
    if (its.count == 0) continue;
    if (all == 0 || its.first.frame < first.frame) first = its.first;
    all += its.count;
    signs += fmt::format("{}{} had {}", signs.empty() ? "" : ", ", its.count, kDoubtWords[i]);
  }
  if (all == 0) return;
  raise(context.sink.reporter(), first,
        {.id = sctp_forged_packets,
         .direction = d,
         .seen = std::to_string(all),
         .text = fmt::format("{} of {} {} ignored, as the receiver does: {}.", counted(all, "packet"), sender(d),
                             all == 1 ? "was" : "were", signs)});
}

/// SC-20, SC-23, SC-24: each once for each direction.
void Association::State::tell_counts() {
  if (!is_surely_ddp()) return;
  for (const Direction d : {Direction::a_to_b, Direction::b_to_a}) {
    const auto tell = [&](findings::FindingId id, const Count& of, std::string_view counted_as, std::string_view what) {
      if (of.count == 0) return;
      raise(context.sink.reporter(), of.first,
            {.id = id,
             .direction = d,
             .seen = std::to_string(of.count),
             .expected = id == sctp_zero_window ? "" : "0",
             .text = fmt::format(
                 "{} of {} {} {}{}.", counted(of.count, counted_as), sender(d), of.count == 1 ? "has" : "have", what,
                 of.count == 1 ? "" : fmt::format(", the last of them in frame {}", of.last.frame.value))});
    };
    tell_forged(d);
    tell(sctp_wrong_checksum, damaged[index(d)], "packet", "a wrong CRC32c");
    tell(sctp_zero_window, closed_windows[index(d)], "SACK", "a receive window of zero");
    tell(sctp_checksum_offload, offloaded[index(d)], "packet", "a CRC32c that is not filled in");
  }
}

}  // namespace iwarpscope::sctp
