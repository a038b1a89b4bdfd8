// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Packets as a pcapng file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/octets.h"
#include "net/frame.h"

namespace iwarpscope::outputs {

/// Makes the blocks of one section: its header, an interface description before the first frame of an interface, an
/// enhanced packet for each frame, interface statistics at the end. Nanoseconds, this machine's byte order, no snap
/// length: frames that were cut say so themselves. Pure: it appends to a string. Source: draft-ietf-opsawg-pcapng §4.
class PcapngWriter {
 public:
  /// What the file says of a capture interface; what is empty is left out.
  struct Described {
    std::string name, description;
  };
  /// By net::Frame::interface.
  using Describe = std::function<Described(std::uint32_t)>;

  /// `comments`: of the section, two at most, in their order; empty ones are left out. Those that are longer than
  /// kMostSectionComment octets are cut.
  explicit PcapngWriter(std::string application, Describe describe = {}, std::vector<std::string> comments = {});

  /// Appends the frame, and before it the blocks that it needs. An empty comment is none; one that is longer than
  /// kMostComment octets is cut.
  void append(std::string& out, const net::Frame& frame, std::string_view comment = {});
  /// Appends what ends a section, and its header if there was no frame: how many frames there are of each interface,
  /// and how many are missing, 0: none. Frames may not follow.
  void finish(std::string& out, std::uint64_t missing = 0);
  /// At most so many octets are appended for this frame.
  [[nodiscard]] static std::size_t most_octets(const net::Frame& frame, std::string_view comment) noexcept;
  [[nodiscard]] std::uint64_t frames() const noexcept { return frames_; }

  static constexpr std::size_t kMostComment = 4096;
  static constexpr std::size_t kMostSectionComment = 256;

 private:
  struct Interface {
    std::uint32_t number = 0;  ///< net::Frame::interface
    net::LinkType link{};
    std::uint64_t frames = 0;
    TimePoint last;
  };
  void begin(std::string& out);
  [[nodiscard]] std::uint32_t describe(std::string& out, const net::Frame& frame);

  std::string application_;
  Describe describe_;
  std::vector<std::string> comments_;
  bool begun_ = false;
  std::vector<Interface> interfaces_;  ///< as the file numbers them
  std::uint64_t frames_ = 0;
};

/// Appends a block of such a file; an enhanced packet with one comment more.
void append_with_comment(std::string& out, std::string_view block, std::string_view comment);
/// The block's type and length are its first eight octets: whether it is an enhanced packet.
[[nodiscard]] bool is_enhanced_packet(std::string_view block) noexcept;

/// Likewise: whether it is a section header.
[[nodiscard]] bool is_section_header(std::string_view block) noexcept;

/// The first comment of its first section. `head`: the file's first octets, 1024 are enough. Empty: none.
[[nodiscard]] std::string section_comment(std::string_view head);

/// How many frames a file of this writer holds, from the statistics at its end. `tail`: the file's last octets, some
/// thousand are enough. Fails with an empty result when it does not end in them.
[[nodiscard]] std::optional<std::uint64_t> frames_in_pcapng(std::string_view tail);

}  // namespace iwarpscope::outputs
