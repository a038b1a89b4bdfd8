// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Engines whose state is handed over, and the samples that they analyse.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string_view>

#include "analysis/engine.h"
#include "base/archive.h"
#include "truncation/captures.h"

namespace iwarpscope::test {

inline analysis::Options all_options() {
  analysis::Options all;
  all.messages = true;
  all.transport = true;
  return all;
}

inline const Capture& sample(std::string_view path) {
  const auto it = std::ranges::find(captures(), path, &Capture::path);
  EXPECT_NE(it, captures().end()) << path;
  return *it;
}

/// How the state of an engine is laid out.
inline ArchiveLayout layout_of_engine() {
  struct : analysis::Observer {
  } ignored;
  analysis::Options few = all_options();
  few.limits.max_flows = few.limits.max_qps = 64;
  analysis::Engine engine(few, ignored);
  ArchiveLayout layout;
  Archive archive(layout, engine.words());
  engine.archive(archive);
  return layout;
}

}  // namespace iwarpscope::test
