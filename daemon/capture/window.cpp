#include "capture/window.h"

#include <algorithm>
#include <cstring>

namespace iwarpscope::capture {

tl::expected<bool, std::string> Window::want(std::size_t need) {
  if (octets().size() >= need) return true;
  if (from_ != 0) {
    std::memmove(buffer_.data(), buffer_.data() + from_, to_ - from_);
    to_ -= from_;
    from_ = 0;
  }
  if (need > buffer_.size()) buffer_.resize(std::max(need, 2 * buffer_.size()));
  while (to_ < need) {
    const auto count = source_->read(std::span{buffer_}.subspan(to_));
    if (!count) return tl::unexpected(count.error());
    if (*count == 0) return false;
    to_ += *count;
  }
  return true;
}

}  // namespace iwarpscope::capture
