// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "capture/intake.h"

#include "capture/live_intake.h"
#include "capture/replay_intake.h"

namespace iwarpscope::capture {

tl::expected<std::unique_ptr<Intake>, Error> Intake::open(const IntakeOptions& options) {
  if (options.replay) {
    if (!options.interfaces.empty()) {
      return tl::unexpected(Error{"capture", {}, "interfaces and files exclude each other"});
    }
    return ReplayIntake::open(options);
  }
  if (options.interfaces.empty()) return tl::unexpected(Error{"capture", {}, "no interface and no file is configured"});
  return LiveIntake::open(options);
}

void Intake::set_filter(const std::string&, const std::string&) {}

}  // namespace iwarpscope::capture
