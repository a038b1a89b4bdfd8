// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Buffers that are used again.
#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <vector>

namespace iwarpscope::capture {

/// Hands out buffers, and takes each back when its last holder releases it, on any thread. A
/// buffer may outlive the owner of the pool. Any thread. Bounded by what is held at once, and `spare` buffers more.
class BufferPool : public std::enable_shared_from_this<BufferPool> {
 public:
  using Buffer = std::vector<std::byte>;
  /// A larger buffer than this is not kept for another use. Units: octets.
  static constexpr std::size_t kMostKept = std::size_t{1} << 20;

  [[nodiscard]] static std::shared_ptr<BufferPool> make(std::size_t spare);
  /// A free buffer of at least this size. Its old content is not cleared.
  [[nodiscard]] std::shared_ptr<Buffer> take(std::size_t octets);
  /// Buffers that wait for another use.
  [[nodiscard]] std::size_t spares() const;

 private:
  explicit BufferPool(std::size_t spare) : most_(spare) { free_.reserve(spare); }
  void give_back(std::unique_ptr<Buffer> buffer) noexcept;

  const std::size_t most_;
  mutable std::mutex mutex_;
  std::vector<std::unique_ptr<Buffer>> free_;
};

}  // namespace iwarpscope::capture
