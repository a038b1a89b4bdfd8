// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// A secret that stays in memory no longer than it is needed.
#pragma once

#include <string.h>

#include <string>
#include <string_view>
#include <vector>

namespace iwarpscope::api {

/// Overwrites what is in the text, then empties it.
inline void wipe(std::string& text) noexcept {
  ::explicit_bzero(text.data(), text.size());
  text.clear();
}

/// A passphrase. Each copy is overwritten when it ends. What it was made of is its owner's to wipe.
class Secret {
 public:
  Secret() = default;
  explicit Secret(std::string_view text) : octets_(text.begin(), text.end()) {}
  ~Secret() {
    if (!octets_.empty()) ::explicit_bzero(octets_.data(), octets_.size());
  }
  Secret(const Secret&) = default;
  Secret(Secret&&) noexcept = default;
  Secret& operator=(Secret other) noexcept {
    octets_.swap(other.octets_);
    return *this;
  }
  /// Borrows; valid as long as the secret is.
  [[nodiscard]] std::string_view text() const noexcept { return {octets_.data(), octets_.size()}; }
  [[nodiscard]] bool is_empty() const noexcept { return octets_.empty(); }

 private:
  std::vector<char> octets_;  // moving a vector leaves no octets in the source, unlike a short string
};

}  // namespace iwarpscope::api
