// The numbers over HTTP, for Prometheus and for whoever asks after the daemon's health.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include <tl/expected.hpp>

#include "live/views.h"

namespace iwarpscope::metrics {

struct ExposerOptions {
  std::string address;  ///< "127.0.0.1:9469", "[::1]:9469"; port 0: one that is free
  std::string sensor;   ///< label of all metrics
};

/// Answers GET and HEAD of
///   /metrics  Prometheus' text format
///   /healthz  200 while the daemon lives
///   /readyz   200 when it captures and all outputs work, else 503 with a sentence for each that does not
/// A request that does not come within a third of a second is dropped, and many may be waited for at one time: whoever
/// may connect cannot keep others from their answers by connections that say nothing.
class Exposer {
 public:
  /// `status` is called from those threads. Fails with a sentence when the address is in use or may not be used.
  [[nodiscard]] static tl::expected<std::unique_ptr<Exposer>, std::string> start(const ExposerOptions& options,
                                                                                 std::function<live::Status()> status);
  virtual ~Exposer() = default;  ///< answers no more
  [[nodiscard]] virtual int port() const noexcept = 0;
};

/// What keeps the daemon from being ready, a sentence a line; empty: nothing.
[[nodiscard]] std::string not_ready(const live::Status& status);

}  // namespace iwarpscope::metrics
