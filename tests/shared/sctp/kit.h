// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Two ends of an SCTP association, packets between them, and what an Association makes of them as lines of text.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>
#include <initializer_list>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "findings/finding.h"
#include "net/sctp_header.h"
#include "sctp/association.h"
#include "sctp/chunk.h"
#include "synth/wire/ddp.h"
#include "synth/wire/octets.h"
#include "synth/wire/sctp.h"

namespace iwarpscope::sctp::test {

namespace wire = synth::wire;
using findings::FindingId;
using synth::Buffer;

inline constexpr Direction kA = Direction::a_to_b;
inline constexpr Direction kB = Direction::b_to_a;
inline constexpr std::int64_t kMs = 1'000'000;

/// Keeps findings, and their codes in the order in which they were raised.
class KeepingReporter final : public findings::Reporter {
 public:
  void raise(findings::Finding f) override { all.push_back(std::move(f)); }
  [[nodiscard]] std::string codes() const {
    std::string text;
    for (const auto& f : all) {
      if (!text.empty()) text += ' ';
      text += findings::rule(f.id).code;
    }
    return text;
  }
  std::vector<findings::Finding> all;
};

/// One session: each call is a line. "A" is the active side's.
///   A initiate @0    A segment @1 "abc"    A missing @2 x1 gap    A ended terminated    whole ended shutdown by B
class Keeping final : public SessionSink {
 public:
  explicit Keeping(KeepingReporter& reporter) : reporter_(reporter) {}
  void control(Direction d, const ControlMessage& m) override {
    EXPECT_FALSE(whole_) << "nothing follows the end";
    controls.push_back(m);
    messages.push_back(m.message);
    line(side(d) + " code " + std::to_string(m.code) + place(d, m.message));
  }
  void segment(Direction d, const Message& m) override {
    EXPECT_FALSE(whole_) << "nothing follows the end";
    messages.push_back(m);
    std::string text = side(d) + " segment" + place(d, m);
    if (m.octets.size() < m.length) text += " cut";
    line(std::move(text));
    payloads.emplace_back(m.octets.begin(), m.octets.end());
  }
  void missing(Direction d, const MissingMessages& gone, FrameNumber, TimePoint) override {
    EXPECT_FALSE(whole_) << "nothing follows the end";
    static constexpr const char* kReasons[] = {"snap", "gap", "unexplained", "limit"};
    line(side(d) + " missing @" + std::to_string(gone.ssn) + " x" + std::to_string(gone.count) + " " +
         kReasons[static_cast<std::size_t>(gone.reason)]);
    follow(d, gone.ssn, gone.count);
  }
  void chunk(Direction d, ChunkEvent what, std::uint32_t octets, FrameNumber frame, TimePoint) override {
    chunks.push_back(side(d) + (what == ChunkEvent::sent_again ? " again " : " overtaken ") + std::to_string(octets) +
                     " in " + std::to_string(frame.value));
  }
  void ended(Ending how, std::optional<Direction> by, bool whole, FrameNumber, TimePoint) override {
    EXPECT_FALSE(whole_) << "it ends once";
    whole_ = whole;
    static constexpr const char* kHow[] = {"terminated", "rejected", "refused",   "shutdown",
                                           "aborted",    "reused",   "restarted", "capture end"};
    std::string text = whole ? "whole" : side(*by);
    text += std::string(" ended ") + kHow[static_cast<std::size_t>(how)];
    if (whole && by) text += " by " + side(*by);
    if (whole && start.view != nullptr) {
      lacks_end = {start.view->may_lack_end(Direction::a_to_b), start.view->may_lack_end(Direction::b_to_a)};
      shutdown = start.view->shutdown();
    }
    line(std::move(text));
  }
  findings::Reporter& reporter(FrameNumber frame, TimePoint) override {
    decided_in = frame;
    return reporter_;
  }

