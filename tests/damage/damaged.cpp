// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "damage/damaged.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/octets.h"
#include "net/decoder.h"
#include "synth/random.h"
#include "synth/wire/checksum.h"
#include "truncation/captures.h"

namespace iwarpscope::test {
namespace {

/// Offset of the IP header in an Ethernet frame; 0: none.
std::size_t ip_header(Octets octets) {
  std::size_t at = 12;
  const auto type_at = [&](std::size_t i) {
    return i + 2 <= octets.size() ? load_be<std::uint16_t>(octets.subspan(i)) : 0;
  };
  while (type_at(at) == 0x8100 || type_at(at) == 0x88A8) at += 4;
  const bool is_ip = type_at(at) == 0x0800 || type_at(at) == 0x86DD;
  return is_ip && octets.size() >= at + 2 + 20 ? at + 2 : 0;
}

/// The adapter will split it into several TCP segments, and set their lengths.
bool has_no_length(const net::Frame& frame) {
  const std::size_t ip = frame.link == net::LinkType::ethernet ? ip_header(frame.octets) : 0;
  if (ip == 0) return false;
  const bool is_v4 = to_u8(frame.octets[ip]) >> 4 == 4;
  return load_be<std::uint16_t>(frame.octets.subspan(ip + (is_v4 ? 2 : 4))) == 0;
}

std::vector<FrameFacts> facts_of(const std::vector<net::Frame>& frames) {
  net::Decoder decoder(net::DecoderLimits{});
  std::vector<FrameFacts> all;
  for (const net::Frame& frame : frames) {
    FrameFacts& facts = all.emplace_back();
    const auto decoded = decoder.decode(frame);
    if (const auto* tcp = std::get_if<net::TcpPacket>(&decoded)) {
      facts = {tcp->source,
               tcp->destination,
               true,
               tcp->payload_length > 0,
               tcp->has(net::tcp_flag::syn | net::tcp_flag::fin | net::tcp_flag::rst),
               false};
    } else if (const auto* sctp = std::get_if<net::SctpPacket>(&decoded)) {
      facts = {sctp->source, sctp->destination, false, true, false, false};
    }
    facts.is_offloaded = has_no_length(frame);
  }
  return all;
}

/// The frame after a router. Source: RFC 1812 §5.2.3.
void route(std::vector<std::byte>& octets) {
  const std::size_t ip = ip_header(octets);
  if (ip == 0) return;
  for (std::size_t i = 0; i < 12; ++i) octets[i] = std::byte(i % 6 == 0 ? 2 : i < 6 ? 10 : 11);
  if (to_u8(octets[ip]) >> 4 == 6) {
    octets[ip + 7] = std::byte(to_u8(octets[ip + 7]) - 1);
    return;
  }
  octets[ip + 8] = std::byte(to_u8(octets[ip + 8]) - 1);
  octets[ip + 10] = octets[ip + 11] = std::byte{0};
  const std::size_t length = std::min<std::size_t>((to_u8(octets[ip]) & 15U) * 4U, octets.size() - ip);
  synth::wire::poke16(octets, ip + 10, synth::wire::InternetSum().add(Octets(octets).subspan(ip, length)).checksum());
}

/// "3-5, 9" for frame numbers in order.
std::string ranges(const std::vector<std::uint32_t>& numbers) {
  std::string text;
  for (std::size_t i = 0; i < numbers.size();) {
    std::size_t end = i + 1;
    while (end < numbers.size() && numbers[end] == numbers[end - 1] + 1) ++end;
    if (!text.empty()) text += ", ";
    text += end - i == 1 ? fmt::format("{}", numbers[i]) : fmt::format("{}-{}", numbers[i], numbers[end - 1]);
    i = end;
  }
  return text;
}

void describe_one(const net::Frame& frame, const Piece& piece, std::string& text) {
  const std::uint32_t number = piece.origin + 1;
  if (piece.kept < frame.octets.size())
    text += fmt::format("; frame {} cut to {} of {} octets", number, piece.kept, frame.octets.size());
  if (piece.zeros > 0 || piece.check_sequence)
    text += fmt::format("; frame {} padded{}", number, piece.check_sequence ? " with a check sequence" : "");
  if (piece.routed) text += fmt::format("; frame {} seen after a router", number);
}

}  // namespace

std::vector<Seed> seeds(std::size_t most) {
  std::vector<Seed> all;
  for (const Capture& capture : captures()) {
    if (capture.frames.empty()) continue;
    Seed& seed = all.emplace_back();
    seed.name = capture.path;
    seed.frames.assign(capture.frames.begin(),
                       capture.frames.begin() + static_cast<std::ptrdiff_t>(std::min(most, capture.frames.size())));
    seed.facts = facts_of(seed.frames);
  }
  return all;
}

Pieces whole(const Seed& seed) {
  Pieces pieces;
  pieces.reserve(seed.frames.size());
  for (const net::Frame& frame : seed.frames) {
    Piece& piece = pieces.emplace_back();
    piece.origin = static_cast<std::uint32_t>(pieces.size() - 1);
    piece.time_ns = frame.time.ns;
  }
  return pieces;
}

Built::Built(const Seed& seed, const Pieces& pieces) {
  frames_.reserve(pieces.size());
  for (const Piece& piece : pieces) {
    net::Frame& frame = frames_.emplace_back(seed.frames[piece.origin]);
    frame.number = FrameNumber{frames_.size()};
    frame.time = TimePoint{piece.time_ns};
    if (piece.routed || piece.zeros > 0 || piece.check_sequence) {
      std::vector<std::byte>& own = changed_.emplace_back(frame.octets.begin(), frame.octets.end());
      if (piece.routed && frame.link == net::LinkType::ethernet) route(own);
      own.resize(own.size() + piece.zeros);
      if (piece.check_sequence) {
        synth::Random random(piece.origin);
        for (unsigned i = 0; i < 4; ++i) own.push_back(std::byte(random.below(256)));
      }
      frame.original_length += static_cast<std::uint32_t>(own.size() - frame.octets.size());
      frame.octets = own;
    }
    frame.octets = frame.octets.first(std::min<std::size_t>(frame.octets.size(), piece.kept));
  }
}

synth::Frames to_write(const Seed& seed, const Pieces& pieces) {
  const Built built(seed, pieces);
  synth::Frames frames;
  for (const net::Frame& f : built.frames()) {
    frames.push_back({f.time.ns, static_cast<synth::LinkType>(f.link), synth::Buffer(f.octets.begin(), f.octets.end()),
                      f.original_length, f.interface});
  }
  return frames;
}

std::string describe(const Seed& seed, const Pieces& pieces) {
  std::map<std::uint32_t, unsigned> seen;
  for (const Piece& piece : pieces) ++seen[piece.origin];
  std::string text;
  std::vector<std::uint32_t> gone, moved;
  const std::uint32_t last = seen.empty() ? 0 : seen.rbegin()->first;
  for (std::uint32_t i = 0; i < last; ++i) {
    if (!seen.contains(i)) gone.push_back(i + 1);
  }
  if (!gone.empty()) text += "; without frames " + ranges(gone);
  if (last + 1 < seed.frames.size()) text += fmt::format("; up to frame {} of {}", last + 1, seed.frames.size());
  for (const auto& [origin, times] : seen) {
    if (times > 1) text += fmt::format("; frame {} {} times", origin + 1, times);
  }
  std::int64_t shifted = 0;
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    describe_one(seed.frames[pieces[i].origin], pieces[i], text);
    if (i > 0 && pieces[i].origin < pieces[i - 1].origin)
      text += fmt::format("; frame {} follows frame {}", pieces[i].origin + 1, pieces[i - 1].origin + 1);
    if (pieces[i].time_ns != seed.frames[pieces[i].origin].time.ns) ++shifted;
  }
  if (shifted > 0) text += fmt::format("; times of {} frames changed", shifted);
  return text.empty() ? "nothing" : text.substr(2);
}

}  // namespace iwarpscope::test
