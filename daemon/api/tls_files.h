// Certificates and keys from files, looked at before they are trusted.
#pragma once

#include <string>

#include <tl/expected.hpp>

namespace iwarpscope::api {

/// PEM files. All three are needed.
struct TlsFiles {
  std::string certificate;  ///< of this end, with the intermediate ones behind it
  std::string key;          ///< of the certificate
  std::string ca;           ///< who signs the other end's certificates
  [[nodiscard]] bool is_empty() const noexcept { return certificate.empty() && key.empty() && ca.empty(); }
};

/// What is in them.
struct TlsTexts {
  std::string certificate, key, ca;
};

/// Fails with a sentence when a file is missing, cannot be read or is no PEM, one of its certificates is damaged, the
/// certificate has expired, is not valid yet or does not belong to the key, a key is weaker than RSA 2048 or 224 bits
/// of an elliptic curve, or others than its owner and group may read the key.
[[nodiscard]] tl::expected<TlsTexts, std::string> read_tls_files(const TlsFiles& files);

}  // namespace iwarpscope::api
