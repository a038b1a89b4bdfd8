// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The words of all responders on which atomics were seen.
#pragma once

#include <absl/container/btree_map.h>
#include <absl/container/flat_hash_map.h>

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "base/ids.h"
#include "base/octets.h"
#include "emulation/linearizer.h"
#include "emulation/word_operation.h"
#include "net/address.h"

namespace iwarpscope::emulation {

/// A 64-bit word of a responder's memory, by the name that requests use. The same memory may have other names.
struct WordKey {
  net::IpAddress responder;
  STag stag;
  TaggedOffset to;

  friend constexpr auto operator<=>(const WordKey&, const WordKey&) = default;
};

/// Octets of a responder's memory that a Write put or a Read returned.
struct MemoryAccess {
  net::IpAddress responder;
  STag stag;
  TaggedOffset to;           ///< of the first octet
  std::uint64_t length = 0;  ///< octets
  Octets octets;             ///< as many of them as are known and trusted, from the first; at most `length` count
  std::uint64_t qp = 0;

  /// All but the octets, which it borrows.
  template <class A>
  void archive(A& a) {
    a(responder, stag, to, length, qp);
  }
};

/// A queue pair that uses atomics.
struct AtomicUser {
  std::uint64_t qp = 0;
  bool begin_seen = true;  ///< qp::QueuePair::was_begin_seen()
};

/// Whether the close of a queue pair has to be in the capture. Where the capture lacks frames of the beginning of the
/// next one, it may lack the close of those that were silent by then as well.
enum class Close : std::uint8_t { seen, maybe_unseen };

/// A decision, and the word it is about.
struct AtomicDecision {
  WordKey word;  ///< all zero if the word was discarded before the response came
  WordDecision decision;
};

/// Other operations than atomics on a word that atomics are used on (AT-19): reported once for Writes, once for Reads.
/// RFC 7306 §5 recommends against it.
struct MixedUse {
  WordKey word;
  std::uint64_t qp = 0;  ///< of the Write or Read
  FrameNumber frame;     ///< of the Write or the Read Response
  bool is_write = false;
};

/// A bounded table of words, each with its history. It receives everything of all QPs in the order of the capture, from
/// one place. Points: word_operation.h; what they are of: linearizer.h. A Write that fell on a word shortly before its
/// first atomic is taken into account. The least recently used word goes first when room is needed; what it still held
/// is decided as far as possible. Never throws but for want of memory; deterministic.
class AtomicMemory {
 public:
  struct Limits {
    std::size_t words = 16'384;  ///< about 2 KiB each while they are busy
    std::size_t held = 131'072;  ///< operations that wait, over all words; at least 2 * Linearizer::kMostHeld
  };
  struct Counters {
    std::uint64_t words = 0;     ///< known now
    std::uint64_t held = 0;      ///< operations that wait now
    std::uint64_t evicted = 0;   ///< words discarded
    std::uint64_t overlaps = 0;  ///< words found to share octets with another one
    Linearizer::Counters bounds;
  };

  explicit AtomicMemory(Limits limits);
  AtomicMemory() : AtomicMemory(Limits{}) {}

