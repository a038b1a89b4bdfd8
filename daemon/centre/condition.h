// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Conditions of a statement and their values. Texts of clients are values, never a part of the statement.
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>

#include "centre/parameters.h"

namespace iwarpscope::centre {

class Condition {
 public:
  /// `what` has {} where the number of the value goes, as often as it likes: "(q.a = ${0}::inet OR q.b = ${0}::inet)".
  template <class Value>
  Condition& add(std::string_view what, const Value& value) {
    values_.add(value);
    return add(fmt::format(fmt::runtime(what), ++count_));
  }
  /// One without a value.
  Condition& add(std::string_view what) {
    text_ += text_.empty() ? "WHERE " : " AND ";
    text_ += what;
    return *this;
  }
  /// "$7", for a value outside of the conditions.
  template <class Value>
  [[nodiscard]] std::string value(const Value& value) {
    values_.add(value);
    return fmt::format("${}", ++count_);
  }
  [[nodiscard]] const std::string& text() const noexcept { return text_; }  ///< "WHERE ... AND ...", or empty
  [[nodiscard]] const Parameters& values() const noexcept { return values_; }

 private:
  std::string text_;
  Parameters values_;
  int count_ = 0;
};

}  // namespace iwarpscope::centre
