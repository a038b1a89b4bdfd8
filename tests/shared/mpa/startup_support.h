// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// What the tests of startup share.
#pragma once

#include "mpa/startup.h"
#include "shared/mpa/support.h"

namespace iwarpscope::mpa::test {

inline constexpr Direction kA = Direction::a_to_b;  ///< the Initiator, unless said otherwise
inline constexpr Direction kB = Direction::b_to_a;

using Wire = synth::wire::StartupFrame;

inline Wire request() {
  Wire f;
  f.kind = Wire::Kind::request;
  return f;
}
inline Wire reply() {
  Wire f;
  f.kind = Wire::Kind::reply;
  return f;
}
/// Enhanced frames of revision 2.
inline Wire request2(synth::wire::EnhancedData e = {.ird = 4, .ord = 4}) {
  Wire f = request();
  f.revision = 2;
  f.enhanced = e;
  return f;
}
inline Wire reply2(synth::wire::EnhancedData e = {.ird = 4, .ord = 4}) {
  Wire f = reply();
  f.revision = 2;
  f.enhanced = e;
  return f;
}

/// A connection that is fed TCP segments in turn.
struct StartupBench {
  KeepingReporter reporter;
  Startup startup{reporter};
  std::array<StreamOffset, 2> at{kStreamOrigin, StreamOffset{7 * kStreamOrigin.value}};
  std::array<std::size_t, 2> left_over{};  ///< octets that startup did not take
  std::uint64_t frame = 0;
  bool one_sided = false;

  std::size_t feed(Direction d, Octets octets) {
    tcp::Chunk chunk = segment(at[index(d)], octets, ++frame);
    chunk.acknowledged = at[index(opposite(d))];
    chunk.has_acknowledged = true;
    const std::size_t taken = startup.octets(d, chunk, !one_sided);
    at[index(d)] = at[index(d)] + octets.size();
    left_over[index(d)] += octets.size() - taken;
    return taken;
  }
  std::size_t feed(Direction d, const Wire& f) { return feed(d, Octets{synth::wire::write(f)}); }
  std::size_t feed(Direction d, std::string_view text) { return feed(d, Octets{synth::text(text)}); }
  void gap(Direction d, std::uint64_t length) {
    ++frame;
    startup.missing(d, at[index(d)], length);
    at[index(d)] = at[index(d)] + length;
  }
  void fin(Direction d) { startup.ended(d, true, false, FrameNumber{++frame}, TimePoint{}); }
  void rst(Direction d) {
    startup.ended(d, false, true, FrameNumber{++frame}, TimePoint{});
    startup.ended(opposite(d), false, true, FrameNumber{frame}, TimePoint{});
  }
  /// The capture ends.
  void end() {
    startup.ended(kA, false, false, FrameNumber{frame}, TimePoint{});
    startup.ended(kB, false, false, FrameNumber{frame}, TimePoint{});
  }
  [[nodiscard]] std::string codes() const { return reporter.codes(); }
};

/// Those of all early chunks, which must leave no hole.
inline Buffer early_octets(const Startup& startup) {
  Buffer octets;
  const std::vector<tcp::Chunk> chunks = startup.early_chunks();
  for (const tcp::Chunk& chunk : chunks) {
    EXPECT_EQ(chunk.offset, chunks.front().offset + octets.size());
    octets.insert(octets.end(), chunk.octets.begin(), chunk.octets.end());
  }
  return octets;
}

inline Buffer fpdu(bool crc = true) {
  synth::wire::FpduForm form;
  form.crc = crc;
  return synth::wire::write(form, send_ulpdu(1, Buffer(30, std::byte{0x33})));
}

}  // namespace iwarpscope::mpa::test
