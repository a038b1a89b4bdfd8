// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "outputs/packet_ring.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <thread>

#include "daemon/outputs/packets.h"

namespace iwarpscope::outputs {
namespace {

using Storage = live::FrameTap::Storage;

/// Frames of `count` packets from `first` on that lie one after another in a storage of this size.
struct Batch {
  Batch(std::uint64_t first, std::size_t count, std::size_t octets, std::size_t size)
      : storage(std::make_shared<std::vector<std::byte>>(size)) {
    for (std::size_t i = 0; i < count; ++i) {
      const OwnedFrame own = owned_frame(first + i, octets);
      net::Frame frame = own.frame;
      std::copy(own.octets.begin(), own.octets.end(), storage->begin() + static_cast<std::ptrdiff_t>(i * octets));
      frame.octets = Octets{storage->data() + i * octets, octets};
      frames.push_back(frame);
    }
  }
  void give_to(PacketRing& ring) const {
    ring.batch(storage);
    for (const net::Frame& frame : frames) ring.frame(frame, frame.number.value % 3);
  }
  std::shared_ptr<std::vector<std::byte>> storage;
  std::vector<net::Frame> frames;
};

std::vector<std::uint64_t> range(std::uint64_t from, std::uint64_t to) {
  std::vector<std::uint64_t> all(to - from + 1);
  std::iota(all.begin(), all.end(), from);
  return all;
}

TEST(PacketRing, HoldsWhatCameInItsOrder) {
  PacketRing ring({});
  EXPECT_EQ(ring.counts().next, 0u);
  EXPECT_TRUE(numbers_in(ring).empty());
  const Batch batch(1, 2000, 100, 200'000);
  batch.give_to(ring);
  EXPECT_EQ(numbers_in(ring), range(1, 2000));  // before the next batch, too
  EXPECT_EQ(ring.counts().newest, batch.frames.back().time);
  EXPECT_EQ(numbers_in(ring, 1998), range(1999, 2000));
  EXPECT_EQ(numbers_in(ring, 2000), std::vector<std::uint64_t>{});
}

TEST(PacketRing, KeepsAStorageThatIsWellUsedAndLetsGoOfOneThatIsNot) {
  PacketRing ring({});
  const Batch full(1, 100, 1000, 100'000), sparse(101, 10, 1000, 100'000);
  full.give_to(ring);
  sparse.give_to(ring);
  ring.batch(nullptr);
  EXPECT_GT(full.storage.use_count(), 1);
  EXPECT_EQ(sparse.storage.use_count(), 1);
  std::fill(sparse.storage->begin(), sparse.storage->end(), std::byte{0});  // its owner uses it again
  EXPECT_EQ(numbers_in(ring), range(1, 110));
}

TEST(PacketRing, ManySparseBatchesShareLittleMemory) {
  PacketRing ring({.most_octets = std::uint64_t{64} << 20});
  for (std::uint64_t number = 1; number <= 3000; ++number) Batch(number, 1, 100, 100'000).give_to(ring);
  ring.batch(nullptr);
  EXPECT_EQ(numbers_in(ring), range(1, 3000));
  EXPECT_LT(ring.counts().octets, 3'000'000u);
}

TEST(PacketRing, CopiesFramesWithoutStorageEvenLongOnes) {
  PacketRing ring({});
  ring.batch(nullptr);
  for (std::uint64_t number = 1; number <= 700; ++number) {
    const OwnedFrame own = owned_frame(number, number == 300 ? 400'000 : 900);
    ring.frame(own.frame, 1);
  }
  EXPECT_EQ(numbers_in(ring), range(1, 700));
}

TEST(PacketRing, AFrameOutsideItsStorageIsCopiedInItsPlace) {
  PacketRing ring({});
  const Batch batch(1, 2, 1000, 2000);
  ring.batch(batch.storage);
  ring.frame(batch.frames[0], 1);
  {
    net::Frame elsewhere = batch.frames[1];
    const OwnedFrame own = owned_frame(2, 500);
    elsewhere.octets = own.octets;
    ring.frame(elsewhere, 1);
  }
  net::Frame third = batch.frames[0];
  third.number = FrameNumber{257};  // the same octets as frame 1
  ring.frame(third, 1);
  EXPECT_EQ(numbers_in(ring), (std::vector<std::uint64_t>{1, 2, 257}));
}

TEST(PacketRing, TheOldestGoWhenThereIsNoRoomAndAreCounted) {
  PacketRing ring({.most_octets = std::uint64_t{2} << 20});
  std::vector<std::weak_ptr<std::vector<std::byte>>> storages;
  for (std::uint64_t first = 1; first <= 10'000; first += 100) {
    const Batch batch(first, 100, 1000, 100'000);
    storages.push_back(batch.storage);
    batch.give_to(ring);
    EXPECT_LE(ring.counts().octets, std::uint64_t{2} << 20);
  }
  const PacketRing::Counts counts = ring.counts();
  EXPECT_EQ(counts.next, 10'000u);
  EXPECT_GT(counts.first, 7'000u);
  EXPECT_LT(counts.first, 9'000u);
  std::uint64_t missed = 0;
  EXPECT_EQ(numbers_in(ring, 0, &missed), range(counts.first + 1, 10'000));
  EXPECT_EQ(missed, counts.first);
  EXPECT_TRUE(storages.front().expired());
  EXPECT_FALSE(storages.back().expired());
}

TEST(PacketRing, ManySmallFramesOfOneStorageAreChargedForItOnce) {
  PacketRing ring({.most_octets = std::uint64_t{8} << 20});
  const Batch batch(1, 20'000, 50, 1'000'000);
  batch.give_to(ring);
  EXPECT_EQ(numbers_in(ring), range(1, 20'000));
  EXPECT_LT(ring.counts().octets, 1'000'000u + 20'480 * 80);
}

TEST(PacketRing, WhatIsBeingReadStaysThereAndIsLetGoOfByTheWriter) {
  PacketRing ring({.most_octets = std::uint64_t{1} << 20});
  auto first = std::make_unique<Batch>(1, 100, 1000, 100'000);
  first->give_to(ring);
  const std::weak_ptr<std::vector<std::byte>> storage = first->storage;
  first.reset();
  std::vector<std::uint64_t> seen;
  const std::uint64_t next = ring.read(0, [&](std::uint64_t, std::span<const RingEntry> entries) {
    for (std::uint64_t number = 101; number <= 3000; number += 100) Batch(number, 100, 1000, 100'000).give_to(ring);
    EXPECT_GT(ring.counts().first, 100u);
    EXPECT_FALSE(storage.expired());
    for (const RingEntry& entry : entries) {
      EXPECT_EQ(entry.frame.octets.front(), static_cast<std::byte>(entry.frame.number.value));
      seen.push_back(entry.frame.number.value);
    }
    return true;
  });
  EXPECT_EQ(seen, range(1, 100));
  EXPECT_EQ(next, 100u);
  EXPECT_FALSE(storage.expired());
  ring.batch(nullptr);
  EXPECT_TRUE(storage.expired());
}

TEST(PacketRing, IsReadWhileItIsWritten) {
  PacketRing ring({.most_octets = std::uint64_t{2} << 20});
  std::atomic<bool> done = false;
  std::vector<std::thread> readers;
  for (int i = 0; i < 2; ++i) {
    readers.emplace_back([&] {
      std::uint64_t from = 0, missed = 0, seen = 0, last = 0;
      for (bool last_round = false; !last_round;) {
        last_round = done;
        std::uint64_t gap = missed;
        from = ring.read(
            from,
            [&](std::uint64_t place, std::span<const RingEntry> entries) {
              for (const RingEntry& entry : entries) {
                EXPECT_EQ(entry.frame.number.value, ++place);
                EXPECT_EQ(entry.frame.octets.front(), static_cast<std::byte>(entry.frame.number.value));
                EXPECT_EQ(entry.frame.octets.back(), static_cast<std::byte>(entry.frame.number.value));
                last = entry.frame.number.value;
                ++seen;
              }
              return true;
            },
            &gap);
        missed = gap;
      }
      EXPECT_EQ(seen + missed, 40'000u);
    });
  }
  for (std::uint64_t first = 1; first <= 40'000; first += 50) {
    Batch(first, 50, 400, first % 100 == 1 ? 20'000 : 100'000).give_to(ring);
  }
  ring.batch(nullptr);
  done = true;
  for (std::thread& reader : readers) reader.join();
}

}  // namespace
}  // namespace iwarpscope::outputs
