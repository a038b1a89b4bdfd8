// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Values for $1, $2, ... of a statement, in PostgreSQL's binary form. Arrays of thousands of records need no quoting.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace iwarpscope::centre {

using Uuid = std::array<std::byte, 16>;

/// Reads the 36 characters of a UUID.
[[nodiscard]] std::optional<Uuid> uuid_of(std::string_view text);

/// UTF-8 as PostgreSQL can store it: U+FFFD replaces each U+0000 and what is no UTF-8.
[[nodiscard]] std::string storable(std::string_view text);

/// An array of one dimension. All values are copied.
class Array {
 public:
  enum class Of : std::uint32_t { int16 = 21, int64 = 20, text = 25, uuid = 2950 };
  explicit Array(Of type) : type_(type) {}
  Array& add(std::int64_t value);  ///< int16 (in its range) and int64
  Array& add(std::string_view value);
  Array& add(const Uuid& value);
  Array& add_null();

 private:
  friend class Parameters;
  void open(std::uint32_t octets);
  Of type_;
  std::uint32_t size_ = 0;
  bool has_null_ = false;
  std::string values_;
};

/// The values of one statement, in order.
class Parameters {
 public:
  Parameters& add(std::int64_t value);
  Parameters& add(std::string_view value);
  Parameters& add(const Uuid& value);
  Parameters& add(const Array& value);
  template <class T>
  Parameters& add(const std::optional<T>& value) {
    return value ? add(*value) : add_null();
  }
  Parameters& add_null();  ///< of type text

 private:
  friend class Connection;
  struct Value {
    std::uint32_t type = 0;  ///< an OID
    std::optional<std::string> octets;
  };
  Parameters& add(std::uint32_t type, std::string octets);
  std::vector<Value> values_;
};

}  // namespace iwarpscope::centre
