// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Builds TCP segments with right checksums and records what a Connection makes of them.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tcp/connection.h"

namespace iwarpscope::tcp::test {

inline constexpr Direction kA = Direction::a_to_b;
inline constexpr Direction kB = Direction::b_to_a;
namespace flag = net::tcp_flag;

using Bytes = std::vector<std::byte>;

/// `length` octets that tell their place: octet i of the stream is pattern(i).
inline std::byte pattern(std::uint64_t i) {
  return static_cast<std::byte>((i * 2654435761u >> 13) & 0xFF);
}
inline Bytes pattern(std::uint64_t from, std::size_t length) {
  Bytes octets(length);
  for (std::size_t i = 0; i < length; ++i) octets[i] = pattern(from + i);
  return octets;
}

/// How the checksum field of a TCP segment is to be.
enum class Field { right, wrong, pseudo_header };

/// A TCP segment and the octets it borrows. Move it, do not copy it.
class Packet {
 public:
  net::TcpPacket tcp;

  Packet(const Packet&) = delete;
  Packet& operator=(const Packet&) = delete;
  Packet(Packet&&) = default;
  Packet& operator=(Packet&&) = default;

  Packet(Direction d, std::uint32_t sequence, std::uint8_t flags, Bytes payload) : payload_(std::move(payload)) {
    tcp.source = {net::IpAddress::v4(d == kA ? 0x0A000001 : 0x0A000002), static_cast<std::uint16_t>(d == kA ? 1 : 2)};
    tcp.destination = {net::IpAddress::v4(d == kA ? 0x0A000002 : 0x0A000001),
                       static_cast<std::uint16_t>(d == kA ? 2 : 1)};
    tcp.sequence = sequence;
    tcp.flags = flags;
    tcp.window = 1000;
    tcp.ttl = 64;
    tcp.dont_fragment = true;
    tcp.payload = payload_;
    tcp.payload_length = static_cast<std::uint32_t>(payload_.size());
  }
  Packet&& ack(std::uint32_t acknowledgment) && {
    tcp.flags |= flag::ack;
    tcp.acknowledgment = acknowledgment;
    return std::move(*this);
  }
  Packet&& window(std::uint16_t window) && {
    tcp.window = window;
    return std::move(*this);
  }
  Packet&& ip_id(std::uint16_t id) && {
    tcp.ip_id = id;
    return std::move(*this);
  }
  Packet&& timestamp(std::uint32_t value) && {
    tcp.timestamp = value;
    return std::move(*this);
  }
  Packet&& ttl(std::uint8_t value) && {
    tcp.ttl = value;
    return std::move(*this);
  }
  Packet&& options(std::uint16_t mss, std::uint8_t scale) && {
    tcp.mss = mss;
    tcp.window_scale = scale;
    return std::move(*this);
  }
  Packet&& field(Field field) && {
    field_ = field;
    return std::move(*this);
  }
  /// The capture keeps only the first `captured` octets of the payload.
  Packet&& cut(std::size_t captured) && {
    captured_ = captured;
    return std::move(*this);
  }

  /// Writes the header and its checksum; call once all is set. Source: RFC 9293 §3.1.
  void seal(FrameNumber frame, TimePoint time) {
    tcp.frame = frame;
    tcp.time = time;
    const auto put = [this](std::size_t at, std::uint32_t value, int octets) {
      for (int i = 0; i < octets; ++i) {
        header_[at + static_cast<std::size_t>(i)] = static_cast<std::byte>(value >> (8 * (octets - 1 - i)) & 0xFF);
      }
    };
    put(0, tcp.source.port, 2);
    put(2, tcp.destination.port, 2);
    put(4, tcp.sequence, 4);
    put(8, tcp.acknowledgment, 4);
    put(12, 0x50, 1);
    put(13, tcp.flags, 1);
    put(14, tcp.window, 2);
    put(16, 0, 4);
    std::uint64_t pseudo = 6 + header_.size() + payload_.size();
    for (const net::IpAddress* address : {&tcp.source.address, &tcp.destination.address}) {
      for (std::size_t i = 12; i < 16; i += 2)
        pseudo += std::uint64_t{address->octets[i]} * 256 + address->octets[i + 1];
    }
    const std::uint64_t whole = pseudo + sum(header_) + sum(payload_);
    std::uint32_t checksum = 0xFFFFu - fold(whole);
    if (field_ == Field::wrong) checksum ^= 0x1234;
    if (field_ == Field::pseudo_header) checksum = fold(pseudo);
    put(16, checksum, 2);
    tcp.tcp_header = header_;
    tcp.payload = Octets{payload_}.first(std::min(captured_, payload_.size()));
  }
  [[nodiscard]] const std::byte* data() const { return payload_.data(); }

