// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// A daemon made by hand, and the commands that ask it.
#pragma once

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "daemon/api/kit.h"
#include "daemon/cli/console.h"

namespace iwarpscope::cli::testing {

class Client : public ::testing::Test {
 protected:
  void SetUp() override { ASSERT_EQ(daemon.start(), ""); }
  Result ask(std::vector<std::string> words) {
    words.insert(words.begin() + 1, {"--socket", daemon.options.socket});
    return run_with(words);
  }
  static std::vector<nlohmann::json> lines(const std::string& text) {
    std::vector<nlohmann::json> out;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) out.push_back(nlohmann::json::parse(line));
    return out;
  }
  api::testing::Daemon daemon;
};

}  // namespace iwarpscope::cli::testing
