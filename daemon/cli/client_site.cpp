// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// iwarpscope site
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string_view>

#include "api/enums.h"
#include "api/records.h"
#include "base/wording.h"
#include "cli/client_commands.h"
#include "cli/client_parts.h"
#include "cli/client_text.h"
#include "cli/exit_status.h"
#include "findings/catalogue.h"
#include "report/human.h"
#include "report/utf8.h"

namespace iwarpscope::cli {
namespace {

constexpr std::size_t kMostNames = 4;  // in a list

std::string heading(std::string_view label, std::string_view text) {
  return fmt::format("{:<14} {}\n", label, report::to_printable(std::string(text)));
}

template <class Names>
std::string listed(const Names& names) {
  std::string out;
  std::size_t n = 0;
  for (const std::string& name : names) {
    if (n++ == kMostNames) return out + fmt::format(" and {} more", names.size() - static_cast<int>(kMostNames));
    out += (out.empty() ? "" : ", ") + name;
  }
  return out;
}

/// Which sensors have which value of something that should be the same for all: "0.1.0 (2 sensors); 0.2.0 (rack3)".
std::string skew(const std::map<std::string, std::vector<std::string>>& by_value) {
  if (by_value.empty()) return "not known";
  if (by_value.size() == 1) return fmt::format("{}, all the same", by_value.begin()->first);
  std::vector<const std::pair<const std::string, std::vector<std::string>>*> order;
  order.reserve(by_value.size());
  for (const auto& one : by_value) order.push_back(&one);
  std::stable_sort(order.begin(), order.end(), [](auto l, auto r) { return l->second.size() > r->second.size(); });
  std::string out;
  for (const auto* one : order) {
    struct Sized {
      const std::vector<std::string>& names;
      [[nodiscard]] auto begin() const { return names.begin(); }
      [[nodiscard]] auto end() const { return names.end(); }
      [[nodiscard]] int size() const { return static_cast<int>(names.size()); }
    };
    out += fmt::format("{}{} on {}", out.empty() ? "" : "; ", one->first, listed(Sized{one->second}));
  }
  return out;
}

std::string health_text(const v1::Status& status) {
  std::string out = heading("Site", sensors_count(status));
  std::map<std::string, std::vector<std::string>> versions, configurations;
  std::string lossy;
  for (const v1::SensorStatus& sensor : status.sensors()) {
    if (!sensor.version().empty()) versions[sensor.version()].push_back(sensor.name());
    if (sensor.has_configuration()) configurations[sensor.configuration().hash()].push_back(sensor.name());
    if (const live::Losses lost = api::losses(sensor.losses()); lost.any())
      lossy += heading(lossy.empty() ? "Capture loss" : "", sensor.name() + ": " + losses_text(lost));
  }
  out += heading("Versions", skew(versions));
  out += heading("Configuration", skew(configurations));
  out += lossy.empty() ? heading("Capture loss", "no sensor lost anything") : lossy;
  std::string_view label = "Trouble";
  for (const v1::SensorStatus& sensor : status.sensors()) {
    if (sensor.trouble().empty()) continue;
    out += heading(label, sensor.name() + ": " + sensor.trouble());
    label = "";
  }
  return out;
}

std::string news_text(const v1::Site& site) {
  if (site.news_size() == 0) return "\nNothing new since yesterday.\n";
  std::string out = "\nNew since yesterday:\n";
  for (const v1::SiteNews& news : site.news()) {
    const findings::Rule* const rule = findings::find_rule(news.rule());
    const auto severity = api::enum_from_v1<findings::Severity>(news.severity());
    std::string text = fmt::format(
        "  {:<7}  {}{}: {}, first after {} UTC, seen by {}", severity ? findings::name(*severity) : "unknown",
        news.rule(), rule == nullptr ? "" : fmt::format(" ({})", rule->code), counted(news.count(), "finding"),
        report::date_time(TimePoint{news.first_time_ns()}).substr(0, 16), listed(news.sensors()));
    if (!news.a().empty()) text += fmt::format("; most between {} and {}", news.a(), news.b());
    out += report::to_printable(text) + "\n";
  }
  return out;
}

/// One character for each bucket.
std::string bar(const v1::SitePair& pair) {
  constexpr std::string_view kLevels = ".:+*#";  // none, one, some, more, most
  const std::uint32_t most = pair.failed_by_bucket().empty()
                                 ? 0
                                 : *std::max_element(pair.failed_by_bucket().begin(), pair.failed_by_bucket().end());
  std::string out;
  for (const std::uint32_t failed : pair.failed_by_bucket()) {
    const std::size_t level =
        failed == 0 ? 0 : 1 + (std::uint64_t{failed} - 1) * (kLevels.size() - 2) / std::max(most, 1U);
    out += kLevels[std::min(level, kLevels.size() - 1)];
  }
  return out;
}

std::string pairs_text(const v1::Site& site, unsigned days) {
  if (site.pairs_size() == 0)
    return fmt::format("\nNo queue pair failed, was refused or stalled in {}.\n", counted(days, "day"));
  std::string out = fmt::format(
      "\nPairs of hosts whose queue pairs failed, were refused or stalled in {}, one character a day, oldest first:\n",
      counted(days, "day"));
  for (const v1::SitePair& pair : site.pairs()) {
    out += report::to_printable(fmt::format(
               "  [{}]  {} - {}: {} of {} failed, were refused or stalled on {}{}; seen by {}", bar(pair), pair.a(),
               pair.b(), pair.failed(), counted(pair.qps(), "queue pair"), counted(pair.days(), "day"),
               pair.rule().empty() ? "" : "; most hours with " + pair.rule(), listed(pair.sensors()))) +
           "\n";
  }
  return out;
}

std::string places_text(const v1::Site& site) {
  if (site.connections_size() == 0) return {};
  std::string out = "\nLoss or damage between taps, newest first:\n";
  for (const v1::JoinedConnection& joined : site.connections()) {
    std::string views;
    for (const v1::JoinedConnection::View& view : joined.views())
      views += fmt::format("{}QP {} at {}", views.empty() ? "" : ", ", view.qp(), view.tap());
    out += report::to_printable(
               fmt::format("  {}  {}", report::date_time(TimePoint{joined.last_time_ns()}).substr(0, 19), views)) +
           "\n";
    for (const std::string& sentence : joined.sentences()) out += "    " + report::to_printable(sentence) + "\n";
  }
  return out;
}

}  // namespace

int run_site(api::Client& client, const ClientArguments& arguments, const Console& console, std::atomic<bool>&) {
  v1::GetSiteRequest request;
  request.set_days(arguments.days);
  request.set_most(static_cast<std::uint32_t>(std::min<std::uint64_t>(arguments.limit, 1000)));
  if (!arguments.sensor.empty()) request.set_sensor(arguments.sensor);
  const auto site = client.site(request);
  if (!site) return complain(console, "site", site.error());
  const auto status = client.status();
  if (!status) return complain(console, "site", status.error());
  if (is_json(arguments)) {
    console.out.write(json_line(*status, "status") + json_line(*site, "site"));
    return kExitDone;
  }
  console.out.write(health_text(*status) + news_text(*site) + places_text(*site) + pairs_text(*site, arguments.days));
  return kExitDone;
}

}  // namespace iwarpscope::cli
