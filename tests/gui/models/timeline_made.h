// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Messages for tests of models that sum them.
#pragma once

#include <vector>

#include "models/ladder/message_store.h"

namespace iwarpscope::gui::made {

inline qp::MessageRecord message(Direction direction, std::uint64_t index, rdmap::Opcode opcode, std::int64_t from,
                                 std::int64_t to, std::uint64_t length) {
  qp::MessageRecord out;
  out.direction = direction;
  out.index = index;
  out.opcode = opcode;
  out.first_frame = out.last_frame = FrameNumber{index + 1};
  out.first_time = {from};
  out.placed_time = out.delivered_time = {to};
  out.length = length;
  out.complete = true;
  return out;
}

/// An RDMA Read Request at `at` with a latency of `ns`; negative: it has no response.
inline qp::MessageRecord read_request(Direction direction, std::uint64_t index, std::int64_t at, std::int64_t ns) {
  qp::MessageRecord out = message(direction, index, rdmap::Opcode::rdma_read_request, at, at, 28);
  qp::ReadRequestDetail detail;
  detail.size = 4096;
  if (ns >= 0) detail.response = qp::ResponseLink{index, ns / 2, ns};
  out.detail = detail;
  return out;
}

inline qp::MessageRecord tagged(Direction direction, std::uint64_t index, rdmap::Opcode opcode, std::uint32_t stag,
                                std::uint64_t to, std::uint64_t length) {
  const auto at = static_cast<std::int64_t>(1000 * (index + 1));
  qp::MessageRecord out = message(direction, index, opcode, at, at, length);
  out.tagged = true;
  out.stag = STag{stag};
  out.to = TaggedOffset{to};
  return out;
}

/// A store whose messages are loaded.
struct Filled {
  explicit Filled(std::vector<qp::MessageRecord> all) : messages(std::move(all)) {}
  std::vector<qp::MessageRecord> messages;
  std::vector<qp::TransportEvent> events;
  MessageStore store{[this](std::uint64_t, std::uint64_t from, std::uint32_t most, QObject* asker, const auto& then) {
                       QMetaObject::invokeMethod(
                           asker, [this, from, most, then] { then(page(from, most)); }, Qt::QueuedConnection);
                     },
                     [this](std::uint64_t, std::uint64_t from, std::uint32_t, QObject* asker, const auto& then) {
                       TransportRows rows{from, {}, {}, 0};
                       if (from == 0) rows.events = events;
                       QMetaObject::invokeMethod(
                           asker, [rows, then] { then(rows); }, Qt::QueuedConnection);
                     }};

  [[nodiscard]] live::QpView view() const {
    live::QpView out;
    out.record.directions[0].messages[0] = messages.size();
    out.record.directions[0].retransmitted_octets = 1;
    return out;
  }
  void open() { store.open(view()); }

  [[nodiscard]] MessageRows page(std::uint64_t from, std::uint32_t most) const {
    MessageRows rows{from, {}, {}, 0};
    for (std::uint64_t i = from; i < messages.size() && i - from < most; ++i) rows.messages.push_back(messages[i]);
    if (from + most < messages.size()) rows.next = from + most;
    return rows;
  }
};

}  // namespace iwarpscope::gui::made
