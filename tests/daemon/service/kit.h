// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// What the tests of the configuration share.
#pragma once

#include <gtest/gtest.h>

#include <string_view>
#include <utility>

#include "service/configuration.h"

namespace iwarpscope::service {

/// For a file without mistakes.
inline Configuration read(std::string_view text) {
  auto read = parse_configuration(text, "a.toml");
  EXPECT_TRUE(read) << (read ? "" : read.error().front().text());
  return read ? *std::move(read) : Configuration{};
}

}  // namespace iwarpscope::service
