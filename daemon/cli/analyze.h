// iwarpscope analyze: capture files in, a report on each out.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <tl/expected.hpp>

#include "analysis/records.h"
#include "cli/output.h"
#include "engine/engine.h"
#include "findings/catalogue.h"

namespace iwarpscope::cli {

enum class Format : std::uint8_t { text, json };
enum class Color : std::uint8_t { automatic, always, never };

struct AnalyzeArguments {
  std::vector<std::string> files;  ///< "-" is standard input
  Format format = Format::text;
  bool messages = false;
  bool digest = false;
  bool no_emulation = false;
  bool timing = false;
  std::string filter;
  std::optional<std::uint64_t> qp;
  std::optional<findings::Severity> fail_on;  ///< this severity or a higher one
  unsigned threads = 1;
  Color color = Color::automatic;
};

/// engine::analyze(), or what a test has in its place.
using Engine = std::function<tl::expected<engine::Outcome, std::string>(const engine::Request&, analysis::Observer&)>;

/// Analyses each file by itself, in order, and writes the reports one after another. A file that cannot be read is
/// complained about and the others still are. Returns the exit status; the highest of several files wins, in the order
/// interrupted, trouble, found, done. `stop` is borrowed; it is set here too when nobody reads the output any more.
[[nodiscard]] int run_analyze(const AnalyzeArguments& arguments, const Console& console, const Engine& engine,
                              std::atomic<bool>& stop);

}  // namespace iwarpscope::cli
