// TCP segments to several threads and their events back in one order.
#pragma once

#include <array>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "analysis/merger.h"
#include "analysis/shard.h"
#include "net/tcp_packet.h"

namespace iwarpscope::engine {

/// Spreads shards over worker threads. The caller's thread adds TCP segments and merges events; each worker runs its
/// own shards over every batch, in the order of the batches. Bounded: at most kBatches batches exist.
class Pipeline {
 public:
  /// `shards` and `merger` must outlive the pipeline; workers >= 1.
  Pipeline(std::vector<std::unique_ptr<analysis::Shard>>& shards, analysis::Merger& merger, unsigned workers);
  ~Pipeline();
  Pipeline(const Pipeline&) = delete;
  Pipeline& operator=(const Pipeline&) = delete;

  /// Copies the TCP segment and sends it on its way. Waits when the workers are behind.
  void add(const net::TcpPacket& packet);
  /// An event of the caller's own, in its place among the others.
  void add(analysis::Event event);
  /// Waits for everything added and merges it.
  void drain();

 private:
  static constexpr std::size_t kBatches = 6;
  static constexpr std::size_t kArenaOctets = std::size_t{1} << 20;
  static constexpr std::size_t kBatchPackets = 2048;

  struct Item {
    net::TcpPacket packet;
    std::uint32_t shard;
  };
  struct Batch {
    std::vector<std::byte> arena;
    std::size_t used = 0;
    std::vector<Item> items;
    std::vector<analysis::Event> own;
    std::vector<std::vector<analysis::Event>> events;  ///< by worker
    unsigned running = 0;                              ///< workers not done; under mutex_
  };

  void work(unsigned worker);
  void submit();
  void merge_oldest(std::unique_lock<std::mutex>& lock);
  Batch& current() noexcept { return batches_[submitted_ % kBatches]; }

  std::vector<std::unique_ptr<analysis::Shard>>& shards_;
  analysis::Merger& merger_;
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
