// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The STags of all hosts, as all queue pairs use them.
#pragma once

#include <absl/container/flat_hash_map.h>

#include <cstddef>
#include <cstdint>
#include <utility>

#include "emulation/lru_table.h"
#include "emulation/notes.h"
#include "emulation/stag_life.h"
#include "net/address.h"

namespace iwarpscope::emulation {

/// A host whose STags are distinguished from others'. `overlay` as in net::FlowKey.
struct StagOwner {
  net::IpAddress address;
  std::uint32_t overlay = 0;

  friend bool operator==(const StagOwner&, const StagOwner&) = default;
  template <class H>
  friend H AbslHashValue(H h, const StagOwner& o) {
    return H::combine(std::move(h), o.address, o.overlay);
  }
};

struct StagRegistryLimits {
  std::size_t stags = 65536;    ///< about 150 octets each
  std::size_t owners = 4096;    ///< about 120 octets each
  std::size_t streams = 65536;  ///< queue pairs that have reported an STag and did not end; about 40 octets each
};

/// One table for all queue pairs, keyed by owner and STag. Takes the facts of every StagLife in the order of their
/// frames, so that the same capture gives the same notes. Bounded; the least recently used makes room.
///  SX-01 An STag that one stream uses, and whose owner announced it to no other, is used from a stream with another
///        peer. Both streams are open, and no octet of either is missing since. Once for each STag.
///  SX-09 A stream invalidates an STag that another open stream uses: this one used it before the other did, or never.
///  SX-11 Eight STags of one owner, in the order of their first use or announcement, in equal steps. Once for each
///  owner.
/// An STag may be meant for several streams; these are remarks, no faults. Source: RFC 5042 §6.1.1, §6.4.5;
/// RFC 5040 §8.1.1.
class StagRegistry {
 public:
  static constexpr std::uint32_t kSteps = 7;  ///< equal ones: eight STags

  /// `notes` must outlive it.
  explicit StagRegistry(Notes& notes, const StagRegistryLimits& limits = {});

  /// What a StagLife reported. `owner` and `peer` are the end that owns the STag and the other one.
  void fact(std::uint64_t qp, const StagOwner& owner, const net::IpAddress& peer, const StagFact& fact);
  /// The queue pair ended.
  void ended(std::uint64_t qp);

  /// Streams with different numbers have named it, and the table remembers it.
  [[nodiscard]] bool is_shared(const StagOwner& owner, STag stag) const;
  [[nodiscard]] std::size_t size() const noexcept { return stags_.size(); }
  /// STags and owners of open streams discarded, and streams not followed, to stay within the bounds.
  [[nodiscard]] std::uint64_t evicted() const noexcept { return stags_.evicted() + owners_.evicted() + refused_; }
  /// Octets of memory held, about.
  [[nodiscard]] std::size_t held() const noexcept;

  template <class A>
  void archive(A& a) {
    a(stags_, owners_, streams_, epoch_, refused_);
    a.check(streams_.size() <= most_streams_);
  }

 private:
  struct Key {
    StagOwner owner;
    STag stag;

    friend bool operator==(const Key&, const Key&) = default;
    template <class H>
    friend H AbslHashValue(H h, const Key& k) {
      return H::combine(std::move(h), k.owner, k.stag);
    }
  };
  /// A stream that an STag was announced to or that used it; no longer meant once it ended or lost octets.
  struct User {
    std::uint64_t qp = 0;
    std::uint32_t epoch = 0;  ///< 0: none
    std::uint64_t message = 0;
    FrameNumber frame;  ///< of the announcement or the use
    bool used = false;
  };
  struct Shared {
    User first{}, other{};
    net::IpAddress first_peer{};
    bool is_shared = false;  ///< more than one stream named it, ever
    bool announced = false;  ///< to a stream that was not the first
    bool reported_user = false;
  };
  struct Sequence {
    std::uint32_t latest = 0, step = 0, steps = 0;
    bool begun = false, reported = false;
    User latest_user{};
  };
  /// Counts in an open stream; higher after each gap.
  [[nodiscard]] std::uint32_t epoch_of(std::uint64_t qp);
  [[nodiscard]] bool is_open(const User& user) const;
  void named(const StagOwner& owner, std::uint64_t qp, const StagFact& fact);
  static void begin(Shared& s, const User& user, const net::IpAddress& peer);
  void used_by(Shared& s, std::uint64_t qp, const net::IpAddress& peer, const StagFact& fact);
  void announced_to(Shared& s, std::uint64_t qp, const net::IpAddress& peer, const StagFact& fact);
  void invalidated_by(Shared& s, std::uint64_t qp, const StagFact& fact);

  Notes& notes_;
  LruTable<Key, Shared> stags_;
  LruTable<StagOwner, Sequence> owners_;
  absl::flat_hash_map<std::uint64_t, std::uint32_t> streams_;  ///< epochs of the open ones
  std::size_t most_streams_;
  std::uint32_t epoch_ = 0;
  std::uint64_t refused_ = 0;
};

}  // namespace iwarpscope::emulation
