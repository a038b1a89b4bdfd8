// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// SHA-256 of a message that comes in pieces.
#pragma once

#include <array>
#include <memory>

#include "base/octets.h"

namespace iwarpscope::qp {

/// One running SHA-256. Source: FIPS 180-4; computed by OpenSSL's libcrypto.
class Digest {
 public:
  Digest();
  ~Digest();
  Digest(const Digest&) = delete;
  Digest& operator=(const Digest&) = delete;

  void begin() noexcept;
  void add(Octets octets) noexcept;
  [[nodiscard]] std::array<std::byte, 32> end() noexcept;

 private:
  struct Context;
  std::unique_ptr<Context> context_;
};

}  // namespace iwarpscope::qp
