// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "qp/faults.h"

namespace iwarpscope::qp {

void Faults::note(const findings::Finding& finding) {
  const findings::Rule& rule = findings::rule(finding.id);
  if (!finding.direction || rule.severity != findings::Severity::error) return;
  const std::size_t d = index(*finding.direction);
  if (findings::is_about_full_operation(rule)) errors_[d] = true;
  if (!finding.message || !rule.refused_with.is_always()) return;
  if (faults_ == nullptr) faults_ = std::make_unique<std::array<Fault, 2>>();
  Fault& fault = (*faults_)[d];
  if (fault.frame.value == 0) fault = {finding.id, *finding.message, finding.frames.front(), {}, {}};
}

void Faults::note_answer(Direction sender, const Request& request, FrameNumber answer) noexcept {
  if (faults_ == nullptr) return;
  Fault& fault = (*faults_)[index(sender)];
  if (fault.frame.value == 0 || fault.answer.value != 0) return;
  if (request.message <= fault.message || request.frame <= fault.frame) return;
  fault.request = request.frame;
  fault.answer = answer;
}

}  // namespace iwarpscope::qp
