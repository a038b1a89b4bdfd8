// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "sctp/control.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/wording.h"
#include "mpa/enhanced_rules.h"
#include "mpa/startup_frame_view.h"
#include "sctp/chunk.h"
#include "sctp/notes.h"

namespace iwarpscope::sctp {

using enum findings::FindingId;

namespace {

constexpr std::uint32_t kEnhancedOctets = mpa::EnhancedDataView::kOctets;

[[nodiscard]] std::uint32_t private_length(const ControlMessage& message) noexcept {
  const std::uint32_t length = message.message.length;
  return length < ControlHeader::kOctets ? 0 : length - static_cast<std::uint32_t>(ControlHeader::kOctets);
}

}  // namespace

std::optional<std::uint16_t> read_code(Octets after_ssn) noexcept {
  const auto parsed = ControlHeader::parse(after_ssn);
  const auto* header = std::get_if<ControlHeader>(&parsed);
  if (header == nullptr) return std::nullopt;
  return header->function_code();
}

bool is_answer(const Arrival& message) noexcept {
  const auto code = message.control && message.ssn == 0 ? read_code(message.octets) : std::nullopt;
  return code && (is_accept(*code) || is_reject(*code));
}

std::string_view code_text(std::uint16_t code) noexcept {
  switch (code) {
    case function_code::initiate: return "Initiate (code 1)";
    case function_code::accept: return "Accept (code 2)";
    case function_code::reject: return "Reject (code 3)";
    case function_code::terminate: return "Session Terminate (code 4)";
    case function_code::enhanced_initiate: return "Enhanced Initiate (code 5)";
    case function_code::enhanced_accept: return "Enhanced Accept (code 6)";
    case function_code::enhanced_reject: return "Enhanced Reject (code 7)";
    default: return "control message of an unknown code";
  }
}

std::optional<SessionEvent> event_of(std::uint16_t code, bool active) noexcept {
  if (is_initiate(code)) return active ? SessionEvent::active_initiate : SessionEvent::passive_initiate;
  if (is_accept(code)) return active ? SessionEvent::active_answer : SessionEvent::passive_accept;
  if (is_reject(code)) return active ? SessionEvent::active_answer : SessionEvent::passive_reject;
  if (code != function_code::terminate) return std::nullopt;
  return active ? SessionEvent::active_terminate : SessionEvent::passive_terminate;
}

ControlMessage read_control(const Message& message) {
  ControlMessage control;
  control.message = message;
  control.code = read_code(message.octets).value_or(0);
  if (!is_known(control.code) || control.code == function_code::terminate) return control;
  mpa::StartupFrame& frame = control.startup;
  frame.frame = message.last_frame;
  frame.time = message.placed_time;
  frame.start = kStreamOrigin + message.ssn;
  frame.end = kStreamOrigin + (message.ssn + 1);
  frame.function_code = control.code;
  frame.reply_key = !is_initiate(control.code);
  frame.rejected = is_reject(control.code);
  frame.enhanced_flag = is_enhanced(control.code);
  // As in MPA: the revision that knows enhanced data, and the one before it.
  frame.revision = frame.enhanced_flag ? 2 : 1;
  frame.private_data_length = static_cast<std::uint16_t>(std::min<std::uint32_t>(private_length(control), 0xFFFF));
  Octets data = message.octets.subspan(ControlHeader::kOctets);
  data = data.first(std::min<std::size_t>(data.size(), mpa::kMaxPrivateData));
  if (frame.enhanced_flag) frame.enhanced = mpa::take_enhanced(data);
  frame.private_data.assign(data.begin(), data.end());
  return control;
}

void judge_control(const ControlMessage& message, Direction direction, findings::Reporter& reporter) {
  const Spot spot = spot_of(message.message);
  const std::uint32_t length = private_length(message);
  if (message.message.length < ControlHeader::kOctets) {
    raise(reporter, spot,
          {.id = sctp_function_code_unknown,
           .direction = direction,
           .expected = "1..7",
           .text = fmt::format("The session control message of {} after the DDP-SSN has no function code.",
                               counted(message.message.length, "octet"))});
    return;
  }
  if (message.message.octets.size() < ControlHeader::kOctets) return;  // cut by the capture
  if (!is_known(message.code) && message.code != function_code::experimental) {
    raise(reporter, spot,
          {.id = sctp_function_code_unknown,
           .direction = direction,
           .seen = std::to_string(message.code),
           .expected = "1..7",
           .text = fmt::format("The session control message has the function code {}.", message.code)});
  }
  if (length > mpa::kMaxPrivateData) {
    raise(reporter, spot,
          {.id = sctp_private_data_too_long,
           .direction = direction,
           .seen = std::to_string(length),
           .expected = "at most 512",
           .text = fmt::format("The session control message with DDP-SSN {} carries {} of private data.",
                               message.message.ssn, counted(length, "octet"))});
  }
  if (message.code == function_code::terminate && length > 0) {
    raise(reporter, spot,
          {.id = sctp_terminate_private_data,
           .direction = direction,
           .seen = std::to_string(length),
           .expected = "0",
           .text = fmt::format("The Session Terminate carries {} of private data.", counted(length, "octet"))});
  }
  const bool needs_enhanced =
      message.code == function_code::enhanced_initiate || message.code == function_code::enhanced_accept;
  if (needs_enhanced && length < kEnhancedOctets) {
    raise(reporter, spot,
          {.id = sctp_enhanced_data_missing,
           .direction = direction,
           .seen = std::to_string(length),
           .expected = "at least 4",
           .text = fmt::format("The {} carries {} of private data, too few for the enhanced data.",
                               code_text(message.code), counted(length, "octet"))});
  }
  mpa::judge_enhanced(message.startup, direction, mpa::kSessionFrameNames, reporter);
}

void judge_answer(const ControlMessage& answer, std::uint16_t initiate, const mpa::StartupFrame& request,
                  Direction direction, findings::Reporter& reporter) {
  if (is_enhanced(answer.code) != is_enhanced(initiate)) {
    raise(reporter, spot_of(answer.message),
          {.id = sctp_answer_kind_wrong,
           .direction = direction,
           .seen = std::to_string(answer.code),
           .expected = is_enhanced(initiate) ? "6, 7 or 4" : "2, 3 or 4",
           .text = fmt::format("The {} is answered by {} {}.", code_text(initiate),
                               answer.code == function_code::reject ? "a" : "an", code_text(answer.code))});
  }
  mpa::judge_enhanced_pair(request, answer.startup, direction, mpa::kSessionFrameNames, reporter);
}

}  // namespace iwarpscope::sctp
