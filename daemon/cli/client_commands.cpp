#include "cli/client_commands.h"

#include <fmt/format.h>
#include <google/protobuf/util/json_util.h>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <functional>
#include <utility>

#include "api/records.h"
#include "base/wording.h"
#include "cli/client_text.h"
#include "cli/exit_status.h"
#include "cli/stop_watcher.h"
#include "findings/catalogue.h"
#include "iwarpscope/v1/control.pb.h"
#include "iwarpscope/v1/observer.pb.h"
#include "report/human.h"
#include "report/json.h"
#include "report/text_parts.h"
#include "report/utf8.h"

namespace iwarpscope::cli {
namespace {

/// Complains, and is the exit status.
int complain(const Console& console, std::string_view command, const api::Failure& failure) {
  console.complain(fmt::format("{}: {}", command, failure.sentence));
  return kExitTrouble;
}
int complain(const Console& console, std::string_view command, const std::string& sentence) {
  return complain(console, command, api::Failure{api::Failure::Kind::refused, sentence});
}

bool is_json(const ClientArguments& arguments) {
  return arguments.format == "json";
}

/// A message as protobuf writes it in JSON, with the name of the record before its fields.
std::string json_line(const google::protobuf::Message& message, const std::string& record) {
  google::protobuf::util::JsonPrintOptions options;
  options.preserve_proto_field_names = true;
  options.always_print_primitive_fields = true;
  std::string text;
  (void)google::protobuf::util::MessageToJsonString(message, &text, options);
  const bool is_empty = text.size() <= 2;
  return "{\"record\":\"" + record + "\"" + (is_empty ? "" : ",") + text.substr(1) + "\n";
}

v1::Severity severity(const std::string& word) {
  if (word == "error") return v1::SEVERITY_ERROR;
  if (word == "warning") return v1::SEVERITY_WARNING;
  return word == "note" ? v1::SEVERITY_NOTE : v1::SEVERITY_UNSPECIFIED;
}

/// The enumerator of a word that the parser has checked.
template <class Enum>
Enum enumerator(const std::string& word, std::string_view prefix, bool (*parse)(const std::string&, Enum*)) {
  Enum value{};
  std::string name{prefix};
  for (const char c : word) name += c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  (void)parse(name, &value);
  return value;
}
v1::Outcome outcome(const std::string& word) {
  return enumerator<v1::Outcome>(
      word, "OUTCOME_", [](const std::string& name, v1::Outcome* value) { return v1::Outcome_Parse(name, value); });
}
v1::QpState state(const std::string& word) {
  return enumerator<v1::QpState>(
      word, "QP_STATE_", [](const std::string& name, v1::QpState* value) { return v1::QpState_Parse(name, value); });
}

/// "2026-11-21", with "T13:05" or "T13:05:30", UTC. Nothing: it is no such time.
std::optional<std::int64_t> time_of(const std::string& text) {
  for (const char* format : {"%Y-%m-%dT%H:%M:%S", "%Y-%m-%dT%H:%M", "%Y-%m-%d"}) {
    std::tm time{};
    const char* end = ::strptime(text.c_str(), format, &time);
    if (end != nullptr && *end == '\0') return std::int64_t{::timegm(&time)} * 1'000'000'000;
  }
  return std::nullopt;
}

std::int64_t capture_time(api::Client& client) {
  const auto status = client.status();
  return status ? status->capture_time_ns() : 0;
}

/// Pages until `take` (a reply; returns whether it wants more) or the pages end. Returns why there is no answer.
template <class Request, class Reply>
std::optional<api::Failure> pages(api::Client& client, api::Client::Answer<Reply> (api::Client::*ask)(const Request&),
                                  Request request, const std::atomic<bool>& stop,
                                  const std::function<bool(const Reply&)>& take) {
  while (!stop) {
    auto page = (client.*ask)(request);
    if (!page) return page.error();
    if (!take(*page) || !page->has_next()) return std::nullopt;
    request.set_from(page->next());
  }
  return std::nullopt;
}

std::string finding_json(const v1::Finding& finding) {
  const auto view = api::from_v1(finding);
  if (!view) return json_line(finding, "finding");  // of a rule that this program does not know
  std::string out;
  report::append_json(out, view->finding);
  return out;
}

v1::ListFindingsRequest findings_request(const ClientArguments& a) {
  v1::ListFindingsRequest request;
  request.set_most(2000);
  v1::FindingFilter& filter = *request.mutable_filter();
  filter.set_at_least(severity(a.at_least));
  if (!a.rule.empty()) filter.set_rule(a.rule);
  if (!a.host.empty()) filter.set_host(a.host);
  return request;
}

/// Prints the findings of a running daemon: those there are, and those that come.
class Findings {
 public:
  Findings(api::Client& client, const ClientArguments& arguments, const Console& console, std::atomic<bool>& stop)
      : client_(client), arguments_(arguments), console_(console), stop_(stop) {}

