// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/reading_only.h"

#include "confine/confine.h"

namespace iwarpscope::cli {

std::function<void()> reading_only(const std::vector<std::string>& files, const std::string& output) {
  std::vector<confine::Path> needed;
  needed.reserve(files.size() + 1);
  for (const std::string& file : files) needed.push_back({file, confine::Right::read});
  if (!output.empty()) needed.push_back({confine::folder_of(output), confine::Right::replace});
  return [needed] { confine::keep_only(needed); };
}

std::optional<capture::Filter> looked_up(const std::string& expression) {
  if (expression.empty()) return std::nullopt;
  capture::Filter filter(expression);
  filter.prepare();
  return filter;
}

}  // namespace iwarpscope::cli
