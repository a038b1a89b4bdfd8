// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "models/queue_pairs/qp_filter.h"

#include <algorithm>
#include <cmath>

#include "models/queue_pairs/qp_columns.h"
#include "models/queue_pairs/qp_filter_words.h"

namespace iwarpscope::gui {
namespace {

using Kind = FilterToken::Kind;
using Operator = QpFilter::Operator;

template <class T>
bool compares(const T& value, Operator op, const T& to) {
  switch (op) {
    case Operator::is: return value == to;
    case Operator::is_not: return value != to;
    case Operator::above: return value > to;
    case Operator::at_least: return value >= to;
    case Operator::below: return value < to;
    case Operator::at_most: return value <= to;
    case Operator::contains:
    case Operator::alone: break;
  }
  return false;
}

/// "1.5M", "64Ki", "250ms". Empty: not a number.
std::optional<double> number_of(const QString& text, bool is_duration) {
  struct Unit {
    const char* name;
    double factor;
    bool of_time;
  };
  static constexpr Unit kUnits[] = {{"min", 60, true},      {"ms", 1e-3, true},        {"us", 1e-6, true},
                                    {"s", 1, true},         {"h", 3600, true},         {"ki", 1024, false},
                                    {"mi", 1048576, false}, {"gi", 1073741824, false}, {"k", 1e3, false},
                                    {"m", 1e6, false},      {"g", 1e9, false}};
  QString digits = text;
  double factor = 1;
  for (const Unit& unit : kUnits) {
    if (unit.of_time != is_duration || !text.endsWith(QLatin1String(unit.name), Qt::CaseInsensitive)) continue;
    digits.chop(QLatin1String(unit.name).size());
    factor = unit.factor;
    break;
  }
  bool is_number = false;
  const double value = digits.toDouble(&is_number);
  if (!is_number || !std::isfinite(value)) return std::nullopt;
  return value * factor;
}

}  // namespace

/// Parses a filter by recursive descent. Stops at the first error.
class QpFilterParser {
 public:
  explicit QpFilterParser(const QString& text) : text_(text), tokens_(filter_tokens(text)) {}

  tl::expected<QpFilter, FilterError> parse() {
    if (text_.size() > QpFilter::kMostCharacters) {
      return fail(0, text_.size(), QpFilter::tr("The filter is too long."));
    }
    if (tokens_.empty()) return QpFilter();
    filter_.root_ = any();
    if (filter_.root_ >= 0 && !at_end()) {
      const FilterToken& token = now();
      error(token, token.kind == Kind::close ? QpFilter::tr("This closing parenthesis has no opening one.")
                                             : QpFilter::tr("A field is missing before this operator."));
    }
    if (error_) return tl::unexpected(*error_);
    return std::move(filter_);
  }

 private:
  [[nodiscard]] bool at_end() const noexcept { return next_ == tokens_.size(); }
  [[nodiscard]] const FilterToken& now() const noexcept { return tokens_[next_]; }
  [[nodiscard]] bool is_now(Kind kind) const noexcept { return !at_end() && now().kind == kind; }

  static tl::unexpected<FilterError> fail(qsizetype at, qsizetype length, const QString& sentence) {
    return tl::unexpected(FilterError{at, length, sentence});
  }
  int error(const FilterToken& token, const QString& sentence) {
    if (!error_) error_ = FilterError{token.from, token.length, sentence};
    return -1;
  }
  int error_at_end(const QString& sentence) {
    if (!error_) error_ = FilterError{text_.size(), 0, sentence};
    return -1;
  }
  int add(QpFilter::Node node) {
    filter_.nodes_.push_back(std::move(node));
    return static_cast<int>(filter_.nodes_.size()) - 1;
  }

  int any() {
    int left = all();
    while (left >= 0 && is_now(Kind::or_)) {
      ++next_;
      const int right = all();
      left = right < 0 ? -1 : add(QpFilter::Both{left, right, true});
    }
    return left;
  }

