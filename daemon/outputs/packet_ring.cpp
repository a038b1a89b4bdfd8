// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "outputs/packet_ring.h"

#include <algorithm>
#include <utility>

#include "analysis/payload_cut.h"

namespace iwarpscope::outputs {
namespace {

/// Packets of one chunk, and octets of one that holds copies. A longer frame gets a chunk of its own.
constexpr std::size_t kEntries = 512;
constexpr std::size_t kOwnOctets = std::size_t{256} << 10;
/// Rooms for entries that are kept for the next chunks.
constexpr std::size_t kMostSpare = 16;
/// Less is not worth having: a few chunks.
constexpr std::uint64_t kSmallestRing = std::uint64_t{1} << 20;

bool lies_in(Octets octets, const std::vector<std::byte>& storage) {
  const std::less_equal<const std::byte*> not_after;
  return not_after(storage.data(), octets.data()) &&
         not_after(octets.data() + octets.size(), storage.data() + storage.size());
}

}  // namespace

/// Packets with places one after another, that borrow from one storage or from the chunk's own octets.
struct PacketRing::Chunk {
  Chunk(std::uint64_t its_first, Storage its_storage, std::size_t own_octets, Entries its_entries)
      : first(its_first), storage(std::move(its_storage)), entries(std::move(its_entries)) {
    own.reserve(own_octets);
    charge = kEntries * sizeof(RingEntry) + own_octets + (storage ? storage->size() : 0);
  }
  const std::uint64_t first;
  const Storage storage;       ///< null: `own`
  std::vector<std::byte> own;  ///< never grows beyond what is reserved
  Entries entries;
  std::atomic<std::size_t> count = 0;  ///< entries that may be read; written by the analysis thread
  std::uint64_t used = 0;              ///< octets of its packets; analysis thread
  std::uint64_t charge = 0;            ///< octets that go with it; under mutex_
  unsigned readers = 0;                ///< under mutex_

