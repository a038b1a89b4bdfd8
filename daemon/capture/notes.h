// Sentences for the operator.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace iwarpscope::capture {

/// The latest sentences, each once, with how often it was said. At most kMost: the oldest goes. Not for several
/// threads.
class Notes {
 public:
  static constexpr std::size_t kMost = 32;

  void say(std::string sentence) {
    Note note{std::move(sentence), 0};
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
  /// The latest last.
  [[nodiscard]] std::vector<std::string> sentences() const {
    std::vector<std::string> all;
    for (const Note& n : notes_) all.push_back(n.times == 1 ? n.text : fmt::format("{} ({} times)", n.text, n.times));
    return all;
  }

 private:
  struct Note {
    std::string text;
    std::uint64_t times;
  };
  std::vector<Note> notes_;
};

}  // namespace iwarpscope::capture
