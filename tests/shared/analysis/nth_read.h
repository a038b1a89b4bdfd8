// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// RDMA Reads that a test can distinguish.
#pragma once

#include <cstdint>

#include "synth/wire/rdmap.h"

namespace iwarpscope::test {

inline synth::wire::ReadRequest nth_read(std::uint32_t i) {
  return {.sink_stag = STag{0x6000 + i}, .sink_to = TaggedOffset{0x90000}, .size = 100 + i};
}

}  // namespace iwarpscope::test
