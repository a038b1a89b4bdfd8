// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// What the tests of mpa share: a sink and a reporter that remember, and streams cut into chunks.
#pragma once

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "findings/finding.h"
#include "mpa/framer.h"
#include "synth/random.h"
#include "synth/wire/ddp.h"
#include "synth/wire/mpa.h"
#include "synth/wire/rdmap.h"

namespace iwarpscope::mpa::test {

using findings::FindingId;
using synth::Buffer;
using synth::Random;

/// An FPDU and the octets it had when it was handed up.
struct Kept {
  Fpdu fpdu;
  Buffer ulpdu;
};

class KeepingSink : public FpduSink {
 public:
  void fpdu(const Fpdu& f) override { all.push_back({f, Buffer(f.ulpdu.begin(), f.ulpdu.end())}); }
  std::vector<Kept> all;
};

class KeepingReporter : public findings::Reporter {
 public:
  void raise(findings::Finding f) override { all.push_back(std::move(f)); }
  [[nodiscard]] std::size_t count(FindingId id) const {
    return static_cast<std::size_t>(std::count_if(all.begin(), all.end(), [&](const auto& f) { return f.id == id; }));
  }
  /// The codes of what was raised, sorted: "MF-04 MF-04 MF-16".
  [[nodiscard]] std::string codes() const {
    std::vector<std::string> list;
    for (const auto& f : all) list.emplace_back(findings::rule(f.id).code);
    std::sort(list.begin(), list.end());
    std::string text;
    for (const auto& code : list) text += (text.empty() ? "" : " ") + code;
    return text;
  }
  /// As codes(), without notes.
  [[nodiscard]] std::string serious() const {
    KeepingReporter without;
    for (const auto& f : all) {
      const auto& rule = findings::rule(f.id);
      if (rule.severity != findings::Severity::note && rule.about != findings::About::capture) without.all.push_back(f);
    }
    return without.codes();
  }
  std::vector<findings::Finding> all;
};

/// A chunk that is a whole TCP segment.
inline tcp::Chunk segment(StreamOffset offset, Octets octets, std::uint64_t frame = 1) {
  tcp::Chunk chunk;
  chunk.offset = offset;
  chunk.octets = octets;
  chunk.frame = chunk.delivery_frame = FrameNumber{frame};
  chunk.arrival = chunk.delivery = TimePoint{static_cast<std::int64_t>(frame) * 1000};
  chunk.starts_tcp_segment = chunk.ends_tcp_segment = true;
  return chunk;
}

/// A framer with what it needs.
struct Bench {
  explicit Bench(FramingSettings s = {}, FramerLimits l = {}, std::size_t budget_octets = 64U << 20)
      : limits(l), budget(budget_octets), framer(Direction::a_to_b, s, limits, budget, {sink, reporter}) {}
  const FramerLimits limits;
  BufferBudget budget;
  KeepingSink sink;
  KeepingReporter reporter;
  Framer framer;
  std::uint64_t frame = 0;

  /// One TCP segment that lies there.
  void feed(StreamOffset at, Octets octets) { framer.octets(segment(at, octets, ++frame)); }
  void gap(StreamOffset at, std::uint64_t length) {
    ++frame;
    framer.missing(at, length, tcp::Missing::capture_gap, FrameNumber{frame},
                   TimePoint{static_cast<std::int64_t>(frame) * 1000});
  }
  void finish(bool fin = true) {
    ++frame;
    framer.finish(fin, FrameNumber{frame}, TimePoint{static_cast<std::int64_t>(frame) * 1000});
  }
  /// The octets in TCP segments of `size` octets from `at` on, then the end.
  void feed_all(StreamOffset at, Octets octets, std::size_t size = 1448) {
    for (std::size_t i = 0; i < octets.size(); i += size) {
      feed(at + i, octets.subspan(i, std::min(size, octets.size() - i)));
    }
  }
};

inline FramingSettings settings(StreamOffset start, bool markers, std::optional<bool> crc, std::uint16_t mss = 0) {
  FramingSettings s;
  s.sequence_start = start;
  s.markers = markers;
  s.crc = crc;
  s.mss = mss;
  return s;
}

/// As a payload.
inline Buffer octets_of(std::size_t n, std::uint8_t value = 0x41) {
  return Buffer(n, std::byte{value});
}

inline Buffer send_ulpdu(std::uint32_t msn, Octets payload, bool last = true, std::uint32_t mo = 0) {
  synth::wire::DdpUntagged h;
  h.control = synth::wire::ddp_control(false, last);
  h.rdmap_control = synth::wire::rdmap_control(synth::wire::Opcode::send);
  h.msn = MessageSequence{msn};
  h.mo = MessageOffset{mo};
  return synth::wire::write(h, payload);
}

inline Buffer write_ulpdu(std::uint32_t stag, std::uint64_t to, Octets payload, bool last = true) {
  synth::wire::DdpTagged h;
  h.control = synth::wire::ddp_control(true, last);
  h.rdmap_control = synth::wire::rdmap_control(synth::wire::Opcode::rdma_write);
  h.stag = STag{stag};
  h.to = TaggedOffset{to};
  return synth::wire::write(h, payload);
}

inline void append(Buffer& to, const Buffer& from) {
  to.insert(to.end(), from.begin(), from.end());
}

/// FPDUs one after another from position 0.
class StreamWriter {
 public:
  explicit StreamWriter(bool markers, bool crc = true) {
    form_.markers = markers;
    form_.crc = crc;
  }
  void add(const Buffer& ulpdu) { add(ulpdu, form_); }
  void add(const Buffer& ulpdu, synth::wire::FpduForm form) {
    form.markers = form_.markers;
    starts.push_back(octets.size());
    append(octets, synth::wire::write(form, ulpdu, octets.size()));
    ulpdus.push_back(ulpdu);
  }
  [[nodiscard]] const synth::wire::FpduForm& form() const { return form_; }
  Buffer octets;
  std::vector<std::size_t> starts;
  std::vector<Buffer> ulpdus;

 private:
  synth::wire::FpduForm form_;
};

}  // namespace iwarpscope::mpa::test
