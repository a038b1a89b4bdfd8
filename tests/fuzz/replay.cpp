// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Runs a fuzz target on files, once each, without libFuzzer: the corpora are part of the ordinary tests. Usage:
// NAME_replay FILE-OR-FOLDER...   Exit status 0 if at least one input was run and all passed.
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "fuzz/script.h"

namespace {

std::vector<std::filesystem::path> files_of(int count, char** names) {
  std::vector<std::filesystem::path> files;
  for (int i = 1; i < count; ++i) {
    if (!std::filesystem::is_directory(names[i])) {
      files.emplace_back(names[i]);
      continue;
    }
    for (const auto& entry : std::filesystem::directory_iterator(names[i])) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace

int main(int count, char** names) {
  std::size_t run = 0;
  for (const auto& path : files_of(count, names)) {
    std::ifstream in(path, std::ios::binary);
    if (!in) {
      std::fprintf(stderr, "%s: cannot be read\n", path.c_str());
      return 1;
    }
    const std::string input((std::istreambuf_iterator<char>(in)), {});
    // Printed before it runs: the last line names the input that stopped the program.
    std::fprintf(stderr, "%s\n", path.filename().c_str());
    LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(input.data()), input.size());
    ++run;
  }
  std::fprintf(stderr, "%zu inputs\n", run);
  return run != 0 ? 0 : 1;
}
