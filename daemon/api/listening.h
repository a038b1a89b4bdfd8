// The Unix socket's place in the file system.
#pragma once

#include <string>

#include <tl/expected.hpp>

namespace iwarpscope::api {

/// Makes room for a socket: one that nobody listens on any more is removed. Fails with a sentence when somebody does
/// listen, something else is there, the folder is missing, or the path is longer than a socket's may be.
[[nodiscard]] tl::expected<void, std::string> make_room(const std::string& path);

/// Gives the socket its mode and group (empty: it stays as it is).
[[nodiscard]] tl::expected<void, std::string> set_access(const std::string& path, unsigned mode,
                                                         const std::string& group);

/// Files made while this lives have no more rights than `mode`. The process has one such mask: for its start.
class FileMask {
 public:
  explicit FileMask(unsigned mode) noexcept;
  ~FileMask();
  FileMask(const FileMask&) = delete;
  FileMask& operator=(const FileMask&) = delete;

 private:
  unsigned before_;
};

}  // namespace iwarpscope::api
