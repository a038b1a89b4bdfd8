// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The HTML report and the incident bundle of a running daemon.
#pragma once

#include <string>

#include <tl/expected.hpp>

#include "api/client.h"
#include "bundle/contents.h"

namespace iwarpscope::bundle {

/// The HTML report of what the daemon remembers; `title`: the name of the capture. Request::output is not used.
[[nodiscard]] tl::expected<std::string, api::Failure> report_of_daemon(api::Client& client, const Request& request,
                                                                       const std::string& title);

/// The incident bundle. Packets are those that the daemon still has; if it has none, the bundle has none either, and
/// Result::remarks says why. At a centre, a sensor that does not answer leaves out its messages and packets.
[[nodiscard]] tl::expected<Result, api::Failure> bundle_of_daemon(api::Client& client, const Request& request,
                                                                  const std::string& title);

}  // namespace iwarpscope::bundle
