// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// SCTP packets of a few ends into an AssociationTable: associations, TSNs, fragments, DDP-SSNs, sessions.
// Input: u8 mode, then packets of {u8 kind, u8 milliseconds, chunks}. mode: bit 0 an association was opened before, bit
// 1 its budget is small. kind: bit 0 direction, bit 1 other addresses, bit 2 cut by a snap length, bit 3 a wrong
// verification tag, bit 4 the CRC32c is wrong. Chunks, until a u8 form of 0:
//   1 DATA {u8 flags, i8 TSN (from the next), u8 stream, u8 PPID, i8 DDP-SSN (from the next), u8 length, octets}
//   2 control {u8 stream, i8 DDP-SSN, u8 code, u8 length, octets}
//   3 SACK {i8 TSN (from the newest), u8 blocks, octets}
//   else any octets {u8 length, octets}, as they are.
#include <array>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "base/crc32c.h"
#include "fuzz/script.h"
#include "sctp/association_table.h"

using namespace iwarpscope;

namespace {

/// Reads every octet of the result, for the sanitizers.
std::uint32_t sum(Octets octets) {
  std::uint32_t total = 0;
  for (const std::byte o : octets) total += to_u8(o);
  return total;
}

struct Session final : sctp::SessionSink {
  explicit Session(findings::Reporter& r) : reporter_(r) {}
  void control(Direction d, const sctp::ControlMessage& m) override {
    fuzz::require(m.startup.private_data.size() <= 512, "no more private data is kept");
    follow(d, m.message, m.message.ssn, 1);
  }
  void segment(Direction d, const sctp::Message& m) override { follow(d, m, m.ssn, 1); }
  void missing(Direction d, const sctp::MissingMessages& gone, FrameNumber, TimePoint) override {
    place(d, gone.ssn, gone.count);
  }
  void chunk(Direction, sctp::ChunkEvent, std::uint32_t octets, FrameNumber, TimePoint) override {
    fuzz::require(octets <= 0xFFFF, "a chunk is not longer than its length field says");
    fuzz::require(!whole_, "nothing follows the end of a session");
  }
  void ended(sctp::Ending, std::optional<Direction>, bool whole, FrameNumber, TimePoint) override {
    fuzz::require(!whole_, "a session ends once");
    whole_ = whole;
  }
  findings::Reporter& reporter(FrameNumber, TimePoint) override { return reporter_; }

 private:
  void follow(Direction d, const sctp::Message& m, std::uint64_t ssn, std::uint64_t count) {
    fuzz::require(m.octets.size() <= m.length, "not more is captured than was sent");
    volatile std::uint32_t sink = sum(m.octets);
    (void)sink;
    place(d, ssn, count);
  }
  void place(Direction d, std::uint64_t ssn, std::uint64_t count) {
    fuzz::require(!whole_, "nothing follows the end of a session");
    auto& next = next_[index(d)];
    fuzz::require(!next || *next == ssn, "messages come in the order of their DDP-SSNs, each once");
    next = ssn + count;
  }
  findings::Reporter& reporter_;
  std::array<std::optional<std::uint64_t>, 2> next_;
  bool whole_ = false;
};

struct Sink final : sctp::AssociationSink, findings::Reporter {
  sctp::SessionSink* begin(const sctp::SessionStart& start) override {
    fuzz::require(start.view != nullptr, "a session can be looked at");
    sessions.push_back(std::make_unique<Session>(*this));
    return sessions.size() % 8 == 7 ? nullptr : sessions.back().get();
  }
  findings::Reporter& reporter() override { return *this; }
  void raise(findings::Finding finding) override {
    fuzz::require(!finding.text.empty(), "a finding says what was seen");
  }
  std::vector<std::unique_ptr<Session>> sessions;
};

class Packets {
 public:
  explicit Packets(sctp::AssociationTable& table) : table_(table) {}

  void open() {
    for (const unsigned d : {0u, 1u}) {
      begin();
      u8(d == 0 ? 1 : 2).u8(0).u16(28).u32(kTags[d]).u32(1 << 20).u16(8).u16(8).u32(tsn_[d]);
      u16(0xC006).u16(8).u32(1);
      send(static_cast<Direction>(d), 0, d == 0 ? 0 : kTags[0], 1);
    }
  }
  void play(fuzz::Script& script) {
    const std::uint8_t kind = script.u8();
    const std::uint8_t milliseconds = script.u8();
    const unsigned d = kind & 1u;
    begin();
    while (!script.is_at_end() && chunks_.size() < 4096) {
      const std::uint8_t form = script.u8();
      if (form == 0) break;
      chunk(form, d, script);
    }
    const std::uint32_t tag = (kind & 8u) != 0 ? 99 : kTags[1 - d];
    send(static_cast<Direction>(d), kind, tag, milliseconds);
  }
  [[nodiscard]] FrameNumber frame() const { return packet_.frame; }
  [[nodiscard]] TimePoint time() const { return packet_.time; }

 private:
  static constexpr std::array<std::uint32_t, 2> kTags{0x0A0A0A0A, 0x0B0B0B0B};

