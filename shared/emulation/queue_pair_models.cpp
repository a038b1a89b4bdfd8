// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "emulation/queue_pair_models.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

namespace iwarpscope::emulation {

using rdmap::Opcode;

QueuePairModels::QueuePairModels(const Ends& ends, const std::array<bool, 2>& gaps, Ulp ulp, Host& host)
    : ends_(ends),
      host_(host),
      sinks_{DataSink(Direction::a_to_b, *this, *this), DataSink(Direction::b_to_a, *this, *this)},
      stags_(*this, *this),
      reader_(*this) {
  reader_.set_ulp(ulp);
  if (gaps[0] || gaps[1]) stags_.gap(Direction::a_to_b);
}

void QueuePairModels::segment(const qp::MessageFacts& facts, const ddp::Segment& segment) {
  if (segment.tagged && segment.first_of_message) {
    Head& head = heads_[index(facts.direction)];
    const bool known = segment.starts_message && segment.carrier.intact;
    const Octets kept = known ? segment.payload.first(std::min(segment.payload.size(), HeadOctets::kMost)) : Octets{};
    head.message = facts.message;
    head.octets.size = static_cast<std::uint8_t>(kept.size());
    std::copy(kept.begin(), kept.end(), head.octets.kept.begin());
  }
  for (DataSink& sink : sinks_) sink.segment(facts, segment);
  stags_.segment(facts, segment);
  if (!segment.tagged) reader_.segment(facts, segment);
}

void QueuePairModels::message_ended(const qp::MessageFacts& facts, const ddp::MessageEnd& end) {
  waits_[index(facts.direction)].add(facts, end);
  for (DataSink& sink : sinks_) sink.message_ended(facts, end);
  stags_.message_ended(facts, end);
  // After the others: what a Send announces holds from its end on.
  if (!facts.tagged) reader_.message_ended(facts, end);
  count_small(facts, end);
  if (facts.invalidates && facts.intact) {
    host_.tell(StagInvalidated{ends_.receiver(facts.direction), *facts.invalidates});
  }
  if (facts.opcode == Opcode::rdma_write && facts.tagged && facts.intact && end.length != 0) reported_write(facts, end);
}

/// SX-08.
void QueuePairModels::count_small(const qp::MessageFacts& facts, const ddp::MessageEnd& end) {
  small_[index(opposite(facts.direction))].count = 0;
  SmallSends& sends = small_[index(facts.direction)];
  const bool counts = !facts.tagged && facts.qn.value == 0 && end.complete && end.length <= SmallSends::kTinyOctets;
  if (!counts) {
    sends.count = 0;
    return;
  }
  if (sends.count == 0 || elapsed_ns(sends.first_time, facts.first_time) > SmallSends::kWithinNs) {
    sends = {.count = 0, .first_frame = facts.first_frame, .first_time = facts.first_time};
  }
  if (++sends.count != SmallSends::kFlood) return;
  findings::Finding f;
  f.id = findings::FindingId::rdmap_small_send_flood;
  f.direction = facts.direction;
  f.message = facts.message;
  f.frames = {sends.first_frame, facts.last_frame};
  f.seen = std::to_string(sends.count);
  f.text =
      fmt::format("{} messages of at most {} octets within {:.1f} ms, and no message came back.", sends.count,
                  SmallSends::kTinyOctets, static_cast<double>(elapsed_ns(sends.first_time, facts.first_time)) / 1e6);
  host_.found(std::move(f));
}

void QueuePairModels::announced(Direction owner, const ulp::Announcement& what, FrameNumber frame) {
  stags_.announced(owner, what, frame);
}

void QueuePairModels::reported_write(const qp::MessageFacts& facts, const ddp::MessageEnd& end) {
  MemoryTouched touched;
  touched.responder = ends_.receiver(facts.direction);
  touched.stag = facts.stag;
  touched.to = facts.to;
  touched.length = end.length;
  touched.at = {facts.last_frame, facts.placed_time};
  touched.is_write = true;
  const Head& head = heads_[index(facts.direction)];
  if (end.complete && head.message == facts.message) touched.head = head.octets;
  host_.tell(touched);
}

void QueuePairModels::requested(Direction sender, const qp::Request& request) {
  for (DataSink& sink : sinks_) sink.requested(sender, request);
  stags_.requested(sender, request);
  if (!request.atomic) return;
  host_.tell(AtomicRequested{.sender = sender,
                             .message = request.message,
                             .responder = ends_.receiver(sender),
                             .stag = request.source_stag,
                             .to = request.source_to,
                             .function = request.function,
                             .invoked = {request.frame, request.time},
                             .begin_seen = ends_.begin_seen});
}

void QueuePairModels::answered(const qp::Request& request, const qp::MessageFacts& response, const ddp::MessageEnd& end,
                               bool certain, std::optional<std::uint64_t> original) {
  for (DataSink& sink : sinks_) sink.answered(request, response, end, certain, original);
  stags_.answered(request, response, end, certain, original);
  const Direction sender = opposite(response.direction);
  const bool known = certain && end.complete && response.intact;
  if (request.atomic) {
    host_.tell(AtomicResponded{.sender = sender,
                               .message = request.message,
                               .response = response.message,
                               .original = original.value_or(0),
                               .at = {response.first_frame, response.first_time},
                               .certain = known && original});
    return;
  }
  if (!known || request.size == 0 || end.length != request.size) return;
  MemoryTouched touched;
  touched.responder = ends_.receiver(sender);
  touched.stag = request.source_stag;
  touched.to = request.source_to;
  touched.length = request.size;
  touched.request = {request.frame, request.time};
  touched.at = {response.first_frame, response.first_time};
  const Head& head = heads_[index(response.direction)];
  if (head.message == response.message) touched.head = head.octets;
  host_.tell(touched);
}

void QueuePairModels::terminated(const qp::MessageFacts& facts, const rdmap::Terminate& terminate,
                                 std::optional<std::uint64_t> names) {
  for (DataSink& sink : sinks_) sink.terminated(facts, terminate, names);
  stags_.terminated(facts, terminate, names);
}

void QueuePairModels::gap(Direction direction) {
  for (DataSink& sink : sinks_) sink.gap(direction);
  stags_.gap(direction);
  reader_.gap(direction);
  for (SmallSends& sends : small_) sends.count = 0;
}

std::uint64_t QueuePairModels::evicted() const noexcept {
  return evicted_ + sinks_[0].evicted() + sinks_[1].evicted() + stags_.evicted();
}

std::size_t QueuePairModels::held() const noexcept {
  return sinks_[0].held() + sinks_[1].held() + stags_.held() + reader_.held();
}

void QueuePairModels::give_up() noexcept {
  evicted_ += sinks_[0].extents().size() + sinks_[1].extents().size() + stags_.size();
  trim();
}

void QueuePairModels::trim() noexcept {
  evicted_ += sinks_[0].evicted() + sinks_[1].evicted() + stags_.evicted();
  for (DataSink& sink : sinks_) sink.trim();
  stags_.trim();
  reader_.trim();
}

bool QueuePairModels::is_empty() const noexcept {
  return waits_[0].waited == 0 && waits_[1].waited == 0 && evicted() == 0 && stags_.size() == 0 &&
         sinks_[0].held() == 0 && sinks_[1].held() == 0 && !reader_.negotiated();
}

void QueuePairModels::note(const Note& note) {
  if (note.kind != NoteKind::read_contradicts_write) return host_.noted(note);
  // `direction` is that of the Read Response: its sender owns the memory.
  host_.tell(ReadContradicted{{ends_.receiver(opposite(note.direction)), ends_.overlay}, std::make_unique<Note>(note)});
}

void QueuePairModels::fact(const StagFact& fact) {
  host_.tell(StagReported{{ends_.receiver(fact.owner), ends_.overlay}, ends_.receiver(opposite(fact.owner)), fact});
}

bool QueuePairModels::sees_all(Direction direction, const ddp::Carrier& at) const {
  return host_.saw_all(direction, at);
}

}  // namespace iwarpscope::emulation
