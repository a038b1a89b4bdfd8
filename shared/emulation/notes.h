// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// What the models of a queue pair's ends have to say.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "base/ids.h"
#include "ddp/segment.h"
#include "findings/finding.h"

namespace iwarpscope::emulation {

enum class NoteKind : std::uint8_t {
  stag_used_after_invalidate,    ///< RM-35
  stag_invalidated_twice,        ///< RM-36
  response_to_invalidated_stag,  ///< RM-37
  read_contradicts_write,        ///< RM-38
  overlapping_placement,         ///< RM-39
  stag_from_another_stream,      ///< SX-01
  written_after_completion,      ///< SX-04
  read_after_completion,         ///< SX-05
  read_of_written_buffer,        ///< SX-06
  invalidated_while_in_use,      ///< SX-09
  predictable_stags,             ///< SX-11
};

/// The rule that it is about.
[[nodiscard]] findings::FindingId rule_of(NoteKind kind) noexcept;

/// One thing noted. What a kind does not speak of keeps its default.
struct Note {
  NoteKind kind{};
  Direction direction{};            ///< of `message`
  std::uint64_t message = 0;        ///< the message that it is about
  std::uint64_t other_message = 0;  ///< the earlier message that makes it remarkable
  STag stag;
  TaggedOffset to{};
  std::uint64_t octets = 0;             ///< from `to`
  FrameNumber frame;                    ///< of `message`
  std::array<FrameNumber, 3> frames{};  ///< evidence, ascending, each once; 0: none
  bool certain = false;                 ///< RM-35: the owner refused the access
  std::uint32_t step = 0;               ///< SX-11: from each STag to the next
  std::uint64_t qp = 0;                 ///< SX-01, SX-09, SX-11: the stream of `message`
  std::uint64_t other_qp = 0;           ///< SX-01, SX-09: the stream of the earlier message
  std::string seen{};                   ///< RM-38: octets in hexadecimal
  std::string due{};                    ///< RM-38
};

/// The note as one plain sentence with its values.
[[nodiscard]] std::string sentence(const Note& note);
/// The note as a finding of its queue pair.
[[nodiscard]] findings::Finding finding_of(const Note& note);

/// Puts `frames` into ascending order, each once, empty ones last.
[[nodiscard]] std::array<FrameNumber, 3> evidence(FrameNumber a, FrameNumber b, FrameNumber c = {}) noexcept;

/// Takes notes as they are made. Outlives every reference to it.
class Notes {
 public:
  virtual void note(const Note& note) = 0;

 protected:
  ~Notes() = default;
};

/// Answers what the octets below a queue pair show. Outlives every reference to it.
class Sight {
 public:
  /// True when every octet of `direction` that its receiver may have had when it sent `at` was reported already: `at`
  /// is a first transmission, none that it acknowledges is unseen, and none waits after a hole.
  [[nodiscard]] virtual bool sees_all(Direction direction, const ddp::Carrier& at) const = 0;

 protected:
  ~Sight() = default;
};

}  // namespace iwarpscope::emulation
