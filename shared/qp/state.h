// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The state of a queue pair as the wire shows it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/edges.h"
#include "qp/records.h"

namespace iwarpscope::qp {

/// What moves a queue pair from state to state.
enum class Event : std::uint8_t {
  request,         ///< MPA Request complete
  reject,          ///< MPA Reply with R=1
  reply,           ///< MPA Reply with R=0
  startup_failed,  ///< a startup frame that its receiver had to refuse
  joined,          ///< FPDUs recognised without startup
  fpdu,            ///< an FPDU of either side
  terminate,       ///< a Terminate of either side
  fin_one,         ///< one half ended in order
  fin_both,        ///< both halves ended in order
  reset,           ///< RST
};
inline constexpr std::size_t kEvents = 10;
inline constexpr std::size_t kStates = 9;

/// A pair that is no edge leaves the state unchanged. Other rules check who may send what in which state.
using Edge = iwarpscope::Edge<State, Event>;
[[nodiscard]] std::span<const Edge> edges() noexcept;

/// The state after `event`.
[[nodiscard]] State next(State state, Event event) noexcept;

}  // namespace iwarpscope::qp
