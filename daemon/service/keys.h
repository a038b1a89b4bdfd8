// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The keys of the configuration file: the name, meaning, valid values and target member of each.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "service/configuration.h"

namespace iwarpscope::service {

/// A TOML value.
using Value = std::variant<bool, std::int64_t, double, std::string, std::vector<std::string>>;

/// The effect of a changed value when the file is read again while the daemon runs.
enum class Reload : std::uint8_t {
  applied,
  applied_live,  ///< with interfaces; a replay needs a restart
  refused,       ///< needs a restart
};

struct Key {
  std::string_view section, name;
  std::string_view meaning;  ///< a sentence or two for the file and the manual
  Reload reload;
  /// Stores a value in its member. Fails with a sentence that describes valid values.
  std::function<std::optional<std::string>(Configuration&, const Value&)> put;
  /// The value as written in the file.
  std::function<std::string(const Configuration&)> text;
  /// Copies the value from another configuration.
  std::function<void(Configuration&, const Configuration&)> copy;
  /// Sets a limit to its lowest value; empty: this limit cannot be simulated.
  std::function<void(Configuration&)> lowest;

  [[nodiscard]] std::string full_name() const;  ///< "capture.interfaces"
};

/// All of them, in the order of the file.
[[nodiscard]] const std::vector<Key>& keys();

/// A section and its description.
struct Section {
  std::string_view name, meaning;
};
[[nodiscard]] const std::vector<Section>& sections();

}  // namespace iwarpscope::service
