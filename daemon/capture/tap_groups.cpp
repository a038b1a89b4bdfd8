// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "capture/tap_groups.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "base/read_text.h"

namespace iwarpscope::capture {
namespace {

std::vector<std::string> parts(std::string_view list) {
  std::vector<std::string> all;
  for (std::size_t at = 0; at <= list.size();) {
    const std::size_t end = std::min(list.find(',', at), list.size());
    all.emplace_back(trimmed(list.substr(at, end - at)));
    at = end + 1;
  }
  return all;
}

}  // namespace

tl::expected<TapGroups, std::string> TapGroups::parse(std::span<const std::string> lists, bool separate) {
  TapGroups result;
  result.separate_ = separate;
  std::set<std::string> seen;
  for (const std::string& list : lists) {
    std::vector<std::string>& group = result.groups_.emplace_back(parts(list));
    for (const std::string& name : group) {
      if (name.empty())
        return tl::unexpected(fmt::format("the tap group \"{}\" has an interface without a name", list));
      if (!seen.insert(name).second) {
        return tl::unexpected(fmt::format("the interface \"{}\" is listed twice in the tap groups", name));
      }
    }
  }
  return result;
}

std::uint32_t TapGroups::of(std::size_t interface, std::string_view name) const {
  const std::string number = std::to_string(interface);
  for (std::size_t i = 0; i < groups_.size(); ++i) {
    const auto is_it = [&](const std::string& one) { return (!name.empty() && one == name) || one == number; };
    if (std::any_of(groups_[i].begin(), groups_[i].end(), is_it)) return static_cast<std::uint32_t>(i + 1);
  }
  return separate_ ? static_cast<std::uint32_t>(groups_.size() + 1 + interface) : 0;
}

std::string TapGroups::name_of(std::size_t interface, std::string_view name) const {
  const std::uint32_t group = of(interface, name);
  if (group == 0) return {};
  if (group > groups_.size()) return name.empty() ? std::to_string(interface) : std::string(name);
  std::string list;
  for (const std::string& one : groups_[group - 1]) list += (list.empty() ? "" : ",") + one;
  return list;
}

std::vector<std::string> TapGroups::names() const {
  std::vector<std::string> all;
  for (const auto& group : groups_) all.insert(all.end(), group.begin(), group.end());
  return all;
}

}  // namespace iwarpscope::capture