  [[nodiscard]] bool has_room(std::size_t own_octets) const {
    return count.load(std::memory_order_relaxed) < kEntries &&
           (storage ? own_octets == 0 : own.size() + own_octets <= own.capacity());
  }
  [[nodiscard]] std::uint64_t next() const { return first + count.load(std::memory_order_acquire); }
};

PacketRing::PacketRing(const PacketRingOptions& options)
    : most_octets_(std::max(options.most_octets, kSmallestRing)), payload_(options.payload) {}

PacketRing::~PacketRing() = default;

/// Room for the entries of a chunk: of one that was given up, or new.
PacketRing::Entries PacketRing::take_entries() {
  if (spare_.empty()) return std::make_unique<RingEntry[]>(kEntries);
  Entries entries = std::move(spare_.back());
  spare_.pop_back();
  return entries;
}

void PacketRing::keep_entries(Chunks& gone) {
  for (auto& chunk : gone) {
    if (spare_.size() < kMostSpare) spare_.push_back(std::move(chunk->entries));
  }
}

/// Appends a chunk. The previous chunk passes the shared storage, and its size, on to it.
void PacketRing::open_chunk(const Storage& storage, std::size_t own_octets) {
  const std::uint64_t first = chunks_.empty() ? 0 : chunks_.back()->next();
  auto chunk = std::make_unique<Chunk>(first, storage, own_octets, take_entries());
  {
    const std::lock_guard lock(mutex_);
    if (storage && !chunks_.empty() && chunks_.back()->storage == storage) {
      chunks_.back()->charge -= storage->size();
      octets_ -= storage->size();
    }
    octets_ += chunk->charge;
    chunks_.push_back(std::move(chunk));
  }
  make_room();
}

/// Gives up the oldest until the rest fits, and what readers have let go of.
void PacketRing::make_room() {
  Chunks gone;  // destroyed when the lock is let go of
  const std::lock_guard lock(mutex_);
  while (octets_ > most_octets_ && chunks_.size() > 1) {
    octets_ -= chunks_.front()->charge;
    (chunks_.front()->readers == 0 ? gone : retired_).push_back(std::move(chunks_.front()));
    chunks_.pop_front();
  }
  for (auto chunk = retired_.begin(); chunk != retired_.end();) {
    if ((*chunk)->readers == 0) {
      gone.push_back(std::move(*chunk));
      chunk = retired_.erase(chunk);
    } else {
      ++chunk;
    }
  }
  keep_entries(gone);
}

void PacketRing::add(Chunk& chunk, const net::Frame& frame, std::uint64_t flow) {
  const std::size_t at = chunk.count.load(std::memory_order_relaxed);
  RingEntry& entry = chunk.entries[at];
  entry = {frame, flow};
  if (!chunk.storage) {
    const std::size_t begin = chunk.own.size();
    chunk.own.insert(chunk.own.end(), frame.octets.begin(), frame.octets.end());
    entry.frame.octets = Octets{chunk.own.data() + begin, frame.octets.size()};
  }
  chunk.used += frame.octets.size();
  chunk.count.store(at + 1, std::memory_order_release);
}

void PacketRing::frame(const net::Frame& frame, std::uint64_t flow) {
  if (payload_) return keep(frame, flow);
  net::Frame cut = frame;
  cut.octets = frame.octets.first(analysis::octets_without_payload(frame, decoder_.decode(frame)));
  keep(cut, flow);
}

void PacketRing::keep(const net::Frame& frame, std::uint64_t flow) {
  // Storage also has the payload: what was cut is copied.
  const bool borrows = payload_ && storage_ && lies_in(frame.octets, *storage_);
  const bool fits =
      !chunks_.empty() && (borrows ? chunks_.back()->storage == storage_ && chunks_.back()->has_room(0)
                                   : chunks_.back()->has_room(frame.octets.size()) && !chunks_.back()->storage);
  if (!fits && borrows) open_chunk(storage_, 0);
  if (!fits && !borrows) open_chunk(nullptr, std::max(kOwnOctets, frame.octets.size()));
  add(*chunks_.back(), frame, flow);
}

/// The chunks of the storage that is done with: when their packets use less than half of it, they are copied to where
/// others were copied before, and the storage is let go of.
void PacketRing::close_sparse() {
  std::uint64_t used = 0;
  std::size_t sparse = 0;
  while (storage_ && sparse < chunks_.size() && chunks_[chunks_.size() - 1 - sparse]->storage == storage_) {
    used += chunks_[chunks_.size() - 1 - sparse++]->used;
  }
  if (sparse == 0 || 2 * used >= storage_->size()) return;
  const std::size_t before = chunks_.size() - sparse;
  Chunk* into = before == 0 ? nullptr : chunks_[before - 1].get();
  Chunks copies;
  for (std::size_t i = before; i < chunks_.size(); ++i) {
    const Chunk& chunk = *chunks_[i];
    const std::size_t count = chunk.count.load(std::memory_order_relaxed);
    for (std::size_t at = 0; at < count; ++at) {
      const RingEntry& entry = chunk.entries[at];
      const std::size_t octets = entry.frame.octets.size();
      if (into == nullptr || into->storage || !into->has_room(octets)) {
        into = copies
                   .emplace_back(
                       std::make_unique<Chunk>(chunk.first + at, nullptr, std::max(kOwnOctets, octets), take_entries()))
                   .get();
      }
      add(*into, entry.frame, entry.flow);
    }
  }
  Chunks gone;
  const std::lock_guard lock(mutex_);
  for (; chunks_.size() > before; chunks_.pop_back()) {
    octets_ -= chunks_.back()->charge;
    (chunks_.back()->readers == 0 ? gone : retired_).push_back(std::move(chunks_.back()));
  }
  for (auto& copy : copies) {
    octets_ += copy->charge;
    chunks_.push_back(std::move(copy));
  }
  keep_entries(gone);
}

void PacketRing::batch(const Storage& storage) {
  if (storage && storage == storage_) return;
  close_sparse();
  storage_ = storage;
  make_room();
}

PacketRing::Counts PacketRing::counts() const {
  const std::lock_guard lock(mutex_);
  if (chunks_.empty()) return {};
  const Chunk& last = *chunks_.back();
  const std::size_t count = last.count.load(std::memory_order_acquire);
  // A chunk is opened before its first packet is put into it.
  const TimePoint newest = count != 0 ? last.entries[count - 1].frame.time
                           : chunks_.size() > 1
                               ? chunks_[chunks_.size() - 2]->entries[chunks_[chunks_.size() - 2]->count - 1].frame.time
                               : TimePoint{};
  return {chunks_.front()->first, last.first + count, octets_, newest, visited_};
}

std::uint64_t PacketRing::read(std::uint64_t from, const Visit& visit, std::uint64_t* missed) const {
  const std::uint64_t end = counts().next;
  while (from < end) {
    Chunk* chunk = nullptr;
    {
      const std::lock_guard lock(mutex_);
      const std::uint64_t oldest = chunks_.front()->first;
      if (from < oldest) {
        if (missed != nullptr) *missed += oldest - from;
        from = oldest;
        if (from >= end) break;
      }
      const auto behind = std::upper_bound(chunks_.begin(), chunks_.end(), from,
                                           [](std::uint64_t place, const auto& one) { return place < one->first; });
      chunk = std::prev(behind)->get();
      ++chunk->readers;
    }
    const std::uint64_t next = std::min(chunk->next(), end);
    if (from < next) visited_ += next - from;
    const bool more = from < next && visit(from, std::span{chunk->entries.get() + (from - chunk->first),
                                                           static_cast<std::size_t>(next - from)});
    {
      const std::lock_guard lock(mutex_);
      --chunk->readers;
    }
    from = std::max(from, next);
    if (!more) break;
  }
  return from;
}

std::optional<std::uint64_t> PacketRing::place_before(FrameNumber number) const {
  const std::lock_guard lock(mutex_);
  // Numbers grow from packet to packet.
  const auto later = std::upper_bound(chunks_.begin(), chunks_.end(), number, [](FrameNumber wanted, const auto& one) {
    return one->first == one->next() || wanted < one->entries[0].frame.number;
  });
  if (later == chunks_.begin()) return std::nullopt;
  return (*std::prev(later))->first;
}

}  // namespace iwarpscope::outputs
