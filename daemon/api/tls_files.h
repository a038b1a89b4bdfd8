// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Certificates and keys from files, looked at before they are trusted.
#pragma once

#include <cstdint>
#include <string>

#include <tl/expected.hpp>

#include "api/secret.h"

namespace iwarpscope::api {

/// PEM files. All but `crl` are needed.
struct TlsFiles {
  std::string certificate;  ///< of this end, followed by the intermediate ones
  std::string key;          ///< of the certificate
  std::string ca;           ///< the CA that signs the other end's certificates
  std::string crl{};        ///< what that CA revoked; empty: nothing
  [[nodiscard]] bool is_empty() const noexcept { return certificate.empty() && key.empty() && ca.empty(); }
};

/// What is in them.
struct TlsTexts {
  std::string certificate, key, ca, crl{};
};

/// When they end, in seconds since 1970: of several certificates in a file the first that ends. 0: not known, or none.
struct TlsEnds {
  std::int64_t certificate = 0, ca = 0, crl = 0;
};
[[nodiscard]] TlsEnds ends_of(const TlsTexts& texts);

/// The key is encrypted. False, too, when there is no such file, or no key in it.
[[nodiscard]] bool needs_passphrase(const std::string& key_file);
/// The key in the file can be read with the passphrase.
[[nodiscard]] bool opens(const std::string& key_file, const Secret& passphrase);

/// A key that needs the passphrase is returned decrypted, and nowhere else: the caller wipes it.
/// Fails with a sentence when a file is missing, cannot be read or is no PEM, one of its certificates is damaged, the
/// certificate has expired, is not valid yet or does not belong to the key, a key is weaker than RSA 2048 or 224 bits
/// of an elliptic curve, the key needs another passphrase, others than its owner and group may read the key, or the CA
/// did not sign the revocations.
[[nodiscard]] tl::expected<TlsTexts, std::string> read_tls_files(const TlsFiles& files, const Secret& passphrase = {});

}  // namespace iwarpscope::api
