// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Responses as they begin: which request they answer, and whether they may.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "qp/half.h"

namespace iwarpscope::qp {

using findings::FindingId;

/// The request at `position` is answered: older ones whose responses may be among missing octets were answered there,
/// since responses come in order. Source: RFC 5040 §5.5 rule 20.
void Half::forget_answered_in_gap(std::size_t position) {
  for (; position > 0 && outstanding_.at(0).before_gap && !outstanding_.at(0).response_begun; --position) {
    std::optional<Request> answered = outstanding_.take(outstanding_.at(0).message);
    if (answered->record != nullptr) common_.events.message(std::move(*answered->record));
  }
}

/// DD-23: this side's Terminate named a message, and it answers a request sent after that.
void Half::judge_answer_after_error(const OpenMessage& open, const Request& request) {
  if (!open.intact || !rare().reported || request.message <= *rare().reported) return;
  findings::Finding f = about(FindingId::ddp_answered_after_error, open);
  f.frames = {request.frame, open.last_frame};
  f.text = fmt::format(
      "This side's Terminate named message {} of the other direction, but this side answers the later request with MSN "
      "{}.",
      *rare().reported, request.msn.value);
  common_.raise(std::move(f));
}

/// RM-14: `open` answers the request at `position` of the other half. A request that is passed over is told of once:
/// what follows is answered in its own order.
void Half::judge_order(const OpenMessage& open, std::size_t position) {
  Outstanding& requests = other_->outstanding_;
  const std::optional<std::size_t> passed = requests.passed_by(position);
  if (!passed) return;
  requests.pass_over(position);
  const Request& older = requests.at(*passed);
  const Request& request = requests.at(position);
  findings::Finding f = about(FindingId::rdmap_responses_out_of_order, open);
  f.seen = std::to_string(request.msn.value);
  f.expected = std::to_string(older.msn.value);
  f.frames = {older.frame, request.frame, open.last_frame};
  f.text =
      fmt::format("This {} Response answers the request with MSN {}, but the older one with MSN {} is not answered.",
                  request.atomic ? "Atomic" : "Read", request.msn.value, older.msn.value);
  common_.raise(std::move(f));
}

bool Half::was_known_before(const ddp::Carrier& at) const noexcept {
  // A frame of the other half acknowledges no more of this one than was delivered here: nothing can have been received
  // that the capture did not show yet. One octet more may be a FIN that the capture lacks, and the end of an FPDU.
  return !common_.midstream && !common_.one_sided && gapless_ && is_framed_to_its_end() && at.has_acknowledged &&
         at.acknowledged <= stream_end_;
}

bool Half::knows_requests_before(const ddp::Carrier& response) const noexcept {
  return other_->requests_certain_ && (other_->was_known_before(response) || other_->has_all_requests(response));
}

bool Half::has_all_requests(const ddp::Carrier& response) const noexcept {
  return first_request_seen_ && !common_.one_sided && is_framed_to_its_end() && response.has_acknowledged &&
         response.acknowledged <= stream_end_;
}

/// The response acknowledges what the capture did not show yet, though it has everything else: its ports were
/// merged in another order than the one of the wire.
bool Half::is_ahead_of_cause(const OpenMessage& open) const noexcept {
  return !common_.midstream && !common_.one_sided && other_->gapless_ && other_->requests_certain_ &&
         (open.first.is_ahead || (open.first.has_acknowledged && open.first.acknowledged > other_->stream_end_));
}

/// No request is outstanding that `open` could answer. When that is not certain, one may still come. It may come, too,
/// when its sender had not received it: then it answered too early, which is another fault.
void Half::answers_nothing(const OpenMessage& open, bool certain, EarlyResponse early) {
  if (!certain) {
    if (is_ahead_of_cause(open)) {
      ++other_->merged_ahead_;
      return;
    }
    ++other_->answered_ahead_;
    if (open.first.has_acknowledged) {
      StreamOffset& to = other_->make_rare().answered_to;
      to = std::max(to, open.first.acknowledged);
    }
    // A wrong T flag (RM-04) has it mean something else.
    if (open.tagged != early.atomic && can_be_settled(open)) keep_doubted(unrequested(open, early));
    return;
  }
  early.unrequested = unrequested(open, early);
  keep_early(open, std::move(early));
}

/// RM-09, AT-11.
findings::Finding Half::unrequested(const OpenMessage& open, const EarlyResponse& early) const {
  const FindingId id =
      early.atomic ? FindingId::rdmap_atomic_response_unrequested : FindingId::rdmap_read_response_unrequested;
  findings::Finding f = about(id, open);
  const std::string which = early.atomic ? fmt::format("An Atomic Response with identifier {}", early.request_id)
                                         : fmt::format("A Read Response to STag 0x{:08x}", open.stag.value);
  f.seen = early.atomic ? std::to_string(early.request_id) : fmt::format("0x{:08x}", open.stag.value);
  f.text = fmt::format("{} begins, but its sender had received no {} Request that waits for a response.", which,
                       early.atomic ? "Atomic" : "Read");
  return f;
}

/// Which request `open` answers: the one that find() gives, else the `oldest`. RM-14 is judged on the way.
template <class Find>
Half::Answer Half::choose_request(const OpenMessage& open, bool certain, std::size_t oldest, Find find) {
  Outstanding& requests = other_->outstanding_;
  std::optional<Fit> fits = find();
  if (fits && open.intact) {
    other_->forget_answered_in_gap(fits->position);
    fits = find();
  }
  const std::size_t position = fits ? fits->position : oldest;
  // A gap in this half may hide the responses to older requests.
  if (fits && requests.at(position).before_gap && requests.has_twin_behind(position)) requests.doubt();
  const bool judged =
      certain && !requests.is_gap_before(position) && !(fits && fits->doubtful) && !requests.is_in_doubt();
  if (judged && fits) judge_order(open, position);
  return {position, fits.has_value(), judged};
}

void Half::begin_answer(OpenMessage& open, Request& request, bool certain) {
  request.response_begun = true;
  open.answers = request.message;
  open.answer_certain = certain;
  open.expected_size = request.size;
  judge_answer_after_error(open, request);
}

/// RM-10, RM-11, RM-13: the Response begins where no Read Request wants it. `request` is the oldest.
findings::Finding Half::wrong_sink(const OpenMessage& open, const ddp::Segment& segment, const Request& request) const {
  findings::Finding f = about(FindingId::rdmap_zero_length_read_response_wrong, open);
  f.frames = {request.frame, open.last_frame};
  if (request.size == 0) {
    f.seen = std::to_string(segment.payload_length);
    f.expected = "0";
    f.text = "The Read Request asked for 0 octets; the Read Response carries some.";
  } else if (request.sink_stag != segment.stag) {
    f.id = FindingId::rdmap_read_response_stag_wrong;
    f.seen = fmt::format("0x{:08x}", segment.stag.value);
    f.expected = fmt::format("0x{:08x}", request.sink_stag.value);
    f.text = fmt::format("The Read Response begins at STag {}; the oldest Read Request named {}.", f.seen, f.expected);
  } else {
    return wrong_sink_to(open, request);
  }
  return f;
}

/// RM-11.
findings::Finding Half::wrong_sink_to(const OpenMessage& open, const Request& request) const {
  findings::Finding f = about(FindingId::rdmap_read_response_to_wrong, open);
  f.frames = {request.frame, open.last_frame};
  f.seen = fmt::format("0x{:016x}", open.to.value);
  f.expected = fmt::format("0x{:016x}", request.sink_to.value);
  f.text = fmt::format("The Read Response begins at TO {}; the oldest Read Request named {}.", f.seen, f.expected);
  return f;
}

/// The oldest request is at `position`. Octets of its Response may come in any order: one that begins inside of its
/// sink may be right.
void Half::doubt_sink(const OpenMessage& open, const ddp::Segment& segment, std::size_t position) {
  const Outstanding& requests = other_->outstanding_;
  if (requests.is_gap_before(position) || requests.is_in_doubt() || !can_be_settled(open)) return;
  if (!segment.last && requests.find_read_around(segment.stag, segment.to, segment.payload_length)) return;
  keep_doubted(wrong_sink(open, segment, requests.at(position)));
}

void Half::note_unfit(const OpenMessage& open) {
  make_rare().unfit = open.message;
  make_rare().unfit_frame = open.last_frame;
}

void Half::read_response_begins(OpenMessage& open, const ddp::Segment& segment) {
  Outstanding& requests = other_->outstanding_;
  const bool zero = segment.payload_length == 0 && segment.last;
  // Behind a gap this may be the rest of a Response; untagged (RM-04) it names no buffer.
  const bool certain =
      open.intact && segment.tagged && segment.starts_message && knows_requests_before(segment.carrier);
  const std::optional<std::size_t> oldest = requests.oldest(false);
  if (!oldest) {
    note_unfit(open);
    EarlyResponse early;
    early.zero_length = zero;
    answers_nothing(open, certain, std::move(early));
    return;
  }
  const Answer answer = choose_request(open, certain, *oldest, [&] {
    const std::optional<Fit> fit = requests.find_read(segment.stag, segment.to, zero);
    if (fit || !certain || segment.last || segment.payload_length == 0) return fit;
    // Its octets may come in any order: whether it begins where the request says shows at its end.
    const std::optional<Fit> around = requests.find_read_around(segment.stag, segment.to, segment.payload_length);
    open.begins_inside = around.has_value();
    return around;
  });
  Request& request = requests.at(answer.position);
  if (!answer.fits) note_unfit(open);
  const bool is_wrong = !answer.fits && !zero;
  if (is_wrong && answer.judged) common_.raise(wrong_sink(open, segment, request));
  if (is_wrong && !answer.judged && segment.tagged && segment.starts_message) {
    doubt_sink(open, segment, answer.position);
  }
  // Nobody can tell which it answers; an untagged one (RM-04) answers the oldest.
  if (!answer.judged && !answer.fits && (segment.tagged || request.before_gap)) {
    if (segment.starts_message && is_ahead_of_cause(open)) ++other_->merged_ahead_;
    // It may have been meant for any of them.
    if (segment.starts_message && open.intact) requests.mark_gap();
    return;
  }
  begin_answer(open, request, answer.judged);
  open.answer_doubted = !answer.judged && answer.fits && segment.tagged && segment.starts_message &&
                        !requests.is_gap_before(answer.position) && !requests.is_in_doubt() && can_be_settled(open);
  if (!answer.judged || !answer.fits) return;
  judge_cause(open, request);
  note_answer_after_fault(open, request);
}

/// AT-08, AT-09.
void Half::judge_atomic_answer(const OpenMessage& open, std::uint32_t identifier, const Request& request) {
  const auto raise = [&](FindingId id, std::string seen, std::string expected, std::string text) {
    findings::Finding f = about(id, open);
    f.seen = std::move(seen);
    f.expected = std::move(expected);
    f.frames = {request.frame, open.last_frame};
    f.text = std::move(text);
    common_.raise(std::move(f));
  };
  if (request.request_id != identifier) {
    raise(FindingId::rdmap_atomic_identifier_wrong, std::to_string(identifier), std::to_string(request.request_id),
          fmt::format("The Atomic Response echoes identifier {}; the oldest outstanding request has {}.", identifier,
                      request.request_id));
  }
  if (request.source_to.value % 8 != 0) {
    raise(FindingId::rdmap_atomic_misaligned_answered, fmt::format("0x{:016x}", request.source_to.value),
          "Terminate 0/2/07",
          fmt::format("The Atomic Request named TO 0x{:016x}, which is not a multiple of 8, and was answered.",
                      request.source_to.value));
  }
}

void Half::atomic_response_begins(OpenMessage& open, const ddp::Segment& segment) {
  Outstanding& requests = other_->outstanding_;
  const auto decoded = rdmap::AtomicResponseHeader::parse(open.header);
  const auto* const header = std::get_if<rdmap::AtomicResponseHeader>(&decoded);
  if (header == nullptr) {
    requests.mark_gap();  // nobody can tell which it answers
    return;
  }
  const std::uint32_t identifier = header->request_id();
  const bool certain =
      open.intact && !segment.tagged && segment.starts_message && knows_requests_before(segment.carrier);
  const std::optional<std::size_t> oldest = requests.oldest(true);
  if (!oldest) {
    EarlyResponse early;
    early.atomic = true;
    early.request_id = identifier;
    answers_nothing(open, certain, std::move(early));
    return;
  }
  const Answer answer = choose_request(open, certain, *oldest, [&] { return requests.find_atomic(identifier); });
  if (!answer.judged && !answer.fits && is_ahead_of_cause(open)) {
    ++other_->merged_ahead_;
    return;
  }
  Request& request = requests.at(answer.position);
  if (answer.judged) judge_atomic_answer(open, identifier, request);
  begin_answer(open, request, answer.judged);
  if (!answer.judged || !answer.fits) return;
  judge_cause(open, request);
  note_answer_after_fault(open, request);
}

}  // namespace iwarpscope::qp
