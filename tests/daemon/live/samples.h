// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The captures of samples/.
#pragma once

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

namespace iwarpscope::test {

/// Their paths, sorted.
inline std::vector<std::string> samples() {
  std::vector<std::string> all;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(IWARPSCOPE_SAMPLES)) {
    const std::string name = entry.path().filename().string();
    if (name.find(".pcap") != std::string::npos && name.find(".json") == std::string::npos) all.push_back(entry.path());
  }
  std::sort(all.begin(), all.end());
  return all;
}

}  // namespace iwarpscope::test
