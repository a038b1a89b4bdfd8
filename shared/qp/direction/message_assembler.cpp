// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "qp/direction/message_assembler.h"

#include <algorithm>
#include <utility>

#include "qp/queue_pair.h"

namespace iwarpscope::qp {
namespace {

std::unique_ptr<OpenMessage> fresh(std::vector<std::unique_ptr<OpenMessage>>& spare) {
  if (spare.empty()) return std::make_unique<OpenMessage>();
  std::unique_ptr<OpenMessage> open = std::move(spare.back());
  spare.pop_back();
  open->answers.reset();
  open->answer_certain = false;
  open->answer_doubted = false;
  open->begins_inside = false;
  open->header.clear();
  open->expected_size = 0;
  open->digested = 0;
  open->digest_in_order = true;
  return open;
}

/// What the header of its first DDP segment says.
void fill_in(OpenMessage& open, const ddp::Segment& segment) {
  open.message = segment.message;
  open.opcode = rdmap::opcode_of(segment.rdmap_control);
  open.first = segment.carrier;
  open.placed_time = segment.carrier.placed_time;
  open.delivered_time = segment.carrier.delivered_time;
  open.last_frame = segment.carrier.last_frame;
  open.tagged = segment.tagged;
  open.intact = segment.carrier.intact;
  open.stag = segment.stag;
  open.to = segment.to;
  open.qn = segment.qn;
  open.msn = segment.msn;
  open.invalidate_stag = segment.reserved_ulp;
  open.rdmap_control = segment.rdmap_control;
  open.payload_length = segment.payload_length;
  const bool keeps_header = rdmap::header_octets(open.opcode) != 0;
  if (keeps_header) {
    const Octets kept = segment.payload.first(std::min(segment.payload.size(), OpenMessage::kHeaderOctets));
    open.header.assign(kept.begin(), kept.end());
  }
}

void digest(OpenMessage& open, const ddp::Segment& segment) {
  const std::uint64_t at = segment.tagged ? segment.to.value - open.to.value : segment.mo.value;
  open.digest_in_order = open.digest_in_order && at == open.digested;
  open.digested += segment.payload.size();
  open.digest->add(segment.payload);
}

}  // namespace

void MessageAssembler::begin(std::optional<std::uint8_t> version, findings::Reporter& reporter) {
  ddp_.emplace(direction_, static_cast<ddp::SegmentSink&>(*this), reporter);
  if (version) ddp_->set_version(*version);
}

OpenMessage& MessageAssembler::begin_message(const ddp::Segment& segment) {
  std::unique_ptr<OpenMessage>& open = open_.emplace_back(fresh(environment_.spare_messages));
  fill_in(*open, segment);
  if (environment_.digest) {
    if (open->digest == nullptr) open->digest = std::make_unique<Digest>();
    open->digest->begin();
  }
  ++count_of(open->opcode).messages;
  last_message_ = {segment.carrier.first_frame, segment.carrier.first_time};
  last_opcode_ = open->opcode;
  return *open;
}

void MessageAssembler::segment(const ddp::Segment& segment) {
  ++ddp_segments_;
  if (segment.first_of_message) sink_.message_begins(begin_message(segment), segment);
  const auto it = std::ranges::find(open_, segment.message, [](const auto& o) { return o->message; });
  if (it == open_.end()) return;
  OpenMessage& open = **it;
  open.last_frame = std::max(open.last_frame, segment.carrier.last_frame);
  open.placed_time = std::max(open.placed_time, segment.carrier.placed_time);
  open.delivered_time = std::max(open.delivered_time, segment.carrier.delivered_time);
  if (rdmap::traits(open.opcode).has_payload) count_of(open.opcode).payload_octets += segment.payload_length;
  if (open.digest != nullptr && !segment.payload.empty()) digest(open, segment);
  if (segment.tagged && segment.payload_length != 0) open.to = std::min(open.to, segment.to);
  history_.add(segment);
  sink_.segment_taken(open, segment);
}

void MessageAssembler::message_ended(const ddp::MessageEnd& end) {
  const auto it = std::ranges::find(open_, end.message, [](const auto& o) { return o->message; });
  if (it == open_.end()) return;
  std::unique_ptr<OpenMessage> open = std::move(*it);
  open_.erase(it);
  sink_.message_ends(*open, end);
  environment_.spare_messages.push_back(std::move(open));
}

void MessageAssembler::undecodable(const ddp::Carrier&, Octets) {
  sink_.undecodable();
}

OpenMessage* MessageAssembler::find_open(std::uint64_t message) const noexcept {
  const auto it = std::find_if(open_.begin(), open_.end(), [&](const auto& open) { return open->message == message; });
  return it != open_.end() ? it->get() : nullptr;
}

bool MessageAssembler::is_open(std::uint64_t message) const noexcept {
  return std::ranges::any_of(open_, [=](const auto& o) { return o->message == message; });
}

void MessageAssembler::trim() {
  history_.trim();
  if (open_.empty()) open_.shrink_to_fit();
}

OpcodeCount& MessageAssembler::count_of(rdmap::Opcode opcode) {
  for (OpcodeCount& c : counts_) {
    if (c.opcode == opcode) return c;
  }
  return counts_.emplace_back(OpcodeCount{opcode});
}

}  // namespace iwarpscope::qp
