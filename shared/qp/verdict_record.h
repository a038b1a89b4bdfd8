// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The verdict on a queue pair in plain sentences: what happened, which end caused it, how sure that is. Plain values.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/ids.h"

namespace iwarpscope::qp {

enum class Outcome : std::uint8_t {
  completed,  ///< it was closed normally, and no operation was outstanding
  refused,    ///< it was refused during startup
  failed,     ///< it ended with an error or with operations outstanding
  stalled,    ///< it is open, and one end has been waiting for a long time
  running,    ///< it was open when the capture ended
  unknown,    ///< the capture does not show it
};
/// What caused it: an end, the network between them, or the capture itself. none: nothing went wrong.
enum class Blame : std::uint8_t { a, b, path, capture, none, unknown };
/// certain: the wire shows it. likely: it is the usual cause. limited: octets are missing that could explain it.
enum class Confidence : std::uint8_t { certain, likely, limited };

struct VerdictRecord {
  std::string text;  ///< one or a few plain sentences
  Outcome outcome = Outcome::unknown;
  Blame blame = Blame::unknown;
  Confidence confidence = Confidence::certain;
  std::vector<FrameNumber> evidence;  ///< ascending
  std::string next;                   ///< what to check next; empty when there is nothing to do
  std::string id{};                   ///< "end.closed": a row of the verdict catalogue; empty: made elsewhere
  std::string code{};                 ///< "V-30"
  std::string cause{};                ///< the code, and the rules that its own sentence names: "V-50 DD-06"
};

/// It did not end as it should: refused, failed or stalled.
[[nodiscard]] bool ended_badly(Outcome outcome) noexcept;

/// As reports print them: "completed", "a", "certain"...
[[nodiscard]] std::string_view name(Outcome outcome) noexcept;
[[nodiscard]] std::string_view name(Blame blame) noexcept;
[[nodiscard]] std::string_view name(Confidence confidence) noexcept;

}  // namespace iwarpscope::qp
