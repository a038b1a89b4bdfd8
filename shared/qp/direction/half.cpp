// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "qp/direction/half.h"

#include <fmt/format.h>

#include <optional>
#include <utility>

#include "base/wording.h"
#include "ddp/header.h"
#include "qp/direction/rtr.h"
#include "qp/direction/terminate_rules.h"
#include "rdmap/judge.h"

namespace iwarpscope::qp {

using findings::FindingId;

namespace {

constexpr unsigned kHighestRdmapVersion = 1;  // RFC 5040 §4.1, RFC 5044 App. C

/// A Read Response that begins at the sink that its request names and has as many octets as were asked for: nothing
/// came before, even if it is the first that the capture holds.
bool is_as_requested(const OpenMessage& open, const ddp::MessageEnd& end) noexcept {
  return open.opcode == rdmap::Opcode::rdma_read_response && open.tagged && open.answers && end.complete_if_first &&
         end.length == open.expected_size;
}

}  // namespace

Half::Half(Direction direction, Common& common, Exchange& exchange)
    : common_(common), exchange_(exchange), messages_(direction, common.env, *this), direction_(direction) {}

void Half::connect(Half& other, const Llp& llp) noexcept {
  other_ = &other;
  own_coverage().attach(llp);
}

void Half::begin(std::optional<std::uint8_t> version, bool whole) {
  messages_.begin(version, common_);
  if (!whole) own_coverage().begins_midstream();
}

void Half::missing(StreamOffset end, tcp::Missing reason) {
  own_coverage().missing(end);
  if (reason != tcp::Missing::snap_length) lost_octets();
}

void Half::bad_crc(FrameNumber frame, StreamOffset offset) {
  exchange_.doubt_responses(direction_);  // it may be a response that cannot be known as one
  own_coverage().bad_crc(frame, offset);
}

void Half::lost_octets() {
  own_coverage().lost();
  exchange_.lost(direction_);
  if (common_.observation != nullptr) common_.observation->gap(direction_);
}

void Half::message_begins(OpenMessage& open, const ddp::Segment& segment) {
  exchange_.message_begins(direction_);
  if (open.intact) judge_headers(open, segment);
  const bool first = !first_message_seen_;
  first_message_seen_ = true;
  if (first && open.intact && coverage().is_gapless()) {
    judge_first_message({direction_, open, segment, terminate_context()}, common_);
  }
  if (rdmap::is_request(open.opcode)) exchange_.request_begins(direction_, segment);
  if (rdmap::is_response(open.opcode)) exchange_.response_begins(direction_, open, segment);
}

void Half::segment_taken(const OpenMessage& open, const ddp::Segment& segment) {
  if (common_.observation != nullptr) common_.observation->segment(open.facts(direction_), segment);
}

void Half::message_ends(OpenMessage& open, const ddp::MessageEnd& given) {
  ddp::MessageEnd end = given;
  if (is_as_requested(open, given)) end.complete = end.length_certain = true;
  if (!end.complete) ++incomplete_;
  if (common_.observation != nullptr) common_.observation->message_ended(open.facts(direction_), end);
  const bool recorded = common_.env.messages ||
                        (common_.env.atomic_results && open.opcode == rdmap::Opcode::atomic_response) ||
                        (common_.env.requests && rdmap::is_request(open.opcode));
  std::unique_ptr<MessageRecord> record = recorded ? make_record(open, direction_, end, common_.env.digest) : nullptr;
  switch (rdmap::kind(open.opcode)) {
    case rdmap::Kind::read_request:
    case rdmap::Kind::atomic_request: return exchange_.request_ended(direction_, open, end, std::move(record));
    case rdmap::Kind::read_response:
    case rdmap::Kind::atomic_response: exchange_.response_ended(direction_, open, end, record); break;
    case rdmap::Kind::terminate: terminate_ended(open, record.get()); break;
    case rdmap::Kind::immediate:
      if (record != nullptr && open.header.size() >= 8) {
        record->detail = ImmediateDetail{load_be<std::uint64_t>(open.header)};
      }
      break;
    case rdmap::Kind::write:
    case rdmap::Kind::send:
    case rdmap::Kind::unknown: break;
  }
  if (record != nullptr) common_.events.message(std::move(*record));
}

/// The rules of RDMAP for each message, and what the first and those after a Terminate show.
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
  findings::Finding f = finding_about(FindingId::rdmap_message_after_terminate, direction_, open);
  f.seen = rdmap::title(open.opcode);
  f.text = fmt::format("A message ({}) follows this side's Terminate.", f.seen);
  common_.raise(std::move(f));
}

/// DD-02, of the two directions; DDP finds what changes within one. `open` is the first message of this half.
void Half::judge_ddp_versions(const OpenMessage& open, const ddp::Segment& segment) {
  const std::uint8_t ours = ddp::Control{segment.ddp_control}.version();
  const auto theirs = other_->messages().ddp_version();
  if (ours > 1 || !theirs || ours == *theirs) return;
  findings::Finding f = finding_about(FindingId::ddp_version_changed, direction_, open);
  f.seen = std::to_string(ours);
  f.expected = std::to_string(*theirs);
  f.text = fmt::format("This direction uses DDP version {}, the other direction version {}.", ours, *theirs);
  common_.raise(std::move(f));
}

