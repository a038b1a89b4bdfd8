// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The errors of a queue pair that later rules depend on.
#pragma once

#include <array>
#include <cstdint>
#include <memory>

#include "base/ids.h"
#include "findings/finding.h"
#include "qp/requests/outstanding.h"

namespace iwarpscope::qp {

/// The first message of a direction that its receiver has to refuse, and what followed it.
struct Fault {
  findings::FindingId id{};
  std::uint64_t message = 0;
  FrameNumber frame;            ///< 0: there was none
  FrameNumber request, answer;  ///< a later request that was answered nevertheless, and the response; 0: none
};

/// The errors of both directions. Source: RFC 5040 §7.
class Faults {
 public:
  /// A finding was raised. Precondition: `finding.frames` is not empty.
  void note(const findings::Finding& finding);
  /// `sender` sent `request`; an intact response in frame `answer` answers it.
  void note_answer(Direction sender, const Request& request, FrameNumber answer) noexcept;

  /// A rule about FPDUs or messages with severity error was broken.
  [[nodiscard]] bool has_errors(Direction d) const noexcept { return known_ != nullptr && known_->errors[index(d)]; }
  /// Null: none is known.
  [[nodiscard]] const Fault* first(Direction d) const noexcept {
    return known_ != nullptr && known_->first[index(d)].frame.value != 0 ? &known_->first[index(d)] : nullptr;
  }

  template <class A>
  void archive(A& a) {
    a(known_);
  }

 private:
  /// By direction.
  struct Known {
    std::array<bool, 2> errors{};
    std::array<Fault, 2> first{};
  };
  std::unique_ptr<Known> known_;  ///< null: no error yet
};

}  // namespace iwarpscope::qp
