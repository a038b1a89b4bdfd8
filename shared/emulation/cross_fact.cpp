// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "emulation/cross_fact.h"

namespace iwarpscope::emulation {

FrameNumber passed_in(const CrossFact& fact) noexcept {
  if (const auto* asked = std::get_if<AtomicRequested>(&fact)) return asked->invoked.frame;
  if (const auto* answer = std::get_if<AtomicResponded>(&fact)) return answer->at.frame;
  if (const auto* touched = std::get_if<MemoryTouched>(&fact)) return touched->at.frame;
  if (const auto* stag = std::get_if<StagReported>(&fact)) return stag->fact.frame;
  return {};
}

}  // namespace iwarpscope::emulation
