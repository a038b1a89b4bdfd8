// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Which queue pairs to show: `host == 10.0.0.1 and state == rts and errors > 0`.
#pragma once

#include <QCoreApplication>
#include <QString>
#include <QStringList>

#include <cstdint>
#include <functional>
#include <memory>
#include <variant>
#include <vector>

#include <tl/expected.hpp>

#include "models/queue_pairs/qp_filter_fields.h"

namespace iwarpscope::gui {

struct FilterError {
  qsizetype position = 0, length = 0;  ///< position of the error, in characters
  QString sentence;
};

/// A parsed filter. Words and operators:
///   FIELD == VALUE, also != > >= < <= and contains; FIELD alone: it is on, not zero, or known
///   and or not, also && || !; parentheses; two conditions in sequence mean and
///   any other word, or one in double quotes: it occurs anywhere in the row's text
/// Numbers may end in k, M, G (of 1000) or Ki, Mi, Gi (of 1024); durations in ms, s, min, h. Case is ignored. A host or
/// port matches either end; != means that neither end has it.
class QpFilter {
  Q_DECLARE_TR_FUNCTIONS(QpFilter)

 public:
  static constexpr qsizetype kMostCharacters = 4000;
  static constexpr int kMostDepth = 50;  ///< of parentheses and nots

  /// Everything.
  QpFilter() = default;
  [[nodiscard]] static tl::expected<QpFilter, FilterError> parse(const QString& text);
  [[nodiscard]] bool matches(const QpRow& row) const;
  [[nodiscard]] bool is_all() const noexcept { return root_ < 0; }

  enum class Operator : std::uint8_t { is, is_not, above, at_least, below, at_most, contains, alone };

 private:
  friend class QpFilterParser;
  struct Test {
    const QpField* field = nullptr;
    Operator op{};
    double number = 0;
    QString word;  ///< in lower case
  };
  struct Word {
    QString word;  ///< in lower case
  };
  struct Not {
    int of = -1;
  };
  struct Both {
    int left = -1, right = -1;
    bool any = false;  ///< or
  };
  using Node = std::variant<Test, Word, Not, Both>;
  struct Searched;

  [[nodiscard]] bool holds(int node, Searched& row) const;

  std::vector<Node> nodes_;
  int root_ = -1;
};

/// Possible completions at a position of a filter.
struct FilterCompletion {
  qsizetype from = 0, length = 0;  ///< the text that the chosen word replaces
  QStringList words;
};
/// `occurring` returns the values of a field that occur now.
[[nodiscard]] FilterCompletion complete_filter(const QString& text, qsizetype cursor,
                                               const std::function<QStringList(const QpField&)>& occurring);

}  // namespace iwarpscope::gui