  /// An Atomic Request. `cookie`: the caller's name for it, not in use by another that waits.
  void request(const WordKey& word, AtomicUser user, std::uint64_t cookie, const AtomicFunction& function,
               TapPoint invoked);
  /// The response to it. Each is decided once, now or later: see decided().
  void response(std::uint64_t cookie, std::uint64_t original, TapPoint at);
  /// The response will not be seen, or cannot be known: the operation may have taken effect or not. No decision.
  void give_up(std::uint64_t cookie);
  /// A Write or a part of it, as its octets arrive; `at`: the last of them.
  void write(const MemoryAccess& access, TapPoint at);
  /// A Read Response or a part of it. `request`: as of an Atomic Request. `response`: of the first of these octets.
  void read(const MemoryAccess& access, TapPoint request, TapPoint response);
  /// The STag was invalidated: its words are discarded, as the same STag may name other memory later.
  void invalidate(const net::IpAddress& responder, STag stag);
  /// Requests of this QP to this responder are missing in the capture. `since`: as Linearizer::gap().
  void gap(std::uint64_t qp, const net::IpAddress& responder, TapPoint since = Linearizer::kEver);
  /// The QP was closed; its latest message began at `last`. When every QP that used an STag was, another one may find
  /// other memory behind the same STag, if what it does passed the tap after all of theirs.
  /// `closed`: the first sign of its close.
  void ended(std::uint64_t qp, TapPoint last, TapPoint closed);
  void ended(std::uint64_t qp, TapPoint last) { ended(qp, last, last); }
  /// Whether the memory behind the words of this STag may have been registered again between these two points: all
  /// queue pairs that had used it were closed, and another one began to use it afterwards. It may be known later only,
  /// as the close of a connection may wait for octets that the capture lacks.
  [[nodiscard]] bool may_be_other_memory(const net::IpAddress& responder, STag stag, TapPoint after, TapPoint until,
                                         Close close = Close::seen) const;
  /// The capture ended: everything answered is decided.
  void finish();

  /// What was decided since the last call, in the order of the decisions.
  [[nodiscard]] std::vector<AtomicDecision> decided() { return std::exchange(decided_, {}); }
  [[nodiscard]] std::vector<MixedUse> mixed() { return std::exchange(mixed_, {}); }

  template <class A>
  void archive(A& a) {
    a(words_, vacant_, stags_, used_, responders_, tickets_, recent_writes_, next_recent_, next_generation_);
    a(evicted_, overlaps_, past_, search_.pool, decided_, mixed_);
    // The order of use, oldest first. Each word is in it once, or vacant.
    std::uint32_t at = oldest_;
    for (std::size_t k = vacant_.size(); k < words_.size() && !a.has_failed(); ++k) {
      a(at);
      if (a.is_reading()) a.check(at < words_.size() && by_key_.emplace(words_[at].key, at).second);
      if (a.is_reading() && !a.has_failed()) link(at);
      if (!a.is_reading()) at = words_[at].newer;
    }
    if (a.is_reading() && !a.has_failed()) a.check(is_sound());
  }
  [[nodiscard]] Counters counters() const;
  /// Octet order of a responder's memory, if it became certain.
  [[nodiscard]] OctetOrder order(const net::IpAddress& responder) const;

 private:
  static constexpr std::uint32_t kNone = 0xFFFFFFFF;
  static constexpr std::size_t kRecentWrites = 256;
  static constexpr std::size_t kRecentOctets = 64;
  static constexpr std::size_t kRecentGaps = 16;
  static constexpr std::size_t kMostStagsOfQp = 64;
  static constexpr std::uint64_t kAnyQp = ~std::uint64_t{0};  ///< stands for QPs whose gaps were discarded

  struct Word {
    WordKey key;
    Linearizer history;
    std::uint64_t generation = 0;  ///< of the use of this entry
    std::uint64_t gaps_seen = 0;   ///< of its responder
    std::uint32_t newer = kNone, older = kNone;
    bool overlaps = false, written = false, read = false;