  int all() {
    int left = one();
    while (left >= 0 && !at_end() && !is_now(Kind::or_) && !is_now(Kind::close) && !is_now(Kind::op)) {
      if (is_now(Kind::and_)) ++next_;
      const int right = one();
      left = right < 0 ? -1 : add(QpFilter::Both{left, right, false});
    }
    return left;
  }

  int one() {
    if (at_end()) return error_at_end(QpFilter::tr("The filter is incomplete: a field or a word must follow."));
    const FilterToken& token = now();
    if (depth_ >= QpFilter::kMostDepth)
      return error(token, QpFilter::tr("The filter has too many nested parentheses."));
    switch (token.kind) {
      case Kind::not_: return negated();
      case Kind::open: return in_parentheses(token);
      case Kind::word:
      case Kind::quoted: return test_or_word(token);
      case Kind::close: return error(token, QpFilter::tr("A condition is missing before this parenthesis."));
      case Kind::and_:
      case Kind::or_: return error(token, QpFilter::tr("“and” and “or” need a condition on both sides."));
      case Kind::op: break;
    }
    return error(token, QpFilter::tr("A field is missing before this operator."));
  }

  int negated() {
    ++next_;
    ++depth_;
    const int of = one();
    --depth_;
    return of < 0 ? -1 : add(QpFilter::Not{of});
  }

  int in_parentheses(const FilterToken& open) {
    ++next_;
    ++depth_;
    const int inside = any();
    --depth_;
    if (inside < 0) return -1;
    if (!is_now(Kind::close)) {
      return at_end() ? error(open, QpFilter::tr("This parenthesis is not closed."))
                      : error(now(), QpFilter::tr("A field is missing before this operator."));
    }
    ++next_;
    return inside;
  }

  int test_or_word(const FilterToken& token) {
    if (token.unclosed) return error(token, QpFilter::tr("The closing quotation mark is missing."));
    ++next_;
    const QpField* field = token.kind == Kind::word ? find_field(token.text) : nullptr;
    if (!is_now(Kind::op)) {
      if (field != nullptr) return add(QpFilter::Test{field, Operator::alone, 0, {}});
      if (token.text.isEmpty()) return error(token, QpFilter::tr("These quotation marks are empty."));
      return add(QpFilter::Word{token.text.toLower()});
    }
    if (field == nullptr) {
      return error(token, QpFilter::tr("Unknown field “%1”. The fields are %2.").arg(token.text, field_names()));
    }
    return test(*field);
  }

  int test(const QpField& field) {
    const FilterToken& op = now();
    ++next_;
    if (at_end()) return error_at_end(QpFilter::tr("A value is missing after the operator."));
    const FilterToken& value = now();
    if (value.kind != Kind::word && value.kind != Kind::quoted) {
      return error(value, QpFilter::tr("A value is missing after the operator."));
    }
    if (value.unclosed) return error(value, QpFilter::tr("The closing quotation mark is missing."));
    ++next_;
    QpFilter::Test test{&field, op.op, 0, value.text.toLower()};
    if (!may_compare(field, op)) return -1;
    return read_value(field, value, test) ? add(std::move(test)) : -1;
  }

  bool may_compare(const QpField& field, const FilterToken& op) {
    const bool has_order = field.kind == QpField::Kind::number || field.kind == QpField::Kind::duration ||
                           field.kind == QpField::Kind::ordered;
    const QString name = QLatin1String(field.name);
    if (op.op == Operator::contains) {
      if (field.kind == QpField::Kind::text) return true;
      error(op, QpFilter::tr("“%1” is not a text field. Use == or !=.").arg(name));
      return false;
    }
    if (has_order || op.op == Operator::is || op.op == Operator::is_not) return true;
    error(op, QpFilter::tr("Values of “%1” have no order. Use == or !=.").arg(name));
    return false;
  }

