// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// How values of the core become JSON: one writer for all records. Used inside report/ only.
#pragma once

#include <rapidjson/writer.h>

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/ids.h"
#include "base/octets.h"
#include "base/time_point.h"
#include "net/address.h"

namespace iwarpscope::report {

/// rapidjson's output stream onto the end of a std::string, in pieces. Borrows the string; complete after flush().
class JsonStream {
 public:
  using Ch = char;
  explicit JsonStream(std::string& out) noexcept : out_(out) {}
  void Put(char c) {
    if (used_ == chunk_.size()) flush();
    chunk_[used_++] = c;
  }
  void append(std::string_view text) {
    if (text.size() > chunk_.size() - used_) flush();
    if (text.size() > chunk_.size()) {
      out_.append(text);
      return;
    }
    if (!text.empty()) std::memcpy(chunk_.data() + used_, text.data(), text.size());
    used_ += text.size();
  }
  /// In quotes.
  void append_quoted(std::string_view text) {
    if (text.size() + 2 > chunk_.size() - used_) {
      Put('"');
      append(text);
      Put('"');
      return;
    }
    char* const at = chunk_.data() + used_;
    at[0] = '"';
    if (!text.empty()) std::memcpy(at + 1, text.data(), text.size());
    at[1 + text.size()] = '"';
    used_ += text.size() + 2;
  }
  void Flush() {}
  void flush() {
    out_.append(chunk_.data(), used_);
    used_ = 0;
  }

 private:
  std::string& out_;
  std::size_t used_ = 0;
  std::array<char, 1024> chunk_;
};

/// rapidjson's writer looks at each character of a string for what it must escape. Most strings need no escapes: this
/// one copies them, since a capture can have a report of many times its size.
class JsonRecordWriter : public rapidjson::Writer<JsonStream> {
 public:
  using rapidjson::Writer<JsonStream>::Writer;
  /// Valid UTF-8.
  void text(std::string_view text) {
    if (!is_plain(text)) {
      String(text.data(), static_cast<rapidjson::SizeType>(text.size()));
      return;
    }
    plain(text);
  }
  /// The same for what is_plain(), such as the keys.
  void plain(std::string_view text) {
    Prefix(rapidjson::kStringType);
    os_->append_quoted(text);
  }
  /// A value that is JSON already.
  void json(std::string_view text) {
    Prefix(rapidjson::kStringType);
    os_->append(text);
  }
  /// Printable ASCII without quotes and backslashes. Compares eight characters at once.
  [[nodiscard]] static bool is_plain(std::string_view text) noexcept {
    constexpr std::size_t kOctets = sizeof(std::uint64_t);
    std::uint64_t others = 0;
    for (; text.size() >= kOctets; text.remove_prefix(kOctets)) others |= not_plain(text.data(), kOctets);
    return (others | not_plain(text.data(), text.size())) == 0;
  }

 private:
  /// 0 if none of up to eight characters needs an escape.
  [[nodiscard]] static std::uint64_t not_plain(const char* text, std::size_t count) noexcept {
    constexpr std::uint64_t kEach = 0x0101010101010101;
    constexpr std::uint64_t kHigh = kEach * 0x80;
    std::uint64_t word = kEach * ' ';
    if (count != 0) std::memcpy(&word, text, count);
    // High bits of octets that are zero after what is looked for was taken from them.
    const auto equal = [&](std::uint64_t c) {
      const std::uint64_t differ = word ^ (kEach * c);
      return (differ - kEach) & ~differ;
    };
    return (word | ((word - kEach * ' ') & ~word) | equal('"') | equal('\\') | equal(0x7F)) & kHigh;
  }
};

/// Writes one record: object() opens the line's object, field() adds members in the order of calls, end() closes and
/// adds the line feed. Text from outside goes through string(), which repairs UTF-8; text() is for the program's own
/// ASCII.
class JsonWriter {
 public:
  explicit JsonWriter(std::string& out) noexcept : stream_(out), writer_(stream_) {}

  void open() { writer_.StartObject(); }
  void open(std::string_view key) {
    name(key);
    writer_.StartObject();
  }
  void close() { writer_.EndObject(); }
  void open_list(std::string_view key) {
    name(key);
    writer_.StartArray();
  }
  void close_list() { writer_.EndArray(); }
  /// Closes the record: line feed, all octets in the string.
  void end() {
    writer_.EndObject();
    stream_.Put('\n');
    stream_.flush();
  }

  /// A key of the program's own, without characters that need an escape.
  void name(std::string_view key) { writer_.plain(key); }
  template <class T>
  void field(std::string_view key, const T& v) {
    name(key);
    value(v);
  }
  template <class T>
  void field(std::string_view key, const std::optional<T>& v) {
    name(key);
    if (v) {
      value(*v);
    } else {
      writer_.Null();
    }
  }
  void null(std::string_view key) {
    name(key);
    writer_.Null();
  }
  /// A string that may hold anything, and nothing else: no record.
  void text(std::string_view text);
  /// Likewise, as a member of a record.
  void string(std::string_view key, std::string_view text);

  /// {"address": ..., "port": ...}
  void endpoint(std::string_view key, const net::Endpoint& end) {
    open(key);
    string("address", end.address.text());
    field("port", end.port);
    close();
  }

  template <std::same_as<bool> T>
  void value(T v) {
    writer_.Bool(v);
  }
  template <std::unsigned_integral T>
  requires(!std::same_as<T, bool>) void value(T v) { writer_.Uint64(v); }
  template <std::signed_integral T>
  void value(T v) {
    writer_.Int64(v);
  }
  /// The program's own words: ASCII.
  void value(std::string_view v) { writer_.text(v); }
  void value(FrameNumber v) { writer_.Uint64(v.value); }
  void value(QueueNumber v) { writer_.Uint64(v.value); }
  void value(MessageSequence v) { writer_.Uint64(v.value); }
  void value(STag v) { hex(v.value, 8); }
  void value(TaggedOffset v) { hex(v.value, 16); }
  void value(TimePoint v);
  void value(Direction v) { value(std::string_view{v == Direction::a_to_b ? "a_to_b" : "b_to_a"}); }

  /// "0x" and `digits` lower-case hexadecimal digits. Shape: digits 8 or 16.
  void hex(std::uint64_t v, std::size_t digits);
  void word(std::string_view key, std::uint64_t v) {
    name(key);
    hex(v, 16);
  }
  /// A value that is JSON already.
  void json(std::string_view key, std::string_view text) {
    name(key);
    writer_.json(text);
  }
  /// Octets as lower-case hexadecimal digits without a prefix.
  void octets(std::string_view key, Octets v);
  /// The same, null without octets.
  void octets_or_null(std::string_view key, Octets v) { v.empty() ? null(key) : octets(key, v); }

 private:
  JsonStream stream_;
  JsonRecordWriter writer_;
};

}  // namespace iwarpscope::report
