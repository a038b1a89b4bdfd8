// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The fields that a filter knows.
#pragma once

#include <QString>
#include <QStringList>

#include <cstdint>
#include <span>
#include <vector>

#include "models/queue_pairs/qp_row.h"

namespace iwarpscope::gui {

struct QpField {
  /// text: equal or containing. choice: one of `choices`. ordered: choices with an order. number: without unit.
  /// duration: in seconds.
  enum class Kind : std::uint8_t { text, choice, ordered, number, duration, truth };
  const char* name;
  Kind kind;
  const char* choices;  ///< of choice and ordered, the lowest first, separated by spaces; else empty
  /// The row's values: one or two. None: not known.
  QStringList (*words)(const QpRow&);            ///< of text and choices, in lower case
  std::vector<double> (*numbers)(const QpRow&);  ///< of number, duration and truth

  [[nodiscard]] bool has_words() const noexcept { return words != nullptr; }
  [[nodiscard]] QStringList choice_list() const;
};

[[nodiscard]] std::span<const QpField> qp_fields() noexcept;
/// By its name, or the title of its column in lower case with "_" for what is no letter. Null: no field has this name.
[[nodiscard]] const QpField* find_field(const QString& name) noexcept;
/// The names of all, for a sentence.
[[nodiscard]] QString field_names();

}  // namespace iwarpscope::gui
