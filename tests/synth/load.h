// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Bulk traffic for benchmarks and for bounds. Frames go to a sink one by one; nothing is stored.
#pragma once

#include <cstdint>
#include <cstdio>
#include <functional>
#include <string>
#include <vector>

#include "synth/frame.h"
#include "synth/wire/capture_file.h"

namespace iwarpscope::synth {

using FrameSink = std::function<void(Frame&&)>;

enum class Bulk : std::uint8_t { send, write, read };

/// The transport of the load. Over SCTP, each association has this number of streams with one session each; CRC and
/// Markers belong to MPA and are ignored.
struct Carrying {
  bool sctp = false;
  unsigned streams = 1;
};

struct BulkOptions {
  std::uint64_t octets = 500'000'000;  ///< of frames, at least
  std::uint16_t mtu = 1500;
  std::vector<Bulk> mix{Bulk::send, Bulk::write, Bulk::read};
  bool crc = true;
  bool markers = false;  ///< in both directions
  unsigned connections = 4;
  std::size_t message_octets = 65536;
  std::uint64_t seed = 1;
  Carrying carrying{};
};
/// A few connections with large messages, alternating. Each FPDU is in its own TCP segment (each DATA chunk in its own
/// SCTP packet), with one ACK for every two.
void bulk(const BulkOptions& options, const FrameSink& sink);

struct SmallOptions {
  std::uint64_t octets = 100'000'000;  ///< of frames, at least
  std::size_t message_octets = 64;
  bool aligned = true;  ///< TCP segments contain complete FPDUs; otherwise they are filled to the MSS
  bool crc = true;
  bool markers = false;
  unsigned connections = 4;
  Carrying carrying{};
};
/// Small Sends, several FPDUs per TCP segment, or DATA chunks per SCTP packet.
void small(const SmallOptions& options, const FrameSink& sink);

enum class MixedOpcode : std::uint8_t { send, send_se, write, read, atomic, immediate };
/// A size between both, each equally likely. A range is drawn as often as its weight says, compared with the others.
struct SizeRange {
  std::uint32_t low = 0, high = 0;
  unsigned weight = 1;
};
struct OpcodeWeight {
  MixedOpcode opcode = MixedOpcode::send;
  unsigned weight = 1;
};
struct MixtureOptions {
  std::uint64_t octets = 100'000'000;  ///< of frames, at least
  std::uint16_t mtu = 1500;
  std::vector<SizeRange> sizes{{64, 64, 1}};  ///< of messages
  std::vector<OpcodeWeight> opcodes{{}};
  bool packed = false;  ///< TCP segments are filled to the MSS; otherwise each has one FPDU
  bool crc = true;
  bool markers = false;  ///< in both directions
  unsigned connections = 4;
  std::uint64_t seed = 1;
};
/// Messages whose connection, side (three of four from the Initiator), opcode, size and STag are drawn. The same
/// options give the same octets. Preconditions: no list is empty, no weight is 0, no `low` is above its `high`.
void mixture(const MixtureOptions& options, const FrameSink& sink);

/// `count` connections with handshake, startup and one Send in each direction, never closed.
void idle_qps(std::uint64_t count, const FrameSink& sink);
/// `count` connections with handshake and one or two TCP segments that are not iWARP, never closed.
void plain_connections(std::uint64_t count, const FrameSink& sink);
/// `count` SYNs from different addresses and ports.
void syn_flood(std::uint64_t count, const FrameSink& sink);
/// `count` IPv4 fragments of 8 octets, from datagrams that are never complete.
void tiny_fragments(std::uint64_t count, const FrameSink& sink);
/// A connection joined mid-stream, with `octets` of words that look like Markers and FPDU headers but are not.
void garbage_markers(std::uint64_t octets, const FrameSink& sink);
/// One connection with `count` RDMA Writes of one octet, each to a different place, in 64 STags.
void scattered_writes(std::uint64_t count, const FrameSink& sink);
/// One connection with `count` FetchAdds, each to a different word, none answered.
void unanswered_atomics(std::uint64_t count, const FrameSink& sink);

/// A capture file that is written frame by frame. Frames must be Ethernet of interface 0. Throws std::system_error.
class FileSink {
 public:
  explicit FileSink(const std::string& path, const FileOptions& options = {});
  FileSink(const FileSink&) = delete;
  FileSink& operator=(const FileSink&) = delete;
  ~FileSink();
  void add(const Frame& frame);
  /// Writes buffered data and closes. Without it, the end of the file is lost.
  void close();

 private:
  void drain();
  std::string path_;
  std::FILE* file_;
  CaptureWriter writer_;
  Buffer held_;
};

}  // namespace iwarpscope::synth
