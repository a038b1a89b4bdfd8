// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "centre/bodies.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "api/enums.h"
#include "api/interned.h"
#include "mpa/startup_frame_view.h"
#include "qp/direction_counters.h"
#include "report/utf8.h"

namespace iwarpscope::centre {
namespace {

using nlohmann::json;

/// An object of JSON whose members may be anything, or missing.
class Members {
 public:
  explicit Members(const json* object) : object_(object != nullptr && object->is_object() ? object : nullptr) {}

  [[nodiscard]] bool exists() const noexcept { return object_ != nullptr; }
  [[nodiscard]] const json* find(std::string_view key) const {
    if (object_ == nullptr) return nullptr;
    const auto member = object_->find(key);
    return member == object_->end() || member->is_null() ? nullptr : &*member;
  }
  [[nodiscard]] Members object(std::string_view key) const { return Members(find(key)); }
  [[nodiscard]] std::string text(std::string_view key) const {
    const json* const its = find(key);
    return its != nullptr && its->is_string() ? its->get<std::string>() : std::string{};
  }
  [[nodiscard]] std::optional<bool> flag(std::string_view key) const {
    const json* const its = find(key);
    return its != nullptr && its->is_boolean() ? std::optional(its->get<bool>()) : std::nullopt;
  }
  [[nodiscard]] bool is(std::string_view key) const { return flag(key).value_or(false); }
  template <class To>
  [[nodiscard]] std::optional<To> number_if(std::string_view key) const {
    const json* const its = find(key);
    if (its == nullptr || !its->is_number_integer()) return std::nullopt;
    if (its->is_number_unsigned()) {
      const auto value = its->get<std::uint64_t>();
      return std::in_range<To>(value) ? std::optional(static_cast<To>(value)) : std::nullopt;
    }
    const auto value = its->get<std::int64_t>();
    return std::in_range<To>(value) ? std::optional(static_cast<To>(value)) : std::nullopt;
  }
  template <class To = std::uint64_t>
  [[nodiscard]] To number(std::string_view key) const {
    return number_if<To>(key).value_or(To{});
  }
  [[nodiscard]] std::optional<double> real(std::string_view key) const {
    const json* const its = find(key);
    return its != nullptr && its->is_number() ? std::optional(its->get<double>()) : std::nullopt;
  }
  [[nodiscard]] std::optional<FrameNumber> frame_if(std::string_view key) const {
    const auto frame = number_if<std::uint64_t>(key);
    return frame ? std::optional(FrameNumber{*frame}) : std::nullopt;
  }
  [[nodiscard]] FrameNumber frame(std::string_view key) const { return frame_if(key).value_or(FrameNumber{}); }
  /// "0x0000abcd"
  [[nodiscard]] std::uint64_t hex(std::string_view key) const {
    const std::string digits = text(key);
    std::uint64_t value = 0;
    if (digits.starts_with("0x")) std::from_chars(digits.data() + 2, digits.data() + digits.size(), value, 16);
    return value;
  }
  /// "1795224979.959729000"
  [[nodiscard]] TimePoint time(std::string_view key) const {
    constexpr std::int64_t kSecond = 1'000'000'000;
    const std::string digits = text(key);
    std::int64_t seconds = 0;
    const char* const end = digits.data() + digits.size();
    const auto [point, wrong] = std::from_chars(digits.data(), end, seconds);
    std::int64_t rest = 0;
    if (wrong != std::errc{} || end - point != 10 || *point != '.' ||
        std::from_chars(point + 1, end, rest).ptr != end || rest < 0) {
      return {};
    }
    std::int64_t ns = 0;
    const bool is_negative = digits.starts_with('-');
    if (__builtin_mul_overflow(seconds, kSecond, &ns) || __builtin_add_overflow(ns, is_negative ? -rest : rest, &ns))
      return {};
    return TimePoint{ns};
  }
  template <class Use>
  void each(std::string_view key, Use&& use) const {
    const json* const its = find(key);
    if (its == nullptr || !its->is_array()) return;
    for (const json& one : *its) use(one);
  }
  template <class Use>
  void each_member(Use&& use) const {
    if (object_ == nullptr) return;
    for (const auto& [name, value] : object_->items()) use(name, value);
  }
  [[nodiscard]] std::vector<FrameNumber> frames(std::string_view key) const {
    std::vector<FrameNumber> all;
    each(key, [&](const json& one) {
      if (one.is_number_unsigned()) all.emplace_back(one.get<std::uint64_t>());
    });
    return all;
  }