 private:
  static std::uint64_t sum(std::span<const std::byte> octets) {
    std::uint64_t total = 0;
    for (std::size_t i = 0; i < octets.size(); ++i)
      total += std::to_integer<std::uint64_t>(octets[i]) << (i % 2 ? 0 : 8);
    return total;
  }
  static std::uint32_t fold(std::uint64_t value) {
    while (value > 0xFFFF) value = (value >> 16) + (value & 0xFFFF);
    return static_cast<std::uint32_t>(value);
  }

  Bytes payload_;
  std::vector<std::byte> header_ = std::vector<std::byte>(20);
  Field field_ = Field::right;
  std::size_t captured_ = static_cast<std::size_t>(-1);
};

struct Call {
  Chunk chunk;
  Bytes octets;  ///< empty: missing
  std::uint64_t offset = 0;
  std::uint64_t length = 0;
  Missing reason{};
  FrameNumber frame;
  TimePoint time;
};

/// Records a direction's calls and checks that each begins where the last one ended.
class Recorder final : public StreamSink {
 public:
  void octets(const Chunk& chunk) override {
    ASSERT_FALSE(chunk.octets.empty());
    follow(chunk.offset.value, chunk.octets.size());
    Call call;
    call.chunk = chunk;
    call.octets.assign(chunk.octets.begin(), chunk.octets.end());
    call.offset = chunk.offset.value;
    call.length = chunk.octets.size();
    call.frame = chunk.frame;
    calls.push_back(std::move(call));
  }
  void missing(StreamOffset offset, std::uint64_t length, Missing reason, FrameNumber frame, TimePoint time) override {
    ASSERT_GT(length, 0u);
    follow(offset.value, length);
    Call call;
    call.offset = offset.value;
    call.length = length;
    call.reason = reason;
    call.frame = frame;
    call.time = time;
    calls.push_back(std::move(call));
  }
  [[nodiscard]] std::uint64_t octet_count() const {
    std::uint64_t n = 0;
    for (const Call& call : calls) n += call.octets.size();
    return n;
  }
  /// "[0,100) gap[100,200) [200,300)": adjacent runs of octets are joined.
  [[nodiscard]] std::string text() const {
    static constexpr const char* kNames[] = {"snap", "gap", "unexplained", "limit"};
    std::string out;
    for (std::size_t i = 0; i < calls.size();) {
      const bool data = !calls[i].octets.empty();
      const auto reason = calls[i].reason;
      const auto from = relative(StreamOffset{calls[i].offset});
      std::uint64_t length = 0;
      for (; i < calls.size() && !calls[i].octets.empty() == data && (data || calls[i].reason == reason); ++i) {
        length += calls[i].length;
      }
      if (!out.empty()) out += ' ';
      if (!data) out += kNames[static_cast<int>(reason)];
      out += '[' + std::to_string(from) + ',' + std::to_string(from + static_cast<std::int64_t>(length)) + ')';
    }
    return out;
  }

  std::vector<Call> calls;