  bool read_value(const QpField& field, const FilterToken& value, QpFilter::Test& test) {
    const QString name = QLatin1String(field.name);
    switch (field.kind) {
      case QpField::Kind::text: return true;
      case QpField::Kind::choice:
      case QpField::Kind::ordered: {
        const QStringList choices = field.choice_list();
        test.number = static_cast<double>(choices.indexOf(test.word));
        if (test.number >= 0) return true;
        error(value, QpFilter::tr("“%1” is not a value of “%2”. Possible values: %3.")
                         .arg(value.text, name, choices.join(QStringLiteral(", "))));
        return false;
      }
      case QpField::Kind::truth: {
        const bool yes = QStringList{"true", "yes", "1", "on"}.contains(test.word);
        test.number = yes ? 1 : 0;
        if (yes || QStringList{"false", "no", "0", "off"}.contains(test.word)) return true;
        error(value, QpFilter::tr("“%1” must be yes or no, not “%2”.").arg(name, value.text));
        return false;
      }
      case QpField::Kind::number:
      case QpField::Kind::duration: break;
    }
    const auto number = number_of(value.text, field.kind == QpField::Kind::duration);
    if (number) {
      test.number = *number;
      return true;
    }
    error(value, field.kind == QpField::Kind::duration
                     ? QpFilter::tr("“%1” is not a duration. Examples: 250ms, 5s, 2min.").arg(value.text)
                     : QpFilter::tr("“%1” is not a number. Examples: 12, 1.5M, 64Ki.").arg(value.text));
    return false;
  }

  const QString text_;
  const std::vector<FilterToken> tokens_;
  std::size_t next_ = 0;
  int depth_ = 0;
  QpFilter filter_;
  std::optional<FilterError> error_;
};

tl::expected<QpFilter, FilterError> QpFilter::parse(const QString& text) {
  return QpFilterParser(text).parse();
}

/// A row and, after a word was searched in it, its text.
struct QpFilter::Searched {
  const QpRow& row;
  QString text;
};

bool QpFilter::matches(const QpRow& row) const {
  Searched searched{row, {}};
  return root_ < 0 || holds(root_, searched);
}

namespace {

bool words_hold(const QpField& field, Operator op, double number, const QString& word, const QpRow& row) {
  const QStringList has = field.words(row);
  const bool is_ordered = field.kind == QpField::Kind::ordered;
  switch (op) {
    case Operator::alone:
      return std::any_of(has.begin(), has.end(), [](const QString& value) {
        return value != QLatin1String("off") && value != QLatin1String("unknown") && value != QLatin1String("none");
      });
    case Operator::is: return has.contains(word);
    case Operator::is_not: return !has.contains(word);
    case Operator::contains:
      return std::any_of(has.begin(), has.end(), [&](const QString& value) { return value.contains(word); });
    default: break;
  }
  if (!is_ordered) return false;
  const QStringList choices = field.choice_list();
  return std::any_of(has.begin(), has.end(), [&](const QString& value) {
    return compares(static_cast<double>(choices.indexOf(value)), op, number);
  });
}

bool numbers_hold(const QpField& field, Operator op, double number, const QpRow& row) {
  const std::vector<double> has = field.numbers(row);
  if (op == Operator::is_not) {
    return std::all_of(has.begin(), has.end(), [&](double value) { return value != number; });
  }
  return std::any_of(has.begin(), has.end(),
                     [&](double value) { return op == Operator::alone ? value != 0 : compares(value, op, number); });
}

}  // namespace

bool QpFilter::holds(int node, Searched& in) const {
  const Node& what = nodes_[static_cast<std::size_t>(node)];
  if (const auto* test = std::get_if<Test>(&what)) {
    return test->field->has_words() ? words_hold(*test->field, test->op, test->number, test->word, in.row)
                                    : numbers_hold(*test->field, test->op, test->number, in.row);
  }
  if (const auto* word = std::get_if<Word>(&what)) {
    if (in.text.isEmpty()) in.text = QpWords::search_text(in.row);
    return in.text.contains(word->word);
  }
  if (const auto* negated = std::get_if<Not>(&what)) return !holds(negated->of, in);
  const Both& both = std::get<Both>(what);
  return both.any ? holds(both.left, in) || holds(both.right, in) : holds(both.left, in) && holds(both.right, in);
}

}  // namespace iwarpscope::gui
