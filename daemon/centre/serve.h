// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The service of the centre: the API of a daemon, over all sensors. Several may run at once.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "api/server.h"
#include "api/tls_files.h"

namespace iwarpscope::centre {

struct ServeOptions {
  std::string database;  ///< as Connection::open() takes it
  std::string version;   ///< of the program
  api::ServerOptions api;
  api::TlsFiles sensors;                   ///< with which it asks sensors; empty: none can be asked
  std::vector<std::string> alertmanagers;  ///< as Alerts takes them
  std::string metrics;                     ///< address and port for Prometheus; empty: none
};

enum class Weight : std::uint8_t { information, trouble };
using Say = std::function<void(const std::string& sentence, Weight weight)>;

/// Blocks SIGTERM, SIGINT and SIGHUP for the process, and serves until one of the first two. SIGHUP: reads certificates
/// and revocations again. `say` gets sentences for a log; any thread. Fails with a sentence when it cannot begin.
[[nodiscard]] tl::expected<void, std::string> serve(const ServeOptions& options, const Say& say);

}  // namespace iwarpscope::centre
