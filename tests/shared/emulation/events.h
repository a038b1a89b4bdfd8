// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Makes the events of a queue pair, as its observers get them.
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "emulation/notes.h"
#include "qp/observation.h"

namespace iwarpscope::emulation::test {

inline constexpr Direction kAtoB = Direction::a_to_b;
inline constexpr Direction kBtoA = Direction::b_to_a;
inline constexpr STag kBuffer{0x1100}, kOther{0x2200};  // of B's memory
inline constexpr STag kSink{0x3300};                    // of A's

/// Keeps the notes.
struct Collected final : Notes {
  void note(const Note& note) override { all.push_back(note); }
  [[nodiscard]] std::vector<NoteKind> kinds() const {
    std::vector<NoteKind> kinds;
    for (const Note& n : all) kinds.push_back(n.kind);
    return kinds;
  }
  std::vector<Note> all;
};

struct FullSight final : Sight {
  [[nodiscard]] bool sees_all(Direction /*direction*/, const ddp::Carrier& /*at*/) const override { return all; }
  bool all = true;
};

/// A queue pair whose messages go to every observer. Each DDP segment is a frame of its own, a microsecond apart,
/// 1500 octets in its stream, and acknowledges all of the other direction unless `acknowledging` is false.
class QpEvents {
 public:
  explicit QpEvents(std::initializer_list<qp::Observation*> observers) : observers_(observers) {}

  /// A message of one or more DDP segments with these payloads. Returns its index.
  std::uint64_t tagged(Direction d, rdmap::Opcode opcode, STag stag, std::uint64_t to,
                       const std::vector<std::string>& payloads) {
    qp::MessageFacts facts = begin(d, opcode);
    facts.tagged = true;
    facts.stag = stag;
    facts.to = TaggedOffset{to};
    std::uint64_t at = to;
    for (std::size_t k = 0; k < payloads.size(); ++k) {
      ddp::Segment s = make(facts, payloads[k], k == 0, k + 1 == payloads.size());
      s.stag = stag;
      s.to = TaggedOffset{at};
      at += payloads[k].size();
      tell(facts, s);
    }
    end(facts, at - to);
    return facts.message;
  }
  std::uint64_t write(Direction d, STag stag, std::uint64_t to, const std::string& payload) {
    return tagged(d, rdmap::Opcode::rdma_write, stag, to, {payload});
  }
  std::uint64_t untagged(Direction d, rdmap::Opcode opcode, const std::string& payload,
                         std::optional<STag> invalidates = std::nullopt) {
    qp::MessageFacts facts = begin(d, opcode);
    facts.invalidates = invalidates;
    tell(facts, make(facts, payload, true, true));
    end(facts, payload.size());
    return facts.message;
  }
  std::uint64_t send(Direction d) { return untagged(d, rdmap::Opcode::send, "hello"); }
  std::uint64_t invalidate(Direction d, STag stag) { return untagged(d, rdmap::Opcode::send_invalidate, "done", stag); }
  qp::Request read(Direction d, STag sink, std::uint64_t sink_to, STag source, std::uint64_t source_to,
                   std::uint32_t size) {
    const std::uint64_t message = untagged(d, rdmap::Opcode::rdma_read_request, std::string(28, '\0'));
    qp::Request request;
    request.message = message;
    request.frame = frame_;
    request.sink_stag = sink;
    request.sink_to = TaggedOffset{sink_to};
    request.size = size;
    request.source_stag = source;
    request.source_to = TaggedOffset{source_to};
    for (qp::Observation* o : observers_) o->requested(d, request);
    return request;
  }
  qp::Request atomic(Direction d, STag stag, std::uint64_t to) {
    const std::uint64_t message = untagged(d, rdmap::Opcode::atomic_request, std::string(52, '\0'));
    qp::Request request;
    request.message = message;
    request.frame = frame_;
    request.atomic = true;
    request.source_stag = stag;
    request.source_to = TaggedOffset{to};
    for (qp::Observation* o : observers_) o->requested(d, request);
    return request;
  }
  /// The response to a request of the other direction.
  std::uint64_t respond(Direction d, const qp::Request& request, const std::vector<std::string>& payloads,
                        bool certain = true) {
    answers_ = &request;
    certain_ = certain;
    const std::uint64_t message = request.atomic ? untagged(d, rdmap::Opcode::atomic_response, std::string(12, '\0'))
                                                 : tagged(d, rdmap::Opcode::rdma_read_response, request.sink_stag,
                                                          request.sink_to.value, payloads);
    answers_ = nullptr;
    return message;
  }
  /// A Terminate of `d` about a message of the other direction.
  void terminate(Direction d, std::uint8_t layer, std::uint8_t type, std::uint8_t error, std::uint64_t names) {
    rdmap::Terminate t;
    t.layer = layer;
    t.error_type = type;
    t.error_code = error;
    const qp::MessageFacts facts = begin(d, rdmap::Opcode::terminate);
    tell(facts, make(facts, "term", true, true));
    end(facts, 4);
    for (qp::Observation* o : observers_) o->terminated(facts, t, names);
  }
  void gap(Direction d) {
    for (qp::Observation* o : observers_) o->gap(d);
  }
  [[nodiscard]] FrameNumber frame() const { return frame_; }

