// The keys of the configuration file: what each is called, means, may be, and where its value goes.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "service/configuration.h"

namespace iwarpscope::service {

/// A value as TOML has it.
using Value = std::variant<bool, std::int64_t, double, std::string, std::vector<std::string>>;

/// Becomes of a changed value when the file is read again while the daemon runs.
enum class Reload : std::uint8_t {
  applied,
  refused,  ///< it takes a restart
};

struct Key {
  std::string_view section, name;
  std::string_view meaning;  ///< a sentence or two for the file and the manual
  Reload reload;
  /// Puts a value where it belongs. Fails with a sentence that says what it may be.
  std::function<std::optional<std::string>(Configuration&, const Value&)> put;
  /// The value as the file has it.
  std::function<std::string(const Configuration&)> text;
  /// Gives it the value it has in another configuration.
  std::function<void(Configuration&, const Configuration&)> copy;
  /// Makes a limit as low as it can be; empty: this is none that can be simulated.
  std::function<void(Configuration&)> lowest;

  [[nodiscard]] std::string full_name() const;  ///< "capture.interfaces"
};

/// All of them, in the order of the file.
[[nodiscard]] const std::vector<Key>& keys();

/// What a section is about.
struct Section {
  std::string_view name, meaning;
};
[[nodiscard]] const std::vector<Section>& sections();

}  // namespace iwarpscope::service
