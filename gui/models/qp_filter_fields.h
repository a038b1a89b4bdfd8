// The fields that a filter knows.
#pragma once

#include <QString>
#include <QStringList>

#include <cstdint>
#include <span>
#include <vector>

#include "models/qp_row.h"

namespace iwarpscope::gui {

struct QpField {
  /// text: equal or containing. choice: one of `choices`. ordered: a choice that can be above another. number: no
  /// unit, duration: in seconds.
  enum class Kind : std::uint8_t { text, choice, ordered, number, duration, truth };
  const char* name;
  Kind kind;
  const char* choices;  ///< of choice and ordered, the lowest first, with spaces between; else empty
  /// What the row has: one or two. None: it is not known.
  QStringList (*words)(const QpRow&);            ///< of text and choices, in small letters
  std::vector<double> (*numbers)(const QpRow&);  ///< of number, duration and truth

  [[nodiscard]] bool has_words() const noexcept { return words != nullptr; }
  [[nodiscard]] QStringList choice_list() const;
};

[[nodiscard]] std::span<const QpField> qp_fields() noexcept;
/// Null: there is none of that name.
[[nodiscard]] const QpField* find_field(const QString& name) noexcept;

}  // namespace iwarpscope::gui
