// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "verdict/judge.h"

#include "verdict/diagnose.h"
#include "verdict/render.h"

namespace iwarpscope::verdict {

qp::VerdictRecord judge(const qp::QpRecord& record, const CaptureSpan& capture,
                        const std::optional<EarlierAttempt>& earlier) {
  const Facts facts(record, capture, earlier);
  const auto diagnosis = diagnose(facts);
  return diagnosis ? render(facts, *diagnosis) : qp::VerdictRecord{};
}

}  // namespace iwarpscope::verdict
