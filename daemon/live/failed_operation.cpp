// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "live/failed_operation.h"

#include <algorithm>
#include <variant>

namespace iwarpscope::live {
namespace {

using How = FailedOperation::How;

bool lacks_response(const qp::MessageRecord& message) noexcept {
  const auto* const read = std::get_if<qp::ReadRequestDetail>(&message.detail);
  const auto* const atomic = std::get_if<qp::AtomicRequestDetail>(&message.detail);
  return (read != nullptr && !read->response) || (atomic != nullptr && !atomic->response);
}

}  // namespace

std::string_view name(How how) noexcept {
  switch (how) {
    case How::terminated: return "terminated";
    case How::terminate: return "terminate";
    case How::no_response_seen: break;
  }
  return "no_response_seen";
}

bool may_have_failed(const qp::QpRecord& record) noexcept {
  const auto count = [&](Direction direction, rdmap::Opcode opcode) {
    return record.directions[index(direction)].messages[static_cast<std::size_t>(opcode)];
  };
  for (const Direction to : {Direction::a_to_b, Direction::b_to_a}) {
    if (count(to, rdmap::Opcode::terminate) != 0) return true;
    if (count(to, rdmap::Opcode::rdma_read_request) > count(opposite(to), rdmap::Opcode::rdma_read_response) ||
        count(to, rdmap::Opcode::atomic_request) > count(opposite(to), rdmap::Opcode::atomic_response)) {
      return true;
    }
  }
  return false;
}

std::vector<FailedOperation> failed_operations(const std::deque<MessagePtr>& messages, bool ended,
                                               const FailedBounds& bounds) {
  std::vector<FailedOperation> failed;
  const auto add = [&](const MessagePtr& message, How how) {
    const bool is_there =
        std::any_of(failed.begin(), failed.end(), [&](const FailedOperation& one) { return one.message == message; });
    if (!is_there && failed.size() < bounds.operations) failed.push_back({message, how});
  };
  const auto first = messages.end() - static_cast<std::ptrdiff_t>(std::min(messages.size(), bounds.messages));
  for (auto at = first; at != messages.end() && failed.size() < bounds.operations; ++at) {
    const auto* const terminate = std::get_if<qp::TerminateDetail>(&(*at)->detail);
    if (terminate == nullptr) continue;
    const auto named = std::find_if(first, messages.end(), [&](const MessagePtr& other) {
      return terminate->names && other->direction == terminate->names->direction &&
             other->index == terminate->names->index;
    });
    if (named != messages.end()) add(*named, How::terminated);
    add(*at, How::terminate);
  }
  for (auto at = messages.end(); ended && at != first && failed.size() < bounds.operations;) {
    if (lacks_response(**--at)) add(*at, How::no_response_seen);
  }
  return failed;
}

}  // namespace iwarpscope::live
