// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "qp/requests/exchange.h"

#include <algorithm>
#include <utility>

#include "qp/requests/credit_rules.h"
#include "qp/requests/request_detail.h"
#include "qp/requests/response_findings.h"

namespace iwarpscope::qp {

void Exchange::message_begins(Direction d) {
  for (const Direction each : {d, opposite(d)}) {
    if (rare(each) == nullptr || !rare(each)->early.has_early()) continue;
    for (EarlyResponse& early : rare(each)->early.take_expired(common_.time)) raise_unrequested(early);
  }
}

/// What is not in one untagged DDP segment is malformed: the responder may refuse it or answer it all the same.
void Exchange::request_begins(Direction d, const ddp::Segment& segment) {
  if (!segment.last || segment.tagged) make_requests(d).doubt();
}

void Exchange::request_ended(Direction d, const OpenMessage& open, const ddp::MessageEnd& end,
                             std::unique_ptr<MessageRecord> record) {
  Requests& own = make_requests(d);
  Request request;
  request.message = open.message;
  request.msn = open.msn;
  request.frame = open.last_frame;
  request.time = open.placed_time;
  request.end = common_.needed_end(d);
  const bool readable = read_request(open, request, record.get());
  if (request.atomic && end.complete) judge_identifier(d, open, request);
  // The receiver may act on what we cannot read: from now on nothing about responses is certain.
  if (!readable || !open.intact || !end.complete) {
    own.doubt();
    if (common_.observation != nullptr) common_.observation->gap(d);
  }
  if (!readable) return hand_out(std::move(record));
  own.note_first(request.msn, common_.midstream);
  if (was_answered_early(d, request, open.first, record)) return;
  const StreamOffset begin = common_.midstream ? kStreamOrigin : StreamOffset{};
  own.mark_unseen(request, open.first,
                  {.lost_to = std::max(common_.covered(opposite(d)).lost_to(), begin),
                   .requests_whole = !common_.midstream && common_.covered(d).is_gapless()});
  if (common_.observation != nullptr) common_.observation->requested(d, request);
  if (own.take_merged()) return hand_out(std::move(record));
  request.record = std::move(record);
  keep_request(d, std::move(request));
  count_request(d, open);
}

void Exchange::keep_request(Direction d, Request request) {
  Requests& own = make_requests(d);
  if (!common_.covered(opposite(d)).is_captured()) own.outstanding.mark_gap();  // all before may have been answered
  std::optional<Request> discarded = own.outstanding.add(std::move(request), common_.env.max_outstanding_requests);
  if (!discarded) return;
  ++common_.env.requests_discarded;
  own.doubt();
  hand_out(std::move(discarded->record));
}

void Exchange::judge_identifier(Direction d, const OpenMessage& open, const Request& request) {
  const Request* const before = outstanding(d).find_certain_atomic(request.request_id);
  if (before != nullptr) common_.raise(repeated_identifier(d, open, *before));
}

/// The request of `d` that just ended was added to the outstanding ones.
void Exchange::count_request(Direction d, const OpenMessage& open) {
  const Coverage& responses = common_.covered(opposite(d));
  const Outstanding& waiting = outstanding(d);
  Credit& credit = make_requests(d).make_credit();
  const Waiting unanswered{static_cast<std::uint32_t>(waiting.certain_reads()),
                           static_cast<std::uint32_t>(waiting.certain())};
  credit.seen_at_tap(unanswered.reads);
  if (!responses.is_captured() || !responses.covers(open.first) || credit.is_doubtful()) {
    return credit.forget_responses();
  }
  const std::optional<std::uint16_t> limit = read_limit(common_, d);
  const Waiting outstanding = credit.sent(unanswered, open.first.acknowledged, limit, open.placed_time);
  const bool certain = open.intact && common_.covered(d).is_gapless() &&
                       common_.was_known_before(opposite(d), open.first) && !common_.first_terminate &&
                       !responses.has_bad_crc();
  if (limit && certain) judge_credit({d, open, outstanding, *limit}, credit, common_);
}

/// RM-15. The early response to `request` of `d`, if there was one.
std::optional<EarlyResponse> Exchange::take_early(Direction d, const Request& request, const ddp::Carrier& sent) {
  Rare* const responses = rare(opposite(d));
  if (responses == nullptr) return std::nullopt;
  responses->early.forget_doubted(sent);
  std::optional<EarlyResponse> early = responses->early.take(request, sent);
  if (!early) return std::nullopt;
  findings::Finding f = std::move(early->unrequested);
  describe_cause(f, early->first, request);
  common_.raise(std::move(f));
  return early;
}

/// A request comes, and its response was seen before. Returns false when it was not, or is not at its end: then the
/// request waits as usual. `sent`: its first DDP segment.
bool Exchange::was_answered_early(Direction d, Request& request, const ddp::Carrier& sent,
                                  std::unique_ptr<MessageRecord>& record) {
  std::optional<EarlyResponse> early = take_early(d, request, sent);
  if (!early) return false;
  if (Credit* const credit = make_requests(d).credit()) credit->doubt();
  if (!early->ended) {
    request.response_begun = true;
    early->open->answers = request.message;
    early->open->expected_size = request.size;
    return false;
  }
  // What it did is not what the request asked for: models are not to believe it.
  if (common_.observation != nullptr) {
    common_.observation->requested(d, request);
    common_.observation->answered(request, early->ended->facts, early->ended->end, false, early->ended->original);
  }
  if (record != nullptr) {
    link_response(*record, {early->message, elapsed_ns(request.time, early->first.first_time),
                            elapsed_ns(request.time, early->ended->facts.placed_time)});
    hand_out(std::move(record));
  }
  if (early->record != nullptr) {
    link_request(*early->record, request.message);
    hand_out(std::move(early->record));
  }
  return true;
}

void Exchange::lost(Direction d) noexcept {
  if (requests_[index(d)] != nullptr) requests_[index(d)]->lost();
  doubt_responses(d);
}

void Exchange::doubt_responses(Direction d) noexcept {
  Requests* const answered = requests_[index(opposite(d))].get();
  if (answered != nullptr) answered->outstanding.mark_gap();
}

void Exchange::terminated(Direction d, std::optional<std::uint64_t> named) {
  if (named) make_rare(d).refused = named;
}

/// RM-09, AT-11.
void Exchange::raise_unrequested(EarlyResponse& early) {
  common_.raise(std::move(early.unrequested));
  hand_out(std::move(early.record));
}

void Exchange::settle_early(Direction d) {
  if (rare(d) == nullptr) return;
  for (EarlyResponse& early : rare(d)->early.take_all()) raise_unrequested(early);
}

void Exchange::settle_doubted(Direction d) {
  if (rare(d) == nullptr || !rare(d)->early.has_doubted()) return;
  std::vector<DoubtedResponse> kept = rare(d)->early.take_doubted();
  const Coverage &own = common_.covered(d), &other = common_.covered(opposite(d));
  const bool all_seen = !common_.one_sided && own.is_gapless() && other.is_gapless() &&
                        has_certain_requests(opposite(d)) && own.is_framed_to_its_end() && other.is_framed_to_its_end();
  if (!all_seen) return;
  for (DoubtedResponse& doubted : kept) common_.raise(std::move(doubted.finding));
}

void Exchange::settle_requests(Direction d, bool closed) {
  const Coverage &own = common_.covered(d), &other = common_.covered(opposite(d));
  if (closed) {
    settle_early(opposite(d));
    settle_doubted(opposite(d));
  }
  if (requests_[index(d)] == nullptr) return;
  Requests& all = *requests_[index(d)];
  if (!other.is_captured()) all.outstanding.mark_gap();
  const bool certain = closed && !common_.first_terminate && common_.sees_whole(d) && other.is_gapless() &&
                       all.are_certain() && other.is_open() && other.pending_octets() == 0 &&
                       !other.ended_inside_fpdu() && own.is_framed_to_its_end() && other.is_framed_to_its_end();
  if (const auto now = waiting(d)) all.settle(*now);
  if (all.credit() != nullptr) all.credit()->ended(common_.time);
  if (!all.outstanding.empty()) all.doubt();  // a response that was on its way may still pass the tap
  while (!all.outstanding.empty()) {
    Request request = all.outstanding.take_front();
    if (certain && !request.before_gap) common_.raise(request_unanswered(d, request));
    hand_out(std::move(request.record));
  }
}

void Exchange::trim() {
  for (const std::unique_ptr<Requests>& each : requests_) {
    if (each != nullptr) each->trim();
  }
}

std::optional<UnansweredRequests> Exchange::waiting(Direction d) const {
  const Outstanding& waits = outstanding(d);
  const Coverage& responses = common_.covered(opposite(d));
  if (waits.empty() || waits.front().before_gap || !responses.is_captured() || responses.is_framing_lost()) {
    return requests(d).settled();
  }
  const Request& oldest = waits.front();
  return UnansweredRequests{waits.size(), oldest.atomic, oldest.msn, {oldest.frame, oldest.time}};
}

Exchange::Unfit Exchange::unfit(Direction d) const noexcept {
  return rare_ != nullptr ? (*rare_)[index(d)].unfit : Unfit{};
}

void Exchange::fill(Direction d, DirectionRecord& record) const {
  const Credit* const credit = requests(d).credit();
  if (credit == nullptr) return;
  record.max_outstanding_reads = credit->most_at_tap();
  record.read_credit = credit->record(read_limit(common_, d), common_.time);
}

Exchange::Rare& Exchange::make_rare(Direction d) {
  if (rare_ == nullptr) rare_ = std::make_unique<std::array<Rare, 2>>();
  return (*rare_)[index(d)];
}

const Requests& Exchange::requests(Direction d) const noexcept {
  static const Requests kNone{};
  return requests_[index(d)] != nullptr ? *requests_[index(d)] : kNone;
}

Requests& Exchange::make_requests(Direction d) {
  std::unique_ptr<Requests>& made = requests_[index(d)];
  if (made == nullptr) made = std::make_unique<Requests>();
  return *made;
}

}  // namespace iwarpscope::qp
