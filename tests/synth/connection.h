// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// A scripted iWARP connection: an Initiator, a Responder, the network between them and a tap on it.
//
//   Connection c;
//   c.connect();
//   c.startup({.crc = true});
//   c.send(Side::initiator, 100);
//   c.write(Side::initiator, STag{0x1234}, TaggedOffset{0x1000}, 5000);
//   c.read(Side::initiator, {.size = 4096});
//   c.fault("crc-mismatch");
//   c.send(Side::responder, "hello");
//   c.close();
//   c.save("x.pcapng");                 // or feed c.frames() to the analyser
//
// Calls are executed in order, and their frames are correct unless fault(), alter() or channel() was called before.
// Nothing is random except by seed, and no clock is read. Errors of the script throw std::invalid_argument.
#pragma once

#include <array>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "synth/channel.h"
#include "synth/conversation.h"
#include "synth/ddp_stream.h"
#include "synth/options.h"
#include "synth/wire/capture_file.h"

namespace iwarpscope::synth {

/// A TCP segment on its way, and its offset from the ISN.
struct TcpInFlight {
  TcpSegment tcp;
  std::uint64_t offset;
};

class Connection : public DdpStream, public Conversation, private Channel<TcpInFlight>::Transport {
 public:
  explicit Connection(ConnectionOptions options = {});

  // ---- TCP ----
  /// The three-way handshake.
  void connect() override;
  /// Octets that are not MPA: streaming data before MPA, or any other protocol. Cut at the MSS.
  void stream(Side side, const Payload& payload);
  /// FIN from `first`, FIN from the other, ACK.
  void close(Side first = Side::initiator);
  /// FIN of one side, acknowledged; that direction is closed.
  void fin(Side side);
  void reset(Side side);
  /// A TCP keep-alive with 0 or 1 octet and its answer. Source: RFC 9293 §3.8.4.
  void keep_alive(Side side, bool with_octet = false);
  /// A pure ACK.
  void acknowledge(Side side) override;
  /// Begins the next connection on the same addresses and ports: new ISNs (old + 0x01000000 unless given).
  void reuse_ports(std::optional<std::uint32_t> initiator_isn = {}, std::optional<std::uint32_t> responder_isn = {});
  void packing(Side side, Packing packing, std::vector<std::size_t> sizes = {});
  void packing(Packing packing, std::vector<std::size_t> sizes = {});
  void flush() override;
  /// Changes the next TCP segment with payload of this side just before it is seen, after its ACK number was set.
  void touch(Side side, std::function<void(TcpSegment&)> change, unsigned skip = 0);

  void channel(Side side, Effect effect, EffectOptions options = {}) override;

  // ---- MPA ----
  /// Request, Reply, and the RTR if one is named.
  void startup(const Startup& startup = {});
  void startup(const wire::StartupFrame& request, const wire::StartupFrame& reply);
  /// One startup frame. Markers and CRC of the FPDUs that follow are those of the two frames last sent.
  void request(const wire::StartupFrame& frame, Side side = Side::initiator);
  void reply(const wire::StartupFrame& frame, Side side = Side::responder);
  /// The direction begins Full Operation at its next octet. startup() does this; call it only for mid-stream scripts.
  void begin_full_operation(Side side);
  void use_markers(Side side, bool on);
  void use_crc(bool on);
  void use_crc(Side side, bool on);

  // ---- FPDUs; messages and their faults are those of a DdpStream ----
  using DdpStream::raw_ulpdu;
  /// One FPDU with any contents, in the form given.
  void raw_ulpdu(Side side, Octets ulpdu, const wire::FpduForm& form);
  /// Octets of the FPDU stream, unchanged; no markers are inserted, but the position advances.
  void raw_octets(Side side, Octets octets);

  // ---- results ----
  [[nodiscard]] Frames frames() override;
  [[nodiscard]] std::vector<TcpSegment>& tcp_segments() { return seen_; }
  /// Octets that this side sent since its SYN (as the report's offsets count: the octet after the SYN is 0).
  [[nodiscard]] std::uint64_t stream_octets(Side side) const;
  /// Raw octets that this side sent since its Full Operation began.
  [[nodiscard]] std::uint64_t position(Side side) const { return end(side).position; }

 private:
  struct PlannedTouch {
    unsigned skip;
    std::function<void(TcpSegment&)> change;
  };
  struct End {
    Endpoint endpoint;
    // TCP: offsets from the ISN, 64 bits; the SYN is 0
    std::uint64_t sent = 0;
    std::uint64_t received = 0;  // all octets before it, in order
    std::vector<std::pair<std::uint64_t, std::uint64_t>> islands;
    std::uint16_t identification = 1;
    unsigned unacknowledged = 0;
    std::int64_t last_for_us_ns = 0;
    std::uint32_t last_timestamp = 0;
    bool closed = false;
    Packing packing = Packing::fpdu_per_tcp_segment;
    std::vector<std::size_t> sizes;
    std::size_t next_size = 0;
    Buffer waiting;
    Channel<TcpInFlight> channel;
    std::deque<PlannedTouch> touches;
    // MPA
    std::optional<wire::StartupFrame> startup;
    bool markers = false;
    bool crc = true;
    std::uint64_t position = 0;
  };

  [[nodiscard]] End& end(Side side) { return ends_[index(side)]; }
  [[nodiscard]] const End& end(Side side) const { return ends_[index(side)]; }
  [[nodiscard]] std::size_t tcp_payload(Side side) const;
  [[nodiscard]] bool both(bool Endpoint::*offer) const;

  // TCP (connection_tcp.cpp)
  void transmit(Side side, std::uint8_t flags, Buffer payload);
  void stamp(TcpSegment& tcp, std::uint64_t offset);
  void show(TcpSegment tcp);
  void show(TcpInFlight packet, std::int64_t late_ns) override;
  void receive(const TcpInFlight& packet) override;
  void send_again(TcpInFlight& packet) override;
  void release(TcpInFlight& packet) override;
  void spoil(TcpInFlight& packet, bool checksum_right) override;
  void settle(Side side) override;
  void put(Side side, Buffer octets, bool whole_fpdu);
  void end_message(Side side) override;
  void flush(Side side);
  void in_pieces(Side side, Octets octets, std::size_t size);
  void render(Framer& framer, const TcpSegment& tcp, const std::function<void(Frame&&)>& out) const;

  // MPA (connection_mpa.cpp)
  void startup_frame(Side side, const wire::StartupFrame& frame);
  void negotiate();
  void put_segment(Side side, Octets segment, const Alter& alter) override;
  [[nodiscard]] std::size_t usual_mulpdu(Side side) const override;
  [[nodiscard]] Octets owner(Side side) const override;

  std::array<End, 2> ends_;
  std::optional<bool> markers_override_[2];
  std::optional<bool> crc_override_[2];
  std::vector<TcpSegment> seen_;
};

}  // namespace iwarpscope::synth
