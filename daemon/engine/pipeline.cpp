// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "engine/pipeline.h"

#include <functional>
#include <iterator>
#include <utility>

#include "capture/thread_name.h"

namespace iwarpscope::engine {
namespace {

/// Appends all of `from` to `to`.
template <class T>
void append(std::vector<T>& to, std::vector<T>& from) {
  to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
  from.clear();
}

}  // namespace

Pipeline::Pipeline(analysis::Engine& core, unsigned workers) : core_(core) {
  for (Batch& batch : batches_) {
    batch.reports.resize(workers);
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

void Pipeline::next_batch(Storage storage) {
  if (current().items.size() > kFew || current().own.size() > kFew || current().storages.size() > kFew) submit();
  current().storages.push_back(std::move(storage));
}

void Pipeline::add(analysis::DecodedFrame frame) {
  if (frame.finding) current().own.emplace_back(frame.number, std::nullopt, std::move(*frame.finding));
  if (frame.is_step) pass_time(frame.number, frame.time);
  add(frame.packet);
}

void Pipeline::add(const net::Decoding& decoded) {
  if (const auto* const tcp = std::get_if<net::TcpPacket>(&decoded)) {
    net::TcpPacket packet = *tcp;
    packet.tcp_header = keep(packet.tcp_header);
    packet.payload = keep(packet.payload);
    current().items.push_back({packet, static_cast<std::uint32_t>(analysis::shard_of(packet.flow()))});
  } else if (const auto* const sctp = std::get_if<net::SctpPacket>(&decoded)) {
    net::SctpPacket packet = *sctp;
    packet.common_header = keep(packet.common_header);
    packet.chunks = keep(packet.chunks);
    current().items.push_back({packet, static_cast<std::uint32_t>(analysis::shard_of(packet))});
  }
}

void Pipeline::pass_time(FrameNumber frame, TimePoint time) {
  current().items.push_back({Step{frame, time}, 0});
}

Octets Pipeline::keep(Octets octets) {
  Batch& batch = current();
  const std::less_equal<> within;
  const std::vector<std::byte>* const storage = batch.storages.empty() ? nullptr : batch.storages.back().get();
  if (storage != nullptr && within(storage->data(), octets.data()) &&
      within(octets.data() + octets.size(), storage->data() + storage->size())) {
    return octets;
  }
  return batch.copies.emplace_back(octets.begin(), octets.end());
}

void Pipeline::submit() {
  std::unique_lock lock(mutex_);
  current().running = static_cast<unsigned>(threads_.size());
  ++submitted_;
  lock.unlock();  // who wakes need not wait for it
  to_workers_.notify_all();
  lock.lock();
  // The next slot must be free; finished records are reported at the same time.
  while (merged_ < submitted_ && (submitted_ - merged_ == kBatches || batches_[merged_ % kBatches].running == 0)) {
    merge_oldest(lock);
  }
}

void Pipeline::merge_oldest(std::unique_lock<std::mutex>& lock) {
  Batch& batch = batches_[merged_ % kBatches];
  to_caller_.wait(lock, [&batch] { return batch.running == 0; });
  lock.unlock();
  analysis::Reports all;
  all.events = std::move(batch.own);
  for (analysis::Reports& reports : batch.reports) {
    append(all.events, reports.events);
    append(all.facts, reports.facts);
  }
  core_.take(all);
  batch.own.clear();
  batch.items.clear();
  batch.copies.clear();
  batch.storages.clear();
  ++merged_;
  lock.lock();
}

void Pipeline::drain() {
  submit();
  std::unique_lock lock(mutex_);
  while (merged_ < submitted_) merge_oldest(lock);
}

/// The worker's part of the batch.
void Pipeline::work(const Batch& batch, unsigned worker, unsigned workers, analysis::Reports& reports) {
  analysis::Shards& shards = core_.shards();
  for (const Item& item : batch.items) {
    if (const auto* const step = std::get_if<Step>(&item.packet)) {
      for (std::size_t s = worker; s < shards.size(); s += workers) {
        shards[s]->pass_time(step->frame, step->time, reports);
      }
    } else if (item.shard % workers == worker) {
      analysis::Shard& shard = *shards[item.shard];
      if (const auto* const tcp = std::get_if<net::TcpPacket>(&item.packet)) shard.feed(*tcp, reports);
      if (const auto* const sctp = std::get_if<net::SctpPacket>(&item.packet)) shard.feed(*sctp, reports);
    }
  }
}

void Pipeline::work(unsigned worker) {
  capture::name_thread("worker");
  const auto workers = static_cast<unsigned>(batches_[0].reports.size());
  for (std::uint64_t sequence = 0;; ++sequence) {
    {
      std::unique_lock lock(mutex_);
      to_workers_.wait(lock, [&] { return submitted_ > sequence || closed_; });
      if (submitted_ <= sequence) return;
    }
    Batch& batch = batches_[sequence % kBatches];
    work(batch, worker, workers, batch.reports[worker]);
    {
      const std::lock_guard lock(mutex_);
      if (--batch.running != 0) continue;
    }
    to_caller_.notify_one();
  }
}

}  // namespace iwarpscope::engine
