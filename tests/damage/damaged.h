// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// A capture, and the rest of it when a tap loses, repeats, moves or cuts its frames.
#pragma once

#include <cstdint>
#include <deque>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "net/address.h"
#include "net/frame.h"
#include "synth/frame.h"

namespace iwarpscope::test {

/// Properties of a frame that mutations need.
struct FrameFacts {
  std::optional<net::Endpoint> source, destination;  ///< of TCP segments and SCTP packets
  bool is_tcp = false;
  bool has_payload = false;
  bool opens_or_ends = false;  ///< SYN, FIN or RST
  bool is_offloaded = false;   ///< captured before the sending adapter completed it: the IP header has no length
};

/// A correct capture to start from. The frames borrow octets that live as long as the program.
struct Seed {
  std::string name;
  std::vector<net::Frame> frames;
  std::vector<FrameFacts> facts;
};

/// The captures below samples/ of at most `most` frames, and the first `most` frames of larger ones; none is empty.
[[nodiscard]] std::vector<Seed> seeds(std::size_t most);

/// One frame of a damaged capture, as a change of a frame of the whole one.
struct Piece {
  static constexpr std::uint32_t kAll = std::numeric_limits<std::uint32_t>::max();

  std::uint32_t origin = 0;     ///< index of the frame in the whole capture
  std::int64_t time_ns = 0;     ///< time at which it passed, according to the tap
  std::uint32_t kept = kAll;    ///< maximum number of its octets
  std::uint16_t zeros = 0;      ///< padding after it
  bool check_sequence = false;  ///< and four octets of a frame check sequence
  bool routed = false;          ///< captured after a router: TTL lower by one, other MAC addresses

  [[nodiscard]] bool is_whole() const noexcept { return kept == kAll && zeros == 0 && !check_sequence && !routed; }
};

using Pieces = std::vector<Piece>;

/// Every frame of the seed, unchanged.
[[nodiscard]] Pieces whole(const Seed& seed);

/// The frames that the pieces describe, numbered from 1. Owns the octets that differ from the seed's.
class Built {
 public:
  Built(const Seed& seed, const Pieces& pieces);
  [[nodiscard]] const std::vector<net::Frame>& frames() const noexcept { return frames_; }

 private:
  std::vector<net::Frame> frames_;
  std::deque<std::vector<std::byte>> changed_;
};

/// The same, to be written to a file.
[[nodiscard]] synth::Frames to_write(const Seed& seed, const Pieces& pieces);

/// "without frames 3-5 and 9; frame 7 cut to 66 of 1514 octets; frame 8 twice": the damage by the tap, as text.
[[nodiscard]] std::string describe(const Seed& seed, const Pieces& pieces);

}  // namespace iwarpscope::test