  [[nodiscard]] std::string text() const {
    std::string all;
    for (const std::string& one : lines) all += one + "\n";
    return all;
  }
  SessionStart start;
  std::vector<std::string> lines;
  std::vector<std::string> chunks;  ///< that were sent again or overtaken
  std::vector<ControlMessage> controls;
  std::vector<Message> messages;  ///< their octets are gone
  std::vector<Buffer> payloads;
  std::array<DirectionStatistics, 2> statistics;  ///< as of the last line
  std::array<bool, 2> lacks_end{};                ///< as of its end, as the next one
  std::optional<Shutdown> shutdown;
  FrameNumber decided_in;  ///< of the newest finding

 private:
  static std::string side(Direction d) { return d == kA ? "A" : "B"; }
  std::string place(Direction d, const Message& m) {
    follow(d, m.ssn, 1);
    return " @" + std::to_string(m.ssn);
  }
  /// DDP-SSNs come in order without overlap.
  void follow(Direction d, std::uint64_t ssn, std::uint64_t count) {
    auto& next = next_[index(d)];
    if (next) {
      EXPECT_EQ(ssn, *next) << "each call begins where the last one ended";
    }
    next = ssn + count;
  }
  void line(std::string text) {
    lines.push_back(std::move(text));
    if (start.view != nullptr) {
      statistics = {start.view->statistics(Direction::a_to_b), start.view->statistics(Direction::b_to_a)};
    }
  }
  KeepingReporter& reporter_;
  std::array<std::optional<std::uint64_t>, 2> next_;
  bool whole_ = false;
};

class KeepingAssociations final : public AssociationSink {
 public:
  SessionSink* begin(const SessionStart& start) override {
    sessions.push_back(std::make_unique<Keeping>(reporter_));
    sessions.back()->start = start;
    return follows ? sessions.back().get() : nullptr;
  }
  /// As a line: "A 1000 BE of stream 0, 34 octets, again".
  void data(const DataSeen& seen) override {
    std::string text = (seen.direction == kA ? "A " : "B ") + std::to_string(seen.header.tsn()) + " ";
    text += std::string(seen.header.begins() ? "B" : "") + (seen.header.ends() ? "E" : "");
    text += " of stream " + std::to_string(seen.header.stream()) + ", " + std::to_string(seen.user_data.size());
    if (seen.user_data.size() != seen.length) text += " of " + std::to_string(seen.length);
    chunks.push_back(text + " octets" + (seen.again ? ", again" : "") + (seen.copy ? ", copy" : ""));
  }
  findings::Reporter& reporter() override { return reporter_; }
  [[nodiscard]] std::string codes() const { return reporter_.codes(); }
  [[nodiscard]] const std::vector<findings::Finding>& findings() const { return reporter_.all; }
  std::vector<std::unique_ptr<Keeping>> sessions;
  std::vector<std::string> chunks;  ///< of PPID 16 and 17
  bool follows = true;

 private:
  KeepingReporter reporter_;
};

/// A packet as the decoder would give it, with its octets.
struct Packet {
  std::shared_ptr<Buffer> octets;
  net::SctpPacket sctp;
};

inline net::Endpoint endpoint(std::uint8_t last, std::uint16_t port) {
  return {net::IpAddress::v4(0x0A000000U + last), port};
}

/// Writes packets of both ends. A's TSNs begin at 1000, B's at 0xFFFFFFFE: they wrap soon.
class Ends {
 public:
  std::array<std::uint32_t, 2> tsn{1000, 0xFFFFFFFE};
  std::array<std::uint32_t, 2> tag{0xAAAA0001, 0xBBBB0002};  ///< chosen by A, by B: what packets TO it carry
  std::array<net::Endpoint, 2> at{endpoint(1, 40000), endpoint(2, 5000)};
  std::uint64_t frame = 0;
  std::int64_t now = 0;
  wire::Checksum checksum = wire::Checksum::right;
  std::array<std::uint16_t, 2> udp{};  ///< UDP ports around them; 0: none
  std::uint16_t ip_id = 0;

