// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "emulation/announcement_reader.h"

#include <algorithm>
#include <vector>

#include "base/archive.h"

namespace iwarpscope::emulation {

/// The Send in progress of each direction, as far as it is needed.
struct AnnouncementReader::Collected {
  struct Half {
    std::vector<std::byte> octets;
    std::uint64_t message = 0;
    bool open = false;  ///< all of it so far is in `octets`, or they are enough
  };
  std::array<Half, 2> halves;
};

AnnouncementReader::AnnouncementReader(AnnouncementSink& sink) noexcept : sink_(sink) {}
AnnouncementReader::~AnnouncementReader() = default;

template <class A>
void AnnouncementReader::archive(A& a) {
  a(collected_, negotiation_, read_, at_start_, ulp_);
}
template void AnnouncementReader::archive(Archive& a);

void AnnouncementReader::set_ulp(Ulp ulp) noexcept {
  if (ulp == ulp_) return;
  ulp_ = ulp;
  collected_.reset();
  at_start_ = {};
}

void AnnouncementReader::take(const qp::MessageFacts& facts, const ddp::Segment& segment) {
  if (segment.tagged || !rdmap::is_send(facts.opcode)) return;
  const std::size_t d = index(facts.direction);
  if (segment.starts_message && segment.last) {
    if (collected_ != nullptr) collected_->halves[d].open = false;
    // Not intact: message_ended() says so too.
    if (!segment.carrier.intact || !facts.intact || segment.mo.value != 0) return;
    read(facts, {.octets = segment.payload, .length = segment.payload_length});
    return;
  }
  if (segment.starts_message) {
    if (collected_ == nullptr) collected_ = std::make_unique<Collected>();
    collected_->halves[d].octets.clear();
    collected_->halves[d].octets.reserve(ulp::octets_needed(ulp_));
    collected_->halves[d].message = facts.message;
    collected_->halves[d].open = true;
  }
  if (collected_ == nullptr) return;
  Collected::Half& half = collected_->halves[d];
  const std::size_t needed = ulp::octets_needed(ulp_);
  if (!half.open || half.message != facts.message || half.octets.size() >= needed) return;
  if (segment.mo.value != half.octets.size()) {
    half.open = false;
    return;
  }
  const Octets more = segment.payload.first(std::min(segment.payload.size(), needed - half.octets.size()));
  half.octets.insert(half.octets.end(), more.begin(), more.end());
}

void AnnouncementReader::finish(const qp::MessageFacts& facts, const ddp::MessageEnd& end) {
  if (facts.tagged || !rdmap::is_send(facts.opcode)) return;
  const std::size_t d = index(facts.direction);
  Collected::Half* const half = collected_ == nullptr ? nullptr : &collected_->halves[d];
  if (half != nullptr && half->open && half->message == facts.message) {
    half->open = false;
    if (end.complete) read(facts, {.octets = half->octets, .length = end.length});
  }
  if (!end.complete || read_[d] != facts.message + 1) at_start_[d] = false;
}

void AnnouncementReader::lose(Direction direction) noexcept {
  at_start_[index(direction)] = false;
  if (collected_ != nullptr) collected_->halves[index(direction)].open = false;
}

void AnnouncementReader::read(const qp::MessageFacts& facts, const ulp::SendPayload& payload) {
  read_[index(facts.direction)] = facts.message + 1;
  if (ulp_ == Ulp::smb_direct && !begins_smb2(facts, payload)) return;
  for (const ulp::Announcement& a : ulp::announced(ulp_, payload)) {
    sink_.announced(opposite(facts.direction), a, facts.last_frame);
  }
}

bool AnnouncementReader::begins_smb2(const qp::MessageFacts& facts, const ulp::SendPayload& payload) {
  bool& at_start = at_start_[index(facts.direction)];
  if (facts.msn == MessageSequence{1}) {
    const std::optional<ulp::SmbDirectRequest> request = ulp::smb_direct_request(payload);
    const std::optional<ulp::SmbDirectResponse> response = ulp::smb_direct_response(payload);
    if (request || response) {
      if (negotiation_ == nullptr) negotiation_ = std::make_unique<Negotiation>();
      if (request) negotiation_->request = request;
      if (response) negotiation_->response = response;
      at_start = true;
      return false;
    }
  }
  const std::optional<ulp::SmbDirectTransfer> transfer = ulp::smb_direct_transfer(payload);
  if (transfer && transfer->data_length == 0) return false;
  const bool begins = at_start && transfer;
  at_start = transfer && transfer->remaining == 0;
  return begins;
}

std::optional<ulp::Limits> AnnouncementReader::negotiated() const {
  if (negotiation_ == nullptr || !negotiation_->request || !negotiation_->response) return std::nullopt;
  return ulp::compare(*negotiation_->request, *negotiation_->response);
}

std::size_t AnnouncementReader::held() const noexcept {
  std::size_t octets = negotiation_ == nullptr ? 0 : sizeof(Negotiation);
  if (collected_ == nullptr) return octets;
  octets += sizeof(Collected);
  for (const Collected::Half& half : collected_->halves) octets += half.octets.capacity();
  return octets;
}

void AnnouncementReader::trim() noexcept {
  collected_.reset();
}

}  // namespace iwarpscope::emulation
