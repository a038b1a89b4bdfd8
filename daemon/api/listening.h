// The Unix socket's place in the file system.
#pragma once

#include <string>

#include <tl/expected.hpp>

namespace iwarpscope::api {

/// The path, mode and group of a Unix socket.
struct SocketPlace {
  std::string path;
  unsigned mode = 0660;
  std::string group{};  ///< empty: that of the process
};

/// A listening socket there; it never had more rights than it is to have. A socket that nobody listens on any more is
/// removed before. Fails with a sentence when somebody does listen, something else is there, the folder is missing, the
/// path is longer than a socket's may be, or the group is not there.
[[nodiscard]] tl::expected<int, std::string> listen_at(const SocketPlace& place);

}  // namespace iwarpscope::api
