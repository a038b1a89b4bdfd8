// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "qp/direction/faults.h"

namespace iwarpscope::qp {

void Faults::note(const findings::Finding& finding) {
  const findings::Rule& rule = findings::rule(finding.id);
  if (!finding.direction || rule.severity != findings::Severity::error) return;
  const std::size_t d = index(*finding.direction);
  if (known_ == nullptr) known_ = std::make_unique<Known>();
  if (findings::is_about_full_operation(rule)) known_->errors[d] = true;
  if (!finding.message || !rule.refused_with.is_always()) return;
  Fault& fault = known_->first[d];
  if (fault.frame.value == 0) fault = {finding.id, *finding.message, finding.frames.front(), {}, {}};
}

void Faults::note_answer(Direction sender, const Request& request, FrameNumber answer) noexcept {
  if (known_ == nullptr) return;
  Fault& fault = known_->first[index(sender)];
  if (fault.frame.value == 0 || fault.answer.value != 0) return;
  if (request.message <= fault.message || request.frame <= fault.frame) return;
  fault.request = request.frame;
  fault.answer = answer;
}

}  // namespace iwarpscope::qp
