// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Serves metrics and health checks over HTTP.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include <tl/expected.hpp>

#include "live/views.h"
#include "metrics/families.h"

namespace iwarpscope::metrics {

/// What is served. Each function is called on the thread of the server.
struct Pages {
  std::function<std::string()> metrics;    ///< in Prometheus' text format
  std::function<std::string()> not_ready;  ///< one sentence on each line; empty: it is ready
  std::string_view alive, ready;           ///< sentences, with a line feed
  std::chrono::milliseconds same_for{0};   ///< clients that ask for metrics within this time get the same text
};

/// Answers GET and HEAD of
///   /metrics  Prometheus' text format
///   /healthz  200 while the process is alive
///   /readyz   200 when it is ready, else 503 with a sentence for each cause
/// One thread serves all connections, at most 512: another one takes the place of the oldest. One without a request
/// within a second, or that did not read its answer within ten, is dropped.
class Exposer {
 public:
  /// `address`: "127.0.0.1:9469", "[::1]:9469"; port 0: any free port. Fails with a sentence when the address cannot
  /// be used.
  [[nodiscard]] static tl::expected<std::unique_ptr<Exposer>, std::string> start(const std::string& address,
                                                                                 Pages pages);
  /// Those of a daemon: it is ready when it captures and all outputs work.
  [[nodiscard]] static tl::expected<std::unique_ptr<Exposer>, std::string> start(const std::string& address,
                                                                                 const std::function<Snapshot()>& now);
  virtual ~Exposer() = default;  ///< stops answering
  [[nodiscard]] virtual int port() const noexcept = 0;
};

/// Why a daemon is not ready, one sentence on each line; empty: it is ready.
[[nodiscard]] std::string not_ready(const live::Status& status);

}  // namespace iwarpscope::metrics