 private:
  const json* object_;
};

/// The enumerator with this name.
template <class Core>
std::optional<Core> named(const std::string& name, std::string_view (*name_of)(Core) noexcept) {
  for (int i = 0; i <= static_cast<int>(api::Counterpart<Core>::kLast); ++i) {
    if (name_of(static_cast<Core>(i)) == name) return static_cast<Core>(i);
  }
  return std::nullopt;
}

std::optional<Direction> direction_of(const std::string& name) {
  if (name == "a_to_b") return Direction::a_to_b;
  return name == "b_to_a" ? std::optional(Direction::b_to_a) : std::nullopt;
}

std::optional<std::string_view> word(const std::string& text) {
  return text.empty() ? std::nullopt : std::optional(api::interned(text));
}

net::Endpoint endpoint(const Members& in) {
  return {net::IpAddress::parse(in.text("address")).value_or(net::IpAddress{}), in.number<std::uint16_t>("port")};
}

std::vector<std::byte> octets(const std::string& hex) {
  std::vector<std::byte> out;
  out.reserve(hex.size() / 2);
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2) {
    unsigned value = 0;
    if (std::from_chars(hex.data() + i, hex.data() + i + 2, value, 16).ptr != hex.data() + i + 2) break;
    out.push_back(static_cast<std::byte>(value));
  }
  return out;
}

mpa::StartupFrame startup_frame(const Members& in, bool is_reply) {
  mpa::StartupFrame out;
  out.frame = in.frame("frame");
  out.reply_key = is_reply;
  out.key = is_reply ? mpa::kReplyKey : mpa::kRequestKey;
  out.key_exact = true;
  out.function_code = in.number<std::uint16_t>("function_code");
  out.revision = in.number<std::uint8_t>("rev");
  out.markers = in.is("markers");
  out.crc = in.is("crc");
  out.rejected = in.is("rejected");
  out.enhanced_flag = in.is("enhanced");
  out.reserved = in.number<std::uint8_t>("reserved");
  out.private_data_length = in.number<std::uint16_t>("private_data_length");
  out.private_data = octets(in.text("private_data"));
  const auto ird = in.number_if<std::uint16_t>("ird"), ord = in.number_if<std::uint16_t>("ord");
  if (!ird || !ord) return out;
  mpa::EnhancedData depths;
  depths.ird = *ird;
  depths.ord = *ord;
  if (!in.flag("peer_to_peer")) {  // the upper layer sent them
    out.legacy = depths;
    return out;
  }
  depths.peer_to_peer = in.is("peer_to_peer");
  depths.rtr_send = in.is("rtr_send");
  depths.rtr_write = in.is("rtr_write");
  depths.rtr_read = in.is("rtr_read");
  out.enhanced = depths;
  return out;
}

/// Frames of the startup have no times of their own in a report, only the time between them.
qp::StartupRecord startup(const Members& in, TimePoint begin) {
  qp::StartupRecord out;
  if (in.find("request") != nullptr) out.request = startup_frame(in.object("request"), false);
  if (in.find("reply") != nullptr) out.reply = startup_frame(in.object("reply"), true);
  if (out.request) out.request->time = begin;
  if (out.reply) {  // a clock that went back makes the time between them negative
    std::int64_t reply = 0;
    if (!__builtin_add_overflow(begin.ns, in.number<std::int64_t>("reply_after_ns"), &reply))
      out.reply->time = TimePoint{reply};
  }
  if (const Members rtr = in.object("rtr"); rtr.exists())
    out.rtr = qp::RtrRecord{api::interned(rtr.text("kind")), rtr.frame("frame")};
  return out;
}

void read_settings(const Members& in, qp::QpRecord& out) {
  out.crc_in_use = in.object("crc").flag("in_use");
  out.crc_inferred = in.object("crc").is("inferred");
  const Members markers = in.object("markers"), depth = in.object("read_depth");
  out.markers = {markers.flag("a_to_b"), markers.flag("b_to_a")};
  out.markers_inferred = markers.is("inferred");
  out.read_depth = {depth.number_if<std::uint16_t>("a_to_b"), depth.number_if<std::uint16_t>("b_to_a")};
  out.rdmap_version = in.number_if<std::uint8_t>("rdmap_version");
  out.ddp_version = in.number_if<std::uint8_t>("ddp_version");
  out.ulp = word(in.text("ulp"));
  if (const Members limits = in.object("ulp_limits"); limits.exists())
    out.negotiated = qp::UlpLimitsRecord{limits.text("text"), limits.is("compatible")};
}

qp::CreditUse credit_use(const Members& in) {
  return {in.number("peak"), in.number("times_at_limit"), in.number<std::int64_t>("at_limit_ns"),
          in.number("over_limit")};
}

qp::SequenceRecord sequence(const Members& in, bool over_sctp) {
  qp::SequenceRecord out;
  if (!over_sctp) {
    out.initial = in.number_if<std::uint32_t>("initial");
    out.first = in.number<std::uint32_t>("first");
    out.octets = in.number("octets");
    out.fin = in.number_if<std::uint32_t>("fin");
    out.acknowledged_only = in.is("acknowledged_only");
    return out;
  }
  out.tag = in.number_if<std::uint32_t>("tag");
  out.initial = in.number_if<std::uint32_t>("initial_tsn");
  const auto first = in.number_if<std::uint32_t>("first_tsn"), last = in.number_if<std::uint32_t>("last_tsn");
  if (!first || !last) return out;
  out.first = *first;
  out.octets = std::uint64_t{*last - *first} + 1;
  return out;
}

std::vector<qp::OctetsRecord> ranges(const Members& in, std::string_view key) {
  std::vector<qp::OctetsRecord> all;
  in.each(key, [&](const json& one) {
    const Members range(&one);
    all.push_back({range.number<std::int64_t>("offset"), range.number("octets")});
  });
  return all;
}

void read_by_opcode(const Members& in, std::array<std::uint64_t, rdmap::kOpcodes>& counts) {
  for (std::size_t i = 0; i < counts.size(); ++i) counts.at(i) = in.number(rdmap::name(static_cast<rdmap::Opcode>(i)));
}

void read_direction(const Members& in, bool over_sctp, qp::DirectionRecord& out) {
  for (const qp::DirectionCounter& counter : qp::kDirectionCounters) {
    if (!counter.name.empty()) out.*counter.member = in.number(counter.name);
  }
  read_by_opcode(in.object("messages"), out.messages);
  read_by_opcode(in.object("payload_octets"), out.payload_octets);
  if (const Members credit = in.object("read_credit"); credit.exists()) {
    out.read_credit.emplace();
    out.read_credit->limit = credit.number_if<std::uint16_t>("limit");
    out.read_credit->reads = credit_use(credit.object("reads"));
    out.read_credit->all = credit_use(credit.object("reads_and_atomics"));
  }
  const Members waited = in.object("head_of_line");
  out.head_of_line = {waited.number("messages"), waited.number<std::int64_t>("total_ns"),
                      waited.number<std::int64_t>("largest_ns"), waited.number("largest_message")};
  out.captured = in.flag("captured").value_or(true);
  if (const Members its = in.object("sequence"); its.exists()) out.sequence = sequence(its, over_sctp);
  const Members traces = in.object("loss_traces");
  out.loss_traces.sent_again = ranges(traces, "sent_again");
  out.loss_traces.filled_late = ranges(traces, "filled_late");
  out.loss_traces.more = traces.is("more");
}

qp::StagUse stag_use(const Members& in) {
  qp::StagUse out;
  out.owner = in.text("owner") == "b" ? Direction::a_to_b : Direction::b_to_a;
  out.stag = STag{static_cast<std::uint32_t>(in.hex("stag"))};
  out.first_frame = in.frame("first_frame");
  out.announced_frame = in.frame_if("announced_frame");
  out.invalidated_frame = in.frame_if("invalidated_frame");
  out.written = in.is("written");
  out.read = in.is("read");
  out.atomic = in.is("atomic");
  out.read_sink = in.is("read_sink");
  out.begin = in.hex("from");
  out.end = in.hex("to");
  return out;
}

qp::VerdictRecord verdict(const Members& in) {
  qp::VerdictRecord out;
  out.outcome = named<qp::Outcome>(in.text("outcome"), qp::name).value_or(qp::Outcome::unknown);
  out.blame = named<qp::Blame>(in.text("blame"), qp::name).value_or(qp::Blame::unknown);
  out.confidence = named<qp::Confidence>(in.text("confidence"), qp::name).value_or(qp::Confidence::limited);
  out.id = in.text("id");
  out.code = in.text("code");
  out.text = in.text("text");
  out.evidence = in.frames("evidence");
  out.next = in.text("next");
  return out;
}

live::RecordName record_name(const Members& in) {
  live::RecordName out;
  live::Origin origin{in.text("sensor"), in.text("sensor_uuid"), in.text("run_uuid")};
  if (!origin.run_uuid.empty()) out.origin = std::make_shared<const live::Origin>(std::move(origin));
  out.sequence = in.number("sequence");
  out.interface = in.text("interface");
  out.tap_group = in.text("tap_group");
  out.community_id = in.text("community_id");
  return out;
}

live::Losses losses(const Members& in) {
  return {in.number("nic_frames"), in.number("kernel_frames"), in.number("queue_frames"), in.number("gap_octets"),
          in.number("gap_messages")};
}

/// What the report does not say of the startup.
void read_times(const Members& in, qp::QpRecord& out) {
  if (out.startup && out.startup->request && in.find("mpa_request") != nullptr) {
    const std::int64_t later =
        out.startup->reply ? elapsed_ns(out.startup->request->time, out.startup->reply->time) : 0;
    out.startup->request->time = in.time("mpa_request");
    std::int64_t reply = 0;
    if (out.startup->reply && !__builtin_add_overflow(out.startup->request->time.ns, later, &reply))
      out.startup->reply->time = TimePoint{reply};
  }
  const std::array<Members, 2> directions{in.object("a_to_b"), in.object("b_to_a")};
  for (std::size_t i = 0; i < directions.size(); ++i) {
    qp::DirectionSummary& summary = out.summary.directions.at(i);
    for (const auto& [name, moment] : {std::pair{"syn", &summary.syn}, {"fin", &summary.fin}, {"rst", &summary.rst}}) {
      if (const Members its = directions.at(i).object(name); its.exists())
        *moment = {its.frame("frame"), its.time("time")};
    }
  }
}

live::FindingCounts finding_counts(const Members& in) {
  live::FindingCounts out{in.number("errors"), in.number("warnings"), in.number("notes")};
  if (const findings::Rule* const worst = findings::find_rule(in.text("worst"))) out.worst = worst->id;
  return out;
}

std::map<std::string, std::uint64_t> counts(const Members& in) {
  constexpr std::size_t kMostCounts = 1000;
  std::map<std::string, std::uint64_t> all;
  in.each_member([&](const std::string& name, const json& count) {
    if (count.is_number_unsigned() && all.size() < kMostCounts) all.emplace(name, count.get<std::uint64_t>());
  });
  return all;
}

void read_configuration(const Members& in, live::SensorView& out) {
  if (!in.exists()) return;
  live::ConfigurationView view;
  const std::string hash = in.text("hash");
  std::from_chars(hash.data(), hash.data() + hash.size(), view.hash, 16);
  view.reloaded = !in.is("reload_failed");
  view.mistakes = report::to_utf8(in.text("mistakes").substr(0, 2000));
  view.time = in.number<std::int64_t>("changed_s");
  view.waiting = in.number("keys_waiting");
  if (!view.reloaded)
    add_trouble(out, "Its last configuration was refused, and the one before is in force: " + view.mistakes);
  out.configuration = std::move(view);
}

void read_clock(const Members& in, live::SensorView& out) {
  if (!in.exists()) return;
  out.clock.is_known = true;
  out.clock.is_synchronized = in.is("synchronized");
  out.clock.error_ns = in.number<std::int64_t>("error_ns");
  out.clock.offset_ns = in.number<std::int64_t>("offset_ns");
}

void read_parts(const Members& in, live::SensorView& out) {
  in.each("interfaces", [&](const json& one) {
    const Members interface(&one);
    if (!interface.is("up") && !in.is("replay"))
      add_trouble(out, "Its interface " + interface.text("name") + " is down.");
  });
  in.each("outputs", [&](const json& one) {
    const Members output(&one);
    if (output.text("name") == "forward") {
      out.waiting = output.number("queued");
      out.lag_seconds = std::max(0.0, output.real("lag_seconds").value_or(0));
      if (const auto fill = output.real("fill")) out.fill = std::clamp(*fill, 0.0, 1.0);
    } else if (!output.is("healthy")) {
      add_trouble(out, "Its output " + output.text("name") + " fails: " + output.text("trouble"));
    }
  });
}

qp::Roles roles_of(const std::string& name) {
  if (name == "mpa") return qp::Roles::mpa;
  return name == "tcp" ? qp::Roles::tcp : qp::Roles::address;
}

void read_record(const Members& in, qp::QpRecord& out) {
  out.qp = in.number("qp");
  out.sctp_stream = in.number_if<std::uint16_t>("sctp_stream");
  out.a = endpoint(in.object("a"));
  out.b = endpoint(in.object("b"));
  out.roles = roles_of(in.text("roles"));
  out.joined_midstream = in.text("joined") == "midstream";
  out.state = named<qp::State>(in.text("state"), qp::name).value_or(qp::State::unconfirmed);
  out.first_frame = in.frame("first_frame");
  out.last_frame = in.frame("last_frame");
  out.first_time = in.time("first_time");
  out.last_time = in.time("last_time");
  out.closed_by = word(in.text("closed_by"));
  if (const Members its = in.object("startup"); its.exists()) out.startup = startup(its, out.first_time);
  read_settings(in, out);
  const bool over_sctp = out.sctp_stream.has_value();
  read_direction(in.object("a_to_b"), over_sctp, out.directions[0]);
  read_direction(in.object("b_to_a"), over_sctp, out.directions[1]);
  in.each("stags", [&](const json& one) {
    if (out.stags.size() < qp::QpRecord::kMostStags) out.stags.push_back(stag_use(Members(&one)));
  });
  out.stags_known = in.number("stags_known");
  const Members judged = in.object("verdict");
  if (!judged.exists()) return;
  out.verdict = verdict(judged);
  // analysis::first_trouble() takes the earliest frame of a summary: this one.
  if (const auto since = judged.frame_if("since")) out.summary.directions[0].window_closed.frame = *since;
}

/// The record, if it is one of this kind.
std::optional<json> parsed(std::string_view text, std::string_view kind) {
  json record = json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (Members(&record).text("record") != kind) return std::nullopt;
  return record;
}

}  // namespace

