// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "net/community_id.h"

#include <openssl/evp.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>

namespace iwarpscope::net {
namespace {

constexpr std::size_t kSha1Octets = 20;

/// Looked for once: a search for it costs more than a hash. Null: not available.
const EVP_MD* sha1() noexcept {
  struct Free {
    void operator()(EVP_MD* digest) const noexcept { EVP_MD_free(digest); }
  };
  static const std::unique_ptr<EVP_MD, Free> kSha1(EVP_MD_fetch(nullptr, "SHA1", nullptr));
  return kSha1.get();
}

/// What is hashed: seed, addresses, protocol, padding, ports.
class Hashed {
 public:
  void put16(std::uint16_t value) {
    put8(static_cast<std::uint8_t>(value >> 8));
    put8(static_cast<std::uint8_t>(value));
  }
  void put8(std::uint8_t value) { octets_[size_++] = value; }
  void put(const IpAddress& address) {
    constexpr std::size_t kMapped = 12;  // octets before an IPv4 address in its IPv4-mapped form
    for (std::size_t i = address.is_v4() ? kMapped : 0; i < address.octets.size(); ++i) put8(address.octets[i]);
  }
  /// Empty: not available.
  [[nodiscard]] std::string sha1_in_base64() const {
    std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
    unsigned int length = 0;
    const EVP_MD* const hash = sha1();
    if (hash == nullptr || EVP_Digest(octets_.data(), size_, digest.data(), &length, hash, nullptr) != 1 ||
        length != kSha1Octets)
      return {};
    std::array<unsigned char, 4 * ((kSha1Octets + 2) / 3) + 1> text{};
    const int characters = EVP_EncodeBlock(text.data(), digest.data(), kSha1Octets);
    return {text.begin(), text.begin() + characters};
  }

 private:
  std::array<std::uint8_t, 2 + 2 * 16 + 2 + 4> octets_{};
  std::size_t size_ = 0;
};

}  // namespace

std::string community_id(const Endpoint& a, const Endpoint& b, Transport transport, std::uint16_t seed) {
  const auto& [low, high] = std::minmax(a, b);  // by address, then by port
  Hashed hashed;
  hashed.put16(seed);
  hashed.put(low.address);
  hashed.put(high.address);
  hashed.put8(static_cast<std::uint8_t>(transport));
  hashed.put8(0);
  hashed.put16(low.port);
  hashed.put16(high.port);
  const std::string hash = hashed.sha1_in_base64();
  return hash.empty() ? hash : "1:" + hash;
}

}  // namespace iwarpscope::net
