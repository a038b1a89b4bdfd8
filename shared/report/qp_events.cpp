// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/qp_events.h"

#include <fmt/format.h>

#include <utility>

#include "report/human.h"
#include "report/qp_words.h"

namespace iwarpscope::report {
namespace {

/// The kind of a startup frame: MPA, or an SCTP session control message.
struct StartupKind {
  std::string_view kind;
  std::string text;
};

StartupKind startup_kind(const mpa::StartupFrame& frame, bool is_request) {
  if (frame.function_code == 0) {
    return {is_request ? "mpa_request" : "mpa_reply",
            fmt::format("MPA {}, revision {}", is_request ? "Request" : "Reply", frame.revision)};
  }
  const std::string_view enhanced = frame.enhanced_flag ? "Enhanced " : "";
  if (is_request) return {"session_initiate", fmt::format("{}Session Initiate", enhanced)};
  if (frame.rejected) return {"session_reject", fmt::format("{}Session Reject", enhanced)};
  return {"session_accept", fmt::format("{}Session Accept", enhanced)};
}

QpEvent startup_event(Direction direction, const mpa::StartupFrame& frame) {
  auto [kind, text] = startup_kind(frame, direction == Direction::a_to_b);
  if (frame.rejected && frame.function_code == 0) text += ", rejected";
  if (frame.enhanced) {
    text += fmt::format(", IRD {}, ORD {}", depth_text(frame.enhanced->ird), depth_text(frame.enhanced->ord));
  }
  return {kind, direction, frame.frame, frame.time, std::move(text)};
}

void add_end(std::vector<QpEvent>& events, const qp::QpRecord& record, Direction direction) {
  const bool over_sctp = record.sctp_stream.has_value();
  const auto& [fin, rst] =
      std::pair{record.summary.directions[index(direction)].fin, record.summary.directions[index(direction)].rst};
  if (fin.happened()) {
    // By Session Terminate; without one, by SHUTDOWN.
    events.push_back({over_sctp ? "session_end" : "fin", direction, fin.frame, fin.time,
                      over_sctp ? "the sender ended its side of the session" : "TCP FIN"});
  }
  if (rst.happened()) {
    events.push_back({over_sctp ? "abort" : "rst", direction, rst.frame, rst.time,
                      over_sctp ? "the sender aborted the association" : "TCP RST"});
  }
}

}  // namespace

std::vector<QpEvent> qp_events(const qp::QpRecord& record, bool has_ended) {
  std::vector<QpEvent> events;
  events.push_back({"first_frame", std::nullopt, record.first_frame, record.first_time,
                    record.joined_midstream ? "first seen, in the middle of the connection" : "first seen"});
  if (record.startup && record.startup->request) {
    events.push_back(startup_event(Direction::a_to_b, *record.startup->request));
  }
  if (record.startup && record.startup->reply) {
    events.push_back(startup_event(Direction::b_to_a, *record.startup->reply));
  }
  add_end(events, record, Direction::a_to_b);
  add_end(events, record, Direction::b_to_a);
  if (!has_ended) return events;
  // FIN and RST of a TCP connection are separate events.
  const bool is_reported = record.closed_by && *record.closed_by != "fin" && *record.closed_by != "rst";
  events.push_back({"last_frame", std::nullopt, record.last_frame, record.last_time,
                    is_reported ? fmt::format("last seen; {}", state_text(record)) : "last seen"});
  return events;
}

}  // namespace iwarpscope::report
