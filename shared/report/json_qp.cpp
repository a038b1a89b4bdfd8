// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The "qp" record.
#include <optional>
#include <string>
#include <string_view>

#include "analysis/first_trouble.h"
#include "emulation/advertised_limits.h"
#include "net/community_id.h"
#include "qp/direction_counters.h"
#include "report/json.h"
#include "report/json_writer.h"
#include "ulp/private_data.h"

namespace iwarpscope::report {
namespace {

std::string_view roles(qp::Roles roles) noexcept {
  switch (roles) {
    case qp::Roles::mpa: return "mpa";
    case qp::Roles::tcp: return "tcp";
    case qp::Roles::address: return "address";
  }
  return "address";
}

void startup_frame(JsonWriter& json, std::string_view key, const std::optional<mpa::StartupFrame>& frame) {
  if (!frame) return json.null(key);
  json.open(key);
  json.field("frame", frame->frame);
  const bool over_sctp = frame->function_code != 0;
  if (over_sctp) json.field("function_code", frame->function_code);
  json.field("rev", over_sctp ? std::nullopt : std::optional{frame->revision});
  json.field("markers", frame->markers);
  json.field("crc", frame->crc);
  json.field("rejected", frame->rejected);
  json.field("enhanced", frame->enhanced_flag);
  json.field("reserved", frame->reserved);
  json.field("private_data_length", frame->private_data_length);
  json.octets("private_data", frame->private_data);
  json.string("private_data_text", ulp::private_data_words(frame->private_data));
  const std::optional<mpa::EnhancedData>& depths = frame->enhanced ? frame->enhanced : frame->legacy;
  json.field("ird", depths ? std::optional{depths->ird} : std::nullopt);
  json.field("ord", depths ? std::optional{depths->ord} : std::nullopt);
  const std::optional<mpa::EnhancedData>& enhanced = frame->enhanced;
  json.field("peer_to_peer", enhanced ? std::optional{enhanced->peer_to_peer} : std::nullopt);
  json.field("rtr_send", enhanced ? std::optional{enhanced->rtr_send} : std::nullopt);
  json.field("rtr_write", enhanced ? std::optional{enhanced->rtr_write} : std::nullopt);
  json.field("rtr_read", enhanced ? std::optional{enhanced->rtr_read} : std::nullopt);
  json.close();
}

void ulp_limits(JsonWriter& json, const qp::QpRecord& record) {
  const auto limits = emulation::advertised_limits(record);
  if (!limits) return json.null("ulp_limits");
  json.open("ulp_limits");
  json.string("text", limits->sentence);
  json.field("compatible", limits->compatible);
  json.close();
}

void startup(JsonWriter& json, const std::optional<qp::StartupRecord>& record) {
  if (!record) return json.null("startup");
  json.open("startup");
  startup_frame(json, "request", record->request);
  startup_frame(json, "reply", record->reply);
  if (record->rtr) {
    json.open("rtr");
    json.field("kind", record->rtr->kind);
    json.field("frame", record->rtr->frame);
    json.close();
  } else {
    json.null("rtr");
  }
  const bool whole = record->request && record->reply;
  json.field("reply_after_ns",
             whole ? std::optional{elapsed_ns(record->request->time, record->reply->time)} : std::nullopt);
  json.close();
}

void settings(JsonWriter& json, const qp::QpRecord& record) {
  json.open("crc");
  json.field("in_use", record.crc_in_use);
  json.field("inferred", record.crc_inferred);
  json.close();
  json.open("markers");
  json.field("a_to_b", record.markers[index(Direction::a_to_b)]);
  json.field("b_to_a", record.markers[index(Direction::b_to_a)]);
  json.field("inferred", record.markers_inferred);
  json.close();
  json.open("read_depth");
  json.field("a_to_b", record.read_depth[index(Direction::a_to_b)]);
  json.field("b_to_a", record.read_depth[index(Direction::b_to_a)]);
  json.close();
  json.field("rdmap_version", record.rdmap_version);
  json.field("ddp_version", record.ddp_version);
  json.field("ulp", record.ulp);
  ulp_limits(json, record);
}

void stags(JsonWriter& json, const qp::QpRecord& record) {
  json.open_list("stags");
  for (const qp::StagUse& s : record.stags) {
    json.open();
    json.field("owner", s.owner == Direction::a_to_b ? std::string_view{"b"} : std::string_view{"a"});
    json.field("stag", s.stag);
    json.field("first_frame", s.first_frame);
    json.field("announced_frame", s.announced_frame);
    json.field("invalidated_frame", s.invalidated_frame);
    json.field("written", s.written);
    json.field("read", s.read);
    json.field("atomic", s.atomic);
    json.field("read_sink", s.read_sink);
    const bool used = s.begin != s.end;
    json.field("from", used ? std::optional(TaggedOffset{s.begin}) : std::nullopt);
    json.field("to", used ? std::optional(TaggedOffset{s.end}) : std::nullopt);
    json.close();
  }
  json.close_list();
  json.field("stags_known", record.stags_known);
}

using OpcodeCounts = std::array<std::uint64_t, rdmap::kOpcodes>;

std::string no_messages() {
  std::string text = "{";
  for (std::size_t i = 0; i < rdmap::kOpcodes; ++i) {
    if (i != 0) text += ',';
    text.append("\"").append(rdmap::name(static_cast<rdmap::Opcode>(i))).append("\":0");
  }
  return text + '}';
}

/// One member for each opcode, zeros too, in the order of Opcode.
void by_opcode(JsonWriter& json, std::string_view key, const OpcodeCounts& counts) {
  // A quarter of the record of a queue pair without messages, of which a capture may have very many.
  static const std::string kNone = no_messages();
  if (counts == OpcodeCounts{}) return json.json(key, kNone);
  json.open(key);
  for (std::size_t i = 0; i < counts.size(); ++i) json.field(rdmap::name(static_cast<rdmap::Opcode>(i)), counts[i]);
  json.close();
}

void credit_use(JsonWriter& json, std::string_view key, const qp::CreditUse& use) {
  json.open(key);
  json.field("peak", use.peak);
  json.field("times_at_limit", use.times_at_limit);
  json.field("at_limit_ns", use.at_limit_ns);
  json.field("over_limit", use.over_limit);
  json.close();
}

void read_credit(JsonWriter& json, const std::optional<qp::ReadCreditRecord>& record) {
  if (!record) return json.null("read_credit");
  json.open("read_credit");
  json.field("limit", record->limit);
  credit_use(json, "reads", record->reads);
  credit_use(json, "reads_and_atomics", record->all);
  json.close();
}

void head_of_line(JsonWriter& json, const qp::HeadOfLineRecord& record) {
  json.open("head_of_line");
  json.field("messages", record.messages);
  json.field("total_ns", record.total_ns);
  json.field("largest_ns", record.largest_ns);
  json.field("largest_message", record.messages == 0 ? std::nullopt : std::optional{record.largest_message});
  json.close();
}

void sequence(JsonWriter& json, const std::optional<qp::SequenceRecord>& record, bool over_sctp) {
  if (!record) return json.null("sequence");
  json.open("sequence");
  if (over_sctp) {
    json.field("tag", record->tag);
    json.field("initial_tsn", record->initial);
    const bool is_seen = record->octets != 0;
    json.field("first_tsn", is_seen ? std::optional{record->first} : std::nullopt);
    json.field("last_tsn",
               is_seen ? std::optional{record->first + static_cast<std::uint32_t>(record->octets) - 1} : std::nullopt);
  } else {
    json.field("initial", record->initial);
    json.field("first", record->first);
    json.field("octets", record->octets);
    json.field("fin", record->fin);
    json.field("acknowledged_only", record->acknowledged_only);
  }
  json.close();
}

void ranges(JsonWriter& json, std::string_view key, const std::vector<qp::OctetsRecord>& list) {
  json.open_list(key);
  for (const qp::OctetsRecord& r : list) {
    json.open();
    json.field("offset", r.offset);
    json.field("octets", r.octets);
    json.close();
  }
  json.close_list();
}

void loss_traces(JsonWriter& json, const qp::LossTracesRecord& record) {
  json.open("loss_traces");
  ranges(json, "sent_again", record.sent_again);
  ranges(json, "filled_late", record.filled_late);
  json.field("more", record.more);
  json.close();
}

/// What follows a counter and is no plain number.
void after(JsonWriter& json, qp::DirectionCounter::Member counter, const qp::DirectionRecord& record) {
  using D = qp::DirectionRecord;
  if (counter == &D::ddp_segments) {
    by_opcode(json, "messages", record.messages);
    by_opcode(json, "payload_octets", record.payload_octets);
  } else if (counter == &D::max_outstanding_reads) {
    read_credit(json, record.read_credit);
    head_of_line(json, record.head_of_line);
  } else if (counter == &D::incomplete_messages) {
    json.field("captured", record.captured);
  }
}

void direction(JsonWriter& json, std::string_view key, const qp::DirectionRecord& record, bool over_sctp) {
  json.open(key);
  for (const qp::DirectionCounter& counter : qp::kDirectionCounters) {
    const bool is_absent = counter.transport == qp::DirectionCounter::Transport::sctp && !over_sctp;
    if (counter.name.empty() || is_absent) continue;
    json.field(counter.name, record.*counter.member);
    if (over_sctp && !counter.name_over_sctp.empty()) json.field(counter.name_over_sctp, record.*counter.member);
    after(json, counter.member, record);
  }
  sequence(json, record.sequence, over_sctp);
  if (!over_sctp) loss_traces(json, record.loss_traces);
  json.close();
}

void verdict(JsonWriter& json, const qp::QpRecord& record) {
  const std::optional<qp::VerdictRecord>& v = record.verdict;
  if (!v) {
    json.null("verdict");
    return;
  }
  json.open("verdict");
  json.string("id", v->id);
  json.string("code", v->code);
  json.string("text", v->text);
  json.field("outcome", qp::name(v->outcome));
  json.field("class", qp::name(v->outcome));  // its name in earlier reports
  json.field("blame", qp::name(v->blame));
  json.field("confidence", qp::name(v->confidence));
  json.open_list("evidence");
  for (const FrameNumber frame : v->evidence) json.value(frame);
  json.close_list();
  json.field("since", analysis::first_trouble(record));
  json.string("next", v->next);
  json.close();
}

}  // namespace

std::string community_id(const qp::QpRecord& record, std::uint16_t seed) {
  return net::community_id(record.a, record.b, record.sctp_stream ? net::Transport::sctp : net::Transport::tcp, seed);
}

void append_json(std::string& out, const qp::QpRecord& record, std::optional<std::string_view> known_id) {
  const std::string id = known_id ? std::string{*known_id} : community_id(record, 0);
  JsonWriter json(out);
  json.open();
  json.field("record", std::string_view{"qp"});
  json.field("qp", record.qp);
  json.field("transport", std::string_view{record.sctp_stream ? "sctp" : "tcp"});
  json.field("sctp_stream", record.sctp_stream);
  json.endpoint("a", record.a);
  json.endpoint("b", record.b);
  id.empty() ? json.null("community_id") : json.string("community_id", id);
  json.field("roles", roles(record.roles));
  json.field("joined", std::string_view{record.joined_midstream ? "midstream" : "startup"});
  json.field("state", qp::name(record.state));
  json.field("first_frame", record.first_frame);
  json.field("last_frame", record.last_frame);
  json.field("first_time", record.first_time);
  json.field("last_time", record.last_time);
  json.field("closed_by", record.closed_by);
  startup(json, record.startup);
  settings(json, record);
  direction(json, "a_to_b", record.directions[index(Direction::a_to_b)], record.sctp_stream.has_value());
  direction(json, "b_to_a", record.directions[index(Direction::b_to_a)], record.sctp_stream.has_value());
  stags(json, record);
  verdict(json, record);
  json.end();
}

}  // namespace iwarpscope::report
