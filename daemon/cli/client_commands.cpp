// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/client_commands.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <ctime>
#include <limits>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "api/records.h"
#include "cli/client_parts.h"
#include "cli/client_text.h"
#include "cli/exit_status.h"
#include "cli/qps_table.h"
#include "iwarpscope/v1/control.pb.h"
#include "live/qp_json.h"
#include "report/human.h"
#include "report/json.h"
#include "report/utf8.h"

namespace iwarpscope::cli {
namespace {

constexpr std::int64_t kLastSecond = std::numeric_limits<std::int64_t>::max() / 1'000'000'000;  // in 2262

/// "2026-11-21", with "T13:05" or "T13:05:30", UTC. Nothing: the text is not a time.
std::optional<std::int64_t> time_of(const std::string& text) {
  for (const char* format : {"%Y-%m-%dT%H:%M:%S", "%Y-%m-%dT%H:%M", "%Y-%m-%d"}) {
    std::tm time{};
    const char* end = ::strptime(text.c_str(), format, &time);
    if (end == nullptr || *end != '\0') continue;
    const int day = time.tm_mday;
    const std::int64_t seconds = ::timegm(&time);
    if (time.tm_mday != day || seconds < 0 || seconds > kLastSecond) return std::nullopt;  // 31 February, 1969, 9999
    return seconds * 1'000'000'000;
  }
  return std::nullopt;
}

/// The table, and the total losses of the capture.
std::string qps_text(api::Client& client, const std::vector<live::QpView>& views) {
  if (views.empty()) return "No queue pairs.\n";
  const auto status = client.status();
  const std::string text = qps_table(views, status ? status->capture_time_ns() : 0);
  if (status) return text + "Total lost by the capture: " + losses_text(status->totals().losses()) + "\n";
  return text + "Total lost by the capture: unknown, " + report::to_printable(status.error().sentence) + "\n";
}

}  // namespace

int run_status(api::Client& client, const ClientArguments& arguments, const Console& console, std::atomic<bool>&) {
  const auto status = client.status();
  if (!status) return complain(console, "status", status.error());
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  console.out.write(is_json(arguments)
                        ? json_line(*status, "status")
                        : status_text(*status, std::chrono::duration_cast<std::chrono::nanoseconds>(now).count()));
  return kExitDone;
}

int run_qps(api::Client& client, const ClientArguments& arguments, const Console& console, std::atomic<bool>& stop) {
  v1::ListQpsRequest request;
  v1::QpFilter& filter = *request.mutable_filter();
  if (!arguments.host.empty()) filter.set_host(arguments.host);
  if (!arguments.ulp.empty()) filter.set_ulp(arguments.ulp);
  if (!arguments.sensor.empty()) filter.set_sensor(arguments.sensor);
  if (!arguments.state.empty()) filter.set_state(state(arguments.state));
  if (!arguments.outcome.empty()) filter.set_outcome(outcome(arguments.outcome));
  filter.set_at_least(severity(arguments.at_least));
  filter.set_without_ended(arguments.open);
  request.set_detail(is_json(arguments) ? v1::QP_DETAIL_FULL : v1::QP_DETAIL_ROW);
  constexpr std::uint64_t kPage = 5000;
  request.set_most(static_cast<std::uint32_t>(arguments.limit == 0 ? kPage : std::min(arguments.limit, kPage)));
  std::vector<live::QpView> views;
  std::set<std::string> silent;
  std::uint64_t count = 0;
  const auto failure = pages<v1::ListQpsRequest, v1::ListQpsReply>(
      client, &api::Client::qps, request, &stop, [&](const v1::ListQpsReply& page) {
        std::string lines;
        bool more = true;
        for (const v1::QueuePair& qp : page.qps()) {
          is_json(arguments) ? live::append_json(lines, api::from_v1(qp))
                             : static_cast<void>(views.push_back(api::from_v1(qp)));
          more = ++count != arguments.limit;
          if (!more) break;
        }
        for (const std::string& sensor : page.silent_sensors()) silent.insert(sensor);
        console.out.write(lines);
        return more && !console.out.has_failed();
      });
  if (failure) return complain(console, "qps", *failure);
  if (stop) return kExitInterrupted;
  for (const std::string& sensor : silent)
    console.complain(fmt::format("qps: sensor {} has delivered nothing for a while: its rows are old", sensor));
  if (!is_json(arguments)) console.out.write(qps_text(client, views));
  return kExitDone;
}

int run_record(api::Client& client, const ClientArguments& arguments, const Console& console, std::atomic<bool>&) {
  v1::StartRecordingRequest request;
  request.set_qp(arguments.qp);
  request.set_seconds(arguments.seconds);
  request.set_reason(arguments.reason);
  const auto reply = client.record(request);
  if (!reply) return complain(console, "record", reply.error());
  console.out.write(
      is_json(arguments)
          ? json_line(*reply, "recording")
          : report::to_printable(fmt::format(
                "Recording QP {} for {} s, including earlier packets still in memory: {} in the daemon's folder "
                "of recordings",
                arguments.qp, arguments.seconds, reply->file())) +
                "\n");
  return kExitDone;
}

int run_history(api::Client& client, const ClientArguments& arguments, const Console& console,
                std::atomic<bool>& stop) {
  v1::QueryHistoryRequest request;
  request.set_kind(arguments.kind == "qps"          ? v1::QueryHistoryRequest::KIND_QPS
                   : arguments.kind == "operations" ? v1::QueryHistoryRequest::KIND_OPERATIONS
                   : arguments.kind == "states"     ? v1::QueryHistoryRequest::KIND_STATES
                   : arguments.kind == "heartbeats" ? v1::QueryHistoryRequest::KIND_HEARTBEATS
                   : arguments.kind == "summaries"  ? v1::QueryHistoryRequest::KIND_SUMMARIES
                                                    : v1::QueryHistoryRequest::KIND_FINDINGS);
  if (!arguments.host.empty()) request.set_host(arguments.host);
  if (!arguments.rule.empty()) request.set_rule(arguments.rule);
  if (!arguments.sensor.empty()) request.set_sensor(arguments.sensor);
  request.set_at_least(severity(arguments.at_least));
  if (!arguments.outcome.empty()) request.set_outcome(outcome(arguments.outcome));
  if (!arguments.community_id.empty()) request.set_community_id(arguments.community_id);
  for (const auto& [text, set] : {std::pair{&arguments.since, &v1::QueryHistoryRequest::set_from_time_ns},
                                  std::pair{&arguments.until, &v1::QueryHistoryRequest::set_to_time_ns}}) {
    if (text->empty()) continue;
    const auto time = time_of(*text);
    if (!time) {
      return complain(console, "history",
                      fmt::format("'{}' is not a time; write 2026-11-21 or 2026-11-21T13:05:30", *text));
    }
    (request.*set)(*time);
  }
  std::uint64_t left = arguments.limit == 0 ? 100 : arguments.limit;
  while (left != 0 && !stop) {
    request.set_most(static_cast<std::uint32_t>(std::min<std::uint64_t>(left, 1000)));
    const auto page = client.history(request);
    if (!page) return complain(console, "history", page.error());
    std::string out;
    for (const auto& row : page->rows()) {
      out += is_json(arguments) ? history_json(row.json(), row.run())
                                : report::date_time(TimePoint{row.time_ns()}) + "  " +
                                      report::to_printable((row.sensor().empty() ? "run " + row.run() : row.sensor()) +
                                                           "  " + history_words(row.json()));
      out += '\n';
    }
    console.out.write(out);
    left -= std::min<std::uint64_t>(left, static_cast<std::uint64_t>(page->rows_size()));
    if (console.out.has_failed() || !page->has_next()) break;
    request.set_before(page->next());
  }
  return kExitDone;
}

}  // namespace iwarpscope::cli
