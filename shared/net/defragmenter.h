// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// IP fragments become datagrams.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <list>
#include <optional>
#include <utility>
#include <vector>

#include <absl/container/flat_hash_map.h>

#include "base/octets.h"
#include "base/time_point.h"
#include "net/address.h"
#include "net/decoder.h"
#include "net/walk.h"

namespace iwarpscope::net {

/// Joins the fragments of IP datagrams (RFC 791 §3.2, RFC 8200 §4.5) within the limits of a DecoderLimits. Copies what
/// it holds. Fragments may come in any order, more than once, and cut by a snap length.
///
/// Overlaps: octets that agree are taken once. IPv4 fragments that contradict each other, and IPv6 fragments that
/// overlap without being the same fragment (RFC 5722 §4), end their datagram: what is held and what still comes of it
/// is dropped. An IPv4 identification is used again after 65536 datagrams, so a contradiction with fragments older than
/// kIdentificationReuse starts a new datagram instead.
class Defragmenter {
 public:
  static constexpr std::int64_t kIdentificationReuse_ns = 50'000'000;
  /// What a piece and a datagram cost beside their octets, for the limit of DecoderLimits::max_fragment_octets.
  static constexpr std::size_t kPieceCost = 36;
  static constexpr std::size_t kDatagramCost = 256;

  explicit Defragmenter(const DecoderLimits& limits) : limits_(limits) {}

  /// Takes the fragment that walk.fragment describes and walk.rest holds. Returns ip_payload when it completes its
  /// datagram: walk is then in the joined octets, which live until release(). Otherwise none.
  [[nodiscard]] Layer add(Walk& walk, TimePoint time);

  /// Gives the joined datagrams back. To be called before each frame.
  void release() noexcept {
    if (!joined_.empty()) joined_.clear();
  }
  /// Fragments given up, for whatever reason.
  [[nodiscard]] std::uint64_t dropped() const noexcept { return dropped_; }
  /// Those of them that were given up to keep the limits.
  [[nodiscard]] std::uint64_t over_limit() const noexcept { return over_limit_; }
  /// Those of these for which there were too many datagrams, not too many octets.
  [[nodiscard]] std::uint64_t over_datagrams() const noexcept { return over_datagrams_; }
  /// Fragments held now, of datagrams that are not complete.
  [[nodiscard]] std::uint64_t waiting() const noexcept { return waiting_; }
  /// What counts against the limit now.
  [[nodiscard]] std::size_t held_octets() const noexcept { return held_; }
  [[nodiscard]] std::size_t datagrams() const noexcept { return table_.size(); }

  template <class A>
  void archive(A& a) {
    a(dropped_, over_limit_, over_datagrams_);
    std::size_t count = a.count(by_age_.size(), limits_.max_datagrams);
    if (!a.is_reading()) {
      for (Key key : by_age_) a(key, table_.at(key));
      return;
    }
    for (; count != 0; --count) read_one(a);
  }

 private:
  struct Key {
    IpAddress source;
    IpAddress destination;
    std::uint32_t identification = 0;
    std::uint32_t overlay = 0;
    std::uint16_t protocol = 0;  ///< IPv4: of the datagram; IPv6: kIpv6, its fragments need not agree

    friend constexpr auto operator<=>(const Key&, const Key&) = default;
    template <class H>
    friend H AbslHashValue(H h, const Key& k) {
      return H::combine(std::move(h), k.source, k.destination, k.identification, k.overlay, k.protocol);
    }
  };
  /// Octets [begin, end) of the datagram, of which the first `captured` are in Datagram::store from `at`.
  struct Piece {
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
    std::uint32_t captured = 0;
    std::uint32_t at = 0;
  };
  /// Octets [begin, end) of which no fragment came, before a piece.
  struct Hole {
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
  };
  enum class Phase : std::uint8_t {
    collecting,
    complete,  ///< given out; kept to know a second copy of the fragment that completed it
    spoiled,   ///< contradictory: further fragments are dropped
  };
  struct Datagram {
    Phase phase = Phase::collecting;
    bool is_v4 = false;
    std::uint8_t protocol = 0;  ///< of the fragment at offset 0
    std::uint8_t ttl = 0;       ///< of the fragment at offset 0
    std::uint32_t fragments = 0;
    std::uint32_t covered = 0;
    std::optional<std::uint32_t> length;  ///< known from the last fragment
    TimePoint first;
    TimePoint last;
    std::vector<Piece> pieces;  ///< by begin, not overlapping
    std::vector<Hole> holes;    ///< by begin: what lies between the pieces, and before the first
    std::vector<std::byte> store;
    std::list<Key>::iterator age;

    template <class A>
    void archive(A& a) {
      a(phase, is_v4, protocol, ttl, fragments, covered, length, first, last, pieces, store);
    }
  };
  using Table = absl::flat_hash_map<Key, Datagram>;

  [[nodiscard]] static Key key_of(const Walk& walk) noexcept;
  [[nodiscard]] static std::size_t cost(const Datagram& datagram) noexcept;
  [[nodiscard]] static bool agrees(const Datagram& datagram, const Walk& walk, std::uint32_t begin,
                                   std::uint32_t end) noexcept;
  [[nodiscard]] bool admits(Datagram& datagram, const Walk& walk, std::uint32_t begin, std::uint32_t end,
                            bool is_stale) noexcept;
  [[nodiscard]] Datagram& find(const Walk& walk, TimePoint time);
  static void find_holes(Datagram& datagram);
  static void add_piece(Datagram& datagram, Octets octets, std::uint32_t begin, Hole filled);
  void insert(Datagram& datagram, Octets octets, std::uint32_t begin, std::uint32_t end);
  void restart(Datagram& datagram) noexcept;  ///< gives up what is held
  void clear(Datagram& datagram, Phase phase) noexcept;
  [[nodiscard]] Layer join(Datagram& datagram, Walk& walk, std::uint32_t begin, std::uint32_t end);
  template <class A>
  void read_one(A& a) {
    Key key;
    a(key);
    const auto [it, is_new] = table_.try_emplace(key);
    Datagram& datagram = it->second;
    a.check(is_new);
    if (is_new) datagram.age = by_age_.insert(by_age_.end(), key);
    a(datagram);
    a.check(is_sound(datagram));
    find_holes(datagram);
    held_ += cost(datagram);
    waiting_ += datagram.fragments;
    a.check(held_ <= limits_.max_fragment_octets);
  }
  [[nodiscard]] static bool is_sound(const Datagram& datagram) noexcept;
  void forget(Table::iterator it);
  void expire(TimePoint now);
  void keep_limits();

  DecoderLimits limits_;
  Table table_;
  std::list<Key> by_age_;  ///< oldest first
  std::vector<std::vector<std::byte>> joined_;
  std::size_t held_ = 0;
  std::uint64_t dropped_ = 0;
  std::uint64_t over_limit_ = 0;
  std::uint64_t over_datagrams_ = 0;
  std::uint64_t waiting_ = 0;
};

}  // namespace iwarpscope::net
