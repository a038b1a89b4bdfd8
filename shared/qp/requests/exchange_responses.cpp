// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Responses as they begin and end: which request they answer, and whether they may.
#include <algorithm>
#include <utility>

#include "qp/requests/exchange.h"
#include "qp/requests/request_detail.h"
#include "qp/requests/response_findings.h"

namespace iwarpscope::qp {

/// Every request that the sender of the response had received was seen, whatever order the capture's ports were merged
/// in: all of them, or where the capture begins inside the queue pair, all since the first.
bool Exchange::knows_requests_before(Direction d, const ddp::Carrier& response) const noexcept {
  const Direction q = opposite(d);
  if (!has_certain_requests(q)) return false;
  if (common_.was_known_before(q, response)) return true;
  return requests(q).has_first() && !common_.one_sided && common_.covered(q).covers(response);
}

/// The response acknowledges what the capture did not show yet, though it has everything else: its ports were
/// merged in another order than the one of the wire.
bool Exchange::is_ahead_of_cause(Direction d, const OpenMessage& open) const noexcept {
  const Direction q = opposite(d);
  return common_.sees_whole(q) && has_certain_requests(q) &&
         (open.first.is_ahead ||
          (open.first.has_acknowledged && open.first.acknowledged > common_.covered(q).stream_end()));
}

/// The capture shows `open` whole, and what its sender may have received: only its order is not known.
bool Exchange::can_be_settled(Direction d, const OpenMessage& open) const noexcept {
  const Direction q = opposite(d);
  return open.intact && common_.sees_whole(d) && common_.covered(q).is_gapless() && has_certain_requests(q) &&
         !is_ahead_of_cause(d, open);
}

void Exchange::response_begins(Direction d, OpenMessage& open, const ddp::Segment& segment) {
  if (open.opcode == rdmap::Opcode::rdma_read_response) {
    read_response_begins(d, open, segment);
  } else {
    atomic_response_begins(d, open, segment);
  }
}

void Exchange::read_response_begins(Direction d, OpenMessage& open, const ddp::Segment& segment) {
  Outstanding& outstanding = make_requests(opposite(d)).outstanding;
  const bool zero = segment.payload_length == 0 && segment.last;
  // After a gap this may be the rest of a Response; untagged (RM-04) it names no buffer.
  const bool certain =
      open.intact && segment.tagged && segment.starts_message && knows_requests_before(d, segment.carrier);
  const std::optional<std::uint64_t> oldest = outstanding.oldest(false);
  if (!oldest) {
    note_unfit(d, open);
    EarlyResponse early;
    early.zero_length = zero;
    return answers_nothing(d, open, certain, std::move(early));
  }
  const Answer answer = choose_request(d, open, certain, *oldest, [&] {
    const std::optional<Fit> fit = outstanding.find_read(segment.stag, segment.to, zero);
    if (fit || !certain || segment.last || segment.payload_length == 0) return fit;
    // Its octets may come in any order: whether it begins where the request says shows at its end.
    const std::optional<Fit> around = outstanding.find_read_around(segment.stag, segment.to, segment.payload_length);
    open.begins_inside = around.has_value();
    return around;
  });
  const Request& request = outstanding.at(answer.message);
  const bool begins_one = segment.tagged && segment.starts_message;
  if (!answer.fits) note_unfit(d, open);
  const bool is_wrong = !answer.fits && !zero;
  if (is_wrong && answer.judged) common_.raise(wrong_sink(d, open, segment, request));
  if (is_wrong && !answer.judged && begins_one) doubt_sink(d, open, segment, answer.message);
  // Which it answers is not known; an untagged one (RM-04) answers the oldest.
  if (!answer.judged && !answer.fits && (segment.tagged || request.before_gap)) {
    Requests& all = make_requests(opposite(d));
    if (segment.starts_message && is_ahead_of_cause(d, open)) {
      all.merged_ahead();
    } else if (segment.tagged && !outstanding.any_read_holds(segment.stag, segment.to, segment.payload_length)) {
      all.strayed({.stag = segment.stag, .to = segment.to, .octets = segment.payload_length});
    }
    // It may have been meant for any of them.
    const bool is_cut = segment.payload.size() < segment.payload_length;
    if (segment.starts_message && (open.intact || is_cut)) outstanding.mark_gap();
    return;
  }
  open.answer_doubted = !answer.judged && answer.fits && begins_one && !outstanding.is_gap_before(answer.message) &&
                        !outstanding.is_in_doubt() && can_be_settled(d, open);
  begin_answer(d, open, answer);
}

void Exchange::atomic_response_begins(Direction d, OpenMessage& open, const ddp::Segment& segment) {
  Outstanding& outstanding = make_requests(opposite(d)).outstanding;
  const std::optional<rdmap::AtomicResponseHeader> header = atomic_response_of(open);
  if (!header) return outstanding.mark_gap();  // which it answers is not known
  const std::uint32_t identifier = header->request_id();
  const bool certain =
      open.intact && !segment.tagged && segment.starts_message && knows_requests_before(d, segment.carrier);
  const std::optional<std::uint64_t> oldest = outstanding.oldest(true);
  if (!oldest) {
    EarlyResponse early;
    early.atomic = true;
    early.request_id = identifier;
    return answers_nothing(d, open, certain, std::move(early));
  }
  const Answer answer = choose_request(d, open, certain, *oldest, [&] { return outstanding.find_atomic(identifier); });
  if (!answer.judged && !answer.fits && is_ahead_of_cause(d, open)) return make_requests(opposite(d)).merged_ahead();
  if (!answer.judged && !answer.fits) {
    make_requests(opposite(d)).strayed({.atomic = true, .request_id = identifier});
  }
  const Request& request = outstanding.at(answer.message);
  if (answer.judged) {
    if (request.request_id != identifier) common_.raise(wrong_identifier(d, open, identifier, request));
    if (request.source_to.value % 8 != 0) common_.raise(misaligned_answered(d, open, request));
  }
  begin_answer(d, open, answer);
}

/// Which request `open` answers: the one that find() gives, else the `oldest`. RM-14 is judged on the way.
template <class Find>
Exchange::Answer Exchange::choose_request(Direction d, const OpenMessage& open, bool certain, std::uint64_t oldest,
                                          Find find) {
  Outstanding& outstanding = make_requests(opposite(d)).outstanding;
  std::optional<Fit> fits = find();
  if (fits && open.intact) {
    forget_answered_in_gap(outstanding, fits->message);
    fits = find();
  }
  const std::uint64_t message = fits ? fits->message : oldest;
  // A gap in this direction may hide the responses to older requests.
  if (fits && outstanding.at(message).before_gap && outstanding.has_twin_after(message)) outstanding.doubt();
  const bool judged =
      certain && !outstanding.is_gap_before(message) && !(fits && fits->doubtful) && !outstanding.is_in_doubt();
  if (judged && fits) judge_order(d, open, message);
  return {message, fits.has_value(), judged};
}

/// The request `message` is answered: older ones whose responses may be among missing octets were answered there,
/// since responses come in order. Source: RFC 5040 §5.5 rule 20.
void Exchange::forget_answered_in_gap(Outstanding& outstanding, std::uint64_t message) {
  const auto is_over = [message](const Request& oldest) {
    return oldest.message < message && oldest.before_gap && !oldest.response_begun;
  };
  while (is_over(outstanding.front())) hand_out(std::move(outstanding.take_front().record));
}

void Exchange::begin_answer(Direction d, OpenMessage& open, const Answer& answer) {
  Outstanding& outstanding = make_requests(opposite(d)).outstanding;
  outstanding.begin_response(answer.message);
  const Request& request = outstanding.at(answer.message);
  open.answers = request.message;
  open.answer_certain = answer.judged;
  open.expected_size = request.size;
  if (open.intact && rare(d) != nullptr && rare(d)->refused && request.message > *rare(d)->refused) {
    common_.raise(answered_after_error(d, open, *rare(d)->refused, request));
  }
  if (!answer.judged || !answer.fits) return;
  judge_cause(d, open, request);
  if (open.intact) common_.faults.note_answer(opposite(d), request, open.last_frame);
}

/// No request is outstanding that `open` could answer. When that is not certain, one may still come. It may come, too,
/// when its sender had not received it: then it answered too early, which is another fault.
void Exchange::answers_nothing(Direction d, OpenMessage& open, bool certain, EarlyResponse early) {
  if (certain) {
    early.unrequested = response_unrequested(d, open, early);
    return keep_early(d, open, std::move(early));
  }
  Requests& all = make_requests(opposite(d));
  if (is_ahead_of_cause(d, open)) return all.merged_ahead();
  all.answered_ahead(open.first.has_acknowledged ? std::optional(open.first.acknowledged) : std::nullopt);
  // A wrong T flag (RM-04) has it mean something else.
  if (open.tagged != early.atomic && can_be_settled(d, open)) keep_doubted(d, response_unrequested(d, open, early));
}

void Exchange::keep_early(Direction d, OpenMessage& open, EarlyResponse early) {
  early.message = open.message;
  early.stag = open.stag;
  early.to = open.to;
  early.first = open.first;
  early.end = common_.covered(d).framed_end();
  early.open = &open;
  std::optional<EarlyResponse> oldest = make_rare(d).early.keep(std::move(early));
  if (oldest) raise_unrequested(*oldest);
}

void Exchange::keep_doubted(Direction d, findings::Finding finding) {
  make_rare(d).early.doubt({common_.covered(d).framed_end(), std::move(finding)});
}

void Exchange::early_ended(Direction d, const OpenMessage& open, const ddp::MessageEnd& end,
                           std::unique_ptr<MessageRecord>& record) {
  EarlyResponse* const early = rare(d) != nullptr ? rare(d)->early.find(open.message) : nullptr;
  if (early == nullptr) return;
  EarlyResponse::Ended ended{open.facts(d), end, {}};
  const auto header = early->atomic ? atomic_response_of(open) : std::nullopt;
  if (header) ended.original = header->original();
  early->open = nullptr;
  early->ended = ended;
  early->record = std::move(record);
}

void Exchange::response_ended(Direction d, const OpenMessage& open, const ddp::MessageEnd& end,
                              std::unique_ptr<MessageRecord>& record) {
  Requests& all = make_requests(opposite(d));
  if (!open.answers) {
    if (all.credit() != nullptr) all.credit()->doubt();
    fill_response_detail(open, nullptr, record.get());
    return early_ended(d, open, end, record);
  }
  std::optional<Request> request = all.outstanding.take(*open.answers);
  if (!request) return fill_response_detail(open, nullptr, record.get());
  if (all.credit() != nullptr) all.credit()->answered(request->atomic, common_.needed_end(d), open.placed_time);
  if (open.begins_inside && open.answer_certain && open.to != request->sink_to) {
    note_unfit(d, open);
    common_.raise(wrong_sink_to(d, open, *request));
  }
  if (!request->atomic && end.length != request->size) judge_length(d, open, end, *request);
  fill_response_detail(open, &*request, record.get());
  if (common_.observation != nullptr) {
    const auto header = request->atomic ? atomic_response_of(open) : std::nullopt;
    const std::optional<std::uint64_t> original = header ? std::optional(header->original()) : std::nullopt;
    common_.observation->answered(*request, open.facts(d), end, open.answer_certain, original);
  }
  if (request->record == nullptr) return;
  link_response(*request->record, {open.message, elapsed_ns(request->time, open.first.first_time),
                                   elapsed_ns(request->time, open.placed_time)});
  hand_out(std::move(request->record));
}

/// RM-12. `open` answers `request`, and has another length than was asked for.
void Exchange::judge_length(Direction d, const OpenMessage& open, const ddp::MessageEnd& end, const Request& request) {
  note_unfit(d, open);
  if (!end.complete || request.size == 0 || (!open.answer_certain && !open.answer_doubted)) return;
  findings::Finding f = wrong_length(d, open, end.length, request);
  if (open.answer_certain) return common_.raise(std::move(f));
  keep_doubted(d, std::move(f));
}

/// RM-14: `open` answers the request `message`. A request that is passed over is reported once: what follows is
/// answered in its own order.
void Exchange::judge_order(Direction d, const OpenMessage& open, std::uint64_t message) {
  Outstanding& outstanding = make_requests(opposite(d)).outstanding;
  const std::optional<std::uint64_t> passed = outstanding.passed_by(message);
  if (!passed) return;
  outstanding.pass_over(message);
  common_.raise(out_of_order(d, open, outstanding.at(*passed), outstanding.at(message)));
}

/// RM-15: `open`, which answers `request` for certain, was sent when its sender had not received all of it.
void Exchange::judge_cause(Direction d, const OpenMessage& open, const Request& request) {
  if (!open.intact || !open.first.has_acknowledged || open.first.acknowledged >= request.end) return;
  findings::Finding f = finding_about(findings::FindingId::rdmap_response_before_request, d, open);
  describe_cause(f, open.first, request);
  common_.raise(std::move(f));
}

/// The oldest request is `message`. Octets of its Response may come in any order: one that begins inside of its
/// sink may be right.
void Exchange::doubt_sink(Direction d, const OpenMessage& open, const ddp::Segment& segment, std::uint64_t message) {
  const Outstanding& waiting = outstanding(opposite(d));
  if (waiting.is_gap_before(message) || waiting.is_in_doubt() || !can_be_settled(d, open)) return;
  if (!segment.last && waiting.find_read_around(segment.stag, segment.to, segment.payload_length)) return;
  keep_doubted(d, wrong_sink(d, open, segment, waiting.at(message)));
}

void Exchange::note_unfit(Direction d, const OpenMessage& open) {
  make_rare(d).unfit = {open.message, open.last_frame};
}

}  // namespace iwarpscope::qp
