// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "verdict/render.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "base/evidence.h"
#include "base/wording.h"
#include "verdict/words.h"

namespace iwarpscope::verdict {
namespace {

std::string text_of(Ends& ends, const Value& value) {
  switch (value.kind()) {
    case Value::Kind::end: return ends.name(value.end());
    case Value::Kind::time: return seconds(value.time().ns);
    case Value::Kind::rule: {
      const findings::Rule& rule = findings::rule(value.rule());
      return fmt::format("{} ({})", rule.name, rule.code);
    }
    case Value::Kind::opcode: return std::string(rdmap::title(value.opcode()));
    case Value::Kind::amount: return counted(value.number(), value.text());
    case Value::Kind::frame:
    case Value::Kind::number: return std::to_string(value.number());
    case Value::Kind::fixed:
    case Value::Kind::made: break;
  }
  return std::string(value.text());
}

const Value* value_of(const std::vector<Argument>& arguments, std::string_view name) noexcept {
  const auto at = std::find_if(arguments.begin(), arguments.end(),
                               [&](const Argument& a) { return kArgNames[static_cast<std::size_t>(a.name)] == name; });
  return at != arguments.end() ? &at->value : nullptr;
}

/// What stands for `{name}`; empty: nothing is known by this name.
std::string value_text(const Facts& facts, Ends& ends, const std::vector<Argument>& arguments, std::string_view name) {
  if (const Value* const value = value_of(arguments, name)) return text_of(ends, *value);
  if (name == "initiator") return ends.name(kInitiator);
  if (name == "responder") return ends.name(kResponder);
  if (name == "peer") {
    const Value* const of = value_of(arguments, "who");
    const bool is_end = of != nullptr && of->kind() == Value::Kind::end;
    return is_end ? ends.name(opposite(of->end())) : std::string();
  }
  if (name == "closed_first") return closed_first(facts, ends);
  if (name == "breaker_role") {
    const Value* const of = value_of(arguments, "breaker");
    if (of == nullptr) return {};
    return of->kind() == Value::Kind::end ? ends.short_name(of->end()) : text_of(ends, *of);
  }
  if (name == "rule_what" || name == "rule_next") {
    const Value* const of = value_of(arguments, "rule");
    if (of == nullptr || of->kind() != Value::Kind::rule) return {};
    const findings::Rule& rule = findings::rule(of->rule());
    return std::string(name == "rule_what" ? rule.what : rule.next);
  }
  return word(facts, name);
}

char upper(char c) noexcept {
  return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
}

/// The template with its values. A sentence may begin with "the Initiator": its first letter becomes a capital.
std::string filled(const Facts& facts, Ends& ends, std::string_view text, const std::vector<Argument>& arguments) {
  std::string out;
  while (!text.empty()) {
    const std::size_t open = text.find('{');
    const std::size_t close = text.find('}', open == std::string_view::npos ? 0 : open);
    if (open == std::string_view::npos || close == std::string_view::npos) break;
    const std::string_view name = text.substr(open + 1, close - open - 1);
    out += text.substr(0, open);
    const bool is_empty_on_purpose = name == "at_the_end";
    std::string value = value_text(facts, ends, arguments, name);
    if (!value.empty() && (out.empty() || out.ends_with(". "))) value.front() = upper(value.front());
    out += value.empty() && !is_empty_on_purpose ? std::string(text.substr(open, close - open + 1)) : value;
    text.remove_prefix(close + 1);
  }
  out += text;
  if (!out.empty()) out.front() = upper(out.front());
  return out;
}

void append(std::string& to, const std::string& sentence) {
  if (sentence.empty()) return;
  if (!to.empty()) to += ' ';
  to += sentence;
}

/// Advice that is there already is not repeated.
void append_once(std::string& to, const std::string& advice) {
  if (to.find(advice) == std::string::npos) append(to, advice);
}

/// The row, and the rules that its sentence names.
std::string cause(std::string_view code, const std::vector<Argument>& arguments) {
  std::string out(code);
  for (const Argument& argument : arguments) {
    if (argument.value.kind() == Value::Kind::rule)
      append(out, std::string(findings::rule(argument.value.rule()).code));
  }
  return out;
}

/// A remark that explains the verdict has the better advice; others have more of it.
std::string next_of(const Facts& facts, const Diagnosis& diagnosis) {
  const auto explains = [](const Remark& r) { return row(r.id).effect == Effect::explains && !row(r.id).next.empty(); };
  const bool explained = std::any_of(diagnosis.remarks.begin(), diagnosis.remarks.end(), explains);
  std::string next;
  Ends ends(facts.record);
  const VerdictRow& its = row(diagnosis.id);
  if (!explained) append(next, filled(facts, ends, its.next, diagnosis.arguments));
  const bool captures = !explained && its.says_how_to_capture;
  const qp::Outcome outcome = its.outcome;
  const bool went_well = outcome == qp::Outcome::completed || outcome == qp::Outcome::running;
  for (const Remark& remark : diagnosis.remarks) {
    if (row(remark.id).effect == Effect::limits && went_well) continue;
    if (captures && row(remark.id).says_how_to_capture) continue;
    append_once(next, filled(facts, ends, row(remark.id).next, remark.arguments));
  }
  return next;
}

}  // namespace

std::string seconds(std::int64_t ns) {
  if (ns < 1'000'000) return "less than 1 ms";
  if (ns < 10'000'000) return fmt::format("{} ms", ns / 1'000'000);
  return fmt::format("{:.{}f} s", static_cast<double>(ns) / 1e9, ns < 10'000'000'000 ? 2 : 0);
}

qp::VerdictRecord render(const Facts& facts, const Diagnosis& diagnosis) {
  const VerdictRow& its = row(diagnosis.id);
  qp::VerdictRecord out;
  out.id = its.name;
  out.code = its.code;
  out.outcome = its.outcome;
  out.blame = diagnosis.blame;
  out.confidence = diagnosis.confidence;
  Ends ends(facts.record);
  out.text = filled(facts, ends, its.sentence, diagnosis.arguments);
  out.cause = cause(its.code, diagnosis.arguments);
  for (const Remark& remark : diagnosis.remarks) {
    append(out.text, filled(facts, ends, row(remark.id).sentence, remark.arguments));
  }
  out.next = next_of(facts, diagnosis);
  out.evidence = diagnosis.evidence;
  put_in_order(out.evidence);
  return out;
}

}  // namespace iwarpscope::verdict
