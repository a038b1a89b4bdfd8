// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "verdict/catalogue.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cstddef>

#include "verdict/argument.h"
#include "verdict/rows_end.h"
#include "verdict/rows_remark.h"
#include "verdict/rows_startup.h"
#include "verdict/rows_terminate.h"
#include "verdict/rows_terminate_usual.h"

namespace iwarpscope::verdict {
namespace {

template <class Row, std::size_t... Sizes>
constexpr std::array<Row, (Sizes + ...)> joined(const std::array<Row, Sizes>&... parts) {
  std::array<Row, (Sizes + ...)> all{};
  auto out = all.begin();
  ((out = std::copy(parts.begin(), parts.end(), out)), ...);
  return all;
}

constexpr auto kVerdicts =
    joined(table::kStartupRows, table::kEndRows, table::kOpenRows, table::kTerminateRows, table::kTerminateUsualRows);
constexpr auto kRemarks = joined(table::kReasonRows, table::kOpenRemarkRows, table::kLimitRows, table::kHistoryRows,
                                 table::kTerminateRemarkRows);

template <class Rows>
constexpr bool in_enum_order(const Rows& rows, std::size_t last) {
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (static_cast<std::size_t>(rows[i].id) != i) return false;
  }
  return rows.size() == last + 1;
}
static_assert(in_enum_order(kVerdicts, static_cast<std::size_t>(kLastVerdict)));
static_assert(in_enum_order(kRemarks, static_cast<std::size_t>(kLastRemark)));

template <class Rows>
constexpr bool texts_complete(const Rows& rows) {
  return std::none_of(rows.begin(), rows.end(),
                      [](const auto& r) { return r.name.empty() || r.code.empty() || r.sentence.empty(); });
}
static_assert(texts_complete(kVerdicts) && texts_complete(kRemarks));

template <class Rows>
constexpr bool names_unique(const Rows& rows) {
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (std::size_t j = i + 1; j < rows.size(); ++j) {
      if (rows[i].name == rows[j].name || rows[i].code == rows[j].code) return false;
    }
  }
  return true;
}
static_assert(names_unique(kVerdicts) && names_unique(kRemarks));

/// Every verdict on what ended badly says what to do next.
constexpr bool is_advised(const VerdictRow& row) {
  const bool is_bad =
      row.outcome == qp::Outcome::refused || row.outcome == qp::Outcome::failed || row.outcome == qp::Outcome::stalled;
  return !is_bad || !row.next.empty();
}
static_assert(std::all_of(kVerdicts.begin(), kVerdicts.end(), is_advised));

constexpr bool is_known(std::string_view name) {
  return std::find(kArgNames.begin(), kArgNames.end(), name) != kArgNames.end() ||
         std::find(kWordNames.begin(), kWordNames.end(), name) != kWordNames.end();
}

/// Every name in braces is one of argument.h, and no brace is left over.
constexpr bool names_known(std::string_view text) {
  while (!text.empty()) {
    const std::size_t open = text.find_first_of("{}");
    if (open == std::string_view::npos) return true;
    const std::size_t close = text.find_first_of("{}", open + 1);
    if (close == std::string_view::npos || text[open] != '{' || text[close] != '}') return false;
    if (!is_known(text.substr(open + 1, close - open - 1))) return false;
    text.remove_prefix(close + 1);
  }
  return true;
}

/// One or two sentences, none of more than 25 words, and every name is known.
constexpr bool is_plain(std::string_view text) {
  constexpr std::size_t kMostWords = 25, kMostSentences = 2;
  std::size_t words = 1, sentences = 1;
  for (std::size_t i = 1; i < text.size(); ++i) {
    if (text[i] != ' ') continue;
    const bool begins = text[i - 1] == '.';
    words = begins ? 1 : words + 1;
    sentences += begins ? 1 : 0;
    if (words > kMostWords || sentences > kMostSentences) return false;
  }
  return names_known(text);
}
template <class Rows>
constexpr bool all_plain(const Rows& rows) {
  return std::all_of(rows.begin(), rows.end(), [](const auto& r) { return is_plain(r.sentence) && is_plain(r.next); });
}
// An assertion for each part: clang limits the steps of one.
static_assert(all_plain(table::kStartupRows));
static_assert(all_plain(table::kEndRows));
static_assert(all_plain(table::kOpenRows));
static_assert(all_plain(table::kTerminateRows));
static_assert(all_plain(table::kTerminateUsualRows));
static_assert(all_plain(table::kReasonRows));
static_assert(all_plain(table::kOpenRemarkRows));
static_assert(all_plain(table::kLimitRows));
static_assert(all_plain(table::kHistoryRows));
static_assert(all_plain(table::kTerminateRemarkRows));

char lower(char c) noexcept {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}
bool alike(std::string_view a, std::string_view b) noexcept {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](char x, char y) { return lower(x) == lower(y); });
}

}  // namespace

std::span<const VerdictRow> verdicts() noexcept {
  return kVerdicts;
}
std::span<const RemarkRow> remarks() noexcept {
  return kRemarks;
}

const VerdictRow& row(VerdictId id) noexcept {
  assert(static_cast<std::size_t>(id) < kVerdicts.size());
  return kVerdicts[static_cast<std::size_t>(id)];
}
const RemarkRow& row(RemarkId id) noexcept {
  assert(static_cast<std::size_t>(id) < kRemarks.size());
  return kRemarks[static_cast<std::size_t>(id)];
}

const VerdictRow* find_verdict(std::string_view name_or_code) noexcept {
  const auto at = std::find_if(kVerdicts.begin(), kVerdicts.end(), [&](const VerdictRow& r) {
    return alike(r.name, name_or_code) || alike(r.code, name_or_code);
  });
  return at != kVerdicts.end() ? &*at : nullptr;
}

const RemarkRow* find_remark(std::string_view name_or_code) noexcept {
  const auto at = std::find_if(kRemarks.begin(), kRemarks.end(), [&](const RemarkRow& r) {
    return alike(r.name, name_or_code) || alike(r.code, name_or_code);
  });
  return at != kRemarks.end() ? &*at : nullptr;
}

std::string_view name(BlameRule rule) noexcept {
  switch (rule) {
    case BlameRule::initiator: return "the Initiator";
    case BlameRule::responder: return "the Responder";
    case BlameRule::who: return "{who}";
    case BlameRule::peer: return "{peer}";
    case BlameRule::breaker: return "the end that broke the rule";
    case BlameRule::asker: return "the end whose startup frame does not fit the other end's";
    case BlameRule::path: return "the path";
    case BlameRule::capture: return "the capture";
    case BlameRule::none: return "none";
    case BlameRule::unknown: break;
  }
  return "unknown";
}

}  // namespace iwarpscope::verdict
