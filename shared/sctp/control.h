// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Session control messages: what they say, and the rules that one message alone or an answer decides.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "findings/finding.h"
#include "sctp/arrival.h"
#include "sctp/session.h"
#include "sctp/session_machine.h"

namespace iwarpscope::sctp {

/// The function code of what follows the DDP-SSN; nothing when the capture cut it, or it is missing.
[[nodiscard]] std::optional<std::uint16_t> read_code(Octets after_ssn) noexcept;

[[nodiscard]] constexpr bool is_initiate(std::uint16_t code) noexcept {
  return code == function_code::initiate || code == function_code::enhanced_initiate;
}
[[nodiscard]] constexpr bool is_accept(std::uint16_t code) noexcept {
  return code == function_code::accept || code == function_code::enhanced_accept;
}
[[nodiscard]] constexpr bool is_reject(std::uint16_t code) noexcept {
  return code == function_code::reject || code == function_code::enhanced_reject;
}
/// With the Enhanced RDMA Connection data before the Private Data. Source: RFC 6581 §5.
[[nodiscard]] constexpr bool is_enhanced(std::uint16_t code) noexcept {
  return code >= function_code::enhanced_initiate && code <= function_code::enhanced_reject;
}
[[nodiscard]] constexpr bool is_known(std::uint16_t code) noexcept {
  return code >= function_code::initiate && code <= function_code::enhanced_reject;
}
/// The first message of a passive side: an Accept or Reject.
[[nodiscard]] bool is_answer(const Arrival& message) noexcept;
/// "Enhanced Accept (code 6)".
[[nodiscard]] std::string_view code_text(std::uint16_t code) noexcept;

/// Which event of the machine a control message is; nothing for codes that are none. `active`: of the active side.
[[nodiscard]] std::optional<SessionEvent> event_of(std::uint16_t code, bool active) noexcept;

/// Reads the message. Fields of `startup` are filled for codes 1 to 3 and 5 to 7.
[[nodiscard]] ControlMessage read_control(const Message& message);

/// Raises what the message alone shows: SC-05 to 07 and 13, MS-25 to 27 and 36.
void judge_control(const ControlMessage& message, Direction direction, findings::Reporter& reporter);
/// Raises what an Accept or Reject shows, compared with its Initiate: SC-12, MS-24 and 30 to 34.
void judge_answer(const ControlMessage& answer, std::uint16_t initiate, const mpa::StartupFrame& request,
                  Direction direction, findings::Reporter& reporter);

}  // namespace iwarpscope::sctp
