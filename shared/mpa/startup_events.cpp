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
    raise_startup(frame,
                  {.id = mpa_both_sent_request,
                   .direction = d,
                   .seen = "MPA ID Req Frame",
                   .expected = "MPA ID Rep Frame",
                   .text = "Both ends sent an MPA Request."},
                  reporter);
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
    raise_startup(frame,
                  {.id = mpa_reply_to_malformed_request,
                   .direction = d,
                   .text = "The Responder answered a malformed MPA Request."},
                  reporter);
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
  const auto raise_early = [&](findings::FindingId id, Direction by, const Early& sent, const StartupFrame& awaited,
                               std::string text) {
    reporter.raise({.id = id,
                    .direction = by,
                    .frame = frame.frame,
                    .frames = {sent.frame, awaited.frame},
                    .broken_in = sent.frame,
                    .time = frame.time,
                    .offset = sent.offset,
                    .seen = std::to_string(relative(sent.acknowledged)),
                    .expected = fmt::format("at least {}", relative(awaited.end)),
                    .text = std::move(text)});
  };
  const auto received = [](const Early& sent, const StartupFrame& awaited) {
    return fmt::format("{} of the {} octets",
                       sent.acknowledged < awaited.start ? 0 : distance(awaited.start, sent.acknowledged),
                       distance(awaited.start, awaited.end));
  };
  // A rejecting Reply whose sender had nothing of this Request may answer one before it, which the capture lacks.
  const bool of_another = frame.rejected && known && *known <= request->start;
  if (known && *known < request->end && !of_another) {
    const Early sent{.offset = frame.start, .acknowledged = *known, .frame = frame.frame, .time = frame.time};
    raise_early(mpa_reply_before_request, d, sent, *request,
                fmt::format("The Responder had received {} of the MPA Request when it sent its Reply.",
                            received(sent, *request)));
  }
  if (early_first && early_first->acknowledged < frame.end) {
    raise_early(mpa_fpdu_before_reply, initiator, *early_first, frame,
                fmt::format("The Initiator sent octets after its MPA Request when it had received {} of the Reply.",
                            received(*early_first, frame)));
  }
}

/// A Reply came while private data of the Request was still to come: then PD_Length is wrong, unless octets are
/// missing.
void Startup::State::request_cut_by_reply(Direction d, FrameNumber frame, TimePoint time) {
  const Side& side = sides[index(d)];
  const bool gap = side.gap;
  const CutShort cut = side.cut_short();
  (void)request_complete(d, take_incomplete(d));
  request_end_known = false;
  if (!gap && cut.announced <= kMaxPrivateData) {
    raise_cut_short(d, cut, frame, time,
                    fmt::format("PD_Length of the MPA Request is {}, but {} came before the Reply.", cut.announced,
                                counted(cut.came, "octet")));
  }
}

/// MS-12. `frame`: the one that shows it.
void Startup::State::raise_cut_short(Direction d, const CutShort& cut, FrameNumber frame, TimePoint time,
                                     std::string text) {
  reporter.raise({.id = mpa_startup_cut_short,
                  .direction = d,
                  .frame = frame,
                  .frames = {cut.header, frame},
                  .broken_in = cut.header,
                  .time = time,
                  .offset = cut.start,
                  .seen = std::to_string(cut.came),
                  .expected = std::to_string(cut.announced),
                  .text = std::move(text)});
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
