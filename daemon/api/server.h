// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The gRPC server of iwarpscope.v1, with health checking (grpc.health.v1) and reflection.
#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <string>

#include <tl/expected.hpp>

#include "api/grants.h"
#include "api/services.h"
#include "api/tls_files.h"
#include "api/use.h"

namespace iwarpscope::api {

struct ServerOptions {
  std::string socket;                   ///< path of a Unix socket; empty: none
  unsigned socket_mode = 0660;          ///< clients that may write the file can connect
  std::string socket_group;             ///< empty: that of the process
  std::string tcp;                      ///< "192.0.2.1:7470", "[::]:7470"; empty: none. Needs all of `tls`
  TlsFiles tls;                         ///< clients have to show a certificate that `ca` signed
  Grants grants;                        ///< who may do what
  std::size_t most_connections = 1024;  ///< beside those of subscribers
  std::size_t most_subscribers = 1024;
  /// For all that waits for subscribers: half of it for events (WatchOptions::shared_octets), half for their replies.
  std::size_t subscriber_octets = std::size_t{64} << 20;
  std::size_t most_unread = std::size_t{32} << 20;  ///< octets of answers that clients have not read
  std::size_t most_fetches = 2;                     ///< of packets, at a time
  std::chrono::milliseconds fetch_stall =
      std::chrono::seconds{30};  ///< a client that reads nothing for so long is left
  std::size_t threads = 2;       ///< that answer questions
};

/// Serves from start() to stop(). However many clients there are: gRPC's few threads, those that answer questions, one
/// for all subscribers and one for each fetch. No client ever makes the analysis wait.
class Server {
 public:
  /// Fails with a sentence: nothing to listen on, a socket that is in use, TCP without proper certificates, ...
  [[nodiscard]] static tl::expected<std::unique_ptr<Server>, std::string> start(const ServerOptions& options,
                                                                                const Sources& sources);
  virtual ~Server() = default;
  /// Puts other rights in force, and reads the certificates and revocations again. Existing connections are kept, but
  /// their next call needs the new rights; streams that are no longer allowed end. Fails with a sentence, for the
  /// reasons start() has; then the old certificates and revocations stay in force. Any thread.
  [[nodiscard]] virtual tl::expected<void, std::string> reload(const Grants& grants, const TlsFiles& files) = 0;
  /// Ends all calls with UNAVAILABLE, within two seconds. The destructor does so, too.
  virtual void stop() = 0;
  /// Of `tcp`, when that named port 0; 0 without.
  [[nodiscard]] virtual int tcp_port() const noexcept = 0;
  [[nodiscard]] virtual const Use& use() const noexcept = 0;
  /// Octets of answers that clients have not read, now.
  [[nodiscard]] virtual std::size_t unread() const = 0;
  /// When certificates and revocations in force end. All 0: no TCP. Any thread.
  [[nodiscard]] virtual TlsEnds tls_ends() = 0;
};

}  // namespace iwarpscope::api
