// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "qp/half.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/wording.h"
#include "qp/digest.h"

namespace iwarpscope::qp {
namespace {

/// A Read Response that begins at the sink that its request names and has as many octets as were asked for: nothing
/// came before, even if it is the first that the capture holds.
bool is_as_requested(const OpenMessage& open, const ddp::MessageEnd& end) noexcept {
  return open.opcode == rdmap::Opcode::rdma_read_response && open.tagged && open.answers && end.complete_if_first &&
         end.length == open.expected_size;
}

}  // namespace

Half::Half(Direction direction, Common& common) : common_(common), direction_(direction) {}
Half::~Half() = default;

void Half::join(Half& other, const Llp& llp) noexcept {
  other_ = &other;
  llp_ = &llp;
}

void Half::begin(std::optional<std::uint8_t> version, bool whole) {
  ddp_.emplace(direction_, *this, common_);
  if (!whole) gapless_ = false;
  if (version) ddp_->set_version(*version);
}

void Half::missing(StreamOffset end, tcp::Missing reason) {
  stream_end_ = end;
  octets_missing_ = true;
  if (reason != tcp::Missing::snap_length) lost_octets();
}

void Half::bad_crc(FrameNumber frame, StreamOffset offset) {
  other_->outstanding_.mark_gap();  // it may be a response that cannot be known as one
  if (rare().first_bad_crc_frame.value != 0) return;
  make_rare().first_bad_crc_frame = frame;
  make_rare().first_bad_crc_offset = offset;
}

void Half::undecodable(const ddp::Carrier&, Octets) {
  lost_octets();
}

void Half::lost_octets() {
  gapless_ = false;
  first_request_seen_ = false;
  merged_ahead_ = 0;
  make_rare().lost_to = std::max(rare().lost_to, stream_end_);
  other_->outstanding_.mark_gap();
  if (common_.observation != nullptr) common_.observation->gap(direction_);
}

void Half::segment(const ddp::Segment& segment) {
  ++ddp_segments_;
  if (segment.first_of_message) begin_message(segment);
  OpenMessage* open = find_open(segment.message);
  if (open == nullptr) return;
  open->last_frame = std::max(open->last_frame, segment.carrier.last_frame);
  open->placed_time = std::max(open->placed_time, segment.carrier.placed_time);
  open->delivered_time = std::max(open->delivered_time, segment.carrier.delivered_time);
  if (rdmap::traits(open->opcode).has_payload) {
    count_of(open->opcode).payload_octets += segment.payload_length;
  }
  if (open->digest != nullptr && !segment.payload.empty()) {
    const std::uint64_t at = segment.tagged ? segment.to.value - open->to.value : segment.mo.value;
    open->digest_in_order = open->digest_in_order && at == open->digested;
    open->digested += segment.payload.size();
    open->digest->add(segment.payload);
  }
  if (segment.tagged && segment.payload_length != 0) open->to = std::min(open->to, segment.to);
  history_.add(segment);
  if (common_.observation != nullptr) common_.observation->segment(open->facts(direction_), segment);
}

void Half::message_ended(const ddp::MessageEnd& given) {
  const auto it = std::find_if(open_.begin(), open_.end(), [&](const auto& o) { return o->message == given.message; });
  if (it == open_.end()) return;
  std::unique_ptr<OpenMessage> open = std::move(*it);
  open_.erase(it);
  std::optional<ddp::MessageEnd> whole;
  if (is_as_requested(*open, given)) {
    whole = given;
    whole->complete = whole->length_certain = true;
  }
  const ddp::MessageEnd& end = whole ? *whole : given;
  if (!end.complete) ++incomplete_;
  if (common_.observation != nullptr) common_.observation->message_ended(open->facts(direction_), end);
  const bool recorded =
      common_.env.messages || (common_.env.atomic_results && open->opcode == rdmap::Opcode::atomic_response);
  std::unique_ptr<MessageRecord> record = recorded ? make_record(*open, end) : nullptr;
  switch (open->opcode) {
    case rdmap::Opcode::rdma_read_request:
    case rdmap::Opcode::atomic_request: request_ended(*open, end, std::exchange(record, nullptr)); break;
    case rdmap::Opcode::rdma_read_response:
    case rdmap::Opcode::atomic_response: response_ended(*open, end, record); break;
    case rdmap::Opcode::terminate: terminate_ended(*open, record.get()); break;
    case rdmap::Opcode::immediate:
    case rdmap::Opcode::immediate_se:
      if (record != nullptr && open->header.size() >= 8) {
        record->detail = ImmediateDetail{load_be<std::uint64_t>(open->header)};
      }
      break;
    case rdmap::Opcode::rdma_write:
    case rdmap::Opcode::send:
    case rdmap::Opcode::send_invalidate:
    case rdmap::Opcode::send_se:
    case rdmap::Opcode::send_se_invalidate:
    case rdmap::Opcode::unknown: break;
  }
  if (record != nullptr) common_.events.message(std::move(*record));
  common_.env.spare_messages.push_back(std::move(open));
}

bool Half::ending() {
  if (ended_) return false;
  ended_ = true;
  ended_inside_fpdu_ = llp_->pending_octets() != 0;
  ended_inside_message_ = !open_.empty();
  return true;
}

void Half::tell_crc_reaction() {
  if (rare().first_bad_crc_frame.value == 0 || bad_crc_explained_) return;
  bad_crc_explained_ = true;
  findings::Finding f;
  f.id = findings::FindingId::mpa_crc_mismatch_reaction;
  f.direction = direction_;
  f.offset = rare().first_bad_crc_offset;
  f.frames = {rare().first_bad_crc_frame, common_.frame};
  const std::string which =
      "The FPDU of frame " + std::to_string(rare().first_bad_crc_frame.value) + " (bad CRC) was followed by ";
  if (other_->terminate_seen_) {
    f.text = which + "a Terminate that names another error.";
  } else if (common_.no_crcs[index(direction_)] && !llp_->was_sent_again()) {
    f.text = which + "neither a Terminate nor a retransmission: the receiver does not check the CRC.";
  } else if (llp_->was_sent_again()) {
    f.text =
        which +
        "no Terminate; octets of this direction were sent again, as after a TCP segment that the receiver dropped.";
  } else {
    f.text =
        which + "neither a Terminate nor a retransmission: the octets may have been right where they were received.";
  }
  common_.raise(std::move(f));
}

std::optional<WaitingStory> Half::waiting() const {
  if (outstanding_.empty() || outstanding_.at(0).before_gap || !other_->is_captured() ||
      other_->llp_->is_framing_lost()) {
    return rare().waiting;
  }
  const Request& oldest = outstanding_.at(0);
  return WaitingStory{outstanding_.size(), oldest.atomic, oldest.msn, {oldest.frame, oldest.time}};
}

void Half::settle_requests(bool closed) {
  tell_crc_reaction();
  if (closed) other_->settle_early();
  if (!other_->is_captured()) outstanding_.mark_gap();
  const bool certain = closed && !common_.first_terminate && other_->gapless_ && gapless_ && requests_certain_ &&
                       !common_.midstream && !common_.one_sided && other_->llp_->is_open() &&
                       other_->llp_->pending_octets() == 0 && !other_->ended_inside_fpdu_ && is_framed_to_its_end() &&
                       other_->is_framed_to_its_end();
  if (const auto now = waiting()) make_rare().waiting = now;
  if (credit_ != nullptr) credit_->ended(common_.time);
  if (!outstanding_.empty()) requests_certain_ = false;  // a response that was on its way may still pass the tap
  while (!outstanding_.empty()) {
    std::optional<Request> request = outstanding_.take(outstanding_.at(0).message);
    if (certain && !request->before_gap) {
      findings::Finding f;
      f.id = request->atomic ? findings::FindingId::rdmap_atomic_request_unanswered
                             : findings::FindingId::rdmap_read_request_unanswered;
      f.direction = direction_;
      f.message = request->message;
      f.frames = {request->frame};
      f.text = std::string("The stream ended without a Terminate and without a response to the ") +
               (request->atomic ? "Atomic Request" : "Read Request") + " with MSN " +
               std::to_string(request->msn.value) + " of frame " + std::to_string(request->frame.value) + ".";
      common_.raise(std::move(f));
    }
    if (request->record != nullptr) common_.events.message(std::move(*request->record));
  }
}

void Half::trim() {
  history_.trim();
  outstanding_.trim();
  if (credit_ != nullptr) credit_->trim();
  if (open_.empty()) open_.shrink_to_fit();
}

DirectionRecord Half::record() const {
  DirectionRecord r;
  llp_->fill(r);
  r.ddp_segments = ddp_segments_;
  for (const OpcodeCount& c : counts_) {
    r.messages[static_cast<std::size_t>(c.opcode)] = c.messages;
    r.payload_octets[static_cast<std::size_t>(c.opcode)] = c.payload_octets;
  }
  r.captured = is_captured();
  if (credit_ != nullptr) {
    r.max_outstanding_reads = credit_->most_at_tap();
    r.read_credit = credit_->record(read_limit(), common_.time);
  }
  r.incomplete_messages = incomplete_;
  return r;
}

std::optional<std::uint8_t> Half::ddp_version() const noexcept {
  return ddp_ ? ddp_->version() : std::nullopt;
}
std::uint64_t Half::messages() const noexcept {
  return ddp_ ? ddp_->messages() : 0;
}

const Half::Rare& Half::rare() const noexcept {
  static const Rare kNone{};
  return rare_ != nullptr ? *rare_ : kNone;
}

Half::Rare& Half::make_rare() {
  if (rare_ == nullptr) rare_ = std::make_unique<Rare>();
  return *rare_;
}

MessageFacts OpenMessage::facts(Direction direction) const noexcept {
  MessageFacts f;
  f.direction = direction;
  f.message = message;
  f.opcode = opcode;
  f.first_frame = first.first_frame;
  f.last_frame = last_frame;
  f.first_time = first.first_time;
  f.placed_time = placed_time;
  f.delivered_time = delivered_time;
  f.tagged = tagged;
  f.intact = intact;
  f.stag = stag;
  f.to = to;
  f.qn = qn;
  f.msn = msn;
  if (!tagged && rdmap::traits(opcode).invalidates) f.invalidates = STag{invalidate_stag};
  return f;
}

OpcodeCount& Half::count_of(rdmap::Opcode opcode) {
  for (OpcodeCount& c : counts_) {
    if (c.opcode == opcode) return c;
  }
  return counts_.emplace_back(OpcodeCount{opcode});
}

OpenMessage* Half::find_open(std::uint64_t message) noexcept {
  for (const auto& open : open_) {
    if (open->message == message) return open.get();
  }
  return nullptr;
}

rdmap::TerminateContext Half::terminate_context() const noexcept {
  rdmap::TerminateContext context;
  if (other_->gapless_ && !common_.midstream) context.peer_has_sent = other_->messages() > 0;
  return context;
}

findings::Finding Half::about(findings::FindingId id, const OpenMessage& open) const {
  findings::Finding f;
  f.id = id;
  f.direction = direction_;
  f.message = open.message;
  f.frame = open.last_frame;
  f.offset = open.first.offset;
  if (open.first.first_frame != open.last_frame) f.frames = {open.first.first_frame, open.last_frame};
  return f;
}

}  // namespace iwarpscope::qp
