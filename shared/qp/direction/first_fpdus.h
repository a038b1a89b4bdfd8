// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The first FPDU of each direction: which end may send first, and when.
#pragma once

#include <cstdint>
#include <memory>

#include "mpa/fpdu.h"
#include "qp/direction/common.h"

namespace iwarpscope::qp {

/// Judges the first FPDUs of both directions against each other: MS-13, MS-23. Source: RFC 5044 §7.1.2 rules 2 and 4.
class FirstFpdus {
 public:
  /// The Initiator's first octets after startup were seen before the Reply: startup judges them.
  void initiator_was_early() noexcept { initiator_was_early_ = true; }
  /// Judges the first FPDU of direction `d`; common.coverage has its end. Does nothing if the startup is incomplete,
  /// octets are missing, or the FPDU does not follow the startup frame. `common` takes the findings.
  void judge(Direction d, const mpa::Fpdu& fpdu, Common& common);

  template <class A>
  void archive(A& a) {
    a(responder_, initiator_octets_, initiator_was_early_);
  }

 private:
  /// When and where the first octet of the Responder's first FPDU was sent.
  struct Sent {
    StreamOffset acknowledged;
    StreamOffset offset;
    FrameNumber frame;
  };
  void initiator_begins(const mpa::Fpdu& fpdu, Common& common);
  void responder_begins(const Sent& sent, Common& common);

  std::unique_ptr<Sent> responder_;     ///< before the Initiator's first FPDU was seen
  std::uint32_t initiator_octets_ = 0;  ///< what the receiver of the Initiator's first FPDU needs of it; 0: not known
  bool initiator_was_early_ = false;
};

}  // namespace iwarpscope::qp
