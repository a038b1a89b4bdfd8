// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// A capture of two mirrored ports, of which one is late.
#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include "synth/frame.h"
#include "synth/script.h"

namespace iwarpscope::test {

/// The frames of the script; those of the Responder (10.0.0.2) come `ns` later at the tap.
inline synth::Frames late_responder(const std::string& script, std::int64_t ns) {
  constexpr std::size_t kSourceEnd = 29;  // the last octet of the IPv4 source
  synth::Frames a, b;
  for (synth::Frame& f : synth::play(script)) {
    const bool is_b = f.octets.at(kSourceEnd) == std::byte{2};
    if (is_b) f.time_ns += ns;
    (is_b ? b : a).push_back(std::move(f));
  }
  return synth::merge({a, b});
}

}  // namespace iwarpscope::test
