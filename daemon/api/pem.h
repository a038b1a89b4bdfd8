// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// OpenSSL's objects in texts in PEM. Private to daemon/api.
#pragma once

#include <openssl/bio.h>
#include <openssl/pem.h>
#include <openssl/x509.h>
#include <time.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace iwarpscope::api {

struct PemFree {
  void operator()(BIO* bio) const noexcept { BIO_free(bio); }
  void operator()(X509* certificate) const noexcept { X509_free(certificate); }
};
using PemText = std::unique_ptr<BIO, PemFree>;
using PemCertificate = std::unique_ptr<X509, PemFree>;

/// Borrows the text.
inline PemText pem_text(const std::string& text) {
  return PemText(BIO_new_mem_buf(text.data(), static_cast<int>(text.size())));
}

/// All of them, up to the first that is damaged: then OpenSSL's last error is not PEM_R_NO_START_LINE.
inline std::vector<PemCertificate> pem_certificates(const std::string& text) {
  const PemText bio = pem_text(text);
  std::vector<PemCertificate> all;
  while (PemCertificate one{PEM_read_bio_X509(bio.get(), nullptr, nullptr, nullptr)}) all.push_back(std::move(one));
  return all;
}

/// Since 1970; 0: there is no time, or it cannot be read.
inline std::int64_t seconds_of(const ASN1_TIME* time) {
  struct tm parts {};
  if (time == nullptr || ASN1_TIME_to_tm(time, &parts) != 1) return 0;
  return timegm(&parts);
}

}  // namespace iwarpscope::api
