// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// iwarpscope analyze: reads capture files and writes a report on each.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <tl/expected.hpp>

#include "analysis/records.h"
#include "capture/tap_groups.h"
#include "cli/output.h"
#include "engine/engine.h"
#include "findings/catalogue.h"
#include "report/json.h"

namespace iwarpscope::cli {

enum class Format : std::uint8_t { text, json, html };
enum class Color : std::uint8_t { automatic, always, never };

/// As capture::TapGroups::parse() takes them.
struct TapArguments {
  std::vector<std::string> groups;
  bool separate_interfaces = false;

  [[nodiscard]] tl::expected<capture::TapGroups, std::string> parsed() const {
    return capture::TapGroups::parse(groups, separate_interfaces);
  }
};

struct AnalyzeArguments {
  std::vector<std::string> files;  ///< "-" is standard input
  std::string output;              ///< file to write to; empty: standard output
  Format format = Format::text;
  bool messages = false;
  bool notes = false;  ///< list them too
  bool digest = false;
  bool no_emulation = false;
  bool timing = false;
  std::string filter;
  TapArguments taps;
  std::uint16_t community_id_seed = 0;
  /// For the JSON report. Ours: about 200 MB at most without messages.
  report::ListLimits limits{.findings = 50'000, .qps = 30'000};
  std::optional<std::uint64_t> qp;
  std::optional<findings::Severity> fail_on;  ///< this severity or a higher one
  unsigned threads = 1;
  Color color = Color::automatic;
};

/// engine::analyze(), or the replacement of a test.
using Engine = std::function<tl::expected<engine::Outcome, std::string>(const engine::Request&, analysis::Observer&)>;

/// Analyses each file separately, in order, and writes the reports one after another. An unreadable file causes an
/// error message; the other files are still analysed. Returns the exit status, the worst of all files in the order
/// interrupted, trouble, found, done. Borrows `stop`, and also sets it when the reader of the output is gone. HTML is
/// for one file: more of them are trouble. An output file appears under its name when it is complete.
[[nodiscard]] int run_analyze(const AnalyzeArguments& arguments, const Console& console, const Engine& engine,
                              std::atomic<bool>& stop);

}  // namespace iwarpscope::cli