  [[nodiscard]] Packet packet(Direction d, const std::vector<Buffer>& chunks, std::size_t cut = 0) {
    Buffer all;
    bool init = false;
    for (const Buffer& one : chunks) {
      init = init || to_u8(one[0]) == 1;
      all.insert(all.end(), one.begin(), one.end());
    }
    wire::Sctp header;
    header.source_port = at[index(d)].port;
    header.destination_port = at[index(opposite(d))].port;
    header.verification_tag = init ? 0 : tag[index(opposite(d))];
    header.checksum = checksum;
    Packet result{std::make_shared<Buffer>(wire::write(header, all)), {}};
    const Octets octets(*result.octets);
    net::SctpPacket& p = result.sctp;
    p.frame = FrameNumber{++frame};
    p.time = TimePoint{now += kMs};
    p.source = at[index(d)];
    p.destination = at[index(opposite(d))];
    p.udp_source = udp[index(d)];
    p.udp_destination = udp[index(opposite(d))];
    p.verification_tag = header.verification_tag;
    p.crc = load_le<std::uint32_t>(octets.subspan(8));
    p.ttl = 64;
    p.ip_id = ip_id;
    p.common_header = octets.first(12);
    p.chunks = octets.subspan(12, octets.size() - 12 - cut);
    p.chunks_length = static_cast<std::uint32_t>(octets.size() - 12);
    return result;
  }

  // Chunks. Those with user data take the sender's next TSN.
  [[nodiscard]] Buffer data(Direction d, std::uint16_t stream, std::uint32_t ppid, Buffer user_data) {
    wire::Data chunk;
    chunk.tsn = tsn[index(d)]++;
    chunk.stream = stream;
    chunk.ppid = ppid;
    chunk.user_data = std::move(user_data);
    return wire::write(chunk);
  }
  [[nodiscard]] Buffer segment(Direction d, std::uint16_t stream, std::uint16_t ssn, std::size_t payload = 32) {
    return data(d, stream, 16, user_data(ssn, payload));
  }
  [[nodiscard]] Buffer control(Direction d, std::uint16_t stream, std::uint16_t ssn, unsigned code,
                               Buffer private_data = {}) {
    wire::SessionControl control;
    control.function = static_cast<wire::SessionFunction>(code);
    control.private_data = std::move(private_data);
    return data(d, stream, 17, wire::write(control, ssn));
  }
  [[nodiscard]] Buffer enhanced(Direction d, std::uint16_t stream, std::uint16_t ssn, unsigned code,
                                wire::EnhancedData e) {
    wire::SessionControl control;
    control.function = static_cast<wire::SessionFunction>(code);
    control.enhanced = e;
    return data(d, stream, 17, wire::write(control, ssn));
  }
  /// A Send: DDP-SSN, an untagged DDP header and so many octets.
  [[nodiscard]] static Buffer user_data(std::uint16_t ssn, std::size_t payload) {
    wire::DdpUntagged header;
    header.msn = MessageSequence{ssn};
    return wire::write_ddp_segment(ssn, wire::write(header, Buffer(payload, static_cast<std::byte>(ssn))));
  }
  /// The SACK of all that the other end sent, but for the last `less`.
  [[nodiscard]] Buffer sack(Direction d, std::uint32_t less = 0) const {
    wire::Sack chunk;
    chunk.cumulative_tsn = tsn[index(opposite(d))] - 1 - less;
    return wire::write(chunk);
  }
  [[nodiscard]] Buffer init(Direction d, std::optional<std::uint32_t> adaptation = 1, std::uint16_t out = 10,
                            std::uint16_t in = 10, std::vector<synth::Address> addresses = {}) const {
    wire::Init chunk;
    chunk.ack = d == kB;
    chunk.initiate_tag = tag[index(d)];
    chunk.initial_tsn = tsn[index(d)];
    chunk.outbound_streams = out;
    chunk.inbound_streams = in;
    chunk.adaptation = adaptation;
    chunk.addresses = std::move(addresses);
    if (d == kB) chunk.cookie = Buffer(20, std::byte{0xC0});
    return wire::write(chunk);
  }
  [[nodiscard]] static Buffer chunk(wire::ChunkType type, std::uint8_t flags = 0) {
    return wire::write(wire::Chunk{type, flags, {}, {}});
  }
};

/// An association under test.
class Bench : public Ends {
 public:
  /// Without `patience_ns` no packet waits for others, so that each test sees at once what a packet brings about.
  explicit Bench(bool init_seen = true, std::int64_t patience_ns = 0) {
    limits.max_buffered_octets = 64 << 10;
    limits.max_buffered_chunks = 64;
    AssociationOrigin origin;
    origin.init_seen = init_seen;
    origin.patience_ns = patience_ns;
    association = std::make_unique<Association>(origin, limits, budget, sink);
  }
  ~Bench() {
    association.reset();
    EXPECT_EQ(budget.held(), 0u) << "all memory is given back";
  }
  Bench(const Bench&) = delete;
  Bench& operator=(const Bench&) = delete;

