// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The words of a filter.
#pragma once

#include <QString>

#include <cstdint>
#include <optional>
#include <vector>

#include "models/queue_pairs/qp_filter.h"

namespace iwarpscope::gui {

struct FilterToken {
  enum class Kind : std::uint8_t { word, quoted, op, and_, or_, not_, open, close };
  Kind kind{};
  qsizetype from = 0, length = 0;  ///< in the text, including quotes
  QString text{};                  ///< of a word or a quoted one
  QpFilter::Operator op{};
  bool unclosed = false;  ///< a quote that is not closed
  [[nodiscard]] qsizetype end() const noexcept { return from + length; }
};

/// Every text can be split into words.
[[nodiscard]] std::vector<FilterToken> filter_tokens(const QString& text);

}  // namespace iwarpscope::gui
