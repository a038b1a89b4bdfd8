// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The inside of a queue pair without a lower layer, and the octets of messages: for tests of its parts.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "base/octets.h"
#include "qp/direction/common.h"
#include "qp/direction/open_message.h"
#include "qp/transport/llp.h"

namespace iwarpscope::qp {

inline constexpr Direction kRequests = Direction::a_to_b, kResponses = Direction::b_to_a;

inline StreamOffset offset_at(std::uint64_t octets) {
  return kStreamOrigin + octets;
}

/// A lower layer that lost nothing, unless the test says so.
struct PlainLlp : Llp {
  bool open = true, framed = true, captured = true, sent_again = false;
  std::uint64_t crcs = 0;
  std::uint32_t pending_octets = 0;
  std::optional<StreamOffset> acknowledges;

  [[nodiscard]] bool is_open() const noexcept override { return open; }
  [[nodiscard]] bool is_framed_to_its_end() const noexcept override { return framed; }
  [[nodiscard]] bool is_framing_lost() const noexcept override { return !framed; }
  [[nodiscard]] mpa::PendingFpdu pending() const noexcept override { return {FrameNumber{}, pending_octets, 0}; }
  [[nodiscard]] bool is_captured() const noexcept override { return captured; }
  [[nodiscard]] std::optional<StreamOffset> acknowledged() const noexcept override { return acknowledges; }
  [[nodiscard]] bool was_sent_again() const noexcept override { return sent_again; }
  [[nodiscard]] std::uint64_t right_crcs() const noexcept override { return crcs; }
  void fill(DirectionRecord& record) const override { record.fpdus = crcs; }
};

/// Keeps the message records.
struct Records : Events {
  void confirmed(FrameNumber) override {}
  void message(MessageRecord record) override { all.push_back(std::move(record)); }
  void finding(findings::Finding) override {}
  std::vector<MessageRecord> all;
};

struct WireParts {
  Environment environment{1U << 20};
  Records records;
  std::array<PlainLlp, 2> llps;
};

/// Keeps what is raised. Both directions are captured whole from their startup on.
struct Wire final : WireParts, Common {
  Wire() : Common(environment, records) {
    one_sided = false;
    environment.messages = true;
    agreement.emplace();
    agreement->crc = true;
    for (const Direction d : {kRequests, kResponses}) {
      coverage[index(d)].attach(llps[index(d)]);
      coverage[index(d)].delivered(kStreamOrigin);
      coverage[index(d)].framed(kStreamOrigin);
    }
  }

  void raise(findings::Finding finding) override {
    if (finding.frames.empty()) finding.frames = {frame};
    faults.note(finding);
    raised.push_back(std::move(finding));
  }
  void confirm() override { confirmed = true; }
  void zero_crc_was_sent(Direction /*d*/) override {}

  /// The rules that were broken since the last call.
  std::vector<findings::FindingId> take() {
    std::vector<findings::FindingId> ids;
    for (const findings::Finding& f : raised) ids.push_back(f.id);
    raised.clear();
    return ids;
  }

  std::vector<findings::Finding> raised;
};

using Rules = std::vector<findings::FindingId>;

/// Octets in network order.
class Bytes {
 public:
  Bytes& u8(std::uint8_t v) {
    octets_.push_back(std::byte{v});
    return *this;
  }
  Bytes& u32(std::uint32_t v) {
    for (int shift = 24; shift >= 0; shift -= 8) u8(static_cast<std::uint8_t>(v >> shift));
    return *this;
  }
  Bytes& u64(std::uint64_t v) { return u32(static_cast<std::uint32_t>(v >> 32)).u32(static_cast<std::uint32_t>(v)); }
  Bytes& add(const Bytes& more) {
    octets_.insert(octets_.end(), more.octets_.begin(), more.octets_.end());
    return *this;
  }
  Bytes& zeros(std::size_t count) {
    octets_.resize(octets_.size() + count);
    return *this;
  }
  [[nodiscard]] const std::vector<std::byte>& octets() const { return octets_; }

 private:
  std::vector<std::byte> octets_;
};

// Headers. Source: RFC 5041 §4, RFC 5040 §4, RFC 7306 §5.2.

inline std::uint8_t control_of(rdmap::Opcode opcode) {
  return static_cast<std::uint8_t>(0x40U | static_cast<unsigned>(opcode));
}
inline Bytes tagged_octets(rdmap::Opcode opcode, std::uint32_t stag, std::uint64_t to, bool last = true) {
  return Bytes().u8(last ? 0xC1 : 0x81).u8(control_of(opcode)).u32(stag).u64(to);
}
inline Bytes untagged_octets(rdmap::Opcode opcode, std::uint32_t qn, std::uint32_t msn) {
  return Bytes().u8(0x41).u8(control_of(opcode)).u32(0).u32(qn).u32(msn).u32(0);
}

struct Read {
  std::uint32_t sink_stag = 0x11;
  std::uint64_t sink_to = 0x1000;
  std::uint32_t size = 8;
  std::uint32_t source_stag = 0x22;
  std::uint64_t source_to = 0x2000;
};
inline Bytes read_header(const Read& r) {
  return Bytes().u32(r.sink_stag).u64(r.sink_to).u32(r.size).u32(r.source_stag).u64(r.source_to);
}
/// A FetchAdd of 1.
inline Bytes atomic_header(std::uint32_t identifier, std::uint64_t to = 0x3000) {
  return Bytes().u32(0).u32(identifier).u32(0x33).u64(to).u64(1).u64(0).u64(0).u64(0);
}
inline Bytes atomic_response_header(std::uint32_t identifier, std::uint64_t original) {
  return Bytes().u32(identifier).u64(original);
}

/// A message of one DDP segment that ended, with what follows its DDP header. `message` counts in its direction.
inline OpenMessage open_message(rdmap::Opcode opcode, std::uint64_t message, std::uint64_t frame,
                                const Bytes& header = {}) {
  OpenMessage open;
  open.opcode = opcode;
  open.message = message;
  open.first.first_frame = open.first.last_frame = open.last_frame = FrameNumber{frame};
  open.first.first_time = open.placed_time = open.delivered_time = TimePoint{static_cast<std::int64_t>(frame) * 1000};
  open.header = header.octets();
  return open;
}

}  // namespace iwarpscope::qp