std::optional<live::QpView> read_qp(std::string_view text) {
  const auto record = parsed(text, "qp");
  if (!record) return std::nullopt;
  const Members in(&*record);
  live::QpView view;
  read_record(in, view.record);
  view.losses = losses(in.object("losses"));
  view.continued = in.is("continued");
  read_times(in.object("times"), view.record);
  view.findings = finding_counts(in.object("findings"));
  if (const Members rate = in.object("rate"); rate.exists()) {
    view.activity.last_second = rate.number<std::int64_t>("second");
    view.activity.octets[live::Activity::kSeconds - 2] = rate.number<std::uint32_t>("octets_per_second");
  }
  view.name = record_name(in);
  view.ended = view.name.sequence != 0;
  return view;
}

std::optional<live::FindingView> read_finding(std::string_view text) {
  const auto record = parsed(text, "finding");
  if (!record) return std::nullopt;
  const Members in(&*record);
  const findings::Rule* const rule = findings::find_rule(in.text("id"));
  if (rule == nullptr) return std::nullopt;
  live::FindingView view;
  findings::Finding& out = view.finding;
  out.id = rule->id;
  out.qp = in.number_if<std::uint64_t>("qp");
  out.direction = direction_of(in.text("direction"));
  out.message = in.number_if<std::uint64_t>("index");
  out.frame = in.frame("frame");
  out.frames = in.frames("frames");
  out.time = in.time("time");
  if (const auto offset = in.number_if<std::int64_t>("offset"))
    out.offset = StreamOffset{kStreamOrigin.value + static_cast<std::uint64_t>(*offset)};
  out.seen = in.text("seen");
  out.expected = in.text("expected");
  out.text = in.text("text");
  if (in.find("a") != nullptr && in.find("b") != nullptr)
    view.ends = std::pair{endpoint(in.object("a")), endpoint(in.object("b"))};
  view.name = record_name(in);
  return view;
}

