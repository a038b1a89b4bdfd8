// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// TCP segments to several threads and their events back in one order.
#pragma once

#include <array>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <thread>
#include <variant>
#include <vector>

#include "analysis/engine.h"
#include "analysis/shard.h"
#include "base/octets.h"

namespace iwarpscope::engine {

/// Spreads shards over worker threads. The caller's thread adds TCP segments and merges events; each worker runs its
/// own shards over every batch, in the order of the batches. Bounded: at most kBatches batches exist.
class Pipeline {
 public:
  using Storage = std::shared_ptr<const std::vector<std::byte>>;

  /// `core` must outlive the pipeline; workers >= 1.
  Pipeline(analysis::Engine& core, unsigned workers);
  ~Pipeline();
  Pipeline(const Pipeline&) = delete;
  Pipeline& operator=(const Pipeline&) = delete;

  /// TCP segments added from here on may borrow from `storage`, which is held until the workers are done with them; it
  /// is let go of on the caller's thread. Sends those added so far on their way, unless they are few. Waits when the
  /// workers are slow.
  void next_batch(Storage storage);
  /// Takes the frame, and copies its packet unless it lies in the batch's storage.
  void add(analysis::DecodedFrame frame);
  /// Passes the time to every shard, before the next frames: see Shard::pass_time().
  void pass_time(FrameNumber frame, TimePoint time);
  /// Waits for everything added and merges it.
  void drain();

 private:
  static constexpr std::size_t kBatches = 6;
  static constexpr std::size_t kFew = 128;  ///< TCP segments that are not worth waking the workers

  struct Step {
    FrameNumber frame;
    TimePoint time;
  };
  struct Item {
    std::variant<net::TcpPacket, net::SctpPacket, Step> packet;
    std::uint32_t shard;  ///< of a step: every one
  };
  struct Batch {
    std::vector<Storage> storages;               ///< what items borrow; those added now, the last
    std::vector<std::vector<std::byte>> copies;  ///< of what lies elsewhere: datagrams joined from IP fragments
    std::vector<Item> items;
    std::vector<analysis::Event> own;        ///< findings about no queue pair
    std::vector<analysis::Reports> reports;  ///< by worker
    unsigned running = 0;                    ///< workers not done; under mutex_
  };

  void work(unsigned worker);
  void work(const Batch& batch, unsigned worker, unsigned workers, analysis::Reports& reports);
  void add(const net::Decoding& packet);
  void submit();
  [[nodiscard]] Octets keep(Octets octets);
  void merge_oldest(std::unique_lock<std::mutex>& lock);
  Batch& current() noexcept { return batches_[submitted_ % kBatches]; }

  analysis::Engine& core_;
  std::array<Batch, kBatches> batches_;
  std::uint64_t submitted_ = 0;  ///< batches given to the workers; written by the caller under mutex_
  std::uint64_t merged_ = 0;     ///< caller only
  bool closed_ = false;
  std::mutex mutex_;
  std::condition_variable to_workers_;
  std::condition_variable to_caller_;
  std::vector<std::thread> threads_;
};

}  // namespace iwarpscope::engine
