// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The settings of a Connection and the arguments of its calls.
#pragma once

#include <concepts>
#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <tuple>
#include <vector>

#include "base/ids.h"
#include "synth/path.h"
#include "synth/wire/mpa.h"
#include "synth/wire/rdmap.h"
#include "synth/wire/tcp.h"

namespace iwarpscope::synth {

/// The two ends by their MPA role.
enum class Side : std::uint8_t { initiator = 0, responder = 1 };
/// Short, because calls for both ends use it often.
inline constexpr Side kI = Side::initiator, kR = Side::responder;
[[nodiscard]] constexpr Side peer(Side s) {
  return s == Side::initiator ? Side::responder : Side::initiator;
}
[[nodiscard]] constexpr std::size_t index(Side s) {
  return static_cast<std::size_t>(s);
}

/// One end of the connection.
struct Endpoint {
  Address address = "10.0.0.1";
  std::uint16_t port = 40000;
  Mac mac{0x020000000001};
  std::uint32_t isn = 0x1000;  ///< sequence number of the SYN
  std::uint16_t mss = 1460;    ///< announced in the SYN; the peer's TCP segments obey it
  std::uint8_t window_scale = 7;
  bool timestamps = true;  ///< offered; used if both ends do
  bool sack = true;        ///< offered; used if both ends do
  std::uint8_t ttl = 64;
  wire::Checksum checksum = wire::Checksum::right;  ///< of all packets sent by this end
  std::uint32_t interface = 0;                      ///< capture interface that captures the packets of this end
  /// Time from the capture of a packet for this end to the capture of its answer. Nanoseconds.
  std::int64_t turnaround_ns = 20'000;
  /// TCP segments with payload that are acknowledged by one pure ACK; 0: acknowledgments only in data segments
  unsigned ack_every = 2;
};

inline constexpr std::int64_t kSecond = 1'000'000'000;  ///< times are in nanoseconds

/// The clock of one or more connections; nanoseconds since the epoch.
struct Clock {
  std::int64_t now_ns = 1'700'000'000'000'000'000;
};

/// How one connection begins. Members can be named: Connection c({.initiator = {.isn = 0xFFFFFF00}}).
struct ConnectionOptions {
  Endpoint initiator{};
  Endpoint responder{.address = "10.0.0.2", .port = 5000, .mac = Mac{0x020000000002}, .isn = 0x80000000};
  Side opener = Side::initiator;  ///< end that sends the SYN
  Path path{};
  std::int64_t gap_ns = 10'000;  ///< between packets that do not wait
  std::uint64_t seed = 1;        ///< of the payload octets
  Clock* clock = nullptr;        ///< shared with other connections; must outlive this one
};

/// How FPDUs are cut into TCP segments.
enum class Packing : std::uint8_t {
  fpdu_per_tcp_segment,  ///< each FPDU begins a TCP segment
  packed,                ///< TCP segments are filled to the MSS; the rest waits for more octets or flush()
  cut,                   ///< each FPDU is cut into pieces of the given sizes, in turn
  crc_alone,             ///< the last four octets of each FPDU are in their own TCP segment, as siw sends them
  offload,               ///< each message is one TCP segment (up to the size given), as hosts with TSO capture it
};

/// Effects on a TCP segment with payload between its sender, the tap and its receiver.
enum class Effect : std::uint8_t {
  none,
  lose_before_tap,     ///< lost on the network, never captured; the retransmission is captured
  lose_after_tap,      ///< captured, then lost; the retransmission is captured too
  miss,                ///< received but not captured: a capture gap
  hold_back,           ///< captured and received later than the TCP segments after it
  mirror_duplicate,    ///< captured twice, octet by octet
  retransmit,          ///< received, and retransmitted anyway
  retransmit_changed,  ///< received, and retransmitted with other octets
  corrupt,             ///< captured with wrong octets and so a wrong checksum, not received, then retransmitted
};
struct EffectOptions {
  unsigned skip = 0;                 ///< TCP segments with payload that pass before this one
  unsigned delay = 3;                ///< TCP segments with payload until it comes again, if there are as many
  bool miss_retransmission = false;  ///< the second one is not captured
};

/// Probabilities in thousandths for each TCP segment with payload, both directions.
struct Impairment {
  std::uint64_t seed = 1;
  unsigned lose_before_tap = 0, lose_after_tap = 0, miss = 0, hold_back = 0;
  unsigned mirror_duplicate = 0, retransmit = 0, corrupt = 0;
};

/// The ready-to-receive message of peer-to-peer mode. Source: RFC 6581 §9.2.
enum class Rtr : std::uint8_t { none, send, write, read };

/// An MPA startup in one line; frames with more faults are given completely.
struct Startup {
  std::uint8_t revision = 1;
  bool crc = true;       ///< C of both frames, except:
  bool markers = false;  ///< M of both frames, except:
  std::optional<bool> request_crc{}, reply_crc{}, request_markers{}, reply_markers{};
  bool reject = false;                                                     ///< R of the Reply
  std::optional<wire::EnhancedData> request_enhanced{}, reply_enhanced{};  ///< set S, and Rev 2 if revision is 1
  Buffer request_private_data{}, reply_private_data{};
  Rtr rtr = Rtr::none;  ///< sent by the initiator as its first FPDU
};
[[nodiscard]] wire::StartupFrame request_frame(const Startup& startup);
[[nodiscard]] wire::StartupFrame reply_frame(const Startup& startup);

/// Payload: a number of octets of the connection's pattern, or given octets, or a text.
class Payload {
 public:
  template <std::integral Count>
  Payload(Count count) : count_(static_cast<std::size_t>(count)) {}  // NOLINT(google-explicit-constructor)
  Payload(Buffer octets) : given_(std::move(octets)) {}              // NOLINT(google-explicit-constructor)
  Payload(std::string_view words) : given_(text(words)) {}           // NOLINT(google-explicit-constructor)
  Payload(const char* words) : Payload(std::string_view(words)) {}   // NOLINT(google-explicit-constructor)
  [[nodiscard]] std::size_t count() const { return given_ ? given_->size() : count_; }
  [[nodiscard]] const std::optional<Buffer>& given() const { return given_; }

 private:
  std::size_t count_ = 0;
  std::optional<Buffer> given_{};
};

/// The 64-bit words of atomic operations, by (owner's address, STag, TO); absent words have the value 0. Connections to
/// one responder may share them.
using AtomicMemory = std::map<std::tuple<Buffer, std::uint32_t, std::uint64_t>, std::uint64_t>;

/// One TCP segment as captured at the tap, before it becomes octets. Tests may edit Connection::tcp_segments() at will.
struct TcpSegment {
  std::int64_t time_ns = 0;
  Side sender = Side::initiator;
  std::uint32_t sequence = 0;
  std::uint32_t acknowledgment = 0;
  std::uint8_t flags = wire::kAck;
  std::uint16_t window = 512;
  wire::TcpOptions options{};
  wire::Checksum checksum = wire::Checksum::right;
  std::uint16_t identification = 0;
  Buffer payload{};
};

}  // namespace iwarpscope::synth
