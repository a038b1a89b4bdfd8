// Words and signs that several views and the report share, in the language of the window.
#pragma once

#include <QString>

#include "api/records.h"

namespace iwarpscope::gui {

/// "E", "W", "N": stands beside the colour.
[[nodiscard]] QString severity_sign(findings::Severity severity);
/// "error", "warning", "note".
[[nodiscard]] QString severity_word(findings::Severity severity);
/// "completed", "failed"...
[[nodiscard]] QString outcome_word(qp::Outcome outcome);
/// A sign of one character: a tick, a cross, a question mark...
[[nodiscard]] QString outcome_sign(qp::Outcome outcome);
/// "failed, certainly by A (10.0.0.1:4420)". Precondition: the record has a verdict.
[[nodiscard]] QString verdict_headline(const qp::QpRecord& record);
/// How sure a verdict is, in a sentence.
[[nodiscard]] QString confidence_sentence(qp::Confidence confidence);
/// "10.0.0.1:40000 - 10.0.0.2:4420": A first.
[[nodiscard]] QString ends_text(const net::Endpoint& a, const net::Endpoint& b);

}  // namespace iwarpscope::gui
