// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/restart_words.h"

#include <fmt/format.h>

#include <array>
#include <utility>

#include "base/wording.h"

namespace iwarpscope::report {

std::string restart_text(const Restart& restart) {
  std::string text;
  if (restart.continued != 0 || restart.not_continued != 0) {
    text = fmt::format("{} of the run before continued, {} joined mid-stream", counted(restart.continued, "queue pair"),
                       restart.not_continued);
  }
  if (restart.refused.empty()) return text;
  const std::string_view why = refusal_text(restart.refused);
  return text + fmt::format("{}checkpoint not used ({}){}{}", text.empty() ? "" : "; ", restart.refused,
                            why.empty() ? "" : ": ", why);
}

std::string_view refusal_text(std::string_view refused) noexcept {
  constexpr auto kTexts = std::to_array<std::pair<std::string_view, std::string_view>>(
      {{"damaged", "it is damaged"},
       {"layout", "another version wrote it, with another layout"},
       {"sensor", "it is of another sensor"},
       {"settings", "interfaces or networks are configured differently, or a limit is lower"},
       {"age", "it is too old, or from the future"},
       {"unreadable", "it could not be read"}});
  for (const auto& [word, text] : kTexts) {
    if (word == refused) return text;
  }
  return {};
}

}  // namespace iwarpscope::report
