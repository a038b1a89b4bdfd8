// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// A scripted SCTP association that carries DDP: two ends, the network between them and a tap on it.
//
//   Association a;
//   a.connect();
//   SctpStream& s = a.stream(0);
//   s.startup();
//   s.send(Side::initiator, 100);       // all messages of a DdpStream
//   a.stream(3).startup({.request_enhanced = ..., .reply_enhanced = ...});
//   s.close();                          // this session; the association stays
//   a.shutdown();
//   a.save("x.pcapng");
//
// As with a Connection, calls are executed in order, and their frames are correct unless a fault was requested.
#pragma once

#include <array>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "synth/channel.h"
#include "synth/conversation.h"
#include "synth/sctp_stream.h"
#include "synth/wire/sctp.h"

namespace iwarpscope::synth {

/// Settings of SCTP in addition to an Endpoint, whose `isn` is the Initial TSN and `ack_every` counts packets with
/// DATA.
struct SctpEnd {
  std::uint32_t tag = 0xA1A1A1A1;  ///< Initiate Tag: the verification tag of packets to this end
  std::uint16_t outbound_streams = 16;
  std::uint16_t inbound_streams = 16;
  std::optional<std::uint32_t> adaptation = wire::kDdpAdaptation;
  std::vector<Address> more_addresses{};  ///< in addition to that of the Endpoint; if there are any, INIT lists all
  std::uint32_t window = 1U << 20;
};

struct SctpOptions {
  SctpEnd initiator{};
  SctpEnd responder{.tag = 0xB2B2B2B2};
  std::uint16_t mtu = 1500;
  bool udp = false;  ///< in UDP datagrams of port 9899. Source: RFC 6951 §5
};

/// One SCTP packet as the tap saw it, before it becomes octets. Tests may edit Association::packets() at will.
struct SctpPacket {
  std::int64_t time_ns = 0;
  Side sender = Side::initiator;
  Address source{}, destination{};
  std::uint32_t verification_tag = 0;
  wire::Checksum checksum = wire::Checksum::right;
  std::uint16_t identification = 0;
  std::vector<Buffer> control{};   ///< chunks in front, as octets
  std::vector<wire::Data> data{};  ///< DATA chunks after them
};

class Association : public Conversation, private Channel<SctpPacket>::Transport {
 public:
  explicit Association(ConnectionOptions options = {}, SctpOptions sctp = {});

  // ---- the association ----
  /// INIT, INIT ACK, COOKIE ECHO, COOKIE ACK.
  void connect() override;
  /// SHUTDOWN of `first`, SHUTDOWN ACK, SHUTDOWN COMPLETE.
  void shutdown(Side first = Side::initiator);
  /// ABORT, user-initiated.
  void abort(Side side);
  /// HEARTBEAT and HEARTBEAT ACK on the current path.
  void heartbeat(Side side);
  /// SACK alone.
  void acknowledge(Side side) override;
  /// Packets of this side go from its address of this number to the peer's address of this number (0: that of the
  /// Endpoint).
  void use_path(Side side, std::size_t own, std::size_t peers);
  /// The a_rwnd of the side's SACKs from now on. Its peer ignores it and sends.
  void offer_window(Side side, std::uint32_t octets) { end(side).sctp.window = octets; }
  /// On: DATA chunks of all streams wait until a packet is full, flush() or an answer. Off: one packet per chunk.
  void bundle(Side side, bool on);
  /// User messages of this side are cut into DATA chunks of at most this number of octets of user data; without a
  /// value, only if they do not fit into a packet.
  void fragment(Side side, std::optional<std::size_t> octets) { end(side).fragment = octets; }
  /// A DATA chunk with the next TSN; its own TSN is ignored.
  void data(Side side, wire::Data chunk);
  /// Any chunk in its own packet.
  void chunk(Side side, Buffer chunk);
  void flush() override;
  /// The DDP Stream with this SCTP stream identifier. Lives as long as the association.
  [[nodiscard]] SctpStream& stream(std::uint16_t id = 0);

  /// Applies to a packet with DATA.
  void channel(Side side, Effect effect, EffectOptions options = {}) override {
    end(side).channel.plan(effect, options);
  }

  // ---- results ----
  [[nodiscard]] Frames frames() override;
  [[nodiscard]] std::vector<SctpPacket>& packets() { return seen_; }
  [[nodiscard]] const SctpOptions& sctp() const { return sctp_; }
  [[nodiscard]] AtomicMemory& memory() { return stream(0).memory(); }
  /// All messages sent by this side have arrived.
  void settle(Side side);
  /// Both sides have acknowledged everything that arrived.
  void acknowledge_all();
  /// Octets of chunks in one packet, and of user data in one DATA chunk that leaves room for a SACK.
  [[nodiscard]] std::size_t room() const;
  [[nodiscard]] std::size_t usual_user_data() const;

 private:
  struct End {
    Endpoint endpoint;
    SctpEnd sctp;
    std::vector<Address> addresses;
    std::size_t own = 0, peers = 0;
    // TSNs as distances from the Initial TSN, 64 bits
    std::uint64_t sent = 0;
    std::uint64_t received = 0;  // all before it
    std::vector<std::pair<std::uint64_t, std::uint64_t>> islands;
    std::vector<std::uint32_t> duplicates;
    std::map<std::uint16_t, std::uint16_t> ssn;  // of ordered messages
    std::uint16_t identification = 1;
    unsigned unacknowledged = 0;
    std::int64_t last_for_us_ns = 0;
    bool bundling = false;
    std::optional<std::size_t> fragment;
    std::vector<wire::Data> waiting;
    std::size_t waiting_octets = 0;
    Channel<SctpPacket> channel;
  };

  [[nodiscard]] End& end(Side side) { return ends_[index(side)]; }
  [[nodiscard]] const End& end(Side side) const { return ends_[index(side)]; }
  [[nodiscard]] Buffer init(Side side, bool ack);
  [[nodiscard]] wire::Sack sack(Side side);
  void control(Side side, Buffer chunk, std::optional<std::uint32_t> tag = {});
  void transmit(Side side, std::vector<wire::Data> data);
  void flush(Side side);
  void stamp(SctpPacket& packet);
  void put_in_order(Side side, std::uint64_t tsn);
  void show(SctpPacket packet, std::int64_t late_ns) override;
  void receive(const SctpPacket& packet) override;
  void send_again(SctpPacket& packet) override;
  void release(SctpPacket& packet) override;
  void spoil(SctpPacket& packet, bool checksum_right) override;
  void render(Framer& framer, const SctpPacket& packet, const std::function<void(Frame&&)>& out) const;

  SctpOptions sctp_;
  std::array<End, 2> ends_;
  std::map<std::uint16_t, std::unique_ptr<SctpStream>> streams_;
  std::vector<SctpPacket> seen_;
};

}  // namespace iwarpscope::synth
