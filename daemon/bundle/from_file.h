// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The incident bundle of a capture file.
#pragma once

#include <functional>
#include <string>

#include <tl/expected.hpp>

#include "bundle/contents.h"
#include "engine/engine.h"

namespace iwarpscope::bundle {

/// engine::analyze(), or the replacement of a test.
using Analyse = std::function<tl::expected<engine::Outcome, std::string>(const engine::Request&, analysis::Observer&)>;

/// Reads the file twice: for the report, and for the packets. `how`: options, threads, progress. From the first reading
/// on the process can do no more than that and write the bundle, unless the engine is a test's. Fails with a sentence.
[[nodiscard]] tl::expected<Result, std::string> from_file(const Request& request, const engine::Request& how,
                                                          const Analyse& analyse);

}  // namespace iwarpscope::bundle
