// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Names for threads, as `top -H` and debuggers show them.
#pragma once

#include <pthread.h>

namespace iwarpscope::capture {

/// The calling thread, from now on. Linux keeps 15 octets of the name.
inline void name_thread(const char* name) noexcept {
  static_cast<void>(::pthread_setname_np(::pthread_self(), name));
}

}  // namespace iwarpscope::capture
