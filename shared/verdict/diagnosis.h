// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// A diagnosis: rows of the verdict catalogue and their values, without sentences.
#pragma once

#include <initializer_list>
#include <string_view>
#include <vector>

#include "base/capture_outages.h"
#include "base/ids.h"
#include "qp/verdict_record.h"
#include "verdict/argument.h"
#include "verdict/catalogue.h"

namespace iwarpscope::verdict {

/// Something that the capture may lack and that would change the verdict.
struct Doubt {
  std::string_view about{};       ///< "an answer"; empty: nothing that matters. Static storage
  CaptureOutages::Share share{};  ///< capture outages in the time in which it may have come
  bool elsewhere = false;         ///< it may have taken a path without a tap
  [[nodiscard]] bool any() const noexcept { return !about.empty() || elsewhere; }
};

struct Remark {
  RemarkId id{};
  std::vector<Argument> arguments;
};

struct Diagnosis {
  VerdictId id{};
  std::vector<Argument> arguments;
  qp::Blame blame = qp::Blame::unknown;
  qp::Confidence confidence = qp::Confidence::certain;
  std::vector<Remark> remarks;        ///< in reading order
  std::vector<FrameNumber> evidence;  ///< in any order; may repeat
  Doubt doubt;

  /// Takes blame and confidence from the row, and the blamed end from the arguments.
  Diagnosis(VerdictId verdict, std::vector<Argument> its_arguments);

  /// Adds a sentence; the confidence becomes the lower of the two.
  Diagnosis& remark(RemarkId id, std::vector<Argument> its_arguments = {});
  /// Adds evidence; ignores frame 0.
  Diagnosis& show(std::initializer_list<FrameNumber> frames);
  Diagnosis& at_most(qp::Confidence confidence) noexcept;
  Diagnosis& blame_none() noexcept;
  /// With any doubt no end is blamed: what seems to be missing may only be missing from the capture.
  Diagnosis& doubted(const Doubt& doubt) noexcept;
};

}  // namespace iwarpscope::verdict
