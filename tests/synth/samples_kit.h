// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Common parts of the samples of messages and of the network.
#pragma once

#include "synth/connection.h"

namespace iwarpscope::synth {

inline constexpr STag kStag{0x00012301};
inline constexpr TaggedOffset kTo{0x7F1200001000};

/// Its frames, after a normal end.
inline Frames finished(Connection& c) {
  c.close();
  return c.frames();
}

}  // namespace iwarpscope::synth