void add_trouble(live::SensorView& of, const std::string& sentence) {
  constexpr std::size_t kMost = 2000;  // octets: a sensor must not fill the answers about all
  if (of.trouble.size() >= kMost) return;
  if (!of.trouble.empty()) of.trouble += ' ';
  of.trouble += report::to_utf8(sentence.substr(0, kMost));
}

std::optional<std::int64_t> clock_bound_ns(std::string_view text) {
  const json clock = json::parse(text, nullptr, /*allow_exceptions=*/false);
  const Members in(&clock);
  if (!in.is("synchronized")) return std::nullopt;
  return in.number_if<std::int64_t>("error_ns");
}

std::optional<Heartbeat> read_heartbeat(std::string_view text) {
  const auto record = parsed(text, "heartbeat");
  if (!record) return std::nullopt;
  const Members in(&*record);
  Heartbeat beat;
  live::SensorView& sensor = beat.sensor;
  sensor.version = report::to_utf8(in.text("version").substr(0, 200));
  sensor.losses = losses(in.object("losses"));
  read_configuration(in.object("configuration"), sensor);
  read_clock(in.object("clock"), sensor);
  read_parts(in, sensor);
  beat.is_last = in.is("stopping");
  beat.is_replay = in.is("replay");
  beat.every_ns = in.number<std::int64_t>("heartbeats_every_ns");
  beat.frames = in.number("frames");
  beat.octets = in.number("octets");
  beat.qps_opened = in.number("qps_opened");
  beat.qps_by_state = counts(in.object("qps_by_state"));
  beat.qps_closed = counts(in.object("qps_closed"));
  beat.findings = counts(in.object("findings"));
  for (const auto& [state, count] : beat.qps_by_state) sensor.qps += count;
  for (const auto& [rule, count] : beat.findings) sensor.findings += count;
  return beat;
}

}  // namespace iwarpscope::centre
