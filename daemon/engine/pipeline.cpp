#include "engine/pipeline.h"

#include <cstring>
#include <iterator>

namespace iwarpscope::engine {

Pipeline::Pipeline(std::vector<std::unique_ptr<analysis::Shard>>& shards, analysis::Merger& merger, unsigned workers)
    : shards_(shards), merger_(merger) {
  for (Batch& batch : batches_) {
    batch.arena.resize(kArenaOctets);
    batch.items.reserve(kBatchPackets);
    batch.events.resize(workers);
  }
  for (unsigned w = 0; w < workers; ++w) threads_.emplace_back([this, w] { work(w); });
}

Pipeline::~Pipeline() {
  {
    const std::lock_guard lock(mutex_);
    closed_ = true;
  }
  to_workers_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void Pipeline::add(const net::TcpPacket& packet) {
  const std::size_t need = packet.tcp_header.size() + packet.payload.size();
  if (current().items.size() == kBatchPackets || current().used + need > current().arena.size()) {
    if (!current().items.empty() || !current().own.empty()) submit();
    if (need > current().arena.size()) current().arena.resize(need);
  }
  Batch& batch = current();
  std::byte* const header = batch.arena.data() + batch.used;
  if (!packet.tcp_header.empty()) std::memcpy(header, packet.tcp_header.data(), packet.tcp_header.size());
  std::byte* const payload = header + packet.tcp_header.size();
  if (!packet.payload.empty()) std::memcpy(payload, packet.payload.data(), packet.payload.size());
  batch.used += need;
  batch.items.push_back({packet, static_cast<std::uint32_t>(analysis::shard_of(packet.flow()))});
  batch.items.back().packet.tcp_header = {header, packet.tcp_header.size()};
  batch.items.back().packet.payload = {payload, packet.payload.size()};
}

void Pipeline::add(analysis::Event event) {
  current().own.push_back(std::move(event));
}

void Pipeline::submit() {
  std::unique_lock lock(mutex_);
  current().running = static_cast<unsigned>(threads_.size());
  ++submitted_;
  to_workers_.notify_all();
  // The slot that comes next must be free, and what is done may as well be told now.
  while (merged_ < submitted_ && (submitted_ - merged_ == kBatches || batches_[merged_ % kBatches].running == 0)) {
    merge_oldest(lock);
  }
}

void Pipeline::merge_oldest(std::unique_lock<std::mutex>& lock) {
  Batch& batch = batches_[merged_ % kBatches];
  to_caller_.wait(lock, [&batch] { return batch.running == 0; });
  lock.unlock();
  std::vector<analysis::Event> all = std::move(batch.own);
  for (std::vector<analysis::Event>& events : batch.events) {
    all.insert(all.end(), std::make_move_iterator(events.begin()), std::make_move_iterator(events.end()));
    events.clear();
  }
  merger_.take(all);
  batch.own.clear();
  batch.items.clear();
  batch.used = 0;
  ++merged_;
  lock.lock();
}

void Pipeline::drain() {
  submit();
  std::unique_lock lock(mutex_);
  while (merged_ < submitted_) merge_oldest(lock);
}

void Pipeline::work(unsigned worker) {
  const auto workers = static_cast<unsigned>(batches_[0].events.size());
  for (std::uint64_t sequence = 0;; ++sequence) {
    {
      std::unique_lock lock(mutex_);
      to_workers_.wait(lock, [&] { return submitted_ > sequence || closed_; });
      if (submitted_ <= sequence) return;
    }
    Batch& batch = batches_[sequence % kBatches];
    for (const Item& item : batch.items) {
      if (item.shard % workers == worker) shards_[item.shard]->feed(item.packet, batch.events[worker]);
    }
    const std::lock_guard lock(mutex_);
    if (--batch.running == 0) to_caller_.notify_one();
  }
}

}  // namespace iwarpscope::engine
