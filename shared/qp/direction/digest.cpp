// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "qp/direction/digest.h"

#include <openssl/evp.h>

namespace iwarpscope::qp {

struct Digest::Context {
  EVP_MD_CTX* md = EVP_MD_CTX_new();
  ~Context() { EVP_MD_CTX_free(md); }
};

Digest::Digest() : context_(std::make_unique<Context>()) {}
Digest::~Digest() = default;

void Digest::begin() noexcept {
  EVP_DigestInit_ex(context_->md, EVP_sha256(), nullptr);
}

void Digest::add(Octets octets) noexcept {
  EVP_DigestUpdate(context_->md, octets.data(), octets.size());
}

std::array<std::byte, 32> Digest::end() noexcept {
  std::array<std::byte, 32> value{};
  EVP_DigestFinal_ex(context_->md, reinterpret_cast<unsigned char*>(value.data()), nullptr);
  return value;
}

}  // namespace iwarpscope::qp
