// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "mpa/startup.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/archive.h"
#include "base/wording.h"
#include "mpa/resync.h"
#include "mpa/startup_frame_view.h"
#include "mpa/startup_rules.h"
#include "mpa/startup_state.h"
#include "mpa/ulpdu_header.h"

namespace iwarpscope::mpa {

using enum findings::FindingId;

std::size_t Startup::State::octets(Direction d, const tcp::Chunk& chunk, bool opposite_seen) {
  Side& sender = sides[index(d)];
  sender.seen_to = chunk.offset + chunk.octets.size();
  sender.seen_at = chunk.arrival;
  sender.acknowledged.reset();
  if (chunk.has_acknowledged) sender.acknowledged = chunk.acknowledged;
  switch (phase) {
    case StartupPhase::full_operation: return 0;
    case StartupPhase::await_request: return look(d, chunk, opposite_seen);
    case StartupPhase::await_reply:
      return d == initiator ? after_request(d, chunk, opposite_seen) : look(d, chunk, opposite_seen);
    case StartupPhase::failed:
      if (fpdu_after_failure(d, chunk, opposite_seen)) return 0;
      // The Reply to a malformed Request is still of interest.
      return request && !reply && !second_request && d != initiator ? look(d, chunk, opposite_seen)
                                                                    : chunk.octets.size();
    case StartupPhase::rejected: {
      Side& side = sides[index(d)];
      // What was missed may be a new Request, or the Reply to it; or its order at the tap is not that of the wire.
      if (opposite_seen && knows_all_before(d, chunk) && !side.reported_fpdu && !side.collecting &&
          is_fpdu(chunk.octets, !(reply && reply->crc))) {
        side.reported_fpdu = true;
        reporter.raise({.id = mpa_fpdu_after_reject,
                        .direction = d,
                        .frame = chunk.frame,
                        .time = chunk.arrival,
                        .offset = chunk.offset,
                        .text = "An FPDU follows although the MPA Reply rejected the connection."});
      }
      return look(d, chunk, opposite_seen);
    }
  }
  return chunk.octets.size();
}

/// True when everything was seen that either side sent before this chunk, from the first Request on.
bool Startup::State::knows_all_before(Direction d, const tcp::Chunk& chunk) const noexcept {
  const Side& there = sides[index(opposite(d))];
  const bool whole = request && !asked_again && !sides[0].gap && !sides[1].gap;
  return whole && chunk.has_acknowledged && chunk.acknowledged.value <= there.seen_to.value + 1;  // +1: a FIN
}

std::size_t Startup::State::early_room() const noexcept {
  return early_chunks.size() < kMaxEarlyChunks ? kMaxEarlyOctets - early.size() : 0;
}

/// Keeps as much of the chunk as there is room for. Precondition: no octets before it are missing.
void Startup::State::keep_early(const tcp::Chunk& chunk) {
  const Octets kept = chunk.octets.first(std::min(chunk.octets.size(), early_room()));
  early_closed = kept.size() < chunk.octets.size();
  if (kept.empty()) return;
  early.insert(early.end(), kept.begin(), kept.end());
  early_chunks.push_back(chunk);
  early_chunks.back().octets = kept;  // only its size is used: see early_chunks()
  early_chunks.back().ends_tcp_segment = chunk.ends_tcp_segment && !early_closed;
}

/// Octets of the Initiator after its Request while no Reply is here.
std::size_t Startup::State::after_request(Direction d, const tcp::Chunk& chunk, bool opposite_seen) {
  const std::size_t size = chunk.octets.size();
  if (other != 0) {  // the other side talks, but not MPA
    abandon_request();
    return look(d, chunk, opposite_seen);
  }
  if (early.empty() && !early_closed && chunk.starts_tcp_segment && is_usual_request(chunk.octets)) {
    // The Reply to the first was missed, or comes later at the tap: it can only have been a rejection.
    confirm_request();
    abandon_request();
    asked_again = reject_due = true;
    return look(d, chunk, opposite_seen);
  }
  const bool reply_unseen = !opposite_seen || sides[index(opposite(d))].gap;
  // The first FPDU kind_of whether this is Full Operation, the Reply to which was not captured.
  const auto kind_of = [](Octets o) {
    return o.size() >= kHeaderProbeOctets + 4 ? plausible_fpdu(o).kind : Plausible::Kind::none;
  };
  if (reply_unseen && early.empty() && !early_closed && kind_of(chunk.octets) != Plausible::Kind::none) {
    on(StartupEvent::fpdu);
    begin_full_operation();
    return 0;
  }
  if (early.empty() && !early_closed && chunk.has_acknowledged && !chunk.retransmitted) {
    early_first = Early{chunk.offset, chunk.acknowledged, chunk.frame, chunk.arrival};
  }
  if (!early_closed) keep_early(chunk);
  const bool enough = early.size() >= kHeaderProbeOctets + 4;
  if (!enough || (!reply_unseen && early_room() != 0)) return size;
  if (kind_of(early) == Plausible::Kind::none) {
    abandon_request();
  } else {
    on(StartupEvent::fpdu);
    begin_full_operation();
  }
  return size;
}

/// An FPDU of the Initiator although startup failed: it goes on all the same, and so does the analysis.
bool Startup::State::fpdu_after_failure(Direction d, const tcp::Chunk& chunk, bool opposite_seen) {
  if (d != initiator || second_request || !request) {
    // A Reply seen alone that was malformed has an Initiator, too.
    if (d != initiator || second_request || !reply) return false;
  }
  const bool off = !(request && request->crc) && !(reply && reply->crc);
  if (!reply && opposite_seen) return false;
  if (!is_fpdu(chunk.octets, off)) return false;
  if (reply) {
    reporter.raise(
        {.id = mpa_fpdu_after_malformed_reply,
         .direction = d,
         .frame = chunk.frame,
         .time = chunk.arrival,
         .offset = chunk.offset,
         .text = "The Initiator sent an FPDU after a malformed MPA Reply. Linux siw sends a Terminate this way."});
  }
  on(StartupEvent::fpdu);
  begin_full_operation();
  return true;
}

/// Octets from..to of the chunk that belong to no startup frame. True: they belong to Full Operation.
bool Startup::State::other_octets(Direction d, const tcp::Chunk& chunk, std::size_t from, std::size_t to) {
  if (phase != StartupPhase::await_reply || d == initiator) return false;
  const bool lost_reply = sides[index(d)].gap;
  if (lost_reply && from == 0 && chunk.starts_tcp_segment &&
      plausible_fpdu(chunk.octets).kind != Plausible::Kind::none) {
    on(StartupEvent::fpdu);
    begin_full_operation();
    return true;
  }
  if (other == 0) {
    const Octets first = chunk.octets.subspan(from, std::min(to - from, kKeyOctets));
    other_first.assign(first.begin(), first.end());
    other_start = chunk.offset + from;
    other_frame = chunk.frame;
  }
  other += to - from;
  if (!early.empty() || other > kMaxOtherOctets) abandon_request();
  return false;
}

void Startup::State::missing(Direction d, StreamOffset offset, std::uint64_t length) {
  if (phase == StartupPhase::full_operation) return;
  Side& side = sides[index(d)];
  side.gap = true;
  if (d != initiator) reject_due = false;
  if (side.header_known()) {
    side.cut = true;
    side.passed = std::min<std::uint64_t>(side.passed + length, side.whole);
    if (side.passed == side.whole) (void)frame_complete(d, side.header_frame, side.header_time, {}, true);
    return;
  }
  hide_private_data(side, offset + length);
  if (side.collecting) drop_candidate(side);
  if (phase == StartupPhase::await_reply && d == initiator) early_closed = true;
}

void Startup::State::ended(Direction d, bool by_fin, bool by_rst, FrameNumber frame, TimePoint time) {
  Side& side = sides[index(d)];
  if (side.ended || phase == StartupPhase::full_operation) return;
  side.ended = true;
  if ((by_fin || by_rst) && !closed_first) closed_first = d;
  if (by_fin) {
    ended_inside_frame(d, FrameCut::closed, frame, time);
  } else if (by_rst && !side.gap && !side.may_lack) {
    ended_inside_frame(d, FrameCut::reset, frame, time);
  }
  cut_by_other(opposite(d), by_rst, frame, time);
  if (phase == StartupPhase::await_reply && !early.empty()) {
    if (!request_is_sure) {
      abandon_request();
      return;
    }
    if (by_fin || by_rst) octets_without_reply(frame, time);
  }
  if (phase == StartupPhase::await_reply || phase == StartupPhase::failed) confirm_request();
  if (phase == StartupPhase::await_reply && other != 0 && (by_fin || by_rst)) answered_otherwise(frame, time);
  const bool closed_by_responder = (by_fin || by_rst) && closed_first == d && (request || reply) && d != initiator;
  if (!closed_by_responder) return;
  if (phase == StartupPhase::await_reply && !asked_again && !sides[0].gap && !sides[1].gap && !side.may_lack &&
      request->revision == 1 && !request->enhanced_flag && other == 0 && early.empty()) {
    reporter.raise(
        {.id = mpa_closed_without_reply,
         .direction = d,
         .frame = frame,
         .time = time,
         .offset = request->start,
         .text = "The Responder closed the connection without a Reply to a well-formed MPA Request of revision 1."});
  } else if (phase == StartupPhase::rejected) {
    reporter.raise({.id = mpa_closed_after_reject,
                    .direction = d,
                    .frame = frame,
                    .time = time,
                    .offset = reply->end,
                    .text = "The Responder closed the connection after its rejecting MPA Reply."});
  }
}

/// The connection ends, and in place of the Reply came something else. Source: RFC 5044 §7.1.2 rules 3 and 5.
void Startup::State::answered_otherwise(FrameNumber frame, TimePoint time) {
  if (reported_other || sides[0].gap || sides[1].gap) return;
  if (!reply_due || other_start > *reply_due) return;  // the Reply may be before what was seen
  reported_other = true;
  reporter.raise({.id = mpa_reply_key_wrong,
                  .direction = opposite(initiator),
                  .frame = other_frame.value != 0 ? other_frame : frame,
                  .time = time,
                  .offset = other_start,
                  .seen = escaped(other_first),
                  .expected = "MPA ID Rep Frame",
                  .text = fmt::format("The MPA Request was answered by {} that {} not an MPA Reply.",
                                      counted(other, "octet"), other == 1 ? "is" : "are")});
}

/// MS-13 where no Reply came: the Initiator's octets after its Request show that it had received none.
void Startup::State::octets_without_reply(FrameNumber frame, TimePoint time) {
  const bool had_none = early_first && reply_due && early_first->acknowledged <= *reply_due;
  if (!had_none || sides[0].gap || sides[1].gap) return;
  confirm_request();
  findings::Finding f;
  f.id = mpa_fpdu_before_reply;
  f.direction = initiator;
  f.frame = frame;
  f.time = time;
  f.frames = {request->frame, early_first->frame};
  f.broken_in = early_first->frame;
  f.offset = early_first->offset;
  f.text = fmt::format("{} after the MPA Request, with PD_Length {}, came before the Reply.",
                       counted(early.size(), "octet"), request->private_data_length);
  reporter.raise(std::move(f));
  early_first.reset();
}

/// The other end of `d` has ended: a startup frame of `d` that is not whole may never become so.
void Startup::State::cut_by_other(Direction d, bool by_rst, FrameNumber frame, TimePoint time) {
  const Side& side = sides[index(d)];
  if (!side.header_known()) return;
  if (side.whole > StartupFrameView::kOctets + kMaxPrivateData) {
    // One whose PD_Length cannot be is never complete; that the other end closes on it is right. Where octets after
    // the header are missing, it may be text that quotes one, see is_prose().
    if (side.gap || side.may_lack) return;
    if (side.reply_key) {
      ended_inside_frame(d, FrameCut::left, frame, time);
    } else {
      (void)request_complete(d, take_incomplete(d));
    }
  } else if (by_rst && (!side.reply_key || is_cut_for_sure(side, time))) {
    // After a FIN of the other end the rest may still come; after an RST it is not accepted.
    ended_inside_frame(d, FrameCut::left, frame, time);
  }
}

/// Its sender had time for the rest, and did not send it.
bool Startup::State::is_cut_for_sure(const Side& side, TimePoint time) noexcept {
  return !side.gap && !side.may_lack && !side.may_lack_rest && elapsed_ns(side.seen_at, time) >= kRestDueNs;
}

namespace {

std::string_view name_of(bool is_reply) noexcept {
  return is_reply ? "Reply" : "Request";
}

std::string cut_text(const StartupFrame& f, std::uint64_t came, FrameCut how, std::int64_t waited_ns) {
  const std::string begin =
      fmt::format("PD_Length of the MPA {} is {}, but ", name_of(f.reply_key), f.private_data_length);
  const std::string octets = counted(came, "octet");
  const std::string_view usual =
      f.reply_key && f.rejected ? "; irdma fills it in this way when it rejects" : std::string_view();
  switch (how) {
    case FrameCut::closed: return fmt::format("{}the sender closed after {}{}.", begin, octets, usual);
    case FrameCut::reset: return fmt::format("{}the sender reset the connection after {}{}.", begin, octets, usual);
    case FrameCut::left: break;
  }
  return fmt::format("{}only {} came; the {} waited {:.2f} s and reset the connection{}.", begin, octets,
                     f.reply_key ? "Initiator" : "Responder", static_cast<double>(waited_ns) / 1e9, usual);
}

}  // namespace

/// Source: RFC 5044 §7.1.2 rule 9.
void Startup::State::ended_inside_frame(Direction d, FrameCut how, FrameNumber frame, TimePoint time) {
  const Side& side = sides[index(d)];
  if (!side.header_known() || !side.at_segment_start) return;
  const CutShort cut = side.cut_short();
  const bool gap = side.gap;
  const bool is_sure = how == FrameCut::left ? is_cut_for_sure(side, time) : !gap;
  const std::int64_t waited = elapsed_ns(side.seen_at, time);
  if (gap && cut.announced > kMaxPrivateData) return;  // text, perhaps: see ended()
  StartupFrame f = take_incomplete(d);
  if (!f.key_exact) return;
  const bool is_reply = f.reply_key;
  std::string text = cut_text(f, cut.came, how, waited);
  if (is_reply && (phase != StartupPhase::await_reply || d == initiator)) return;
  if (!is_reply && phase != StartupPhase::await_request && phase != StartupPhase::rejected) return;
  if (is_reply && f.rejected) {
    (void)reply_complete(d, std::move(f), true);
  } else if (is_reply) {
    confirm_request();
    judge_frame(f, d, reporter);
    reply = std::move(f);
    sides[index(d)].complete = true;
    on(StartupEvent::malformed_reply);
  } else {
    (void)request_complete(d, std::move(f), true);
    confirm_request();
  }
  if (!is_sure || cut.announced > kMaxPrivateData) return;
  raise_cut_short(d, cut, frame, time, std::move(text));
}

Startup::Startup(findings::Reporter& reporter) : state_(std::make_unique<State>(reporter)) {}
Startup::~Startup() = default;
template <class A>
void Startup::archive(A& a) {
  state_->archive(a);
}
template void Startup::archive(Archive& a);

std::size_t Startup::octets(Direction d, const tcp::Chunk& chunk, bool opposite_seen) {
  return state_->octets(d, chunk, opposite_seen);
}
void Startup::missing(Direction d, StreamOffset offset, std::uint64_t length) {
  state_->missing(d, offset, length);
}
void Startup::ended(Direction d, bool by_fin, bool by_rst, FrameNumber frame, TimePoint time) {
  state_->ended(d, by_fin, by_rst, frame, time);
}
void Startup::may_have_ended(Direction d) {
  if (!state_->closed_first) state_->closed_first = d;
}
void Startup::may_lack(Direction d) {
  state_->sides[index(d)].may_lack = true;
}
void Startup::may_lack_rest(Direction d) {
  state_->sides[index(d)].may_lack_rest = true;
}
StartupPhase Startup::phase() const noexcept {
  return state_->phase;
}
bool Startup::is_collecting() const noexcept {
  return state_->sides[0].collecting || state_->sides[1].collecting;
}
bool Startup::is_inside_frame(Direction d) const noexcept {
  constexpr std::size_t kKnown = 8;  // of the key: "MPA ID R"; text may begin with fewer of them
  const State::Side& side = state_->sides[index(d)];
  return side.collecting && !side.complete && side.at_segment_start && side.held.size() >= kKnown;
}
const StartupFrame* Startup::request() const noexcept {
  return state_->request ? &*state_->request : nullptr;
}
const StartupFrame* Startup::reply() const noexcept {
  return state_->reply ? &*state_->reply : nullptr;
}
const Agreement& Startup::agreement() const noexcept {
  return state_->agreement;
}
std::vector<tcp::Chunk> Startup::early_chunks() const {
  std::vector<tcp::Chunk> chunks = state_->early_chunks;
  Octets rest = state_->early;
  for (tcp::Chunk& chunk : chunks) {
    const std::size_t size = chunk.octets.size();
    chunk.octets = rest.first(size);
    rest = rest.subspan(size);
  }
  return chunks;
}

}  // namespace iwarpscope::mpa
