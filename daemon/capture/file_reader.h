// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Frames from a capture file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <tl/expected.hpp>

#include "capture/capture_info.h"
#include "capture/error.h"
#include "capture/filter.h"
#include "capture/source.h"
#include "capture/tap_groups.h"
#include "net/frame.h"

namespace iwarpscope::capture {

struct ReaderOptions {
  std::string filter;                ///< pcap-filter(7); empty: everything
  std::size_t batch_frames = 1024;   ///< at most, in one batch
  TapGroups tap_groups{};            ///< of the file's interfaces
  Input input{};                     ///< a descriptor that is open already, and what ends the wait for a pipe
  std::optional<Filter> prepared{};  ///< the filter, compiled before
};

/// How far a file is read, for a progress bar. Units: octets of the file as it lies on the disk.
struct Position {
  std::uint64_t consumed = 0;
  std::optional<std::uint64_t> total;  ///< unknown for a pipe
};

/// Reads a pcap or pcapng file, plain or compressed with gzip or zstd (known by content, not by name), or standard
/// input for "-". Frames are numbered from 1 as Wireshark numbers them, those that a filter hides included. Holds a
/// buffer of 512 KiB, more only for a longer frame or while storage() is held; never the file. For one thread.
class FileReader {
 public:
  /// Fails when there is no such file, it is empty or no capture, its header is damaged, or the filter does not
  /// compile.
  [[nodiscard]] static tl::expected<FileReader, Error> open(const std::string& path, const ReaderOptions& options = {});
  FileReader(FileReader&&) noexcept;
  FileReader& operator=(FileReader&&) noexcept;
  ~FileReader();

  /// The next frames in file order; none at the end. They borrow the read buffer until the next call of either form.
  /// Fails where the file is damaged; what was before it has been given. A file that ends in the middle of a record
  /// is no failure: it ends there, and info().truncated says so.
  [[nodiscard]] tl::expected<std::span<const net::Frame>, Error> next_batch();
  /// Holds what the frames of the last batch borrow: while it lives they stay where they are, whatever is read. May
  /// be let go of on any thread.
  [[nodiscard]] std::shared_ptr<const std::vector<std::byte>> storage() const noexcept;
  /// The next frame; null at the end. As next_batch(), which may be called as well; frames are given once.
  [[nodiscard]] tl::expected<const net::Frame*, Error> next();

  /// What is known so far; complete at the end.
  [[nodiscard]] const CaptureInfo& info() const noexcept;
  [[nodiscard]] Position position() const noexcept;

 private:
  struct State;
  explicit FileReader(std::unique_ptr<State> state) noexcept;
  std::unique_ptr<State> state_;
};

}  // namespace iwarpscope::capture
