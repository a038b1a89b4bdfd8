// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// A capture file that grows to a given size.
#pragma once

#include <cstdint>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>

#include "synth/frame.h"
#include "synth/random.h"
#include "synth/wire/capture_file.h"
#include "synth/wire/ip.h"

namespace iwarpscope::attack {

using synth::Address;
using synth::Buffer;

/// Frames one after another, a microsecond apart. The same calls give the same file.
class Load {
 public:
  /// Throws std::system_error if the file cannot be written. Units: `octets` of the file, after which it is full.
  Load(const std::string& path, std::uint64_t octets);

  [[nodiscard]] bool is_full() const noexcept { return written_ >= octets_; }
  /// An Ethernet frame with this payload. `captured`: octets of the frame that the snap length leaves.
  void frame(Octets payload, std::uint16_t ether_type, std::optional<std::size_t> captured = {});
  void ip(const synth::wire::Ipv4& header, Octets payload, std::optional<std::size_t> captured = {});
  /// The clock of the capture goes on, or back.
  void advance(std::int64_t ns) noexcept { time_ns_ += ns; }

  synth::Random random;

 private:
  struct Close {
    void operator()(std::FILE* file) const noexcept { std::fclose(file); }
  };
  void write(const Buffer& octets);

  std::string path_;
  std::uint64_t octets_;
  std::unique_ptr<std::FILE, Close> file_;
  synth::CaptureWriter writer_;
  std::uint64_t written_ = 0;
  std::int64_t time_ns_ = 1'700'000'000'000'000'000;
  std::uint16_t identification_ = 0;
};

}  // namespace iwarpscope::attack
