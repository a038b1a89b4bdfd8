// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Incidents in words, for every report and display. Without colours and line breaks.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "findings/catalogue.h"
#include "qp/records.h"
#include "report/incidents.h"

namespace iwarpscope::report {

/// In the order in which reports list them: the worst first.
inline constexpr std::array kOutcomes{qp::Outcome::failed,    qp::Outcome::stalled, qp::Outcome::refused,
                                      qp::Outcome::completed, qp::Outcome::running, qp::Outcome::unknown};

/// "with errors", "with doubtful data", "with losses repaired"; empty: no flaw.
[[nodiscard]] std::string_view flaw_words(Flaw flaw) noexcept;

/// The parts of "completed with errors V-30, mpa.crc-mismatch (MF-04), likely by the path between them".
struct HeadWords {
  qp::Outcome outcome{};
  Flaw flaw{};
  std::string code;   ///< "V-30"; empty: not known
  std::string cause;  ///< "mpa.crc-mismatch (MF-04), likely by the path between them"; empty: nothing to add
};
/// Precondition: the record has a verdict.
[[nodiscard]] HeadWords head_words(const qp::QpRecord& record);
[[nodiscard]] HeadWords head_words(const Incident& incident);
/// All of it as one line.
[[nodiscard]] std::string head_text(const HeadWords& words);

/// "QP 3: 10.0.0.1:40000 -> 10.0.0.2:5000", "12 QPs (0, 1, ...): 10.0.0.1 and 2 other hosts -> 10.0.0.2, port 5000".
[[nodiscard]] std::string who_words(const Incident& incident);

/// "Example QP 3: ", before a sentence that is about one of several queue pairs; empty: there is only one.
[[nodiscard]] std::string example_words(const Incident& incident);

/// "2 failed", "3 completed (2 of them with errors)", "1 completed with losses repaired"; empty: no queue pair has this
/// outcome.
[[nodiscard]] std::string outcome_words(const Incidents& incidents, qp::Outcome outcome);
/// "2 failed, 78 completed (3 of them with errors)"; empty: no queue pair has a verdict.
[[nodiscard]] std::string outcomes_text(const Incidents& incidents);

/// "TCP repaired losses in 2 queue pairs (QP 0 is the first): 3 messages waited, at most 11 ms; 24.0 KiB were sent
/// again."; empty: nothing was repaired.
[[nodiscard]] std::string repairs_text(const Incidents& incidents);

/// "frame 8 of QP 0 (10.0.0.1:40000 -> 10.0.0.2:5000), then frame 12 of..."; empty: fewer than two queue pairs.
[[nodiscard]] std::string first_words(const Incidents& incidents);
/// "10.0.0.1 (12 QPs), the path between 10.0.0.1 and 10.0.0.3 (2 QPs)"; empty: none is blamed more than once.
[[nodiscard]] std::string blamed_words(const Incidents& incidents);

}  // namespace iwarpscope::report
