// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "emulation/data_sink.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "base/archive.h"
#include "emulation/word_operation.h"
#include "emulation/written_octets.h"

namespace iwarpscope::emulation {

using rdmap::Opcode;

namespace {

constexpr std::uint64_t kNone = std::numeric_limits<std::uint64_t>::max();
constexpr std::size_t kComparedSamples = 8;  // of each RDMA Read
constexpr std::size_t kShownOctets = 8;

/// Messages that the receiver's RNIC carries out by itself; of the others its software learns. Source: RFC 5040 §3.
constexpr bool is_silent(Opcode opcode) noexcept {
  return opcode == Opcode::rdma_write || rdmap::is_request(opcode) || rdmap::is_response(opcode);
}
/// Messages whose delivery shows that what came before was placed. Source: RFC 5040 §5.5 rules 4 and 5; RFC 7306 §7.
constexpr bool delivers(Opcode opcode) noexcept {
  return !is_silent(opcode) && opcode != Opcode::terminate;
}

std::string hexadecimal(Octets octets) {
  std::string text;
  for (const std::byte b : octets.first(std::min(octets.size(), kShownOctets))) text += fmt::format("{:02x}", to_u8(b));
  return text;
}

/// An RDMA Read that can be compared with what was written before.
struct Readback {
  std::uint64_t request = 0;  ///< message index
  FrameNumber frame;
  STag sink_stag, source_stag;
  std::uint64_t sink_to = 0, source_to = 0;
  std::uint32_t size = 0;
  std::uint8_t count = 0;
  std::array<std::uint64_t, kComparedSamples> samples{};  ///< their numbers
  Note note{};                                            ///< with `differs`
  bool differs = false;                                   ///< seen in the response that is being sent
};

}  // namespace

struct DataSink::State {
  explicit State(const DataSinkLimits& limits) : extents(limits.extents), written(limits.samples) {}

  /// Notes in `read` the first of its samples that differs from what `segment` of its response carries.
  void compare(Readback& read, const ddp::Segment& segment, const Sight& sight, Direction inward) const;

  template <class A>
  void archive(A& a) {
    a(extents, written, reads, delivered, next, reported, open);
    for (const Readback& read : reads) a.check(read.count <= kComparedSamples);
  }

