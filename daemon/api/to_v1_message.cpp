// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Messages, findings and rules as messages of iwarpscope.v1.
#include <optional>
#include <string>
#include <variant>

#include "api/endpoint.h"
#include "api/enums.h"
#include "api/records.h"
#include "iwarpscope/v1/finding.pb.h"
#include "iwarpscope/v1/message.pb.h"
#include "report/utf8.h"

namespace iwarpscope::api {
namespace {

using V1Atomic = v1::Message::AtomicRequest;
using V1Answer = v1::Message::AtomicResponse;

template <class Range>
std::string octets(const Range& from) {
  return {reinterpret_cast<const char*>(from.data()), from.size()};
}

template <class Request>
void put(const std::optional<qp::ResponseLink>& link, Request& request) {
  if (!link) return;
  v1::Message::ResponseLink& out = *request.mutable_response();
  out.set_index(link->index);
  out.set_first_octet_ns(link->first_octet_ns);
  out.set_last_octet_ns(link->last_octet_ns);
}

V1Atomic::Operation operation(std::string_view word) {
  if (word == "fetch_add") return V1Atomic::OPERATION_FETCH_ADD;
  if (word == "swap") return V1Atomic::OPERATION_SWAP;
  if (word == "cmp_swap") return V1Atomic::OPERATION_CMP_SWAP;
  return V1Atomic::OPERATION_UNKNOWN;
}

V1Answer::Verdict verdict(const std::optional<std::string_view>& word) {
  if (!word) return V1Answer::VERDICT_UNSPECIFIED;
  if (*word == "verified") return V1Answer::VERDICT_VERIFIED;
  if (*word == "first") return V1Answer::VERDICT_FIRST;
  if (*word == "inconsistent") return V1Answer::VERDICT_INCONSISTENT;
  return V1Answer::VERDICT_UNDECIDABLE;
}

void put_detail(const qp::ReadRequestDetail& in, v1::Message& message) {
  auto& out = *message.mutable_read_request();
  out.set_sink_stag(in.sink_stag.value);
  out.set_sink_to(in.sink_to.value);
  out.set_size(in.size);
  out.set_source_stag(in.source_stag.value);
  out.set_source_to(in.source_to.value);
  put(in.response, out);
}
void put_detail(const qp::ReadResponseDetail& in, v1::Message& message) {
  auto& out = *message.mutable_read_response();
  if (in.request_index) out.set_request_index(*in.request_index);
}
void put_detail(const qp::AtomicRequestDetail& in, v1::Message& message) {
  auto& out = *message.mutable_atomic_request();
  out.set_operation(operation(in.operation));
  out.set_request_id(in.request_id);
  out.set_remote_stag(in.remote_stag.value);
  out.set_remote_to(in.remote_to.value);
  out.set_data(in.data);
  out.set_mask(in.mask);
  out.set_compare(in.compare);
  out.set_compare_mask(in.compare_mask);
  put(in.response, out);
}
void put_detail(const qp::AtomicResponseDetail& in, v1::Message& message) {
  auto& out = *message.mutable_atomic_response();
  if (in.request_index) out.set_request_index(*in.request_index);
  out.set_request_id(in.request_id);
  out.set_original(in.original);
  if (in.result) out.set_result(*in.result);
  out.set_verdict(verdict(in.verdict));
}
void put_detail(const qp::ImmediateDetail& in, v1::Message& message) {
  message.mutable_immediate()->set_data(in.data);
}
void put_detail(const qp::TerminateDetail& in, v1::Message& message) {
  auto& out = *message.mutable_terminate();
  out.set_layer(in.layer);
  out.set_error_type(in.error_type);
  out.set_error_code(in.error_code);
  out.set_name(report::to_utf8(in.name));
  if (in.names) {
    out.mutable_names()->set_direction(enum_to_v1(in.names->direction));
    out.mutable_names()->set_index(in.names->index);
  }
  out.set_dialect(std::string{in.dialect});
  if (in.terminated_length) out.set_terminated_length(*in.terminated_length);
  out.set_terminated_ddp(octets(in.terminated_ddp));
  out.set_terminated_rdmap(octets(in.terminated_rdmap));
}
void put_detail(std::monostate, v1::Message&) {}

}  // namespace

void to_v1(const qp::MessageRecord& in, v1::Message& out) {
  out.set_qp(in.qp);
  out.set_direction(enum_to_v1(in.direction));
  out.set_index(in.index);
  out.set_opcode(enum_to_v1(in.opcode));
  out.set_first_frame(in.first_frame.value);
  out.set_last_frame(in.last_frame.value);
  out.set_first_time_ns(in.first_time.ns);
  if (in.complete) {
    out.set_placed_time_ns(in.placed_time.ns);
    out.set_delivered_time_ns(in.delivered_time.ns);
  }
  out.set_ddp_segments(in.ddp_segments);
  out.set_length(in.length);
  out.set_complete(in.complete);
  if (in.sha256) out.set_sha256(octets(*in.sha256));
  if (in.tagged) {
    out.mutable_tagged()->set_stag(in.stag.value);
    out.mutable_tagged()->set_to(in.to.value);
  } else {
    out.mutable_untagged()->set_qn(in.qn.value);
    out.mutable_untagged()->set_msn(in.msn.value);
  }
  if (in.invalidate_stag) out.set_invalidate_stag(in.invalidate_stag->value);
  std::visit([&](const auto& detail) { put_detail(detail, out); }, in.detail);
}

void to_v1(const qp::TransportEvent& in, v1::TransportEvent& out) {
  out.set_qp(in.qp);
  out.set_kind(enum_to_v1(in.kind));
  out.set_direction(enum_to_v1(in.direction));
  out.set_frame(in.frame.value);
  out.set_time_ns(in.time.ns);
  out.set_octets(in.octets);
  if (in.offset) out.set_offset(relative(*in.offset));
}

void to_v1(const live::FindingView& view, v1::Finding& out) {
  const findings::Finding& in = view.finding;
  const findings::Rule& rule = findings::rule(in.id);
  out.set_sequence(view.sequence);
  out.set_rule(std::string{rule.name});
  out.set_code(std::string{rule.code});
  out.set_severity(enum_to_v1(rule.severity));
  out.set_about(enum_to_v1(rule.about));
  if (in.qp) out.set_qp(*in.qp);
  if (view.ends) {
    put(view.ends->first, *out.mutable_a());
    put(view.ends->second, *out.mutable_b());
  }
  if (in.direction) out.set_direction(enum_to_v1(*in.direction));
  if (in.message) out.set_message(*in.message);
  out.set_frame(in.frame.value);
  for (const FrameNumber frame : in.frames) out.add_frames(frame.value);
  out.set_time_ns(in.time.ns);
  if (view.began) out.set_began_time_ns(view.began->ns);
  if (in.offset) out.set_offset(relative(*in.offset));
  out.set_seen(report::to_utf8(in.seen));
  out.set_expected(report::to_utf8(in.expected));
  out.set_text(report::to_utf8(in.text));
  out.set_reference(std::string{rule.reference});
  to_v1(live::named(view), *out.mutable_name());
}

void to_v1(const findings::Rule& rule, v1::Rule& out) {
  out.set_rule(std::string{rule.name});
  out.set_code(std::string{rule.code});
  out.set_family(std::string{findings::family(rule).title});
  out.set_severity(enum_to_v1(rule.severity));
  out.set_about(enum_to_v1(rule.about));
  out.set_repeat(std::string{findings::name(rule.repeat)});
  out.set_reference(std::string{rule.reference});
  out.set_what(std::string{rule.what});
  out.set_why(std::string{rule.why});
  out.set_next(std::string{rule.next});
}

}  // namespace iwarpscope::api
