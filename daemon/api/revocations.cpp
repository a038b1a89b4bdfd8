// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "api/revocations.h"

#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/x509.h>

#include <algorithm>

#include "api/pem.h"

namespace iwarpscope::api {
namespace {

using Lists = std::vector<PemCertificate>;

bool is_signed_by_one(X509_CRL& list, const Lists& authorities) {
  return std::any_of(authorities.begin(), authorities.end(), [&list](const PemCertificate& one) {
    return X509_NAME_cmp(X509_get_subject_name(one.get()), X509_CRL_get_issuer(&list)) == 0 &&
           X509_CRL_verify(&list, X509_get0_pubkey(one.get())) == 1;
  });
}

}  // namespace

void Revocations::Free::operator()(X509_crl_st* list) const noexcept {
  X509_CRL_free(list);
}

tl::expected<std::shared_ptr<const Revocations>, std::string> Revocations::read(const std::string& crl,
                                                                                const std::string& ca) {
  const Lists authorities = pem_certificates(ca);
  auto all = std::make_shared<Revocations>();
  const PemText bio = pem_text(crl);
  while (X509_CRL* const one = PEM_read_bio_X509_CRL(bio.get(), nullptr, nullptr, nullptr))
    all->lists_.emplace_back(one);
  const bool is_end = ERR_GET_REASON(ERR_peek_last_error()) == PEM_R_NO_START_LINE;
  ERR_clear_error();
  if (all->lists_.empty()) return tl::unexpected(std::string{"the file contains no PEM revocation list"});
  if (!is_end) return tl::unexpected(std::string{"a revocation list after the first one is damaged"});
  for (const auto& list : all->lists_) {
    const bool is_known = is_signed_by_one(*list, authorities);
    ERR_clear_error();
    if (!is_known) {
      return tl::unexpected(
          std::string{"a revocation list is not signed by a CA that signs the clients' certificates"});
    }
    const std::int64_t next = seconds_of(X509_CRL_get0_nextUpdate(list.get()));
    if (next != 0 && (all->next_update_ == 0 || next < all->next_update_)) all->next_update_ = next;
  }
  return all;
}

bool Revocations::has(const std::string& certificates) const {
  const Lists all = pem_certificates(certificates);
  ERR_clear_error();
  return std::any_of(all.begin(), all.end(), [this](const PemCertificate& one) {
    return std::any_of(lists_.begin(), lists_.end(), [&one](const auto& list) {
      X509_REVOKED* entry = nullptr;
      // 2: the entry takes an earlier one back.
      return X509_CRL_get0_by_cert(list.get(), &entry, one.get()) == 1;
    });
  });
}

}  // namespace iwarpscope::api
