// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The part of a source that is in memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include <tl/expected.hpp>

#include "base/octets.h"
#include "capture/buffer_pool.h"
#include "capture/source.h"

namespace iwarpscope::capture {

/// A read buffer that slides over a source. Octets lent by octets() stay where they are until want() is called, or as
/// long as a thread holds the buffer they lie in. Not for several threads, but a buffer may be let go of on any.
class Window {
 public:
  static constexpr std::size_t kOctets = std::size_t{512} << 10;
  using Buffer = BufferPool::Buffer;
  explicit Window(std::unique_ptr<Source> source) : source_(std::move(source)), buffer_(pool_->take(kOctets)) {}

  /// What is read and not yet skipped.
  [[nodiscard]] Octets octets() const noexcept { return Octets{*buffer_}.subspan(from_, to_ - from_); }
  /// Where octets() lie. From here on the buffer is left as it is, and want() goes on in another.
  [[nodiscard]] std::shared_ptr<const Buffer> buffer() noexcept {
    is_lent_ = true;
    return buffer_;
  }
  /// Precondition: count <= octets().size().
  void skip(std::size_t count) noexcept {
    from_ += count;
    offset_ += count;
  }
  /// Reads until octets() has at least `need` of them. Returns false when the source ends before; fails with the cause.
  /// Grows the buffer when `need` is more than it holds: the caller bounds `need`.
  [[nodiscard]] tl::expected<bool, std::string> want(std::size_t need);
  /// Position of octets() in the (decompressed) data.
  [[nodiscard]] std::uint64_t offset() const noexcept { return offset_; }
  [[nodiscard]] const Source& source() const noexcept { return *source_; }

 private:
  static constexpr std::size_t kSpareBuffers = 8;

  std::unique_ptr<Source> source_;
  std::shared_ptr<BufferPool> pool_ = BufferPool::make(kSpareBuffers);
  std::shared_ptr<Buffer> buffer_;
  bool is_lent_ = false;  ///< buffer_ may still be in use elsewhere
  std::size_t from_ = 0;
  std::size_t to_ = 0;
  std::uint64_t offset_ = 0;
};

}  // namespace iwarpscope::capture
