// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "synth/script_words.h"

#include <algorithm>
#include <charconv>
#include <stdexcept>

namespace iwarpscope::synth {

namespace {

constexpr std::uint64_t kMostPayload = std::uint64_t{1} << 30;
constexpr std::uint64_t kTenYears = 315'360'000'000'000'000;  // nanoseconds

[[noreturn]] void fail(const std::string& what) {
  throw std::invalid_argument(what);
}

std::uint64_t number_from(std::string_view what, std::string_view word, std::uint64_t most) {
  const bool hexadecimal = word.starts_with("0x");
  const std::string_view digits = hexadecimal ? word.substr(2) : word;
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value, hexadecimal ? 16 : 10);
  if (error == std::errc::result_out_of_range) fail(std::string(what) + ": " + std::string(word) + " is too large");
  if (error != std::errc{} || end != digits.data() + digits.size()) {
    fail(std::string(what) + ": '" + std::string(word) + "' is no number");
  }
  if (value > most) fail(std::string(what) + ": " + std::string(word) + " is above " + std::to_string(most));
  return value;
}

std::optional<Side> side_from(std::string_view word) {
  if (word == "a" || word == "initiator") return Side::initiator;
  if (word == "b" || word == "responder") return Side::responder;
  return {};
}

}  // namespace

std::int64_t time_of(std::string_view word) {
  const std::size_t unit = std::min(word.find_first_not_of("0123456789"), word.size());
  std::uint64_t scale = 0;
  for (const auto& [name, ns] :
       {std::pair<std::string_view, std::uint64_t>{"ns", 1}, {"us", 1'000}, {"ms", 1'000'000}, {"s", 1'000'000'000}}) {
    if (word.substr(unit) == name) scale = ns;
  }
  if (scale == 0 || unit == 0) fail("'" + std::string(word) + "' is no time; write 20us, 5ms or 2s");
  return static_cast<std::int64_t>(number_from("time", word.substr(0, unit), kTenYears / scale) * scale);
}

Words::Words(std::string_view command) {
  std::size_t at = 0;
  while ((at = command.find_first_not_of(" \t\r", at)) != std::string_view::npos) {
    Word word{{}, std::string::npos};
    bool quoted = false;
    for (; at < command.size() && (quoted || std::string_view(" \t\r").find(command[at]) == std::string_view::npos);
         ++at) {
      const char c = command[at];
      if (c == '"') {
        quoted = !quoted;
      } else if (quoted && c == '\\' && at + 1 < command.size()) {
        word.text += command[++at];
      } else {
        if (c == '=' && !quoted && word.equals == std::string::npos) word.equals = word.text.size();
        word.text += c;
      }
    }
    if (quoted) fail("a quotation mark is not closed");
    words_.push_back(std::move(word));
  }
  if (words_.empty()) return;
  command_ = words_.front().text;
  std::replace(command_.begin(), command_.end(), '_', '-');
  words_.front().taken = true;
}

const Words::Word* Words::first() const {
  for (const Word& w : words_) {
    if (!w.taken && w.equals == std::string::npos) return &w;
  }
  return nullptr;
}

bool Words::has_next() const {
  return first() != nullptr;
}

bool Words::flag(std::string_view name) {
  for (Word& w : words_) {
    if (!w.taken && w.text == name) return w.taken = true;
  }
  return false;
}

std::string Words::next(std::string_view what) {
  const Word* found = first();
  if (found == nullptr) fail(std::string(what) + " is missing");
  Word& word = words_[static_cast<std::size_t>(found - words_.data())];
  word.taken = true;
  return word.text;
}

std::string Words::rest() {
  std::string out;
  for (Word& w : words_) {
    if (std::exchange(w.taken, true)) continue;
    const bool pair = w.equals != std::string::npos;
    if (!out.empty()) out += ' ';
    if (pair) out += w.text.substr(0, w.equals + 1);
    out += '"';
    for (const char c : pair ? w.text.substr(w.equals + 1) : w.text) {
      if (c == '"' || c == '\\') out += '\\';
      out += c;
    }
    out += '"';
  }
  return out;
}

std::optional<std::string> Words::value(std::string_view key) {
  for (Word& w : words_) {
    if (w.taken || w.equals == std::string::npos || std::string_view(w.text).substr(0, w.equals) != key) continue;
    w.taken = true;
    return w.text.substr(w.equals + 1);
  }
  return {};
}

std::optional<Side> Words::maybe_side() {
  const Word* word = first();
  const std::optional<Side> found = word == nullptr ? std::nullopt : side_from(word->text);
  if (found) (void)next("");
  return found;
}

Side Words::side() {
  const std::string word = next("the side, a or b,");
  const std::optional<Side> found = side_from(word);
  if (!found) fail("'" + word + "' is no side; write a (initiator) or b (responder)");
  return *found;
}

std::uint64_t Words::number(std::string_view what, std::uint64_t most) {
  return number_from(what, next(what), most);
}

std::optional<std::uint64_t> Words::number_of(std::string_view key, std::uint64_t most) {
  const std::optional<std::string> v = value(key);
  return v ? std::optional(number_from(key, *v, most)) : std::nullopt;
}

std::optional<std::int64_t> Words::signed_number(std::string_view key, std::int64_t least, std::int64_t most) {
  const std::optional<std::string> v = value(key);
  if (!v) return {};
  const bool minus = v->starts_with('-');
  const std::uint64_t bound = minus ? static_cast<std::uint64_t>(-(least + 1)) + 1 : static_cast<std::uint64_t>(most);
  const std::uint64_t magnitude = number_from(key, std::string_view(*v).substr(minus ? 1 : 0), bound);
  return static_cast<std::int64_t>(minus ? 0 - magnitude : magnitude);
}

std::optional<bool> Words::on_off(std::string_view key) {
  return choice<bool>(key, {{"on", true}, {"off", false}});
}

std::optional<Buffer> Words::octets(std::string_view key) {
  const std::optional<std::string> v = value(key);
  if (!v) return {};
  try {
    return hex(*v);
  } catch (const std::invalid_argument&) {
    fail(std::string(key) + ": '" + *v + "' is not hexadecimal, two digits an octet");
  }
}

std::optional<std::int64_t> Words::time(std::string_view key) {
  const std::optional<std::string> v = value(key);
  return v ? std::optional(time_of(*v)) : std::nullopt;
}

bool Words::has_payload() const {
  return std::any_of(words_.begin(), words_.end(), [](const Word& w) {
    return !w.taken && (w.equals == std::string::npos || w.text.starts_with("hex=") || w.text.starts_with("text="));
  });
}

Payload Words::payload() {
  const std::optional<Buffer> given_octets = octets("hex");
  if (given_octets) return *given_octets;
  const std::optional<std::string> words = value("text");
  if (words) return std::string_view(*words);
  return has_next() ? number("the payload", kMostPayload) : 0;
}

void Words::done() const {
  for (const Word& w : words_) {
    if (!w.taken) fail("'" + w.text + "' means nothing to " + command_ + ", or is said twice");
  }
}

void Words::unknown(std::string_view what, std::string_view word, const std::string& all) {
  fail(std::string(what) + ": '" + std::string(word) + "' is none of " + all);
}

}  // namespace iwarpscope::synth
