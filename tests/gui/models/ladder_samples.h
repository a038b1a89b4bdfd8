// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Messages, events and findings for tests of the ladder.
#pragma once

#include <vector>

#include "models/ladder/message_store.h"

namespace iwarpscope::gui {

inline qp::MessageRecord ladder_message(Direction direction, std::uint64_t index, std::uint64_t frame,
                                        rdmap::Opcode opcode = rdmap::Opcode::send) {
  qp::MessageRecord m;
  m.qp = 7;
  m.direction = direction;
  m.index = index;
  m.opcode = opcode;
  m.first_frame = m.last_frame = FrameNumber{frame};
  m.first_time = m.placed_time = m.delivered_time = TimePoint{static_cast<std::int64_t>(frame) * 1000};
  m.ddp_segments = 1;
  m.length = 64;
  m.complete = true;
  m.msn = MessageSequence{static_cast<std::uint32_t>(index + 1)};
  return m;
}

/// A Read Request of A at place `request`, its response of B at `response`, Sends of A before, between and after.
inline std::vector<qp::MessageRecord> ladder_with_read(std::uint64_t count, std::uint64_t request,
                                                       std::uint64_t response) {
  std::vector<qp::MessageRecord> all;
  for (std::uint64_t place = 0, of_a = 0; place < count; ++place) {
    const bool is_response = place == response;
    all.push_back(
        ladder_message(is_response ? Direction::b_to_a : Direction::a_to_b, is_response ? 0 : of_a++, 10 + place));
    qp::MessageRecord& m = all.back();
    if (is_response) {
      m.opcode = rdmap::Opcode::rdma_read_response;
      m.tagged = true;
      m.stag = STag{0x1234};
      m.detail = qp::ReadResponseDetail{.request_index = request};
    } else if (place == request) {
      m.opcode = rdmap::Opcode::rdma_read_request;
      qp::ReadRequestDetail read;
      read.size = 4096;
      read.source_stag = STag{0x5678};
      if (response < count) read.response = qp::ResponseLink{.index = 0, .first_octet_ns = 500, .last_octet_ns = 2500};
      m.detail = read;
    }
  }
  return all;
}

inline live::FindingView ladder_finding(findings::FindingId id, std::uint64_t frame,
                                        std::optional<std::uint64_t> message = std::nullopt) {
  live::FindingView view;
  view.finding.id = id;
  view.finding.qp = 7;
  view.finding.direction = Direction::a_to_b;
  view.finding.message = message;
  view.finding.frame = FrameNumber{frame};
  view.finding.text = "The CRC is wrong.";
  return view;
}

inline qp::TransportEvent ladder_event(qp::TransportEventKind kind, std::uint64_t frame, std::uint64_t octets) {
  qp::TransportEvent event;
  event.qp = 7;
  event.kind = kind;
  event.direction = Direction::a_to_b;
  event.frame = FrameNumber{frame};
  event.octets = octets;
  return event;
}

}  // namespace iwarpscope::gui