  void send(Direction d, const std::vector<Buffer>& chunks, std::size_t cut = 0) { feed(d, packet(d, chunks, cut)); }
  void feed(Direction d, const Packet& p) { association->feed(d, p.sctp); }
  /// INIT, INIT ACK and the cookies.
  void open(std::optional<std::uint32_t> a = 1, std::optional<std::uint32_t> b = 1) {
    send(kA, {init(kA, a)});
    send(kB, {init(kB, b)});
    send(kA, {chunk(wire::ChunkType::cookie_echo)});
    send(kB, {chunk(wire::ChunkType::cookie_ack)});
  }
  void ask(std::uint16_t stream = 0) { send(kA, {control(kA, stream, 0, 1)}); }
  /// B accepts, and each has a SACK of what the other sent.
  void accept(std::uint16_t stream = 0) {
    send(kB, {sack(kB), control(kB, stream, 0, 2)});
    send(kA, {sack(kA)});
  }
  void establish(std::uint16_t stream = 0) {
    ask(stream);
    accept(stream);
  }
  void acknowledge() {
    send(kA, {sack(kA)});
    send(kB, {sack(kB)});
  }
  void pass(std::int64_t ms) { now += ms * kMs; }
  void finish(Ending how = Ending::capture_end) { association->finish(how, FrameNumber{frame}, TimePoint{now}); }
  void shut_down() {
    send(kA, {wire::write(wire::Shutdown{tsn[1] - 1})});
    send(kB, {chunk(wire::ChunkType::shutdown_ack)});
    send(kA, {chunk(wire::ChunkType::shutdown_complete)});
  }
  [[nodiscard]] Keeping& session(std::size_t n = 0) { return *sink.sessions.at(n); }
  [[nodiscard]] std::string text(std::size_t n = 0) const { return sink.sessions.at(n)->text(); }
  [[nodiscard]] std::string codes() const { return sink.codes(); }
  /// The newest finding.
  [[nodiscard]] const findings::Finding& last() const { return sink.findings().back(); }

  tcp::Limits limits;
  BufferBudget budget{1 << 20};
  KeepingAssociations sink;
  std::unique_ptr<Association> association;
};

/// An association in which A asked for a session on stream 0 and was not answered.
class Asked : public ::testing::Test {
 protected:
  Asked() {
    b.open();
    b.ask();
  }
  /// The codes at the end of the capture.
  std::string codes() {
    b.finish();
    return b.codes();
  }
  Bench b;
};

/// It was accepted, and each side knows.
class Opened : public Asked {
 protected:
  Opened() { b.accept(); }
};

/// What a bench says of a session that was asked for and accepted.
inline const std::string kOpened =
    "A code 1 @0\n"
    "B code 2 @0\n";

}  // namespace iwarpscope::sctp::test
