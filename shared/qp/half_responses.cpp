// Responses as they begin: which request they answer, and whether they may.
#include <fmt/format.h>

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
  if (!open.intact || !reported_ || request.message <= *reported_) return;
  findings::Finding f = about(FindingId::ddp_answered_after_error, open);
  f.frames = {request.frame, open.last_frame};
  f.text = fmt::format(
      "This side's Terminate named message {} of the other direction, and yet it answers the later request with MSN "
      "{}.",
      *reported_, request.msn.value);
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

bool Half::knows_requests_before(const ddp::Carrier& response) const noexcept {
  // A frame of ours acknowledges no more of the other half than was delivered here (+1: its FIN): nothing can have been
  // received that the capture did not show yet.
  // While its framer searches, a request may stand in what it passes over.
  return !common_.midstream && !common_.one_sided && other_->gapless_ &&
         other_->framer_->state() == mpa::FramerState::framing && other_->requests_certain_ &&
         response.has_acknowledged && response.acknowledged.value <= other_->stream_end_ + 1;
}

void Half::read_response_begins(OpenMessage& open, const ddp::Segment& segment) {
  Outstanding& requests = other_->outstanding_;
  const bool zero = segment.payload_length == 0 && segment.last;
  // Behind a gap this may be the rest of a Response; untagged (RM-04) it names no buffer.
  const bool certain =
      open.intact && segment.tagged && segment.starts_message && knows_requests_before(segment.carrier);
  const std::optional<std::size_t> oldest = requests.oldest(false);
  if (!oldest) {
    if (certain) {
      findings::Finding f = about(FindingId::rdmap_read_response_unrequested, open);
      f.seen = fmt::format("0x{:08x}", segment.stag.value);
      f.text = fmt::format("A Read Response to STag 0x{:08x} begins, but no Read Request is outstanding.",
                           segment.stag.value);
      common_.raise(std::move(f));
    } else {
      ++other_->answered_ahead_;
    }
    return;
  }
  std::optional<Fit> fits = requests.find_read(segment.stag, segment.to, zero);
  if (fits && open.intact) {
    other_->forget_answered_in_gap(fits->position);
    fits = requests.find_read(segment.stag, segment.to, zero);
  }
  const std::size_t position = fits ? fits->position : *oldest;
  // A gap in this half may hide the responses to older requests.
  const bool judged = certain && !requests.is_gap_before(position) && !(fits && fits->doubtful);
  if (judged && fits) judge_order(open, position);
  Request& request = requests.at(position);
  if (judged && !fits && request.size == 0 && !zero) {
    findings::Finding f = about(FindingId::rdmap_zero_length_read_response_wrong, open);
    f.seen = std::to_string(segment.payload_length);
    f.expected = "0";
    f.frames = {request.frame, open.last_frame};
    f.text = "The Read Request asked for 0 octets; the Read Response carries some.";
    common_.raise(std::move(f));
  } else if (judged && !fits && !zero) {
    const bool stag_wrong = request.sink_stag != segment.stag;
    findings::Finding f =
        about(stag_wrong ? FindingId::rdmap_read_response_stag_wrong : FindingId::rdmap_read_response_to_wrong, open);
    f.seen = stag_wrong ? fmt::format("0x{:08x}", segment.stag.value) : fmt::format("0x{:016x}", segment.to.value);
    f.expected =
        stag_wrong ? fmt::format("0x{:08x}", request.sink_stag.value) : fmt::format("0x{:016x}", request.sink_to.value);
    f.frames = {request.frame, open.last_frame};
    f.text = fmt::format("The Read Response begins at {} {}; the oldest Read Request named {}.",
                         stag_wrong ? "STag" : "TO", f.seen, f.expected);
    common_.raise(std::move(f));
  }
  // Nobody can tell which it answers; an untagged one (RM-04) answers the oldest.
  if (!judged && !fits && (segment.tagged || request.before_gap)) return;
  request.response_begun = true;
  open.answers = request.message;
  open.answer_certain = judged;
  open.expected_size = request.size;
  judge_answer_after_error(open, request);
}

void Half::atomic_response_begins(OpenMessage& open, const ddp::Segment& segment) {
  Outstanding& requests = other_->outstanding_;
  const auto decoded = rdmap::AtomicResponseHeader::parse(open.header);
  const auto* const header = std::get_if<rdmap::AtomicResponseHeader>(&decoded);
  if (header == nullptr) {
    requests.mark_gap();  // nobody can tell which it answers
    return;
  }
  const bool certain =
      open.intact && !segment.tagged && segment.starts_message && knows_requests_before(segment.carrier);
  const std::optional<std::size_t> oldest = requests.oldest(true);
  if (!oldest) {
    if (certain) {
      findings::Finding f = about(FindingId::rdmap_atomic_response_unrequested, open);
      f.seen = std::to_string(header->request_id());
      f.text = fmt::format("An Atomic Response with identifier {} arrives, but no Atomic Request is outstanding.",
                           header->request_id());
      common_.raise(std::move(f));
    } else {
      ++other_->answered_ahead_;
    }
    return;
  }
  std::optional<Fit> fits = requests.find_atomic(header->request_id());
  if (fits && open.intact) {
    other_->forget_answered_in_gap(fits->position);
    fits = requests.find_atomic(header->request_id());
  }
  const std::size_t position = fits ? fits->position : *oldest;
  const bool judged = certain && !requests.is_gap_before(position) && !(fits && fits->doubtful);
  if (judged && fits) judge_order(open, position);
  Request& request = requests.at(position);
  const auto raise = [&](FindingId id, std::string seen, std::string expected, std::string text) {
    findings::Finding f = about(id, open);
    f.seen = std::move(seen);
    f.expected = std::move(expected);
    f.frames = {request.frame, open.last_frame};
    f.text = std::move(text);
    common_.raise(std::move(f));
  };
  if (judged && request.request_id != header->request_id()) {
    raise(FindingId::rdmap_atomic_identifier_wrong, std::to_string(header->request_id()),
          std::to_string(request.request_id),
          fmt::format("The Atomic Response echoes identifier {}; the oldest outstanding request has {}.",
                      header->request_id(), request.request_id));
  }
  if (judged && request.source_to.value % 8 != 0) {
    raise(FindingId::rdmap_atomic_misaligned_answered, fmt::format("0x{:016x}", request.source_to.value),
          "Terminate 0/2/07",
          fmt::format("The Atomic Request named TO 0x{:016x}, which is no multiple of 8, and got a response.",
                      request.source_to.value));
  }
  request.response_begun = true;
  open.answers = request.message;
  open.answer_certain = judged;
  judge_answer_after_error(open, request);
}

}  // namespace iwarpscope::qp
