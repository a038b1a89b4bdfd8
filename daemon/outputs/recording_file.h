// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// One recording while it is being written.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "outputs/pcapng_writer.h"

namespace iwarpscope::outputs {

/// "PATH.part" until complete(), which renames it to PATH. Not for several threads.
class RecordingFile {
 public:
  RecordingFile(std::string path, std::uint64_t most_octets, PcapngWriter writer);
  ~RecordingFile();  ///< removes what is not complete
  RecordingFile(const RecordingFile&) = delete;
  RecordingFile& operator=(const RecordingFile&) = delete;

  /// Each fails with a sentence; the file is useless then.
  [[nodiscard]] std::string open();
  [[nodiscard]] std::string append(const net::Frame& frame);
  /// Whether there is room for a small recording; it becomes none.
  [[nodiscard]] std::string try_out();
  /// Writes queued frames to the file once a second: the recording remains if the daemon is killed.
  [[nodiscard]] std::string keep_up();
  /// `missing`: packets that should be in it and are not.
  [[nodiscard]] std::string complete(std::uint64_t missing);

  /// For a frame that was written or will be.
  void comment(FrameNumber frame, std::string_view text);
  /// Octets that it can still take.
  [[nodiscard]] std::uint64_t room() const noexcept {
    const std::uint64_t taken = octets() + late_octets_;
    return most_octets_ - std::min(most_octets_, taken);
  }
  /// Comments whose frames are not in it.
  [[nodiscard]] std::size_t waiting_comments() const noexcept { return comments_.size(); }
  /// The next frame found no room, and no other is taken.
  [[nodiscard]] bool is_full() const noexcept { return full_; }
  [[nodiscard]] std::uint64_t frames() const noexcept { return writer_.frames(); }
  [[nodiscard]] std::uint64_t octets() const noexcept { return written_ + waiting_.size(); }

 private:
  [[nodiscard]] std::string flush();
  [[nodiscard]] std::string add_late_comments();
  [[nodiscard]] std::string failed(const char* what, int error) const;
  void remove() noexcept;

  const std::string path_;
  const std::uint64_t most_octets_;
  PcapngWriter writer_;
  int file_ = -1;
  std::string waiting_;
  std::chrono::steady_clock::time_point flushed_;
  std::uint64_t written_ = 0;
  bool full_ = false;
  std::vector<FrameNumber> numbers_;             ///< of the frames in the file, in its order
  std::map<FrameNumber, std::string> comments_;  ///< for frames to come
  std::map<FrameNumber, std::string> late_;      ///< for frames that are in the file
  std::uint64_t late_octets_ = 0;
};

}  // namespace iwarpscope::outputs