  void begin() { chunks_.clear(); }
  Packets& u8(unsigned v) {
    chunks_.push_back(static_cast<std::byte>(v));
    return *this;
  }
  Packets& u16(unsigned v) { return u8(v >> 8 & 0xFFu).u8(v & 0xFFu); }
  Packets& u32(std::uint32_t v) { return u16(v >> 16).u16(v & 0xFFFFu); }
  void octets(Octets from) { chunks_.insert(chunks_.end(), from.begin(), from.end()); }
  void pad() {
    while (chunks_.size() % 4 != 0) u8(0);
  }
  void data(unsigned d, unsigned flags, int move, std::uint16_t stream, unsigned ppid, std::uint16_t ssn, bool control,
            unsigned code, Octets payload) {
    const std::uint32_t tsn = tsn_[d] + static_cast<std::uint32_t>(move);
    if (move >= 0) tsn_[d] = tsn + 1;
    u8(0).u8(flags).u16(static_cast<unsigned>(18 + (control ? 2 : 0) + payload.size()));
    u32(tsn).u16(stream).u16(0).u32(ppid).u16(ssn);
    if (control) u16(code);
    octets(payload);
    pad();
  }
  void chunk(unsigned form, unsigned d, fuzz::Script& script) {
    if (form == 1 || form == 2) {
      const unsigned flags = form == 1 ? script.u8() : 7u;
      const auto move = form == 1 ? static_cast<std::int8_t>(script.u8()) : std::int8_t{0};
      const auto stream = static_cast<std::uint16_t>(script.u8() % 4);
      const unsigned ppid = form == 1 ? script.u8() : 17u;
      const auto away = static_cast<std::int8_t>(script.u8());
      const unsigned code = form == 2 ? script.u8() : 0u;
      std::uint16_t& next = ssn_[d][stream];
      if (form == 2 && (code == 1 || code == 2 || code == 5 || code == 6)) next = 0;
      const auto ssn = static_cast<std::uint16_t>(next + away);
      if (away >= 0) next = static_cast<std::uint16_t>(ssn + 1);
      data(d, flags, move, stream, ppid, ssn, form == 2, code, script.octets(script.u8()));
    } else if (form == 3) {
      const auto away = static_cast<std::int8_t>(script.u8());
      const unsigned blocks = script.u8() % 5;
      const Octets lent = script.octets(blocks * 4);
      u8(3).u8(0).u16(static_cast<unsigned>(16 + lent.size())).u32(tsn_[1 - d] - 1 + static_cast<std::uint32_t>(away));
      u32(65536).u16(blocks).u16(0);
      octets(lent);
      pad();
    } else {
      octets(script.octets(script.u8()));
    }
  }
  void send(Direction d, unsigned kind, std::uint32_t tag, unsigned milliseconds) {
    const bool elsewhere = (kind & 2u) != 0;
    std::array<net::Endpoint, 2> ends{net::Endpoint{net::IpAddress::v4(elsewhere ? 0x0A010001 : 0x0A000001), 40000},
                                      net::Endpoint{net::IpAddress::v4(elsewhere ? 0x0A010002 : 0x0A000002), 5000}};
    std::vector<std::byte> header{std::byte{0x9C}, std::byte{0x40}, std::byte{0x13}, std::byte{0x88}};
    for (unsigned shift = 32; shift > 0; shift -= 8) header.push_back(static_cast<std::byte>(tag >> (shift - 8)));
    header.resize(12);
    Crc32c crc;
    crc.add(header);
    crc.add(chunks_);
    packet_.frame = FrameNumber{packet_.frame.value + 1};
    packet_.time.ns += std::int64_t{milliseconds} * 1'000'000;
    packet_.source = ends[index(d)];
    packet_.destination = ends[index(opposite(d))];
    packet_.verification_tag = tag;
    packet_.crc = crc.value() ^ ((kind & 16u) != 0 ? 1u : 0u);
    packet_.common_header = header;
    packet_.chunks = chunks_;
    packet_.chunks_length = static_cast<std::uint32_t>(chunks_.size());
    if ((kind & 4u) != 0) packet_.chunks = packet_.chunks.first(chunks_.size() / 2);
    table_.feed(packet_);
  }

  sctp::AssociationTable& table_;
  net::SctpPacket packet_;
  std::vector<std::byte> chunks_;
  std::array<std::uint32_t, 2> tsn_{0xFFFFFFF0, 100};
  std::array<std::array<std::uint16_t, 4>, 2> ssn_{};
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::Script script(data, size);
  const std::uint8_t mode = script.u8();
  tcp::Limits limits;
  limits.max_buffered_octets = (mode & 2U) != 0 ? 2048 : 64 << 10;
  limits.max_buffered_chunks = 16;
  BufferBudget budget(96 << 10);
  Sink sink;
  sctp::TableLimits few;
  few.max_associations = 4;
  {
    sctp::AssociationTable table(few, limits, budget, sink);
    Packets packets(table);
    if ((mode & 1U) != 0) packets.open();
    while (!script.is_at_end()) {
      packets.play(script);
      fuzz::require(table.size() <= few.max_associations, "the table is bounded");
    }
    table.finish(packets.frame(), packets.time());
  }
  fuzz::require(budget.held() == 0, "all memory is given back");
  return 0;
}
