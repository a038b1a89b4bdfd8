// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "outputs/heartbeat.h"

#include <array>
#include <iterator>
#include <string_view>

#include <fmt/format.h>

#include "live/qp_json.h"
#include "report/json.h"

namespace iwarpscope::outputs {
namespace {

/// Members and elements, with commas between them.
class Members {
 public:
  explicit Members(std::string& out) : out_(out) {}
  template <class... Values>
  void add(fmt::format_string<Values...> format, Values&&... values) {
    if (!is_first_) out_ += ',';
    is_first_ = false;
    fmt::format_to(std::back_inserter(out_), format, std::forward<Values>(values)...);
  }

 private:
  std::string& out_;
  bool is_first_ = true;
};

std::string counts(const live::CountByKind& all) {
  std::string out = "{";
  Members members(out);
  for (std::size_t i = 0; i < all.size(); ++i) members.add("\"{}\":{}", live::kRecordKindNames.at(i), all.at(i));
  return out + "}";
}

template <class Key>
std::string counts(const std::map<Key, std::uint64_t>& all) {
  std::string out = "{";
  Members members(out);
  for (const auto& [name, count] : all) members.add("{}:{}", report::json_string(name), count);
  return out + "}";
}

std::string texts(const std::vector<std::string>& all) {
  std::string out = "[";
  Members members(out);
  for (const std::string& text : all) members.add("{}", report::json_string(text));
  return out + "]";
}

std::string text_or_null(const std::string& text) {
  return text.empty() ? "null" : report::json_string(text);
}

std::string interfaces(const live::Status& status) {
  std::string out = "[";
  Members members(out);
  for (const live::InterfaceView& one : status.interfaces) {
    members.add(R"({{"name":{},"up":{},"frames":{},"octets":{},"losses":{},"tap_group":{},"method":{},"warnings":{}}})",
                report::json_string(one.name), one.up, one.frames, one.octets, live::losses_json(one.losses),
                text_or_null(one.tap_group), text_or_null(one.method), texts(one.warnings));
  }
  return out + "]";
}

std::string outputs_of(const live::Status& status) {
  std::string out = "[";
  Members members(out);
  for (const live::OutputView& one : status.outputs) {
    members.add(
        R"({{"name":{},"healthy":{},"trouble":{},"taken":{},"lost":{},"queued":{},"lag_seconds":{:.3f},"fill":{}}})",
        report::json_string(one.name), one.healthy, text_or_null(one.trouble), one.taken, one.lost, one.queued,
        one.lag_seconds, one.fill ? fmt::format("{:.3f}", *one.fill) : "null");
  }
  return out + "]";
}

/// Only tables in which something was discarded.
std::string limits(const live::Status& status) {
  std::string out = "[";
  Members members(out);
  for (const live::LimitView& one : status.limits) {
    if (one.evicted == 0) continue;
    members.add(R"({{"table":{},"limit":{},"evicted":{}}})", report::json_string(one.table), one.limit, one.evicted);
  }
  return out + "]";
}

std::string clock(const live::ClockView& clock) {
  if (!clock.is_known) return "null";
  return fmt::format(R"({{"synchronized":{},"error_ns":{},"offset_ns":{}}})", clock.is_synchronized,
                     clock.is_synchronized ? fmt::format("{}", clock.error_ns) : "null", clock.offset_ns);
}

std::string configuration(const std::optional<live::ConfigurationView>& its) {
  if (!its) return "null";
  return fmt::format(R"({{"hash":"{:012x}","reload_failed":{},"mistakes":{},"changed_s":{},"keys_waiting":{}}})",
                     its->hash, !its->reloaded, text_or_null(its->mistakes), its->time, its->waiting);
}

}  // namespace

std::string heartbeat_json(const live::Status& status, const HeartbeatFacts& facts) {
  std::string out = R"({"record":"heartbeat",)";
  Members members(out);
  members.add(R"("format":{},"version":{},"started":{})", report::kFormat, report::json_string(status.version),
              live::time_json(status.started));
  members.add(R"("capture_time":{},"capturing":{},"replay":{},"stopping":{})",
              status.capture_time ? live::time_json(*status.capture_time) : "null", status.capturing, status.replay,
              status.ended);
  members.add(R"("configuration":{},"clock":{})", configuration(status.configuration), clock(status.clock));
  members.add(R"("interfaces":{},"losses":{})", interfaces(status), live::losses_json(status.totals.losses));
  members.add(R"("frames":{},"octets":{},"analysis_lag_seconds":{:.3f})", status.totals.frames, status.totals.octets,
              status.analysis_lag_seconds);
  members.add(R"("qps_opened":{},"qps_by_state":{},"qps_closed":{},"findings":{})", status.totals.qps_opened,
              counts(status.totals.qps_by_state), counts(status.totals.qps_closed), counts(status.totals.findings));
  members.add(R"("continued":{},"not_continued":{},"checkpoint_refused":{})", status.continued, status.not_continued,
              text_or_null(status.resume_refused));
  members.add(R"("outputs":{},"limits":{})", outputs_of(status), limits(status));
  members.add(R"("not_stored":{},"expired":{},"missed":{})", counts(facts.lost.not_stored), counts(facts.lost.expired),
              facts.lost.missed);
  members.add(R"("states_every_ns":{},"heartbeats_every_ns":{},)", facts.states_ns, facts.heartbeats_ns);
  live::RecordName name;
  name.origin = status.origin;
  live::append_run_members(out, name);
  return out + "}";
}

}  // namespace iwarpscope::outputs
