// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Serves metrics and health checks over HTTP.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include <tl/expected.hpp>

#include "live/views.h"
#include "metrics/families.h"

namespace iwarpscope::metrics {

/// Answers GET and HEAD of
///   /metrics  Prometheus' text format
///   /healthz  200 while the daemon is alive
///   /readyz   200 when it captures and all outputs work, else 503 with a sentence for each that does not
/// One thread serves all connections. One without a request within a second is dropped: idle connections cannot keep
/// other clients from their answers.
class Exposer {
 public:
  /// `address`: "127.0.0.1:9469", "[::1]:9469"; port 0: any free port. `now` is called on the thread of the server.
  /// Fails with a sentence when the address cannot be used.
  [[nodiscard]] static tl::expected<std::unique_ptr<Exposer>, std::string> start(const std::string& address,
                                                                                 std::function<Snapshot()> now);
  virtual ~Exposer() = default;  ///< stops answering
  [[nodiscard]] virtual int port() const noexcept = 0;
};

/// Why the daemon is not ready, one sentence on each line; empty: it is ready.
[[nodiscard]] std::string not_ready(const live::Status& status);

}  // namespace iwarpscope::metrics
