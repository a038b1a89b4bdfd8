// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The rights of clients, as the configuration has them.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace iwarpscope::api {

/// Who has a right: "*" for all clients; a name of a certificate, "DNS:", "URI:", "email:" or "IP:" and the name as
/// its subjectAltName has it; "user:" or "group:" and a name or number, for clients of the Unix socket. Root of this
/// machine has all rights there.
struct Grants {
  std::vector<std::string> metadata{"*"}, packets{"*"}, control{"*"};
};

inline constexpr auto kCertificateNames = std::to_array<std::string_view>({"DNS:", "URI:", "email:", "IP:"});
inline constexpr std::string_view kUserName = "user:", kGroupName = "group:";

/// Whether it has the form of a name in Grants.
[[nodiscard]] inline bool is_grantee(std::string_view name) {
  if (name == "*") return true;
  const auto begins = [name](std::string_view kind) { return name.starts_with(kind) && name.size() > kind.size(); };
  for (const std::string_view kind : kCertificateNames) {
    if (begins(kind)) return true;
  }
  return begins(kUserName) || begins(kGroupName);
}

}  // namespace iwarpscope::api
