#include "capture/window.h"

#include <algorithm>
#include <cstring>

namespace iwarpscope::capture {
namespace {

/// Who holds the current buffer when nobody else does: `buffers_` and `buffer_`.
constexpr long kOwnHolders = 2;

}  // namespace

std::shared_ptr<Window::Buffer> Window::fresh(std::size_t octets) {
  for (const std::shared_ptr<Buffer>& buffer : buffers_) {
    if (buffer.use_count() != 1) continue;
    if (buffer->size() < octets) buffer->resize(octets);
    return buffer;
  }
  return buffers_.emplace_back(std::make_shared<Buffer>(octets));
}

tl::expected<bool, std::string> Window::want(std::size_t need) {
  if (octets().size() >= need) return true;
  const std::size_t size = need > buffer_->size() ? std::max(need, 2 * buffer_->size()) : buffer_->size();
  if (buffer_.use_count() > kOwnHolders) {
    const std::shared_ptr<Buffer> next = fresh(size);
    std::memcpy(next->data(), buffer_->data() + from_, to_ - from_);
    buffer_ = next;
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
