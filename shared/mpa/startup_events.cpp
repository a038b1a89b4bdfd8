// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// What complete startup frames do to the connection.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/wording.h"
#include "mpa/marker.h"
#include "mpa/resync.h"
#include "mpa/startup_frame_view.h"
#include "mpa/startup_rules.h"
#include "mpa/startup_state.h"

namespace iwarpscope::mpa {

using enum findings::FindingId;

bool is_fpdu(Octets octets, bool crc_may_be_off) noexcept {
  const Plausible plausible = plausible_fpdu(octets);
  if (plausible.kind == Plausible::Kind::confirmed) return true;
  return plausible.kind == Plausible::Kind::header && crc_may_be_off && plausible.raw_octets <= octets.size() &&
         load_be<std::uint32_t>(octets.subspan(plausible.raw_octets - 4)) == 0;
}

void Startup::State::on(StartupEvent event) {
  if (const auto to = next_phase(phase, event)) phase = *to;
}

void Startup::State::raise(findings::FindingId id, Direction d, FrameNumber frame, TimePoint time, StreamOffset offset,
                           std::string seen, std::string expected, std::string text) {
  raise_startup(reporter, id, d, frame, time, offset, std::move(seen), std::move(expected), std::move(text));
}

/// The frame that is held, taken out of its side.
StartupFrame Startup::State::take_frame(Direction d, FrameNumber frame, TimePoint time) {
  Side& side = sides[index(d)];
  StartupFrame f = read_startup_frame(side.held, side.reply_key);
  f.frame = frame;
  f.time = time;
  f.start = side.held_start;
  f.end = side.held_start + side.passed;
  drop_candidate(side);
  return f;
}

/// The same of one that will not be complete: what shows that comes later, in a frame of its own.
StartupFrame Startup::State::take_incomplete(Direction d) {
  return take_frame(d, sides[index(d)].header_frame, sides[index(d)].header_time);
}

/// Fails (false) when the frame is not believed. `rest`: what follows it in its chunk.
bool Startup::State::frame_complete(Direction d, FrameNumber frame, TimePoint time, Octets rest,
                                    bool ends_tcp_segment) {
  Side& side = sides[index(d)];
  const bool at_segment_start = side.at_segment_start;
  const bool pauses = rest.empty() && ends_tcp_segment;
  StartupFrame f = take_frame(d, frame, time);
  // A damaged key is believed only where everything else is as it should be.
  if (!f.key_exact && !(at_segment_start && pauses)) return false;
  if (!f.reply_key) {
    const bool usual = f.key_exact && f.revision <= 2 && f.private_data_length <= kMaxPrivateData;
    if (!request_complete(d, std::move(f))) return false;
    request_is_sure = initiator == d && at_segment_start && usual;
    return true;
  }
  const bool followed = plausible_fpdu(rest).kind != Plausible::Kind::none;
  return reply_complete(d, std::move(f), at_segment_start && (pauses || followed));
}

/// The capture shows a Request after the Reply that rejects it: its sender had not received that.
bool Startup::State::is_of_the_rejection(Direction d) const noexcept {
  const std::optional<StreamOffset>& known = sides[index(d)].held_acknowledged;
  return phase == StartupPhase::rejected && !request && reply && d == initiator && known && *known <= reply->start;
}

bool Startup::State::request_complete(Direction d, StartupFrame frame, bool cut) {
  if (phase == StartupPhase::await_reply) {  // the side that should reply
    confirm_request();
    judge_frame(frame, d, reporter);
    raise(mpa_both_sent_request, d, frame.frame, frame.time, frame.start, "MPA ID Req Frame", "MPA ID Rep Frame",
          "Both ends sent an MPA Request.");
    sides[index(d)].complete = true;
    second_request = true;
    on(StartupEvent::second_request);
    return true;
  }
  if (phase != StartupPhase::await_request && phase != StartupPhase::rejected) return false;
  if (is_of_the_rejection(d)) {
    request = std::move(frame);
    judged = false;
    confirm_request();
    sides[index(d)].complete = true;
    return true;
  }
  const bool malformed = cut || is_malformed(frame);
  initiator = d;
  request = std::move(frame);
  reply.reset();
  judged = false;
  request_end_known = true;
  other = 0;
  reply_due = sides[index(d)].acknowledged;
  early.clear();
  early_chunks.clear();
  early_first.reset();
  early_closed = false;
  sides[index(d)].complete = true;
  sides[index(opposite(d))].complete = false;
  on(malformed ? StartupEvent::malformed_request : StartupEvent::request);
  return true;
}

bool Startup::State::reply_complete(Direction d, StartupFrame frame, bool believable) {
  const Direction other_side = opposite(d);
  if (frame.rejected && phase == StartupPhase::await_reply && d != initiator && std::exchange(reject_due, false)) {
    return true;  // of the Request before
  }
  if (phase == StartupPhase::rejected && believable && frame.key_exact && !frame.rejected && d != initiator) {
    reply.reset();  // to a new Request that was not seen
    request.reset();
  } else if (phase == StartupPhase::await_request) {
    if (sides[index(other_side)].header_known() && !sides[index(other_side)].reply_key) {
      request_cut_by_reply(other_side, frame.frame, frame.time);
    } else if (!believable || !frame.key_exact) {
      return false;
    } else {
      initiator = other_side;  // its Request was not seen
      request.reset();
    }
  } else if ((phase != StartupPhase::await_reply && phase != StartupPhase::failed) || d == initiator ||
             second_request) {
    return false;
  }
  if (reply) return false;
  const bool request_malformed = request && is_malformed(*request);
  confirm_request();
  judge_frame(frame, d, reporter);
  sides[index(d)].complete = true;
  if (request_malformed) {
    raise(mpa_reply_to_malformed_request, d, frame.frame, frame.time, frame.start, "", "",
          "The Responder answered a malformed MPA Request.");
  }
  if (request) judge_pair(*request, frame, d, reporter);
  if (request && !request_malformed && !is_malformed(frame)) judge_waiting(d, frame);
  reply = std::move(frame);
  if (is_malformed(*reply)) {
    on(StartupEvent::malformed_reply);
  } else if (reply->rejected) {
    sides[0].complete = sides[1].complete = false;
    on(StartupEvent::reject);
  } else {
    on(StartupEvent::reply);
    begin_full_operation();
  }
  return true;
}

/// MS-13, MS-14: who sent before it had received what it has to wait for. `frame`: the Reply, sent by d.
void Startup::State::judge_waiting(Direction d, const StartupFrame& frame) {
  if (asked_again || !request_end_known || sides[0].gap || sides[1].gap) return;
  const std::optional<StreamOffset>& known = sides[index(d)].held_acknowledged;
  const auto raise_early = [&](findings::FindingId id, Direction by, FrameNumber at, StreamOffset offset,
                               StreamOffset acknowledged, StreamOffset end, FrameNumber awaited, std::string text) {
    findings::Finding f;
    f.id = id;
    f.direction = by;
    f.frame = frame.frame;
    f.time = frame.time;
    f.frames = {at, awaited};
    f.broken_in = at;
    f.offset = offset;
    f.seen = std::to_string(relative(acknowledged));
    f.expected = fmt::format("at least {}", relative(end));
    f.text = std::move(text);
    reporter.raise(std::move(f));
  };
  // A rejecting Reply whose sender had nothing of this Request may answer one before it, which the capture lacks.
  const bool of_another = frame.rejected && known && *known <= request->start;
  if (known && *known < request->end && !of_another) {
    raise_early(mpa_reply_before_request, d, frame.frame, frame.start, *known, request->end, request->frame,
                fmt::format("The Responder had received {} of the {} octets of the MPA Request when it sent its Reply.",
                            *known < request->start ? 0 : distance(request->start, *known),
                            distance(request->start, request->end)));
  }
  if (early_first && early_first->acknowledged < frame.end) {
    raise_early(
        mpa_fpdu_before_reply, initiator, early_first->frame, early_first->offset, early_first->acknowledged, frame.end,
        frame.frame,
        fmt::format("The Initiator sent octets after its MPA Request when it had received {} of the {} octets "
                    "of the Reply.",
                    early_first->acknowledged < frame.start ? 0 : distance(frame.start, early_first->acknowledged),
                    distance(frame.start, frame.end)));
  }
}

/// A Reply came while private data of the Request was still to come: then PD_Length is wrong, unless octets are
/// missing.
void Startup::State::request_cut_by_reply(Direction d, FrameNumber frame, TimePoint time) {
  const Side& side = sides[index(d)];
  const bool gap = side.gap;
  const std::uint32_t announced = side.whole - static_cast<std::uint32_t>(StartupFrameView::kOctets);
  const std::uint64_t came = side.passed - StartupFrameView::kOctets;
  StartupFrame f = take_incomplete(d);
  const StreamOffset start = f.start;
  const FrameNumber header = f.frame;
  (void)request_complete(d, std::move(f));
  request_end_known = false;
  if (!gap && announced <= kMaxPrivateData) {
    raise_cut_short(d, header, frame, time, start, came, announced,
                    fmt::format("PD_Length of the MPA Request is {}, but {} came before the Reply.", announced,
                                counted(came, "octet")));
  }
}

/// MS-12. `header`: the frame with the header; `frame`: the one that shows it.
void Startup::State::raise_cut_short(Direction d, FrameNumber header, FrameNumber frame, TimePoint time,
                                     StreamOffset start, std::uint64_t came, std::uint32_t announced,
                                     std::string text) {
  findings::Finding f;
  f.id = mpa_startup_cut_short;
  f.direction = d;
  f.frame = frame;
  f.time = time;
  f.frames = {header, frame};
  f.broken_in = header;
  f.offset = start;
  f.seen = std::to_string(came);
  f.expected = std::to_string(announced);
  f.text = std::move(text);
  reporter.raise(std::move(f));
}

/// Faults of the Request alone are reported once it is sure that it was one.
void Startup::State::confirm_request() {
  if (!request || judged) return;
  judged = true;
  judge_frame(*request, initiator, reporter);
}

/// It was no Request, but text that quotes one.
void Startup::State::abandon_request() {
  on(StartupEvent::not_startup);
  request.reset();
  std::vector<std::byte>().swap(early);
  std::vector<tcp::Chunk>().swap(early_chunks);
  early_first.reset();
  early_closed = false;
  other = 0;
  sides[index(initiator)].complete = false;
}

void Startup::State::begin_full_operation() {
  confirm_request();
  agreement = agree(request ? &*request : nullptr, reply ? &*reply : nullptr, initiator);
  if (!request_end_known) agreement.sequence_start[index(initiator)].reset();
  for (Side& side : sides) drop_candidate(side);
}

}  // namespace iwarpscope::mpa
