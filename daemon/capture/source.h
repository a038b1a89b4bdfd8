// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Where the octets of a capture come from: a file or standard input, perhaps compressed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include <tl/expected.hpp>

#include "capture/capture_info.h"
#include "capture/error.h"

namespace iwarpscope::capture {

/// A stream of octets. Not for several threads.
class Source {
 public:
  virtual ~Source() = default;
  Source() = default;
  Source(const Source&) = delete;
  Source& operator=(const Source&) = delete;

  /// Fills `into` from its start and returns how many octets; 0 only at the end. Fails with the cause.
  [[nodiscard]] virtual tl::expected<std::size_t, std::string> read(std::span<std::byte> into) = 0;
  /// Octets taken from the input so far, before decompression.
  [[nodiscard]] virtual std::uint64_t consumed() const noexcept = 0;
  /// Octets of the input, when it is a regular file.
  [[nodiscard]] virtual std::optional<std::uint64_t> total() const noexcept = 0;
  [[nodiscard]] virtual Compression compression() const noexcept { return Compression::none; }
  /// At the end: the compressed data stopped before its own end.
  [[nodiscard]] virtual bool ended_early() const noexcept { return false; }
};

/// What a source reads from, when that is not the file of a name.
struct Input {
  int descriptor = -1;  ///< opened before, and closed by the source; -1: the source opens the path
  int cancel = -1;      ///< reading a pipe fails as soon as this descriptor is readable; -1: never
};

/// Opens a file or, for "-", standard input, and looks at its first octets for gzip and zstd.
/// Fails when it cannot be opened or read.
[[nodiscard]] tl::expected<std::unique_ptr<Source>, Error> open_source(const std::string& path,
                                                                       const Input& input = {});

}  // namespace iwarpscope::capture
