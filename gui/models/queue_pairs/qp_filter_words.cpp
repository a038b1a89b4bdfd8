// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "models/queue_pairs/qp_filter_words.h"

#include <array>

namespace iwarpscope::gui {
namespace {

using Kind = FilterToken::Kind;
using Operator = QpFilter::Operator;

struct Sign {
  const char* text;
  Kind kind;
  Operator op;
};
// The longer ones first.
constexpr auto kSigns = std::to_array<Sign>({
    {"==", Kind::op, Operator::is},
    {"!=", Kind::op, Operator::is_not},
    {">=", Kind::op, Operator::at_least},
    {"<=", Kind::op, Operator::at_most},
    {"&&", Kind::and_, {}},
    {"||", Kind::or_, {}},
    {"=", Kind::op, Operator::is},
    {">", Kind::op, Operator::above},
    {"<", Kind::op, Operator::below},
    {"!", Kind::not_, {}},
    {"(", Kind::open, {}},
    {")", Kind::close, {}},
});
constexpr auto kNamed = std::to_array<Sign>({
    {"and", Kind::and_, {}},
    {"or", Kind::or_, {}},
    {"not", Kind::not_, {}},
    {"contains", Kind::op, Operator::contains},
});

const Sign* sign_at(const QString& text, qsizetype at) {
  for (const Sign& sign : kSigns) {
    if (QStringView(text).mid(at).startsWith(QLatin1String(sign.text))) return &sign;
  }
  return nullptr;
}

FilterToken quoted_at(const QString& text, qsizetype at) {
  FilterToken token{.kind = Kind::quoted, .from = at};
  const qsizetype close = text.indexOf(QLatin1Char('"'), at + 1);
  token.unclosed = close < 0;
  token.length = (close < 0 ? text.size() : close + 1) - at;
  token.text = text.mid(at + 1, token.length - (close < 0 ? 1 : 2));
  return token;
}

FilterToken word_at(const QString& text, qsizetype at) {
  qsizetype end = at + 1;
  while (end < text.size() && !text[end].isSpace() && text[end] != QLatin1Char('"') && sign_at(text, end) == nullptr) {
    ++end;
  }
  FilterToken token{.kind = Kind::word, .from = at, .length = end - at, .text = text.mid(at, end - at)};
  for (const Sign& named : kNamed) {
    if (token.text.compare(QLatin1String(named.text), Qt::CaseInsensitive) != 0) continue;
    token.kind = named.kind;
    token.op = named.op;
  }
  return token;
}

}  // namespace

std::vector<FilterToken> filter_tokens(const QString& text) {
  std::vector<FilterToken> tokens;
  for (qsizetype at = 0; at < text.size();) {
    if (text[at].isSpace()) {
      ++at;
      continue;
    }
    if (text[at] == QLatin1Char('"')) {
      tokens.push_back(quoted_at(text, at));
    } else if (const Sign* sign = sign_at(text, at)) {
      tokens.push_back({.kind = sign->kind, .from = at, .length = QLatin1String(sign->text).size(), .op = sign->op});
    } else {
      tokens.push_back(word_at(text, at));
    }
    at = tokens.back().end();
  }
  return tokens;
}

}  // namespace iwarpscope::gui
