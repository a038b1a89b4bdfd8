// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Where a report goes.
#pragma once

#include <functional>
#include <string_view>

namespace iwarpscope::report {

/// Takes the next octets of a report, in order. Called with whole records or lines; what it is given is borrowed for
/// the call. A sink that can fail keeps the failure itself.
using Sink = std::function<void(std::string_view)>;

/// A writer hands over what it holds when it holds this much. Units: octets.
inline constexpr std::size_t kSinkChunk = std::size_t{64} << 10;

}  // namespace iwarpscope::report
