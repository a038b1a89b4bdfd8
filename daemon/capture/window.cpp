// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "capture/window.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace iwarpscope::capture {

tl::expected<bool, std::string> Window::want(std::size_t need) {
  if (octets().size() >= need) return true;
  const std::size_t size = need > buffer_->size() ? std::max(need, 2 * buffer_->size()) : buffer_->size();
  if (is_lent_) {
    std::shared_ptr<Buffer> next = pool_->take(size);
    std::memcpy(next->data(), buffer_->data() + from_, to_ - from_);
    buffer_ = std::move(next);
    is_lent_ = false;
  } else {
    std::memmove(buffer_->data(), buffer_->data() + from_, to_ - from_);
    if (buffer_->size() < size) buffer_->resize(size);
  }
  to_ -= from_;
  from_ = 0;
  while (to_ < need) {
    const auto count = source_->read(std::span{*buffer_}.subspan(to_));
    if (!count) return tl::unexpected(count.error());
    if (*count == 0) return false;
    to_ += *count;
  }
  return true;
}

}  // namespace iwarpscope::capture
