// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// iwarpscope findings
#include <fmt/format.h>

#include <optional>
#include <utility>

#include "api/records.h"
#include "cli/client_commands.h"
#include "cli/client_parts.h"
#include "cli/client_text.h"
#include "cli/exit_status.h"
#include "cli/stop_watcher.h"
#include "findings/catalogue.h"
#include "report/human.h"

namespace iwarpscope::cli {
namespace {

constexpr std::size_t kDateAndMinutes = 16;  // letters

v1::ListFindingsRequest findings_request(const ClientArguments& a) {
  v1::ListFindingsRequest request;
  request.set_most(2000);
  v1::FindingFilter& filter = *request.mutable_filter();
  filter.set_at_least(severity(a.at_least));
  if (!a.rule.empty()) filter.set_rule(a.rule);
  if (!a.host.empty()) filter.set_host(a.host);
  if (!a.sensor.empty()) filter.set_sensor(a.sensor);
  return request;
}

/// Prints the findings of a running daemon: existing ones, and new ones.
class Findings {
 public:
  Findings(api::Client& client, const ClientArguments& arguments, const Console& console, std::atomic<bool>& stop)
      : client_(client), arguments_(arguments), console_(console), stop_(stop), is_centre_(is_centre(client)) {}

  int list() {
    std::optional<std::int64_t> since;
    const auto take = [&](const v1::ListFindingsReply& page) {
      if (page.has_since_time_ns()) since = page.since_time_ns();
      for (const v1::Finding& finding : page.findings()) {
        if (!print(finding)) return false;
      }
      return true;
    };
    const auto failure = pages<v1::ListFindingsRequest, v1::ListFindingsReply>(
        client_, &api::Client::findings, findings_request(arguments_), &stop_, take);
    if (failure) return complain(console_, "findings", *failure);
    if (since && !is_json(arguments_) && !arguments_.follow) {
      console_.complain(fmt::format("findings: what arrived since {} UTC; `iwarpscope history` has older ones",
                                    report::date_time(TimePoint{*since}).substr(0, kDateAndMinutes)));
    }
    return kExitDone;
  }

  int follow() {
    const auto filter = api::from_v1(findings_request(arguments_).filter());
    if (!filter) return complain(console_, "findings", filter.error());
    const StopWatcher watcher(stop_, [this] { client_.stop(); });
    v1::SubscribeRequest request;
    request.set_findings(true);
    request.set_at_least(severity(arguments_.at_least));
    if (!arguments_.sensor.empty()) request.set_sensor(arguments_.sensor);
    request.set_queue(65536);
    bool listed = false;
    int result = kExitDone;
    std::uint64_t lost = 0;
    const auto ended = client_.subscribe(request, [&](const v1::SubscribeReply& reply) {
      // The list is read after the subscription has begun, so that no finding is missed between the two.
      if (!std::exchange(listed, true)) result = list();
      if (result != kExitDone || (arguments_.limit != 0 && printed_ >= arguments_.limit)) return false;
      if (reply.lost() != lost) {
        console_.complain(fmt::format("findings: {} were lost, because they arrived too fast", reply.lost() - lost));
        lost = reply.lost();
      }
      for (const v1::Event& event : reply.events()) {
        if (event.has_finding() && is_wanted(event.finding(), *filter) && !print(event.finding())) return false;
      }
      return !stop_;
    });
    return ended ? result : complain(console_, "findings", ended.error());
  }

 private:
  /// A subscription has no filter for rules and hosts, and repeats findings of the list.
  [[nodiscard]] bool is_wanted(const v1::Finding& finding, const live::FindingFilter& filter) const {
    if (finding.sequence() <= last_) return false;
    const auto view = api::from_v1(finding);
    if (view) return filter.matches(*view);
    return arguments_.host.empty() && arguments_.rule.empty();  // its rule is unknown to this program
  }
  bool print(const v1::Finding& finding) {
    last_ = finding.sequence();
    console_.out.write(is_json(arguments_) ? finding_json(finding) : finding_line(finding, is_centre_));
    return !console_.out.has_failed() && ++printed_ != arguments_.limit;
  }

  api::Client& client_;
  const ClientArguments& arguments_;
  const Console& console_;
  std::atomic<bool>& stop_;
  const bool is_centre_;
  std::uint64_t last_ = 0, printed_ = 0;
};

}  // namespace

int run_findings(api::Client& client, const ClientArguments& arguments, const Console& console,
                 std::atomic<bool>& stop) {
  if (!arguments.rule.empty() && findings::find_rule(arguments.rule) == nullptr) {
    return complain(console, "findings",
                    fmt::format("unknown rule '{}'; iwarpscope rules lists all rules", arguments.rule));
  }
  Findings findings(client, arguments, console, stop);
  return arguments.follow ? findings.follow() : findings.list();
}

}  // namespace iwarpscope::cli
