// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// iwarpscope events
#include <fmt/format.h>

#include <utility>

#include "api/records.h"
#include "base/wording.h"
#include "cli/client_commands.h"
#include "cli/client_parts.h"
#include "cli/event_records.h"
#include "cli/exit_status.h"
#include "cli/stop_watcher.h"
#include "outputs/lines.h"
#include "report/json.h"

namespace iwarpscope::cli {
namespace {

/// The line of the event log, and the record's place at a centre, whose run is `run`. Empty: it is about no record.
std::string record_of(const v1::Event& event, const std::string& run) {
  std::string line;
  if (event.has_qp_ended()) {
    outputs::append_event(line, live::QpEnded{std::make_shared<const live::QpView>(api::from_v1(event.qp_ended()))});
  } else if (event.has_finding()) {
    if (auto view = api::from_v1(event.finding())) {
      outputs::append_finding(line, *view);
    } else {
      line = json_line(event.finding(), "finding");  // its rule is unknown to this program
    }
  }
  if (line.empty()) return line;
  line.pop_back();
  const std::uint64_t arrival =
      event.has_finding() ? event.finding().name().arrival() : event.qp_ended().name().arrival();
  if (arrival == 0) return line;
  line.pop_back();
  return line + ",\"place\":" + report::json_string(fmt::format("{}:{}", run, arrival)) + "}";
}

/// Prints what the daemon remembers after a place, and what is new.
class Events {
 public:
  Events(const ClientArguments& arguments, const Console& console, bool is_centre)
      : arguments_(arguments), printer_(arguments, console, is_centre) {}

  /// False: no more is wanted.
  bool take(const v1::SubscribeReply& reply) {
    if (reply.run_ended() && !std::exchange(is_reported_, true)) {
      printer_.other_run(after_.run_uuid, reply.place().run_uuid());
      after_.sequence = 0;
    }
    after_.run_uuid = reply.place().run_uuid();
    if (const std::uint64_t missing = reply.missing(); missing != missing_) {
      printer_.missing(after_, missing - std::exchange(missing_, missing));
    }
    for (const v1::Event& event : reply.events()) {
      const std::string line = record_of(event, after_.run_uuid);
      const TimePoint time{event.has_finding() ? event.finding().time_ns() : 0};
      if (!line.empty() && !printer_.record(line, time)) return false;
    }
    if (const std::uint64_t lost = reply.lost(); lost != lost_) {
      printer_.complain(fmt::format("{} were lost, because they arrived too fast",
                                    counted(lost - std::exchange(lost_, lost), "event")));
    }
    after_.sequence = reply.place().sequence();
    return arguments_.follow || after_.sequence < reply.last_sequence();
  }
  void begin(live::RecordPlace after) { after_ = std::move(after); }

 private:
  const ClientArguments& arguments_;
  EventPrinter printer_;
  live::RecordPlace after_;
  std::uint64_t missing_ = 0, lost_ = 0;
  bool is_reported_ = false;
};

}  // namespace

int run_events(api::Client& client, const ClientArguments& arguments, const Console& console, std::atomic<bool>& stop) {
  auto after = record_place(arguments.after);
  const auto status = client.status();
  if (!status) return complain(console, "events", status.error());
  if (!after) {  // from the first record of this run
    if (status->name().run_uuid().empty())
      return complain(console, "events", "this daemon does not number its records");
    after = live::RecordPlace{status->name().run_uuid()};
  }
  for (const v1::Output& output : status->outputs()) {  // a follower waits for it
    if (!arguments.follow && status->centre() && output.name() == "database" && !output.healthy())
      return complain(console, "events", "the database of the centre does not answer: " + output.trouble());
  }
  v1::SubscribeRequest request;
  request.set_qps(true);
  request.set_findings(true);
  request.set_at_least(severity(arguments.at_least));
  if (!arguments.sensor.empty()) request.set_sensor(arguments.sensor);
  request.set_detail(v1::QP_DETAIL_FULL);
  request.set_queue(65536);
  request.mutable_after()->set_run_uuid(after->run_uuid);
  request.mutable_after()->set_sequence(after->sequence);
  const StopWatcher watcher(stop, [&client] { client.stop(); });
  Events events(arguments, console, status->centre());
  events.begin(*std::move(after));
  const auto ended =
      client.subscribe(request, [&](const v1::SubscribeReply& reply) { return events.take(reply) && !stop; });
  return ended ? kExitDone : complain(console, "events", ended.error());
}

}  // namespace iwarpscope::cli
