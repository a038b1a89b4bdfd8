// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "capture/buffer_pool.h"

#include <utility>

namespace iwarpscope::capture {

std::shared_ptr<BufferPool> BufferPool::make(std::size_t spare) {
  return std::shared_ptr<BufferPool>(new BufferPool(spare));
}

std::shared_ptr<BufferPool::Buffer> BufferPool::take(std::size_t octets) {
  std::unique_ptr<Buffer> buffer;
  {
    const std::lock_guard lock(mutex_);
    if (!free_.empty()) {
      buffer = std::move(free_.back());
      free_.pop_back();
    }
  }
  if (!buffer) buffer = std::make_unique<Buffer>();
  if (buffer->size() < octets) buffer->resize(octets);
  return {buffer.release(), [pool = shared_from_this()](Buffer* b) { pool->give_back(std::unique_ptr<Buffer>(b)); }};
}

std::size_t BufferPool::spares() const {
  const std::lock_guard lock(mutex_);
  return free_.size();
}

void BufferPool::give_back(std::unique_ptr<Buffer> buffer) noexcept {
  const std::lock_guard lock(mutex_);
  if (free_.size() < most_ && buffer->size() <= kMostKept) free_.push_back(std::move(buffer));
}

}  // namespace iwarpscope::capture
