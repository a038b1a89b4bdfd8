// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The "tap" and "joined" records.
#include "join/sentences.h"
#include "report/joined.h"
#include "report/json.h"
#include "report/json_writer.h"

namespace iwarpscope::report {
namespace {

using join::JoinedConnection;

std::string_view name(join::Basis basis) noexcept {
  switch (basis) {
    case join::Basis::one_view: return "one_view";
    case join::Basis::numbers: return "numbers";
    case join::Basis::overlap: return "overlap";
    case join::Basis::translated: return "translated";
  }
  return "one_view";
}

void positions(JsonWriter& json, std::string_view key, const std::vector<std::size_t>& those,
               std::span<const join::Tap> taps) {
  json.open_list(key);
  for (const std::size_t tap : those) json.text(taps[tap].position);
  json.close_list();
}

void verdict_fields(JsonWriter& json, const qp::VerdictRecord& v) {
  json.string("id", v.id);
  json.string("code", v.code);
  json.string("text", v.text);
  json.field("outcome", qp::name(v.outcome));
  json.field("blame", qp::name(v.blame));
  json.field("confidence", qp::name(v.confidence));
}

void views(JsonWriter& json, const JoinedConnection& joined, std::span<const join::Tap> taps) {
  json.open_list("views");
  for (const join::JoinedView& view : joined.views) {
    json.open();
    json.string("tap", taps[view.tap].position);
    json.field("qp", view.qp);
    json.field("swapped", view.swapped);
    json.endpoint("a", view.a);
    json.endpoint("b", view.b);
    json.field("whole", view.whole);
    if (view.verdict) {
      json.open("verdict");
      verdict_fields(json, *view.verdict);
      json.close();
    } else {
      json.null("verdict");
    }
    json.close();
  }
  json.close_list();
}

void verdict(JsonWriter& json, const JoinedConnection& joined, std::span<const join::Tap> taps) {
  if (!joined.verdict) return json.null("verdict");
  json.open("verdict");
  verdict_fields(json, joined.verdict->verdict);
  json.string("next", joined.verdict->verdict.next);
  joined.verdict->tap ? json.string("tap", taps[*joined.verdict->tap].position) : json.null("tap");
  json.field("taps_agree", joined.verdict->taps_agree);
  json.field("blame_withdrawn", joined.verdict->blame_withdrawn);
  json.close();
}

void order(JsonWriter& json, std::string_view key, const join::Order& order, std::span<const join::Tap> taps) {
  if (order.knowledge == join::Order::Knowledge::known) return positions(json, key, order.taps, taps);
  json.null(key);
}

void orders(JsonWriter& json, const JoinedConnection& joined, std::span<const join::Tap> taps) {
  json.open("order");
  order(json, "a_to_b", joined.order[0], taps);
  order(json, "b_to_a", joined.order[1], taps);
  const auto is_contradictory = [](const join::Order& o) {
    return o.knowledge == join::Order::Knowledge::contradictory;
  };
  json.field("several_paths", is_contradictory(joined.order[0]) || is_contradictory(joined.order[1]));
  json.close();
}

void places(JsonWriter& json, const JoinedConnection& joined, std::span<const join::Tap> taps) {
  json.open_list("places");
  for (const join::Place& place : joined.places) {
    json.open();
    json.field("kind", std::string_view{place.kind == join::Place::Kind::damage ? "damage" : "loss"});
    json.field("direction", place.direction);
    positions(json, "after", place.after, taps);
    positions(json, "before", place.before, taps);
    positions(json, "undecided", place.undecided, taps);
    json.field("offset", place.offset);
    json.field("octets", place.octets != 0 ? std::optional{place.octets} : std::nullopt);
    json.field("count", place.count);
    json.field("confidence", qp::name(place.confidence));
    json.string("text", join::place_text(place, taps));
    json.close();
  }
  json.close_list();
}

void joined_findings(JsonWriter& json, const JoinedConnection& joined, std::span<const join::Tap> taps) {
  json.open_list("findings");
  for (const join::JoinedFinding& f : joined.findings) {
    const findings::Rule& rule = findings::rule(f.finding.id);
    json.open();
    json.field("id", rule.name);
    json.field("code", rule.code);
    json.field("severity", findings::name(rule.severity));
    json.field("about", findings::name(rule.about));
    json.field("direction", f.finding.direction);
    json.field("index", f.finding.message);
    json.field("offset", f.finding.offset ? std::optional{relative(*f.finding.offset)} : std::nullopt);
    f.finding.seen.empty() ? json.null("seen") : json.string("seen", f.finding.seen);
    f.finding.expected.empty() ? json.null("expected") : json.string("expected", f.finding.expected);
    json.string("text", f.finding.text);
    positions(json, "taps", f.taps, taps);
    json.close();
  }
  json.close_list();
}

}  // namespace

void append_json(std::string& out, const join::Tap& tap, const TapRecord& record) {
  JsonWriter json(out);
  json.open();
  json.field("record", std::string_view{"tap"});
  json.field("format", kFormat);
  json.string("position", tap.position);
  json.string("file", record.file);
  json.field("frames", record.frames);
  json.field("qps", record.qps);
  json.field("clock_bound_ns", tap.clock_bound_ns);
  json.field("has_drops", tap.has_drops);
  json.end();
}

void append_json(std::string& out, const JoinedConnection& joined, std::uint64_t number,
                 std::span<const join::Tap> taps) {
  JsonWriter json(out);
  json.open();
  json.field("record", std::string_view{"joined"});
  json.field("connection", number);
  json.field("transport", std::string_view{joined.sctp_stream ? "sctp" : "tcp"});
  json.field("sctp_stream", joined.sctp_stream);
  json.endpoint("a", joined.a);
  json.endpoint("b", joined.b);
  json.field("basis", name(joined.basis));
  views(json, joined, taps);
  verdict(json, joined, taps);
  orders(json, joined, taps);
  places(json, joined, taps);
  joined_findings(json, joined, taps);
  json.field("explained", joined.explained);
  json.field("clock_bound_ns", joined.clock_bound_ns);
  json.field("may_be", joined.may_be ? std::optional<std::uint64_t>{*joined.may_be} : std::nullopt);
  json.open_list("sentences");
  for (const std::string& sentence : joined.sentences) json.text(sentence);
  json.close_list();
  json.end();
}

}  // namespace iwarpscope::report