  int list() {
    const auto take = [this](const v1::ListFindingsReply& page) {
      for (const v1::Finding& finding : page.findings()) {
        if (!print(finding)) return false;
      }
      return true;
    };
    const auto failure = pages<v1::ListFindingsRequest, v1::ListFindingsReply>(
        client_, &api::Client::findings, findings_request(arguments_), stop_, take);
    return failure ? complain(console_, "findings", *failure) : kExitDone;
  }

  int follow() {
    const StopWatcher watcher(stop_, [this] { client_.stop_streams(); });
    v1::SubscribeRequest request;
    request.set_findings(true);
    request.set_at_least(severity(arguments_.at_least));
    request.set_queue(65536);
    bool listed = false;
    int result = kExitDone;
    std::uint64_t lost = 0;
    const auto ended = client_.subscribe(request, [&](const v1::SubscribeReply& reply) {
      // Subscribed first, so that none between the two is missed.
      if (!std::exchange(listed, true)) result = list();
      if (result != kExitDone) return false;
      if (reply.lost() != lost) {
        console_.complain(fmt::format("findings: {} came too fast and were lost here", reply.lost() - lost));
        lost = reply.lost();
      }
      for (const v1::Happening& happening : reply.happenings()) {
        if (happening.has_finding() && is_wanted(happening.finding()) && !print(happening.finding())) return false;
      }
      return !stop_;
    });
    return ended ? result : complain(console_, "findings", ended.error());
  }

 private:
  /// Subscriptions know no rules and hosts, and begin with what the list had.
  [[nodiscard]] bool is_wanted(const v1::Finding& finding) const {
    if (finding.sequence() <= last_) return false;
    if (!arguments_.host.empty() && finding.a().address() != arguments_.host &&
        finding.b().address() != arguments_.host) {
      return false;
    }
    if (arguments_.rule.empty()) return true;
    const findings::Rule* rule = findings::find_rule(arguments_.rule);
    return rule != nullptr && rule->name == finding.rule();
  }
  bool print(const v1::Finding& finding) {
    last_ = finding.sequence();
    console_.out.write(is_json(arguments_) ? finding_json(finding) : finding_line(finding));
    return !console_.out.has_failed() && ++printed_ != arguments_.limit;
  }

