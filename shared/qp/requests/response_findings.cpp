// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "qp/requests/response_findings.h"

#include <fmt/format.h>

#include <string>

namespace iwarpscope::qp {

using findings::Finding;
using findings::FindingId;

Finding response_unrequested(Direction d, const OpenMessage& open, const EarlyResponse& early) {
  const FindingId id =
      early.atomic ? FindingId::rdmap_atomic_response_unrequested : FindingId::rdmap_read_response_unrequested;
  Finding f = finding_about(id, d, open);
  const std::string which = early.atomic ? fmt::format("An Atomic Response with identifier {}", early.request_id)
                                         : fmt::format("A Read Response to STag 0x{:08x}", open.stag.value);
  f.seen = early.atomic ? std::to_string(early.request_id) : fmt::format("0x{:08x}", open.stag.value);
  f.text = fmt::format("{} begins, but its sender had received no {} Request that waits for a response.", which,
                       early.atomic ? "Atomic" : "Read");
  return f;
}

Finding wrong_sink(Direction d, const OpenMessage& open, const ddp::Segment& segment, const Request& request) {
  Finding f = finding_about(FindingId::rdmap_zero_length_read_response_wrong, d, open);
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
    return wrong_sink_to(d, open, request);
  }
  return f;
}

Finding wrong_sink_to(Direction d, const OpenMessage& open, const Request& request) {
  Finding f = finding_about(FindingId::rdmap_read_response_to_wrong, d, open);
  f.frames = {request.frame, open.last_frame};
  f.seen = fmt::format("0x{:016x}", open.to.value);
  f.expected = fmt::format("0x{:016x}", request.sink_to.value);
  f.text = fmt::format("The Read Response begins at TO {}; the oldest Read Request named {}.", f.seen, f.expected);
  return f;
}

Finding wrong_length(Direction d, const OpenMessage& open, std::uint64_t length, const Request& request) {
  Finding f = finding_about(FindingId::rdmap_read_response_length_wrong, d, open);
  f.seen = std::to_string(length);
  f.expected = std::to_string(request.size);
  f.frames = {request.frame, open.last_frame};
  f.text = fmt::format("The Read Response has {} octets; the Read Request asked for {}.", length, request.size);
  return f;
}

Finding out_of_order(Direction d, const OpenMessage& open, const Request& older, const Request& request) {
  Finding f = finding_about(FindingId::rdmap_responses_out_of_order, d, open);
  f.seen = std::to_string(request.msn.value);
  f.expected = std::to_string(older.msn.value);
  f.frames = {older.frame, request.frame, open.last_frame};
  f.text =
      fmt::format("This {} Response answers the request with MSN {}, but the older one with MSN {} is not answered.",
                  request.atomic ? "Atomic" : "Read", request.msn.value, older.msn.value);
  return f;
}

void describe_cause(Finding& f, const ddp::Carrier& response, const Request& request) {
  f.id = FindingId::rdmap_response_before_request;
  f.frames = {request.frame, response.first_frame};
  f.seen = std::to_string(relative(response.acknowledged));
  f.expected = fmt::format("at least {}", relative(request.end));
  f.text = fmt::format(
      "This {} Response was sent before its sender had received the whole request with MSN {}. The request ends at "
      "offset {}; the sender had received the other direction up to offset {}.",
      request.atomic ? "Atomic" : "Read", request.msn.value, relative(request.end), relative(response.acknowledged));
}

Finding answered_after_error(Direction d, const OpenMessage& open, std::uint64_t named, const Request& request) {
  Finding f = finding_about(FindingId::ddp_answered_after_error, d, open);
  f.frames = {request.frame, open.last_frame};
  f.text = fmt::format(
      "This side's Terminate named message {} of the other direction, but this side answers the later request with MSN "
      "{}.",
      named, request.msn.value);
  return f;
}

Finding wrong_identifier(Direction d, const OpenMessage& open, std::uint32_t identifier, const Request& request) {
  Finding f = finding_about(FindingId::rdmap_atomic_identifier_wrong, d, open);
  f.seen = std::to_string(identifier);
  f.expected = std::to_string(request.request_id);
  f.frames = {request.frame, open.last_frame};
  f.text = fmt::format("The Atomic Response echoes identifier {}; the oldest outstanding request has {}.", identifier,
                       request.request_id);
  return f;
}

Finding misaligned_answered(Direction d, const OpenMessage& open, const Request& request) {
  Finding f = finding_about(FindingId::rdmap_atomic_misaligned_answered, d, open);
  f.seen = fmt::format("0x{:016x}", request.source_to.value);
  f.expected = "Terminate 0/2/07";
  f.frames = {request.frame, open.last_frame};
  f.text = fmt::format("The Atomic Request named TO 0x{:016x}, which is not a multiple of 8, and was answered.",
                       request.source_to.value);
  return f;
}

Finding repeated_identifier(Direction d, const OpenMessage& open, const Request& before) {
  Finding f = finding_about(FindingId::rdmap_atomic_identifier_repeated, d, open);
  f.seen = std::to_string(before.request_id);
  f.frames = {before.frame, open.last_frame};
  f.text = fmt::format("Identifier {} is already used by the outstanding Atomic Request of frame {}.",
                       before.request_id, before.frame.value);
  return f;
}

Finding request_unanswered(Direction d, const Request& request) {
  Finding f;
  f.id = request.atomic ? FindingId::rdmap_atomic_request_unanswered : FindingId::rdmap_read_request_unanswered;
  f.direction = d;
  f.message = request.message;
  f.frames = {request.frame};
  f.text = fmt::format("The stream ended without a Terminate and without a response to the {} with MSN {} of frame {}.",
                       request.atomic ? "Atomic Request" : "Read Request", request.msn.value, request.frame.value);
  return f;
}

}  // namespace iwarpscope::qp