void Half::terminate_ended(const OpenMessage& open, MessageRecord* record) {
  common_.move(Event::terminate);
  exchange_.settle_early(opposite(direction_));  // all requests that this end sent are here
  exchange_.settle_doubted(opposite(direction_));
  other_->refused();
  const bool first = !terminate_seen_;
  terminate_seen_ = terminate_seen_ || open.intact;  // a damaged one may be something else
  if (!common_.first_terminate) common_.first_terminate = direction_;
  const auto decoded = rdmap::Terminate::parse(open.header, open.payload_length, terminate_context());
  const auto* const parsed = std::get_if<rdmap::Terminate>(&decoded);
  if (parsed == nullptr) {
    if (open.intact) common_.raise(unreadable_terminate(direction_, open));
    return;
  }
  TerminateView view{common_, exchange_, messages_, other_->messages(), direction_, open, *parsed};
  if (!parsed->ddp_header.empty()) {
    view.names = find_terminated(*parsed, view.other.history(), view.named_requests());
  }
  if (first && open.intact) {
    exchange_.terminated(direction_, view.names);
    terminate_ = std::make_unique<TerminateSummary>(terminate_summary(view));
  }
  if (common_.observation != nullptr) common_.observation->terminated(open.facts(direction_), *parsed, view.names);
  if (open.intact) common_.raise(terminate_sent(view));
  if (first && open.intact) {
    if (answers_bad_crc(view)) other_coverage().explain_bad_crc();
    judge_terminate(view, common_);
    judge_terminate_history(view, common_);
  }
  if (record != nullptr) record->detail = terminate_detail(view);
}

rdmap::TerminateContext Half::terminate_context() const noexcept {
  rdmap::TerminateContext context;
  context.is_rtr_type_missing = is_rtr_missing(common_);
  if (other_coverage().is_gapless() && !common_.midstream) context.peer_has_sent = other_->messages().messages() > 0;
  return context;
}

bool Half::ending() {
  if (!own_coverage().end()) return false;
  ended_inside_message_ = messages_.oldest_open() != nullptr;
  return true;
}

/// MF-19, at the end.
void Half::report_crc_reaction() {
  if (!coverage().has_bad_crc() || !own_coverage().explain_bad_crc()) return;
  const Coverage::BadCrc bad = coverage().first_bad_crc();
  findings::Finding f;
  f.id = FindingId::mpa_crc_mismatch_reaction;
  f.direction = direction_;
  f.offset = bad.offset;
  f.frames = {bad.frame, common_.frame};
  f.broken_in = bad.frame;
  const std::string which = fmt::format("The FPDU of frame {} (bad CRC) was followed by ", bad.frame.value);
  const bool sent_again = coverage().llp().was_sent_again();
  if (other_->has_terminated()) {
    f.text = which + "a Terminate that names another error.";
  } else if (common_.no_crcs[index(direction_)] && !sent_again) {
    f.text = which + "neither a Terminate nor a retransmission. The receiver does not check the CRC.";
  } else if (sent_again) {
    f.text =
        which +
        "no Terminate. Octets of this direction were sent again, as after a TCP segment that the receiver dropped.";
  } else {
    f.text =
        which + "neither a Terminate nor a retransmission. The octets may have been right where they were received.";
  }
  common_.raise(std::move(f));
}

void Half::settle(bool closed) {
  report_crc_reaction();
  exchange_.settle_requests(direction_, closed);
}

DirectionRecord Half::record() const {
  DirectionRecord r;
  coverage().llp().fill(r);
  r.ddp_segments = messages_.ddp_segments();
  for (const OpcodeCount& c : messages_.counts()) {
    r.messages[static_cast<std::size_t>(c.opcode)] = c.messages;
    r.payload_octets[static_cast<std::size_t>(c.opcode)] = c.payload_octets;
  }
  r.captured = coverage().is_captured();
  exchange_.fill(direction_, r);
  r.incomplete_messages = incomplete_;
  return r;
}

void Half::fill(DirectionSummary& summary) const {
  summary.last_message = messages_.last_message();
  summary.last_opcode = messages_.last_opcode();
  if (coverage().ended_inside_fpdu()) summary.inside_fpdu = coverage().unfinished();
  summary.inside_message = ended_inside_message_;
  summary.framing_lost = coverage().is_framing_lost();
  summary.waiting = exchange_.waiting(direction_);
  if (terminate_ != nullptr) summary.terminate = *terminate_;
  summary.unfit_answer = exchange_.unfit(direction_).frame;
}

void Half::note_named_breach(const MessageBreach& breach) {
  if (terminate_ == nullptr || !terminate_->named) return;
  TerminateSummary::Named& named = *terminate_->named;
  if (named.has_place(breach.place) && named.breaches.size() < TerminateSummary::Named::kMostBreaches) {
    named.breaches.push_back(breach);
  }
}

std::string Half::unfinished() const {
  if (!coverage().is_open()) return {};
  if (const OpenMessage* const open = messages_.oldest_open(); open != nullptr) {
    return fmt::format("the message that begins in frame {} ({}) is not complete", open->first.first_frame.value,
                       rdmap::title(open->opcode));
  }
  if (coverage().pending_octets() != 0) {
    return fmt::format("an FPDU of which {} came is not complete", counted(coverage().pending_octets(), "octet"));
  }
  const Outstanding& waiting = exchange_.outstanding(direction_);
  if (waiting.empty() || waiting.certain() != waiting.size()) return {};
  return fmt::format("{} {} no whole response yet, the oldest in frame {}", counted(waiting.size(), "request"),
                     waiting.size() == 1 ? "has" : "have", waiting.front().frame.value);
}

}  // namespace iwarpscope::qp
