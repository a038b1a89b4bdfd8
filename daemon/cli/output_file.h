// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// A file that a command writes: it appears under its name when it is complete.
#pragma once

#include <memory>
#include <string>

#include <tl/expected.hpp>

#include "cli/output.h"

namespace iwarpscope::cli {

/// Writes beside the name, and takes the name at commit(). What is no regular file, such as /dev/null or a pipe, is
/// written directly.
class OutputFile {
 public:
  /// Fails with a sentence.
  [[nodiscard]] static tl::expected<std::unique_ptr<OutputFile>, std::string> open(const std::string& path);
  ~OutputFile();  ///< without commit(): nothing remains
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  [[nodiscard]] Output& output() noexcept { return output_; }
  /// Nothing written: no file. Fails with a sentence; empty: done.
  [[nodiscard]] std::string commit();

 private:
  OutputFile(std::string path, std::string beside, int descriptor);

  std::string path_, beside_;  ///< `beside_` is empty when it is written directly
  int descriptor_;
  Output output_;
};

}  // namespace iwarpscope::cli
