// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/client_timeline.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "api/enums.h"
#include "api/records.h"
#include "base/wording.h"
#include "cli/client_parts.h"
#include "cli/client_text.h"
#include "report/human.h"
#include "report/json.h"
#include "report/qp_events.h"
#include "report/text_parts.h"
#include "report/utf8.h"

namespace iwarpscope::cli {
namespace {

/// As docs/json-report.md writes times.
std::string seconds_text(std::int64_t ns) {
  const std::uint64_t all = ns < 0 ? ~static_cast<std::uint64_t>(ns) + 1 : static_cast<std::uint64_t>(ns);
  return fmt::format("{}{}.{:09}", ns < 0 ? "-" : "", all / 1'000'000'000, all % 1'000'000'000);
}

std::string transport_text(qp::TransportEventKind kind, std::uint64_t octets) {
  using Kind = qp::TransportEventKind;
  switch (kind) {
    case Kind::retransmission: return counted(octets, "octet") + " retransmitted";
    case Kind::out_of_order: return counted(octets, "octet") + " out of order: arrived after later octets";
    case Kind::capture_gap:
      return (octets == 0 ? std::string{"messages"} : counted(octets, "octet")) + " missing from the capture";
    case Kind::damaged:
      return counted(octets, "octet") + " in a TCP segment with a wrong checksum; the receiver drops it";
    case Kind::window_closed: return "the receive window is closed";
  }
  return {};
}

}  // namespace

void Timeline::add(const Event& event) {
  std::string line;
  if (json_) {
    nlohmann::ordered_json record = {{"record", "event"}, {"kind", event.kind}, {"qp", event.qp}};
    record["direction"] = nullptr;
    if (event.direction) record["direction"] = *event.direction == Direction::a_to_b ? "a_to_b" : "b_to_a";
    record["frame"] = event.frame;
    record["time"] = seconds_text(event.time_ns);
    if (event.octets) record["octets"] = *event.octets;
    if (event.offset) record["offset"] = *event.offset;
    record["text"] = event.text;
    line = record.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  } else {
    line = report::to_printable(fmt::format(
        "{}  QP {}{}  frame {}: {}", report::time_of_day(TimePoint{event.time_ns}), event.qp,
        event.direction ? " " + std::string{direction_text(*event.direction)} : "", event.frame, event.text));
  }
  entries_.push_back({TimePoint{event.time_ns}, event.frame, line + '\n'});
}

void Timeline::add(const v1::QueuePair& qp) {
  const live::QpView view = api::from_v1(qp);
  for (report::QpEvent& event : report::qp_events(view.record, qp.ended())) {
    add(Event{qp.qp(),
              std::string{event.kind},
              event.direction,
              event.frame.value,
              event.time.ns,
              {},
              {},
              std::move(event.text)});
  }
}

void Timeline::add(const v1::Message& message, bool all) {
  const qp::MessageRecord record = api::from_v1(message);
  if (all) {
    std::string line;
    json_ ? report::append_json(line, record) : report::append_message(line, report::Paint(false), record);
    entries_.push_back({record.first_time, record.first_frame.value, std::move(line)});
  } else if (const auto* detail = std::get_if<qp::TerminateDetail>(&record.detail)) {
    add(Event{record.qp,
              "terminate",
              record.direction,
              record.first_frame.value,
              record.first_time.ns,
              {},
              {},
              fmt::format("Terminate: {}", detail->name)});
  }
}

void Timeline::add(const v1::TransportEvent& event) {
  const qp::TransportEvent its = api::from_v1(event);
  if (!api::enum_from_v1<qp::TransportEventKind>(event.kind())) return;  // its kind is unknown to this program
  Event out{its.qp, std::string{qp::name(its.kind)},     its.direction, its.frame.value, its.time.ns, its.octets,
            {},     transport_text(its.kind, its.octets)};
  if (event.has_offset()) {
    out.offset = event.offset();
    out.text += fmt::format(", at octet {} of the stream", event.offset());
  }
  add(out);
}

void Timeline::add(const v1::Finding& finding) {
  std::string line;
  if (json_) {
    line = finding_json(finding);
  } else {
    const auto severity = api::enum_from_v1<findings::Severity>(finding.severity());
    const auto direction = api::enum_from_v1<Direction>(finding.direction());
    line = report::to_printable(fmt::format(
               "{}  QP {}{}  frame {}: {} {} ({}): {}", report::time_of_day(TimePoint{finding.time_ns()}), finding.qp(),
               direction ? " " + std::string{direction_text(*direction)} : "", finding.frame(),
               severity ? findings::name(*severity) : "unknown", finding.rule(), finding.code(), finding.text())) +
           '\n';
  }
  entries_.push_back({TimePoint{finding.time_ns()}, finding.frame(), std::move(line)});
}

void Timeline::discarded(std::uint64_t events) {
  if (json_ || events == 0) return;
  end_ += fmt::format("{} of the transport {} already discarded\n", counted(events, "older event"),
                      events == 1 ? "was" : "were");
}

std::string Timeline::take() {
  std::stable_sort(entries_.begin(), entries_.end(), [](const Entry& l, const Entry& r) {
    return std::pair{l.time.ns, l.frame} < std::pair{r.time.ns, r.frame};
  });
  std::string out;
  for (const Entry& entry : entries_) out += entry.line;
  entries_.clear();
  return out + std::exchange(end_, {});
}

}  // namespace iwarpscope::cli
