// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/watch_json.h"

#include <nlohmann/json.hpp>

#include <string>
#include <string_view>

#include "cli/qps_table.h"
#include "findings/catalogue.h"

namespace iwarpscope::cli {
namespace {

using Json = nlohmann::ordered_json;

Json name_or_null(const std::string& text) {
  return text.empty() ? Json(nullptr) : Json(text);
}

Json watched_end(const net::Endpoint& end) {
  return {{"address", end.address.text()}, {"port", end.port}};
}

Json watched_verdict(const std::optional<qp::VerdictRecord>& verdict) {
  if (!verdict) return nullptr;
  return {{"id", verdict->id},
          {"code", verdict->code},
          {"outcome", qp::name(verdict->outcome)},
          {"class", qp::name(verdict->outcome)},  // its name in earlier reports
          {"blame", qp::name(verdict->blame)},
          {"confidence", qp::name(verdict->confidence)}};
}

Json watched_finding(const live::FindingCounts& counts) {
  if (!counts.worst) return nullptr;
  const findings::Rule& rule = findings::rule(*counts.worst);
  return {{"id", rule.name}, {"code", rule.code}, {"severity", findings::name(rule.severity)}};
}

}  // namespace

std::string watch_row_json(const live::QpView& view, std::int64_t capture_time_ns) {
  const qp::QpRecord& r = view.record;
  const Json row = {
      {"qp", r.qp},
      {"a", watched_end(r.a)},
      {"b", watched_end(r.b)},
      {"interface", name_or_null(view.name.interface)},
      {"tap_group", name_or_null(view.name.tap_group)},
      {"ulp", r.ulp ? Json(std::string{*r.ulp}) : Json(nullptr)},
      {"state", qp::name(r.state)},
      {"ended", view.ended},
      {"payload_octets_per_second", static_cast<std::uint64_t>(current_rate(view, capture_time_ns))},
      {"waiting", outstanding(view)},
      {"findings",
       {{"errors", view.findings.errors}, {"warnings", view.findings.warnings}, {"notes", view.findings.notes}}},
      {"worst_finding", watched_finding(view.findings)},
      {"verdict", watched_verdict(r.verdict)},
      {"losses",
       {{"nic_frames", view.losses.nic},
        {"kernel_frames", view.losses.kernel},
        {"queue_frames", view.losses.queue},
        {"gap_octets", view.losses.gap_octets},
        {"gap_messages", view.losses.gap_messages}}}};
  return row.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace iwarpscope::cli
