// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "service/exchange.h"

namespace iwarpscope::service {

void Exchange::reopen() {
  Make make;
  {
    const std::lock_guard lock(mutex_);
    make = std::exchange(next_, nullptr);
  }
  if (!make) {
    sink_->reopen();
    return;
  }
  sink_->finish();  // its files are closed and whole before the next one opens them
  std::unique_ptr<outputs::Sink> next = make();
  next->follow(*sink_);
  const std::lock_guard lock(mutex_);
  withheld_before_ += sink_->withheld();
  sink_.swap(next);
}

}  // namespace iwarpscope::service
