// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Capture files: classic pcap and pcapng, in both byte orders.
#pragma once

#include <bit>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "synth/frame.h"

namespace iwarpscope::synth {

enum class FileFormat : std::uint8_t { pcapng, pcap };

/// How a capture file is written.
struct FileOptions {
  FileFormat format = FileFormat::pcapng;
  std::endian byte_order = std::endian::little;
  bool nanoseconds = true;  ///< otherwise microseconds: the last three digits are lost
  std::uint32_t snap_length = 262144;
  /// pcapng: packets dropped and received by each capturing interface, written as an Interface Statistics Block at the
  /// end.
  std::optional<std::uint64_t> dropped{};
  std::optional<std::uint64_t> received{};
  std::string application = "iwarpscope-synth";
};

/// Writes the blocks of one file, one after another, each appended to a buffer. Interfaces are numbered from 0 in the
/// order of add_interface(). Source: draft-ietf-opsawg-pcapng §4, draft-ietf-opsawg-pcap §4.
class CaptureWriter {
 public:
  explicit CaptureWriter(FileOptions options = {}) : options_(std::move(options)) {}

  /// pcap: the file header, only once; pcapng: the Section Header with the first interface, then interfaces.
  void add_interface(Buffer& out, LinkType link_type);
  void add(Buffer& out, const Frame& frame);
  /// pcapng: an Interface Statistics Block for each interface if a count was given.
  void finish(Buffer& out, std::int64_t time_ns = 0);

 private:
  void integer(Buffer& out, std::uint64_t value, std::size_t octets) const;
  void option(Buffer& out, std::uint16_t code, Octets value) const;
  void block(Buffer& out, std::uint32_t type, const Buffer& body) const;

  FileOptions options_;
  std::uint32_t interfaces_ = 0;
};

/// The whole file in memory. The interfaces are those that the frames name. Throws std::invalid_argument if an
/// interface, or any classic pcap, would have two link types.
[[nodiscard]] Buffer write_file(const Frames& frames, const FileOptions& options = {});
/// The same to `path`. Throws std::system_error if it cannot be written.
void save(const Frames& frames, const std::string& path, const FileOptions& options = {});

}  // namespace iwarpscope::synth
