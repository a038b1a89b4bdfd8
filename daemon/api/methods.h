// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The calls of iwarpscope.v1, and the right that each needs.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace iwarpscope::api {

enum class Right : std::uint8_t {
  none,      ///< any client that is connected
  metadata,  ///< everything but packets: queue pairs, findings, history
  packets,   ///< raw packets, which hold the data of other people
  control,   ///< commands, and what a client reports in TailHistory
};

struct Method {
  std::string_view path;  ///< as HTTP/2 has it
  Right right;
  /// The part after the last slash: "GetQp".
  [[nodiscard]] constexpr std::string_view name() const noexcept { return path.substr(path.rfind('/') + 1); }
};

inline constexpr std::string_view kOwnCalls = "/iwarpscope.v1.";
inline constexpr auto kMethods = std::to_array<Method>({
    {"/iwarpscope.v1.Observer/GetStatus", Right::metadata},
    {"/iwarpscope.v1.Observer/ListQps", Right::metadata},
    {"/iwarpscope.v1.Observer/GetQp", Right::metadata},
    {"/iwarpscope.v1.Observer/ListMessages", Right::metadata},
    {"/iwarpscope.v1.Observer/ListTransportEvents", Right::metadata},
    {"/iwarpscope.v1.Observer/ListFindings", Right::metadata},
    {"/iwarpscope.v1.Observer/ListHosts", Right::metadata},
    {"/iwarpscope.v1.Observer/ListHostPairs", Right::metadata},
    {"/iwarpscope.v1.Observer/GetSite", Right::metadata},
    {"/iwarpscope.v1.Observer/Subscribe", Right::metadata},
    {"/iwarpscope.v1.Observer/FetchPackets", Right::packets},
    {"/iwarpscope.v1.Observer/GetFrame", Right::packets},
    {"/iwarpscope.v1.Observer/ListRules", Right::metadata},
    {"/iwarpscope.v1.Observer/QueryHistory", Right::metadata},
    {"/iwarpscope.v1.Observer/TailHistory", Right::metadata},
    {"/iwarpscope.v1.Control/StartRecording", Right::control},
    {"/iwarpscope.v1.Control/ListRecordings", Right::metadata},
    {"/iwarpscope.v1.Control/Reload", Right::control},
    {"/iwarpscope.v1.Control/EndReplay", Right::control},
});

/// Its row in kMethods; kMethods.size(): not one of them.
[[nodiscard]] constexpr std::size_t method_at(std::string_view path) noexcept {
  std::size_t i = 0;
  while (i < kMethods.size() && kMethods[i].path != path) ++i;
  return i;
}

/// A call of iwarpscope.v1 that is not in the table needs the highest right. Health checking and reflection need none.
[[nodiscard]] constexpr Right right_for(std::string_view path) noexcept {
  const std::size_t at = method_at(path);
  if (at < kMethods.size()) return kMethods[at].right;
  return path.starts_with(kOwnCalls) ? Right::control : Right::none;
}

}  // namespace iwarpscope::api
