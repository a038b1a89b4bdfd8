// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "api/renewable_tls.h"

#include <grpc/grpc.h>
#include <grpc/grpc_security.h>

#include <string>
#include <utility>

namespace iwarpscope::api {

/// gRPC's C++ interface has no certificates that change but those of files, which it would read at times of its own and
/// without our looking at them first; its C interface asks a function before each handshake.
class RenewableTls::Credentials final : public grpc::ServerCredentials {
 public:
  Credentials(RenewableTls& owner, const std::function<void(grpc_server_credentials*)>& guard)
      : credentials_(grpc_ssl_server_credentials_create_with_options(
            grpc_ssl_server_credentials_create_options_using_config_fetcher(
                GRPC_SSL_REQUEST_AND_REQUIRE_CLIENT_CERTIFICATE_AND_VERIFY, &Credentials::fetch, &owner))) {
    if (guard) guard(credentials_);
  }
  ~Credentials() override { grpc_server_credentials_release(credentials_); }
  Credentials(const Credentials&) = delete;
  Credentials& operator=(const Credentials&) = delete;

  void SetAuthMetadataProcessor(const std::shared_ptr<grpc::AuthMetadataProcessor>&) override {}  // `guard` sets it

 private:
  int AddPortToServer(const std::string& address, grpc_server* server) override {
    return grpc_server_add_http2_port(server, address.c_str(), credentials_);
  }
  static grpc_ssl_certificate_config_reload_status fetch(void* data, grpc_ssl_server_certificate_config** config) {
    auto& owner = *static_cast<RenewableTls*>(data);
    const std::lock_guard lock(owner.mutex_);
    if (!std::exchange(owner.is_new_, false)) return GRPC_SSL_CERTIFICATE_CONFIG_RELOAD_UNCHANGED;
    const TlsTexts& texts = owner.texts_;
    const grpc_ssl_pem_key_cert_pair pair{texts.key.c_str(), texts.certificate.c_str()};
    *config = grpc_ssl_server_certificate_config_create(texts.ca.c_str(), &pair, 1);
    return GRPC_SSL_CERTIFICATE_CONFIG_RELOAD_NEW;
  }

  grpc_server_credentials* credentials_;
};

std::shared_ptr<grpc::ServerCredentials> RenewableTls::credentials(
    const std::function<void(grpc_server_credentials*)>& guard) {
  return std::make_shared<Credentials>(*this, guard);
}

TlsEnds RenewableTls::ends() {
  const std::lock_guard lock(mutex_);
  return ends_of(texts_);
}

void RenewableTls::renew(TlsTexts texts) {
  const std::lock_guard lock(mutex_);
  texts_ = std::move(texts);
  is_new_ = true;
}

}  // namespace iwarpscope::api
