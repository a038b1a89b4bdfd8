// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Rows of the ladder that are no messages: how the connection of a queue pair opened and ended.
#pragma once

#include <QString>

#include <cstdint>
#include <vector>

#include "api/records.h"

namespace iwarpscope::gui {

/// A frame of the startup or of the end, or the first frame of an FPDU that was not finished.
struct LadderLife {
  enum class Kind : std::uint8_t { syn, startup, rejected, foreign, unfinished, end, reset };
  Kind kind{};
  Direction direction{};
  FrameNumber frame;
  TimePoint time;
  QString label{};

  /// Its row is after messages that begin in the same frame.
  [[nodiscard]] bool is_last() const noexcept { return kind >= Kind::unfinished; }
  friend bool operator==(const LadderLife&, const LadderLife&) = default;
};

/// By frame: SYN, SYN-ACK, MPA Request and Reply, the FPDU inside which a direction ended, FIN and RST, or over SCTP
/// INIT, INIT ACK and what the session has, as far as they were captured; and what the Responder sent before the MPA
/// Request. `with_end`: FIN and RST, too. `findings`: those of this queue pair; one that says that octets of another
/// protocol came instead of the MPA Reply gives the row of these octets.
[[nodiscard]] std::vector<LadderLife> life_of(const qp::QpRecord& record, bool with_end,
                                              const std::vector<live::FindingView>& findings);
/// All of it as text: "MPA Request, Rev 1, frame 4, from A, +0.000123000 s".
[[nodiscard]] QString life_details(const LadderLife& life, TimePoint start);

}  // namespace iwarpscope::gui
