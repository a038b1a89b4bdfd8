// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The folder with the recordings: their names, and how many there may be.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "live/packets.h"
#include "outputs/recording_quota.h"

namespace iwarpscope::outputs {

struct RecordingsFolderOptions {
  std::string path;
  std::size_t most_files = 100;
  std::uint64_t most_octets = std::uint64_t{1} << 30;  ///< of all recordings together
  std::chrono::hours keep{7 * 24};  ///< how long after it was written a recording is kept; 0: for ever
};

/// Suffix of the name of a recording that is not complete; and of its copy with comments that came late.
inline constexpr std::string_view kPart = ".part", kPartWithComments = ".comments.part";
/// Whether the open file is still the one of this name: another daemon may have deleted it, or begun another one.
[[nodiscard]] bool is_at(int file, const std::string& path) noexcept;

/// Files other than recordings are left alone. Any thread.
class RecordingsFolder {
 public:
  explicit RecordingsFolder(RecordingsFolderOptions options) : options_(std::move(options)) {}

  /// Makes the folder, if it is not there. Fails with a sentence.
  [[nodiscard]] std::string make() const;
  /// Likewise. Of what a crash left half-written it keeps the packets that are there, if any. Fails with a
  /// sentence.
  [[nodiscard]] std::string prepare() const;
  /// "20261121T221631Z-qp12-MF-04.pcapng", with a number after it if there is such a recording already. What a reason
  /// has beside letters, digits, '-', '_' and '.' is left out.
  [[nodiscard]] std::string name_for(TimePoint time, std::uint64_t qp, std::string_view reason) const;
  [[nodiscard]] std::string path(std::string_view name) const { return options_.path + "/" + std::string{name}; }
  /// For what recordings of findings were begun lately, oldest first, with their age.
  [[nodiscard]] std::vector<std::pair<RecordingCause, std::chrono::seconds>> recent() const;
  /// Complete recordings, oldest first.
  [[nodiscard]] std::vector<live::Recording> list() const;
  /// Removes what is too old, then as next_to_remove() says until the rest keeps the limits. Returns how many.
  std::size_t retire() const;

 private:
  RecordingsFolderOptions options_;
};

/// The comment of a recording's section, from which the cause is read again.
[[nodiscard]] std::string comment_for(std::uint64_t qp, const RecordingCause& cause);

/// Reads a name that name_for() made; false: it is none.
[[nodiscard]] bool parse_recording_name(std::string_view name, live::Recording& recording);

}  // namespace iwarpscope::outputs
