// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Certificates that their CA has revoked.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <tl/expected.hpp>

struct X509_crl_st;

namespace iwarpscope::api {

/// The certificate revocation lists (CRL) of a file. Source: RFC 5280 §5. Any thread.
class Revocations {
 public:
  /// `crl` and `ca`: texts in PEM. Fails with a sentence, without the file's name, when there is no list, one of them
  /// is damaged, or none of the CA's certificates signed it.
  [[nodiscard]] static tl::expected<std::shared_ptr<const Revocations>, std::string> read(const std::string& crl,
                                                                                          const std::string& ca);
  /// `certificates`: in PEM, of one client. True when one of them was revoked. A list whose time has passed still
  /// counts.
  [[nodiscard]] bool has(const std::string& certificates) const;
  /// When the first of them should be replaced, in seconds since 1970; 0: not known.
  [[nodiscard]] std::int64_t next_update() const noexcept { return next_update_; }

 private:
  struct Free {
    void operator()(X509_crl_st* list) const noexcept;
  };
  std::vector<std::unique_ptr<X509_crl_st, Free>> lists_;
  std::int64_t next_update_ = 0;
};

}  // namespace iwarpscope::api
