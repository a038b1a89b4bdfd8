// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Quantities as people write them in files.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace iwarpscope::service {

/// "64 MiB", "1500 B", "2GiB": octets; units are B, KiB, MiB, GiB and TiB. Empty: it is none, or does not fit.
[[nodiscard]] std::optional<std::uint64_t> parse_size(std::string_view text);
/// In the largest unit that leaves no remainder.
[[nodiscard]] std::string size_text(std::uint64_t octets);

/// "30 s", "250 ms", "7 d": nanoseconds; units are ns, us, ms, s, min, h and d. Empty: it is none, or does not fit.
[[nodiscard]] std::optional<std::int64_t> parse_time(std::string_view text);
[[nodiscard]] std::string time_text(std::int64_t ns);

/// "127.0.0.1:9469", "[::1]:9469": a numerical address and a port.
struct Address {
  std::string host;  ///< without brackets
  std::uint16_t port = 0;
  [[nodiscard]] bool is_loopback() const;
  [[nodiscard]] bool is_v6() const noexcept { return host.find(':') != std::string::npos; }
};
[[nodiscard]] std::optional<Address> parse_address(std::string_view text);

/// How many letters have to be put in, taken out or changed to make one of the other.
[[nodiscard]] std::size_t edit_distance(std::string_view a, std::string_view b);
/// The one of `names` that was probably meant; empty: none is near.
[[nodiscard]] std::string nearest(std::string_view name, const std::vector<std::string>& names);

}  // namespace iwarpscope::service