 private:
  void follow(std::uint64_t offset, std::uint64_t length) {
    if (!calls.empty()) {
      ASSERT_EQ(offset, calls.back().offset + calls.back().length);
    }
    (void)length;
  }
};

class FindingLog final : public findings::Reporter {
 public:
  void raise(findings::Finding finding) override {
    EXPECT_FALSE(finding.text.empty());
    EXPECT_EQ(finding.text.back(), '.');
    all.push_back(std::move(finding));
  }
  [[nodiscard]] std::size_t count(findings::FindingId id) const {
    std::size_t n = 0;
    for (const auto& finding : all) n += finding.id == id;
    return n;
  }
  [[nodiscard]] const findings::Finding* find(findings::FindingId id) const {
    for (const auto& finding : all) {
      if (finding.id == id) return &finding;
    }
    return nullptr;
  }
  std::vector<findings::Finding> all;
};

/// One connection whose sequence numbers begin at `isn[direction]` (the SYN's); frames are 2 ms apart.
class Bench {
 public:
  explicit Bench(std::array<std::uint32_t, 2> initial = {1000, 5000}, const Limits& limits_in = {},
                 const std::array<Origin, 2>& origins = {}, std::size_t budget_octets = 64u << 20)
      : isn(initial), limits(limits_in), budget(budget_octets) {
    connection = std::make_unique<Connection>(origins, limits, budget);
  }

  /// Feeds a TCP segment after stamping it with the next frame number and time.
  const Packet& feed(Direction d, Packet packet) {
    ++frame;
    now += step;
    packet.seal(FrameNumber{frame}, TimePoint{now});
    kept.push_back(std::move(packet));
    if (kept.size() > 4) kept.pop_front();
    connection->feed(d, kept.back().tcp, {&sinks[0], &sinks[1]}, findings);
    return kept.back();
  }
  /// SYN and SYN+ACK with MSS 1460 and window scale 0.
  void handshake() {
    feed(kA, syn(kA).options(1460, 0));
    feed(kB, std::move(syn(kB)).ack(isn[0] + 1).options(1400, 0));
    feed(kA, empty(kA, 0).ack(isn[1] + 1));
  }
  [[nodiscard]] Packet syn(Direction d) const { return Packet(d, isn[index(d)], flag::syn, {}); }
  /// Payload [from, from + length) of the direction, relative to its first octet.
  [[nodiscard]] Packet data(Direction d, std::uint64_t from, std::size_t length, std::uint8_t flags = 0) const {
    return Packet(d, sequence(d, from), flags, pattern(from, length));
  }
  [[nodiscard]] Packet empty(Direction d, std::uint64_t at, std::uint8_t flags = 0) const {
    return Packet(d, sequence(d, at), flags, {});
  }
  [[nodiscard]] std::uint32_t sequence(Direction d, std::uint64_t at) const {
    return isn[index(d)] + 1 + static_cast<std::uint32_t>(at);
  }
  void acknowledge(Direction of, std::uint64_t upto) {
    feed(opposite(of), empty(opposite(of), sent_[index(opposite(of))]).ack(sequence(of, upto)));
  }
  /// The offset that pure ACKs of `d` give for its stream.
  void set_sent(Direction d, std::uint64_t at) { sent_[index(d)] = at; }
  void finish() {
    ++frame;
    connection->finish(FrameNumber{frame}, TimePoint{now}, {&sinks[0], &sinks[1]}, findings);
  }
  [[nodiscard]] const DirectionStatistics& statistics(Direction d = kA) const { return connection->statistics(d); }
  [[nodiscard]] std::string text(Direction d = kA) const { return sinks[index(d)].text(); }
  [[nodiscard]] std::size_t count(findings::FindingId id) const { return findings.count(id); }

  std::array<std::uint32_t, 2> isn;
  Limits limits;
  BufferBudget budget;
  std::unique_ptr<Connection> connection;
  std::array<Recorder, 2> sinks;
  FindingLog findings;
  std::deque<Packet> kept;
  std::uint64_t frame = 0;
  std::int64_t now = 1'700'000'000'000'000'000;
  std::int64_t step = 2'000'000;

 private:
  std::array<std::uint64_t, 2> sent_{};
};

}  // namespace iwarpscope::tcp::test
