// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Possible completions at the cursor.
#include <algorithm>

#include "models/queue_pairs/qp_filter.h"
#include "models/queue_pairs/qp_filter_words.h"

namespace iwarpscope::gui {
namespace {

using Kind = FilterToken::Kind;

constexpr qsizetype kMostWords = 100;

QStringList connectives() {
  return {QStringLiteral("and"), QStringLiteral("or")};
}

QStringList operators_of(const QpField& field) {
  QStringList words{QStringLiteral("=="), QStringLiteral("!=")};
  switch (field.kind) {
    case QpField::Kind::number:
    case QpField::Kind::duration:
    case QpField::Kind::ordered:
      words << QStringLiteral(">") << QStringLiteral(">=") << QStringLiteral("<") << QStringLiteral("<=");
      break;
    case QpField::Kind::text: words << QStringLiteral("contains"); break;
    case QpField::Kind::choice:
    case QpField::Kind::truth: break;
  }
  return words + connectives();
}

QStringList beginnings() {
  QStringList words;
  for (const QpField& field : qp_fields()) words << QLatin1String(field.name);
  return words << QStringLiteral("not") << QStringLiteral("(");
}

QStringList values_of(const QpField& field, const std::function<QStringList(const QpField&)>& occurring) {
  if (field.kind == QpField::Kind::truth) return {QStringLiteral("yes"), QStringLiteral("no")};
  const QStringList choices = field.choice_list();
  return choices.isEmpty() ? occurring(field).mid(0, kMostWords) : choices;
}

const QpField* field_of(const FilterToken& token) {
  return token.kind == Kind::word ? find_field(token.text) : nullptr;
}

/// After `before`, the words before the one that is being written.
QStringList words_after(const std::vector<FilterToken>& before,
                        const std::function<QStringList(const QpField&)>& occurring) {
  if (before.empty()) return beginnings();
  const FilterToken& last = before.back();
  const FilterToken* previous = before.size() > 1 ? &before[before.size() - 2] : nullptr;
  switch (last.kind) {
    case Kind::op: {
      const QpField* field = previous == nullptr ? nullptr : field_of(*previous);
      return field == nullptr ? QStringList() : values_of(*field, occurring);
    }
    case Kind::word:
    case Kind::quoted: {
      const bool is_value = previous != nullptr && previous->kind == Kind::op;
      const QpField* field = is_value ? nullptr : field_of(last);
      return field == nullptr ? connectives() : operators_of(*field);
    }
    case Kind::close: return connectives();
    case Kind::and_:
    case Kind::or_:
    case Kind::not_:
    case Kind::open: break;
  }
  return beginnings();
}

}  // namespace

FilterCompletion complete_filter(const QString& text, qsizetype cursor,
                                 const std::function<QStringList(const QpField&)>& occurring) {
  cursor = std::clamp<qsizetype>(cursor, 0, text.size());
  std::vector<FilterToken> before = filter_tokens(text.left(cursor));
  FilterCompletion out{cursor, 0, {}};
  QString begun;
  const bool is_in_word = !before.empty() && before.back().end() == cursor &&
                          (before.back().kind == Kind::word || before.back().kind == Kind::and_ ||
                           before.back().kind == Kind::or_ || before.back().kind == Kind::not_) &&
                          !text[cursor - 1].isSpace();
  if (is_in_word) {
    out.from = before.back().from;
    out.length = before.back().length;
    begun = text.mid(out.from, out.length);
    before.pop_back();
  }
  for (const QString& word : words_after(before, occurring)) {
    if (word.startsWith(begun, Qt::CaseInsensitive) && word.compare(begun, Qt::CaseInsensitive) != 0) {
      out.words << word;
    }
  }
  return out;
}

}  // namespace iwarpscope::gui
