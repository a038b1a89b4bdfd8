// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Frames that every receiver drops, in front of each frame of a connection: the report says the same without them.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "support/analysis.h"
#include "synth/association.h"
#include "synth/connection.h"
#include "synth/sctp_stream.h"

namespace iwarpscope::test {
namespace {

using findings::FindingId;
using synth::kI;
using synth::kR;

/// What a report says of its queue pairs, but for frames and notes.
std::string gist(const Report& report) {
  std::string out;
  for (const qp::MessageRecord& m : report.messages) {
    out += fmt::format("{}:{} {} {} {}\n", m.qp, static_cast<int>(m.direction), rdmap::name(m.opcode), m.length,
                       m.complete ? "whole" : "incomplete");
  }
  for (const qp::QpRecord& r : report.qps) {
    const qp::VerdictRecord v = r.verdict.value_or(qp::VerdictRecord{});
    out +=
        fmt::format("{} {} {} {}\n", qp::name(r.state), qp::name(v.outcome), qp::name(v.blame), qp::name(v.confidence));
  }
  for (const findings::Finding& f : report.findings) {
    const findings::Rule& rule = findings::rule(f.id);
    if (rule.severity != findings::Severity::note) out += fmt::format("{}: {}\n", rule.code, f.text);
  }
  return out;
}

void exchange(synth::Connection& c) {
  c.connect();
  c.startup();
  for (int i = 0; i < 3; ++i) {
    c.send(kI, 300);
    c.read(kI, {.size = 400});
    c.send(kR, 200);
  }
  c.close();
}

// Frames of Ethernet, IPv4 without options, TCP or SCTP.
constexpr std::size_t kLengthAt = 16, kIpSumAt = 24;

/// With a right checksum of the IP header again, unless that is what is wrong.
void store(synth::Frame& f, std::size_t at, unsigned value) {
  f.octets.at(at) = static_cast<std::byte>(value >> 8 & 0xFF);
  f.octets.at(at + 1) = static_cast<std::byte>(value & 0xFF);
}
void seal_ip(synth::Frame& f) {
  store(f, kIpSumAt, 0);
  unsigned sum = 0;
  for (std::size_t i = 14; i < 34; i += 2) {
    sum += std::to_integer<unsigned>(f.octets[i]) << 8 | std::to_integer<unsigned>(f.octets[i + 1]);
  }
  while (sum > 0xFFFF) sum = (sum & 0xFFFF) + (sum >> 16);
  store(f, kIpSumAt, ~sum & 0xFFFF);
}

struct Forgery {
  std::string name;
  FindingId noted;  ///< how the report shows it
  std::function<void(synth::TcpSegment&)> tcp = [](synth::TcpSegment&) {};
  std::function<void(synth::Frame&)> frame = [](synth::Frame&) {};
  bool from_the_first = false;  ///< judged from the first payload on, else once both ends sent some
};

void wrong_ip_sum(synth::Frame& f) {
  f.octets.at(kIpSumAt) ^= std::byte{0x55};
}
void length_beyond(synth::Frame& f, std::size_t header) {
  f.octets.resize(14 + header);
  f.original_length = static_cast<std::uint32_t>(f.octets.size());
  store(f, kLengthAt, 20'000);
  seal_ip(f);
}

std::vector<Forgery> forgeries() {
  using Tcp = synth::TcpSegment;
  using enum FindingId;
  return {
      {.name = "no ACK flag",
       .noted = tcp_forged_segments,
       .tcp = [](Tcp& t) { t.flags = synth::wire::kPsh; },
       .from_the_first = true},
      {.name = "IP checksum", .noted = tcp_forged_segments, .frame = wrong_ip_sum, .from_the_first = true},
      {.name = "IP length",
       .noted = capture_malformed_frames,
       .frame = [](synth::Frame& f) { length_beyond(f, 52); },
       .from_the_first = true},
      {.name = "old timestamp",
       .noted = tcp_forged_segments,
       .tcp = [](Tcp& t) { t.options.timestamps->first -= 100'000; }},
      {.name = "beyond the window", .noted = tcp_forged_segments, .tcp = [](Tcp& t) { t.sequence += 1U << 20; }},
      {.name = "far beyond the window", .noted = tcp_forged_segments, .tcp = [](Tcp& t) { t.sequence += 1U << 28; }},
      {.name = "unsent acknowledged",
       .noted = tcp_forged_segments,
       .tcp = [](Tcp& t) { t.acknowledgment += 10U << 20; }},
      {.name = "RST far outside",
       .noted = tcp_ignored_control,
       .tcp =
           [](Tcp& t) {
             t.payload.clear();
             t.flags = synth::wire::kRst;
             t.sequence += 1U << 30;
           }},
      {.name = "RST in the window",
       .noted = tcp_ignored_control,
       .tcp =
           [](Tcp& t) {
             t.payload.clear();
             t.flags = synth::wire::kRst;
             t.sequence += 100;
           }},
  };
}

TEST(ForgedTcp, ChangesNothingButNotes) {
  synth::Connection whole;
  exchange(whole);
  const std::string expected = gist(analyze(whole.frames()));
  for (const Forgery& forgery : forgeries()) {
    std::size_t payloads = 0;
    for (std::size_t at = 0; at < whole.tcp_segments().size(); ++at) {
      if (whole.tcp_segments()[at].payload.empty()) continue;
      if (++payloads <= 4 && !forgery.from_the_first) continue;
      synth::Connection c;
      exchange(c);
      synth::TcpSegment forged = c.tcp_segments()[at];
      std::ranges::fill(forged.payload, std::byte{'Z'});
      forgery.tcp(forged);
      forged.time_ns -= 100;
      forged.identification = static_cast<std::uint16_t>(forged.identification + 1000);
      c.tcp_segments().insert(c.tcp_segments().begin() + static_cast<std::ptrdiff_t>(at), forged);
      synth::Frames frames = c.frames();
      forgery.frame(frames[at]);
      const Report report = analyze(frames);
      EXPECT_EQ(gist(report), expected) << forgery.name << " before frame " << at + 1 << " " << report.codes();
      if (payloads > 4) EXPECT_EQ(report.count(forgery.noted), 1U) << forgery.name << " before frame " << at + 1;
    }
  }
}

/// A sending host whose adapter fills in the IP checksum: no right one is ever seen, or none at all.
TEST(ForgedTcp, WrongIpChecksumsOfAWholeCaptureAreTaken) {
  synth::Connection c;
  exchange(c);
  synth::Frames frames = c.frames();
  const std::string expected = gist(analyze(frames));
  for (synth::Frame& f : frames) wrong_ip_sum(f);
  EXPECT_EQ(gist(analyze(frames)), expected);
}

void exchange(synth::Association& a) {
  a.connect();
  synth::SctpStream& s = a.stream();
  s.startup();
  for (int i = 0; i < 3; ++i) {
    s.send(kI, 300);
    s.read(kI, {.size = 400});
    s.send(kR, 200);
    a.acknowledge(kI);
    a.acknowledge(kR);
  }
  s.close();
  a.shutdown();
}

synth::Buffer number_of(std::uint32_t value) {
  synth::Buffer octets;
  for (int shift = 24; shift >= 0; shift -= 8) octets.push_back(static_cast<std::byte>(value >> shift & 0xFF));
  return octets;
}

TEST(ForgedSctp, NumbersFarAheadChangeNothingButNotes) {
  synth::Association whole;
  exchange(whole);
  const std::string expected = gist(analyze(whole.frames()));
  constexpr std::uint32_t kAhead = 50'000;
  const std::uint32_t sent = whole.options().initiator.isn, received = whole.options().responder.isn;
  const std::vector<std::pair<std::string, synth::Buffer>> chunks{
      {"DATA", synth::wire::write(synth::wire::Data{
                   .tsn = sent + kAhead, .ppid = 16, .user_data = synth::Buffer(200, std::byte{'Z'})})},
      {"SACK", synth::wire::write(synth::wire::Sack{.cumulative_tsn = received + kAhead})},
      {"FORWARD TSN",
       synth::wire::write(synth::wire::Chunk{static_cast<synth::wire::ChunkType>(192), 0, number_of(sent + kAhead)})},
      {"SHUTDOWN", synth::wire::write(synth::wire::Shutdown{.cumulative_tsn = received + kAhead})}};
  for (const auto& [name, chunk] : chunks) {
    for (std::size_t at = 4; at + 3 < whole.packets().size(); ++at) {
      synth::Association a;
      exchange(a);
      synth::SctpPacket forged = a.packets()[at];
      if (forged.sender != kI) continue;
      forged.control = {chunk};
      forged.data.clear();
      forged.time_ns -= 100;
      a.packets().insert(a.packets().begin() + static_cast<std::ptrdiff_t>(at), forged);
      const Report report = analyze(a.frames());
      EXPECT_EQ(gist(report), expected) << name << " before frame " << at + 1 << " " << report.codes();
      EXPECT_EQ(report.count(FindingId::sctp_forged_packets), 1U) << name << " before frame " << at + 1;
    }
  }
}

/// Behind a chunk of the sender's own.
TEST(ForgedSctp, ChunkFarAheadInABundleChangesNothing) {
  synth::Association whole;
  exchange(whole);
  const std::string expected = gist(analyze(whole.frames()));
  const synth::wire::Data far{
      .tsn = whole.options().initiator.isn + 50'000, .ppid = 16, .user_data = synth::Buffer(200, std::byte{'Z'})};
  for (std::size_t at = 4; at < whole.packets().size(); ++at) {
    synth::Association a;
    exchange(a);
    synth::SctpPacket& packet = a.packets()[at];
    if (packet.sender != kI || packet.data.empty()) continue;
    packet.data.push_back(far);
    const Report report = analyze(a.frames());
    EXPECT_EQ(gist(report), expected) << "frame " << at + 1 << " " << report.codes();
    EXPECT_EQ(report.count(FindingId::sctp_forged_packets), 1U) << "frame " << at + 1;
  }
}

TEST(ForgedSctp, WrongIpHeadersChangeNothingButNotes) {
  synth::Association whole;
  exchange(whole);
  const synth::Frames frames = whole.frames();
  const std::string expected = gist(analyze(frames));
  for (std::size_t at = 4; at + 1 < frames.size(); ++at) {
    for (const bool is_length : {false, true}) {
      synth::Frames all = frames;
      synth::Frame forged = frames[at];
      is_length ? length_beyond(forged, 36) : wrong_ip_sum(forged);
      all.insert(all.begin() + static_cast<std::ptrdiff_t>(at), forged);
      const Report report = analyze(all);
      EXPECT_EQ(gist(report), expected) << is_length << " before frame " << at + 1 << " " << report.codes();
      EXPECT_EQ(report.count(is_length ? FindingId::capture_malformed_frames : FindingId::sctp_forged_packets), 1U);
    }
  }
}

/// The capture lacks more TSNs than a receiver follows: what comes after them is real.
TEST(ForgedSctp, NumbersFarAheadAfterAnOutageAreTaken) {
  synth::Association a;
  a.connect();
  synth::SctpStream& s = a.stream();
  s.startup();
  s.send(kI, 100);
  a.acknowledge(kR);
  const std::size_t before = a.frames().size();
  for (int i = 0; i < 5000; ++i) s.send(kI, 10);
  a.acknowledge(kR);
  const std::size_t after = a.frames().size();
  for (int i = 0; i < 20; ++i) s.send(kI, 10);
  s.close();
  a.shutdown();
  synth::Frames frames = a.frames();
  frames.erase(frames.begin() + static_cast<std::ptrdiff_t>(before),
               frames.begin() + static_cast<std::ptrdiff_t>(after));
  const Report report = analyze(frames);
  EXPECT_EQ(report.count(FindingId::sctp_forged_packets), 0U);
  EXPECT_EQ(std::ranges::count(report.messages, true, &qp::MessageRecord::complete), 21);
}

}  // namespace
}  // namespace iwarpscope::test
