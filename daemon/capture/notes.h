// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Sentences for the operator.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace iwarpscope::capture {

/// The latest sentences, each once, with how often it was said and when last, if that is known. At most kMost: the
/// oldest goes. Not for several threads.
class Notes {
 public:
  static constexpr std::size_t kMost = 32;

  void say(std::string sentence, std::string when = {}) {
    Note note{std::move(sentence), std::move(when), 0};
    const auto known = std::find_if(notes_.begin(), notes_.end(), [&](const Note& n) { return n.text == note.text; });
    if (known != notes_.end()) {
      note.times = known->times;
      notes_.erase(known);
    } else if (notes_.size() == kMost) {
      notes_.erase(notes_.begin());
    }
    ++note.times;
    notes_.push_back(std::move(note));
  }
  /// None of it holds any more.
  void clear() noexcept { notes_.clear(); }
  /// The latest last.
  [[nodiscard]] std::vector<std::string> sentences() const {
    std::vector<std::string> all;
    for (const Note& n : notes_) {
      std::string more = n.times == 1 ? std::string() : fmt::format("{} times", n.times);
      if (!n.when.empty()) more += fmt::format("{}{}", more.empty() ? "" : ", last ", n.when);
      all.push_back(more.empty() ? n.text : fmt::format("{} ({})", n.text, more));
    }
    return all;
  }

 private:
  struct Note {
    std::string text, when;
    std::uint64_t times;
  };
  std::vector<Note> notes_;
};

}  // namespace iwarpscope::capture
