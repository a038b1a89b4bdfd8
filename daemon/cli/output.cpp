#include "cli/output.h"

#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "report/utf8.h"

namespace iwarpscope::cli {

void Output::write(std::string_view octets) noexcept {
  while (!octets.empty() && error_ == 0) {
    const ssize_t written = ::write(descriptor_, octets.data(), octets.size());
    if (written >= 0) {
      octets.remove_prefix(static_cast<std::size_t>(written));
    } else if (errno != EINTR) {
      error_ = errno;
    }
  }
}

bool Output::is_terminal() const noexcept {
  return ::isatty(descriptor_) == 1;
}

bool Output::is_closed() const noexcept {
  return error_ == EPIPE;
}

std::string Output::error_text() const {
  return error_ == 0 ? std::string{} : std::generic_category().message(error_);
}

void Console::complain(std::string_view text) const {
  err.write("iwarpscope: " + report::to_printable(text) + "\n");
}

}  // namespace iwarpscope::cli
