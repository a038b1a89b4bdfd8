// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// What is so about a queue pair, without a word of prose: which rows of the catalogue, with which values.
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

/// What the capture may lack that would change the verdict.
struct Doubt {
  std::string_view about{};       ///< "an answer"; empty: nothing that matters. Static storage
  CaptureOutages::Share share{};  ///< of the time in which it may have come
  bool elsewhere = false;         ///< it may have passed by a path without a tap
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
  std::vector<Remark> remarks;        ///< in the order in which they are to be read
  std::vector<FrameNumber> evidence;  ///< in any order, perhaps twice
  Doubt doubt;

  /// The row's blame and confidence, its end taken from the arguments.
  Diagnosis(VerdictId verdict, std::vector<Argument> its_arguments);

  /// Adds a sentence; the confidence becomes the lower of the two.
  Diagnosis& remark(RemarkId id, std::vector<Argument> its_arguments = {});
  /// Frame 0 is no frame.
  Diagnosis& show(std::initializer_list<FrameNumber> frames);
  Diagnosis& at_most(qp::Confidence confidence) noexcept;
  Diagnosis& blame_nobody() noexcept;
  /// With any doubt no end is blamed: it may have done what it seems not to have done.
  Diagnosis& doubted(const Doubt& doubt) noexcept;
};

}  // namespace iwarpscope::verdict
