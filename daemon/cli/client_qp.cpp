// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// iwarpscope qp
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "api/records.h"
#include "base/wording.h"
#include "cli/client_commands.h"
#include "cli/client_parts.h"
#include "cli/client_text.h"
#include "cli/client_timeline.h"
#include "cli/exit_status.h"
#include "live/qp_json.h"
#include "report/human.h"
#include "report/json.h"
#include "report/restart_words.h"
#include "report/text_parts.h"
#include "report/utf8.h"

namespace iwarpscope::cli {
namespace {

/// Request to response, as the report shows it.
void measure(report::Latencies& latencies, const std::optional<qp::ResponseLink>& link) {
  if (!link) {
    ++latencies.unanswered;
    return;
  }
  ++latencies.answered;
  if (latencies.last_octet.size() >= report::kLatencies) return;
  latencies.first_octet.push_back(link->first_octet_ns);
  latencies.last_octet.push_back(link->last_octet_ns);
}

void measure(report::QpLatencies& latencies, const qp::MessageRecord& message) {
  const std::size_t direction = index(message.direction);
  if (const auto* read = std::get_if<qp::ReadRequestDetail>(&message.detail)) {
    measure(latencies.reads[direction], read->response);
  } else if (const auto* atomic = std::get_if<qp::AtomicRequestDetail>(&message.detail)) {
    measure(latencies.atomics[direction], atomic->response);
  }
}

/// The messages of a queue pair: latencies of all, and lines of those to print.
struct Messages {
  report::QpLatencies latencies;
  std::string lines;
  std::uint64_t discarded = 0;
};

std::optional<api::Failure> read_messages(api::Client& client, const ClientArguments& arguments,
                                          const std::atomic<bool>& stop, Messages& out, Timeline& timeline) {
  v1::ListMessagesRequest request;
  request.set_qp(arguments.qp);
  request.set_most(5000);
  const report::Paint paint(false);
  return pages<v1::ListMessagesRequest, v1::ListMessagesReply>(
      client, &api::Client::messages, request, &stop, [&](const v1::ListMessagesReply& page) {
        out.discarded = page.discarded();
        for (const v1::Message& message : page.messages()) {
          const qp::MessageRecord record = api::from_v1(message);
          measure(out.latencies, record);
          if (arguments.timeline) timeline.add(message, arguments.messages);
          if (!arguments.messages || arguments.timeline) continue;
          is_json(arguments) ? report::append_json(out.lines, record)
                             : report::append_message(out.lines, paint, record);
        }
        return true;
      });
}

/// Returns the failure, if any.
std::optional<api::Failure> read_transport(api::Client& client, const ClientArguments& arguments,
                                           const std::atomic<bool>& stop, Timeline& timeline) {
  v1::ListTransportEventsRequest request;
  request.set_qp(arguments.qp);
  request.set_most(5000);
  std::uint64_t discarded = 0;
  auto failure = pages<v1::ListTransportEventsRequest, v1::ListTransportEventsReply>(
      client, &api::Client::transport, request, &stop, [&](const v1::ListTransportEventsReply& page) {
        discarded = page.discarded();
        for (const v1::TransportEvent& event : page.events()) timeline.add(event);
        return true;
      });
  timeline.discarded(discarded);
  return failure;
}

/// The verdict about the connection in a record "joined"; empty: no tap has one.
std::string verdict_of_all(const std::string& joined) {
  const nlohmann::json record = nlohmann::json::parse(joined, nullptr, /*allow_exceptions=*/false);
  const nlohmann::json verdict = record.is_object() ? record.value("verdict", nlohmann::json()) : nlohmann::json();
  if (!verdict.is_object()) return {};
  const auto text = [&](const char* key) {
    const auto found = verdict.find(key);
    return found != verdict.end() && found->is_string() ? report::to_printable(found->get<std::string>())
                                                        : std::string{};
  };
  std::string out = fmt::format("  Verdict of the connection: {}, blame: {}, {} ({})", text("outcome"), text("blame"),
                                text("confidence"), text("code"));
  if (const std::string tap = text("tap"); !tap.empty()) out += fmt::format(", as {} saw it", tap);
  return out + "\n";
}

/// What the sensors that saw the connection know together.
std::string joined_text(const v1::JoinedConnection& joined, std::uint64_t own) {
  std::string text;
  for (const v1::JoinedConnection::View& view : joined.views()) {
    if (view.qp() == own) continue;
    text += fmt::format("  Also seen at {}: QP {} of sensor {}\n", report::to_printable(view.tap()), view.qp(),
                        report::to_printable(view.sensor()));
  }
  for (const std::string& sentence : joined.sentences()) text += "  " + report::to_printable(sentence) + "\n";
  text += verdict_of_all(joined.json());
  if (!joined.has_clock_bound_ns()) return text + "  Clocks: not compared, not all of them are synchronized\n";
  return text + fmt::format("  Clocks: they differ by {} at most\n", report::human_duration(joined.clock_bound_ns()));
}

std::string qp_text(const live::QpView& view, const Messages& messages, std::size_t columns) {
  const report::Paint paint(false, columns);
  std::string text;
  report::append_qp(text, paint, view.record, messages.latencies);
  text = printable_lines(text);
  for (const auto& [part, value] : view.name.parts()) {
    if (part == "community_id") text += "  Community ID: " + report::to_printable(value) + "\n";
    if (part == "interface") text += "  Interface of its last frame: " + report::to_printable(value) + "\n";
    if (part == "tap_group") text += "  Tap group: " + report::to_printable(value) + "\n";
  }
  if (view.continued) text += fmt::format("  {}\n", report::kContinued);
  text += fmt::format("  Findings: {}, {}, {}\n", counted(view.findings.errors, "error"),
                      counted(view.findings.warnings, "warning"), counted(view.findings.notes, "note"));
  text += "  Lost by the capture during its lifetime: " + losses_text(view.losses) + "\n";
  if (messages.discarded != 0) {
    text += fmt::format("  {} already discarded\n", counted(messages.discarded, "older message"));
  }
  return text;
}

}  // namespace

int run_qp(api::Client& client, const ClientArguments& arguments, const Console& console, std::atomic<bool>& stop) {
  const auto qp = client.qp(arguments.qp);
  if (!qp) return complain(console, "qp", qp.error());
  const live::QpView view = api::from_v1(*qp);
  Messages messages;
  Timeline timeline(is_json(arguments));
  // Only the sensor has messages and events: what a centre knows without them is shown in any case.
  const bool lists = arguments.messages || arguments.timeline;
  std::optional<api::Failure> trouble;
  if (!is_json(arguments) || lists) trouble = read_messages(client, arguments, stop, messages, timeline);
  if (arguments.timeline) {
    timeline.add(*qp);
    if (!trouble) trouble = read_transport(client, arguments, stop, timeline);
  }
  std::string text;
  if (is_json(arguments)) {
    live::append_json(text, view);
  } else {
    text = qp_text(view, messages, report_columns(console.out));
    if (is_centre(client))
      text += "  Sensor: " + report::to_printable(view.name.origin ? view.name.origin->sensor : "unknown") + "\n";
    if (qp->has_joined()) text += joined_text(qp->joined(), arguments.qp);
  }
  v1::ListFindingsRequest request;
  request.mutable_filter()->set_qp(arguments.qp);
  std::string findings;
  auto failure = pages<v1::ListFindingsRequest, v1::ListFindingsReply>(
      client, &api::Client::findings, request, &stop, [&](const v1::ListFindingsReply& page) {
        for (const v1::Finding& finding : page.findings()) {
          if (arguments.timeline) {
            timeline.add(finding);
          } else {
            findings += is_json(arguments) ? finding_json(finding) : finding_line(finding, false);
          }
        }
        return true;
      });
  if (stop) return kExitInterrupted;
  // In text the heading comes first; in JSON the record comes last, as in the report.
  const std::string parts = messages.lines + timeline.take() + findings;
  console.out.write(is_json(arguments) ? parts + text : text + parts);
  if (failure) return complain(console, "qp", *failure);
  if (!trouble) return kExitDone;
  const int status = complain(console, "qp", *trouble);
  return lists ? status : kExitDone;
}

}  // namespace iwarpscope::cli
