// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "verdict/diagnose.h"

#include <initializer_list>

#include "verdict/startup.h"

namespace iwarpscope::verdict {

bool is_startup(const Facts& facts) noexcept {
  return !facts.record.joined_midstream && facts.record.startup.has_value() && !facts.has_fpdus();
}

namespace {

std::optional<Diagnosis> first_of(const Facts& facts, std::initializer_list<std::span<const Step>> lists) {
  for (const std::span<const Step> list : lists) {
    for (const Step& step : list) {
      if (auto diagnosis = step.decide(facts)) return diagnosis;
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<Diagnosis> diagnose(const Facts& facts) {
  auto diagnosis = first_of(facts, {unanswered_steps(), rejected_steps(), agreed_steps(), terminate_steps(),
                                    reset_steps(), closed_steps(), open_steps()});
  if (diagnosis) add_remarks(facts, *diagnosis);
  return diagnosis;
}

}  // namespace iwarpscope::verdict
