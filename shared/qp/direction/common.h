// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// What all parts of one queue pair share.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>

#include "findings/finding.h"
#include "mpa/startup.h"
#include "qp/direction/coverage.h"
#include "qp/direction/faults.h"
#include "qp/observation.h"
#include "qp/queue_pair.h"
#include "qp/recent_breaches.h"
#include "qp/records.h"
#include "qp/state.h"

namespace iwarpscope::qp {

/// State that both halves of a queue pair read and change.
struct Common : findings::Reporter {
  Common(Environment& environment, Events& sink) : env(environment), events(sink) {}

  Environment& env;
  Events& events;
  State state = State::unconfirmed;
  Roles roles{};
  bool confirmed = false;
  bool midstream = false;
  bool one_sided = true;                     ///< only one direction was captured so far
  std::optional<Direction> first_terminate;  ///< direction of the first Terminate
  std::array<bool, 2> marker_errors{};       ///< a rule was broken that receivers report as a marker error
  std::array<bool, 2> no_crcs{};             ///< the CRC is not computed, by direction (MF-25)
  FrameNumber frame;                         ///< the frame being processed
  TimePoint time;
  std::optional<mpa::Agreement> agreement;
  const mpa::StartupFrame *startup_request = nullptr, *startup_reply = nullptr;  ///< of the startup, once it is over
  std::unique_ptr<RtrRecord> rtr;
  Observation* observation = nullptr;  ///< null: no models
  std::array<Coverage, 2> coverage;    ///< by direction
  Faults faults;
  std::unique_ptr<RecentBreaches> breaches;  ///< null: no rule was broken that receivers refuse

  /// All but what refers to startup frames.
  template <class A>
  void archive(A& a) {
    a(state, roles, confirmed, midstream, one_sided, first_terminate, marker_errors, no_crcs, frame, time, agreement);
    a(rtr, coverage, faults, breaches);
  }

  void raise(findings::Finding finding) override = 0;
  virtual void confirm() = 0;
  /// The latest FPDU of `d` had a CRC of 0 and ended where it seemed to.
  virtual void zero_crc_was_sent(Direction d) = 0;
  [[nodiscard]] bool knows_startup() const noexcept {
    return !midstream && startup_request != nullptr && startup_reply != nullptr;
  }
  void move(Event event) noexcept { state = next(state, event); }
  [[nodiscard]] const Coverage& covered(Direction d) const noexcept { return coverage[index(d)]; }
  /// Both directions are captured from their startup on, and nothing of `d` is missing.
  [[nodiscard]] bool sees_whole(Direction d) const noexcept {
    return !midstream && !one_sided && covered(d).is_gapless();
  }
  /// Every FPDU of `d` was seen that the other end may have received when it sent `at`. So `at` is a first
  /// transmission, and everything that it acknowledges was captured and delivered.
  [[nodiscard]] bool was_known_before(Direction d, const ddp::Carrier& at) const noexcept {
    return sees_whole(d) && covered(d).covers(at);
  }
  /// The end of the octets that a receiver needs of the last FPDU or message of `d`. Without CRC it may not wait for
  /// the CRC field and the marker before it.
  [[nodiscard]] StreamOffset needed_end(Direction d) const noexcept {
    constexpr std::uint64_t kCrcAndMarker = 8;
    const bool crc = agreement && agreement->crc.value_or(true);
    return StreamOffset{covered(d).framed_end().value - (crc ? 0 : kCrcAndMarker)};
  }

 protected:
  ~Common() = default;
};

}  // namespace iwarpscope::qp