  Extents extents;
  WrittenOctets written;
  std::vector<Readback> reads;     ///< in the order sent
  std::uint64_t delivered = 0;     ///< messages below it were delivered, or octets are missing since
  std::uint64_t next = 0;          ///< above every message seen inward
  std::uint64_t reported = kNone;  ///< the message for which an overlap was noted
  std::uint64_t open = kNone;      ///< the tagged message in progress
};

DataSink::DataSink(Direction inward, const Sight& sight, Notes& notes, const DataSinkLimits& limits)
    : sight_(sight), notes_(notes), limits_(limits), inward_(inward) {}
DataSink::~DataSink() = default;

template <class A>
void DataSink::archive(A& a) {
  a.owned(state_, [this] { return std::make_unique<State>(limits_); });
}
template void DataSink::archive(Archive& a);

void DataSink::forget_samples() noexcept {
  state_->written.forget();
  state_->reads.clear();
}

void DataSink::segment(const qp::MessageFacts& facts, const ddp::Segment& segment) {
  if (!segment.carrier.intact || segment.carrier.after_gap) gap(facts.direction);
  if (!segment.carrier.intact || !facts.intact) return;
  if (facts.direction == inward_) {
    if (segment.tagged && segment.payload_length != 0) {
      if (facts.opcode == Opcode::rdma_write) return place(facts, segment, PlacedBy::write);
      if (facts.opcode == Opcode::rdma_read_response) return place(facts, segment, PlacedBy::read_response);
    }
    if (state_ == nullptr) return;
    state_->next = std::max(state_->next, facts.message + 1);
  } else if (state_ != nullptr) {
    if (facts.opcode == Opcode::rdma_read_response && segment.tagged) return compare(facts, segment);
    // Its software is at work, and may change its memory.
    if (segment.first_of_message && !rdmap::is_response(facts.opcode)) forget_samples();
  }
}

void DataSink::place(const qp::MessageFacts& facts, const ddp::Segment& segment, PlacedBy by) {
  if (state_ == nullptr) state_ = std::make_unique<State>(limits_);
  State& s = *state_;
  s.next = std::max(s.next, facts.message + 1);
  s.open = facts.message;
  const auto overwritten = [&](const Extent& e) {
    if (e.placer.by != PlacedBy::write || e.placer.message == facts.message || e.placer.message < s.delivered ||
        s.reported == facts.message) {
      return;
    }
    s.reported = facts.message;
    const std::uint64_t begin = std::max(e.begin, segment.to.value);
    const std::uint64_t length = std::min<std::uint64_t>(segment.payload_length, e.end - segment.to.value);
    notes_.note({.kind = NoteKind::overlapping_placement,
                 .direction = inward_,
                 .message = facts.message,
                 .other_message = e.placer.message,
                 .stag = segment.stag,
                 .to = TaggedOffset{begin},
                 .octets = length - (begin - segment.to.value),
                 .frame = segment.carrier.last_frame,
                 .frames = evidence(e.placer.frame, segment.carrier.last_frame)});
  };
  s.extents.write(segment.stag, segment.to, segment.payload_length,
                  {.message = facts.message, .frame = facts.first_frame, .by = by}, overwritten);
  if (by == PlacedBy::write) {
    s.written.keep(segment.stag, segment.to, facts.message, segment.carrier.first_frame, segment.payload);
  }
}

void DataSink::message_ended(const qp::MessageFacts& facts, const ddp::MessageEnd& end) {
  if (state_ == nullptr) return;
  if (facts.direction != inward_) {
    if (!rdmap::is_response(facts.opcode)) forget_samples();
    return;
  }
  State& s = *state_;
  if (!is_silent(facts.opcode) || (facts.tagged && !end.complete)) forget_samples();
  if (facts.tagged) s.open = kNone;
  if (!facts.tagged && delivers(facts.opcode)) s.delivered = std::max(s.delivered, facts.message);
}

void DataSink::requested(Direction sender, const qp::Request& request) {
  if (state_ == nullptr || sender != inward_) return;
  State& s = *state_;
  if (request.atomic) {
    s.extents.write(request.source_stag, request.source_to, kWordOctets,
                    {.message = request.message, .frame = request.frame, .by = PlacedBy::atomic}, [](const Extent&) {});
    return;
  }
  if (s.written.empty() || request.size == 0) return;
  const std::uint64_t begin = request.source_to.value;
  if (begin + request.size < begin) return;
  Readback read{.request = request.message,
                .frame = request.frame,
                .sink_stag = request.sink_stag,
                .source_stag = request.source_stag,
                .sink_to = request.sink_to.value,
                .source_to = begin,
                .size = request.size};
  s.written.find(request.source_stag, begin, begin + request.size,
                 [&](std::uint64_t number, const WrittenOctets::Place&) {
                   // A Write that is not over need not be placed before the Read is carried out.
                   const std::uint64_t message = s.written.sample(number).message;
                   if (message != s.open && message < request.message) read.samples[read.count++] = number;
                   return read.count < kComparedSamples;
                 });
  if (read.count == 0) return;
  if (s.reads.size() >= limits_.reads) s.reads.erase(s.reads.begin());
  s.reads.push_back(std::move(read));
}

void DataSink::State::compare(Readback& read, const ddp::Segment& segment, const Sight& sight, Direction inward) const {
  const std::uint64_t begin = read.source_to + (segment.to.value - read.sink_to);
  const Octets octets = segment.payload;
  const ddp::Carrier& at = segment.carrier;
  for (std::size_t k = 0; k < read.count; ++k) {
    const std::uint64_t number = read.samples[k];
    if (!written.has(number)) continue;
    const WrittenOctets::Place& place = written.place(number);
    const std::uint64_t from = std::max(begin, place.to);
    const std::uint64_t to = std::min(begin + octets.size(), place.to + place.octets);
    if (from >= to) continue;
    const WrittenSample& sample = written.sample(number);
    const Octets due = Octets{sample.octets}.subspan(from - place.to, to - from);
    const Octets seen = octets.subspan(from - begin, to - from);
    if (std::memcmp(due.data(), seen.data(), due.size()) == 0) continue;
    if (!extents.is_written_by(place.stag, from, to, sample.message) || !sight.sees_all(inward, at)) continue;
    const auto differs =
        static_cast<std::size_t>(std::mismatch(due.begin(), due.end(), seen.begin()).first - due.begin());
    read.differs = true;
    read.note = {.kind = NoteKind::read_contradicts_write,
                 .direction = opposite(inward),
                 .other_message = sample.message,
                 .stag = place.stag,
                 .to = TaggedOffset{from + differs},
                 .octets = due.size() - differs,
                 .frame = at.last_frame,
                 .frames = evidence(sample.frame, read.frame, at.last_frame),
                 .seen = hexadecimal(seen.subspan(differs)),
                 .due = hexadecimal(due.subspan(differs))};
    return;
  }
}

void DataSink::compare(const qp::MessageFacts& facts, const ddp::Segment& segment) {
  State& s = *state_;
  if (s.reads.empty() || segment.payload.size() != segment.payload_length || segment.payload.empty()) return;
  for (Readback& read : s.reads) {
    const std::uint64_t offset = segment.to.value - read.sink_to;
    if (read.sink_stag != segment.stag || offset >= read.size || segment.payload.size() > read.size - offset) continue;
    if (!read.differs) {
      s.compare(read, segment, sight_, inward_);
      read.note.message = facts.message;
    }
    return;  // responses come in the order of their requests
  }
}

void DataSink::answered(const qp::Request& request, const qp::MessageFacts& response, const ddp::MessageEnd& end,
                        bool certain, std::optional<std::uint64_t> /*original*/) {
  if (state_ == nullptr || response.direction == inward_) return;
  State& s = *state_;
  // It was carried out after all before it had been delivered. Source: RFC 5040 §5.5 rule 12, RFC 7306 §5.2.2.
  s.delivered = std::max(s.delivered, request.message);
  if (request.atomic) return;
  for (const Readback& read : s.reads) {
    if (read.request == request.message && read.differs && certain && end.complete) notes_.note(read.note);
  }
  std::erase_if(s.reads, [&](const Readback& read) { return read.request <= request.message; });
  for (Readback& read : s.reads) read.differs = false;  // it was the response of another one
}

void DataSink::terminated(const qp::MessageFacts& /*facts*/, const rdmap::Terminate& /*terminate*/,
                          std::optional<std::uint64_t> /*names*/) {}

void DataSink::gap(Direction direction) {
  if (state_ == nullptr) return;
  forget_samples();
  if (direction == inward_) state_->delivered = std::max(state_->delivered, state_->next);
}

std::span<const Extent> DataSink::extents() const noexcept {
  return state_ == nullptr ? std::span<const Extent>{} : state_->extents.all();
}
std::uint64_t DataSink::evicted() const noexcept {
  return state_ == nullptr ? 0 : state_->extents.evicted();
}
std::size_t DataSink::held() const noexcept {
  if (state_ == nullptr) return 0;
  return sizeof(State) + state_->extents.held() + state_->written.held() + state_->reads.capacity() * sizeof(Readback);
}
void DataSink::trim() noexcept {
  state_.reset();
}

}  // namespace iwarpscope::emulation
