// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
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

/// Creates a socket, which gets its name when it listens: a client that sees the name can connect. Until then it has a
/// name of its own beside. Its mode is never wider than configured. An old socket without a listener is removed
/// first. Fails with a sentence when a process listens there, the path is not a socket, the folder is missing, the
/// path is longer than a socket's may be, or the group is not there.
[[nodiscard]] tl::expected<int, std::string> listen_at(const SocketPlace& place);

}  // namespace iwarpscope::api
