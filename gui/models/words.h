// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Words and signs that several views and the report share.
#pragma once

#include <QString>
#include <QStringList>

#include <cstdint>
#include <optional>

#include "api/records.h"
#include "models/selection.h"

namespace iwarpscope::gui {

/// For tr() with a number that selects singular or plural.
[[nodiscard]] int plural(std::uint64_t count) noexcept;
/// "12 345", in the format of the language.
[[nodiscard]] QString number_text(std::uint64_t value);
/// The name of a sensor; findings about the whole site are from "the centre".
[[nodiscard]] QString sensor_text(const QString& name);
/// Names of sensors: "rack7, rack9 and 3 more".
[[nodiscard]] QString few_names(QStringList names);
/// 16 hexadecimal digits after "0x": an offset, or a word of an atomic.
[[nodiscard]] QString word_text(std::uint64_t value);
/// 8 hexadecimal digits after "0x".
[[nodiscard]] QString stag_text(STag stag);
/// "1.50 MiB/s": the words of the reports.
[[nodiscard]] QString rate_words(double octets_per_second);
/// Data that the capture lacks: "1.50 KiB", "3 messages" or both; octets for TCP, messages for SCTP.
[[nodiscard]] QString gap_words(std::uint64_t octets, std::uint64_t messages);
/// "E", "W", "N": shown together with the colour.
[[nodiscard]] QString severity_sign(findings::Severity severity);
/// "error", "warning", "note".
[[nodiscard]] QString severity_word(findings::Severity severity);
/// "completed", "failed"...
[[nodiscard]] QString outcome_word(qp::Outcome outcome);
/// A sign of one character: a tick, a cross, a question mark... `worst`: the worst finding. A queue pair that runs or
/// ended well has ▲ or △ instead if it has an error or a warning, and ◇ if it was repaired (see is_repaired()).
[[nodiscard]] QString outcome_sign(qp::Outcome outcome, std::optional<findings::Severity> worst, bool repaired = false);
[[nodiscard]] QString outcome_sign(qp::Outcome outcome, const std::optional<findings::FindingId>& worst,
                                   bool repaired = false);
/// ▲, △, ◇.
[[nodiscard]] QString flaw_sign(findings::Severity severity);
/// What limits a verdict of "ended well" or "running": the worst finding, or a note if it was repaired. Empty: the
/// verdict is another one, or no finding is worse than a note.
[[nodiscard]] std::optional<findings::Severity> flaw(qp::Outcome outcome, std::optional<findings::Severity> worst,
                                                     bool repaired = false);
/// Its verdict names losses, damage or waits that the transport repaired.
[[nodiscard]] bool is_repaired(const qp::QpRecord& record);
/// "failed, certainly by A (10.0.0.1:4420)". Precondition: the record has a verdict.
[[nodiscard]] QString verdict_headline(const qp::QpRecord& record);
/// The confidence of a verdict, in one sentence.
[[nodiscard]] QString confidence_sentence(qp::Confidence confidence);
/// "10:00:00.500000000 to 10:00:01.000000000 UTC".
[[nodiscard]] QString range_text(const TimeRange& range);
/// "10.0.0.1:40000 → 10.0.0.2:4420": A first.
[[nodiscard]] QString ends_text(const net::Endpoint& a, const net::Endpoint& b);

}  // namespace iwarpscope::gui
