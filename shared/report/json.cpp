// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/json.h"

#include <utility>

#include "report/json_writer.h"

namespace iwarpscope::report {
namespace {

/// Short values of a finding: a finding without one has an empty string, a report says null.
void string_or_null(JsonWriter& json, std::string_view key, std::string_view text) {
  text.empty() ? json.null(key) : json.string(key, text);
}

/// The frames a finding rests on. None given: the deciding one, if there is one.
void frames(JsonWriter& json, const findings::Finding& finding) {
  json.open_list("frames");
  for (const FrameNumber frame : finding.frames) json.value(frame);
  if (finding.frames.empty() && finding.frame.value != 0) json.value(finding.frame);
  json.close_list();
}

/// No list where no receiver refuses it; an empty one where no error is usual.
void refused_with(JsonWriter& json, const findings::RefusedWith& refused) {
  if (refused.is_empty()) {
    json.null("refused_with");
    return;
  }
  json.open_list("refused_with");
  for (const findings::TerminateCode& code : refused.codes()) {
    json.open();
    json.field("layer", std::uint64_t{code.layer});
    json.field("error_type", std::uint64_t{code.error_type});
    json.field("error_code", std::uint64_t{code.error_code});
    json.close();
  }
  json.close_list();
}

}  // namespace

void append_json(std::string& out, const findings::Finding& finding) {
  const findings::Rule& rule = findings::rule(finding.id);
  const bool has_frame = finding.frame.value != 0;
  JsonWriter json(out);
  json.open();
  json.field("record", std::string_view{"finding"});
  json.field("id", rule.name);
  json.field("code", rule.code);
  json.field("severity", findings::name(rule.severity));
  json.field("about", findings::name(rule.about));
  json.field("qp", finding.qp);
  json.field("direction", finding.direction);
  json.field("index", finding.message);
  json.field("frame", has_frame ? std::optional{finding.frame} : std::nullopt);
  frames(json, finding);
  json.field("time", has_frame ? std::optional{finding.time} : std::nullopt);
  json.field("offset", finding.offset ? std::optional{relative(*finding.offset)} : std::nullopt);
  string_or_null(json, "seen", finding.seen);
  string_or_null(json, "expected", finding.expected);
  json.string("text", finding.text);
  json.string("reference", rule.reference);
  json.end();
}

void append_json(std::string& out, const analysis::CaptureRecord& record) {
  JsonWriter json(out);
  json.open();
  json.field("record", std::string_view{"capture"});
  json.field("format", kFormat);
  json.string("file", record.info.file);
  json.string("file_format", record.info.file_format);
  json.open_list("interfaces");
  for (const analysis::InterfaceInfo& interface : record.info.interfaces) {
    json.open();
    json.string("link_type", interface.link_type);
    json.field("snaplen", interface.snap_length);
    json.close();
  }
  json.close_list();
  json.field("frames", record.frames);
  json.field("octets", record.octets);
  json.field("first_time", record.first_time);
  json.field("last_time", record.last_time);
  json.field("truncated_frames", record.truncated_frames);
  json.field("ip_fragments", record.ip_fragments);
  json.field("mirror_duplicates", record.mirror_duplicates);
  json.field("undecoded_frames", record.undecoded_frames);
  json.field("connections_refused", record.refused.count);
  json.field("connections_unanswered", record.unanswered.count);
  json.field("truncated_file", record.info.truncated_file);
  using Why = analysis::ReadingStopped::Why;
  const std::optional<analysis::ReadingStopped>& stopped = record.info.stopped;
  json.field("damaged_at", stopped && stopped->why == Why::damaged ? std::optional{stopped->at} : std::nullopt);
  json.field("interrupted", stopped && stopped->why == Why::interrupted);
  json.end();
}

void append_json(std::string& out, const analysis::SummaryRecord& record, const NotListed& not_listed) {
  JsonWriter json(out);
  json.open();
  json.field("record", std::string_view{"summary"});
  json.field("qps", record.qps);
  json.field("messages", record.messages);
  json.field("errors", record.errors);
  json.field("warnings", record.warnings);
  json.field("notes", record.notes);
  json.open("findings");
  for (const auto& [rule, count] : record.findings) json.field(rule, count);
  json.close();
  json.field("findings_not_listed", record.findings_suppressed + not_listed.findings);
  json.field("qps_not_listed", not_listed.qps);
  json.field("elapsed_ns", record.elapsed_ns);
  json.end();
}

void append_json(std::string& out, const findings::Rule& rule) {
  JsonWriter json(out);
  json.open();
  json.field("record", std::string_view{"rule"});
  json.field("id", rule.name);
  json.field("code", rule.code);
  json.string("family", findings::family(rule).title);
  json.field("severity", findings::name(rule.severity));
  json.field("about", findings::name(rule.about));
  json.field("repeat", findings::name(rule.repeat));
  json.string("reference", rule.reference);
  json.string("what", rule.what);
  json.string("why", rule.why);
  json.string("next", rule.next);
  json.field("explains", findings::name(rule.explains));
  refused_with(json, rule.refused_with);
  json.end();
}

std::string json_string(std::string_view text) {
  std::string out;
  JsonWriter(out).text(text);
  return out;
}

JsonObserver::JsonObserver(Sink sink, JsonOptions options) : sink_(std::move(sink)), options_(options) {}

void JsonObserver::pass_on(std::size_t at_least) {
  if (buffer_.size() < at_least) return;
  sink_(buffer_);
  buffer_.clear();
}

void JsonObserver::message(const qp::MessageRecord& record) {
  append_json(buffer_, record, options_);
  pass_on(kSinkChunk);
}

void JsonObserver::finding(const findings::Finding& finding) {
  std::uint64_t& written = findings_[findings::rule(finding.id).severity];
  if (options_.limits.findings != 0 && written == options_.limits.findings) {
    ++not_listed_.findings;
    return;
  }
  ++written;
  append_json(buffer_, finding);
  pass_on(kSinkChunk);
}

void JsonObserver::capture(const analysis::CaptureRecord& record) {
  append_json(buffer_, record);
  pass_on(kSinkChunk);
}

void JsonObserver::qp(const qp::QpRecord& record) {
  if (!takes_qps()) return;
  ++qps_;
  append_json(buffer_, record, community_id(record, options_.community_id_seed));
  pass_on(kSinkChunk);
}

void JsonObserver::summary(const analysis::SummaryRecord& record) {
  not_listed_.qps = takes_qps() ? 0 : record.qps - qps_;
  append_json(buffer_, record, not_listed_);
  pass_on(1);
}

}  // namespace iwarpscope::report
