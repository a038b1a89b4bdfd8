// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// What the tests of shared/ddp share: a recorder of what comes out, and DDP segments in a line.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "ddp/reassembler.h"
#include "findings/catalogue.h"
#include "synth/wire/ddp.h"

namespace iwarpscope::ddp::test {

/// Keeps what a reassembler hands up. The spans of `segments` are emptied; payload_length stays.
struct Recorder : SegmentSink, findings::Reporter {
  std::vector<Segment> segments;
  std::vector<MessageEnd> ends;
  std::vector<findings::Finding> findings;
  std::size_t undecodables = 0;
  std::size_t payload_octets = 0;  ///< as captured

  void segment(const Segment& s) override {
    payload_octets += s.payload.size();
    segments.push_back(s);
    segments.back().header = {};
    segments.back().payload = {};
  }
  void message_ended(const MessageEnd& end) override { ends.push_back(end); }
  void undecodable(const Carrier&, Octets) override { ++undecodables; }
  void raise(findings::Finding finding) override { findings.push_back(std::move(finding)); }

  [[nodiscard]] std::string codes() const {
    std::string all;
    for (const auto& f : findings) all += (all.empty() ? "" : " ") + std::string{findings::rule(f.id).code};
    return all;
  }
};

/// An untagged DDP segment.
struct U {
  std::uint32_t qn = 0, msn = 1, mo = 0;
  std::uint32_t octets = 100;
  bool last = true;
  std::uint8_t opcode = 3;
  std::uint32_t invalidate = 0;
  std::uint8_t version = 1, reserved = 0;
};

/// A tagged DDP segment.
struct T {
  std::uint32_t stag = 0x1234;
  std::uint64_t to = 0x1000;
  std::uint32_t octets = 100;
  bool last = true;
  std::uint8_t opcode = 0;
  std::uint8_t version = 1, reserved = 0;
};

/// How an FPDU arrived.
struct How {
  bool intact = true;
  bool after_gap = false;
  std::size_t captured = ~std::size_t{0};  ///< octets of the ULPDU
};

inline synth::Buffer ulpdu(const U& u) {
  synth::wire::DdpUntagged h;
  h.control = synth::wire::ddp_control(false, u.last, u.version, u.reserved);
  h.rdmap_control = static_cast<std::uint8_t>(0x40 | u.opcode);
  h.invalidate_stag = u.invalidate;
  h.qn = QueueNumber{u.qn};
  h.msn = MessageSequence{u.msn};
  h.mo = MessageOffset{u.mo};
  return synth::wire::write(h, synth::Buffer(u.octets));
}

inline synth::Buffer ulpdu(const T& t) {
  synth::wire::DdpTagged h;
  h.control = synth::wire::ddp_control(true, t.last, t.version, t.reserved);
  h.rdmap_control = static_cast<std::uint8_t>(0x40 | t.opcode);
  h.stag = STag{t.stag};
  h.to = TaggedOffset{t.to};
  return synth::wire::write(h, synth::Buffer(t.octets));
}

/// One direction: each segment comes in a frame of its own, numbered from 1, a microsecond apart.
struct Line {
  Recorder out;
  Reassembler in{Direction::a_to_b, out, out};
  std::uint64_t frame = 0;
  std::uint64_t offset = kStreamOrigin.value;

  Carrier carrier(const How& how) {
    ++frame;
    Carrier c;
    c.offset = StreamOffset{offset};
    c.first_frame = c.last_frame = c.delivery_frame = FrameNumber{frame};
    c.first_time = c.placed_time = c.delivered_time = TimePoint{static_cast<std::int64_t>(frame) * 1000};
    c.intact = how.intact;
    c.after_gap = how.after_gap;
    return c;
  }
  Line& octets(const synth::Buffer& buffer, const How& how = {}) {
    const Octets all{buffer};
    in.ulpdu(carrier(how), all.first(std::min(how.captured, all.size())), static_cast<std::uint32_t>(all.size()));
    offset += buffer.size() + 6;
    return *this;
  }
  Line& send(const U& u, const How& how = {}) { return octets(ulpdu(u), how); }
  Line& send(const T& t, const How& how = {}) { return octets(ulpdu(t), how); }
  Line& finish(bool orderly = true) {
    ++frame;
    in.finish(orderly, FrameNumber{frame}, TimePoint{static_cast<std::int64_t>(frame) * 1000});
    return *this;
  }
  [[nodiscard]] std::string codes() const { return out.codes(); }
};

}  // namespace iwarpscope::ddp::test
