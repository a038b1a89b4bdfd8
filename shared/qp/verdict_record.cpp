// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "qp/verdict_record.h"

namespace iwarpscope::qp {

bool ended_badly(Outcome outcome) noexcept {
  switch (outcome) {
    case Outcome::refused:
    case Outcome::failed:
    case Outcome::stalled: return true;
    case Outcome::completed:
    case Outcome::running:
    case Outcome::unknown: break;
  }
  return false;
}

std::string_view name(Outcome outcome) noexcept {
  switch (outcome) {
    case Outcome::completed: return "completed";
    case Outcome::refused: return "refused";
    case Outcome::failed: return "failed";
    case Outcome::stalled: return "stalled";
    case Outcome::running: return "running";
    case Outcome::unknown: break;
  }
  return "unknown";
}

std::string_view name(Blame blame) noexcept {
  switch (blame) {
    case Blame::a: return "a";
    case Blame::b: return "b";
    case Blame::path: return "path";
    case Blame::capture: return "capture";
    case Blame::none: return "none";
    case Blame::unknown: break;
  }
  return "unknown";
}

std::string_view name(Confidence confidence) noexcept {
  switch (confidence) {
    case Confidence::certain: return "certain";
    case Confidence::likely: return "likely";
    case Confidence::limited: break;
  }
  return "limited";
}

}  // namespace iwarpscope::qp
