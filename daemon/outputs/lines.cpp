// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "outputs/lines.h"

#include <iterator>
#include <string_view>

#include <fmt/format.h>

#include "live/qp_json.h"
#include "report/json.h"

namespace iwarpscope::outputs {
namespace {

std::string end_json(const net::Endpoint& end) {
  return fmt::format(R"({{"address":"{}","port":{}}})", end.address.text(), end.port);
}

}  // namespace

void append_run(std::string& out, const Run& run, const live::RecordName& last) {
  constexpr std::int64_t kSecond = 1'000'000'000;
  fmt::format_to(std::back_inserter(out), R"({{"record":"run","format":{},"run":{},"version":{},"started":"{}.{:09}",)",
                 report::kFormat, report::json_string(run.id), report::json_string(run.version),
                 run.started.ns / kSecond, run.started.ns % kSecond);
  live::append_run_members(out, last);
  out += "}\n";
}

void append_lost(std::string& out, const live::RecordName& last, std::uint64_t count) {
  out += R"({"record":"lost",)";
  live::append_run_members(out, last);
  out += fmt::format(",\"count\":{}}}\n", count);
}

std::string ends_json(const std::optional<std::pair<net::Endpoint, net::Endpoint>>& ends) {
  if (!ends) return R"("a":null,"b":null)";
  return fmt::format(R"("a":{},"b":{})", end_json(ends->first), end_json(ends->second));
}

void append_named(std::string& out, const live::RecordName& name) {
  live::append_members(out, name);
  out += R"(,"community_id":)" + (name.community_id.empty() ? "null" : report::json_string(name.community_id));
}

void append_finding(std::string& out, const live::FindingView& finding) {
  report::append_json(out, finding.finding);
  out.resize(out.size() - 2);  // "}\n"
  out += "," + ends_json(finding.ends) + ",";
  append_named(out, live::named(finding));
  out += "}\n";
}

bool append_event(std::string& out, const live::Event& event) {
  if (const auto* finding = std::get_if<live::FindingReported>(&event)) {
    append_finding(out, *finding->finding);
    return true;
  }
  if (const auto* ended = std::get_if<live::QpEnded>(&event)) {
    live::append_json(out, *ended->qp);
    return true;
  }
  return false;
}

}  // namespace iwarpscope::outputs
