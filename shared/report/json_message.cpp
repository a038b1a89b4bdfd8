// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The "message" record.
#include <optional>
#include <variant>

#include "report/json.h"
#include "report/json_writer.h"

namespace iwarpscope::report {
namespace {

using rdmap::Kind;

/// A member of a detail that may be missing (a header cut short): its value or null.
template <class Detail, class T>
void member(JsonWriter& json, std::string_view key, const Detail* detail, T Detail::*field) {
  detail != nullptr ? json.field(key, detail->*field) : json.null(key);
}

/// The same for 64-bit words, written in hexadecimal.
template <class Detail>
void word(JsonWriter& json, std::string_view key, const Detail* detail, std::uint64_t Detail::*field) {
  detail != nullptr ? json.word(key, detail->*field) : json.null(key);
}

void response(JsonWriter& json, const std::optional<qp::ResponseLink>& link) {
  if (!link) return json.null("response");
  json.open("response");
  json.field("index", link->index);
  json.field("first_octet_ns", link->first_octet_ns);
  json.field("last_octet_ns", link->last_octet_ns);
  json.close();
}

void read_request(JsonWriter& json, const qp::MessageRecord& record) {
  using Detail = qp::ReadRequestDetail;
  const auto* detail = std::get_if<Detail>(&record.detail);
  member(json, "sink_stag", detail, &Detail::sink_stag);
  member(json, "sink_to", detail, &Detail::sink_to);
  member(json, "size", detail, &Detail::size);
  member(json, "source_stag", detail, &Detail::source_stag);
  member(json, "source_to", detail, &Detail::source_to);
  response(json, detail != nullptr ? detail->response : std::nullopt);
}

void read_response(JsonWriter& json, const qp::MessageRecord& record) {
  using Detail = qp::ReadResponseDetail;
  member(json, "request_index", std::get_if<Detail>(&record.detail), &Detail::request_index);
}

void atomic_request(JsonWriter& json, const qp::MessageRecord& record) {
  using Detail = qp::AtomicRequestDetail;
  const auto* detail = std::get_if<Detail>(&record.detail);
  member(json, "operation", detail, &Detail::operation);
  member(json, "request_id", detail, &Detail::request_id);
  member(json, "remote_stag", detail, &Detail::remote_stag);
  member(json, "remote_to", detail, &Detail::remote_to);
  word(json, "data", detail, &Detail::data);
  word(json, "mask", detail, &Detail::mask);
  word(json, "compare", detail, &Detail::compare);
  word(json, "compare_mask", detail, &Detail::compare_mask);
  response(json, detail != nullptr ? detail->response : std::nullopt);
}

void atomic_response(JsonWriter& json, const qp::MessageRecord& record) {
  using Detail = qp::AtomicResponseDetail;
  const auto* detail = std::get_if<Detail>(&record.detail);
  member(json, "request_index", detail, &Detail::request_index);
  member(json, "request_id", detail, &Detail::request_id);
  word(json, "original", detail, &Detail::original);
  detail != nullptr && detail->result ? json.word("result", *detail->result) : json.null("result");
  member(json, "verdict", detail, &Detail::verdict);
}

void immediate(JsonWriter& json, const qp::MessageRecord& record) {
  word(json, "immediate", std::get_if<qp::ImmediateDetail>(&record.detail), &qp::ImmediateDetail::data);
}

void terminate(JsonWriter& json, const qp::MessageRecord& record) {
  using Detail = qp::TerminateDetail;
  const auto* detail = std::get_if<Detail>(&record.detail);
  member(json, "layer", detail, &Detail::layer);
  member(json, "error_type", detail, &Detail::error_type);
  member(json, "error_code", detail, &Detail::error_code);
  detail != nullptr ? json.string("name", detail->name) : json.null("name");
  if (detail != nullptr && detail->names) {
    json.open("names");
    json.field("direction", detail->names->direction);
    json.field("index", detail->names->index);
    json.close();
  } else {
    json.null("names");
  }
  member(json, "dialect", detail, &Detail::dialect);
  member(json, "terminated_length", detail, &Detail::terminated_length);
  json.octets_or_null("terminated_ddp", detail != nullptr ? Octets{detail->terminated_ddp} : Octets{});
  json.octets_or_null("terminated_rdmap", detail != nullptr ? Octets{detail->terminated_rdmap} : Octets{});
}

void by_opcode(JsonWriter& json, const qp::MessageRecord& record) {
  switch (rdmap::kind(record.opcode)) {
    case Kind::read_request: return read_request(json, record);
    case Kind::read_response: return read_response(json, record);
    case Kind::atomic_request: return atomic_request(json, record);
    case Kind::atomic_response: return atomic_response(json, record);
    case Kind::immediate: return immediate(json, record);
    case Kind::terminate: return terminate(json, record);
    case Kind::write:
    case Kind::send:
    case Kind::unknown: return;
  }
}

/// What a message that is not complete has no time for is null.
std::optional<TimePoint> when(bool complete, TimePoint time) {
  return complete ? std::optional{time} : std::nullopt;
}

void common(JsonWriter& json, const qp::MessageRecord& record, const JsonOptions& options) {
  json.field("record", std::string_view{"message"});
  json.field("qp", record.qp);
  json.field("direction", record.direction);
  json.field("index", record.index);
  json.field("opcode", rdmap::name(record.opcode));
  json.field("first_frame", record.first_frame);
  json.field("last_frame", record.last_frame);
  json.field("first_time", record.first_time);
  json.field("placed_time", when(record.complete, record.placed_time));
  json.field("delivered_time", when(record.complete, record.delivered_time));
  json.field("ddp_segments", record.ddp_segments);
  json.field("length", record.length);
  json.field("complete", record.complete);
  if (record.sha256) {
    json.octets("sha256", *record.sha256);
  } else if (options.digest) {
    json.null("sha256");
  }
}

}  // namespace

void append_json(std::string& out, const qp::MessageRecord& record, const JsonOptions& options) {
  JsonWriter json(out);
  json.open();
  common(json, record, options);
  if (record.tagged) {
    json.field("stag", record.stag);
    json.field("to", record.to);
  } else {
    json.field("qn", record.qn);
    json.field("msn", record.msn);
  }
  if (record.invalidate_stag) json.field("invalidate_stag", *record.invalidate_stag);
  by_opcode(json, record);
  json.end();
}

}  // namespace iwarpscope::report
