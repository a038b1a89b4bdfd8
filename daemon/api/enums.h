// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Enumerations of the core and those of iwarpscope.v1, which have 0 for "not said" before the same order.
#pragma once

#include <optional>

#include "base/ids.h"
#include "findings/catalogue.h"
#include "iwarpscope/v1/message.pb.h"
#include "iwarpscope/v1/queue_pair.pb.h"
#include "iwarpscope/v1/types.pb.h"
#include "qp/records.h"
#include "qp/transport_event.h"
#include "qp/verdict_record.h"
#include "rdmap/opcode.h"

namespace iwarpscope::api {

/// Maps an enumeration of the core to one of v1, with the core's last enumerator.
template <class Core>
struct Counterpart;
template <>
struct Counterpart<Direction> {
  using V1 = v1::Direction;
  static constexpr auto kLast = Direction::b_to_a;
  static_assert(v1::DIRECTION_B_TO_A == 1 + static_cast<int>(kLast));
};
template <>
struct Counterpart<findings::Severity> {
  using V1 = v1::Severity;
  static constexpr auto kLast = findings::Severity::error;
  static_assert(v1::SEVERITY_ERROR == 1 + static_cast<int>(kLast));
};
template <>
struct Counterpart<findings::About> {
  using V1 = v1::About;
  static constexpr auto kLast = findings::About::capture;
  static_assert(v1::ABOUT_CAPTURE == 1 + static_cast<int>(kLast));
};
template <>
struct Counterpart<rdmap::Opcode> {
  using V1 = v1::Opcode;
  static constexpr auto kLast = rdmap::Opcode::unknown;
  static_assert(v1::OPCODE_UNKNOWN == 1 + static_cast<int>(kLast));
};
template <>
struct Counterpart<qp::State> {
  using V1 = v1::QpState;
  static constexpr auto kLast = qp::State::unconfirmed;
  static_assert(v1::QP_STATE_UNCONFIRMED == 1 + static_cast<int>(kLast));
};
template <>
struct Counterpart<qp::Outcome> {
  using V1 = v1::Outcome;
  static constexpr auto kLast = qp::Outcome::unknown;
  static_assert(v1::OUTCOME_UNKNOWN == 1 + static_cast<int>(kLast));
};
template <>
struct Counterpart<qp::Blame> {
  using V1 = v1::Blame;
  static constexpr auto kLast = qp::Blame::unknown;
  static_assert(v1::BLAME_UNKNOWN == 1 + static_cast<int>(kLast));
};
template <>
struct Counterpart<qp::Confidence> {
  using V1 = v1::Confidence;
  static constexpr auto kLast = qp::Confidence::limited;
  static_assert(v1::CONFIDENCE_LIMITED == 1 + static_cast<int>(kLast));
};
template <>
struct Counterpart<qp::TransportEventKind> {
  using V1 = v1::TransportEventKind;
  static constexpr auto kLast = qp::TransportEventKind::window_closed;
  static_assert(v1::TRANSPORT_EVENT_KIND_WINDOW_CLOSED == 1 + static_cast<int>(kLast));
};
template <>
struct Counterpart<qp::Roles> {
  using V1 = v1::Roles;
  static constexpr auto kLast = qp::Roles::address;
  static_assert(v1::ROLES_ADDRESS == 1 + static_cast<int>(kLast));
};

template <class Core>
[[nodiscard]] constexpr typename Counterpart<Core>::V1 enum_to_v1(Core value) noexcept {
  return static_cast<typename Counterpart<Core>::V1>(static_cast<int>(value) + 1);
}
/// Nothing for "not said" and for what this program does not know.
template <class Core>
[[nodiscard]] constexpr std::optional<Core> enum_from_v1(typename Counterpart<Core>::V1 value) noexcept {
  const int number = static_cast<int>(value) - 1;
  if (number < 0 || number > static_cast<int>(Counterpart<Core>::kLast)) return std::nullopt;
  return static_cast<Core>(number);
}

}  // namespace iwarpscope::api
