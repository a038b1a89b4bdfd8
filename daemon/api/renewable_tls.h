// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The server's certificates, which may be renewed while it serves.
#pragma once

#include <grpcpp/security/server_credentials.h>

#include <functional>
#include <memory>
#include <mutex>
#include <utility>

#include "api/tls_files.h"

struct grpc_server_credentials;

namespace iwarpscope::api {

/// Every handshake is made with what was given last; connections that there are go on as they began. Clients have to
/// show a certificate, now and after each renewal: that is no part of what is renewed. Any thread.
class RenewableTls {
 public:
  explicit RenewableTls(TlsTexts texts) : texts_(std::move(texts)) {}
  RenewableTls(const RenewableTls&) = delete;
  RenewableTls& operator=(const RenewableTls&) = delete;

  /// For one address of one server, which must not outlive this. `guard`: what the calls pass first; may be empty.
  [[nodiscard]] std::shared_ptr<grpc::ServerCredentials> credentials(
      const std::function<void(grpc_server_credentials*)>& guard = {});
  void renew(TlsTexts texts);
  [[nodiscard]] TlsEnds ends();

 private:
  class Credentials;

  std::mutex mutex_;
  TlsTexts texts_;
  bool is_new_ = true;  ///< gRPC has not fetched them yet
};

}  // namespace iwarpscope::api