  bool acknowledging = true;
  std::uint64_t acknowledging_more = 0;  ///< octets that were not reported yet
  bool has_acknowledged = true;
  bool intact = true;
  bool complete = true;

  // The pieces, for messages that come otherwise.
  qp::MessageFacts begin(Direction d, rdmap::Opcode opcode) {
    qp::MessageFacts facts;
    facts.direction = d;
    facts.message = messages_[index(d)]++;
    facts.opcode = opcode;
    facts.intact = intact;
    facts.first_frame = FrameNumber{frame_.value + 1};
    return facts;
  }
  ddp::Segment make(const qp::MessageFacts& facts, const std::string& payload, bool first, bool last) {
    frame_ = FrameNumber{frame_.value + 1};
    ddp::Segment s;
    ddp::Carrier& c = s.carrier;
    std::uint64_t& end = ends_[index(facts.direction)];
    c.offset = StreamOffset{end};
    end += 1500;
    c.first_frame = c.last_frame = c.delivery_frame = frame_;
    c.first_time = c.placed_time = c.delivered_time = TimePoint{static_cast<std::int64_t>(frame_.value) * 1000};
    std::uint64_t& acknowledged = acknowledged_[index(facts.direction)];
    if (acknowledging) acknowledged = ends_[index(opposite(facts.direction))];
    c.acknowledged = StreamOffset{acknowledged + acknowledging_more};
    c.has_acknowledged = has_acknowledged;
    c.intact = intact;
    s.tagged = facts.tagged;
    s.first_of_message = s.starts_message = first;
    s.last = last;
    s.message = facts.message;
    s.stag = facts.stag;
    s.to = facts.to;
    s.payload = std::as_bytes(std::span{payload});
    s.payload_length = static_cast<std::uint32_t>(payload.size());
    last_ = c;
    return s;
  }
  void tell(const qp::MessageFacts& facts, const ddp::Segment& segment) {
    for (qp::Observation* o : observers_) o->segment(facts, segment);
  }
  void end(const qp::MessageFacts& facts, std::uint64_t length) {
    ddp::MessageEnd e{.message = facts.message, .length = length, .complete = complete && intact, .last = last_};
    e.length_certain = e.complete;
    for (qp::Observation* o : observers_) {
      o->message_ended(facts, e);
      if (answers_ != nullptr) o->answered(*answers_, facts, e, certain_, std::nullopt);
    }
  }

 private:
  std::vector<qp::Observation*> observers_;
  FrameNumber frame_;
  std::array<std::uint64_t, 2> messages_{};
  std::array<std::uint64_t, 2> ends_{kStreamOrigin.value, kStreamOrigin.value};
  std::array<std::uint64_t, 2> acknowledged_{kStreamOrigin.value, kStreamOrigin.value};
  ddp::Carrier last_;
  const qp::Request* answers_ = nullptr;
  bool certain_ = true;
};

}  // namespace iwarpscope::emulation::test
