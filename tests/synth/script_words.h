// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// One command of a script, parsed: words, key=value pairs, and their values.
#pragma once

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "synth/options.h"

namespace iwarpscope::synth {

/// The words of one command. Each is taken once; done() fails if one is left. All members throw std::invalid_argument
/// with an error text for the author of the script.
class Words {
 public:
  /// Words are separated by blanks; "..." may contain blanks, and \" and \\. `command` has '_' written as '-'.
  explicit Words(std::string_view command);

  [[nodiscard]] const std::string& command() const noexcept { return command_; }
  /// True, once, if the word is present.
  bool flag(std::string_view name);
  /// The next word that is not key=value.
  std::string next(std::string_view what);
  [[nodiscard]] bool has_next() const;
  /// All remaining words, as one command.
  std::string rest();
  std::optional<std::string> value(std::string_view key);

  Side side();                       ///< a or initiator, b or responder
  std::optional<Side> maybe_side();  ///< the same if it is the next word
  /// A number of the next word: decimal or 0x...
  std::uint64_t number(std::string_view what, std::uint64_t most = ~std::uint64_t{0});
  /// A number of octets, hex=... or text="..."; none if nothing is given.
  Payload payload();
  [[nodiscard]] bool has_payload() const;

  template <std::unsigned_integral T = std::uint64_t>
  std::optional<T> given(std::string_view key, std::uint64_t most = std::numeric_limits<T>::max()) {
    const std::optional<std::uint64_t> v = number_of(key, most);
    return v ? std::optional<T>(static_cast<T>(*v)) : std::nullopt;
  }
  template <std::unsigned_integral T>
  T given_or(std::string_view key, T otherwise, std::uint64_t most = std::numeric_limits<T>::max()) {
    return given<T>(key, most).value_or(otherwise);
  }
  std::optional<std::int64_t> signed_number(std::string_view key, std::int64_t least, std::int64_t most);
  std::optional<bool> on_off(std::string_view key);
  std::optional<Buffer> octets(std::string_view key);
  std::optional<std::int64_t> time(std::string_view key);
  /// One of the names; the error message lists them.
  template <class T>
  std::optional<T> choice(std::string_view key, std::initializer_list<std::pair<std::string_view, T>> names) {
    const std::optional<std::string> v = value(key);
    if (!v) return {};
    return chosen<T>(key, *v, names);
  }
  template <class T>
  static T chosen(std::string_view what, std::string_view word,
                  std::initializer_list<std::pair<std::string_view, T>> names) {
    std::string all;
    for (const auto& [name, one] : names) {
      if (name == word) return one;
      all += (all.empty() ? "" : ", ") + std::string(name);
    }
    unknown(what, word, all);
  }

  void done() const;

 private:
  struct Word {
    std::string text;
    std::size_t equals;  ///< position of the '=' outside quotes, or npos
    bool taken = false;
  };
  [[noreturn]] static void unknown(std::string_view what, std::string_view word, const std::string& all);
  std::optional<std::uint64_t> number_of(std::string_view key, std::uint64_t most);
  [[nodiscard]] const Word* first() const;

  std::string command_;
  std::vector<Word> words_;
};

/// "10us": a number and ns, us, ms or s; at most ten years. Nanoseconds. Throws std::invalid_argument.
[[nodiscard]] std::int64_t time_of(std::string_view word);

}  // namespace iwarpscope::synth