    template <class A>
    void archive(A& a) {
      a(key, history, generation, gaps_seen, overlaps, written, read);
    }
  };
  struct Gap {
    std::uint64_t serial = 0;  ///< from 1
    std::uint64_t qp = 0;
    TapPoint since;
    std::uint64_t before = 0;  ///< serial of the latest one of the same QP before it; 0: none is remembered
    TapPoint ever;             ///< the earliest `since` of all of them
  };
  using StagKey = std::pair<net::IpAddress, STag>;
  /// From when to when a QP used an STag, as far as it is known.
  struct Use {
    AtomicUser user;
    TapPoint first, last;
    bool is_open = true;
  };
  /// An STag with words.
  struct Stag {
    static constexpr std::size_t kMostUses = 16;
    std::size_t words = 0;
    std::size_t users = 0;                     ///< QPs that are open and used atomics on it
    TapPoint last = Linearizer::kEver;         ///< the latest of those that are closed
    bool has_users = false;                    ///< there were some, and all of them are counted
    bool crowded = false;                      ///< some are not counted
    std::vector<Use> uses;                     ///< the latest, as they began
    TapPoint before_uses = Linearizer::kEver;  ///< the end of those that were closed and are not among `uses`
  };
  struct Responder {
    std::size_t words = 0;
    OctetOrder order = OctetOrder::unknown;
    bool disputed = false;  ///< its words disagree on the octet order: Writes count as unknown
    std::uint64_t gaps = 0;
    std::uint64_t discarded_gap = 0;  ///< serial of the latest one that `recent_gaps` lost
    TapPoint discarded_since;         ///< with it: the earliest of those that were lost
    std::vector<Gap> recent_gaps;     ///< one of a QP, by serial
  };
  struct Ticket {
    std::uint32_t word = kNone;
    std::uint64_t generation = 0;
    std::uint64_t id = 0;
  };
  struct RecentWrite {
    MemoryAccess access;  ///< `octets` is empty
    std::array<std::byte, kRecentOctets> octets{};
    std::size_t known = 0;
    TapPoint at;
  };

  [[nodiscard]] std::uint32_t find_or_add(const WordKey& key);
  [[nodiscard]] std::uint32_t new_entry();
  [[nodiscard]] bool is_sound();
  void mark_overlaps(std::uint32_t word);
  void recall_writes(std::uint32_t word);
  void remember_write(const MemoryAccess& access, TapPoint at);
  void write_word(Word& word, const MemoryAccess& access, TapPoint at);
  void note_mixed(Word& word, const MemoryAccess& access, FrameNumber frame, bool is_write);
  template <class Touch>
  void for_each_word(const MemoryAccess& access, Touch touch);
  void catch_up(Word& word);
  void use_stag(const StagKey& key, std::uint64_t qp, TapPoint at);
  void count_user(const StagKey& key, AtomicUser user, TapPoint at);
  template <class Tell>
  void with(std::uint32_t entry, Tell tell);
  void make_room();
  void collect(Word& word);
  void evict_oldest();
  void forget(std::uint32_t entry);
  void purge_tickets();
  [[nodiscard]] bool is_valid(const Ticket& ticket) const;
  [[nodiscard]] std::optional<Ticket> take_ticket(std::uint64_t cookie);
  void use(std::uint32_t word) noexcept;
  void unlink(std::uint32_t word) noexcept;
  void link(std::uint32_t word) noexcept;

  Limits limits_;
  std::vector<Word> words_;
  std::vector<std::uint32_t> vacant_;
  absl::btree_map<WordKey, std::uint32_t> by_key_;
  absl::flat_hash_map<StagKey, Stag> stags_;
  absl::flat_hash_map<std::uint64_t, std::vector<StagKey>> used_;  ///< by QP that is open
  absl::flat_hash_map<net::IpAddress, Responder> responders_;      ///< those with words
  absl::flat_hash_map<std::uint64_t, Ticket> tickets_;             ///< by cookie
  std::vector<RecentWrite> recent_writes_;                         ///< a ring
  std::size_t next_recent_ = 0;
  std::uint32_t newest_ = kNone, oldest_ = kNone;
  std::uint64_t next_generation_ = 1;
  std::size_t held_ = 0;
  std::uint64_t evicted_ = 0, overlaps_ = 0;
  Linearizer::Counters past_;  ///< of words that were discarded
  WordSearch search_;
  std::vector<WordDecision> fresh_;
  std::vector<AtomicDecision> decided_;
  std::vector<MixedUse> mixed_;
};

}  // namespace iwarpscope::emulation
