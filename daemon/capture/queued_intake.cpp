// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "capture/queued_intake.h"

#include <sys/eventfd.h>
#include <unistd.h>

#include <cstdint>

namespace iwarpscope::capture {

Bell::Bell() : descriptor_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {}

Bell::~Bell() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

void Bell::ring() noexcept {
  const std::uint64_t one = 1;
  // Fails only when it has rung very often already.
  [[maybe_unused]] const ssize_t written = ::write(descriptor_, &one, sizeof one);
}

Intake::Given QueuedIntake::next(std::chrono::milliseconds wait) {
  switch (handover_.take(run_, wait)) {
    case Handover::Outcome::ended: return {State::ended, nullptr, {}};
    case Handover::Outcome::nothing: return {State::nothing, nullptr, {}};
    case Handover::Outcome::run: break;
  }
  give(*run_);
  return {State::frames, run_->storage, run_->frames};
}

void QueuedIntake::stop() noexcept {
  handover_.stop();
  bell_.ring();
}

void QueuedIntake::stop_and_join() noexcept {
  stop();
  for (std::thread& thread : threads_) thread.join();
  threads_.clear();
}

}  // namespace iwarpscope::capture
