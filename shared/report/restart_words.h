// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// What a restart of the daemon did with the queue pairs of the run before, in words for every display.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace iwarpscope::report {

/// Queue pairs that were open when the run before ended.
struct Restart {
  std::uint64_t continued = 0;
  std::uint64_t not_continued = 0;  ///< joined mid-stream
  std::string_view
      refused{};  ///< why the checkpoint was not used, a word: "settings"; empty: it was, or none was there
};

/// "1 queue pair of the run before continued, 2 joined mid-stream; checkpoint not used (sensor): it is of another
/// sensor"; empty: the run before left nothing.
[[nodiscard]] std::string restart_text(const Restart& restart);

/// "it is damaged", for "damaged"; empty: a word that is not known.
[[nodiscard]] std::string_view refusal_text(std::string_view refused) noexcept;

/// About one queue pair that was continued.
inline constexpr std::string_view kContinued = "Continued from the run before";

}  // namespace iwarpscope::report
