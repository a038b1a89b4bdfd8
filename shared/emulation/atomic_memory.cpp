// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "emulation/atomic_memory.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <optional>

namespace iwarpscope::emulation {
namespace {

constexpr std::uint64_t kLastOffset = std::numeric_limits<std::uint64_t>::max();

/// Offset of the last octet; offsets do not wrap. Precondition: length > 0.
std::uint64_t last_octet(const MemoryAccess& access) noexcept {
  return access.to.value > kLastOffset - (access.length - 1) ? kLastOffset : access.to.value + (access.length - 1);
}

/// The lowest offset of a word that shares an octet with `to`.
std::uint64_t lowest_word(std::uint64_t to) noexcept {
  return to < kWordOctets - 1 ? 0 : to - (kWordOctets - 1);
}

/// The word's octets as a big-endian number, if the access has all of them.
std::optional<std::uint64_t> covered(const WordKey& word, const MemoryAccess& access) noexcept {
  if (word.to < access.to) return std::nullopt;
  const std::uint64_t skip = word.to.value - access.to.value;
  const std::uint64_t known = std::min<std::uint64_t>(access.octets.size(), access.length);
  if (known < kWordOctets || skip > known - kWordOctets) return std::nullopt;
  return load_be<std::uint64_t>(access.octets.subspan(static_cast<std::size_t>(skip), kWordOctets));
}

bool touches(const WordKey& word, const MemoryAccess& access) noexcept {
  return access.length > 0 && access.responder == word.responder && access.stag == word.stag &&
         word.to.value >= lowest_word(access.to.value) && word.to.value <= last_octet(access);
}

void add(Linearizer::Counters& sum, const Linearizer::Counters& more) noexcept {
  sum.given_up += more.given_up;
  sum.late += more.late;
  sum.crowded += more.crowded;
  sum.exhausted += more.exhausted;
}

}  // namespace

AtomicMemory::AtomicMemory(Limits limits) : limits_(limits) {
  limits_.words = std::clamp<std::size_t>(limits_.words, 1, kNone);
  limits_.held = std::max(limits_.held, 2 * Linearizer::kMostHeld);
}

void AtomicMemory::unlink(std::uint32_t word) noexcept {
  const Word& w = words_[word];
  (w.newer == kNone ? newest_ : words_[w.newer].older) = w.older;
  (w.older == kNone ? oldest_ : words_[w.older].newer) = w.newer;
}

void AtomicMemory::link(std::uint32_t word) noexcept {
  words_[word].newer = kNone;
  words_[word].older = newest_;
  (newest_ == kNone ? oldest_ : words_[newest_].newer) = word;
  newest_ = word;
}

void AtomicMemory::use(std::uint32_t word) noexcept {
  if (newest_ == word) return;
  unlink(word);
  link(word);
}

/// For what was read: all that belongs to a word is there, and nothing else.
bool AtomicMemory::is_sound() {
  std::vector<bool> is_used(words_.size());
  absl::flat_hash_map<StagKey, std::size_t> of_stag;
  absl::flat_hash_map<net::IpAddress, std::size_t> of_responder;
  for (const auto& [key, entry] : by_key_) {
    if (is_used[entry]) return false;
    is_used[entry] = true;
    ++of_stag[{key.responder, key.stag}];
    ++of_responder[key.responder];
    held_ += words_[entry].history.held();
  }
  for (const std::uint32_t entry : vacant_) {
    if (entry >= words_.size() || is_used[entry]) return false;
    is_used[entry] = true;
  }
  const auto is_right = [](const auto& counted, const auto& all) {
    return std::ranges::all_of(counted, [&](const auto& one) {
      const auto it = all.find(one.first);
      return it != all.end() && it->second.words == one.second;
    });
  };
  const auto is_known = [this](const auto& ticket) { return ticket.second.word < words_.size(); };
  const auto is_whole = [](const RecentWrite& recent) { return recent.known <= kRecentOctets; };
  return by_key_.size() + vacant_.size() == words_.size() && by_key_.size() <= limits_.words &&
         is_right(of_stag, stags_) && is_right(of_responder, responders_) && std::ranges::all_of(tickets_, is_known) &&
         recent_writes_.size() <= kRecentWrites && next_recent_ < kRecentWrites &&
         std::ranges::all_of(recent_writes_, is_whole);
}

std::uint32_t AtomicMemory::new_entry() {
  if (by_key_.size() >= limits_.words) evict_oldest();
  if (vacant_.empty()) {
    words_.emplace_back();
    return static_cast<std::uint32_t>(words_.size() - 1);
  }
  const std::uint32_t entry = vacant_.back();
  vacant_.pop_back();
  return entry;
}

std::uint32_t AtomicMemory::find_or_add(const WordKey& key) {
  if (newest_ != kNone && words_[newest_].key == key) return newest_;
  if (const auto it = by_key_.find(key); it != by_key_.end()) {
    use(it->second);
    return it->second;
  }
  const std::uint32_t entry = new_entry();
  Word& word = words_[entry];
  word.key = key;
  word.generation = next_generation_++;
  by_key_.emplace(key, entry);
  ++stags_[{key.responder, key.stag}].words;
  Responder& responder = responders_[key.responder];
  ++responder.words;
  word.gaps_seen = responder.gaps;
  link(entry);
  mark_overlaps(entry);
  recall_writes(entry);
  held_ += words_[entry].history.held();
  return entry;
}

/// Two words that share octets are not followed: each is written to by the other's atomics.
void AtomicMemory::mark_overlaps(std::uint32_t word) {
  const WordKey key = words_[word].key;
  const auto mark = [&](std::uint32_t entry) {
    if (!std::exchange(words_[entry].overlaps, true)) ++overlaps_;
  };
  for (auto it = by_key_.lower_bound({key.responder, key.stag, TaggedOffset{lowest_word(key.to.value)}});
       it != by_key_.end() && it->first.responder == key.responder && it->first.stag == key.stag; ++it) {
    if (it->first.to.value > key.to.value && it->first.to.value - key.to.value >= kWordOctets) break;
    if (it->second == word) continue;
    mark(it->second);
    mark(word);
  }
}

/// Writes that fell on the word before it was known may yet take effect.
void AtomicMemory::recall_writes(std::uint32_t word) {
  for (std::size_t i = 0; i < recent_writes_.size(); ++i) {
    const RecentWrite& recent = recent_writes_[(next_recent_ + i) % recent_writes_.size()];
    if (!touches(words_[word].key, recent.access)) continue;
    MemoryAccess access = recent.access;
    access.octets = Octets{recent.octets}.first(recent.known);
    write_word(words_[word], access, recent.at);
  }
}

void AtomicMemory::remember_write(const MemoryAccess& access, TapPoint at) {
  if (recent_writes_.size() < kRecentWrites) {
    recent_writes_.emplace_back();
    next_recent_ = recent_writes_.size() - 1;
  }
  RecentWrite& recent = recent_writes_[next_recent_];
  next_recent_ = (next_recent_ + 1) % kRecentWrites;
  recent.access = access;
  recent.access.octets = {};
  recent.known = access.octets.size() <= kRecentOctets ? access.octets.size() : 0;
  std::copy_n(access.octets.begin(), recent.known, recent.octets.begin());
  recent.at = at;
}

void AtomicMemory::note_mixed(Word& word, const MemoryAccess& access, FrameNumber frame, bool is_write) {
  if (std::exchange(is_write ? word.written : word.read, true)) return;
  mixed_.push_back({word.key, access.qp, frame, is_write});
}

void AtomicMemory::write_word(Word& word, const MemoryAccess& access, TapPoint at) {
  note_mixed(word, access, at.frame, true);
  const bool is_readable = !responders_[word.key.responder].disputed;
  word.history.write(access.qp, is_readable ? covered(word.key, access) : std::nullopt, at);
}

/// Calls touch(entry) for every known word that shares octets with the access.
template <class Touch>
void AtomicMemory::for_each_word(const MemoryAccess& access, Touch touch) {
  if (access.length == 0 || !stags_.contains({access.responder, access.stag})) return;
  const std::uint64_t last = last_octet(access);
  for (auto it = by_key_.lower_bound({access.responder, access.stag, TaggedOffset{lowest_word(access.to.value)}});
       it != by_key_.end() && it->first.responder == access.responder && it->first.stag == access.stag &&
       it->first.to.value <= last;
       ++it) {
    touch(it->second);
  }
}

/// Reports to the word what happened to its responder since it was last used.
void AtomicMemory::catch_up(Word& word) {
  Responder& responder = responders_[word.key.responder];
  const OctetOrder order = word.history.order();
  if (responder.order != OctetOrder::unknown && order != OctetOrder::unknown && order != responder.order) {
    responder.disputed = true;
    responder.order = OctetOrder::unknown;
  }
  if (responder.disputed || order == OctetOrder::unknown) word.history.learn(responder.order);
  if (word.gaps_seen == responder.gaps) return;
  if (word.gaps_seen < responder.discarded_gap) word.history.gap(kAnyQp, responder.discarded_since);
  for (const Gap& gap : responder.recent_gaps)
    if (gap.serial > word.gaps_seen) word.history.gap(gap.qp, gap.before <= word.gaps_seen ? gap.since : gap.ever);
  word.gaps_seen = responder.gaps;
}

/// Hands on what the word decided and learnt.
void AtomicMemory::collect(Word& word) {
  Responder& responder = responders_[word.key.responder];
  for (WordDecision& decision : fresh_) {
    if (decision.cause == UndecidableCause::octet_order) {
      responder.disputed = true;
      responder.order = OctetOrder::unknown;
    }
    if (word.overlaps) {
      decision.verdict = WordVerdict::undecidable;
      decision.cause = UndecidableCause::overlap;
      decision.conflict.reset();
    }
    decided_.push_back({word.key, std::move(decision)});
  }
  fresh_.clear();
  if (!responder.disputed && !word.overlaps && responder.order == OctetOrder::unknown)
    responder.order = word.history.order();
}

/// Reports something to a word's history by tell(history) and takes what it then decides.
template <class Tell>
void AtomicMemory::with(std::uint32_t entry, Tell tell) {
  Word& word = words_[entry];
  held_ -= word.history.held();
  catch_up(word);
  tell(word.history);
  word.history.advance(search_, fresh_);
  collect(word);
  held_ += word.history.held();
}

/// Forgets words while too much waits.
void AtomicMemory::make_room() {
  while (held_ > limits_.held && oldest_ != newest_) evict_oldest();
}

void AtomicMemory::evict_oldest() {
  forget(oldest_);
  ++evicted_;
}

/// What the word still held is decided as far as possible.
void AtomicMemory::forget(std::uint32_t entry) {
  Word& word = words_[entry];
  held_ -= word.history.held();
  catch_up(word);
  word.history.finish(search_, fresh_);
  collect(word);
  add(past_, word.history.counters());
  unlink(entry);
  by_key_.erase(word.key);
  const auto stag = stags_.find({word.key.responder, word.key.stag});
  if (--stag->second.words == 0) stags_.erase(stag);
  const auto responder = responders_.find(word.key.responder);
  if (--responder->second.words == 0) responders_.erase(responder);
  word = Word{};
  vacant_.push_back(entry);
}

bool AtomicMemory::is_valid(const Ticket& ticket) const {
  const Word& word = words_[ticket.word];
  return word.generation == ticket.generation && word.history.waits_for(ticket.id);
}

/// Where the operation waits, if it does; it will not be asked for again.
std::optional<AtomicMemory::Ticket> AtomicMemory::take_ticket(std::uint64_t cookie) {
  const auto it = tickets_.find(cookie);
  if (it == tickets_.end()) return std::nullopt;
  const Ticket ticket = it->second;
  tickets_.erase(it);
  if (!is_valid(ticket)) return std::nullopt;
  return ticket;
}

/// Drops the tickets of operations that were given up. At most limits_.held and a few are in use.
void AtomicMemory::purge_tickets() {
  if (tickets_.size() <= 2 * limits_.held) return;
  absl::erase_if(tickets_, [&](const auto& entry) { return !is_valid(entry.second); });
}

void AtomicMemory::request(const WordKey& key, AtomicUser user, std::uint64_t cookie, const AtomicFunction& function,
                           TapPoint invoked) {
  give_up(cookie);
  use_stag({key.responder, key.stag}, user.qp, invoked);
  const std::uint32_t entry = find_or_add(key);
  count_user({key.responder, key.stag}, user, invoked);
  std::uint64_t id = 0;
  with(entry, [&](Linearizer& history) { id = history.request(user.qp, cookie, function, invoked); });
  tickets_[cookie] = {entry, words_[entry].generation, id};
  make_room();
  purge_tickets();
}

void AtomicMemory::response(std::uint64_t cookie, std::uint64_t original, TapPoint at) {
  const std::optional<Ticket> ticket = take_ticket(cookie);
  bool waits = false;
  if (ticket) {
    use(ticket->word);
    with(ticket->word, [&](Linearizer& history) { waits = history.response(ticket->id, original, at); });
  }
  if (!waits)
    decided_.push_back({WordKey{}, {.cookie = cookie, .cause = UndecidableCause::given_up, .conflict = nullptr}});
}

void AtomicMemory::give_up(std::uint64_t cookie) {
  const std::optional<Ticket> ticket = take_ticket(cookie);
  if (ticket) with(ticket->word, [&](Linearizer& history) { history.give_up(ticket->id); });
}

void AtomicMemory::write(const MemoryAccess& access, TapPoint at) {
  if (access.length == 0) return;
  use_stag({access.responder, access.stag}, access.qp, at);
  for_each_word(access,
                [&](std::uint32_t entry) { with(entry, [&](Linearizer&) { write_word(words_[entry], access, at); }); });
  remember_write(access, at);
  make_room();
}

void AtomicMemory::read(const MemoryAccess& access, TapPoint request, TapPoint response) {
  use_stag({access.responder, access.stag}, access.qp, request);
  for_each_word(access, [&](std::uint32_t entry) {
    Word& word = words_[entry];
    note_mixed(word, access, response.frame, false);
    const std::optional<std::uint64_t> memory = covered(word.key, access);
    if (!memory || responders_[word.key.responder].disputed) return;
    with(entry, [&](Linearizer& history) { history.read(*memory, request, response); });
  });
}

void AtomicMemory::invalidate(const net::IpAddress& responder, STag stag) {
  for (RecentWrite& write : recent_writes_) {
    if (write.access.responder == responder && write.access.stag == stag) write = {};
  }
  if (!stags_.contains({responder, stag})) return;
  for (auto it = by_key_.lower_bound({responder, stag, TaggedOffset{0}});
       it != by_key_.end() && it->first.responder == responder && it->first.stag == stag;
       it = by_key_.lower_bound({responder, stag, TaggedOffset{0}})) {
    forget(it->second);
  }
}

void AtomicMemory::finish() {
  held_ = 0;
  for (Word& word : words_) {
    if (word.generation == 0) continue;
    catch_up(word);
    word.history.finish(search_, fresh_);
    collect(word);
    held_ += word.history.held();
  }
  tickets_.clear();
}

AtomicMemory::Counters AtomicMemory::counters() const {
  Counters sum{.words = by_key_.size(), .held = held_, .evicted = evicted_, .overlaps = overlaps_, .bounds = past_};
  for (const Word& word : words_) add(sum.bounds, word.history.counters());
  return sum;
}

OctetOrder AtomicMemory::order(const net::IpAddress& responder) const {
  const auto it = responders_.find(responder);
  return it == responders_.end() ? OctetOrder::unknown : it->second.order;
}

}  // namespace iwarpscope::emulation
