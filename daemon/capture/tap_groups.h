// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Which interfaces of a capture see one network.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <tl/expected.hpp>

namespace iwarpscope::capture {

/// Tap groups: the interfaces of one see the same network, and nothing of one belongs to another. Interfaces that no
/// list names are one group together, or with `separate` a group each.
class TapGroups {
 public:
  /// One group with all interfaces.
  TapGroups() = default;
  /// Each list has the interfaces of one group, with commas between: names, or numbers in the capture from 0 on. Fails
  /// with a sentence when a name is empty or listed twice.
  [[nodiscard]] static tl::expected<TapGroups, std::string> parse(std::span<const std::string> lists, bool separate);

  /// As net::Frame::tap_group. `name` is empty where the capture has none.
  [[nodiscard]] std::uint32_t of(std::size_t interface, std::string_view name) const;
  /// The interfaces of that group with commas between; empty: of none.
  [[nodiscard]] std::string name_of(std::size_t interface, std::string_view name) const;
  [[nodiscard]] bool is_one() const noexcept { return groups_.empty() && !separate_; }
  /// Names of interfaces in all lists.
  [[nodiscard]] std::vector<std::string> names() const;

 private:
  std::vector<std::vector<std::string>> groups_;
  bool separate_ = false;
};

}  // namespace iwarpscope::capture
