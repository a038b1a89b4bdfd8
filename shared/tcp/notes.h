// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// What this layer reports: one function for each finding, all sentences in one place.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "tcp/half.h"

namespace iwarpscope::tcp {

/// The first octet that differs.
struct OctetConflict {
  StreamOffset where;
  std::uint8_t second = 0;  ///< its value in the later frame
  std::uint8_t first = 0;   ///< and in the earlier one
};
/// The whole TCP segment came before, with another payload sum.
struct SumConflict {
  FrameNumber earlier;   ///< there
  bool is_copy = false;  ///< as that packet
  std::uint16_t second = 0;
  std::uint16_t first = 0;
};
/// MF-18, or CA-23 of copies of one packet.
void raise_conflict(Call& call, const Arrival& earlier, const Arrival& later, const OctetConflict& conflict);
void raise_conflict(Call& call, const Arrival& later, const SumConflict& conflict);
/// MF-21.
void raise_data_after_fin(Call& call, const Arrival& arrival, StreamOffset fin);
/// MF-23.
void raise_fragments(Call& call, const net::TcpPacket& packet);
/// CA-01, TC-07 or CA-10 by `reason`; nothing for snap_length.
void raise_missing(Call& call, StreamOffset from, std::uint64_t length, Missing reason);
/// TC-01.
void raise_wrong_checksum(Call& call, const net::TcpPacket& packet, std::optional<StreamOffset> offset);
/// TC-06, by the RST of an earlier frame or of this one.
void raise_reset(Call& call, const ControlSeen& reset);
/// TC-09. `is_reset`: an RST, otherwise a SYN.
void raise_ignored_control(Call& call, const ControlSeen& control, bool is_reset);
/// TC-10, where something was dropped for one of kForgedSigns; `first`: the first of them.
void raise_forged(Call& call, const Dropped& dropped, FrameNumber first);
/// At the end, what one half's counters say: TC-02, TC-03, TC-04, TC-05, CA-02.
void raise_counts(Call& call, const Half& half);
/// At the end, what both say: CA-03.
void raise_counts(Call& call, const std::array<Half, 2>& halves);

}  // namespace iwarpscope::tcp
