// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "net/checksum.h"

#include <bit>
#include <cstring>

#include "net/ip.h"
#include "net/tcp_header.h"
#include "net/tcp_packet.h"

namespace iwarpscope::net {
namespace {

/// Sum of both 32-bit halves of every 8 octets, in the machine's byte order: the compiler makes vector code of it.
/// The order of octets in a word does not matter until the end (RFC 1071 §2 (B)).
[[nodiscard, gnu::always_inline]] inline std::uint64_t sum_words(const std::byte* octets, std::size_t words) noexcept {
  std::uint64_t whole = 0;  // modulo 2^64
  std::uint64_t high = 0;
#pragma GCC unroll 4
  for (std::size_t i = 0; i < words; ++i) {
    std::uint64_t word;
    std::memcpy(&word, octets + 8 * i, sizeof word);
    whole += word;
    high += word >> 32;
  }
  const std::uint64_t low = whole - (high << 32);
  return std::uint64_t{fold_sum(low)} + fold_sum(high);
}

#if defined(__x86_64__)
__attribute__((target("avx2"))) std::uint64_t sum_words_avx2(const std::byte* octets, std::size_t words) noexcept {
  return sum_words(octets, words);
}

// For a few words, the call costs more than the wider registers save.
constexpr std::size_t kWordsForAvx2 = 16;

std::uint64_t sum_words_fast(const std::byte* octets, std::size_t words) noexcept {
  static const bool has_avx2 = __builtin_cpu_supports("avx2") != 0;
  return words >= kWordsForAvx2 && has_avx2 ? sum_words_avx2(octets, words) : sum_words(octets, words);
}
#else
std::uint64_t sum_words_fast(const std::byte* octets, std::size_t words) noexcept {
  return sum_words(octets, words);
}
#endif

[[nodiscard]] Octets octets_of(const IpAddress& address) noexcept {
  return std::as_bytes(std::span{address.octets});
}

/// 0xFFFF and 0 are the same number in ones-complement arithmetic.
[[nodiscard]] bool same_sum(std::uint16_t a, std::uint16_t b) noexcept {
  return a % 0xFFFFu == b % 0xFFFFu;
}

}  // namespace

std::uint16_t ones_complement_sum(Octets octets) noexcept {
  const std::size_t words = octets.size() / 8;
  std::uint64_t sum = sum_words_fast(octets.data(), words);
  if (const Octets tail = octets.subspan(words * 8); !tail.empty()) {
    std::uint64_t last = 0;
    std::memcpy(&last, tail.data(), tail.size());
    sum += (last >> 32) + (last & 0xFFFFFFFFu);
  }
  const std::uint16_t folded = fold_sum(sum);
  return std::endian::native == std::endian::little ? swap_octets(folded) : folded;
}

ChecksumResult checksum(const TcpPacket& packet) noexcept {
  ChecksumResult result;
  result.payload_sum = ones_complement_sum(packet.payload);
  const auto parsed = TcpHeader::parse(packet.tcp_header);
  const auto* header = std::get_if<TcpHeader>(&parsed);
  if (header == nullptr || packet.truncated() || packet.tcp_header.size() < header->length()) return result;

  // The 0xFFFF of an IPv4-mapped address adds nothing, so both versions have one sum. RFC 9293 §3.1, RFC 8200 §8.1.
  const std::uint64_t length = packet.tcp_header.size() + std::uint64_t{packet.payload_length};
  const std::uint64_t addresses = std::uint64_t{header_sum(octets_of(packet.source.address))} +
                                  header_sum(octets_of(packet.destination.address)) + ip_protocol::tcp;
  const std::uint16_t without_length = fold_sum(addresses);
  const std::uint16_t pseudo = fold_sum(addresses + fold_sum(length));
  const std::uint16_t whole = fold_sum(std::uint64_t{pseudo} + header_sum(packet.tcp_header) + result.payload_sum);
  if (same_sum(whole, 0)) {
    result.verdict = Checksum::good;
  } else if (same_sum(header->checksum(), pseudo) || same_sum(header->checksum(), without_length)) {
    result.verdict = Checksum::offloaded;
  } else {
    result.verdict = Checksum::bad;
  }
  return result;
}

}  // namespace iwarpscope::net
