// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// RDMA messages of one direction: begun, ended, and tied to those of the other.
#include <fmt/format.h>

#include <algorithm>

#include "ddp/header.h"
#include "qp/digest.h"
#include "qp/half.h"
#include "rdmap/atomic.h"
#include "rdmap/judge.h"

namespace iwarpscope::qp {
namespace {

using findings::FindingId;

constexpr unsigned kHighestRdmapVersion = 1;  // RFC 5040 §4.1, RFC 5044 App. C

template <class Header>
std::optional<Header> parse(const std::vector<std::byte>& octets) noexcept {
  auto decoded = Header::parse(octets);
  if (auto* header = std::get_if<Header>(&decoded)) return *header;
  return std::nullopt;
}

ResponseLink link(const OpenMessage& open, const Request& request) noexcept {
  return {open.message, elapsed_ns(request.time, open.first.first_time), elapsed_ns(request.time, open.placed_time)};
}

std::unique_ptr<OpenMessage> fresh(std::vector<std::unique_ptr<OpenMessage>>& spare) {
  if (spare.empty()) return std::make_unique<OpenMessage>();
  std::unique_ptr<OpenMessage> open = std::move(spare.back());
  spare.pop_back();
  open->answers.reset();
  open->answer_certain = false;
  open->begins_inside = false;
  open->header.clear();
  open->expected_size = 0;
  open->digested = 0;
  open->digest_in_order = true;
  return open;
}

void read(const rdmap::ReadRequestHeader& h, Request& request, MessageRecord* record) {
  request.sink_stag = h.sink_stag();
  request.sink_to = h.sink_to();
  request.size = h.size();
  request.source_stag = h.source_stag();
  request.source_to = h.source_to();
  if (record == nullptr) return;
  record->detail =
      ReadRequestDetail{h.sink_stag(), h.sink_to(), h.size(), h.source_stag(), h.source_to(), std::nullopt};
}

void read(const rdmap::AtomicRequestHeader& h, Request& request, MessageRecord* record) {
  request.atomic = true;
  request.source_stag = h.remote_stag();
  request.source_to = h.remote_to();
  request.request_id = h.request_id();
  request.operation = h.operation();
  request.data = h.data();
  request.mask = h.mask();
  request.compare = h.compare();
  request.compare_mask = h.compare_mask();
  if (record == nullptr) return;
  AtomicRequestDetail detail;
  detail.operation = rdmap::name(h.operation());
  detail.request_id = h.request_id();
  detail.remote_stag = h.remote_stag();
  detail.remote_to = h.remote_to();
  detail.data = h.data();
  detail.mask = h.mask();
  detail.compare = h.compare();
  detail.compare_mask = h.compare_mask();
  record->detail = detail;
}

/// Fills in what the header says. Fails (false) when it cannot be read; of a tagged message it may be anywhere.
bool read_request(const OpenMessage& open, Request& request, MessageRecord* record) {
  if (open.tagged) return false;
  if (open.opcode == rdmap::Opcode::rdma_read_request) {
    const auto header = parse<rdmap::ReadRequestHeader>(open.header);
    if (header) read(*header, request, record);
    return header.has_value();
  }
  const auto header = parse<rdmap::AtomicRequestHeader>(open.header);
  if (header) read(*header, request, record);
  return header.has_value();
}

}  // namespace

/// The message that begins with this DDP segment.
std::unique_ptr<OpenMessage> Half::open_message(const ddp::Segment& segment) {
  std::unique_ptr<OpenMessage> open = fresh(common_.env.spare_messages);
  open->message = segment.message;
  open->opcode = rdmap::opcode_of(segment.rdmap_control);
  open->first = segment.carrier;
  open->placed_time = segment.carrier.placed_time;
  open->delivered_time = segment.carrier.delivered_time;
  open->last_frame = segment.carrier.last_frame;
  open->tagged = segment.tagged;
  open->intact = segment.carrier.intact;
  open->stag = segment.stag;
  open->to = segment.to;
  open->qn = segment.qn;
  open->msn = segment.msn;
  open->invalidate_stag = segment.reserved_ulp;
  open->rdmap_control = segment.rdmap_control;
  open->payload_length = segment.payload_length;
  const bool keeps_header = rdmap::header_octets(open->opcode) != 0;
  if (keeps_header) {
    const Octets kept = segment.payload.first(std::min(segment.payload.size(), OpenMessage::kHeaderOctets));
    open->header.assign(kept.begin(), kept.end());
  }
  if (common_.env.digest) {
    if (open->digest == nullptr) open->digest = std::make_unique<Digest>();
    open->digest->begin();
  }
  return open;
}

void Half::begin_message(const ddp::Segment& segment) {
  expire_early();
  other_->expire_early();
  std::unique_ptr<OpenMessage> open = open_message(segment);
  ++count_of(open->opcode).messages;
  last_message_ = {segment.carrier.first_frame, segment.carrier.first_time};
  last_opcode_ = open->opcode;
  if (open->intact) judge_headers(*open, segment);
  const bool first = !first_message_seen_;
  first_message_seen_ = true;
  if (first && open->intact && gapless_) judge_first_message(*this, *open, segment);
  const bool request =
      open->opcode == rdmap::Opcode::rdma_read_request || open->opcode == rdmap::Opcode::atomic_request;
  // What is not in one untagged DDP segment is malformed: the responder may refuse it or answer it all the same.
  if (request && (!segment.last || segment.tagged)) requests_certain_ = false;
  if (open->opcode == rdmap::Opcode::rdma_read_response) read_response_begins(*open, segment);
  if (open->opcode == rdmap::Opcode::atomic_response) atomic_response_begins(*open, segment);
  open_.push_back(std::move(open));
}

/// The rules of RDMAP for each message, and what the first and those behind a Terminate tell.
void Half::judge_headers(const OpenMessage& open, const ddp::Segment& segment) {
  const unsigned version = segment.rdmap_control >> 6;
  if (version <= kHighestRdmapVersion) rdmap_version_ = static_cast<std::uint8_t>(version);
  // Only the Reply settles the version. Source: RFC 5044 App. C.1.
  const bool settled = common_.agreement && common_.startup_reply != nullptr;
  const std::optional<bool> rdmac = settled ? std::optional<bool>(common_.agreement->rdmac) : std::nullopt;
  rdmap::judge(segment, direction_,
               {.rdmac = rdmac, .terminate = terminate_context(), .after_terminate = terminate_seen_}, common_);
  if (!settled && !first_message_seen_) judge_ddp_versions(open, segment);
  if (!terminate_seen_) return;
  findings::Finding f = about(FindingId::rdmap_message_after_terminate, open);
  f.seen = rdmap::title(open.opcode);
  f.text = fmt::format("A message ({}) follows this side's Terminate.", f.seen);
  common_.raise(std::move(f));
}

/// DD-02, of the two directions; what changes within one is told below. `open` is the first message of this half.
void Half::judge_ddp_versions(const OpenMessage& open, const ddp::Segment& segment) {
  const std::uint8_t ours = ddp::Control{segment.ddp_control}.version();
  const auto theirs = other_->ddp_version();
  if (ours > 1 || !theirs || ours == *theirs) return;
  findings::Finding f = about(FindingId::ddp_version_changed, open);
  f.seen = std::to_string(ours);
  f.expected = std::to_string(*theirs);
  f.text = fmt::format("This direction uses DDP version {}, the other direction version {}.", ours, *theirs);
  common_.raise(std::move(f));
}

/// Whether the capture may lack the response to this request, or show it earlier.
void Half::note_unseen_answers(const OpenMessage& open, Request& request) {
  // Its response was seen before it: the capture's ports were merged in another order.
  if (answered_ahead_ != 0) {
    // Where no request can have been missed, every one from now on may have been answered before it was seen.
    if (common_.midstream || !gapless_) --answered_ahead_;
    request.before_gap = true;
  }
  // The count does not show which request was answered: other responses may be missing.
  if (request.end <= rare().answered_to) request.before_gap = true;
  // Its sender had not yet received the octets that are missing: they may be its response, although the capture shows
  // the request later.
  const StreamOffset unseen = std::max(other_->rare().lost_to, common_.midstream ? kStreamOrigin : StreamOffset{});
  if (open.first.has_acknowledged && open.first.acknowledged < unseen) request.before_gap = true;
}

void Half::request_ended(OpenMessage& open, const ddp::MessageEnd& end, std::unique_ptr<MessageRecord> record) {
  Request request;
  request.message = open.message;
  request.msn = open.msn;
  request.frame = open.last_frame;
  request.time = open.placed_time;
  request.end = needed_end();
  const bool readable = read_request(open, request, record.get());
  if (request.atomic && end.complete) judge_identifier(open, request);
  // The receiver may act on what we cannot read: from now on nothing about responses is certain.
  if (!readable || !open.intact || !end.complete) {
    requests_certain_ = false;
    if (common_.observation != nullptr) common_.observation->gap(direction_);
  }
  if (!readable) {
    if (record != nullptr) common_.events.message(std::move(*record));
    return;
  }
  if (common_.midstream && request.msn.value == 1) first_request_seen_ = true;
  other_->forget_doubted(open.first);
  if (was_answered_early(open, request, record)) return;
  note_unseen_answers(open, request);
  if (common_.observation != nullptr) common_.observation->requested(direction_, request);
  if (merged_ahead_ != 0) {
    --merged_ahead_;
    if (record != nullptr) common_.events.message(std::move(*record));
    return;
  }
  request.record = std::move(record);
  if (!other_->is_captured()) outstanding_.mark_gap();  // all that were sent before may have been answered
  std::optional<Request> forgotten = outstanding_.add(std::move(request), common_.env.max_outstanding_requests);
  if (forgotten) {
    ++common_.env.requests_forgotten;
    requests_certain_ = false;
    if (forgotten->record != nullptr) common_.events.message(std::move(*forgotten->record));
  }
  count_request(open, open.placed_time);
}

/// AT-20.
void Half::judge_identifier(const OpenMessage& open, const Request& request) {
  for (std::size_t k = 0; k < outstanding_.size(); ++k) {
    const Request& before = outstanding_.at(k);
    if (!before.atomic || before.before_gap || before.request_id != request.request_id) continue;
    findings::Finding f = about(FindingId::rdmap_atomic_identifier_repeated, open);
    f.seen = std::to_string(request.request_id);
    f.frames = {before.frame, open.last_frame};
    f.text = fmt::format("Identifier {} is already used by the outstanding Atomic Request of frame {}.",
                         request.request_id, before.frame.value);
    common_.raise(std::move(f));
    return;
  }
}

std::optional<std::uint64_t> Half::original_of(const OpenMessage& open) noexcept {
  const auto header = parse<rdmap::AtomicResponseHeader>(open.header);
  return header ? std::optional(header->original()) : std::nullopt;
}

/// RM-12, of another length than was asked for. `open` answers `request`.
void Half::judge_length(const OpenMessage& open, const ddp::MessageEnd& end, const Request& request) {
  note_unfit(open);
  if (!end.complete || request.size == 0 || (!open.answer_certain && !open.answer_doubted)) return;
  findings::Finding f = about(FindingId::rdmap_read_response_length_wrong, open);
  f.seen = std::to_string(end.length);
  f.expected = std::to_string(request.size);
  f.frames = {request.frame, open.last_frame};
  f.text = fmt::format("The Read Response has {} octets; the Read Request asked for {}.", end.length, request.size);
  if (open.answer_certain) return common_.raise(std::move(f));
  keep_doubted(std::move(f));
}

void Half::response_ended(OpenMessage& open, const ddp::MessageEnd& end, std::unique_ptr<MessageRecord>& record) {
  if (!open.answers) {
    if (other_->credit_ != nullptr) other_->credit_->doubt();
    fill_response_detail(open, nullptr, record.get());
    (void)early_ended(open, end, record);
    return;
  }
  std::optional<Request> request = other_->outstanding_.take(*open.answers);
  if (!request) {
    fill_response_detail(open, nullptr, record.get());
    return;
  }
  count_response(open, *request);
  if (open.begins_inside && open.answer_certain && open.to != request->sink_to) {
    note_unfit(open);
    common_.raise(wrong_sink_to(open, *request));
  }
  if (!request->atomic && end.length != request->size) judge_length(open, end, *request);
  fill_response_detail(open, &*request, record.get());
  if (common_.observation != nullptr) {
    const std::optional<std::uint64_t> original = request->atomic ? original_of(open) : std::nullopt;
    common_.observation->answered(*request, open.facts(direction_), end, open.answer_certain, original);
  }
  if (request->record == nullptr) return;
  if (auto* read = std::get_if<ReadRequestDetail>(&request->record->detail)) read->response = link(open, *request);
  if (auto* atomic = std::get_if<AtomicRequestDetail>(&request->record->detail))
    atomic->response = link(open, *request);
  common_.events.message(std::move(*request->record));
}

void Half::fill_response_detail(const OpenMessage& open, const Request* request, MessageRecord* record) const {
  if (record == nullptr) return;
  const std::optional<std::uint64_t> index =
      request != nullptr ? std::optional<std::uint64_t>(request->message) : std::nullopt;
  if (open.opcode == rdmap::Opcode::rdma_read_response) {
    record->detail = ReadResponseDetail{index};
    return;
  }
  const auto header = parse<rdmap::AtomicResponseHeader>(open.header);
  if (!header) return;
  AtomicResponseDetail detail;
  detail.request_index = index;
  detail.request_id = header->request_id();
  detail.original = header->original();
  if (request != nullptr) {
    detail.result = rdmap::result(request->operation, header->original(), request->data, request->mask,
                                  request->compare, request->compare_mask);
  }
  record->detail = detail;
}

void Half::terminate_ended(OpenMessage& open, MessageRecord* record) {
  common_.move(Event::terminate);
  other_->settle_early();  // all requests that this end sent are here
  other_->settle_doubted();
  if (other_->ddp_) other_->ddp_->refused();
  const bool first = !terminate_seen_;
  terminate_seen_ = terminate_seen_ || open.intact;  // a damaged one may be something else
  if (!common_.first_terminate) common_.first_terminate = direction_;
  const auto decoded = rdmap::Terminate::parse(open.header, open.payload_length, terminate_context());
  const auto* parsed = std::get_if<rdmap::Terminate>(&decoded);
  if (parsed == nullptr) {
    if (open.intact) tell_unreadable_terminate(open);
    return;
  }
  const rdmap::Terminate& terminate = *parsed;
  std::optional<std::uint64_t> names;
  if (!terminate.ddp_header.empty()) names = other_->find_terminated(terminate);
  if (first && open.intact) {
    make_rare().reported = names;
    remember_terminate(open, terminate, names);
  }
  if (common_.observation != nullptr) common_.observation->terminated(open.facts(direction_), terminate, names);
  if (open.intact) tell_terminate(open, terminate, names);
  if (first && open.intact) {
    judge_terminate(*this, open, terminate);
    judge_terminate_history(*this, open, terminate, names);
  }
  if (record == nullptr) return;
  TerminateDetail detail;
  detail.layer = terminate.layer;
  detail.error_type = terminate.error_type;
  detail.error_code = terminate.error_code;
  detail.name = rdmap::error_name(terminate.layer, terminate.error_type, terminate.error_code);
  if (names) detail.names = NamedMessage{opposite(direction_), *names};
  detail.dialect = rdmap::name(terminate.dialect);
  if (terminate.ddp_segment_length) detail.terminated_length = *terminate.ddp_segment_length;
  detail.terminated_ddp.assign(terminate.ddp_header.begin(), terminate.ddp_header.end());
  detail.terminated_rdmap.assign(terminate.rdmap_header.begin(), terminate.rdmap_header.end());
  record->detail = std::move(detail);
}

std::unique_ptr<MessageRecord> Half::make_record(const OpenMessage& open, const ddp::MessageEnd& end) const {
  auto r = std::make_unique<MessageRecord>();
  r->direction = direction_;
  r->index = open.message;
  r->opcode = open.opcode;
  r->first_frame = open.first.first_frame;
  r->last_frame = open.last_frame;
  r->first_time = open.first.first_time;
  r->placed_time = open.placed_time;
  r->delivered_time = open.delivered_time;
  r->ddp_segments = end.ddp_segments;
  r->length = end.length;
  r->complete = end.complete;
  if (open.digest != nullptr && common_.env.digest && end.complete && open.digest_in_order)
    r->sha256 = open.digest->end();
  r->tagged = open.tagged;
  r->stag = open.stag;
  r->to = open.to;
  r->qn = open.qn;
  r->msn = open.msn;
  if (!open.tagged && rdmap::traits(open.opcode).invalidates) r->invalidate_stag = STag{open.invalidate_stag};
  return r;
}

}  // namespace iwarpscope::qp
