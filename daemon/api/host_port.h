// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Where a daemon answers, as users write it.
#pragma once

#include <string>

namespace iwarpscope::api {

/// Why a text is not HOST:PORT; empty: it is. gRPC would guess a missing port.
[[nodiscard]] inline std::string not_host_port(const std::string& text) {
  const std::size_t colon = text.rfind(':');
  const bool is_v6 = text.starts_with('[') && colon != std::string::npos && colon != 0 && text[colon - 1] == ']';
  const std::string port = colon == std::string::npos ? std::string{} : text.substr(colon + 1);
  const bool is_port = !port.empty() && port.size() <= 5 && port.find_first_not_of("0123456789") == std::string::npos &&
                       std::stoul(port) >= 1 && std::stoul(port) <= 65535;
  if (is_port && colon != 0 && (is_v6 || text.find(':') == colon)) return {};
  return "'" + text + "' is not HOST:PORT, such as sensor:7470 or [fd00::1]:7470";
}

}  // namespace iwarpscope::api
