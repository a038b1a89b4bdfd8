// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The user that the daemon runs as.
#pragma once

#include <string>
#include <vector>

#include <tl/expected.hpp>

namespace iwarpscope::service {

struct Identity {
  std::string user, group;          ///< root switches to them; empty: it stays root
  std::vector<std::string> groups;  ///< that the process is to be in beside them
};

/// The user and group (if root), no capabilities, also not in the bounding set, no_new_privs, no core dumps. For this
/// thread and all it starts; there is no way back. Fails with a sentence when the user or a group does not exist or
/// cannot be used: then the daemon must stop.
[[nodiscard]] tl::expected<void, std::string> become(const Identity& identity);

/// Whether this machine has a user of that name.
[[nodiscard]] bool has_user(const std::string& name);

/// Makes a folder that is not there, for the user it is to belong to when root makes it. Fails with a sentence.
[[nodiscard]] tl::expected<void, std::string> make_folder(const std::string& path, const std::string& user,
                                                          const std::string& group);

/// The sentence; if it says that permission is denied, with the user of the daemon added.
[[nodiscard]] std::string with_user_of(const std::string& sentence, const std::string& user);

}  // namespace iwarpscope::service