  api::Client& client_;
  const ClientArguments& arguments_;
  const Console& console_;
  std::atomic<bool>& stop_;
  std::uint64_t last_ = 0, printed_ = 0;
};

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

/// The messages of a queue pair, latencies of all and lines of those that are wanted.
struct Messages {
  report::QpLatencies latencies;
  std::string lines;
  std::uint64_t forgotten = 0;
};

std::optional<api::Failure> read_messages(api::Client& client, const ClientArguments& arguments,
                                          const std::atomic<bool>& stop, Messages& out) {
  v1::ListMessagesRequest request;
  request.set_qp(arguments.qp);
  request.set_most(5000);
  const report::Paint paint(false);
  return pages<v1::ListMessagesRequest, v1::ListMessagesReply>(
      client, &api::Client::messages, request, stop, [&](const v1::ListMessagesReply& page) {
        out.forgotten = page.forgotten();
        for (const v1::Message& message : page.messages()) {
          const qp::MessageRecord record = api::from_v1(message);
          measure(out.latencies, record);
          if (!arguments.messages) continue;
          is_json(arguments) ? report::append_json(out.lines, record)
                             : report::append_message(out.lines, paint, record);
        }
        return true;
      });
}

std::string qp_text(const live::QpView& view, const Messages& messages, std::size_t width) {
  const report::Paint paint(false, width);
  std::string text;
  report::append_qp(text, paint, view.record, messages.latencies);
  text += fmt::format("  Findings: {} errors, {} warnings, {} notes\n", view.findings.errors, view.findings.warnings,
                      view.findings.notes);
  v1::Losses losses;
  losses.set_nic_frames(view.losses.nic);
  losses.set_kernel_frames(view.losses.kernel);
  losses.set_queue_frames(view.losses.queue);
  losses.set_gap_octets(view.losses.gap_octets);
  text += "  Lost by the capture while it was there: " + losses_text(losses) + "\n";
  if (messages.forgotten != 0) {
    text += fmt::format("  {} are no longer remembered\n", counted(messages.forgotten, "older message"));
  }
  return text;
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
  if (!arguments.state.empty()) filter.set_state(state(arguments.state));
  if (!arguments.outcome.empty()) filter.set_outcome(outcome(arguments.outcome));
  filter.set_at_least(severity(arguments.at_least));
  filter.set_without_ended(arguments.open);
  request.set_detail(is_json(arguments) ? v1::QP_DETAIL_FULL : v1::QP_DETAIL_ROW);
  request.set_most(5000);
  std::vector<live::QpView> views;
  std::uint64_t count = 0;
  const auto failure = pages<v1::ListQpsRequest, v1::ListQpsReply>(
      client, &api::Client::qps, request, stop, [&](const v1::ListQpsReply& page) {
        std::string lines;
        bool more = true;
        for (const v1::QueuePair& qp : page.qps()) {
          is_json(arguments) ? report::append_json(lines, api::from_v1(qp).record)
                             : static_cast<void>(views.push_back(api::from_v1(qp)));
          more = ++count != arguments.limit;
          if (!more) break;
        }
        console.out.write(lines);
        return more && !console.out.has_failed();
      });
  if (failure) return complain(console, "qps", *failure);
  if (stop) return kExitInterrupted;
  if (!is_json(arguments))
    console.out.write(views.empty() ? "No queue pairs.\n" : qps_table(views, capture_time(client)));
  return kExitDone;
}

int run_qp(api::Client& client, const ClientArguments& arguments, const Console& console, std::atomic<bool>& stop) {
  const auto qp = client.qp(arguments.qp);
  if (!qp) return complain(console, "qp", qp.error());
  const live::QpView view = api::from_v1(*qp);
  Messages messages;
  if (!is_json(arguments) || arguments.messages) {
    if (const auto failure = read_messages(client, arguments, stop, messages)) return complain(console, "qp", *failure);
  }
  std::string text;
  if (is_json(arguments)) {
    report::append_json(text, view.record);
  } else {
    text = qp_text(view, messages, sentence_width(console.out));
  }
  v1::ListFindingsRequest request;
  request.mutable_filter()->set_qp(arguments.qp);
  std::string findings;
  const auto failure = pages<v1::ListFindingsRequest, v1::ListFindingsReply>(
      client, &api::Client::findings, request, stop, [&](const v1::ListFindingsReply& page) {
        for (const v1::Finding& finding : page.findings()) {
          findings += is_json(arguments) ? finding_json(finding) : finding_line(finding);
        }
        return true;
      });
  if (failure) return complain(console, "qp", *failure);
  console.out.write(messages.lines + findings + text);
  return kExitDone;
}

int run_findings(api::Client& client, const ClientArguments& arguments, const Console& console,
                 std::atomic<bool>& stop) {
  if (!arguments.rule.empty() && findings::find_rule(arguments.rule) == nullptr) {
    return complain(console, "findings",
                    fmt::format("there is no rule '{}'; iwarpscope rules lists them all", arguments.rule));
  }
  Findings findings(client, arguments, console, stop);
  return arguments.follow ? findings.follow() : findings.list();
}

int run_record(api::Client& client, const ClientArguments& arguments, const Console& console, std::atomic<bool>&) {
  v1::StartRecordingRequest request;
  request.set_qp(arguments.qp);
  request.set_seconds(arguments.seconds);
  request.set_reason(arguments.reason);
  const auto reply = client.record(request);
  if (!reply) return complain(console, "record", reply.error());
  console.out.write(is_json(arguments)
                        ? json_line(*reply, "recording")
                        : report::to_printable(fmt::format(
                              "Recording QP {} for {} s and what is kept of the past: {} in the daemon's folder of "
                              "recordings",
                              arguments.qp, arguments.seconds, reply->file())) +
                              "\n");
  return kExitDone;
}

int run_history(api::Client& client, const ClientArguments& arguments, const Console& console,
                std::atomic<bool>& stop) {
  v1::QueryHistoryRequest request;
  request.set_kind(arguments.kind == "qps"          ? v1::QueryHistoryRequest::KIND_QPS
                   : arguments.kind == "operations" ? v1::QueryHistoryRequest::KIND_OPERATIONS
                                                    : v1::QueryHistoryRequest::KIND_FINDINGS);
  if (!arguments.host.empty()) request.set_host(arguments.host);
  if (!arguments.rule.empty()) request.set_rule(arguments.rule);
  request.set_at_least(severity(arguments.at_least));
  if (!arguments.outcome.empty()) request.set_outcome(outcome(arguments.outcome));
  for (const auto& [text, set] : {std::pair{&arguments.since, &v1::QueryHistoryRequest::set_from_time_ns},
                                  std::pair{&arguments.until, &v1::QueryHistoryRequest::set_to_time_ns}}) {
    if (text->empty()) continue;
    const auto time = time_of(*text);
    if (!time) {
      return complain(console, "history",
                      fmt::format("'{}' is no time; times look like 2026-11-21 or 2026-11-21T13:05:30", *text));
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
      out += is_json(arguments)
                 ? row.json()
                 : report::date_time(TimePoint{row.time_ns()}) + "  " + report::to_printable(history_words(row.json()));
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
